"""The evidence of one node: every candidate split with its counts and scores, as arrays.

The search (search.py) and this module score with the same functions of criteria.py and decide with
the same rules, so that what is shown is what was searched.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.criteria import Criterion, Counts, gain_ratio, impurity, split_information, weighted_impurity
from engine.settings import Choice, CategoricalSplits, ResolvedSettings
from engine.splits import Candidate, Partition, Rejection, Split, SplitKind, is_numeric, midpoints
from engine.table import AnyArray, FloatArray, IntArray, Table

TOLERANCE = 1e-9
REJECTIONS = tuple(Rejection)
_NOT_REJECTED = -1


@dataclass(frozen=True, eq=False)
class Scores:
    """All candidates of one feature at one node, P of them.

    Attributes
    ----------
    feature : int
    splits : sequence of P splits, made when asked for
    counts : ndarray of shape (n_classes, n_branches, P)
    impurities : ndarray of shape (n_branches, P)
    remainder, gain, split_information, gain_ratio, score : ndarray of shape (P,)
    rejected : ndarray of int8, shape (P,)
        Index into `REJECTIONS`; -1 where the candidate can be chosen.
    """

    feature: int
    kind: SplitKind
    thresholds: FloatArray
    groups: tuple[tuple[tuple[int, ...], ...], ...]
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

    def split(self, index: int) -> Split:
        """The split of candidate `index`."""
        if self.kind is SplitKind.THRESHOLD:
            return Split(self.feature, self.kind, threshold=float(self.thresholds[index]))
        return Split(self.feature, self.kind, groups=self.groups[index])


@dataclass(frozen=True)
class Decision:
    """Which candidate wins at a node: the place in the list of `Scores` and in its arrays."""

    scores: int
    index: int


def score_node(table: Table, settings: ResolvedSettings, rows: IntArray, usable: Sequence[int]) -> list[Scores]:
    """Score every candidate of every usable feature on `rows`, in column order."""
    return [score_feature(table, settings, rows, feature) for feature in usable]


def score_feature(table: Table, settings: ResolvedSettings, rows: IntArray, feature: int) -> Scores:
    """Score every candidate of one feature on `rows`; a numeric one's by ascending threshold."""
    if is_numeric(table.features[feature]):
        thresholds, counts = _threshold_counts(table, rows, feature)
        return measure(settings, feature, SplitKind.THRESHOLD, counts, thresholds=thresholds)
    tally = _level_counts(table, rows, feature)
    if settings.categorical_splits is CategoricalSplits.MULTIWAY:
        groups: tuple[tuple[tuple[int, ...], ...], ...] = (tuple((code,) for code in range(tally.shape[1])),)
        return measure(settings, feature, SplitKind.MULTIWAY, tally[:, :, None], groups=groups)
    groups = _groupings(tally)
    counts = np.zeros((tally.shape[0], 2, len(groups)), dtype=np.int64)
    for place, grouping in enumerate(groups):
        for branch, group in enumerate(grouping):
            counts[:, branch, place] = tally[:, list(group)].sum(axis=1)
    return measure(settings, feature, SplitKind.SUBSET, counts, groups=groups)


def score_threshold(table: Table, settings: ResolvedSettings, rows: IntArray, feature: int, threshold: float) -> Scores:
    """Score one threshold, any number, as when a person sets it by hand."""
    values, classes = table.columns[feature][rows], table.target_values[rows]
    below = values < threshold
    counts = np.stack(
        [np.bincount(classes[below], minlength=table.n_classes), np.bincount(classes[~below], minlength=table.n_classes)],
        axis=1,
    )
    return measure(settings, feature, SplitKind.THRESHOLD, counts[:, :, None], thresholds=np.array([threshold]))


def measure(
    settings: ResolvedSettings,
    feature: int,
    kind: SplitKind,
    counts: Counts,
    *,
    thresholds: FloatArray | None = None,
    groups: tuple[tuple[tuple[int, ...], ...], ...] = (),
) -> Scores:
    """Turn class counts of shape (n_classes, n_branches, P) into scores, and reject what must be."""
    criterion = settings.criterion
    sizes = counts.sum(axis=0)
    total = sizes.sum(axis=0)
    parent = impurity(criterion, counts.sum(axis=1))
    remainder = weighted_impurity(criterion, counts).sum(axis=0) / np.maximum(total, 1)
    gain = parent - remainder
    information = split_information(sizes)
    ratio = gain_ratio(gain, information)
    return Scores(
        feature=feature,
        kind=kind,
        thresholds=np.empty(0) if thresholds is None else thresholds,
        groups=groups,
        counts=counts,
        impurities=impurity(criterion, counts),
        remainder=remainder,
        gain=gain,
        split_information=information,
        gain_ratio=ratio,
        score=ratio if criterion is Criterion.GAIN_RATIO else gain,
        rejected=_rejections(settings, sizes, gain),
    )


def decide(scored: Sequence[Scores]) -> Decision | None:
    """The winner by the rule for ties: first feature, then the first of its candidates."""
    best = best_score(scored)
    if best is None:
        return None
    for place, scores in enumerate(scored):
        within = np.flatnonzero((scores.rejected == _NOT_REJECTED) & (scores.score >= best - TOLERANCE))
        if len(within):
            return Decision(place, int(within[0]))
    return None


