"""The search for thresholds among rows with weights, or without values: class weights at every cut.

Entropy needs a logarithm for every class at every cut. They are taken in single precision first;
what comes near the best is then scored exactly.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from engine.active import ActiveRows
from engine.criteria import Criterion, gain_ratio, weighted_impurity
from engine.scores import TOLERANCE
from engine.table import AnyArray, BoolArray, FloatArray, IntArray
from engine.thresholds import steps
from engine.totals import Totals
from engine.weighing import UNIT, Cuts, WeighedCells, WeighedLevel, information_of

_NEAR = 1e-5
"""How near to the best, as a share of a node's weight, single precision must be looked at again."""

_TINY = round(1e-8 / UNIT)
"""Rows of less weight than this part of their node's may tie with their neighbours, whatever their class."""


class ClassLevel(WeighedLevel):
    """One level of a tree of classes."""

    def __init__(self, cells: WeighedCells, active: ActiveRows, totals: Totals, parent: FloatArray) -> None:
        super().__init__(cells, active, totals, parent)
        whole = self.whole_weights()
        self.weight = self.by_entry(whole)
        self.shares = (totals.counts / np.maximum(self.size, 1e-300)[:, None]).T
        tiny = np.bincount(active.slot, whole < _TINY, minlength=self.n_nodes) > 0
        self.pruned = np.repeat(~tiny, self.lengths) if tiny.any() else None

    def _cuts(self, cells: IntArray, rank: IntArray, lost: BoolArray | None, boundaries: BoolArray) -> Cuts:
        of = self.of
        classes = ((cells >> of.row_bits) & of.class_mask).astype(of.class_type)
        between = self.cuts_between(rank, lost)
        self.bar_small(between, cells, lost)
        place, counts = self._places(self._at_boundaries(boundaries, classes, between), between)
        segment = np.repeat(np.arange(len(counts)), counts)
        weight = self.weight.take(cells & of.row_mask)
        if lost is not None:
            np.copyto(weight, 0, where=lost)
        below = np.empty((of.n_classes, len(place)), dtype=np.int64)
        known = np.empty((of.n_classes, len(counts)))
        for code in range(of.n_classes):
            running, total = self.running(weight * (classes == code))
            running.ravel().take(place, out=below[code], mode="clip")
            np.multiply(total.ravel(), UNIT, out=known[code])
        if self.rules.ranks_by is Criterion.ENTROPY and len(place):
            near = _nearly_best(below, known.astype(np.float32), segment, counts)
            place, segment, below = place.take(near), segment.take(near), below.take(near, axis=1)
        before = np.tile(self.parent, len(cells)) if lost is None else self._known_part(known, len(cells))
        return self._scored(place, segment, np.asarray(below * UNIT), known, before)

    def _at_boundaries(self, boundaries: BoolArray, classes: AnyArray, between: BoolArray) -> BoolArray:
        """The cuts among which the best one is: those where the class changes, if all values differ (thresholds.py)."""
        if not boundaries.any():
            return between
        change = np.zeros(between.shape, dtype=bool)
        np.not_equal(classes[:, 1:], classes[:, :-1], out=change[:, :-1])
        change[~boundaries] = True
        if self.pruned is not None:
            change |= ~self.pruned
        change &= between
        return change

    def _places(self, keep: BoolArray, between: BoolArray) -> tuple[IntArray, IntArray]:
        """Flat places of the cuts to be scored, and how many each segment has.

        Where no class changes among a node's rows of known value, all its cuts are scored.
        """
        n_features, n_cells = keep.shape
        ends = (np.arange(n_features)[:, None] * n_cells + self.ends).ravel()
        place = np.flatnonzero(keep)
        counts = steps(np.searchsorted(place, ends))
        if keep is not between and not counts.all():
            none = counts.reshape(n_features, -1) == 0
            keep |= between & np.repeat(none, self.lengths, axis=1)
            place = np.flatnonzero(keep)
            counts = steps(np.searchsorted(place, ends))
        return place, counts

    def _known_part(self, known: FloatArray, n_features: int) -> FloatArray:
        """What a cut's remainder is taken from to give its gain, for each segment."""
        criterion = self.rules.criterion
        if not self.own_branch:
            return weighted_impurity(criterion, known)
        third = np.maximum(np.tile(self.shares, n_features) - known, 0.0)
        return np.tile(self.parent, n_features) - weighted_impurity(criterion, third)

    def _scored(
        self, place: IntArray, segment: IntArray, below: FloatArray, known: FloatArray, before: FloatArray
    ) -> Cuts:
        """The cuts with their scores."""
        criterion = self.rules.ranks_by
        above = known.take(segment, axis=1) - below
        cost = weighted_impurity(criterion, below) + weighted_impurity(criterion, above)
        score = before.take(segment) - cost
        below = below.sum(axis=0)
        of_known = known.sum(axis=0).take(segment)
        if criterion is Criterion.GAIN_RATIO:
            ratio = gain_ratio(score, information_of(below, of_known))
            score = np.where(score <= TOLERANCE if self.rules.must_gain else score < -TOLERANCE, -np.inf, ratio)
        return Cuts(place, segment, score, below, of_known)


def _nearly_best(below: IntArray, known: npt.NDArray[np.float32], segment: IntArray, counts: IntArray) -> IntArray:
    """Which cuts may be the best of their segment by entropy: the remainder is taken in single precision.

    Parameters
    ----------
    below : ndarray of int64, shape (n_classes, n)
        In `UNIT`.
    known : ndarray of float32, shape (n_classes, n_segments)
    segment : ndarray of int64, shape (n,)
    counts : ndarray of int64, shape (n_segments,)
        The cuts of each segment.
    """
    n_classes = len(below)
    sides = np.empty((2, n_classes + 1, below.shape[1]), dtype=np.float32)  # the last row is the sum
    np.multiply(below, np.float32(UNIT), out=sides[0, :-1], casting="same_kind")
    for code in range(n_classes):
        np.subtract(known[code].take(segment), sides[0, code], out=sides[1, code])
    np.maximum(sides[:, :-1], np.float32(1e-30), out=sides[:, :-1])
    sides[:, :-1].sum(axis=1, out=sides[:, -1])
    logs = np.log(sides)
    logs *= sides
    cost = logs[0, -1] + logs[1, -1]
    cost -= logs[:, :-1].sum(axis=(0, 1))
    some = np.flatnonzero(counts)
    begin = (np.cumsum(counts) - counts).take(some)
    least = np.empty(len(counts), dtype=np.float32)
    least[some] = np.minimum.reduceat(cost, begin) + np.float32(_NEAR)  # natural logarithms serve as well
    return np.flatnonzero(cost <= least.take(segment))
