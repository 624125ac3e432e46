"""The recursion of the books: DT(rows, features), one call a node, each call's evidence kept.

It grows small tables, where it is also the fastest way; search.py grows large ones to the same tree.
Sources: Quinlan 1986; Mitchell 1997, table 3.1; Breiman et al. 1984.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.criteria import impurity
from engine.dense import DenseScores, DenseTable
from engine.evidence import TOLERANCE, NodeScores, score_choice
from engine.settings import Choice, ResolvedSettings
from engine.splits import Path, Split, SplitKind
from engine.table import IntArray, Table
from engine.trace import StopReason
from engine.tree import SPLIT_KINDS, STOP_REASONS, Nodes


def grow_recursively(
    table: Table, rules: ResolvedSettings, choices: Sequence[Choice] = ()
) -> tuple[Nodes, dict[int, NodeScores]]:
    """Grow the tree over a prepared table; return its nodes and the evidence of each scored one."""
    recursion = _Recursion(table, rules, choices)
    recursion.decide(np.arange(table.n_rows), parent=-1, branch=0, depth=0, usable=range(len(table.features)), path=())
    return recursion.nodes(), recursion.evidence


class _Recursion:
    def __init__(self, table: Table, rules: ResolvedSettings, choices: Sequence[Choice]) -> None:
        self.table, self.rules = table, rules
        self.choices = {choice.path: choice for choice in choices}
        self.dense = DenseTable(table, rules)
        self.classes = table.target_values.astype(np.intp)
        self.evidence: dict[int, NodeScores] = {}
        self.places: list[tuple[int, int, int]] = []  # parent, branch, depth
        self.counts: list[list[int]] = []
        self.predictions: list[int] = []
        self.stops: list[int] = []
        self.splits: dict[int, Split] = {}
        self.by_choice: set[int] = set()
        self.children: list[list[int]] = []
        self.ends: list[int] = []
        self.leaf_of_row = np.zeros(table.n_rows, dtype=np.int64)

    def decide(self, rows: IntArray, *, parent: int, branch: int, depth: int, usable: Sequence[int], path: Path) -> int:
        """Make the node for `rows`, and all below it; return its id."""
        node = self._add(rows, parent, branch, depth)
        split: Split | None = None
        stop = self._stop_before_scoring(rows, node, depth, usable)
        if stop is None:
            scored = self.evidence[node] = DenseScores(self.dense, rows, usable, self.counts[node])
            split = self._chosen(rows, node, path) or self._best(scored)
            stop = None if split else self._stop_after_scoring(scored)
        if split is None or stop is not None:
            self.stops[node] = STOP_REASONS.index(stop or StopReason.NO_USEFUL_SPLIT)
            self.leaf_of_row[rows] = node
        else:
            self.splits[node] = split
            if self.rules.once_on_a_path and split.kind is not SplitKind.THRESHOLD:
                usable = [feature for feature in usable if feature != split.feature]
            conditions = split.conditions(self.table.features[split.feature]) if self.choices else ()
            for number, part in enumerate(self._parts(rows, split)):
                below = (*path, conditions[number]) if self.choices else ()
                child = self.decide(part, parent=node, branch=number, depth=depth + 1, usable=usable, path=below)
                self.children[node].append(child)
        self.ends[node] = len(self.counts)
        return node

    def _stop_before_scoring(self, rows: IntArray, node: int, depth: int, usable: Sequence[int]) -> StopReason | None:
        rules = self.rules
        if not len(rows):
            return StopReason.NO_ROWS
        if max(self.counts[node]) == len(rows):
            return StopReason.PURE
        if rules.max_depth is not None and depth >= rules.max_depth:
            return StopReason.MAX_DEPTH
        if len(rows) < rules.min_samples_split:
            return StopReason.MIN_SAMPLES_SPLIT
        if not usable:
            return StopReason.NO_FEATURES
        return None

    def _stop_after_scoring(self, scored: NodeScores) -> StopReason:
        if scored.best_split is not None:
            return StopReason.MIN_GAIN
        return StopReason.MIN_SAMPLES_LEAF if scored.only_small_leaves_barred else StopReason.NO_USEFUL_SPLIT

    def _best(self, scored: NodeScores) -> Split | None:
        """The winning split; None where there is none, or where it gains too little."""
        if scored.best_split is None:
            return None
        split, gain = scored.best_split
        return split if gain >= self.rules.min_gain - TOLERANCE else None

    def _chosen(self, rows: IntArray, node: int, path: Path) -> Split | None:
        choice = self.choices.get(path)
        scores = score_choice(self.table, self.rules, rows, choice) if choice else None
        if scores is None:
            return None
        self.by_choice.add(node)
        return scores.split(0)

    def _parts(self, rows: IntArray, split: Split) -> list[IntArray]:
        column = self.table.columns[split.feature][rows]
        if split.threshold is not None:
            below = column < split.threshold
            return [rows[below], rows[~below]]
        if split.kind is SplitKind.MULTIWAY:
            return [rows[column == code] for code in range(split.n_branches)]
        branch = split.branch_of(column, self.table.features[split.feature])
        return [rows[branch == number] for number in range(split.n_branches)]

    def _add(self, rows: IntArray, parent: int, branch: int, depth: int) -> int:
        counts = np.bincount(self.classes.take(rows), minlength=self.table.n_classes).tolist()
        self.places.append((parent, branch, depth))
        self.counts.append(counts)
        self.predictions.append(self._majority(counts, parent))
        self.stops.append(-1)
        self.children.append([])
        self.ends.append(0)
        return len(self.counts) - 1

    def _majority(self, counts: list[int], parent: int) -> int:
        """The most frequent class; a tie goes to the class more frequent in the parent, then the first."""
        most = max(counts)
        if most == 0:
            return self.predictions[parent]
        if counts.count(most) == 1 or parent < 0:
            return counts.index(most)
        above = self.counts[parent]
        return max((code for code, count in enumerate(counts) if count == most), key=lambda code: above[code])

    def nodes(self) -> Nodes:
        """The finished tree as arrays."""
        n = len(self.counts)
        parent, branch, depth = np.array(self.places, dtype=np.int64).T
        feature, kind = np.full((2, n), -1)
        threshold = np.full(n, np.nan)
        groups = {}
        for node, split in self.splits.items():
            feature[node], kind[node] = split.feature, SPLIT_KINDS.index(split.kind)
            if split.threshold is not None:
                threshold[node] = split.threshold
            elif split.kind is SplitKind.SUBSET:
                groups[node] = split.groups
        flags = np.zeros((2, n), dtype=bool)
        flags[0, list(self.evidence)] = True
        flags[1, list(self.by_choice)] = True
        counts = np.array(self.counts)
        n_children = np.array([len(ids) for ids in self.children])
        return Nodes(
            parent=parent,
            branch=branch,
            depth=depth,
            feature=feature,
            kind=kind,
            threshold=threshold,
            groups=groups,
            first_child=np.cumsum(n_children) - n_children,
            n_children=n_children,
            children=np.array([child for ids in self.children for child in ids], dtype=np.int64),
            counts=counts,
            impurity=impurity(self.rules.criterion, counts.T, self.dense.logs),
            prediction=np.array(self.predictions),
            informed_by=np.where(counts.any(axis=1), np.arange(n), parent),
            stop=np.array(self.stops),
            scored=flags[0],
            by_choice=flags[1],
            subtree_end=np.array(self.ends),
            leaf_of_row=self.leaf_of_row,
        )
