"""The candidates of one feature at one node, as arrays: counted, measured, and rejected where they must be.

evidence.py puts the features of a node together; the search over whole levels (search.py) scores
by the same rules, so that what is shown is what was searched.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engine.criteria import (
    Counts,
    Criterion,
    gain_ratio,
    impurity,
    n_log2_n_table,
    sizes_of,
    split_information,
    weighted_impurity,
)
from engine.groupings import Groups, as_groups, groupings
from engine.settings import CategoricalSplits, Choice, CostRule, ResolvedSettings
from engine.splits import Rejection, Split, SplitKind, is_numeric
from engine.sums import Branches, NodeRows
from engine.table import BoolArray, FloatArray

TOLERANCE = 1e-9
"""Scores this close to the greatest are a tie; for a number, this part of the node's impurity."""

REJECTIONS = tuple(Rejection)
OPEN = -1
NO_GAIN = REJECTIONS.index(Rejection.NO_GAIN)
MIN_SAMPLES_LEAF = REJECTIONS.index(Rejection.MIN_SAMPLES_LEAF)
SINGLE_PARTITION = REJECTIONS.index(Rejection.SINGLE_PARTITION)
BELOW_AVERAGE_GAIN = REJECTIONS.index(Rejection.BELOW_AVERAGE_GAIN)


@dataclass(frozen=True, eq=False)
class Measures:
    """Everything computed from sums of shape (n_sums, n_branches, …): arrays of shape (…).

    `counts` are those sums and `impurities` keep their branches, (n_branches, …). `impurity` is that
    of the rows whose value is known.
    """

    counts: Counts
    impurities: FloatArray
    impurity: FloatArray
    remainder: FloatArray
    gain: FloatArray
    split_information: FloatArray
    gain_ratio: FloatArray
    score: FloatArray


@dataclass(frozen=True, eq=False)
class Scores:
    """All candidates of one feature at one node, P of them.

    Attributes
    ----------
    feature : int
    kind : SplitKind
    thresholds : ndarray of shape (P,)
        Ascending; empty for a categorical feature, which has `groups` instead.
    counts : ndarray of shape (n_classes, n_branches, P)
        For a number the three sums n, Σ(y − centre) and Σ(y − centre)² in place of the classes.
    impurities : ndarray of shape (n_branches, P)
    impurity : ndarray of shape (1,) or (P,)
    remainder, gain, split_information, gain_ratio, score : ndarray of shape (P,)
    rejected : ndarray of int8, shape (P,)
        Index into `REJECTIONS`; -1 where the candidate can be chosen.
    unknown : float
        Weight of the rows whose value is missing (fractional).
    centre : float
        What the sums of a number are taken from.
    tolerance : float
        How close to the greatest score is a tie.
    missing_branch : bool
        Whether the last branch takes the rows whose value is missing.
    by_gain : bool
        Whether the candidate of greatest gain stands for the feature, not the one of greatest score.
    cost : float
        What it costs to observe the feature.
    """

    feature: int
    kind: SplitKind
    thresholds: FloatArray
    groups: tuple[Groups, ...]
    counts: Counts
    impurities: FloatArray
    impurity: FloatArray
    remainder: FloatArray
    gain: FloatArray
    split_information: FloatArray
    gain_ratio: FloatArray
    score: FloatArray
    rejected: npt.NDArray[np.int8]
    unknown: float = 0.0
    centre: float = 0.0
    tolerance: float = TOLERANCE
    missing_branch: bool = False
    by_gain: bool = False
    cost: float = 1.0

    def __len__(self) -> int:
        return len(self.score)

    @property
    def admissible(self) -> BoolArray:
        """Which candidates can be chosen, shape (P,)."""
        return np.asarray(self.rejected == OPEN)

    @property
    def eligible(self) -> BoolArray:
        """Which candidates can win at the node: under c45 only the one that stands for the feature."""
        if not self.by_gain:
            return self.admissible
        only = np.zeros(len(self), dtype=bool)
        if len(self):
            only[self.best] = True
        return only & self.admissible

    @property
    def standing(self) -> BoolArray:
        """Which candidates separate the rows and leave enough of them on each side."""
        return np.asarray((self.rejected != SINGLE_PARTITION) & (self.rejected != MIN_SAMPLES_LEAF))

    @property
    def best(self) -> int:
        """The first of the best candidates that can be chosen; of the best at all where none can."""
        if self.by_gain:
            ranking, allowed = self.gain, self.standing
        else:
            ranking, allowed = self.score, self.admissible
        ranking = np.where(allowed, ranking, -np.inf) if allowed.any() else ranking
        return int((ranking >= ranking.max() - self.tolerance).argmax())

    def split(self, index: int) -> Split:
        """The split of candidate `index`."""
        if self.kind is SplitKind.THRESHOLD:
            return Split(
                self.feature,
                self.kind,
                threshold=float(self.thresholds[index]),
                missing_branch=self.missing_branch,
            )
        return Split(self.feature, self.kind, groups=self.groups[index])

    def index(self, split: Split) -> int | None:
        """Which candidate is `split`; None if none is."""
        if split.kind is not self.kind:
            return None
        if split.threshold is None:
            return self.groups.index(split.groups) if split.groups in self.groups else None
        equal = np.flatnonzero(self.thresholds == split.threshold)
        return int(equal[0]) if len(equal) else None


