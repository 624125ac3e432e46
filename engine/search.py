"""The search for splits, a level at a time: every node of a level and every feature at once.

This file and its parts (thresholds, weighing, tallies) trade beauty for speed. recursion.py grows
the same tree by the recursion of the books; the tests hold the two equal.

A level's nodes that may still split are its frontier; a slot is a node's place in the frontier.
Nodes are numbered as they are made, and depth-first at the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from engine.criteria import n_log2_n_table
from engine.dense import splits_by_level
from engine.draws import first_draw, next_draws
from engine.evidence import NodeScores
from engine.filters import best_drawn, divide_by_costs, keep_above_average
from engine.groups_search import MOST_BITS, groups_of_bits
from engine.levels import Level, apart, depth_first
from engine.scores import TOLERANCE, score_choice
from engine.settings import CategoricalSplits, Choice, ResolvedSettings
from engine.splits import Condition, Split, SplitKind, is_numeric, midpoints
from engine.sums import NodeRows
from engine.table import AnyArray, BoolArray, FloatArray, IntArray, Table
from engine.tallies import Tally
from engine.thresholds import BestCandidates, Cells, LevelTerms
from engine.totals import Totals, majorities, totals
from engine.trace import StopReason
from engine.tree import SPLIT_KINDS, STOP_REASONS, Nodes
from engine.weighing import WeighedCells

_STOP = {reason: STOP_REASONS.index(reason) for reason in StopReason}


def is_searched(table: Table, rules: ResolvedSettings) -> bool:
    """Whether `search_tree` grows such a tree; the recursion grows every one."""
    wide = any(len(table.features[i].levels) > MOST_BITS for i in table.categorical)
    if wide and rules.categorical_splits is CategoricalSplits.SUBSET:
        return False
    return not any(feature.n_missing for feature in table.features)


def search_tree(
    table: Table, rules: ResolvedSettings, choices: Sequence[Choice] = (), weights: FloatArray | None = None
) -> Nodes:
    """Grow the whole tree over a prepared table, level by level, and number it depth-first.

    `weights`, of shape (n_rows,), are what each row counts.
    """
    search = _Search(table, rules, choices, weights)
    search.run()
    return depth_first(rules, search.logs, search.levels, search.first_id, search.groups, search.node_of_row)


def search_forest(table: Table, rules: ResolvedSettings, tree_of_row: IntArray, seeds: Sequence[int]) -> list[Nodes]:
    """Grow many trees at once: their levels are worked off together, so that small trees cost few calls.

    Parameters
    ----------
    table : Table
        The rows of all trees, tree after tree.
    rules : ResolvedSettings
    tree_of_row : ndarray of int64, shape (n_rows,)
        Which tree each row is of, ascending; every tree has rows.
    seeds : sequence of int
        The seed of each tree, in place of the settings'.
    """
    search = _Search(table, rules, (), None)
    search.draws = np.array([first_draw(seed) for seed in seeds], dtype=np.uint64)
    search.run(tree_of_row)
    together = depth_first(rules, search.logs, search.levels, search.first_id, search.groups, search.node_of_row)
    return apart(together, np.bincount(tree_of_row))


class _Search:
    """One growth. The frontier is the level's nodes that may still split; a slot is a place in it."""

    def __init__(
        self, table: Table, rules: ResolvedSettings, choices: Sequence[Choice], weights: FloatArray | None
    ) -> None:
        self.table, self.rules, self.weights = table, rules, weights
        self.n_classes = max(table.n_classes, 1)
        self.levels: list[Level] = []
        self.first_id = [0]
        self.groups: dict[int, tuple[tuple[int, ...], ...]] = {}
        self.node_of_row = np.zeros(table.n_rows, dtype=np.int64)
        plain = weights is None and not rules.is_number
        self.logs = n_log2_n_table(table.n_rows) if plain else None
        self.subsets = not splits_by_level(table, rules)
        self.n_branches = np.array([2 if self.subsets else len(f.levels) or 2 for f in table.features] + [0])
        self.is_numeric = np.array([is_numeric(feature) for feature in table.features] + [False])
        self.cells: Cells | None = None
        if table.numeric:
            self.cells = Cells(table, rules) if plain else WeighedCells(table, rules, weights)
        self.tally = Tally(table, rules, self.logs, groups=self.subsets) if table.categorical else None
        self.waiting: dict[int, list[Choice]] = {0: list(choices)} if choices else {}
        self.draws = np.array([first_draw(rules.seed)], dtype=np.uint64)

    def run(self, tree_of_row: IntArray | None = None) -> None:
        """Grow to the end; several trees side by side where `tree_of_row` tells their rows apart."""
        table = self.table
        self.rows = np.arange(table.n_rows)
        self.values = table.target_values if self.rules.is_number else table.target_values.astype(np.int64)
        self.own_weights = self.weights
        tree = np.zeros(table.n_rows, dtype=np.int64) if tree_of_row is None else tree_of_row
        n_trees = int(tree[-1]) + 1
        used = np.zeros((n_trees, len(table.features)), dtype=bool)
        none = np.zeros(n_trees, dtype=np.int64)
        level = self._make_level(none - 1, none, self._totals(tree, n_trees), np.zeros(n_trees), used, depth=0)
        frontier = np.flatnonzero(level.stop < 0)
        self._begin(tree, n_trees, level.stop < 0)
        depth = 0
        while len(frontier):
            self._split_frontier(level, frontier, used[frontier], depth)
            level, frontier, used = self._make_children(level, frontier, used, depth)
            depth += 1

    def _begin(self, tree: IntArray, n_trees: int, alive: BoolArray) -> None:
        """Give every row to the root of its tree; rows of finished roots are left out."""
        self.node_of_row[:] = tree
        self.slot_of_row = tree
        if n_trees == 1:
            return
        self.slot_of_row = (np.cumsum(alive) - 1).take(tree)
        staying = np.flatnonzero(alive[tree])
        self._keep_rows(staying)
        self.draws, self.slot_of_row = self.draws[alive], self.slot_of_row.take(staying)
        if self.cells is not None:
            self.cells.partition(self.rows, self.slot_of_row, n_trees)
        if self.tally is not None:
            self.tally.keep(staying)

    def _totals(self, node: IntArray, n_nodes: int) -> Totals:
        return totals(self.rules, self.n_classes, self.values, self.own_weights, node, n_nodes)

    def _make_level(
        self,
        parent: IntArray,
        branch: IntArray,
        sums: Totals,
        parent_prediction: AnyArray,
        used: BoolArray,
        depth: int,
    ) -> Level:
        """Nodes of one level, with what stops them before their candidates are scored."""
        rules, n = self.rules, len(parent)
        stop = np.full(n, -1)
        if not self.table.numeric and rules.once_on_a_path:
            stop[used.all(axis=1)] = _STOP[StopReason.NO_FEATURES]
        stop[sums.rows < rules.min_samples_split] = _STOP[StopReason.MIN_SAMPLES_SPLIT]
        if rules.max_depth is not None and depth >= rules.max_depth:
            stop[:] = _STOP[StopReason.MAX_DEPTH]
        stop[sums.pure] = _STOP[StopReason.PURE]
        stop[sums.rows == 0] = _STOP[StopReason.NO_ROWS]
        level = Level(
            parent=parent,
            branch=branch,
            totals=sums,
            prediction=self._predictions(parent, sums, parent_prediction),
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

    def _predictions(self, parent: IntArray, sums: Totals, parent_prediction: AnyArray) -> AnyArray:
        """The majority or the mean of each node; an empty one has its parent's."""
        if sums.mean is not None:
            return np.where(sums.rows > 0, sums.mean, parent_prediction)
        above = None
        if len(parent) and parent[0] >= 0:
            above = self.levels[-1].totals.counts[parent - self.first_id[-2]]
        prediction = majorities(sums.counts, above)
        empty = sums.rows == 0
        prediction[empty] = parent_prediction[empty]
        return prediction

    def _split_frontier(self, level: Level, frontier: IntArray, used: BoolArray, depth: int) -> None:
        """Decide for every frontier node: a split, written into `level`, or the reason to stop."""
        sums = level.totals.take(frontier)
        parent = sums.impurity(self.rules.criterion, self.logs)
        if self.rules.max_features is None:
            best = self._best_of_features(sums, parent, used)
        else:
            search = partial(self._best_of_features, sums, parent, used)
            best = best_drawn(search, self.draws, used & ~self.is_numeric[:-1], self.rules)
        if self.rules.average_gain_filter:
            keep_above_average(best, self.rules)
        if self.rules.costs is not None:
            divide_by_costs(best, self.rules)
        self.slack = TOLERANCE * parent if self.rules.is_number else np.full(len(frontier), TOLERANCE)
        top = best.score.max(axis=0)
        winner = (best.score >= top - self.slack).argmax(axis=0)
        slots = np.arange(len(frontier))
        none = np.isneginf(top)
        if none.any():
            small = best.separates.any(axis=0) & ~best.large.any(axis=0)
            level.stop[frontier[none & small]] = _STOP[StopReason.MIN_SAMPLES_LEAF]
            level.stop[frontier[none & ~small]] = _STOP[StopReason.NO_USEFUL_SPLIT]
        if self.rules.min_gain:
            weak = ~none & (best.gain[winner, slots] < self.rules.min_gain - self.slack)
            level.stop[frontier[weak]] = _STOP[StopReason.MIN_GAIN]
        split = np.flatnonzero(level.stop[frontier] < 0)
        level.feature[frontier[split]] = winner[split]
        self.cut = np.zeros(len(frontier), dtype=np.int64)
        self._set_thresholds(level, frontier, split, winner, best, top)
        self.branch_lookup: dict[int, Split] = {}
        if self.waiting:
            self._take_choices(level, frontier, depth)

    def _best_of_features(
        self, sums: Totals, parent: FloatArray, used: BoolArray, wanted: BoolArray | None = None
    ) -> BestCandidates:
        table, rules = self.table, self.rules
        best = BestCandidates.none(len(table.features), len(parent))
        if self.cells is not None:
            alone = not table.categorical
            numeric = best if alone else BestCandidates.none(len(table.numeric), len(parent))
            if isinstance(self.cells, WeighedCells):
                self.cells.search_totals(self.rows, self.slot_of_row, sums, parent, numeric)
            elif self.logs is not None:
                own = None if wanted is None else wanted[list(table.numeric)]
                self.cells.search(LevelTerms(sums.counts, parent, self.logs, rules.ranks_by), numeric, own)
            if not alone:
                best.put(table.numeric, numeric)
        if self.tally is not None:
            alone = not table.numeric
            categorical = best if alone else BestCandidates.none(len(table.categorical), len(parent))
            self.tally.search(self.slot_of_row, self.values, self.own_weights, sums, parent, categorical)
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
        level: Level,
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
        if self.subsets:
            self._set_groups(frontier, split[~numeric], feature[~numeric], best)
        if self.cells is None:
            return
        slots = split[numeric]
        features = winner[slots]
        places = numeric_place[features]
        cells = best.place[features, slots]
        low, high = self.cells.ranks_at(places, cells)
        self._undo_near_ties(slots, best.own[features, slots] < (top - self.slack)[slots], places, low, high)
        self.cut[slots] = high
        values, begin = self.table.all_distinct
        begin = begin[places]
        level.threshold[frontier[slots]] = midpoints(values[begin + low], values[begin + high])

    def _set_groups(self, frontier: IntArray, slots: IntArray, features: IntArray, best: BestCandidates) -> None:
        """Keep the two groups of levels of the nodes that split so."""
        self.first_group = np.zeros(len(frontier), dtype=np.int64)
        self.first_group[slots] = best.place[features, slots]
        first = self.first_id[len(self.levels) - 1]
        for slot, feature, bits in zip(
            *map(np.ndarray.tolist, (slots, features, self.first_group[slots])), strict=True
        ):
            self.groups[int(first + frontier[slot])] = groups_of_bits(bits, len(self.table.features[feature].levels))

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
            won = NodeScores(self._here(rows), range(len(self.table.features))).best_split
            if won is not None and won[0].threshold is not None:
                inside = np.unique(self.table.rank_matrix[places[i]][rows])
                cut = int(np.searchsorted(self.table.distinct[places[i]][inside], won[0].threshold))
                low[i], high[i] = inside[cut - 1], inside[cut]

    def _here(self, rows: IntArray) -> NodeRows:
        return NodeRows(self.table, self.rules, rows, None if self.weights is None else self.weights[rows])

    def _take_choices(self, level: Level, frontier: IntArray, depth: int) -> None:
        """Put the splits that a person chose in place of the search's."""
        first = self.first_id[len(self.levels) - 1]
        slot_of = {int(first + node): slot for slot, node in enumerate(frontier.tolist())}
        for node, choices in self.waiting.items():
            own = next((c for c in choices if len(c.path) == depth), None)
            if own is None or node not in slot_of:
                continue
            slot = slot_of[node]
            rows = self.rows[self.slot_of_row == slot]
            scores = score_choice(self._here(rows), own)
            if scores is None:
                continue
            split, place = scores.split(0), frontier[slot]
            level.stop[place], level.by_choice[place] = -1, True
            level.feature[place], level.kind[place] = split.feature, SPLIT_KINDS.index(split.kind)
            level.threshold[place] = np.nan if split.threshold is None else split.threshold
            if split.kind is SplitKind.SUBSET:
                self.groups[node] = split.groups
            self.branch_lookup[slot] = split

    def _branch_of_rows(self, level: Level, frontier: IntArray) -> IntArray:
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
            slots = self.slot_of_row.take(cells)
            levels = self.tally.levels(place[feature].take(slots), cells)
            branch[cells] = 1 - ((self.first_group.take(slots) >> levels) & 1) if self.subsets else levels
        for slot, split in self.branch_lookup.items():
            cells = np.flatnonzero(self.slot_of_row == slot)
            spec = table.features[split.feature]
            branch[cells] = split.branch_of(table.columns[split.feature][self.rows[cells]], spec)
        return branch

    def _make_children(
        self, level: Level, frontier: IntArray, used: BoolArray, depth: int
    ) -> tuple[Level, IntArray, BoolArray]:
        """Make the children of the split nodes and hand every row on to its child."""
        feature = level.feature[frontier]
        first = self.first_id[len(self.levels) - 1]
        width = self.n_branches[feature]
        for taken, split in self.branch_lookup.items():
            width[taken] = split.n_branches
        base = np.cumsum(width) - width
        n_children = int(width.sum())
        branch = self._branch_of_rows(level, frontier)
        moving = np.flatnonzero(branch >= 0)
        slot = self.slot_of_row
        if len(moving) < len(branch):
            slot, branch = slot.take(moving), branch.take(moving)
            self._keep_rows(moving)
        child = base.take(slot) + branch
        sums = self._totals(child, n_children)
        parent_slot = np.repeat(np.arange(len(frontier)), width)
        branch_of_child = np.arange(n_children) - base[parent_slot]
        parent = first + frontier[parent_slot]
        below = used[frontier][parent_slot]
        if self.rules.once_on_a_path and len(below):
            below[np.arange(len(below)), feature[parent_slot]] = True
        self._hand_down_choices(level, frontier, depth, base, first)
        if self.rules.max_features is not None:
            self.draws = next_draws(self.draws.take(parent_slot), branch_of_child)
        if n_children:
            made = self._make_level(
                parent, branch_of_child, sums, level.prediction[frontier][parent_slot], below, depth + 1
            )
        else:
            made = self._empty_level()
        self.node_of_row[self.rows] = self.first_id[len(self.levels) - 1] + child
        alive = made.stop < 0
        order = np.argsort(branch_of_child, kind="stable")
        next_frontier = order[alive[order]]
        slot_of_child = np.full(n_children, -1)
        slot_of_child[next_frontier] = np.arange(len(next_frontier))
        next_slot = slot_of_child.take(child)
        staying = np.flatnonzero(next_slot >= 0)
        if len(staying) < len(next_slot):
            self._keep_rows(staying)
            next_slot, branch, moving = next_slot.take(staying), branch.take(staying), moving.take(staying)
        self.draws = self.draws.take(next_frontier) if self.rules.max_features is not None else self.draws
        if self.cells is not None and len(next_frontier):
            self.cells.partition(self.rows, branch, int(width.max(initial=1)))
        if self.tally is not None and len(next_frontier):
            self.tally.keep(moving)
        self.slot_of_row = next_slot
        return made, next_frontier, below

    def _keep_rows(self, places: IntArray) -> None:
        """Keep only these active rows."""
        self.rows, self.values = self.rows.take(places), self.values.take(places)
        if self.own_weights is not None:
            self.own_weights = self.own_weights.take(places)

    def _hand_down_choices(self, level: Level, frontier: IntArray, depth: int, base: IntArray, first: int) -> None:
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

    def _conditions(self, level: Level, frontier: IntArray, slot: int) -> tuple[Condition, ...]:
        node = frontier[slot]
        feature, threshold = int(level.feature[node]), float(level.threshold[node])
        spec = self.table.features[feature]
        if slot in self.branch_lookup:
            return self.branch_lookup[slot].conditions(spec)
        if np.isnan(threshold):
            groups = tuple((code,) for code in range(len(spec.levels)))
            return Split(feature, SplitKind.MULTIWAY, groups=groups).conditions(spec)
        return Split(feature, SplitKind.THRESHOLD, threshold=threshold).conditions(spec)

    def _empty_level(self) -> Level:
        none, flags = np.empty(0, dtype=np.int64), np.empty(0, dtype=bool)
        return Level(none, none, self._totals(none, 0), none, none, none, none, np.empty(0), flags, flags)
