"""The search for thresholds where rows have weights or lack values, or where a number is predicted. Fast before plain.

Cells are those of thresholds.py, sorted once. What is added up along them are not counts but
weights, or a number less its node's mean. They are turned into whole numbers of 50 bits first, of a
unit for each node: a cumulative sum of integers is several times as fast as one of floats, and
exact. What a node adds up to is taken off where the next one begins, so that every node's sums
start from 0.

A missing value has the highest rank, so that a node's rows without a value come last among its
cells; they add nothing, and there is no cut before them.

weighed_classes.py and weighed_numbers.py score the cuts; what they share is here.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.active import ActiveRows
from engine.criteria import Criterion, split_information
from engine.scores import TOLERANCE
from engine.settings import Missing, ResolvedSettings
from engine.table import AnyArray, BoolArray, FloatArray, IntArray, Table
from engine.thresholds import BestCandidates, Cells
from engine.totals import Totals

UNIT = 2.0**-50
"""What weights, or distances from the mean, are counted in: this part of their node's sum."""

_CELLS = 1 << 17
"""Cells that are scored at once: what they take stays in a core's cache."""


class WeighedCells(Cells):
    """Cells of rows with weights or without a value, or of rows with a number; only numeric features."""

    def __init__(self, table: Table, rules: ResolvedSettings) -> None:
        super().__init__(table, rules)
        self.n_distinct = np.array([len(values) for values in table.distinct])
        self.lacks = np.array([table.features[feature].n_missing > 0 for feature in table.numeric])


@dataclass(frozen=True, eq=False)
class Cuts:
    """Cuts that may be the best of their feature at their node; by feature, node and threshold.

    Attributes
    ----------
    place : ndarray of int64, shape (n,)
        The last cell below each, counted on over the features.
    segment : ndarray of int64, shape (n,)
        Its feature and node, nodes counted on over the features.
    score : ndarray of float64, shape (n,)
    below, known : ndarray of float64, shape (n,), or None
        The weight of the first side, and of all rows whose value is known, as shares of the node's:
        for the split information.
    """

    place: IntArray
    segment: IntArray
    score: FloatArray
    below: FloatArray | None = None
    known: FloatArray | None = None


