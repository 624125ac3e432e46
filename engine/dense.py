"""The evidence of a small table's nodes: every candidate of every feature in one pass of few calls.

On a few hundred rows a NumPy call costs more than its work, so a node's features are scored
together, those between equal values too, which are then masked. What comes out is the same as
`evidence.score_feature`; the tests hold them equal.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property, lru_cache

import numpy as np

from engine.criteria import Criterion, n_log2_n_table, weighted_impurity
from engine.evidence import NodeScores
from engine.scores import TOLERANCE, Measures, Scores, rejections
from engine.settings import CategoricalSplits, ResolvedSettings
from engine.splits import Split, SplitKind, is_numeric, midpoint, midpoints
from engine.sums import NodeRows
from engine.table import BoolArray, FloatArray, IntArray, Table

SMALL = 400
"""Tables of up to so many rows are grown by recursion over dense evidence."""


def is_dense(table: Table, rules: ResolvedSettings, weights: FloatArray | None) -> bool:
    """Whether the packed way serves: classes, whole rows, and splits whose counts are those of levels or cuts."""
    return (
        weights is None
        and not rules.is_number
        and rules.costs is None
        and rules.max_features is None
        and not rules.average_gain_filter
        and not any(feature.n_missing for feature in table.features)
        and splits_by_level(table, rules)
    )


def splits_by_level(table: Table, rules: ResolvedSettings) -> bool:
    """Whether every categorical split is a branch a level; two groups of at most two levels are the same."""
    if rules.categorical_splits is CategoricalSplits.MULTIWAY:
        return True
    return all(len(table.features[i].levels) <= 2 for i in table.categorical)


class DenseTable:
    """A table packed for `DenseScores`: one integer a cell that holds value and class.

    `numeric` has shape (n_numeric, n_rows), rank above class; `categorical` has shape
    (n_categorical, n_rows), levels of all features numbered on, times the classes, plus the class.
    """

    def __init__(self, table: Table, rules: ResolvedSettings) -> None:
        self.table, self.rules = table, rules
        n_classes = table.n_classes
        self.codes = np.arange(n_classes)[:, None, None]
        self.shift = max(n_classes - 1, 1).bit_length()
        self.mask = (1 << self.shift) - 1
        self.numeric = (table.rank_matrix.astype(np.int64) << self.shift) | table.target_values
        self.widths = [len(table.features[i].levels) for i in table.categorical]
        self.starts = np.cumsum([0, *self.widths])[:-1]
        self.n_cells = sum(self.widths) * n_classes
        columns = [table.columns[i] + start for i, start in zip(table.categorical, self.starts.tolist(), strict=True)]
        shape = (len(columns), table.n_rows)
        self.categorical = np.array(columns, dtype=np.int64).reshape(shape) * n_classes + table.target_values
        self.logs = n_log2_n_table(table.n_rows)
        self.few_logs: list[float] = self.logs.tolist()
        self.place = {f: p for kind in (table.numeric, table.categorical) for p, f in enumerate(kind)}
        self.multiway = rules.categorical_splits is CategoricalSplits.MULTIWAY

    def impurity(self, counts: Sequence[int]) -> float:
        """`criteria.impurity` of one node, without the cost of an array."""
        n, logs = sum(counts), self.few_logs
        match self.rules.criterion:
            case Criterion.GINI:
                return (n - sum(count * count for count in counts) / n) / n
            case Criterion.MISCLASSIFICATION:
                return (n - max(counts)) / n
            case _:
                return (logs[n] - sum(logs[count] for count in counts)) / n


class DenseScores(NodeScores):
    """`NodeScores` whose features were all scored at once."""

    def __init__(self, dense: DenseTable, rows: IntArray, usable: Sequence[int], counts: Sequence[int]) -> None:
        super().__init__(NodeRows(dense.table, dense.rules, rows), usable)
        self.dense, self.rows = dense, rows
        self.parent = dense.impurity(counts)
        self._best: dict[int, float] = {}
        if dense.table.numeric:
            self._score_thresholds(counts)
        if any(feature in dense.table.categorical for feature in usable):
            self._score_levels()

    def _score_thresholds(self, counts: Sequence[float]) -> None:
        """Cell (f, i) of the arrays is the cut after the i-th row in the order of numeric feature f."""
        dense, n = self.dense, len(self.rows)
        keys = dense.numeric.take(self.rows, axis=1)
        keys.sort(axis=1)
        self.rank = keys >> dense.shift
        below = (keys & dense.mask == dense.codes).cumsum(axis=2)
        both = np.empty((2, len(counts), len(keys), n - 1), dtype=np.int64)
        both[0] = below[:, :, :-1]
        np.subtract(below[:, :, -1:], both[0], out=both[1])
        self.thresholds = self._measures(both.swapaxes(0, 1), n)
        self.differs = self.rank[:, 1:] != self.rank[:, :-1]
        admissible = self.differs
        least = self.rules.min_samples_leaf
        if least > 1:
            size = np.arange(1, n)
            admissible = admissible & (size >= least) & (size[::-1] >= least)
        self.masked = np.where(self._gains(admissible, self.thresholds.gain), self.thresholds.score, -math.inf)
        self._best.update(zip(self.table.numeric, self.masked.max(axis=1).tolist(), strict=True))

    def _measures(self, counts: IntArray, n: int) -> Measures:
        criterion = self.rules.criterion
        sizes, information = _of_all_cuts(n)
        weighted = weighted_impurity(criterion, counts, sizes, self.dense.logs)
        remainder = (weighted[0] + weighted[1]) / n
        gain = self.parent - remainder
        ratio = gain / information
        return Measures(
            counts=counts,
            impurities=weighted / sizes,
            impurity=np.array([self.parent]),
            remainder=remainder,
            gain=gain,
            split_information=information,
            gain_ratio=ratio,
            score=ratio if criterion is Criterion.GAIN_RATIO else gain,
        )

    def _gains(self, admissible: BoolArray, gain: FloatArray) -> BoolArray:
        return admissible & (gain > TOLERANCE if self.rules.must_gain else gain >= -TOLERANCE)

    def _score_levels(self) -> None:
        """Score a branch a level (two groups of two levels are the same) of every categorical feature."""
        dense, n, logs = self.dense, len(self.rows), self.dense.logs
        keys = dense.categorical.take(self.rows, axis=1).ravel()
        self.tally = np.bincount(keys, minlength=dense.n_cells).reshape(-1, len(dense.codes)).T
        self.level_sizes = self.tally.sum(axis=0)
        self.level_weighted = weighted_impurity(self.rules.criterion, self.tally, self.level_sizes, logs)
        present = self.level_sizes > 0
        branches = np.add.reduceat(present, dense.starts, dtype=np.int64)
        self.level_remainder = np.add.reduceat(self.level_weighted, dense.starts) / n
        self.level_gain = self.parent - self.level_remainder
        self.level_information = (logs[n] - np.add.reduceat(logs[self.level_sizes], dense.starts)) / n
        score = self.level_gain
        if self.rules.criterion is Criterion.GAIN_RATIO:
            score = self.level_gain / np.where(branches > 1, self.level_information, 1.0)
        admissible = branches > 1
        least = self.rules.min_samples_leaf
        if least > 1:
            small = np.add.reduceat(present & (self.level_sizes < least), dense.starts, dtype=np.int64)
            admissible = admissible & (small == 0)
        masked = np.where(self._gains(admissible, self.level_gain), score, -math.inf)
        self._best.update(zip(self.table.categorical, masked.tolist(), strict=True))

    @cached_property
    def best_split(self) -> tuple[Split, float] | None:
        """As in `NodeScores`, from what is at hand."""
        best = max([self._best[feature] for feature in self.usable])
        if best == -math.inf:
            return None
        level = best - TOLERANCE
        for feature in self.usable:
            if self._best[feature] >= level:
                return self._first_at(feature, level)
        return None

    @property
    def _tops(self) -> list[float]:
        return [self._best[feature] for feature in self.usable]

    def _first_at(self, feature: int, level: float) -> tuple[Split, float]:
        place = self.dense.place[feature]
        if not is_numeric(self.table.features[feature]):
            kind = SplitKind.MULTIWAY if self.dense.multiway else SplitKind.SUBSET
            groups = tuple((code,) for code in range(self.dense.widths[place]))
            return Split(feature, kind, groups=groups), float(self.level_gain[place])
        cut = int((self.masked[place] >= level).argmax())
        low, high = self.rank[place, cut : cut + 2].tolist()
        values = self.table.distinct[place]
        threshold = midpoint(float(values[low]), float(values[high]))
        return Split(feature, SplitKind.THRESHOLD, threshold=threshold), float(self.thresholds.gain[place, cut])

    def _make(self, feature: int) -> Scores:
        if not is_numeric(self.table.features[feature]):
            return super()._make(feature)
        place, measures = self.dense.place[feature], self.thresholds
        cuts = np.flatnonzero(self.differs[place])
        rank, distinct = self.rank[place], self.table.distinct[place]
        taken = Measures(
            counts=measures.counts[:, :, place, cuts],
            impurities=measures.impurities[:, place, cuts],
            impurity=measures.impurity,
            remainder=measures.remainder[place, cuts],
            gain=measures.gain[place, cuts],
            split_information=measures.split_information[0, cuts],
            gain_ratio=measures.gain_ratio[place, cuts],
            score=measures.score[place, cuts],
        )
        thresholds = midpoints(distinct[rank[cuts]], distinct[rank[cuts + 1]])
        return Scores(
            feature=feature,
            kind=SplitKind.THRESHOLD,
            thresholds=thresholds,
            groups=(),
            rejected=rejections(self.rules, taken, None, TOLERANCE),
            **vars(taken),
        )


@lru_cache(maxsize=SMALL)
def _of_all_cuts(n: int) -> tuple[IntArray, FloatArray]:
    """Sizes of both sides, shape (2, 1, n − 1), and split information, (1, n − 1), of every cut of n rows."""
    size = np.arange(1, n)
    logs = n_log2_n_table(n)
    information = (logs[n] - logs[size] - logs[size[::-1]]) / n
    return np.array([size, size[::-1]])[:, None], information[None, :]
