"""The search over categorical features: one bincount a level counts (node, level, class) of them all.

Rows may have weights or fall into parts; for a number three sums stand in place of the classes (criteria.py).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from engine.active import ActiveRows
from engine.criteria import Counts, Criterion, sizes_of, split_information, weighted_impurity
from engine.groups_search import NodeSums, best_groups
from engine.scores import TOLERANCE
from engine.settings import ResolvedSettings
from engine.table import AnyArray, FloatArray, IntArray, Table
from engine.thresholds import BestCandidates
from engine.totals import Totals

_COUNTERS = 1 << 21
"""Counters kept at once."""

_TOGETHER = 1 << 16
"""Cells up to which all features are counted in one call."""


class Tally:
    """The level codes of the active rows, numbered on over all features: shape (n_categorical, n_active).

    `groups` says whether a feature splits into two groups of levels, not into a branch a level.
    """

    def __init__(self, table: Table, rules: ResolvedSettings, logs: FloatArray | None, *, groups: bool) -> None:
        self.rules, self.logs, self.groups = rules, logs, groups
        self.n_sums = 3 if rules.is_number else max(table.n_classes, 1)
        lacks = np.array([table.features[i].n_missing > 0 for i in table.categorical])
        levels = np.array([max(len(table.features[i].levels), 1) for i in table.categorical])
        widths = levels + lacks  # a missing value has the code after the last level's
        self.starts = np.cumsum(widths) - widths
        self.n_levels = int(widths.sum())
        self.widths: list[int] = widths.tolist()
        self.n_known: list[int] = levels.tolist()
        self.lacks = np.flatnonzero(lacks)
        self.lost = (self.starts + levels)[self.lacks]
        shape = (len(widths), table.n_rows)
        self.cells: npt.NDArray[np.int32] = np.empty(shape, dtype=np.int32)
        for place, feature in enumerate(table.categorical):
            self.cells[place] = table.columns[feature]
            self.cells[place] += np.int32(self.starts[place])

    def keep(self, staying: IntArray) -> None:
        """Keep only these active rows, given by their places; one that falls into parts comes several times."""
        if len(staying) != self.cells.shape[1] or self.lacks.size:
            self.cells = self.cells.take(staying, axis=1)

    def levels(self, feature: IntArray, active: IntArray) -> IntArray:
        """The level codes of active rows, each of its own categorical feature (its place among them)."""
        cells = self.cells.ravel().take(feature * self.cells.shape[1] + active)
        return np.asarray(cells - self.starts.take(feature))

    def search(self, active: ActiveRows, totals: Totals, parent: FloatArray, best: BestCandidates) -> None:
        """Score every feature at every node; write the best candidates into `best`.

        Parameters
        ----------
        active : ActiveRows
        totals : Totals
            Of the nodes of the level.
        parent : ndarray of shape (n_nodes,)
            Impurities.
        """
        n_nodes = len(parent)
        node, values, weights = active.slot, active.values, active.weights
        if totals.mean is not None:
            values = values - totals.mean.take(node)
        step = max(1, _COUNTERS // (self.n_levels * self.n_sums))
        for first in range(0, n_nodes, step):
            nodes = slice(first, min(first + step, n_nodes))
            if step >= n_nodes:
                tally = self._count(self.cells, node, values, weights, n_nodes)
            else:
                inside = (node >= nodes.start) & (node < nodes.stop)
                cells = np.compress(inside, self.cells, axis=1)
                own = None if weights is None else weights[inside]
                tally = self._count(cells, node[inside] - first, values[inside], own, nodes.stop - first)
            n_rows = tally if weights is None or self.rules.min_samples_leaf == 1 else None
            rows = self._rows(active, nodes) if n_rows is None else sizes_of(self.rules.criterion, tally)
            self._score(nodes, tally, rows, totals.size[nodes], parent[nodes], best)

    def _count(
        self,
        cells: npt.NDArray[np.int32],
        node: IntArray,
        values: AnyArray,
        weights: FloatArray | None,
        n_nodes: int,
    ) -> Counts:
        """Sums of shape (n_sums, n_nodes, levels of all features)."""
        if self.rules.is_number:
            ones = np.ones(len(node)) if weights is None else weights
            terms = (ones, ones * values, ones * values * values)
            return np.stack([self._tally(cells, node, n_nodes, term) for term in terms])
        tally = self._tally(cells, values * n_nodes + node, self.n_sums * n_nodes, weights)
        return tally.reshape(self.n_sums, n_nodes, self.n_levels)

    def _rows(self, active: ActiveRows, nodes: slice) -> Counts:
        """How many rows each level has, whatever they weigh; parts of rows are added up."""
        node, parts = active.slot, active.parts
        inside = (node >= nodes.start) & (node < nodes.stop)
        cells = np.compress(inside, self.cells, axis=1)
        own = None if parts is None else parts[inside]
        return self._tally(cells, node[inside] - nodes.start, nodes.stop - nodes.start, own)

    def _tally(
        self, cells: npt.NDArray[np.int32], place: IntArray, n_places: int, weights: FloatArray | None
    ) -> Counts:
        """Rows, or their weight, of each place and level, shape (n_places, levels of all features)."""
        if cells.size <= _TOGETHER:
            keys = (cells + place * self.n_levels).ravel()
            spread = None if weights is None else np.broadcast_to(weights, cells.shape).ravel()
            return np.bincount(keys, spread, minlength=n_places * self.n_levels).reshape(n_places, self.n_levels)
        return self._tally_one_by_one(cells, place, n_places, weights)

    def _tally_one_by_one(
        self, cells: npt.NDArray[np.int32], place: IntArray, n_places: int, weights: FloatArray | None
    ) -> Counts:
        """A feature at a time: its counters stay in the cache."""
        tally = np.empty((n_places, self.n_levels), dtype=np.int64 if weights is None else np.float64)
        keys, base, width = np.empty_like(place), place, 1
        for column, start, own_width in zip(cells, self.starts.tolist(), self.widths, strict=True):
            if own_width != width:
                base, width = place * own_width, own_width
            np.add(column, base, out=keys)
            keys -= start
            counted = np.bincount(keys, weights, minlength=n_places * width)
            tally[:, start : start + width] = counted.reshape(n_places, width)
        return tally

    def _score(
        self, nodes: slice, tally: Counts, rows: Counts, total: AnyArray, parent: FloatArray, best: BestCandidates
    ) -> None:
        before = self._before(tally, total, parent)
        if self.groups:
            for place, (start, width) in enumerate(zip(self.starts.tolist(), self.n_known, strict=True)):
                levels = slice(start, start + width)
                sums = NodeSums(tally[:, :, levels], rows[:, levels], total, parent, before[:, place])
                best_groups(self.rules, sums, nodes, place, best)
            return
        rules, starts, logs = self.rules, self.starts, self.logs
        sizes = sizes_of(rules.criterion, tally)
        total = total[:, None]
        weighted = weighted_impurity(rules.criterion, tally, sizes, logs)
        present = sizes > 0
        if self.lacks.size:
            weighted[:, self.lost], present[:, self.lost] = 0.0, False
        gain = before - np.add.reduceat(weighted, starts, axis=1) / total
        separates = np.add.reduceat(present, starts, axis=1, dtype=np.int64) > 1
        score = gain
        if rules.criterion is Criterion.GAIN_RATIO:
            information = self._information(sizes, total)
            ratio = gain / np.where(separates, information, 1.0)
            best.information[:, nodes] = np.where(separates, information, 1.0).T
            score = gain if rules.average_gain_filter else ratio
        slack = TOLERANCE * parent[:, None] if rules.is_number else TOLERANCE
        barred = ~separates | (gain <= slack if rules.must_gain else gain < -slack)
        large = separates
        if rules.min_samples_leaf > 1:
            small = present & (rows < rules.min_samples_leaf - TOLERANCE)
            some_small = np.add.reduceat(small, starts, axis=1, dtype=np.int64) > 0
            barred |= some_small
            large = separates & ~some_small
        best.score[:, nodes] = best.own[:, nodes] = np.where(barred, -np.inf, score).T
        best.gain[:, nodes] = gain.T
        best.separates[:, nodes] = separates.T
        best.large[:, nodes] = large.T

    def _before(self, tally: Counts, total: AnyArray, parent: FloatArray) -> FloatArray:
        """What a split's remainder is taken from to give its gain, shape (n_nodes, n_features).

        The node's impurity; where values are missing that of the other rows, times their share.
        """
        before = np.broadcast_to(parent[:, None], (len(parent), len(self.widths)))
        if self.lacks.size:
            before = before.copy()
            known = np.add.reduceat(tally, self.starts, axis=2)[:, :, self.lacks] - tally[:, :, self.lost]
            before[:, self.lacks] = weighted_impurity(self.rules.criterion, known) / total[:, None]
        return before

    def _information(self, sizes: Counts, total: AnyArray) -> FloatArray:
        if self.logs is not None:
            whole = self.logs[total] - np.add.reduceat(self.logs.take(sizes), self.starts, axis=1)
            return np.asarray(whole / total)
        parts = [sizes[:, a : a + width].T for a, width in zip(self.starts.tolist(), self.widths, strict=True)]
        return np.stack([split_information(part) for part in parts], axis=1)
