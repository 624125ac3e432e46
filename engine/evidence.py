"""The evidence of one node: every candidate split with its counts and scores, as arrays.

The recursion (growth.py) decides by this evidence; the search over whole levels (search.py) scores
with the same functions and by the same rules, so that what is shown is what was searched.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import overload

import numpy as np
import numpy.typing as npt

from engine.criteria import Counts, Criterion, gain_ratio, impurity, n_log2_n_table, weighted_impurity
from engine.settings import CategoricalSplits, Choice, ResolvedSettings
from engine.splits import Candidate, Partition, Rejection, Split, SplitKind, is_numeric, midpoints
from engine.table import BoolArray, FloatArray, IntArray, Table

TOLERANCE = 1e-9
"""Scores this close to the greatest are a tie."""

REJECTIONS = tuple(Rejection)
_OPEN = -1
_NO_GAIN = REJECTIONS.index(Rejection.NO_GAIN)
_MIN_SAMPLES_LEAF = REJECTIONS.index(Rejection.MIN_SAMPLES_LEAF)
_SINGLE_PARTITION = REJECTIONS.index(Rejection.SINGLE_PARTITION)

Groups = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, eq=False)
class Measures:
    """Everything computed from counts of shape (n_classes, n_branches, …): arrays of shape (…).

    `counts` and `impurities` keep their branches, (n_classes, n_branches, …) and (n_branches, …).
    """

    counts: Counts
    impurities: FloatArray
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
    impurities : ndarray of shape (n_branches, P)
    remainder, gain, split_information, gain_ratio, score : ndarray of shape (P,)
    rejected : ndarray of int8, shape (P,)
        Index into `REJECTIONS`; -1 where the candidate can be chosen.
    """

    feature: int
    kind: SplitKind
    thresholds: FloatArray
    groups: tuple[Groups, ...]
    counts: Counts
    impurities: FloatArray
    remainder: FloatArray
    gain: FloatArray
    split_information: FloatArray
    gain_ratio: FloatArray
    score: FloatArray
    rejected: npt.NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.score)

    @property
    def admissible(self) -> BoolArray:
        """Which candidates can be chosen, shape (P,)."""
        return np.asarray(self.rejected == _OPEN)

    @property
    def best(self) -> int:
        """The first of the best candidates that can be chosen; of the best at all where none can."""
        score = np.where(self.admissible, self.score, -np.inf) if self.admissible.any() else self.score
        return int((score >= score.max() - TOLERANCE).argmax())

    def split(self, index: int) -> Split:
        """The split of candidate `index`."""
        if self.kind is SplitKind.THRESHOLD:
            return Split(self.feature, self.kind, threshold=float(self.thresholds[index]))
        return Split(self.feature, self.kind, groups=self.groups[index])

    def index(self, split: Split) -> int | None:
        """Which candidate is `split`; None if none is."""
        if split.kind is not self.kind:
            return None
        if split.threshold is None:
            return self.groups.index(split.groups) if split.groups in self.groups else None
        equal = np.flatnonzero(self.thresholds == split.threshold)
        return int(equal[0]) if len(equal) else None


@dataclass(frozen=True)
class Decision:
    """Which candidate wins at a node: the feature, and the place among its candidates."""

    feature: int
    index: int


