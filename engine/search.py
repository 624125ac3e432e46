"""The search for splits, a level at a time: every node of a level and every feature at once.

This file and its parts (active, thresholds, weighing, tallies) trade beauty for speed. recursion.py grows
the same tree by the recursion of the books; the tests hold the two equal.

A level's nodes that may still split are its frontier; a slot is a node's place in the frontier.
Nodes are numbered as they are made, and depth-first at the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from engine.active import ActiveRows, shares_of_unknown
from engine.choices import WaitingChoices
from engine.criteria import n_log2_n_table
from engine.dense import splits_by_level
from engine.draws import first_draw, next_draws
from engine.filters import best_drawn, divide_by_costs, keep_above_average
from engine.groups_search import MOST_BITS, groups_of_bits
from engine.levels import Level, apart, depth_first
from engine.memory import keep_freed_memory
from engine.scores import TOLERANCE, score_feature
from engine.settings import CategoricalSplits, Choice, CostRule, Missing, ResolvedSettings
from engine.splits import SplitKind, is_numeric, midpoints
from engine.table import AnyArray, BoolArray, FloatArray, IntArray, Table
from engine.tallies import Tally
from engine.thresholds import BestCandidates, Cells, LevelTerms
from engine.totals import Totals, majorities
from engine.trace import StopReason
from engine.tree import SPLIT_KINDS, STOP_REASONS, Nodes
from engine.weighed_classes import ClassLevel
from engine.weighed_numbers import NumberLevel
from engine.weighing import WeighedCells

_STOP = {reason: STOP_REASONS.index(reason) for reason in StopReason}


keep_freed_memory()


def is_searched(table: Table, rules: ResolvedSettings) -> bool:
    """Whether `search_tree` grows such a tree; the recursion grows every one."""
    wide = any(len(table.features[i].levels) > MOST_BITS for i in table.categorical)
    unlike = bool(table.categorical) and _ties_by_squares(rules)
    return not ((wide or unlike) and rules.categorical_splits is CategoricalSplits.SUBSET)


def _ties_by_squares(rules: ResolvedSettings) -> bool:
    """Whether candidates tie by the squares of their gains: the smaller the gains, the wider apart."""
    squared = rules.costs is not None and rules.cost_rule is CostRule.SQUARED_GAIN_OVER_COST
    return squared and not rules.average_gain_filter


def search_tree(
    table: Table, rules: ResolvedSettings, choices: Sequence[Choice] = (), weights: FloatArray | None = None
) -> Nodes:
    """Grow the whole tree over a prepared table, level by level, and number it depth-first.

    `weights`, of shape (n_rows,), are what each row counts.
    """
    search = _Search(table, rules, choices, weights)
    search.run()
    return depth_first(rules, search.logs, search.levels, search.first_id, search.groups, search.active)


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
    together = depth_first(rules, search.logs, search.levels, search.first_id, search.groups, search.active)
    return apart(together, np.bincount(tree_of_row))


class _Search:
    """One growth. The frontier is the level's nodes that may still split; a slot is a place in it."""

    def __init__(
        self, table: Table, rules: ResolvedSettings, choices: Sequence[Choice], weights: FloatArray | None
    ) -> None:
        self.table, self.rules = table, rules
        self.levels: list[Level] = []
        self.first_id = [0]
        self.groups: dict[int, tuple[tuple[int, ...], ...]] = {}
        self.active = ActiveRows(table, rules, weights)
        lacks = [feature.n_missing > 0 for feature in table.features]
        self.shares_out = any(lacks) and rules.missing is Missing.FRACTIONAL
        plain = weights is None and not rules.is_number and not any(lacks)
        self.logs = n_log2_n_table(table.n_rows) if plain else None
        self.subsets = not splits_by_level(table, rules)
        third = rules.missing is Missing.OWN_BRANCH
        self.n_branches = np.array(
            [
                2 + (third and lack) if is_numeric(feature) else 2 if self.subsets else len(feature.levels)
                for feature, lack in zip(table.features, lacks, strict=True)
            ]
            + [0]
        )
        self.is_numeric = np.array([is_numeric(feature) for feature in table.features] + [False])
        self.numeric_place = np.full(len(table.features), -1)
        self.numeric_place[list(table.numeric)] = np.arange(len(table.numeric))
        self.cells: Cells | None = None
        if table.numeric:
            self.cells = Cells(table, rules) if plain else WeighedCells(table, rules)
        self.tally = Tally(table, rules, self.logs, groups=self.subsets) if table.categorical else None
        self.choices = WaitingChoices(choices)
        self.draws = np.array([first_draw(rules.seed)], dtype=np.uint64)

    def run(self, tree_of_row: IntArray | None = None) -> None:
        """Grow to the end; several trees side by side where `tree_of_row` tells their rows apart."""
        table = self.table
        tree = np.zeros(table.n_rows, dtype=np.int64) if tree_of_row is None else tree_of_row
        n_trees = int(tree[-1]) + 1
        used = np.zeros((n_trees, len(table.features)), dtype=bool)
        none = np.zeros(n_trees, dtype=np.int64)
        level = self._make_level(none - 1, none, self.active.totals(tree, n_trees), np.zeros(n_trees), used, depth=0)
        frontier = np.flatnonzero(level.stop < 0)
        self._begin(tree, n_trees, level.stop < 0)
        depth = 0
        while len(frontier):
            self._split_frontier(level, frontier, used[frontier], depth)
            level, frontier, used = self._make_children(level, frontier, used, depth)
            depth += 1

    def _begin(self, tree: IntArray, n_trees: int, alive: BoolArray) -> None:
        """Give every row to the root of its tree; rows of finished roots are left out."""
        active = self.active
        active.node_of_entry[:] = tree
        active.slot = tree
        if n_trees == 1:
            return
        slot = (np.cumsum(alive) - 1).take(tree)
        staying = np.flatnonzero(alive[tree])
        active.keep(staying)
        self.draws, active.slot = self.draws[alive], slot.take(staying)
        if self.cells is not None:
            self.cells.partition(active.entries, active.slot, n_trees)
        if self.tally is not None:
            self.tally.keep(staying)

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
        stop[sums.rows < rules.min_samples_split - TOLERANCE] = _STOP[StopReason.MIN_SAMPLES_SPLIT]
        if rules.max_depth is not None and depth >= rules.max_depth:
            stop[:] = _STOP[StopReason.MAX_DEPTH]
        stop[sums.pure] = _STOP[StopReason.PURE]
        stop[sums.entries == 0] = _STOP[StopReason.NO_ROWS]
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
            return np.where(sums.entries > 0, sums.mean, parent_prediction)
        above = None
        if len(parent) and parent[0] >= 0:
            above = self.levels[-1].totals.counts[parent - self.first_id[-2]]
        prediction = majorities(sums.counts, above)
        empty = sums.entries == 0
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
        first = self.first_id[len(self.levels) - 1]
        self.branch_lookup = self.choices.take(self.active, level, frontier, first, depth)
        for slot, taken in self.branch_lookup.items():
            if taken.kind is SplitKind.SUBSET:
                self.groups[int(first + frontier[slot])] = taken.groups

    def _best_of_features(
        self, sums: Totals, parent: FloatArray, used: BoolArray, wanted: BoolArray | None = None
    ) -> BestCandidates:
        table, rules = self.table, self.rules
        best = BestCandidates.none(len(table.features), len(parent))
        if self.cells is not None:
            alone = not table.categorical
            numeric = best if alone else BestCandidates.none(len(table.numeric), len(parent))
            if isinstance(self.cells, WeighedCells):
                kind = NumberLevel if rules.is_number else ClassLevel
                kind(self.cells, self.active, sums, parent).search(numeric)
            elif self.logs is not None:
                own = None if wanted is None else wanted[list(table.numeric)]
                self.cells.search(LevelTerms(sums.counts, parent, self.logs, rules.ranks_by), numeric, own)
            if not alone:
                best.put(table.numeric, numeric)
        if self.tally is not None:
            alone = not table.numeric
            categorical = best if alone else BestCandidates.none(len(table.categorical), len(parent))
            self.tally.search(self.active, sums, parent, categorical)
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
        feature = winner[split]
        numeric = self.is_numeric[feature]
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
        places = self.numeric_place[features]
        cells = best.place[features, slots]
        low, high = self.cells.ranks_at(places, cells)
        least = (top - self.slack)[slots]
        wrong = best.own[features, slots] < least
        if _ties_by_squares(self.rules):
            wrong[:] = True
        self._undo_near_ties(slots, features, least, wrong, low, high)
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
        features: IntArray,
        least: FloatArray,
        wrong: BoolArray,
        low: IntArray,
        high: IntArray,
    ) -> None:
        """Correct the rare threshold that ties with its feature's best but not with the node's best.

        `least` is the score from which a candidate ties with the node's best.
        """
        for i in np.flatnonzero(wrong).tolist():
            here, place = self.active.of(int(slots[i])), self.numeric_place[features[i]]
            scores = score_feature(here, int(features[i]))
            ties = scores.admissible & (scores.score >= least[i])
            if ties.any():
                distinct = self.table.distinct[place]
                inside = np.unique(self.table.rank_matrix[place][here.rows])
                inside = inside[inside < len(distinct)]
                cut = int(np.searchsorted(distinct[inside], scores.thresholds[int(ties.argmax())]))
                low[i], high[i] = inside[cut - 1], inside[cut]

    def _branch_of_rows(self, level: Level, frontier: IntArray) -> IntArray:
        """The branch that each active row takes; -1 where its node is finished, or its value is not known."""
        table, rows, slot = self.table, self.active.rows, self.active.slot
        feature = level.feature[frontier]
        numeric = self.is_numeric[feature]
        branch = np.full(len(rows), -1)
        if self.cells is not None and numeric.any():
            place = self.numeric_place[feature]
            offset = place * table.n_rows
            cells = np.flatnonzero(numeric[slot])
            slots = slot.take(cells)
            ranks = table.rank_matrix.ravel().take(offset.take(slots) + rows.take(cells))
            branch[cells] = ranks >= self.cut[slots]
            if isinstance(self.cells, WeighedCells) and self.cells.lacks.any():
                lost = ranks == self.cells.n_distinct[place].take(slots)
                branch[cells[lost]] = -1 if self.shares_out else 2
        categorical = ~numeric & (feature >= 0)
        if self.tally is not None and categorical.any():
            place = np.zeros(len(table.features), dtype=np.int64)
            place[list(table.categorical)] = np.arange(len(table.categorical))
            cells = np.flatnonzero(categorical[slot])
            slots = slot.take(cells)
            levels = self.tally.levels(place[feature].take(slots), cells)
            branch[cells] = 1 - ((self.first_group.take(slots) >> levels) & 1) if self.subsets else levels
            if self.shares_out:
                n_levels = np.array([len(f.levels) for f in table.features])[feature]
                branch[cells[levels == n_levels.take(slots)]] = -1
        for chosen, split in self.branch_lookup.items():
            cells = np.flatnonzero(slot == chosen)
            spec = table.features[split.feature]
            branch[cells] = split.branch_of(table.columns[split.feature][rows[cells]], spec)
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
        places, branch, before = self._hand_on(feature, width, self._branch_of_rows(level, frontier))
        child = base.take(self.active.slot) + branch
        sums = self.active.totals(child, n_children)
        parent_slot = np.repeat(np.arange(len(frontier)), width)
        branch_of_child = np.arange(n_children) - base[parent_slot]
        parent = first + frontier[parent_slot]
        below = used[frontier][parent_slot]
        if self.rules.once_on_a_path and len(below):
            below[np.arange(len(below)), feature[parent_slot]] = True
        self.choices.hand_down(self.table, level, frontier, first, depth, self.first_id[-1] + base)
        if self.rules.max_features is not None:
            self.draws = next_draws(self.draws.take(parent_slot), branch_of_child)
        if n_children:
            made = self._make_level(
                parent, branch_of_child, sums, level.prediction[frontier][parent_slot], below, depth + 1
            )
        else:
            made = self._empty_level()
        self.active.node_of_entry[self.active.entries] = self.first_id[len(self.levels) - 1] + child
        alive = made.stop < 0
        order = np.argsort(branch_of_child, kind="stable")
        next_frontier = order[alive[order]]
        slot_of_child = np.full(n_children, -1)
        slot_of_child[next_frontier] = np.arange(len(next_frontier))
        next_slot = slot_of_child.take(child)
        staying = np.flatnonzero(next_slot >= 0)
        if len(staying) < len(next_slot):
            self.active.keep(staying)
            next_slot, branch, places = next_slot.take(staying), branch.take(staying), places.take(staying)
            before = None if before is None else before.take(staying)
        self.draws = self.draws.take(next_frontier) if self.rules.max_features is not None else self.draws
        if self.cells is not None and len(next_frontier):
            n_branches = int(width.max(initial=1))
            if before is None:
                self.cells.partition(self.active.entries, branch, n_branches)
            else:
                self.cells.share_out(before, self.active.entries, branch, n_branches)
        if self.tally is not None and len(next_frontier):
            self.tally.keep(places)
        self.active.slot = next_slot
        return made, next_frontier, below

    def _hand_on(
        self, feature: IntArray, width: IntArray, branch: IntArray
    ) -> tuple[IntArray, IntArray, IntArray | None]:
        """Make what goes down a branch active: the places where it was, its branch, and its old numbers.

        The last are None where no row falls into parts.
        """
        active = self.active
        if self.shares_out:
            unknown = np.flatnonzero((branch < 0) & (feature >= 0).take(active.slot))
            if len(unknown):
                known = np.flatnonzero(branch >= 0)
                shared, branches, share = shares_of_unknown(branch, unknown, active.slot, width, active.weights)
                places = np.concatenate([known, shared])
                before = active.entries.take(places)
                active.share_out(known, shared, share)
                return places, np.concatenate([branch.take(known), branches]), before
        places = np.flatnonzero(branch >= 0)
        if len(places) < len(branch):
            active.keep(places)
            branch = branch.take(places)
        return places, branch, None

    def _empty_level(self) -> Level:
        none, flags = np.empty(0, dtype=np.int64), np.empty(0, dtype=bool)
        return Level(none, none, self.active.totals(none, 0), none, none, none, none, np.empty(0), flags, flags)
