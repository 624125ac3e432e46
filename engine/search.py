"""The search for splits, a level at a time: every node of a level and every feature at once.

This file and its two parts, thresholds.py and tallies.py, trade beauty for speed. recursion.py
grows the same tree by the recursion of the books; the tests hold the two equal.

A level's nodes that may still split are its frontier; a slot is a node's place in the frontier.
Nodes are numbered as they are made, and depth-first at the end: the order of telling is not the
order of computing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.criteria import impurity, n_log2_n_table
from engine.dense import is_dense
from engine.evidence import NodeScores
from engine.scores import TOLERANCE, score_choice
from engine.settings import Choice, ResolvedSettings
from engine.splits import Condition, Split, SplitKind, is_numeric, midpoints
from engine.sums import NodeRows
from engine.table import AnyArray, BoolArray, FloatArray, IntArray, Table
from engine.tallies import Tally
from engine.thresholds import BestCandidates, Cells, LevelTerms
from engine.trace import StopReason
from engine.tree import SPLIT_KINDS, STOP_REASONS, Nodes

_STOP = {reason: STOP_REASONS.index(reason) for reason in StopReason}


def is_searched(table: Table, rules: ResolvedSettings, weights: FloatArray | None) -> bool:
    """Whether `search_tree` grows such a tree; the recursion grows every one."""
    return is_dense(table, rules, weights)


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


class _Search:
    """One growth. The frontier is the level's nodes that may still split; a slot is a place in it."""

    def __init__(self, table: Table, rules: ResolvedSettings, choices: Sequence[Choice]) -> None:
        self.table, self.rules = table, rules
        self.n_classes = max(table.n_classes, 1)
        self.levels: list[_Level] = []
        self.first_id: list[int] = [0]
        self.groups: dict[int, tuple[tuple[int, ...], ...]] = {}
        self.node_of_row = np.zeros(table.n_rows, dtype=np.int64)
        self.logs = n_log2_n_table(table.n_rows)
        self.n_branches = np.array([len(feature.levels) or 2 for feature in table.features] + [0])
        self.is_numeric = np.array([is_numeric(feature) for feature in table.features] + [False])
        self.cells = Cells(table, rules) if table.numeric else None
        self.tally = Tally(table, rules, self.logs) if table.categorical else None
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
        self,
        parent: IntArray,
        branch: IntArray,
        counts: IntArray,
        parent_prediction: IntArray,
        used: BoolArray,
        depth: int,
    ) -> _Level:
        """Nodes of one level, with what stops them before their candidates are scored."""
        rules, n = self.rules, len(parent)
        by_class = np.ascontiguousarray(counts.T)
        sizes, most = by_class.sum(axis=0), by_class.max(axis=0)
        stop = np.full(n, -1)
        if not self.table.numeric and rules.once_on_a_path:
            stop[used.all(axis=1)] = _STOP[StopReason.NO_FEATURES]
        stop[sizes < rules.min_samples_split] = _STOP[StopReason.MIN_SAMPLES_SPLIT]
        if rules.max_depth is not None and depth >= rules.max_depth:
            stop[:] = _STOP[StopReason.MAX_DEPTH]
        stop[most == sizes] = _STOP[StopReason.PURE]
        stop[sizes == 0] = _STOP[StopReason.NO_ROWS]
        level = _Level(
            parent=parent,
            branch=branch,
            counts=counts,
            prediction=self._predictions(parent, by_class, most, parent_prediction),
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

    def _predictions(
        self, parent: IntArray, by_class: IntArray, most: IntArray, parent_prediction: IntArray
    ) -> IntArray:
        """The majority of each node; ties go to the class more frequent in the parent, then the first."""
        prediction: IntArray = by_class.argmax(axis=0)
        best = by_class == most
        tied = np.flatnonzero(best.sum(axis=0) > 1)
        if len(tied) and parent[0] >= 0:
            above = self.levels[-1].counts[parent[tied] - self.first_id[-2]]
            prediction[tied] = np.where(best[:, tied].T, above, -1).argmax(axis=1)
        empty = most == 0
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
            weak = ~none & (best.gain[winner, slots] < self.rules.min_gain - TOLERANCE)
            level.stop[frontier[weak]] = _STOP[StopReason.MIN_GAIN]
        split = np.flatnonzero(level.stop[frontier] < 0)
        level.feature[frontier[split]] = winner[split]
        self.cut = np.zeros(len(frontier), dtype=np.int64)
        self._set_thresholds(level, frontier, split, winner, best, top)
        self.branch_lookup: dict[int, Split] = {}
        if self.waiting:
            self._take_choices(level, frontier, depth)

    def _best_of_features(self, counts: IntArray, used: BoolArray) -> BestCandidates:
        table, rules = self.table, self.rules
        best = BestCandidates.none(len(table.features), len(counts))
        parent = impurity(rules.criterion, counts.T, self.logs)
        if self.cells is not None:
            alone = not table.categorical
            numeric = best if alone else BestCandidates.none(len(table.numeric), len(counts))
            self.cells.search(LevelTerms(counts, parent, self.logs, rules.criterion), numeric)
            if not alone:
                best.put(table.numeric, numeric)
        if self.tally is not None:
            alone = not table.numeric
            categorical = best if alone else BestCandidates.none(len(table.categorical), len(counts))
            self.tally.search(self.slot_of_row, self.classes, counts, parent, categorical)
            if rules.once_on_a_path:
                gone = used[:, list(table.categorical)].T
                categorical.score[gone] = categorical.own[gone] = -np.inf
                categorical.separates[gone] = categorical.large[gone] = False
            if not alone:
                best.put(table.categorical, categorical)
        return best

    # ---- carrying the decisions out ---------------------------------------------------------

    def _set_thresholds(
        self,
        level: _Level,
        frontier: IntArray,
        split: IntArray,
        winner: IntArray,
        best: BestCandidates,
        top: FloatArray,
    ) -> None:
        numeric_place = np.full(len(self.table.features), -1)
        numeric_place[list(self.table.numeric)] = np.arange(len(self.table.numeric))
        feature = winner[split]
        numeric = numeric_place[feature] >= 0
        kinds = SPLIT_KINDS.index(SplitKind.THRESHOLD), SPLIT_KINDS.index(SplitKind.MULTIWAY)
        if not self.rules.once_on_a_path:
            kinds = kinds[0], SPLIT_KINDS.index(SplitKind.SUBSET)
        level.kind[frontier[split]] = np.where(numeric, *kinds)
        if self.cells is None:
            return
        slots = split[numeric]
        features = winner[slots]
        places = numeric_place[features]
        cells = best.place[features, slots]
        low, high = self.cells.ranks_at(places, cells)
        self._undo_near_ties(slots, best.own[features, slots] < top[slots] - TOLERANCE, places, low, high)
        self.cut[slots] = high
        values, begin = self.table.all_distinct
        begin = begin[places]
        level.threshold[frontier[slots]] = midpoints(values[begin + low], values[begin + high])

    def _undo_near_ties(
        self,
        slots: IntArray,
        wrong: BoolArray,
        places: IntArray,
        low: IntArray,
        high: IntArray,
    ) -> None:
        """Correct the rare threshold that ties with its feature's best but not with the node's best."""
        for i in np.flatnonzero(wrong).tolist():
            rows = self.rows[self.slot_of_row == slots[i]]
            won = NodeScores(NodeRows(self.table, self.rules, rows), range(len(self.table.features))).best_split
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
            scores = score_choice(NodeRows(self.table, self.rules, rows), own)
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
        numeric = self.is_numeric[feature]
        branch = np.full(len(self.rows), -1)
        if self.cells is not None and numeric.any():
            place = np.zeros(len(table.features), dtype=np.int64)
            place[list(table.numeric)] = np.arange(len(table.numeric))
            offset = place[feature] * table.n_rows
            cells = np.flatnonzero(numeric[self.slot_of_row])
            slots = self.slot_of_row.take(cells)
            ranks = table.rank_matrix.ravel().take(offset.take(slots) + self.rows.take(cells))
            branch[cells] = ranks >= self.cut[slots]
        categorical = ~numeric & (feature >= 0)
        if self.tally is not None and categorical.any():
            place = np.zeros(len(table.features), dtype=np.int64)
            place[list(table.categorical)] = np.arange(len(table.categorical))
            cells = np.flatnonzero(categorical[self.slot_of_row])
            branch[cells] = self.tally.levels(place[feature].take(self.slot_of_row.take(cells)), cells)
        for slot, split in self.branch_lookup.items():
            cells = np.flatnonzero(self.slot_of_row == slot)
            spec = table.features[split.feature]
            branch[cells] = split.branch_of(table.columns[split.feature][self.rows[cells]], spec)
        return branch

    def _make_children(
        self, level: _Level, frontier: IntArray, used: BoolArray, depth: int
    ) -> tuple[_Level, IntArray, BoolArray]:
        """Make the children of the split nodes and hand every row on to its child."""
        feature = level.feature[frontier]
        first = self.first_id[len(self.levels) - 1]
        width = self._widths(feature)
        for taken, split in self.branch_lookup.items():
            width[taken] = split.n_branches
        base = np.cumsum(width) - width
        n_children = int(width.sum())
        branch = self._branch_of_rows(level, frontier)
        moving = np.flatnonzero(branch >= 0)
        rows, classes, slot = self.rows, self.classes, self.slot_of_row
        if len(moving) < len(branch):
            rows, classes, slot, branch = (
                rows.take(moving),
                classes.take(moving),
                slot.take(moving),
                branch.take(moving),
            )
        child = base.take(slot) + branch
        counts = np.bincount(child * self.n_classes + classes, minlength=n_children * self.n_classes)
        counts = counts.reshape(n_children, self.n_classes)
        parent_slot = np.repeat(np.arange(len(frontier)), width)
        branch_of_child = np.arange(n_children) - base[parent_slot]
        parent = first + frontier[parent_slot]
        below = used[frontier][parent_slot]
        below = self._used_below(below, feature[parent_slot])
        self._hand_down_choices(level, frontier, depth, base, first)
        if n_children:
            made = self._make_level(
                parent, branch_of_child, counts, level.prediction[frontier][parent_slot], below, depth + 1
            )
        else:
            made = self._empty_level()
        self.node_of_row[rows] = self.first_id[len(self.levels) - 1] + child
        alive = made.stop < 0
        order = np.argsort(branch_of_child, kind="stable")
        next_frontier = order[alive[order]]
        slot_of_child = np.full(n_children, -1)
        slot_of_child[next_frontier] = np.arange(len(next_frontier))
        next_slot = slot_of_child.take(child)
        staying = np.flatnonzero(next_slot >= 0)
        if len(staying) < len(next_slot):
            rows, classes, next_slot = rows.take(staying), classes.take(staying), next_slot.take(staying)
            branch, moving = branch.take(staying), moving.take(staying)
        if self.cells is not None and len(next_frontier):
            self.cells.partition(rows, branch, int(width.max(initial=1)))
        if self.tally is not None and len(next_frontier):
            self.tally.keep(moving)
        self.rows, self.classes, self.slot_of_row = rows, classes, next_slot
        return made, next_frontier, below

    def _widths(self, feature: IntArray) -> IntArray:
        """Branches of a split on each feature; 0 where there is none."""
        return self.n_branches[feature]

    def _used_below(self, used: BoolArray, feature: IntArray) -> BoolArray:
        if self.rules.once_on_a_path and len(used):
            used[np.arange(len(used)), feature] = True
        return used

    def _hand_down_choices(self, level: _Level, frontier: IntArray, depth: int, base: IntArray, first: int) -> None:
        if not self.waiting:
            return
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
            size[low:start] += np.bincount(above - low, weights=size[start:stop], minlength=start - low).astype(
                np.int64
            )
        number = np.zeros(n, dtype=np.int64)
        depth = np.zeros(n, dtype=np.int64)
        for d, (start, stop) in enumerate(spans[1:], start=1):
            before = np.cumsum(size[start:stop]) - size[start:stop]
            leader = np.flatnonzero(branch[start:stop] == 0)
            n_siblings = np.append(leader[1:], stop - start) - leader
            offset = before - np.repeat(before[leader], n_siblings)
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
            size=counts.sum(axis=1),
            impurity=impurity(self.rules.criterion, counts.T, self.logs),
            prediction=joined("prediction")[order],
            informed_by=np.where(counts.any(axis=1), ids, parent),
            stop=joined("stop")[order],
            scored=joined("scored")[order],
            by_choice=joined("by_choice")[order],
            subtree_end=ids + size[order],
            leaf_of_row=number[self.node_of_row],
        )
