"""The search for thresholds where rows have weights, or where a number is predicted. Fast before plain.

Cells are those of thresholds.py, sorted once. What is added up along them are not counts but
weights, or a number less its node's mean. They are turned into whole numbers of 50 bits first: a
cumulative sum of integers is several times as fast as one of floats, and exact, so that every node's
sums end where they should and the nodes of a level can follow each other without being told apart.

*Numbers.* With s the sum of the first side, taken from the node's mean, and n, m the weights of
both sides, squared error falls by s² (n + m) / (n m) (Breiman et al. 1984, section 8.4).

*Weights.* Entropy needs a logarithm for every class at every cut. They are taken in single precision
first; what comes near the best is then scored exactly.
"""

from __future__ import annotations

import numpy as np

from engine.criteria import Criterion, split_information, weighted_impurity
from engine.scores import TOLERANCE
from engine.settings import ResolvedSettings
from engine.table import AnyArray, BoolArray, FloatArray, IntArray, Table
from engine.thresholds import BestCandidates, Cells
from engine.totals import Totals

_BITS = 50
_CELLS = 1 << 16
"""Cells that are scored at once."""
_NEAR = 1e-5
"""How near to the best, as a share of a node's weight, single precision must be looked at again."""


_WITHOUT_LOGARITHMS = (Criterion.GINI, Criterion.MISCLASSIFICATION)

_Sides = tuple[IntArray, FloatArray, FloatArray]
"""The flat places of cuts, and the class weights below and above each."""