class NodeScores(Sequence[Scores]):
    """The scores of every usable feature at one node, in column order, each made when asked for."""

    def __init__(self, table: Table, rules: ResolvedSettings, rows: IntArray, usable: Sequence[int]) -> None:
        self.table, self.rules, self.rows, self.usable = table, rules, rows, usable
        self._made: dict[int, Scores] = {}

    def __len__(self) -> int:
        return len(self.usable)

    @overload
    def __getitem__(self, index: int) -> Scores: ...
    @overload
    def __getitem__(self, index: slice) -> list[Scores]: ...
    def __getitem__(self, index: int | slice) -> Scores | list[Scores]:
        if isinstance(index, slice):
            return [self.of(feature) for feature in self.usable[index]]
        return self.of(self.usable[index])

    def __iter__(self) -> Iterator[Scores]:
        return (self.of(feature) for feature in self.usable)

    def of(self, feature: int) -> Scores:
        """The scores of one feature."""
        if feature not in self._made:
            self._made[feature] = self._make(feature)
        return self._made[feature]

    def _make(self, feature: int) -> Scores:
        return score_feature(self.table, self.rules, self.rows, feature)

    @cached_property
    def best_score(self) -> float | None:
        """The greatest score of a candidate that is not rejected; None if there is none."""
        greatest = max(self._tops, default=-math.inf)
        return None if greatest == -math.inf else greatest

    @cached_property
    def best_split(self) -> tuple[Split, float] | None:
        """The winner and its gain, by the rule for ties: the first feature, then its first candidate."""
        if self.best_score is None:
            return None
        level = self.best_score - TOLERANCE
        feature = next(f for f, top in zip(self.usable, self._tops, strict=True) if top >= level)
        return self._first_at(feature, level)

    def _first_at(self, feature: int, level: float) -> tuple[Split, float]:
        scores = self.of(feature)
        index = int((scores.admissible & (scores.score >= level)).argmax())
        return scores.split(index), float(scores.gain[index])

    @cached_property
    def only_small_leaves_barred(self) -> bool:
        """Whether some candidate separates the rows and `min_samples_leaf` barred every such one."""
        if self.rules.min_samples_leaf == 1:
            return False
        codes = np.concatenate([np.empty(0, dtype=np.int8), *(scores.rejected for scores in self)])
        separating = codes[codes != _SINGLE_PARTITION]
        return bool(len(separating)) and bool(np.all(separating == _MIN_SAMPLES_LEAF))

    @cached_property
    def _tops(self) -> list[float]:
        """The greatest admissible score of each usable feature."""
        return [float(scores.score[scores.admissible].max(initial=-math.inf)) for scores in self]


def score_feature(table: Table, rules: ResolvedSettings, rows: IntArray, feature: int) -> Scores:
    """Score every candidate of one feature on `rows`; a numeric one's by ascending threshold."""
    if is_numeric(table.features[feature]):
        thresholds, counts = _threshold_counts(table, rows, feature)
        return scores_of(rules, feature, SplitKind.THRESHOLD, measure(rules, counts), thresholds=thresholds)
    tally = _level_counts(table, rows, feature)
    if rules.categorical_splits is CategoricalSplits.MULTIWAY:
        groups: tuple[Groups, ...] = (tuple((code,) for code in range(tally.shape[1])),)
        return scores_of(rules, feature, SplitKind.MULTIWAY, measure(rules, tally[:, :, None]), groups=groups)
    groups = _groupings(tally)
    counts = np.zeros((tally.shape[0], 2, len(groups)), dtype=np.int64)
    for place, grouping in enumerate(groups):
        counts[:, :, place] = _group_counts(tally, grouping)
    return scores_of(rules, feature, SplitKind.SUBSET, measure(rules, counts), groups=groups)


def score_choice(table: Table, rules: ResolvedSettings, rows: IntArray, choice: Choice) -> Scores | None:
    """Score the one split that a person chose; None where it does not separate these rows."""
    feature = table.feature_index(choice.feature)
    spec = table.features[feature]
    thresholds = np.empty(0)
    groups: tuple[Groups, ...] = ()
    if is_numeric(spec):
        if choice.threshold is None:
            return None
        kind, thresholds = SplitKind.THRESHOLD, np.array([choice.threshold])
        counts = _counts_of_threshold(table, rows, feature, choice.threshold)
    else:
        kind, grouping = _chosen_groups(spec.levels, choice.first_group)
        groups = (grouping,)
        counts = _group_counts(_level_counts(table, rows, feature), grouping)
    if np.count_nonzero(counts.sum(axis=0)) < 2:
        return None
    return scores_of(rules, feature, kind, measure(rules, counts[:, :, None]), thresholds=thresholds, groups=groups)


