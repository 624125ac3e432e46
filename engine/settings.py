"""GrowthSettings: how a tree is grown, and the presets id3, c45, cart and stump."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Self

from engine.criteria import Criterion
from engine.errors import SettingsError
from engine.splits import Path
from engine.table import Table, TargetKind

MAX_CLASSES = 1000
"""Classes that a tree can tell apart; more are surely numbers or names."""

BALANCED = "balanced"
"""Class weights in inverse proportion to the classes' rows."""


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


class CostRule(StrEnum):
    """How what it costs to observe a feature lowers its score.

    Sources: Tan and Schlimmer 1990 (gain squared); Mitchell 1997, section 3.7.5.
    """

    GAIN_OVER_COST = "gain_over_cost"
    SQUARED_GAIN_OVER_COST = "squared_gain_over_cost"


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
    significance : float or None
        A node whose chosen split has a greater p value by the chi-square test becomes a leaf.
    holdout_stop : bool
        A node becomes a leaf where its split would make more mistakes on the holdout than the leaf.
    costs : mapping of feature to number, kept as pairs
        What it costs to observe a feature; 1 where none is given.
    cost_rule : CostRule
    class_weights : mapping of class to number, kept as pairs, or "balanced", or None
        What a row of each class counts; "balanced" is n / (classes · rows of the class), as in
        scikit-learn.
    max_features : int or None
        Features drawn at random at each node, by `seed`; None draws all.
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
    significance: float | None = None
    holdout_stop: bool = False
    missing: Missing | None = None
    costs: tuple[tuple[str, float], ...] = ()
    cost_rule: CostRule = CostRule.GAIN_OVER_COST
    class_weights: tuple[tuple[str, float], ...] | str | None = None
    max_features: int | None = None
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
        _whole("max_features", self.max_features, least=1)
        _whole("seed", self.seed, least=0)
        if not _is_number(self.min_gain) or not 0 <= self.min_gain < math.inf:
            raise SettingsError(f"min_gain must be a number of at least 0, got {self.min_gain!r}.")
        if self.significance is not None and not (_is_number(self.significance) and 0 < self.significance < 1):
            raise SettingsError(
                f"significance must be a number between 0 and 1, such as 0.05, got {self.significance!r}."
            )
        object.__setattr__(self, "costs", _pairs("cost", self.costs, least_excluded=0.0))
        if self.class_weights is not None and self.class_weights != BALANCED:
            if isinstance(self.class_weights, str):
                raise SettingsError(
                    f"class_weights must be {BALANCED!r} or a weight for each class, got {self.class_weights!r}."
                )
            object.__setattr__(self, "class_weights", _pairs("class weight", self.class_weights, least_excluded=0.0))
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
        number = kind is TargetKind.NUMBER
        if len(table.target.classes) > MAX_CLASSES:
            raise SettingsError(
                f"the target {table.target.name!r} has {len(table.target.classes):,} classes, and a tree tells at most "
                f"{MAX_CLASSES:,} apart. Choose another target or, where its values are numbers, the task number."
            )
        if self.algorithm is Algorithm.C45 and number:
            raise SettingsError(
                f"the target {table.target.name!r} is a number, and c45 is defined for classes; choose cart or id3."
            )
        criterion = self.criterion or (_NUMBER_CRITERION if number else _PRESET_CRITERION)[self.algorithm]
        if criterion.target_kind is not kind:
            allowed = ", ".join(c.value for c in Criterion if c.target_kind is kind)
            what = "a number" if number else "classes"
            raise SettingsError(f"the criterion {criterion} is not defined for {what}; choose one of {allowed}.")
        for name, value in (("significance", self.significance), ("class_weights", self.class_weights)):
            if number and value is not None:
                raise SettingsError(
                    f"{name} is defined for classes, and the target {table.target.name!r} is a number; leave it out."
                )
        c45 = self.algorithm is Algorithm.C45
        binary = self.algorithm in (Algorithm.CART, Algorithm.STUMP)
        depth = self.max_depth
        if depth is None and self.algorithm is Algorithm.STUMP:
            depth = 1
        return ResolvedSettings(
            criterion=criterion,
            categorical_splits=self.categorical_splits
            or (CategoricalSplits.SUBSET if binary else CategoricalSplits.MULTIWAY),
            missing=self.missing or (Missing.FRACTIONAL if c45 else Missing.MOST_COMMON),
            max_depth=depth,
            min_samples_split=self.min_samples_split,
            min_samples_leaf=self.min_samples_leaf,
            min_gain=self.min_gain,
            must_gain=binary,
            average_gain_filter=c45,
            significance=self.significance,
            holdout_stop=self.holdout_stop,
            costs=self._costs_of(table),
            cost_rule=self.cost_rule,
            max_features=None if self.max_features is None else min(self.max_features, len(table.features)),
            seed=self.seed,
        )

    def _costs_of(self, table: Table) -> tuple[float, ...] | None:
        """The cost of each feature in column order; None where all cost the same 1."""
        if not self.costs:
            return None
        given = dict(self.costs)
        known = {feature.name for feature in table.features}
        for name in given:
            if name not in known:
                listed = ", ".join(feature.name for feature in table.features[:20])
                raise SettingsError(f"a cost is given for {name!r}, which is not a feature; the features are {listed}.")
        return tuple(given.get(feature.name, 1.0) for feature in table.features)

    def weights_of_classes(self, table: Table) -> tuple[float, ...] | None:
        """The weight of a row of each class, in the order of the classes; None where all weigh 1.

        Raises
        ------
        SettingsError
            If a weight is given for what is not a class.
        """
        if self.class_weights is None:
            return None
        classes = table.target.classes
        if isinstance(self.class_weights, str):
            rows = [int((table.target_values == code).sum()) for code in range(len(classes))]
            present = sum(count > 0 for count in rows)
            return tuple(table.n_rows / (present * count) if count else 1.0 for count in rows)
        given = dict(self.class_weights)
        for name in given:
            if name not in classes:
                raise SettingsError(
                    f"a weight is given for {name!r}, which is not a class; the classes are {', '.join(classes[:20])}."
                )
        return tuple(given.get(name, 1.0) for name in classes)

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
    average_gain_filter: bool = False
    significance: float | None = None
    holdout_stop: bool = False
    costs: tuple[float, ...] | None = None
    cost_rule: CostRule = CostRule.GAIN_OVER_COST
    max_features: int | None = None
    seed: int = 0

    @property
    def is_number(self) -> bool:
        """Whether the tree predicts a number."""
        return self.criterion.target_kind is TargetKind.NUMBER

    @property
    def ranks_by(self) -> Criterion:
        """What ranks the candidates of one feature: under c45's filter their gain, not their ratio."""
        return (
            Criterion.ENTROPY if self.average_gain_filter and self.criterion is Criterion.GAIN_RATIO else self.criterion
        )

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