def score_feature(here: NodeRows, feature: int) -> Scores:
    """Score every candidate of one feature on the rows of a node; a numeric one's by ascending threshold."""
    rules = here.rules
    if is_numeric(here.table.features[feature]):
        thresholds, branches = here.by_threshold(feature)
        return scores_of(here, feature, SplitKind.THRESHOLD, branches, thresholds=thresholds)
    tally, rows, unknown = here.by_level(feature)
    if rules.categorical_splits is CategoricalSplits.MULTIWAY:
        groups: tuple[Groups, ...] = (tuple((code,) for code in range(tally.shape[1])),)
        branches = Branches(tally[:, :, None], unknown, rows[:, None])
        return scores_of(here, feature, SplitKind.MULTIWAY, branches, groups=groups)
    first = groupings(rules, tally)
    branches = Branches(_in_groups(tally, first), unknown, _in_groups(rows[None], first)[0])
    groups = tuple(as_groups(mask) for mask in first)
    return scores_of(here, feature, SplitKind.SUBSET, branches, groups=groups)


def score_choice(here: NodeRows, choice: Choice) -> Scores | None:
    """Score the one split that a person chose; None where it does not separate these rows."""
    feature = here.table.feature_index(choice.feature)
    spec = here.table.features[feature]
    thresholds = np.empty(0)
    groups: tuple[Groups, ...] = ()
    if is_numeric(spec):
        if choice.threshold is None:
            return None
        kind, thresholds = SplitKind.THRESHOLD, np.array([choice.threshold])
        branches = here.below_threshold(feature, choice.threshold)
    else:
        kind, grouping = _chosen_groups(spec.levels, choice.first_group)
        groups = (grouping,)
        tally, rows, unknown = here.by_level(feature)
        branches = Branches(_group_sums(tally, grouping), unknown, _group_sums(rows[None], grouping)[0])
    if np.count_nonzero(sizes_of(here.rules.criterion, branches.sums)) < 2:
        return None
    return scores_of(here, feature, kind, branches, thresholds=thresholds, groups=groups)


