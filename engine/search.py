"""The search for splits: every node of a level and every feature at once.

This is the one file that trades beauty for speed. `plain_tree` in tests/engine/plain_search.py is
the same search as a recursion over the evidence; the tests hold the two equal.

How it is fast
--------------
*Ranks.* A numeric feature is searched by the dense ranks of its values. Rank, class and row are
packed into one unsigned integer a cell (`_Keys`), sorted once at the root; a stable partition
keeps each child sorted, so nothing is sorted again.

*Levels.* The rows of a level's nodes are contiguous segments in every feature's order, at the same
places. One cumulative sum counts the classes below every threshold of every node; several class
counters share one 64-bit integer. n · log2 n comes from a table: no logarithm in the loop.

*Boundaries.* For entropy and Gini the best threshold lies where the class changes (Fayyad and Irani
1992), so only those are scored. Not so for misclassification, for ratios, or where
`min_samples_leaf` bars the ends.

*Categories.* One bincount a level counts (node, level, class) of all categorical features.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from engine.criteria import Criterion, impurity, n_log2_n_table, weighted_impurity
from engine.evidence import TOLERANCE, NodeScores, score_choice
from engine.settings import Choice, ResolvedSettings
from engine.splits import Condition, Split, SplitKind, midpoints
from engine.table import AnyArray, BoolArray, FloatArray, IntArray, Table
from engine.trace import StopReason
from engine.tree import SPLIT_KINDS, STOP_REASONS, Nodes

_CELLS = 1 << 15
"""Cells of work that stay in a core's cache: large levels are searched in blocks of this size."""

_TALLY = 1 << 21
"""Counters kept at once for categorical features."""

_STOP = {reason: STOP_REASONS.index(reason) for reason in StopReason}


def search_tree(table: Table, rules: ResolvedSettings, choices: Sequence[Choice] = ()) -> Nodes:
    """Grow the whole tree over a prepared table, level by level, and number it depth-first."""
    return _Search(table, rules, choices).run()


@dataclass
class _Level:
    """The nodes made at one level, in the order (parent, branch); arrays over these nodes."""

    parent: IntArray
    branch: IntArray
    counts: IntArray
    prediction: IntArray
    stop: IntArray
    feature: IntArray
    kind: IntArray
    threshold: FloatArray
    by_choice: BoolArray
    scored: BoolArray


@dataclass
class _Best:
    """The best admissible candidate of some features at the frontier's nodes, shape (features, nodes).

    `place` is the last cell of the first branch in the feature's order (numeric features only);
    `separates` and `large` say whether any candidate separates the rows, and whether any such one
    leaves `min_samples_leaf` rows on each side.
    """

    score: FloatArray
    gain: FloatArray
    place: IntArray
    at_place: FloatArray
    separates: BoolArray
    large: BoolArray