_NUMBER_CRITERION = {
    Algorithm.ID3: Criterion.VARIANCE,
    Algorithm.CART: Criterion.SQUARED_ERROR,
    Algorithm.STUMP: Criterion.SQUARED_ERROR,
}

_ENUMS: dict[str, type[StrEnum]] = {
    "algorithm": Algorithm,
    "criterion": Criterion,
    "categorical_splits": CategoricalSplits,
    "missing": Missing,
    "cost_rule": CostRule,
}


def _member(name: str, kind: type[StrEnum], value: object) -> StrEnum:
    try:
        return kind(str(value))
    except ValueError:
        allowed = ", ".join(member.value for member in kind)
        raise SettingsError(f"{name} must be one of {allowed}, got {value!r}.") from None


def _whole(name: str, value: object, *, least: int) -> None:
    if name in ("max_depth", "max_features") and value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int):
        raise SettingsError(f"{name} must be a whole number, got {value!r}.")
    if value < least:
        raise SettingsError(f"{name} must be at least {least}, got {value}.")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _pairs(what: str, given: object, *, least_excluded: float) -> tuple[tuple[str, float], ...]:
    """A mapping, or its pairs, as sorted pairs; every value a finite number above the bound."""
    pairs = given.items() if isinstance(given, Mapping) else given
    try:
        found = {str(name): value for name, value in pairs}  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        raise SettingsError(f"every {what} is given by its name, as in {{'a': 2}}, got {given!r}.") from None
    for name, value in found.items():
        if not _is_number(value) or value <= least_excluded:
            raise SettingsError(f"the {what} of {name!r} must be a number above {least_excluded:g}, got {value!r}.")
    return tuple(sorted((name, float(value)) for name, value in found.items()))