class WeighedLevel:
    """One level: its nodes as segments of every feature's cells, and what every entry adds."""

    def __init__(self, cells: WeighedCells, active: ActiveRows, totals: Totals, parent: FloatArray) -> None:
        self.of, self.rules, self.active, self.totals, self.parent = cells, cells.rules, active, totals, parent
        self.size = np.asarray(totals.size, dtype=np.float64)
        self.n_nodes = len(parent)
        self.lengths = totals.entries
        self.starts = np.cumsum(self.lengths) - self.lengths
        self.ends = self.starts + self.lengths - 1
        self.slack = TOLERANCE * parent if self.rules.is_number else np.full(self.n_nodes, TOLERANCE)
        self.own_branch = self.rules.missing is Missing.OWN_BRANCH

    def search(self, best: BestCandidates) -> None:
        """Write the best threshold of every numeric feature at every node into `best`."""
        n_features, n_cells = self.of.cells.shape
        at_once = max(1, _CELLS // max(n_cells, 1))
        for first in range(0, n_features, at_once):
            chunk = slice(first, min(first + at_once, n_features))
            cells = self.of.cells[chunk]
            rank = cells >> self.of.rank_shift
            lost = rank == self.of.n_distinct[chunk, None] if self.of.lacks[chunk].any() else None
            boundaries = self.of.only_boundaries[chunk]
            self._write(chunk, self._cuts(cells, rank, lost, boundaries), best)
            best.separates[chunk] = (
                self._separates(rank, lost) if self.rules.min_samples_leaf > 1 else best.large[chunk]
            )

    def _cuts(self, cells: IntArray, rank: IntArray, lost: BoolArray | None, boundaries: BoolArray) -> Cuts:
        """The cuts of some features; `boundaries`, of shape (n_features,), says where only class boundaries matter."""
        raise NotImplementedError

    def by_entry(self, values: AnyArray) -> AnyArray:
        """An array over all entries that has these values at the active ones."""
        spread = np.zeros(len(self.active.node_of_entry), dtype=values.dtype)
        spread[self.active.entries] = values
        return spread

    def whole_weights(self) -> IntArray:
        """What each active entry weighs, in `UNIT` of its node's weight."""
        own = 1.0 if self.active.weights is None else self.active.weights
        return np.asarray(np.rint(own * (1.0 / (UNIT * self.size)).take(self.active.slot)), dtype=np.int64)

    def running(self, own: AnyArray) -> tuple[AnyArray, AnyArray]:
        """Cumulative sums along each node's cells, (n_features, n_cells), and the nodes' sums; `own` is used up."""
        total = np.add.reduceat(own, self.starts, axis=1)
        own[:, self.starts[1:]] -= total[:, :-1]
        return np.cumsum(own, axis=1, out=own), total

    def cuts_between(self, rank: IntArray, lost: BoolArray | None) -> BoolArray:
        """Whether a threshold separates each cell from the next one of its node."""
        between = np.zeros(rank.shape, dtype=bool)
        np.not_equal(rank[:, 1:], rank[:, :-1], out=between[:, :-1])
        between[:, self.ends] = False
        if lost is not None:
            between[:, :-1] &= ~lost[:, 1:]
        return between

    def bar_small(self, between: BoolArray, cells: IntArray, lost: BoolArray | None) -> None:
        """Take out the cuts that leave fewer than `min_samples_leaf` rows on a side."""
        least = self.rules.min_samples_leaf - TOLERANCE
        if self.rules.min_samples_leaf == 1:
            return
        parts = self.active.parts
        entry = cells & self.of.row_mask
        own = np.ones(entry.shape) if parts is None else self.by_entry(parts).take(entry)
        if lost is not None:
            np.copyto(own, 0.0, where=lost)
        below, total = self.running(own)
        between &= (below >= least) & (np.repeat(total, self.lengths, axis=1) - below >= least)
        if lost is not None and self.own_branch:
            apart = self.totals.rows - total
            between &= np.repeat((apart <= TOLERANCE) | (apart >= least), self.lengths, axis=1)

    def _separates(self, rank: IntArray, lost: BoolArray | None) -> BoolArray:
        """Whether any threshold separates a node's rows, shape (n_features, n_nodes)."""
        last = np.broadcast_to(self.ends, (len(rank), self.n_nodes))
        if lost is not None:
            last = np.maximum(last - np.add.reduceat(lost, self.starts, axis=1, dtype=np.int64), self.starts)
        return np.asarray(rank[:, self.starts] != np.take_along_axis(rank, last, axis=1))

    def _write(self, chunk: slice, cuts: Cuts, best: BestCandidates) -> None:
        """Keep the best cut of each feature and node: of those that tie the one of the lowest threshold."""
        shape = (chunk.stop - chunk.start, self.n_nodes)
        n_cells = self.of.cells.shape[1]
        segment, score = cuts.segment, cuts.score
        begin = np.flatnonzero(_is_first(segment))
        greatest, large = np.full(shape, -np.inf), np.zeros(shape, dtype=bool)
        if len(begin):
            greatest.ravel()[segment[begin]] = np.maximum.reduceat(score, begin)
            large.ravel()[segment[begin]] = True
        best.large[chunk] = best.separates[chunk] = large
        near = np.flatnonzero(score >= (greatest - self.slack).ravel().take(segment))
        first = near[_is_first(segment[near])]
        where = segment[first]
        own, place = np.full(shape, -np.inf), np.zeros(shape, dtype=np.int64)
        own.ravel()[where], place.ravel()[where] = score[first], cuts.place[first] % n_cells
        by_ratio = self.rules.ranks_by is Criterion.GAIN_RATIO
        if not by_ratio:
            none = greatest <= self.slack if self.rules.must_gain else greatest < -self.slack
            greatest[none] = own[none] = -np.inf
        best.score[chunk], best.own[chunk], best.place[chunk] = greatest, own, place
        best.gain[chunk] = own
        if (by_ratio or self.rules.average_gain_filter) and cuts.below is not None and cuts.known is not None:
            information = np.ones(shape)
            information.ravel()[where] = information_of(cuts.below[first], cuts.known[first])
            best.information[chunk] = information
            if by_ratio:
                best.gain[chunk] = np.where(information > 0, own * information, own)


def information_of(below: FloatArray, known: FloatArray) -> FloatArray:
    """Split information of cuts; the rows without a value are one more subset."""
    return np.asarray(split_information(np.stack([below, known - below, np.maximum(1.0 - known, 0.0)])))


def _is_first(segment: IntArray) -> BoolArray:
    """Where a new segment begins."""
    first = np.ones(len(segment), dtype=bool)
    np.not_equal(segment[1:], segment[:-1], out=first[1:])
    return first
