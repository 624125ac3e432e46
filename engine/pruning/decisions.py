"""What a pruning decides at a split: an inequality with its numbers, and the reason that follows from it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """Whether a split goes or stays."""

    PRUNE = "prune"
    KEEP = "keep"


class PruningEvent(StrEnum):
    """What happens in a step of a pruning: the start, or a verdict."""

    STARTED = "started"
    PRUNE = "prune"
    KEEP = "keep"


class Reason(StrEnum):
    """Why a split goes or stays: how `pruned_cost` stands to `kept_cost`, in the terms of the method."""

    LESS_COST = "less_cost"
    EQUAL_COST = "equal_cost"
    NO_VALIDATION_ROWS = "no_validation_rows"
    MORE_COST = "more_cost"
    WEAK_LINK = "weak_link"
    STRONG_LINK = "strong_link"
    NOT_SIGNIFICANT = "not_significant"
    SIGNIFICANT = "significant"


@dataclass(frozen=True)
class PruningDecision:
    """One decision, made on the tree as the decisions before it had left it.

    Attributes
    ----------
    index : int
        Its place; the step after it is `index` + 1.
    node : int
        The split, by its id in the full tree.
    verdict : Verdict
    kept_cost, pruned_cost : float
        What is compared: the subtree, and a leaf in its place. The costs are those of the method.
    reason : Reason
    n_leaves : int
        Leaves of the subtree before the decision.
    n_rows : float
        Rows that the costs are counted on, as far as they reach the node: validation rows for
        reduced error, else training rows (or their weight).
    alpha : float or None
        Cost complexity: the link's g.
    """

    index: int
    node: int
    verdict: Verdict
    kept_cost: float
    pruned_cost: float
    reason: Reason
    n_leaves: int
    n_rows: float
    alpha: float | None = None

    @property
    def is_pruned(self) -> bool:
        """Whether the split goes."""
        return self.verdict is Verdict.PRUNE


@dataclass(frozen=True)
class ChiSquareDecision(PruningDecision):
    """A decision with the test behind it; `kept_cost` is its p value, `pruned_cost` the level."""

    statistic: float = 0.0
    degrees_of_freedom: int = 0
    p_value: float = 1.0


@dataclass(frozen=True)
class Bits:
    """A description length: of the tree, and of its exceptions among the training rows."""

    tree: float
    exceptions: float

    @property
    def total(self) -> float:
        """Both together."""
        return self.tree + self.exceptions


@dataclass(frozen=True)
class DescriptionDecision(PruningDecision):
    """A decision with the bits behind its costs."""

    kept_bits: Bits = Bits(0.0, 0.0)
    pruned_bits: Bits = Bits(0.0, 0.0)


@dataclass(frozen=True)
class Term:
    """One summand of a subtree's cost.

    Attributes
    ----------
    node : int
        A leaf of the subtree, or a split where something is left at the split itself: rows without a
        branch (reduced error), the bits of the test (minimum description length).
    is_leaf : bool
    n_rows : float
        Rows, or their weight, that the cost is counted on.
    cost : float
    """

    node: int
    is_leaf: bool
    n_rows: float
    cost: float


@dataclass(frozen=True)
class CurvePoint:
    """The tree at one size.

    Attributes
    ----------
    index : int
        0 is the full tree; then one point after each pruning, of all links with the same g at once.
    n_leaves : int
    train_error, validation_error : float or None
        Shares of rows, mean squared errors of a number; None where there are no such rows.
    alpha : float or None
        Cost complexity: the least alpha that gives this tree.
    step : int or None
        The step of the trace at which the tree stands so; None beyond its end.
    cross_validation_error, standard_error : float or None
        Where cross-validation chose.
    """

    index: int
    n_leaves: int
    train_error: float | None
    validation_error: float | None = None
    alpha: float | None = None
    step: int | None = None
    cross_validation_error: float | None = None
    standard_error: float | None = None
