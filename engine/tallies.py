"""The search over categorical features: one bincount a level counts (node, level, class) of them all."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from engine.criteria import Criterion, weighted_impurity
from engine.scores import TOLERANCE
from engine.settings import ResolvedSettings
from engine.table import FloatArray, IntArray, Table
from engine.thresholds import BestCandidates

_COUNTERS = 1 << 21
"""Counters kept at once."""

_TOGETHER = 1 << 16
"""Cells up to which all features are counted in one call."""


class Tally:
    """The level codes of the active rows, numbered on over all features: shape (n_categorical, n_active)."""

    def __init__(self, table: Table, rules: ResolvedSettings, logs: FloatArray) -> None:
        self.rules, self.logs = rules, logs
        self.n_classes = max(table.n_classes, 1)
        widths = np.array([max(len(table.features[i].levels), 1) for i in table.categorical])
        self.starts = np.cumsum(widths) - widths
        self.n_levels = int(widths.sum())
        self.widths: list[int] = widths.tolist()
        shape = (len(widths), table.n_rows)
        self.cells: npt.NDArray[np.int32] = np.empty(shape, dtype=np.int32)
        for place, feature in enumerate(table.categorical):
            self.cells[place] = table.columns[feature]
            self.cells[place] += np.int32(self.starts[place])

    def keep(self, staying: IntArray) -> None:
        """Keep only these active rows, given by their places."""
        if len(staying) < self.cells.shape[1]:
            self.cells = self.cells.take(staying, axis=1)

    def levels(self, feature: IntArray, active: IntArray) -> IntArray:
        """The level codes of active rows, each of its own categorical feature (its place among them)."""
        cells = self.cells.ravel().take(feature * self.cells.shape[1] + active)
        return np.asarray(cells - self.starts.take(feature))

    def search(
        self, node: IntArray, classes: IntArray, counts: IntArray, parent: FloatArray, best: BestCandidates
    ) -> None:
        """Score a branch a level of every feature at every node; write it into `best`.

        Parameters
        ----------
        node, classes : ndarray of shape (n_active,)
            The place of each active row's node, and its class.
        counts : ndarray of shape (n_nodes, n_classes)
        parent : ndarray of shape (n_nodes,)
            Impurities.
        """
        step = max(1, _COUNTERS // (self.n_levels * self.n_classes))
        for first in range(0, len(counts), step):
            nodes = slice(first, min(first + step, len(counts)))
            cells, place, of_class = self.cells, node, classes
            if step < len(counts):
                inside = (node >= nodes.start) & (node < nodes.stop)
                cells, place, of_class = np.compress(inside, cells, axis=1), node[inside] - first, classes[inside]
            tally = self._count(cells, place, of_class, nodes.stop - first)
            self._score(nodes, tally, counts[nodes], parent[nodes], best)

    def _count(self, cells: npt.NDArray[np.int32], node: IntArray, classes: IntArray, n_nodes: int) -> IntArray:
        """Counts of shape (n_classes, n_nodes, levels of all features)."""
        size = self.n_classes * n_nodes * self.n_levels
        base = (classes * n_nodes + node) * self.n_levels
        if cells.size <= _TOGETHER:
            tally = np.bincount((cells + base).ravel(), minlength=size)
        else:
            return self._count_one_by_one(cells, node, classes, n_nodes)
        return tally.reshape(self.n_classes, n_nodes, self.n_levels)

    def _count_one_by_one(
        self, cells: npt.NDArray[np.int32], node: IntArray, classes: IntArray, n_nodes: int
    ) -> IntArray:
        """A feature at a time: its counters stay in the cache."""
        tally = np.empty((self.n_classes, n_nodes, self.n_levels), dtype=np.int64)
        pair = classes * n_nodes + node
        keys, base, width = np.empty_like(pair), pair, 1
        for column, start, own_width in zip(cells, self.starts.tolist(), self.widths, strict=True):
            if own_width != width:
                base, width = pair * own_width, own_width
            np.add(column, base, out=keys)
            keys -= start
            counted = np.bincount(keys, minlength=self.n_classes * n_nodes * width)
            tally[:, :, start : start + width] = counted.reshape(self.n_classes, n_nodes, width)
        return tally

    def _score(self, nodes: slice, tally: IntArray, counts: IntArray, parent: FloatArray, best: BestCandidates) -> None:
        rules, starts, logs = self.rules, self.starts, self.logs
        sizes = tally.sum(axis=0)
        total = counts.sum(axis=1)[:, None]
        weighted = weighted_impurity(rules.criterion, tally, sizes, logs)
        gain = parent[:, None] - np.add.reduceat(weighted, starts, axis=1) / total
        present = sizes > 0
        separates = np.add.reduceat(present, starts, axis=1, dtype=np.int64) > 1
        score = gain
        if rules.criterion is Criterion.GAIN_RATIO:
            information = (logs[total] - np.add.reduceat(logs.take(sizes), starts, axis=1)) / total
            score = gain / np.where(separates, information, 1.0)
        barred = ~separates | (gain <= TOLERANCE if rules.must_gain else gain < -TOLERANCE)
        large = separates
        if rules.min_samples_leaf > 1:
            small = np.add.reduceat(present & (sizes < rules.min_samples_leaf), starts, axis=1, dtype=np.int64) > 0
            barred |= small
            large = separates & ~small
        best.score[:, nodes] = best.own[:, nodes] = np.where(barred, -np.inf, score).T
        best.gain[:, nodes] = gain.T
        best.separates[:, nodes] = separates.T
        best.large[:, nodes] = large.T
