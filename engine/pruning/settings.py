"""PruningSettings: how a tree is taken back."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from engine.errors import SettingsError
from engine.estimates import CONFIDENCE
from engine.table import Target, TargetKind

MOST_FOLDS = 100


class PruningMethod(StrEnum):
    """How it is decided which splits go.

    Sources: Quinlan 1987 (reduced error), Breiman et al. 1984, ch. 3 (cost complexity), Quinlan 1993,
    section 4.2 (pessimistic), Quinlan 1986 (chi-square), Quinlan and Rivest 1989 (description length).
    """

    REDUCED_ERROR = "reduced_error"
    REDUCED_ERROR_GREEDY = "reduced_error_greedy"
    COST_COMPLEXITY = "cost_complexity"
    PESSIMISTIC = "pessimistic"
    CHI_SQUARE = "chi_square"
    MINIMUM_DESCRIPTION_LENGTH = "minimum_description_length"

    @property
    def is_for_numbers(self) -> bool:
        """Whether the method is defined where the target is a number."""
        return self in _FOR_NUMBERS


_FOR_NUMBERS = (PruningMethod.REDUCED_ERROR, PruningMethod.REDUCED_ERROR_GREEDY, PruningMethod.COST_COMPLEXITY)


class Risk(StrEnum):
    """What cost complexity adds up over the leaves: training errors, or weighted impurity as scikit-learn does."""

    ERROR = "error"
    IMPURITY = "impurity"


class Selection(StrEnum):
    """What chooses among the subtrees of cost complexity where no alpha is given."""

    VALIDATION = "validation"
    CROSS_VALIDATION = "cross_validation"


@dataclass(frozen=True, kw_only=True)
class PruningSettings:
    """How a tree is taken back. Validated when made; what a method does not use is left alone by it.

    Attributes
    ----------
    method : PruningMethod
    alpha : float or None
        Cost complexity: every link of at most this g goes; None lets `selection` choose.
    risk : Risk
        Cost complexity.
    selection : Selection
        Cost complexity: on the validation rows, or by cross-validation on the training rows.
    folds : int
        Parts of the cross-validation, drawn by `seed`.
    standard_errors : float
        Cross-validation: the smallest tree within so many standard errors of the least error;
        1 is the rule of Breiman et al. 1984, section 3.4.3.
    confidence : float
        Pessimistic: the smaller, the more is pruned.
    binomial : bool
        Pessimistic: the exact binomial limit, not C4.5's normal approximation.
    significance : float
        Chi-square: a split with a greater p value goes.
    seed : int
        For the folds.
    """

    method: PruningMethod
    alpha: float | None = None
    risk: Risk = Risk.ERROR
    selection: Selection = Selection.VALIDATION
    folds: int = 10
    standard_errors: float = 1.0
    confidence: float = CONFIDENCE
    binomial: bool = False
    significance: float = 0.05
    seed: int = 0

    def __post_init__(self) -> None:
        for name, kind in (("method", PruningMethod), ("risk", Risk), ("selection", Selection)):
            object.__setattr__(self, name, _member(name, kind, getattr(self, name)))
        if self.alpha is not None:
            _number("alpha", self.alpha, 0.0, math.inf, "a number of at least 0", lowest_included=True)
        _number("standard_errors", self.standard_errors, 0.0, math.inf, "a number of at least 0", lowest_included=True)
        _number("confidence", self.confidence, 0.0, 1.0, "between 0 and 1, such as 0.25")
        _number("significance", self.significance, 0.0, 1.0, "between 0 and 1, such as 0.05")
        _whole("folds", self.folds, 2, MOST_FOLDS)
        _whole("seed", self.seed, 0, None)

    @property
    def needs_validation(self) -> bool:
        """Whether the method decides on rows that the tree was not grown from."""
        if self.method is PruningMethod.COST_COMPLEXITY:
            return self.alpha is None and self.selection is Selection.VALIDATION
        return self.method in (PruningMethod.REDUCED_ERROR, PruningMethod.REDUCED_ERROR_GREEDY)

    def check(self, target: Target) -> None:
        """Refuse a method that is not defined for the target.

        Raises
        ------
        SettingsError
            If the target is a number and the method counts classes.
        """
        if target.kind is TargetKind.NUMBER and not self.method.is_for_numbers:
            raise SettingsError(
                f"the method {self.method} is defined for classes, and the target {target.name!r} is a number; "
                f"choose one of {', '.join(_FOR_NUMBERS)}."
            )


def _member(name: str, kind: type[StrEnum], value: object) -> StrEnum:
    try:
        return kind(str(value))
    except ValueError:
        raise SettingsError(f"{name} must be one of {', '.join(kind)}, got {value!r}.") from None


def _number(name: str, value: object, low: float, high: float, allowed: str, *, lowest_included: bool = False) -> None:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not (low < value < high or (lowest_included and value == low)):  # type: ignore[operator]
        raise SettingsError(f"{name} must be {allowed}, got {value!r}.")


def _whole(name: str, value: object, least: int, most: int | None) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise SettingsError(f"{name} must be a whole number, got {value!r}.")
    if value < least or (most is not None and value > most):
        allowed = f"at least {least}" if most is None else f"from {least} to {most}"
        raise SettingsError(f"{name} must be {allowed}, got {value}.")
