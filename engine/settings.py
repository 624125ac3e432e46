"""GrowthSettings: how a tree is grown, and the presets id3, cart and stump."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Self

from engine.criteria import Criterion
from engine.errors import SettingsError
from engine.splits import Path
from engine.table import FeatureKind, Table, TargetKind


class Algorithm(StrEnum):
    """A preset of the other settings."""

    ID3 = "id3"
    C45 = "c45"
    CART = "cart"
    STUMP = "stump"


class CategoricalSplits(StrEnum):
    """How a categorical feature splits: a branch a level, or two groups of levels."""

    MULTIWAY = "multiway"
    SUBSET = "subset"


class Missing(StrEnum):
    """What to do with missing values."""

    FRACTIONAL = "fractional"
    OWN_BRANCH = "own_branch"
    MOST_COMMON = "most_common"
    DROP = "drop"


@dataclass(frozen=True)
class Choice:
    """A split taken by a person at the node that `path` leads to.

    `threshold` for a numeric feature; `first_group`, the levels of the first branch, for a grouping
    of a categorical one; neither for a branch a level.
    """

    path: Path
    feature: str
    threshold: float | None = None
    first_group: tuple[str, ...] | None = None


@dataclass(frozen=True, kw_only=True)
class GrowthSettings:
    """How a tree is grown. Validated when made; None means the preset's value or no limit.

    Attributes
    ----------
    algorithm : Algorithm
        The preset that fills in `criterion`, `categorical_splits` and `missing` where None.
    max_depth : int or None
        Greatest depth of a leaf; the root has depth 0.
    min_samples_split : int
        A node of fewer rows becomes a leaf.
    min_samples_leaf : int
        Bars a candidate with a non-empty partition of fewer rows.
    min_gain : float
        A node whose chosen candidate gains less becomes a leaf.
    choices : tuple of Choice
        Splits taken by hand; growth goes on by its own rule below them.
    seed : int
        For everything random.
    """

    algorithm: Algorithm = Algorithm.ID3
    criterion: Criterion | None = None
    categorical_splits: CategoricalSplits | None = None
    max_depth: int | None = None
    min_samples_split: int = 2
    min_samples_leaf: int = 1
    min_gain: float = 0.0
    missing: Missing | None = None
    choices: tuple[Choice, ...] = ()
    seed: int = 0

    def __post_init__(self) -> None:
        for name, kind in _ENUMS.items():
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, _member(name, kind, value))
        _whole("max_depth", self.max_depth, least=0)
        _whole("min_samples_split", self.min_samples_split, least=2)
        _whole("min_samples_leaf", self.min_samples_leaf, least=1)
        _whole("seed", self.seed, least=0)
        gain = self.min_gain
        if isinstance(gain, bool) or not isinstance(gain, int | float) or not (0 <= gain < math.inf):
            raise SettingsError(f"min_gain must be a number of at least 0, got {self.min_gain!r}.")
        object.__setattr__(self, "choices", tuple(self.choices))

    @classmethod
    def id3(cls, **overrides: Any) -> Self:
        """Quinlan 1986: entropy, a branch a level, each categorical feature once on a path."""
        return cls(algorithm=Algorithm.ID3, **overrides)

    @classmethod
    def c45(cls, **overrides: Any) -> Self:
        """Quinlan 1993: gain ratio among the features of at least average gain."""
        return cls(algorithm=Algorithm.C45, **overrides)

    @classmethod
    def cart(cls, **overrides: Any) -> Self:
        """Breiman et al. 1984: Gini, two branches a split, each of which must reduce impurity."""
        return cls(algorithm=Algorithm.CART, **overrides)

    @classmethod
    def stump(cls, **overrides: Any) -> Self:
        """A cart of depth 1 by misclassification: the one best rule."""
        return cls(algorithm=Algorithm.STUMP, **overrides)

    def resolved(self, table: Table) -> ResolvedSettings:
        """These settings with the preset filled in for `table`.

        Raises
        ------
        SettingsError
            If a setting is not defined for the table's target or features.
        """
        kind = table.target.kind
        if kind is TargetKind.NUMBER:
            raise SettingsError(
                f"the target {table.target.name!r} is a number; trees for numbers are coming. "
                "Choose a target with classes, or read it as classes (--task classes)."
            )
        if self.algorithm is Algorithm.C45:
            raise SettingsError("the algorithm c45 is coming; choose id3, cart or stump.")
        criterion = self.criterion or _PRESET_CRITERION[self.algorithm]
        if criterion.target_kind is not kind:
            allowed = ", ".join(c.value for c in Criterion if c.target_kind is kind)
            raise SettingsError(f"the criterion {criterion} is not defined for {kind.value}; choose one of {allowed}.")
        missing = self.missing or Missing.MOST_COMMON
        if missing in (Missing.FRACTIONAL, Missing.OWN_BRANCH):
            raise SettingsError(f"missing values by {missing} are coming; choose most_common or drop.")
        binary = self.algorithm in (Algorithm.CART, Algorithm.STUMP)
        splits = self.categorical_splits or (CategoricalSplits.SUBSET if binary else CategoricalSplits.MULTIWAY)
        if splits is CategoricalSplits.SUBSET:
            _refuse_wide_subsets(table)
        depth = self.max_depth
        if depth is None and self.algorithm is Algorithm.STUMP:
            depth = 1
        return ResolvedSettings(
            criterion=criterion,
            categorical_splits=splits,
            missing=missing,
            max_depth=depth,
            min_samples_split=self.min_samples_split,
            min_samples_leaf=self.min_samples_leaf,
            min_gain=self.min_gain,
            must_gain=binary,
        )

    def with_choice(self, choice: Choice) -> GrowthSettings:
        """These settings with `choice` in place of any other at its path or below it."""
        depth = len(choice.path)
        kept = tuple(c for c in self.choices if c.path[:depth] != choice.path)
        return replace(self, choices=(*kept, choice))

    def without_choice(self, path: Path) -> GrowthSettings:
        """These settings with the node at `path` and all below it handed back to the algorithm."""
        return replace(self, choices=tuple(c for c in self.choices if c.path[: len(path)] != path))


@dataclass(frozen=True, kw_only=True)
class ResolvedSettings:
    """What the search follows: GrowthSettings with nothing left open."""

    criterion: Criterion
    categorical_splits: CategoricalSplits
    missing: Missing
    max_depth: int | None
    min_samples_split: int
    min_samples_leaf: int
    min_gain: float
    must_gain: bool

    @property
    def once_on_a_path(self) -> bool:
        """Whether a categorical feature is used up by a split on it."""
        return self.categorical_splits is CategoricalSplits.MULTIWAY


_PRESET_CRITERION = {
    Algorithm.ID3: Criterion.ENTROPY,
    Algorithm.C45: Criterion.GAIN_RATIO,
    Algorithm.CART: Criterion.GINI,
    Algorithm.STUMP: Criterion.MISCLASSIFICATION,
}

_ENUMS: dict[str, type[StrEnum]] = {
    "algorithm": Algorithm,
    "criterion": Criterion,
    "categorical_splits": CategoricalSplits,
    "missing": Missing,
}


def _member(name: str, kind: type[StrEnum], value: object) -> StrEnum:
    try:
        return kind(str(value))
    except ValueError:
        allowed = ", ".join(member.value for member in kind)
        raise SettingsError(f"{name} must be one of {allowed}, got {value!r}.") from None


def _whole(name: str, value: object, *, least: int) -> None:
    if name == "max_depth" and value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int):
        raise SettingsError(f"{name} must be a whole number, got {value!r}.")
    if value < least:
        raise SettingsError(f"{name} must be at least {least}, got {value}.")


def _refuse_wide_subsets(table: Table) -> None:
    for feature in table.features:
        if feature.kind is FeatureKind.CATEGORICAL and len(feature.levels) > 2:
            raise SettingsError(
                f"the feature {feature.name!r} has {len(feature.levels)} levels; groups of three levels and more "
                "are coming. Choose id3, ignore the feature, or split by categorical_splits=multiway."
            )