def best_score(scored: Sequence[Scores]) -> float | None:
    """The greatest score of a candidate that is not rejected; None if there is none."""
    admissible = [s.score[s.rejected == _NOT_REJECTED] for s in scored]
    greatest = [float(scores.max()) for scores in admissible if len(scores)]
    return max(greatest, default=None)


def only_small_leaves_barred(scored: Sequence[Scores]) -> bool:
    """Whether some candidate separates the rows and `min_samples_leaf` barred every such one."""
    codes = np.concatenate([s.rejected for s in scored]) if scored else np.empty(0, dtype=np.int8)
    separating = codes[codes != REJECTIONS.index(Rejection.SINGLE_PARTITION)]
    return bool(len(separating)) and bool(np.all(separating == REJECTIONS.index(Rejection.MIN_SAMPLES_LEAF)))


def score_choice(table: Table, settings: ResolvedSettings, rows: IntArray, choice: Choice) -> Scores | None:
    """Score the split that a person chose; None where it does not separate these rows."""
    feature = table.feature_index(choice.feature)
    spec = table.features[feature]
    if is_numeric(spec):
        if choice.threshold is None:
            return None
        scores = score_threshold(table, settings, rows, feature, choice.threshold)
    else:
        tally = _level_counts(table, rows, feature)
        if choice.first_group is None:
            groups: tuple[tuple[int, ...], ...] = tuple((code,) for code in range(len(spec.levels)))
            kind = SplitKind.MULTIWAY
        else:
            first = tuple(code for code, level in enumerate(spec.levels) if level in choice.first_group)
            groups = (first, tuple(code for code in range(len(spec.levels)) if code not in first))
            kind = SplitKind.SUBSET
        counts = np.stack([tally[:, list(group)].sum(axis=1) for group in groups], axis=1)
        scores = measure(settings, feature, kind, counts[:, :, None], groups=(groups,))
    sizes = scores.counts.sum(axis=0)[:, 0]
    return scores if np.count_nonzero(sizes) > 1 else None


def candidate(table: Table, scores: Scores, index: int, *, chosen: bool = False, tied: bool = False, by_choice: bool = False) -> Candidate:
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
        rejected=None if code == _NOT_REJECTED else REJECTIONS[code],
        by_choice=by_choice,
    )


def _rejections(settings: ResolvedSettings, sizes: Counts, gain: FloatArray) -> npt.NDArray[np.int8]:
    rejected = np.full(gain.shape, _NOT_REJECTED, dtype=np.int8)
    least = TOLERANCE if settings.must_gain else -TOLERANCE
    no_gain = gain <= least if settings.must_gain else gain < least
    rejected[no_gain] = REJECTIONS.index(Rejection.NO_GAIN)
    small = ((sizes > 0) & (sizes < settings.min_samples_leaf)).any(axis=0)
    rejected[small] = REJECTIONS.index(Rejection.MIN_SAMPLES_LEAF)
    single = np.count_nonzero(sizes, axis=0) < 2
    rejected[single] = REJECTIONS.index(Rejection.SINGLE_PARTITION)
    return rejected


def _threshold_counts(table: Table, rows: IntArray, feature: int) -> tuple[FloatArray, Counts]:
    place = table.numeric.index(feature)
    ranks, distinct = table.rank_matrix[place], table.distinct[place]
    keys = ranks[rows].astype(np.int64) * table.n_classes + table.target_values[rows]
    keys.sort()
    rank, classes = np.divmod(keys, table.n_classes)
    cuts = np.flatnonzero(rank[1:] != rank[:-1])
    below = np.empty((table.n_classes, len(cuts)), dtype=np.int64)
    for code in range(table.n_classes):
        below[code] = np.cumsum(classes == code)[cuts]
    total = np.bincount(classes, minlength=table.n_classes)
    thresholds = midpoints(distinct[rank[cuts]], distinct[rank[cuts + 1]])
    return thresholds, np.stack([below, total[:, None] - below], axis=1)


def _level_counts(table: Table, rows: IntArray, feature: int) -> Counts:
    n_levels, n_classes = len(table.features[feature].levels), table.n_classes
    keys = table.columns[feature][rows].astype(np.int64) * n_classes + table.target_values[rows]
    tally = np.bincount(keys, minlength=n_levels * n_classes)[: n_levels * n_classes]
    return np.asarray(tally.reshape(n_levels, n_classes).T)


def _groupings(tally: AnyArray) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """The groupings of two levels; the level present first leads, absent ones go second."""
    present = np.flatnonzero(tally.sum(axis=0)).tolist()
    if len(present) < 2:
        return ()
    second = tuple(code for code in range(tally.shape[1]) if code != present[0])
    return (((present[0],), second),)


def as_candidates(table: Table, scored: Sequence[Scores], won: Decision | None, best: float | None, chosen: Any = None) -> list[Candidate]:
    """Every candidate in column order; `chosen` marks the split that was made, `tied` the equals."""
    found = []
    for place, scores in enumerate(scored):
        level = np.inf if best is None else best - TOLERANCE
        equal = (scores.rejected == _NOT_REJECTED) & (scores.score >= level)
        for index in range(len(scores)):
            found.append((place, index, bool(equal[index])))
    several = sum(tied for *_, tied in found) > 1
    return [
        candidate(table, scored[place], index, chosen=won == Decision(place, index), tied=tied and several)
        for place, index, tied in found
    ]
