"""The search for thresholds: every numeric feature at every node of a level. Fast before plain.

*Cells.* Rank, class and row of a value are packed into one integer, sorted once at the root. A
stable partition keeps the cells of each child sorted, so nothing is sorted again. The nodes of a
level are contiguous segments of every feature's cells, at the same places.

*Counters.* One cumulative sum counts the classes below every cell; the counters of several classes
share one 64-bit integer. They run on over all nodes and skip one number at each, so that a counter
is itself the index of a number in a table of the level (`LevelTerms`).

*Terms.* Rows times entropy of both sides of a cut is ``s(i) − Σ_k t_k(j_k)``, where s holds
n log2 n + (N − n) log2 (N − n) of every size n of the first side, and t_k the same of every count
of class k. These tables are made once a level, for all features: a cut costs K + 1 look-ups.

*Boundaries.* For entropy and Gini the best threshold lies where the class changes (Fayyad and Irani
1992). Where all values differ, only such cuts are scored; never for misclassification, for ratios,
or where `min_samples_leaf` bars the ends.

*Blocks.* Large levels are worked off in blocks that stay in a core's cache.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from engine.criteria import Criterion, gain_ratio, weighted_impurity
from engine.scores import TOLERANCE
from engine.settings import ResolvedSettings
from engine.table import AnyArray, BoolArray, FloatArray, IntArray, Table

_BLOCK = 1 << 17
_MOST_KEPT = 1 << 20
_SORTED: WeakKeyDictionary[Table, tuple[IntArray, BoolArray]] = WeakKeyDictionary()
"""The sorted cells of small tables, as long as the table lives: boosting grows many trees from one."""
_AT_CLASS_BOUNDARIES = (Criterion.ENTROPY, Criterion.GINI)


@dataclass
class BestCandidates:
    """The best admissible candidate of each feature at each node: arrays of shape (features, nodes).

    `score` is −inf where there is none. `place` is the last cell below the threshold and `own`
    the score just there, within the tolerance of `score`. `separates` and `large` tell whether any
    candidate separates the rows, and whether any such one leaves `min_samples_leaf` rows a side.
    For a grouping of levels `place` is the first group, a bit a level. `information` is the split
    information there, where the search needs it.
    """

    score: FloatArray
    gain: FloatArray
    own: FloatArray
    place: IntArray
    separates: BoolArray
    large: BoolArray
    information: FloatArray

    @classmethod
    def none(cls, n_features: int, n_nodes: int) -> BestCandidates:
        """No candidate anywhere yet."""
        shape = (n_features, n_nodes)
        low, flags = np.full(shape, -np.inf), np.zeros(shape, dtype=bool)
        return cls(low, low.copy(), low.copy(), np.zeros(shape, dtype=np.int64), flags, flags.copy(), np.ones(shape))

    def put(self, features: Sequence[int], part: BestCandidates) -> None:
        """Take over the rows of `part`, which are those of `features`."""
        for name, array in vars(self).items():
            array[list(features)] = getattr(part, name)

    def take_over(self, other: BestCandidates, nodes: BoolArray) -> None:
        """Take over the columns of `other` for these nodes."""
        for name, array in vars(self).items():
            array[:, nodes] = getattr(other, name)[:, nodes]


class LevelTerms:
    """What all features share at one level: the nodes as segments, and their tables of terms."""

    def __init__(self, counts: IntArray, parent: FloatArray, logs: FloatArray, criterion: Criterion) -> None:
        self.counts, self.parent, self.logs = counts, parent, logs
        self.n_nodes, self.n_classes = counts.shape
        self.sizes = counts.sum(axis=1)
        self.starts = np.cumsum(self.sizes) - self.sizes
        self.ends = self.starts + self.sizes - 1
        self.n_cells = int(self.sizes.sum())
        self.first_index = np.cumsum(counts + 1, axis=0) - (counts + 1)
        self.by_size, self.by_class = np.empty(0), [np.empty(0)] * self.n_classes
        if criterion is Criterion.ENTROPY:
            self.by_size = self._both_sides(self.sizes, self.sizes, first=1)
            totals = counts.T.ravel()
            every = self._both_sides(totals, totals + 1, first=0)
            self.by_class = np.split(every, (np.cumsum(counts.sum(axis=0) + self.n_nodes))[:-1])

    def _both_sides(self, totals: IntArray, lengths: IntArray, first: int) -> FloatArray:
        """For each node, n log2 n of both sides of every count from `first` on."""
        begin = np.cumsum(lengths) - lengths - first
        one_side = np.arange(int(lengths.sum()))
        one_side -= np.repeat(begin, lengths)
        both = self.logs.take(one_side)
        np.subtract(np.repeat(totals, lengths), one_side, out=one_side)
        both += self.logs.take(one_side)
        return both


class Cells:
    """Rank, class and row of every numeric value in one integer, sorted within each node of the frontier.

    `cells` has shape (n_numeric, n_active); the bits of a cell, from the top: rank, class, row.
    """

    def __init__(self, table: Table, rules: ResolvedSettings) -> None:
        self.rules = rules
        self.wanted: BoolArray | None = None
        self.n_rows = self.n_entries = table.n_rows
        self.n_classes = max(table.n_classes, 1)
        self.class_bits = 0 if rules.is_number else max(self.n_classes - 1, 1).bit_length()
        self.row_bits = max(self.n_rows - 1, 1).bit_length()
        if any(table.features[feature].n_missing for feature in (*table.numeric, *table.categorical)):
            self.row_bits = 63 - self.class_bits - self.row_bits  # rows may fall into parts, which are numbered on
        self.rank_shift = self.row_bits + self.class_bits
        self.row_mask, self.class_mask = (1 << self.row_bits) - 1, (1 << self.class_bits) - 1
        self.cells, of_one_class = self._sorted(table)
        prune = rules.ranks_by in _AT_CLASS_BOUNDARIES and rules.min_samples_leaf == 1
        self.only_boundaries = of_one_class & prune
        self.pruned_all = bool(self.only_boundaries.all())
        self.class_type = np.min_scalar_type(self.n_classes)
        self._pack_counters()

    def _sorted(self, table: Table) -> tuple[IntArray, BoolArray]:
        """The cells of all rows; and of which features all rows of a value have one class, for every value."""
        kept = _SORTED.get(table)
        if kept is not None:
            return kept
        low = np.arange(self.n_rows)
        if self.class_bits:
            low |= table.target_values.astype(np.int64) << self.row_bits
        cells = np.empty(table.rank_matrix.shape, dtype=np.int64)
        pure = np.zeros(len(cells), dtype=bool)
        for place, (ranks, values) in enumerate(zip(table.rank_matrix, table.distinct, strict=True)):
            own = np.left_shift(ranks, self.rank_shift, out=cells[place], dtype=np.int64)
            own |= low
            own.sort()
            pure[place] = self._of_one_class(own[: np.searchsorted(own, len(values) << self.rank_shift)])
        if cells.size <= _MOST_KEPT:
            _SORTED[table] = cells, pure
        return cells, pure

    def _of_one_class(self, cells: IntArray) -> bool:
        pair = cells >> self.row_bits
        rank = pair >> self.class_bits
        return bool(((pair[1:] == pair[:-1]) == (rank[1:] == rank[:-1])).all())

    def _pack_counters(self) -> None:
        """Which bits of which word count each class."""
        self.bits = (2 * self.n_rows).bit_length()
        together = max(1, 63 // self.bits)
        self.words: list[IntArray] = []
        self.ones: list[int] = []
        self.fields: list[tuple[int, int]] = []
        for first in range(0, self.n_classes, together):
            word = np.zeros(self.n_classes, dtype=np.int64)
            for place, code in enumerate(range(first, min(first + together, self.n_classes))):
                word[code] = 1 << (self.bits * place)
                self.fields.append((len(self.words), self.bits * place))
            self.words.append(word)
            self.ones.append(int(word.sum()))

    def search(self, terms: LevelTerms, best: BestCandidates, wanted: BoolArray | None = None) -> None:
        """Write the best threshold of every numeric feature at every node into `best`.

        `wanted`, of shape (n_numeric, n_nodes), says which are asked for; the others may be left out.
        """
        self.wanted = None if wanted is None else np.repeat(wanted, terms.sizes, axis=1)
        at_once = max(1, _BLOCK // max(terms.n_cells, 1))
        for first in range(0, len(self.cells), at_once):
            chunk = slice(first, min(first + at_once, len(self.cells)))
            cuts, cost, small = self._scored_cuts(chunk, terms)
            _Reduction(chunk, cuts, cost, small, terms, self.rules).write(best)

    def _scored_cuts(self, chunk: slice, terms: LevelTerms) -> tuple[IntArray, FloatArray, BoolArray | None]:
        """All cuts of some features, as flat places, with their costs; and which leave small leaves."""
        if terms.n_cells <= _BLOCK:
            found = [self._block(chunk, 0, terms.n_cells, [0] * len(self.words), terms)]
        else:
            carried = [0] * len(self.words)
            found = [
                self._block(chunk, begin, min(begin + _BLOCK, terms.n_cells), carried, terms)
                for begin in range(0, terms.n_cells, _BLOCK)
            ]
        cuts, cost, small = zip(*found, strict=True)
        if len(found) == 1:
            return cuts[0], cost[0], small[0]
        smalls = None if small[0] is None else np.concatenate(small)
        return np.concatenate(cuts), np.concatenate(cost), smalls

    def _block(
        self, chunk: slice, begin: int, end: int, carried: list[int], terms: LevelTerms
    ) -> tuple[IntArray, FloatArray, BoolArray | None]:
        """Score the cuts after the cells begin … end − 1; the last cell of a node has none."""
        cells = self.cells[chunk, begin : min(end + 1, terms.n_cells)]
        n_features, width = cells.shape[0], end - begin
        classes = ((cells >> self.row_bits) & self.class_mask).astype(self.class_type)
        cuts = self._cuts(chunk, cells, classes, begin, end, terms)
        running = []
        first_node, last_node = np.searchsorted(terms.starts, (max(begin, 1), end))
        skips = terms.starts[first_node:last_node] - begin
        for number, (word, one) in enumerate(zip(self.words, self.ones, strict=True)):
            ones = word.take(classes[:, :width])
            ones[:, skips] += one
            ones[:, 0] += carried[number]
            counter = np.cumsum(ones, axis=1, out=ones)
            carried[number] = int(counter[0, -1])
            running.append(counter.ravel().take(cuts))
        place = cuts
        if n_features > 1:
            bounds = np.searchsorted(cuts, np.arange(1, n_features + 1) * width)
            place = cuts - np.repeat(np.arange(n_features) * width, steps(bounds))
        elif begin:
            place = cuts = cuts + begin
        index = [(running[word] >> shift) & ((1 << self.bits) - 1) for word, shift in self.fields]
        cost, small = self._costs(place, index, terms)
        return cuts, cost, small

    def _cuts(
        self, chunk: slice, cells: IntArray, classes: AnyArray, begin: int, end: int, terms: LevelTerms
    ) -> IntArray:
        """Flat places, in rows of end − begin cells, of the last cell below each threshold."""
        width, n_features = end - begin, len(cells)
        keep = np.zeros((n_features, width), dtype=bool)
        n_pairs = cells.shape[1] - 1
        pruned = self.only_boundaries[chunk]
        if self.pruned_all:
            np.not_equal(classes[:, 1:], classes[:, :-1], out=keep[:, :n_pairs])
        else:
            ranks = cells >> self.rank_shift
            np.not_equal(ranks[:, 1:], ranks[:, :-1], out=keep[:, :n_pairs])
            if pruned.any():
                keep[pruned, :n_pairs] &= classes[pruned, 1:] != classes[pruned, :-1]
        first, last = np.searchsorted(terms.ends, (begin, end))
        keep[:, terms.ends[first:last] - begin] = False
        if self.wanted is not None:
            keep &= self.wanted[chunk, begin:end]
        return np.flatnonzero(keep)

    def _costs(self, place: IntArray, index: list[IntArray], terms: LevelTerms) -> tuple[FloatArray, BoolArray | None]:
        """Rows times remainder of each cut for entropy; else the score with its sign turned."""
        rules = self.rules
        if rules.ranks_by is Criterion.ENTROPY and rules.min_samples_leaf == 1:
            cost = terms.by_size.take(place)
            for table, at in zip(terms.by_class, index, strict=True):
                cost -= table.take(at)
            return cost, None
        node = np.searchsorted(terms.ends, place)
        size_below = place - terms.starts.take(node) + 1
        size_above = terms.sizes.take(node) - size_below
        below = np.stack([at - terms.first_index[:, code].take(node) for code, at in enumerate(index)])
        above = terms.counts.T.take(node, axis=1) - below
        cost = weighted_impurity(rules.ranks_by, below, size_below, terms.logs)
        cost += weighted_impurity(rules.ranks_by, above, size_above, terms.logs)
        small = None
        if rules.min_samples_leaf > 1:
            small = (size_below < rules.min_samples_leaf) | (size_above < rules.min_samples_leaf)
        if rules.ranks_by is Criterion.GAIN_RATIO:
            whole = terms.sizes.take(node)
            gain = terms.parent.take(node) - cost / whole
            logs = terms.logs
            information = (logs.take(whole) - logs.take(size_below) - logs.take(size_above)) / whole
            barred = gain <= TOLERANCE if rules.must_gain else gain < -TOLERANCE
            cost = -np.where(barred, -np.inf, gain_ratio(gain, information))
        if small is not None:
            cost = np.where(small, np.inf, cost)
        return cost, small

    def ranks_at(self, feature: IntArray, place: IntArray) -> tuple[IntArray, IntArray]:
        """Ranks of the values on either side of a cut."""
        return self.cells[feature, place] >> self.rank_shift, self.cells[feature, place + 1] >> self.rank_shift

    def partition(self, rows: IntArray, branch: IntArray, n_branches: int) -> None:
        """Keep the cells of `rows`: all first branches first, then all second ones, orders kept."""
        way = np.full(self.n_entries, n_branches, dtype=np.uint8 if n_branches < 255 else np.int64)
        way[rows] = branch
        n_active = self.cells.shape[1]
        kept = np.empty((len(self.cells), len(rows)), dtype=np.int64)
        sizes = np.bincount(branch, minlength=n_branches).tolist()
        begin = np.cumsum([0, *sizes[:-1]])
        if n_branches <= 8 and self.cells.size <= _BLOCK:
            taken = way.take(self.cells & self.row_mask).ravel()
            for number, size in enumerate(sizes):
                of_branch = self.cells.ravel().take(np.flatnonzero(taken == number))
                kept[:, begin[number] : begin[number] + size] = of_branch.reshape(len(kept), size)
            self.cells = kept
            return
        for place, cells in enumerate(self.cells):
            if n_branches > 8:
                order = np.argsort(way.take(cells & self.row_mask), kind="stable")[: len(rows)]
                cells.take(order, out=kept[place], mode="clip")
                continue
            filled = begin.tolist()
            for first in range(0, n_active, _BLOCK):
                block = cells[first : first + _BLOCK]
                taken = way.take(block & self.row_mask)
                for number in range(n_branches):
                    of_branch = np.flatnonzero(taken == number)
                    end = filled[number] + len(of_branch)
                    block.take(of_branch, out=kept[place, filled[number] : end], mode="clip")
                    filled[number] = end
        self.cells = kept

    def share_out(self, before: IntArray, entries: IntArray, branch: IntArray, n_branches: int) -> None:
        """As `partition`, where a row may go down several branches, each part of it as an entry of its own.

        Parameters
        ----------
        before, entries, branch : ndarray of int64, of one shape
            The number of what is in the cells, the number of what it becomes, and the branch of it.
        """
        sizes = np.bincount(branch, minlength=n_branches).tolist()
        n_features, n_active = self.cells.shape
        kept = np.empty((n_features, len(entries)), dtype=np.int64)
        at_once = max(1, _BLOCK // max(n_active, 1))
        begin = 0
        for number, size in enumerate(sizes):
            taken = np.flatnonzero(branch == number)
            goes = np.zeros(self.n_entries, dtype=bool)
            goes[before[taken]] = True
            more = (entries - before)[taken]
            renumbered = np.zeros(self.n_entries if more.any() else 0, dtype=np.int64)
            if len(renumbered):
                renumbered[before[taken]] = more
            for first in range(0, n_features, at_once):
                block = self.cells[first : first + at_once]
                own = block.ravel().take(np.flatnonzero(goes.take(block & self.row_mask)))
                if len(renumbered):
                    own += renumbered.take(own & self.row_mask)
                kept[first : first + at_once, begin : begin + size] = own.reshape(len(block), size)
            begin += size
        self.cells = kept
        self.n_entries = max(self.n_entries, int(entries.max(initial=-1)) + 1)


class _Reduction:
    """From the costs of all cuts to the best cut of each (feature, node)."""

    def __init__(
        self,
        chunk: slice,
        cuts: IntArray,
        cost: FloatArray,
        small: BoolArray | None,
        terms: LevelTerms,
        rules: ResolvedSettings,
    ) -> None:
        self.chunk, self.cuts, self.cost, self.small, self.terms, self.rules = chunk, cuts, cost, small, terms, rules
        self.shape = (chunk.stop - chunk.start, terms.n_nodes)

    def write(self, best: BestCandidates) -> None:
        """Write the best cuts into `best`."""
        terms, ratio = self.terms, self.rules.ranks_by is Criterion.GAIN_RATIO
        n_features = self.shape[0]
        ends = (np.arange(n_features)[:, None] * terms.n_cells + terms.ends).ravel()
        bounds = np.searchsorted(self.cuts, ends)
        n_cuts = steps(bounds)
        some = np.flatnonzero(n_cuts)
        if not len(some):
            return
        lowest = np.full(len(ends), np.inf)
        lowest[some] = np.minimum.reduceat(self.cost, (bounds - n_cuts)[some])
        slack = TOLERANCE if ratio else terms.sizes * TOLERANCE
        highest = (lowest.reshape(self.shape) + slack).ravel()
        near = np.flatnonzero(self.cost <= np.repeat(highest, n_cuts))
        segment = np.searchsorted(ends, self.cuts.take(near))
        is_first = np.ones(len(near), dtype=bool)
        np.not_equal(segment[1:], segment[:-1], out=is_first[1:])
        first, where = near[is_first], segment[is_first]
        own = np.full(len(ends), np.inf)
        own[where] = self.cost.take(first)
        place = np.zeros(len(ends), dtype=np.int64)
        place[where] = self.cuts.take(first)
        best.place[self.chunk] = place.reshape(self.shape) - np.arange(n_features)[:, None] * terms.n_cells
        best.separates[self.chunk] = best.large[self.chunk] = (n_cuts > 0).reshape(self.shape)
        if self.small is not None:
            large = np.zeros(len(ends), dtype=bool)
            large[np.searchsorted(ends, self.cuts[~self.small])] = True
            best.large[self.chunk] = large.reshape(self.shape)
        if ratio:
            best.score[self.chunk], best.own[self.chunk] = -lowest.reshape(self.shape), -own.reshape(self.shape)
            best.gain[self.chunk] = self._gains_of_ratios(place.reshape(self.shape), best.score[self.chunk])
            return
        best.score[self.chunk] = self._gains(lowest)
        best.own[self.chunk] = best.gain[self.chunk] = self._gains(own)
        if self.rules.average_gain_filter:
            best.information[self.chunk] = self._information(place.reshape(self.shape))

    def _gains(self, cost: FloatArray) -> FloatArray:
        """Gains of costs, −inf where they are none."""
        gain = self.terms.parent - cost.reshape(self.shape) / self.terms.sizes
        return np.where(gain <= TOLERANCE if self.rules.must_gain else gain < -TOLERANCE, -np.inf, gain)

    def _gains_of_ratios(self, place: IntArray, ratio: FloatArray) -> FloatArray:
        """Gain = ratio · split information, at the best cuts."""
        information = self._information(place)
        return np.where(np.isneginf(ratio), -np.inf, ratio * np.where(information > 0, information, 1.0))

    def _information(self, place: IntArray) -> FloatArray:
        terms, logs = self.terms, self.terms.logs
        below = np.clip(place - np.arange(self.shape[0])[:, None] * terms.n_cells - terms.starts + 1, 0, terms.sizes)
        return np.asarray((logs.take(terms.sizes) - logs.take(below) - logs.take(terms.sizes - below)) / terms.sizes)


def steps(bounds: IntArray) -> IntArray:
    """The differences between neighbours, the first one from 0: `numpy.diff` without its cost."""
    found = bounds.copy()
    found[1:] -= bounds[:-1]
    return found
