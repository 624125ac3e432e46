"""The search over categorical features: one bincount a level counts (node, level, class) of them all."""

from __future__ import annotations

import numpy as np

from engine.criteria import Criterion, weighted_impurity
from engine.evidence import TOLERANCE
from engine.settings import ResolvedSettings
from engine.table import AnyArray, FloatArray, IntArray, Table
from engine.thresholds import BestCandidates

_COUNTERS = 1 << 21
"""Counters kept at once."""


class Tally:
    """Codes of all categorical features, numbered on so that one index names feature and level."""

    def __init__(self, table: Table, rules: ResolvedSettings, logs: FloatArray) -> None:
        self.rules, self.logs = rules, logs
        widths = np.array([max(len(table.features[i].levels), 1) for i in table.categorical])
        self.starts = np.cumsum(widths) - widths
        self.widths = widths.tolist()
        self.n_levels = int(widths.sum())
        self.n_classes = max(table.n_classes, 1)
        self.columns: list[AnyArray] = [table.columns[i] for i in table.categorical]

    def search(
        self,
        rows: IntArray,
        node: IntArray,
        classes: IntArray,
        counts: IntArray,
        parent: FloatArray,
        best: BestCandidates,
    ) -> None:
        """Score a branch a level of every feature at every node; write it into `best`.

        `rows`, `node` and `classes` are those of the active rows; `counts` (n_nodes, n_classes) and
        `parent` (n_nodes,) the nodes' class counts and impurities.
        """
        step = max(1, _COUNTERS // (self.n_levels * self.n_classes))
        for first in range(0, len(counts), step):
            nodes = slice(first, min(first + step, len(counts)))
            if step >= len(counts):
                tally = self._count(rows, node, classes, len(counts))
            else:
                inside = np.flatnonzero((node >= nodes.start) & (node < nodes.stop))
                tally = self._count(rows[inside], node[inside] - first, classes[inside], nodes.stop - first)
            self._score(nodes, tally, counts[nodes], parent[nodes], best)

    def _count(self, rows: IntArray, node: IntArray, classes: IntArray, n_nodes: int) -> IntArray:
        """Counts of shape (n_classes, n_nodes, levels of all features)."""
        tally = np.empty((n_nodes, self.n_levels, self.n_classes), dtype=np.int64)
        everything = len(rows) == len(self.columns[0])
        for column, start, width in zip(self.columns, self.starts.tolist(), self.widths, strict=True):
            keys = node * width
            keys += column if everything else column.take(rows)
            keys *= self.n_classes
            keys += classes
            counted = np.bincount(keys, minlength=n_nodes * width * self.n_classes)
            tally[:, start : start + width] = counted.reshape(n_nodes, width, self.n_classes)
        return tally.transpose(2, 0, 1)

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
