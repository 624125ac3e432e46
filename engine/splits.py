"""What a node can ask, and the evidence for asking it: Split, Partition, Candidate."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from engine.table import AnyArray, Feature, FeatureKind, IntArray


class SplitKind(StrEnum):
    """The three tests of a node: a branch a level, below a threshold or not, two groups of levels."""

    MULTIWAY = "multiway"
    THRESHOLD = "threshold"
    SUBSET = "subset"


class Op(StrEnum):
    """How a branch compares its feature's value."""

    IN = "in"
    LESS = "<"
    AT_LEAST = ">="
    MISSING = "missing"


class Rejection(StrEnum):
    """Why a candidate could not be chosen."""

    MIN_SAMPLES_LEAF = "min_samples_leaf"
    SINGLE_PARTITION = "single_partition"
    BELOW_AVERAGE_GAIN = "below_average_gain"
    NO_GAIN = "no_gain"


@dataclass(frozen=True)
class Condition:
    """One step of a path: `value` is a tuple of levels, a threshold, or None for missing."""

    feature: str
    op: Op
    value: tuple[str, ...] | float | None


Path = tuple[Condition, ...]


@dataclass(frozen=True)
class Split:
    """A test on one feature.

    Attributes
    ----------
    feature : int
        Column number.
    kind : SplitKind
    threshold : float or None
        Rows below it go to the first branch, the others to the second.
    groups : tuple of tuple of int
        For a categorical feature, the level codes of each branch, branches in order.
    missing_branch : bool
        Whether a last branch takes the rows whose value is missing.
    """

    feature: int
    kind: SplitKind
    threshold: float | None = None
    groups: tuple[tuple[int, ...], ...] = ()
    missing_branch: bool = False

    @property
    def n_branches(self) -> int:
        """Number of branches, the one for missing values included."""
        return (2 if self.threshold is not None else len(self.groups)) + self.missing_branch

    def conditions(self, feature: Feature) -> tuple[Condition, ...]:
        """The condition of each branch, in order."""
        if self.threshold is not None:
            known = [
                Condition(feature.name, Op.LESS, self.threshold),
                Condition(feature.name, Op.AT_LEAST, self.threshold),
            ]
        else:
            known = [
                Condition(feature.name, Op.IN, tuple(feature.levels[code] for code in group)) for group in self.groups
            ]
        if self.missing_branch:
            known.append(Condition(feature.name, Op.MISSING, None))
        return tuple(known)

    def branch_of(self, column: AnyArray, feature: Feature) -> IntArray:
        """The branch number for each value of `column` (coded as in the table); -1 where none fits."""
        if self.threshold is not None:
            with np.errstate(invalid="ignore"):
                branch = np.where(column < self.threshold, 0, 1).astype(np.int64)
            branch[np.isnan(column)] = 2 if self.missing_branch else -1
            return branch
        lookup = np.full(len(feature.levels) + 2, -1, dtype=np.int64)
        for number, group in enumerate(self.groups):
            lookup[list(group)] = number
        if self.missing_branch:
            lookup[len(feature.levels)] = len(self.groups)
        return lookup[column]


@dataclass(frozen=True)
class Partition:
    """The rows of one branch, summed up.

    `counts` are class counts in the order of the classes (weights where rows are fractional) and
    empty for a number, whose `mean` and `variance` stand instead; `impurity` is the criterion's.
    """

    condition: Condition
    n_rows: float
    counts: tuple[float, ...]
    impurity: float
    mean: float | None = None
    variance: float | None = None


@dataclass(frozen=True)
class Candidate:
    """A split that was considered at a node, with its evidence, chosen or not.

    `impurity` and `partitions` are those of the rows whose value is known; `unknown` is the weight
    of the others, where they go down every branch. `cost` is what it costs to observe the feature.
    """

    split: Split
    feature: str
    partitions: tuple[Partition, ...]
    impurity: float
    remainder: float
    gain: float
    split_information: float
    gain_ratio: float
    score: float
    chosen: bool = False
    tied: bool = False
    rejected: Rejection | None = None
    by_choice: bool = False
    unknown: float = 0.0
    cost: float = 1.0


def midpoint(low: float, high: float) -> float:
    """The threshold between two neighbouring values: above `low`, at most `high`, no overflow.

    >>> midpoint(1.0, 2.0), midpoint(1.7e308, 1.7e308 * 1.05)
    (1.5, 1.7425e+308)
    >>> midpoint(1.0, 1.0000000000000002)
    1.0000000000000002
    """
    middle = (low + high) / 2
    if math.isinf(middle):
        middle = low / 2 + high / 2
    return middle if middle > low else high


def midpoints(low: AnyArray, high: AnyArray) -> AnyArray:
    """`midpoint` over arrays."""
    with np.errstate(over="ignore"):
        middle = (low + high) / 2
    middle = np.where(np.isfinite(middle), middle, low / 2 + high / 2)
    return np.where(middle > low, middle, high)


def is_numeric(feature: Feature) -> bool:
    """Whether the feature is split by thresholds."""
    return feature.kind is FeatureKind.NUMERIC