def measure(rules: ResolvedSettings, counts: Counts) -> Measures:
    """Turn class counts of shape (n_classes, n_branches, P) into everything that is shown of them.

    The branches of every candidate add up to the same node.
    """
    criterion = rules.criterion
    sizes = counts.sum(axis=0)
    table = n_log2_n_table(int(sizes[:, :1].sum()))
    total = np.maximum(sizes[:, :1].sum(axis=0), 1)
    weighted = weighted_impurity(criterion, counts, sizes, table)
    remainder = weighted.sum(axis=0) / total
    gain = impurity(criterion, counts[:, :, :1].sum(axis=1), table) - remainder
    information = (table[total] - table[sizes].sum(axis=0)) / total
    ratio = gain_ratio(gain, information)
    return Measures(
        counts=counts,
        impurities=weighted / np.maximum(sizes, 1),
        remainder=remainder,
        gain=gain,
        split_information=information,
        gain_ratio=ratio,
        score=ratio if criterion is Criterion.GAIN_RATIO else gain,
    )


def all_candidates(table: Table, scored: NodeScores, chosen: Decision | None) -> list[Candidate]:
    """Every candidate in column order; `chosen` is marked, and all that tie for the best."""
    level = np.inf if scored.best_score is None else scored.best_score - TOLERANCE
    equal = [scores.admissible & (scores.score >= level) for scores in scored]
    several = sum(int(ties.sum()) for ties in equal) > 1
    return [
        candidate(
            table, scores, index, chosen=chosen == Decision(scores.feature, index), tied=several and bool(ties[index])
        )
        for scores, ties in zip(scored, equal, strict=True)
        for index in range(len(scores))
    ]


def best_candidates(table: Table, scored: NodeScores, chosen: Decision | None) -> list[Candidate]:
    """The best candidate of each feature that has one, in column order; the chosen stands for its feature."""
    level = np.inf if scored.best_score is None else scored.best_score - TOLERANCE
    equal = {scores.feature: scores.admissible & (scores.score >= level) for scores in scored}
    several = sum(int(ties.sum()) for ties in equal.values()) > 1
    found = []
    for scores in scored:
        if len(scores):
            won = chosen is not None and chosen.feature == scores.feature
            index = chosen.index if won and chosen is not None else scores.best
            tied = several and bool(equal[scores.feature][index])
            found.append(candidate(table, scores, index, chosen=won, tied=tied))
    return found


def candidate(table: Table, scores: Scores, index: int, *, chosen: bool = False, tied: bool = False) -> Candidate:
    """The candidate at `index` with its partitions, as a value for a person to read."""
    spec = table.features[scores.feature]
    split = scores.split(index)
    counts = scores.counts[:, :, index]
    partitions = tuple(
        Partition(
            condition=condition,
            n_rows=counts[:, branch].sum().item(),
            counts=tuple(counts[:, branch].tolist()),
            impurity=float(scores.impurities[branch, index]),
        )
        for branch, condition in enumerate(split.conditions(spec))
    )
    code = int(scores.rejected[index])
    return Candidate(
        split=split,
        feature=spec.name,
        partitions=partitions,
        impurity=float(scores.remainder[index] + scores.gain[index]),
        remainder=float(scores.remainder[index]),
        gain=float(scores.gain[index]),
        split_information=float(scores.split_information[index]),
        gain_ratio=float(scores.gain_ratio[index]),
        score=float(scores.score[index]),
        chosen=chosen,
        tied=tied,
        rejected=None if code == _OPEN else REJECTIONS[code],
    )


def chosen_candidate(table: Table, scores: Scores) -> Candidate:
    """The split that a person chose, marked so."""
    return replace(candidate(table, scores, 0, chosen=True), by_choice=True)


