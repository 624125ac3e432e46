"""The search for thresholds where a number is predicted.

With s the sum of the first side, taken from the node's mean, and n, m the weights of both sides,
squared error falls by s² (n + m) / (n m) (Breiman et al. 1984, section 8.4).
"""

from __future__ import annotations

import numpy as np

from engine.active import ActiveRows
from engine.criteria import Criterion
from engine.scores import TOLERANCE
from engine.table import AnyArray, BoolArray, FloatArray, IntArray
from engine.totals import Totals
from engine.weighing import UNIT, Cuts, WeighedCells, WeighedLevel

_TINY = 1e-300


class NumberLevel(WeighedLevel):
    """One level of a tree for a number."""

    def __init__(self, cells: WeighedCells, active: ActiveRows, totals: Totals, parent: FloatArray) -> None:
        super().__init__(cells, active, totals, parent)
        mean, slot = totals.mean, active.slot
        assert mean is not None
        off = active.values - mean.take(slot)
        self.unit, whole = self._whole(off if active.weights is None else off * active.weights)
        self.step = self.by_entry(whole)
        below = np.arange(len(slot)) - self._of_cells(self.starts - 1)
        self.n_below = below.astype(np.float64)
        self.n_above = np.maximum(self._of_cells(self.lengths) - self.n_below, _TINY)
        self.weighted = active.weights is not None or bool(cells.lacks.any())
        self.weight = self.by_entry(self.whole_weights()) if self.weighted else None
        self.square_unit = self.square = None
        if self.rules.criterion is Criterion.VARIANCE:
            squares = np.square(off) if active.weights is None else np.square(off) * active.weights
            self.square_unit, whole = self._whole(squares)
            self.square = self.by_entry(whole)

    def _whole(self, values: FloatArray) -> tuple[FloatArray, IntArray]:
        """The unit of each node, and the values of the entries in it."""
        slot = self.active.slot
        unit = np.bincount(slot, np.abs(values), minlength=self.n_nodes) * UNIT
        scale = 1.0 / np.maximum(unit, _TINY)
        return np.asarray(unit), np.rint(values * scale.take(slot)).astype(np.int64)

    def _cuts(self, cells: IntArray, rank: IntArray, lost: BoolArray | None, boundaries: BoolArray) -> Cuts:  # noqa: ARG002
        between = self.cuts_between(rank, lost)
        self.bar_small(between, cells, lost)
        entry = cells & self.of.row_mask
        gain = self._gains(entry, lost) if self.square is None else self._variance_gains(entry, lost)
        gain[~between] = -np.inf
        greatest = np.maximum.reduceat(gain, self.starts, axis=1)
        least = np.maximum(greatest - self.slack, -np.finfo(np.float64).max)
        place = np.flatnonzero(gain >= np.repeat(least, self.lengths, axis=1))
        n_cells = cells.shape[1]
        segment = place // n_cells * self.n_nodes + np.searchsorted(self.ends, place % n_cells)
        return Cuts(place, segment, gain.ravel().take(place))

    def _gains(self, entry: IntArray, lost: BoolArray | None) -> FloatArray:
        """How much squared error falls at every cut, for a row."""
        s, total = self._sums(self.step, self.unit, entry, lost)
        below, above, known = self._sides(entry, lost)
        if lost is not None:  # from the mean of the rows whose value is known
            s -= self._of_cells(total / known) * below
        np.square(s, out=s)
        s /= below * above
        if lost is not None:
            s *= self._of_cells(known / self.size)
            if self.own_branch:
                apart = np.maximum(self.size - known, UNIT * self.size)
                s += self._of_cells(np.square(total) * (1 / known + 1 / apart) / self.size)
        return s

    def _variance_gains(self, entry: IntArray, lost: BoolArray | None) -> FloatArray:
        assert self.square is not None and self.square_unit is not None
        s, total = self._sums(self.step, self.unit, entry, lost)
        first, both = self._sums(self.square, self.square_unit, entry, lost)
        below, above, known = self._sides(entry, lost)
        second = self._of_cells(both) - first
        cost = _sample(first, s, below)
        cost += _sample(second, self._of_cells(total) - s, above)
        before = np.asarray(self.parent * self.size)
        if lost is not None and self.own_branch:
            assert self.totals.squares is not None
            before = before - _sample(self.totals.squares - both, total, np.maximum(self.size - known, _TINY))
        elif lost is not None:
            before = _sample(both, total, known)
        gain = self._of_cells(before) - cost
        gain /= self._of_cells(self.size)
        return gain

    def _sums(
        self, steps: IntArray, unit: FloatArray, entry: IntArray, lost: BoolArray | None
    ) -> tuple[FloatArray, FloatArray]:
        """The sum up to each cell, and that of each node, over the rows whose value is known."""
        own = steps.take(entry)
        if lost is not None:
            np.copyto(own, 0, where=lost)
        running, total = self.running(own)
        sums = running.astype(np.float64)
        sums *= self._of_cells(unit)
        return sums, total * unit

    def _sides(self, entry: IntArray, lost: BoolArray | None) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The weight of both sides of every cut, and of all rows of a node whose value is known."""
        if self.weight is None:
            return self.n_below, self.n_above, self.size
        least = UNIT * self.size
        below, known = self._sums(self.weight, least, entry, lost)
        known = np.maximum(known, least)
        above = self._of_cells(known) - below
        return np.maximum(below, self._of_cells(least)), np.maximum(above, self._of_cells(least)), known

    def _of_cells(self, values: AnyArray) -> AnyArray:
        """For each cell what its node has."""
        return np.repeat(values, self.lengths, axis=-1)


def _sample(squares: FloatArray, total: FloatArray, size: FloatArray) -> FloatArray:
    """Size times sample variance, from squares and sum: 0 for up to one row."""
    scale = np.divide(size, size - 1, out=np.zeros_like(size), where=size > 1 + TOLERANCE)
    return np.asarray(np.maximum(squares - np.square(total) / size, 0.0) * scale, dtype=np.float64)