class WeighedCells(Cells):
    """Cells of rows with weights, or of rows with a number; only numeric features."""

    def __init__(self, table: Table, rules: ResolvedSettings, weights: FloatArray | None) -> None:
        super().__init__(table, rules)
        self.table, self.weights = table, weights

    def search_totals(
        self, rows: IntArray, slot: IntArray, totals: Totals, parent: FloatArray, best: BestCandidates
    ) -> None:
        """Write the best threshold of every numeric feature at every node into `best`.

        Parameters
        ----------
        rows, slot : ndarray of shape (n_active,)
            The active rows, and the place of the node of each.
        totals : Totals
            Of the nodes of the level.
        parent : ndarray of shape (n_nodes,)
            Impurities.
        """
        n_cells = self.cells.shape[1]
        level = _Level(self, rows, slot, totals, parent)
        at_once = max(1, _CELLS // max(n_cells, 1))
        for first in range(0, len(self.cells), at_once):
            chunk = slice(first, min(first + at_once, len(self.cells)))
            level.search(chunk, best)


class _Level:
    """One level: its nodes as segments, and what every row adds."""

    def __init__(self, cells: WeighedCells, rows: IntArray, slot: IntArray, totals: Totals, parent: FloatArray) -> None:
        self.of, self.rules, self.totals, self.parent = cells, cells.rules, totals, parent
        self.size = np.asarray(totals.size, dtype=np.float64)
        self.n_nodes = len(self.size)
        self.starts = np.cumsum(totals.rows) - totals.rows
        self.ends = self.starts + totals.rows - 1
        self.weighted = cells.weights is not None
        below = np.arange(len(rows)) - np.repeat(self.starts, totals.rows) + 1
        above = np.repeat(totals.rows, totals.rows) - below
        self.n_below, self.n_above = below.astype(np.float64), above.astype(np.float64)
        least = self.rules.min_samples_leaf
        self.barred = self.ends if least == 1 else np.flatnonzero((below < least) | (above < least))
        if self.rules.is_number:
            self._prepare_numbers(rows, slot)
        else:
            self._prepare_classes(rows, slot)

    def search(self, chunk: slice, best: BestCandidates) -> None:
        """Score every cut of some features, and keep the best of each node."""
        cells = self.of.cells[chunk]
        rank = cells >> self.of.rank_shift
        same = np.zeros(cells.shape, dtype=bool)
        np.equal(rank[:, 1:], rank[:, :-1], out=same[:, :-1])
        where = None
        if self.rules.is_number:
            gain = self._number_gains(cells, same)
        elif self.rules.ranks_by in _WITHOUT_LOGARITHMS:
            gain = self._plain_gains(cells, same)
        else:
            gain, where = self._class_gains(cells, same)
        greatest = np.maximum.reduceat(gain, self.starts, axis=1)
        slack = TOLERANCE * self.parent if self.rules.is_number else np.full(self.n_nodes, TOLERANCE)
        rows = self.totals.rows
        near = np.flatnonzero(gain >= np.repeat(greatest - slack, rows, axis=1))
        column = near % cells.shape[1]
        segment = near // cells.shape[1] * self.n_nodes + np.searchsorted(self.ends, column)
        first = np.ones(len(near), dtype=bool)
        np.not_equal(segment[1:], segment[:-1], out=first[1:])
        place, own = column[first].reshape(greatest.shape), gain.ravel()[near[first]].reshape(greatest.shape)
        least = slack if self.rules.must_gain else -slack
        none = (greatest <= least) if self.rules.must_gain else (greatest < least)
        best.score[chunk] = np.where(none, -np.inf, greatest)
        best.own[chunk] = best.gain[chunk] = np.where(none, -np.inf, own)
        best.place[chunk] = place
        best.separates[chunk] = rank[:, self.starts] != rank[:, self.ends]
        best.large[chunk] = ~np.isneginf(greatest)
        if self.rules.average_gain_filter or self.rules.ranks_by is Criterion.GAIN_RATIO:
            self._write_ratios(chunk, cells, where, best)

    # ---- numbers ----------------------------------------------------------------------------

    def _prepare_numbers(self, rows: IntArray, slot: IntArray) -> None:
        """Whole numbers for y − mean of every row, those of a node adding up to 0 exactly."""
        cells, mean = self.of, self.totals.mean
        assert mean is not None
        off = cells.table.target_values.take(rows) - mean.take(slot)
        if cells.weights is not None:
            off = off * cells.weights.take(rows)
        self.unit = np.bincount(slot, np.abs(off), minlength=self.n_nodes) / 2.0**_BITS
        whole = np.rint(off / np.maximum(self.unit, 1e-300).take(slot)).astype(np.int64)
        rest = _sums(slot, whole, self.n_nodes)
        some_row = np.zeros(self.n_nodes, dtype=np.int64)
        some_row[slot] = np.arange(len(rows))
        whole[some_row] -= rest
        self.step = np.zeros(cells.n_rows, dtype=np.int64)
        self.step[rows] = whole
        self.unit_of_cell = np.repeat(self.unit, self.totals.rows)
        if self.weighted:
            self._prepare_weights(rows, slot)
        if self.rules.criterion is Criterion.VARIANCE:
            self._prepare_squares(rows, slot, mean)

    def _prepare_weights(self, rows: IntArray, slot: IntArray) -> None:
        assert self.of.weights is not None
        own = self.of.weights.take(rows)
        self.weight_unit = float(own.sum()) / 2.0**_BITS
        self.weight = np.zeros(self.of.n_rows, dtype=np.int64)
        self.weight[rows] = np.rint(own / self.weight_unit).astype(np.int64)
        total = _sums(slot, self.weight.take(rows), self.n_nodes)
        self.weight_before = np.repeat(np.cumsum(total) - total, self.totals.rows)
        self.weight_total = np.repeat(total, self.totals.rows)

    def _prepare_squares(self, rows: IntArray, slot: IntArray, mean: FloatArray) -> None:
        squares = np.square(self.of.table.target_values.take(rows) - mean.take(slot))
        if self.of.weights is not None:
            squares = squares * self.of.weights.take(rows)
        unit = np.bincount(slot, squares, minlength=self.n_nodes) / 2.0**_BITS
        self.square = np.zeros(self.of.n_rows, dtype=np.int64)
        self.square[rows] = np.rint(squares / np.maximum(unit, 1e-300).take(slot)).astype(np.int64)
        total = _sums(slot, self.square.take(rows), self.n_nodes)
        self.square_unit = np.repeat(unit, self.totals.rows)
        self.square_before = np.repeat(np.cumsum(total) - total, self.totals.rows)
        self.square_total = np.repeat(total, self.totals.rows)

    def _number_gains(self, cells: IntArray, same: BoolArray) -> FloatArray:
        row = cells & self.of.row_mask
        s = np.cumsum(self.step.take(row), axis=1).astype(np.float64)
        s *= self.unit_of_cell
        below, above = self._sides(row)
        if self.rules.criterion is Criterion.SQUARED_ERROR:
            gain = np.square(s, out=s)
            gain /= below * np.maximum(above, 1e-300)
        else:
            first = (np.cumsum(self.square.take(row), axis=1) - self.square_before) * self.square_unit
            second = self.square_total * self.square_unit - first
            cost = _sample(first - s * s / below, below) + _sample(second - s * s / np.maximum(above, 1e-300), above)
            gain = np.repeat(self.parent, self.totals.rows) - cost / (below + above)
        gain[same] = -np.inf
        gain[:, self.barred] = -np.inf
        return np.asarray(gain, dtype=np.float64)

    def _sides(self, row: IntArray) -> tuple[FloatArray, FloatArray]:
        """The weight of both sides of every cut."""
        if not self.weighted:
            return self.n_below, self.n_above
        below = np.cumsum(self.weight.take(row), axis=1) - self.weight_before
        above = self.weight_total - below
        unit = self.weight_unit
        return np.asarray(below * unit, dtype=np.float64), np.asarray(above * unit, dtype=np.float64)

    # ---- classes ----------------------------------------------------------------------------

    def _prepare_classes(self, rows: IntArray, slot: IntArray) -> None:
        self._prepare_weights(rows, slot)
        classes = self.of.table.target_values.take(rows).astype(np.int64)
        n_classes = self.of.n_classes
        whole = _sums(slot * n_classes + classes, self.weight.take(rows), self.n_nodes * n_classes)
        self.class_total = whole.reshape(self.n_nodes, n_classes).T
        self.class_before = np.cumsum(self.class_total, axis=1) - self.class_total
        self.steps = []
        if self.rules.ranks_by in _WITHOUT_LOGARITHMS:
            for code in range(n_classes):
                step = np.zeros(self.of.n_rows, dtype=np.int64)
                step[rows] = np.where(classes == code, self.weight.take(rows), 0)
                self.steps.append(step)

    def _plain_gains(self, cells: IntArray, same: BoolArray) -> FloatArray:
        """The gain of every cut by a criterion that needs no logarithm."""
        gini = self.rules.ranks_by is Criterion.GINI
        row, repeats = cells & self.of.row_mask, self.totals.rows
        quality_below, quality_above = np.zeros((2, *cells.shape))
        weight_below = np.zeros(cells.shape)
        whole = np.repeat(self.class_total.sum(axis=0).astype(np.float64), repeats)
        for step, total, before in zip(self.steps, self.class_total, self.class_before, strict=True):
            below = (np.cumsum(step.take(row), axis=1) - np.repeat(before, repeats)).astype(np.float64)
            above = np.repeat(total, repeats) - below
            weight_below += below
            if gini:
                quality_below += np.square(below, out=below)
                quality_above += np.square(above, out=above)
            else:
                np.maximum(quality_below, below, out=quality_below)
                np.maximum(quality_above, above, out=quality_above)
        if gini:
            quality_below /= np.maximum(weight_below, 1.0)
            quality_above /= np.maximum(whole - weight_below, 1.0)
        quality_below += quality_above
        quality_below /= whole
        gain = quality_below - np.repeat(1.0 - self.parent, repeats)
        gain[same] = -np.inf
        gain[:, self.barred] = -np.inf
        return np.asarray(gain, dtype=np.float64)

    def _class_gains(self, cells: IntArray, same: BoolArray) -> tuple[FloatArray, _Sides]:
        of, rules = self.of, self.rules
        keep = ~same
        keep[:, self.barred] = False
        classes = (cells >> of.row_bits) & of.class_mask
        if of.pruned_all and rules.ranks_by is Criterion.ENTROPY:
            keep[:, :-1] &= classes[:, 1:] != classes[:, :-1]
        flat = np.flatnonzero(keep)
        node = np.searchsorted(self.ends, flat % cells.shape[1])
        weight = self.weight.take(cells & of.row_mask)
        below = np.empty((of.n_classes, len(flat)))
        for code in range(of.n_classes):
            running = np.cumsum(np.where(classes == code, weight, 0), axis=1).ravel().take(flat)
            below[code] = running - self.class_before[code].take(node)
        below *= self.weight_unit
        above = self.class_total.take(node, axis=1) * self.weight_unit - below
        gain = np.full(cells.size, -np.inf)
        gain[flat] = self._scored(below, above, node, flat // cells.shape[1] * self.n_nodes + node)
        return np.asarray(gain.reshape(cells.shape), dtype=np.float64), (flat, below, above)

    def _scored(self, below: FloatArray, above: FloatArray, node: IntArray, segment: IntArray) -> FloatArray:
        """The score of every cut, exact where it may be the best of its (feature, node)."""
        criterion = self.rules.ranks_by
        total = self.size.take(node)
        if criterion is Criterion.ENTROPY:
            rough = _rough_cost(below, above, total)
            begin = np.flatnonzero(np.r_[True, segment[1:] != segment[:-1]])[: len(segment)]
            least = np.minimum.reduceat(rough, begin) if len(begin) else rough
            at = np.flatnonzero(rough <= np.repeat(least, np.diff(begin, append=len(segment))) + _NEAR)
            gain = self.parent.take(node) - rough
            gain[at] = self._exact(Criterion.ENTROPY, below[:, at], above[:, at], node[at])
            return gain
        gain = self._exact(criterion, below, above, node)
        if criterion is Criterion.GAIN_RATIO:
            information = split_information(np.stack([below.sum(axis=0), above.sum(axis=0)]))
            barred = gain <= TOLERANCE if self.rules.must_gain else gain < -TOLERANCE
            return np.where(barred, -np.inf, gain / information)
        return gain

    def _exact(self, criterion: Criterion, below: FloatArray, above: FloatArray, node: IntArray) -> FloatArray:
        cost = weighted_impurity(criterion, below) + weighted_impurity(criterion, above)
        return np.asarray(self.parent.take(node) - cost / self.size.take(node))

    def _write_ratios(self, chunk: slice, cells: IntArray, where: _Sides | None, best: BestCandidates) -> None:
        """Split information of the best cuts; and their gain, where the ratio was maximised."""
        if where is None:
            return
        flat, below, above = where
        at = np.searchsorted(flat, best.place[chunk] + np.arange(len(cells))[:, None] * cells.shape[1])
        at = np.clip(at, 0, max(len(flat) - 1, 0))
        if not len(flat):
            return
        sides = np.stack([below.sum(axis=0).take(at), above.sum(axis=0).take(at)])
        best.information[chunk] = split_information(sides)
        if not self.rules.average_gain_filter:
            best.gain[chunk] = np.where(
                np.isneginf(best.score[chunk]), -np.inf, best.own[chunk] * best.information[chunk]
            )


def _rough_cost(below: FloatArray, above: FloatArray, total: FloatArray) -> FloatArray:
    """The remainder of entropy in single precision."""
    scale = (1.0 / total).astype(np.float32)
    cost = np.zeros(len(total), dtype=np.float32)
    for side in (below, above):
        parts = side.astype(np.float32) * scale
        whole = parts.sum(axis=0)
        cost += _x_log_x(whole) - _x_log_x(parts).sum(axis=0)
    return np.asarray(cost / np.log(2.0), dtype=np.float64)


def _x_log_x(values: AnyArray) -> AnyArray:
    return values * np.log(np.maximum(values, np.float32(1e-30)))


def _sample(squares: FloatArray, size: FloatArray) -> FloatArray:
    """Size times sample variance: n / (n − 1) of the squares, 0 for up to one row."""
    scale = np.divide(size, size - 1, out=np.zeros_like(size), where=size > 1)
    return np.asarray(np.maximum(squares, 0.0) * scale, dtype=np.float64)


def _sums(place: IntArray, whole: IntArray, n: int) -> IntArray:
    """Exact sums of 50-bit integers by place: two halves, each exact in a float."""
    low, high = whole & 0x3FFFFFF, whole >> 26
    both = np.bincount(place, low, minlength=n), np.bincount(place, high, minlength=n)
    return np.asarray(both[0].astype(np.int64) + (both[1].astype(np.int64) << 26))