def scores_of(
    rules: ResolvedSettings,
    feature: int,
    kind: SplitKind,
    measures: Measures,
    *,
    thresholds: FloatArray | None = None,
    groups: tuple[Groups, ...] = (),
) -> Scores:
    """The candidates of one feature with their rejections."""
    return Scores(
        feature=feature,
        kind=kind,
        thresholds=np.empty(0) if thresholds is None else thresholds,
        groups=groups,
        rejected=_rejections(rules, measures),
        **vars(measures),
    )


def _rejections(rules: ResolvedSettings, measures: Measures) -> npt.NDArray[np.int8]:
    gain = measures.gain
    rejected = np.full(gain.shape, _OPEN, dtype=np.int8)
    rejected[gain <= TOLERANCE if rules.must_gain else gain < -TOLERANCE] = _NO_GAIN
    sizes = measures.counts.sum(axis=0)
    if rules.min_samples_leaf > 1:
        small = ((sizes > 0) & (sizes < rules.min_samples_leaf)).any(axis=0)
        rejected[small] = _MIN_SAMPLES_LEAF
    rejected[np.count_nonzero(sizes, axis=0) < 2] = _SINGLE_PARTITION
    return rejected


def _threshold_counts(table: Table, rows: IntArray, feature: int) -> tuple[FloatArray, Counts]:
    """Thresholds between neighbouring distinct values, and the class counts on either side of each."""
    place, n_classes = table.numeric.index(feature), table.n_classes
    distinct = table.distinct[place]
    shift = max(n_classes - 1, 1).bit_length()
    keys = table.rank_matrix[place][rows].astype(np.int64)
    keys <<= shift
    keys |= table.target_values[rows]
    keys.sort()
    rank = keys >> shift
    classes = keys & ((1 << shift) - 1)
    cuts = np.flatnonzero(rank[1:] != rank[:-1])
    counts = np.empty((n_classes, 2, len(cuts)), dtype=np.int64)
    for code in range(n_classes):
        running = np.cumsum(classes == code, dtype=np.int32)
        counts[code, 0] = running[cuts]
        counts[code, 1] = (running[-1] if len(running) else 0) - counts[code, 0]
    return midpoints(distinct[rank[cuts]], distinct[rank[cuts + 1]]), counts


def _counts_of_threshold(table: Table, rows: IntArray, feature: int, threshold: float) -> Counts:
    below = table.columns[feature][rows] < threshold
    classes = table.target_values[rows]
    return np.stack([np.bincount(classes[side], minlength=table.n_classes) for side in (below, ~below)], axis=1)


def _level_counts(table: Table, rows: IntArray, feature: int) -> Counts:
    """Class counts of each level, shape (n_classes, n_levels)."""
    n_levels, n_classes = len(table.features[feature].levels), table.n_classes
    keys = table.columns[feature][rows].astype(np.int64) * n_classes + table.target_values[rows]
    tally = np.bincount(keys, minlength=n_levels * n_classes)[: n_levels * n_classes]
    return np.asarray(tally.reshape(n_levels, n_classes).T)


def _group_counts(tally: Counts, grouping: Groups) -> Counts:
    return np.stack([tally[:, list(group)].sum(axis=1) for group in grouping], axis=1)


def _groupings(tally: Counts) -> tuple[Groups, ...]:
    """The grouping of two levels, if both are present; the group of the first one leads."""
    present = np.flatnonzero(tally.sum(axis=0)).tolist()
    if len(present) < 2:
        return ()
    return (((present[0],), tuple(code for code in range(tally.shape[1]) if code != present[0])),)


def _chosen_groups(levels: tuple[str, ...], first_group: tuple[str, ...] | None) -> tuple[SplitKind, Groups]:
    if first_group is None:
        return SplitKind.MULTIWAY, tuple((code,) for code in range(len(levels)))
    first = tuple(code for code, level in enumerate(levels) if level in first_group)
    return SplitKind.SUBSET, (first, tuple(code for code in range(len(levels)) if code not in first))