def measure(rules: ResolvedSettings, counts: Counts, unknown: float = 0.0, cost: float = 1.0) -> Measures:
    """Turn sums of shape (n_sums, n_branches, P) into everything that is shown of them.

    The branches of every candidate add up to the same rows, whose value is known; `unknown` is the
    weight of the others. Gain is scaled by the known share, and the unknown rows are one more
    subset in the split information (Quinlan 1993, section 3.2).
    """
    criterion = rules.criterion
    sizes = sizes_of(criterion, counts)
    whole = counts[:, :, :1].sum(axis=1)
    table = n_log2_n_table(int(sizes[:, :1].sum())) if counts.dtype.kind in "iu" else None
    known = np.maximum(sizes_of(criterion, whole), np.finfo(np.float64).tiny)
    weighted = weighted_impurity(criterion, counts, sizes, table)
    remainder = weighted.sum(axis=0) / known
    before = impurity(criterion, whole, table)
    share = known / (known + unknown)
    gain = (before - remainder) * share if unknown else before - remainder
    if table is not None and not unknown:
        information = (table[known.astype(np.int64)] - table[sizes].sum(axis=0)) / known
    else:
        lost = np.full((1, sizes.shape[1]), unknown)
        information = np.asarray(split_information(np.concatenate([sizes, lost])))
    ratio = gain_ratio(gain, information)
    score = ratio if criterion is Criterion.GAIN_RATIO else gain
    if rules.costs is not None:
        score = (score * np.abs(score) if rules.cost_rule is CostRule.SQUARED_GAIN_OVER_COST else score) / cost
    return Measures(
        counts=counts,
        impurities=weighted / np.maximum(sizes, np.finfo(np.float64).tiny),
        impurity=np.atleast_1d(before),
        remainder=remainder,
        gain=gain,
        split_information=information,
        gain_ratio=ratio,
        score=score,
    )


def scores_of(
    here: NodeRows,
    feature: int,
    kind: SplitKind,
    branches: Branches,
    *,
    thresholds: FloatArray | None = None,
    groups: tuple[Groups, ...] = (),
) -> Scores:
    """The candidates of one feature with their rejections."""
    rules = here.rules
    cost = 1.0 if rules.costs is None else rules.costs[feature]
    measures = measure(rules, branches.sums, branches.unknown, cost)
    tolerance = TOLERANCE * here.impurity if rules.is_number else TOLERANCE
    return Scores(
        feature=feature,
        kind=kind,
        thresholds=np.empty(0) if thresholds is None else thresholds,
        groups=groups,
        rejected=rejections(rules, measures, branches.rows, tolerance),
        unknown=branches.unknown,
        centre=here.centre,
        tolerance=tolerance,
        missing_branch=kind is SplitKind.THRESHOLD and branches.sums.shape[1] > 2,
        by_gain=rules.average_gain_filter,
        cost=cost,
        **vars(measures),
    )


def rejections(
    rules: ResolvedSettings, measures: Measures, rows: Counts | None, tolerance: float
) -> npt.NDArray[np.int8]:
    """Why each candidate cannot be chosen, as far as its own numbers tell; -1 where it can."""
    gain = measures.gain
    rejected = np.full(gain.shape, OPEN, dtype=np.int8)
    rejected[gain <= tolerance if rules.must_gain else gain < -tolerance] = NO_GAIN
    sizes = sizes_of(rules.criterion, measures.counts)
    if rules.min_samples_leaf > 1:
        rows = sizes if rows is None else rows
        small = ((sizes > 0) & (rows < rules.min_samples_leaf - TOLERANCE)).any(axis=0)
        rejected[small] = MIN_SAMPLES_LEAF
    rejected[np.count_nonzero(sizes, axis=0) < 2] = SINGLE_PARTITION
    return rejected


def _in_groups(tally: Counts, first: BoolArray) -> Counts:
    """Sums of both groups of every grouping, shape (n_sums, 2, P)."""
    inside = tally @ first.T.astype(tally.dtype)
    return np.stack([inside, tally.sum(axis=1)[:, None] - inside], axis=1)


def _group_sums(tally: Counts, grouping: Groups) -> Counts:
    return np.stack([tally[:, list(group)].sum(axis=1) for group in grouping], axis=1)[:, :, None]


def _chosen_groups(levels: tuple[str, ...], first_group: tuple[str, ...] | None) -> tuple[SplitKind, Groups]:
    if first_group is None:
        return SplitKind.MULTIWAY, tuple((code,) for code in range(len(levels)))
    first = tuple(code for code, level in enumerate(levels) if level in first_group)
    return SplitKind.SUBSET, (first, tuple(code for code in range(len(levels)) if code not in first))