class _Search:
    """One growth. The frontier is the level's nodes that may still split; a slot is a place in it."""

    def __init__(self, table: Table, rules: ResolvedSettings, choices: Sequence[Choice]) -> None:
        self.table, self.rules = table, rules
        self.n_classes = max(table.n_classes, 1)
        self.levels: list[_Level] = []
        self.first_id: list[int] = [0]
        self.groups: dict[int, tuple[tuple[int, ...], ...]] = {}
        self.node_of_row = np.zeros(table.n_rows, dtype=np.int64)
        self.n_log_n = n_log2_n_table(table.n_rows)
        self.keys = _Keys(table) if table.numeric else None
        self.tally = _Tally(table) if table.categorical else None
        self.waiting: dict[int, list[Choice]] = {0: list(choices)} if choices else {}

    def run(self) -> Nodes:
        table = self.table
        self.rows = np.arange(table.n_rows)
        self.classes = table.target_values.astype(np.int64)
        self.slot_of_row = np.zeros(table.n_rows, dtype=np.int64)
        counts = np.bincount(self.classes, minlength=self.n_classes)[None, :]
        used = np.zeros((1, len(table.features)), dtype=bool)
        root = np.array([-1])
        level = self._make_level(root, np.zeros(1, dtype=np.int64), counts, counts.argmax(axis=1), used, depth=0)
        frontier = np.flatnonzero(level.stop < 0)
        depth = 0
        while len(frontier):
            counts = level.counts[frontier]
            self._split_frontier(level, frontier, counts, used[frontier], depth)
            level, frontier, used = self._make_children(level, frontier, used, depth)
            depth += 1
        return self._number_depth_first()

    def _make_level(
        self, parent: IntArray, branch: IntArray, counts: IntArray, parent_prediction: IntArray, used: BoolArray, depth: int
    ) -> _Level:
        """Nodes of one level, with what stops them before their candidates are scored."""
        rules, n = self.rules, len(parent)
        sizes = counts.sum(axis=1)
        stop = np.full(n, -1)
        if not self.table.numeric and rules.once_on_a_path:
            stop[used.all(axis=1)] = _STOP[StopReason.NO_FEATURES]
        stop[sizes < rules.min_samples_split] = _STOP[StopReason.MIN_SAMPLES_SPLIT]
        if rules.max_depth is not None and depth >= rules.max_depth:
            stop[:] = _STOP[StopReason.MAX_DEPTH]
        stop[counts.max(axis=1) == sizes] = _STOP[StopReason.PURE]
        stop[sizes == 0] = _STOP[StopReason.NO_ROWS]
        level = _Level(
            parent=parent,
            branch=branch,
            counts=counts,
            prediction=self._predictions(parent, counts, parent_prediction),
            stop=stop,
            feature=np.full(n, -1),
            kind=np.full(n, -1),
            threshold=np.full(n, np.nan),
            by_choice=np.zeros(n, dtype=bool),
            scored=stop < 0,
        )
        self.levels.append(level)
        self.first_id.append(self.first_id[-1] + n)
        return level

    def _predictions(self, parent: IntArray, counts: IntArray, parent_prediction: IntArray) -> IntArray:
        """The majority of each node; ties go to the class more frequent in the parent, then the first."""
        prediction = counts.argmax(axis=1)
        best = counts == counts.max(axis=1, keepdims=True)
        tied = np.flatnonzero(np.count_nonzero(best, axis=1) > 1)
        if len(tied) and parent[0] >= 0:
            above = self.levels[-1].counts[parent[tied] - self.first_id[-2]]
            prediction[tied] = np.where(best[tied], above, -1).argmax(axis=1)
        empty = counts.sum(axis=1) == 0
        prediction[empty] = parent_prediction[empty]
        return prediction

    def _split_frontier(self, level: _Level, frontier: IntArray, counts: IntArray, used: BoolArray, depth: int) -> None:
        """Decide for every frontier node: a split, written into `level`, or the reason to stop."""
        best = self._best_of_features(counts, used)
        top = best.score.max(axis=0)
        winner = (best.score >= top - TOLERANCE).argmax(axis=0)
        slots = np.arange(len(frontier))
        none = np.isneginf(top)
        if none.any():
            small = best.separates.any(axis=0) & ~best.large.any(axis=0)
            level.stop[frontier[none & small]] = _STOP[StopReason.MIN_SAMPLES_LEAF]
            level.stop[frontier[none & ~small]] = _STOP[StopReason.NO_USEFUL_SPLIT]
        if self.rules.min_gain:
            weak = ~none & (best.gain[winner, slots] < self.rules.min_gain)
            level.stop[frontier[weak]] = _STOP[StopReason.MIN_GAIN]
        split = np.flatnonzero(level.stop[frontier] < 0)
        level.feature[frontier[split]] = winner[split]
        self.cut = np.zeros(len(frontier), dtype=np.int64)
        self._set_thresholds(level, frontier, split, winner, best, top)
        self.branch_lookup: dict[int, Split] = {}
        if self.waiting:
            self._take_choices(level, frontier, depth)

    def _best_of_features(self, counts: IntArray, used: BoolArray) -> _Best:
        table, shape = self.table, (len(self.table.features), len(counts))
        best = _Best(
            score=np.full(shape, -np.inf), gain=np.zeros(shape), place=np.zeros(shape, dtype=np.int64),
            at_place=np.full(shape, -np.inf), separates=np.zeros(shape, dtype=bool), large=np.zeros(shape, dtype=bool),
        )
        parent = impurity(self.rules.criterion, counts.T)
        if self.keys is not None:
            self._search_numeric(best, counts, parent)
        if self.tally is not None:
            self._search_categorical(best, counts, parent)
            if self.rules.once_on_a_path:
                barred = used.T.copy()
                barred[list(table.numeric)] = False
                best.score[barred] = -np.inf
                best.separates[barred] = False
        return best

    # ---- numeric features -------------------------------------------------------------------

    def _search_numeric(self, best: _Best, counts: IntArray, parent: FloatArray) -> None:
        assert self.keys is not None
        n_cells = int(counts.sum())
        features = self.table.numeric
        at_once = max(1, _CELLS // max(n_cells, 1))
        frame = _Segments(counts, parent)
        for first in range(0, len(features), at_once):
            chunk = features[first : first + at_once]
            self._search_chunk(best, slice(first, first + len(chunk)), chunk, frame)

    def _search_chunk(self, best: _Best, places: slice, features: Sequence[int], frame: _Segments) -> None:
        """Search the thresholds of a few features at all frontier nodes."""
        assert self.keys is not None
        rules, n_slots = self.rules, frame.n_slots
        prune = rules.min_samples_leaf == 1 and rules.criterion in _AT_CLASS_BOUNDARIES
        cells = self.keys.cells[places]
        n_segments = len(features) * n_slots
        ends = frame.ends if len(features) == 1 else (np.arange(len(features))[:, None] * frame.n_cells + frame.ends).ravel()
        cuts, below = self.keys.cuts_and_counts(cells.reshape(-1), ends, frame, prune)
        bounds = np.searchsorted(cuts, ends)
        per_segment = np.diff(bounds, prepend=0)
        segment = np.repeat(np.arange(n_segments), per_segment)
        slot = segment % n_slots if len(features) > 1 else segment
        gain, size_below, size_above = self._gain_of_cuts(cuts, below, segment, slot, ends, frame)
        score = gain
        if rules.criterion is Criterion.GAIN_RATIO:
            whole = frame.sizes[slot]
            information = (self.n_log_n[whole] - self.n_log_n[size_below] - self.n_log_n[size_above]) / whole
            score = gain / information
        barred = gain <= TOLERANCE if rules.must_gain else gain < -TOLERANCE
        small = None
        if rules.min_samples_leaf > 1:
            small = (size_below < rules.min_samples_leaf) | (size_above < rules.min_samples_leaf)
            barred |= small
        if barred.any():
            score = np.where(barred, -np.inf, score)
        some = np.flatnonzero(per_segment)
        if not len(some):
            return
        begin = (bounds - per_segment)[some]
        top = np.full(n_segments, -np.inf)
        top[some] = np.maximum.reduceat(score, begin)
        near = np.flatnonzero(score >= (top - TOLERANCE)[segment])
        of = segment[near]
        first = near[np.flatnonzero(np.diff(of, prepend=-1))]
        where = segment[first]
        shape = (len(features), n_slots)
        rows = np.asarray(features)
        best.score[rows] = top.reshape(shape)
        for target, values in ((best.gain, gain), (best.at_place, score)):
            flat = np.full(n_segments, -np.inf)
            flat[where] = values[first]
            target[rows] = flat.reshape(shape)
        place = np.zeros(n_segments, dtype=np.int64)
        place[where] = cuts[first]
        best.place[rows] = place.reshape(shape) - np.arange(len(features))[:, None] * frame.n_cells
        best.separates[rows] = (per_segment > 0).reshape(shape)
        if small is not None:
            large = np.zeros(n_segments, dtype=bool)
            large[segment[~small]] = True
            best.large[rows] = large.reshape(shape)
        else:
            best.large[rows] = best.separates[rows]

    def _gain_of_cuts(
        self, cuts: IntArray, below: list[IntArray], segment: IntArray, slot: IntArray, ends: IntArray, frame: _Segments
    ) -> tuple[FloatArray, IntArray, IntArray]:
        """Gain at each cut, and the rows on either side of it."""
        before = ends - np.tile(frame.sizes, len(ends) // frame.n_slots)
        whole = frame.sizes[slot]
        size_below = cuts - before[segment]
        size_above = whole - size_below
        counts = np.stack([*below, size_below - sum(below)])
        remainder = weighted_impurity(self.rules.criterion, counts, size_below, self.n_log_n)
        remainder += weighted_impurity(self.rules.criterion, frame.counts[:, slot] - counts, size_above, self.n_log_n)
        remainder /= whole
        return frame.parent[slot] - remainder, size_below, size_above

    # ---- categorical features ---------------------------------------------------------------

    def _search_categorical(self, best: _Best, counts: IntArray, parent: FloatArray) -> None:
        assert self.tally is not None
        features = np.asarray(self.table.categorical)
        step = max(1, _TALLY // (self.tally.n_levels * self.n_classes))
        whole_frontier = step >= len(counts)
        for first in range(0, len(counts), step):
            slots = slice(first, min(first + step, len(counts)))
            rows, slot, classes = self.rows, self.slot_of_row, self.classes
            if not whole_frontier:
                inside = np.flatnonzero((slot >= slots.start) & (slot < slots.stop))
                rows, slot, classes = rows[inside], slot[inside] - slots.start, classes[inside]
            tally = self.tally.count(rows, slot, classes, slots.stop - slots.start)
            self._score_tally(best, features, slots, tally, counts[slots], parent[slots])

    def _score_tally(
        self, best: _Best, features: IntArray, slots: slice, tally: IntArray, counts: IntArray, parent: FloatArray
    ) -> None:
        """Score all categorical features from counts of shape (slots, levels of all features, classes)."""
        assert self.tally is not None
        rules, starts = self.rules, self.tally.starts
        sizes = tally.sum(axis=2)
        total = counts.sum(axis=1)[:, None]
        weighted = weighted_impurity(rules.criterion, tally.transpose(2, 0, 1), sizes, self.n_log_n)
        gain = parent[:, None] - np.add.reduceat(weighted, starts, axis=1) / total
        present = np.add.reduceat(sizes > 0, starts, axis=1, dtype=np.int64)
        score = gain
        if rules.criterion is Criterion.GAIN_RATIO:
            n_log_n = self.n_log_n
            information = (n_log_n[total] - np.add.reduceat(n_log_n[sizes], starts, axis=1)) / total
            score = np.divide(gain, information, out=np.zeros_like(gain), where=information > 0)
        separates = present > 1
        barred = ~separates | (gain <= TOLERANCE if rules.must_gain else gain < -TOLERANCE)
        large = separates
        if rules.min_samples_leaf > 1:
            small = np.add.reduceat((sizes > 0) & (sizes < rules.min_samples_leaf), starts, axis=1, dtype=np.int64) > 0
            barred |= small
            large = separates & ~small
        best.score[features, slots] = np.where(barred, -np.inf, score).T
        best.at_place[features, slots] = best.score[features, slots]
        best.gain[features, slots] = gain.T
        best.separates[features, slots] = separates.T
        best.large[features, slots] = large.T

    # ---- carrying the decisions out ---------------------------------------------------------

    def _set_thresholds(
        self, level: _Level, frontier: IntArray, split: IntArray, winner: IntArray, best: _Best, top: FloatArray
    ) -> None:
        numeric_place = np.full(len(self.table.features), -1)
        numeric_place[list(self.table.numeric)] = np.arange(len(self.table.numeric))
        feature = winner[split]
        numeric = numeric_place[feature] >= 0
        kinds = SPLIT_KINDS.index(SplitKind.THRESHOLD), SPLIT_KINDS.index(SplitKind.MULTIWAY)
        if not self.rules.once_on_a_path:
            kinds = kinds[0], SPLIT_KINDS.index(SplitKind.SUBSET)
        level.kind[frontier[split]] = np.where(numeric, *kinds)
        if self.keys is None:
            return
        slots = split[numeric]
        features = winner[slots]
        places = numeric_place[features]
        cells = best.place[features, slots]
        low, high = self.keys.ranks_at(places, cells)
        self._undo_near_ties(level, frontier, slots, best.at_place[features, slots] < top[slots] - TOLERANCE, places, low, high)
        self.cut[slots] = high
        values = self.table.distinct
        threshold = level.threshold
        for place in np.unique(places).tolist():
            here = places == place
            threshold[frontier[slots[here]]] = midpoints(values[place][low[here]], values[place][high[here]])

    def _undo_near_ties(
        self, level: _Level, frontier: IntArray, slots: IntArray, wrong: BoolArray, places: IntArray, low: IntArray, high: IntArray
    ) -> None:
        """Correct the rare threshold that ties with its feature's best but not with the node's best."""
        for i in np.flatnonzero(wrong).tolist():
            rows = self.rows[self.slot_of_row == slots[i]]
            won = NodeScores(self.table, self.rules, rows, range(len(self.table.features))).best_split
            if won is not None and won[0].threshold is not None:
                inside = np.unique(self.table.rank_matrix[places[i]][rows])
                cut = int(np.searchsorted(self.table.distinct[places[i]][inside], won[0].threshold))
                low[i], high[i] = inside[cut - 1], inside[cut]

    def _take_choices(self, level: _Level, frontier: IntArray, depth: int) -> None:
        """Put the splits that a person chose in place of the search's."""
        first = self.first_id[len(self.levels) - 1]
        slot_of = {int(first + node): slot for slot, node in enumerate(frontier.tolist())}
        for node, choices in self.waiting.items():
            own = next((c for c in choices if len(c.path) == depth), None)
            if own is None or node not in slot_of:
                continue
            slot = slot_of[node]
            rows = self.rows[self.slot_of_row == slot]
            scores = score_choice(self.table, self.rules, rows, own)
            if scores is None:
                continue
            split, place = scores.split(0), frontier[slot]
            level.stop[place], level.by_choice[place] = -1, True
            level.feature[place], level.kind[place] = split.feature, SPLIT_KINDS.index(split.kind)
            level.threshold[place] = np.nan if split.threshold is None else split.threshold
            if split.kind is SplitKind.SUBSET:
                self.groups[node] = split.groups
            self.branch_lookup[slot] = split

    def _branch_of_rows(self, level: _Level, frontier: IntArray) -> IntArray:
        """The branch that each active row takes; rows of finished nodes get -1."""
        table = self.table
        feature = level.feature[frontier]
        numeric = np.isin(feature, table.numeric)
        branch = np.full(len(self.rows), -1)
        if self.keys is not None and numeric.any():
            place = np.zeros(len(table.features), dtype=np.int64)
            place[list(table.numeric)] = np.arange(len(table.numeric))
            offset = place[feature] * table.n_rows
            here = slice(None) if numeric.all() else np.flatnonzero(numeric[self.slot_of_row])
            slot = self.slot_of_row[here]
            ranks = table.rank_matrix.ravel().take(offset[slot] + self.rows[here])
            branch[here] = ranks >= self.cut[slot]
        for code in np.unique(feature[~numeric & (feature >= 0)]).tolist():
            here = np.flatnonzero((feature == code)[self.slot_of_row])
            branch[here] = table.columns[code][self.rows[here]]
        for slot, split in self.branch_lookup.items():
            here = np.flatnonzero(self.slot_of_row == slot)
            spec = table.features[split.feature]
            branch[here] = split.branch_of(table.columns[split.feature][self.rows[here]], spec)
        return branch

    def _make_children(self, level: _Level, frontier: IntArray, used: BoolArray, depth: int) -> tuple[_Level, IntArray, BoolArray]:
        """Make the children of the split nodes and hand every row on to its child."""
        feature = level.feature[frontier]
        first = self.first_id[len(self.levels) - 1]
        width = self._widths(feature)
        for slot, split in self.branch_lookup.items():
            width[slot] = split.n_branches
        base = np.cumsum(width) - width
        n_children = int(width.sum())
        branch_of_row = self._branch_of_rows(level, frontier)
        moving = np.flatnonzero(branch_of_row >= 0)
        slot, branch = self.slot_of_row[moving], branch_of_row[moving]
        child = base[slot] + branch
        rows, classes = self.rows[moving], self.classes[moving]
        counts = np.bincount(child * self.n_classes + classes, minlength=n_children * self.n_classes)
        counts = counts.reshape(n_children, self.n_classes)
        parent_slot = np.repeat(np.arange(len(frontier)), width)
        branch_of_child = np.arange(n_children) - base[parent_slot]
        parent = first + frontier[parent_slot]
        below = used[frontier][parent_slot]
        below = self._used_below(below, feature[parent_slot])
        self._hand_down_choices(level, frontier, depth, base, first)
        if n_children:
            made = self._make_level(parent, branch_of_child, counts, level.prediction[frontier][parent_slot], below, depth + 1)
        else:
            made = self._empty_level()
        self.node_of_row[rows] = self.first_id[len(self.levels) - 1] + child
        alive = made.stop < 0
        order = np.lexsort((np.arange(n_children), branch_of_child))
        next_frontier = order[alive[order]]
        slot_of_child = np.full(n_children, -1)
        slot_of_child[next_frontier] = np.arange(len(next_frontier))
        next_slot = slot_of_child[child]
        staying = next_slot >= 0
        if self.keys is not None and len(next_frontier):
            self.keys.partition(rows[staying], branch[staying], int(width.max(initial=1)))
        self.rows, self.classes, self.slot_of_row = rows[staying], classes[staying], next_slot[staying]
        return made, next_frontier, below

    def _widths(self, feature: IntArray) -> IntArray:
        """Branches of a split on each feature; 0 where there is none."""
        table = self.table
        widths = np.array([len(f.levels) or 2 for f in table.features] + [0])
        return widths[feature]

    def _used_below(self, used: BoolArray, feature: IntArray) -> BoolArray:
        if self.rules.once_on_a_path and len(used):
            used[np.arange(len(used)), feature] = True
        return used

    def _hand_down_choices(self, level: _Level, frontier: IntArray, depth: int, base: IntArray, first: int) -> None:
        waiting: dict[int, list[Choice]] = {}
        slot_of = {int(first + node): slot for slot, node in enumerate(frontier.tolist())}
        next_first = self.first_id[-1]
        for node, choices in self.waiting.items():
            slot = slot_of.get(node)
            deeper = [c for c in choices if len(c.path) > depth]
            if slot is None or not deeper or level.feature[frontier[slot]] < 0:
                continue
            conditions = self._conditions(level, frontier, slot)
            for choice in deeper:
                if choice.path[depth] in conditions:
                    child = next_first + int(base[slot]) + conditions.index(choice.path[depth])
                    waiting.setdefault(child, []).append(choice)
        self.waiting = waiting

    def _conditions(self, level: _Level, frontier: IntArray, slot: int) -> tuple[Condition, ...]:
        node = frontier[slot]
        feature, threshold = int(level.feature[node]), float(level.threshold[node])
        spec = self.table.features[feature]
        if slot in self.branch_lookup:
            return self.branch_lookup[slot].conditions(spec)
        if np.isnan(threshold):
            groups = tuple((code,) for code in range(len(spec.levels)))
            return Split(feature, SplitKind.MULTIWAY, groups=groups).conditions(spec)
        return Split(feature, SplitKind.THRESHOLD, threshold=threshold).conditions(spec)

    def _empty_level(self) -> _Level:
        none = np.empty(0, dtype=np.int64)
        flags = np.empty(0, dtype=bool)
        counts = np.empty((0, self.n_classes), dtype=np.int64)
        return _Level(none, none, counts, none, none, none, none, np.empty(0), flags, flags)

    # ---- from the order of computing to the order of telling --------------------------------

    def _number_depth_first(self) -> Nodes:
        def joined(name: str) -> AnyArray:
            return np.concatenate([getattr(level, name) for level in self.levels])

        parent, branch = joined("parent"), joined("branch")
        n = len(parent)
        size = np.ones(n, dtype=np.int64)
        spans = list(zip(self.first_id[:-1], self.first_id[1:], strict=True))
        for start, stop in reversed(spans[1:]):
            above = parent[start:stop]
            low = self.first_id[self.first_id.index(start) - 1]
            size[low:start] += np.bincount(above - low, weights=size[start:stop], minlength=start - low).astype(np.int64)
        number = np.zeros(n, dtype=np.int64)
        depth = np.zeros(n, dtype=np.int64)
        for d, (start, stop) in enumerate(spans[1:], start=1):
            before = np.cumsum(size[start:stop]) - size[start:stop]
            leader = np.flatnonzero(branch[start:stop] == 0)
            offset = before - np.repeat(before[leader], np.diff(leader, append=stop - start))
            number[start:stop] = number[parent[start:stop]] + 1 + offset
            depth[start:stop] = d
        order = np.empty(n, dtype=np.int64)
        order[number] = np.arange(n)
        parent = np.where(parent < 0, -1, number[parent])[order]
        feature = joined("feature")[order]
        n_children = np.bincount(parent[1:], minlength=n)
        counts = joined("counts")[order]
        ids = np.arange(n)
        return Nodes(
            parent=parent,
            branch=branch[order],
            depth=depth[order],
            feature=feature,
            kind=joined("kind")[order],
            threshold=joined("threshold")[order],
            groups={int(number[node]): groups for node, groups in self.groups.items()},
            first_child=np.cumsum(n_children) - n_children,
            n_children=n_children,
            children=np.argsort(parent[1:], kind="stable") + 1,
            counts=counts,
            impurity=impurity(self.rules.criterion, counts.T),
            prediction=joined("prediction")[order],
            informed_by=np.where(counts.any(axis=1), ids, parent),
            stop=joined("stop")[order],
            scored=joined("scored")[order],
            by_choice=joined("by_choice")[order],
            subtree_end=ids + size[order],
            leaf_of_row=number[self.node_of_row],
        )


_AT_CLASS_BOUNDARIES = (Criterion.ENTROPY, Criterion.GINI)


class _Segments:
    """The frontier's nodes as segments of every feature's order, each of `sizes` cells."""

    def __init__(self, counts: IntArray, parent: FloatArray) -> None:
        self.counts = np.ascontiguousarray(counts.T)
        self.parent = parent
        self.sizes = counts.sum(axis=1)
        self.ends = np.cumsum(self.sizes) - 1
        self.n_cells = int(self.ends[-1]) + 1
        self.n_slots = len(counts)


class _Keys:
    """Rank, class and row of every numeric cell in one integer, sorted within each frontier node.

    `cells` has shape (n_numeric, n_active); the bits of a key, from the top: rank, class, row.
    """

    def __init__(self, table: Table) -> None:
        ranks, n_rows = table.rank_matrix, table.n_rows
        self.n_rows, self.n_classes = n_rows, max(table.n_classes, 1)
        self.row_bits = max(n_rows - 1, 1).bit_length()
        class_bits = max(self.n_classes - 1, 1).bit_length()
        rank_bits = max((len(values) for values in table.distinct), default=1).bit_length()
        self.rank_shift = self.row_bits + class_bits
        dtype = np.uint32 if rank_bits + self.rank_shift <= 32 else np.uint64
        self.row_mask = dtype((1 << self.row_bits) - 1)
        self.class_mask = dtype((1 << class_bits) - 1)
        low = (table.target_values.astype(dtype) << dtype(self.row_bits)) | np.arange(n_rows, dtype=dtype)
        self.cells: npt.NDArray[np.uint32] | npt.NDArray[np.uint64] = np.empty(ranks.shape, dtype=dtype)
        for place, row in enumerate(ranks):
            np.left_shift(row.astype(dtype), dtype(self.rank_shift), out=self.cells[place])
            self.cells[place] |= low
            self.cells[place].sort()
        self.row_shift, self.rank_shift_ = dtype(self.row_bits), dtype(self.rank_shift)
        self.all_distinct = all(len(values) == n_rows for values in table.distinct)

    @cached_property
    def pack(self) -> tuple[int, list[IntArray]]:
        """Counters of several classes in one integer: bits a counter, and what each class adds to it."""
        bits = self.n_rows.bit_length()
        together = max(1, 63 // bits)
        words = []
        for first in range(0, self.n_classes - 1, together):
            word = np.zeros(self.n_classes, dtype=np.int64)
            for place, code in enumerate(range(first, min(first + together, self.n_classes - 1))):
                word[code] = 1 << (bits * place)
            words.append(word)
        return bits, words

    def cuts_and_counts(self, cells: AnyArray, ends: IntArray, frame: _Segments, prune: bool) -> tuple[IntArray, list[IntArray]]:
        """Where a threshold may lie (the last cell below it), and the class counts below, bar the last class."""
        classes = ((cells >> self.row_shift) & self.class_mask).astype(np.uint8 if self.n_classes < 256 else np.int64)
        if prune and self.all_distinct:
            keep = classes[1:] != classes[:-1]
            keep[ends[:-1]] = False
            cuts = np.flatnonzero(keep)
        else:
            ranks = cells >> self.rank_shift_
            keep = ranks[1:] != ranks[:-1]
            if prune:
                keep[ends[:-1]] = True
                cuts = self._at_class_boundaries(classes, np.append(np.flatnonzero(keep), len(cells) - 1), ends)
            else:
                keep[ends[:-1]] = False
                cuts = np.flatnonzero(keep)
        return cuts, self._counts_below(classes, cuts, ends, frame)

    @staticmethod
    def _at_class_boundaries(classes: AnyArray, last: IntArray, ends: IntArray) -> IntArray:
        """The ends of runs of equal values, bar those between two runs of one and the same class."""
        first_class = classes[np.append(0, last[:-1] + 1)]
        last_class = classes[last]
        pure = first_class == last_class
        same = pure[:-1] & pure[1:] & (last_class[:-1] == last_class[1:])
        keep = np.append(~same, False)
        keep[np.searchsorted(last, ends)] = False
        return last[keep]

    def _counts_below(self, classes: AnyArray, cuts: IntArray, ends: IntArray, frame: _Segments) -> list[IntArray]:
        bits, words = self.pack
        mask = (1 << bits) - 1
        n_features = len(ends) // frame.n_slots
        segment_of_cut = np.repeat(np.arange(len(ends)), np.diff(np.searchsorted(cuts, ends), prepend=0))
        below: list[IntArray] = []
        for first, word in zip(range(0, self.n_classes - 1, max(1, 63 // bits)), words, strict=True):
            running = np.cumsum(word[classes])
            totals = np.tile(word @ frame.counts, n_features)
            before = np.cumsum(totals) - totals
            packed = running[cuts] - before[segment_of_cut]
            for place in range(min(max(1, 63 // bits), self.n_classes - 1 - first)):
                below.append((packed >> (bits * place)) & mask)
        return below

    def ranks_at(self, places: IntArray, cells: IntArray) -> tuple[IntArray, IntArray]:
        """Ranks on either side of a cut."""
        low = self.cells[places, cells] >> self.rank_shift_
        high = self.cells[places, cells + 1] >> self.rank_shift_
        return low.astype(np.int64), high.astype(np.int64)

    def partition(self, rows: IntArray, branch: IntArray, n_branches: int) -> None:
        """Keep the cells of `rows`, all first branches first, then all second ones, orders kept."""
        gone = n_branches
        way = np.full(self.n_rows, gone, dtype=np.uint8 if n_branches < 255 else np.int64)
        way[rows] = branch
        kept = np.empty((len(self.cells), len(rows)), dtype=self.cells.dtype)
        for place, cells in enumerate(self.cells):
            taken = way[cells & self.row_mask]
            if n_branches <= 8:
                order = np.concatenate([np.flatnonzero(taken == number) for number in range(n_branches)])
            else:
                order = np.argsort(taken, kind="stable")[: len(rows)]
            np.take(cells, order, out=kept[place])
        self.cells = kept


class _Tally:
    """Codes of all categorical features, numbered on so that one bincount counts them all."""

    def __init__(self, table: Table) -> None:
        features = table.categorical
        widths = np.array([max(len(table.features[i].levels), 1) for i in features])
        self.starts = np.cumsum(widths) - widths
        self.n_levels = int(widths.sum())
        self.n_classes = max(table.n_classes, 1)
        self.columns = [table.columns[i] for i in features]

    def count(self, rows: IntArray, slot: IntArray, classes: IntArray, n_slots: int) -> IntArray:
        """Counts of shape (n_slots, levels of all features, n_classes)."""
        size = n_slots * self.n_levels * self.n_classes
        total = np.zeros(size, dtype=np.int64)
        base = slot * (self.n_levels * self.n_classes) + classes
        for column, start in zip(self.columns, self.starts.tolist(), strict=True):
            keys = column[rows].astype(np.int64)
            keys += start
            keys *= self.n_classes
            keys += base
            total += np.bincount(keys, minlength=size)
        return total.reshape(n_slots, self.n_levels, self.n_classes)
