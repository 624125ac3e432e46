"""The recursion of the books: DT(rows, features), one call a node, each call's evidence kept.

It grows small tables, where it is also the fastest way; search.py grows large ones to the same tree.
Sources: Quinlan 1986; Mitchell 1997, table 3.1; Breiman et al. 1984.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.criteria import Criterion, impurity
from engine.dense import DenseScores, DenseTable, is_dense
from engine.draws import first_draw, next_draw, node_scores
from engine.evidence import NodeScores
from engine.scores import TOLERANCE, score_choice
from engine.settings import Choice, Missing, ResolvedSettings
from engine.splits import Path, Split, SplitKind
from engine.sums import NodeRows
from engine.table import AnyArray, BoolArray, FloatArray, IntArray, Table
from engine.trace import StopReason
from engine.tree import SPLIT_KINDS, STOP_REASONS, Nodes, Parts


def grow_recursively(
    table: Table, rules: ResolvedSettings, choices: Sequence[Choice] = (), weights: FloatArray | None = None
) -> tuple[Nodes, dict[int, NodeScores]]:
    """Grow the tree over a prepared table; return its nodes and the evidence of each scored one.

    `weights`, of shape (n_rows,), are what each row counts.
    """
    recursion = _Recursion(table, rules, choices, weights)
    root = _Arrived(np.arange(table.n_rows), None)
    recursion.decide(
        root, parent=-1, branch=0, depth=0, usable=range(len(table.features)), path=(), draw=first_draw(rules.seed)
    )
    return recursion.nodes(), recursion.evidence


@dataclass(frozen=True, eq=False)
class _Arrived:
    """The rows that reach a node; `fractions` is None where they arrive whole."""

    rows: IntArray
    fractions: FloatArray | None


class _Recursion:
    def __init__(
        self, table: Table, rules: ResolvedSettings, choices: Sequence[Choice], weights: FloatArray | None
    ) -> None:
        self.table, self.rules, self.weights = table, rules, weights
        self.choices = {choice.path: choice for choice in choices}
        self.dense = DenseTable(table, rules) if is_dense(table, rules, weights) else None
        self.evidence: dict[int, NodeScores] = {}
        self.places: list[tuple[int, int, int]] = []  # parent, branch, depth
        self.counts: list[list[float]] = []
        self.sizes: list[float] = []
        self.impurities: list[float] = []
        self.spreads: list[float] = []
        self.predictions: list[float] = []
        self.stops: list[int] = []
        self.splits: dict[int, Split] = {}
        self.by_choice: set[int] = set()
        self.children: list[list[int]] = []
        self.ends: list[int] = []
        self.leaves: list[tuple[int, _Arrived]] = []

    def decide(
        self, arrived: _Arrived, *, parent: int, branch: int, depth: int, usable: Sequence[int], path: Path, draw: int
    ) -> int:
        """Make the node for the rows that arrive, and all below it; return its id."""
        here = self._here(arrived)
        node = self._add(here, parent, branch, depth)
        split: Split | None = None
        stop = self._stop_before_scoring(here, node, depth, usable)
        if stop is None:
            scored = self.evidence[node] = self._scored(here, usable, draw)
            split = self._chosen(here, node, path) or self._best(scored)
            stop = None if split else self._stop_after_scoring(scored)
        if split is None or stop is not None:
            self.stops[node] = STOP_REASONS.index(stop or StopReason.NO_USEFUL_SPLIT)
            self.leaves.append((node, arrived))
        else:
            self.splits[node] = split
            if self.rules.once_on_a_path and split.kind is not SplitKind.THRESHOLD:
                usable = [feature for feature in usable if feature != split.feature]
            conditions = split.conditions(self.table.features[split.feature]) if self.choices else ()
            for number, part in enumerate(self._parts(arrived, split)):
                child = self.decide(
                    part,
                    parent=node,
                    branch=number,
                    depth=depth + 1,
                    usable=usable,
                    path=(*path, conditions[number]) if self.choices else (),
                    draw=next_draw(draw, number),
                )
                self.children[node].append(child)
        self.ends[node] = len(self.counts)
        return node

    def _here(self, arrived: _Arrived) -> NodeRows:
        weights = None if self.weights is None else self.weights[arrived.rows]
        if arrived.fractions is not None:
            weights = arrived.fractions if weights is None else weights * arrived.fractions
        return NodeRows(self.table, self.rules, arrived.rows, weights, arrived.fractions)

    def _scored(self, here: NodeRows, usable: Sequence[int], draw: int) -> NodeScores:
        if self.dense is not None:
            return DenseScores(self.dense, here.rows, usable, here.total.tolist())
        return node_scores(here, usable, draw)

    def _stop_before_scoring(self, here: NodeRows, node: int, depth: int, usable: Sequence[int]) -> StopReason | None:
        rules = self.rules
        if not len(here):
            return StopReason.NO_ROWS
        if self._is_pure(here, node):
            return StopReason.PURE
        if rules.max_depth is not None and depth >= rules.max_depth:
            return StopReason.MAX_DEPTH
        if here.n_rows < rules.min_samples_split - TOLERANCE:
            return StopReason.MIN_SAMPLES_SPLIT
        if not usable:
            return StopReason.NO_FEATURES
        return None

    def _is_pure(self, here: NodeRows, node: int) -> bool:
        if self.rules.is_number:
            values = self.table.target_values[here.rows]
            return bool(values.min() == values.max())
        return sum(count > 0 for count in self.counts[node]) == 1

    def _stop_after_scoring(self, scored: NodeScores) -> StopReason:
        if scored.best_split is not None:
            return StopReason.MIN_GAIN
        return StopReason.MIN_SAMPLES_LEAF if scored.only_small_leaves_barred else StopReason.NO_USEFUL_SPLIT

    def _best(self, scored: NodeScores) -> Split | None:
        """The winning split; None where there is none, or where it gains too little."""
        if scored.best_split is None:
            return None
        split, gain = scored.best_split
        return split if gain >= self.rules.min_gain - scored.tolerance else None

    def _chosen(self, here: NodeRows, node: int, path: Path) -> Split | None:
        choice = self.choices.get(path)
        scores = score_choice(here, choice) if choice else None
        if scores is None:
            return None
        self.by_choice.add(node)
        return scores.split(0)

    def _parts(self, arrived: _Arrived, split: Split) -> list[_Arrived]:
        """The rows of each branch; those without a value go down all of them, by the branches' shares."""
        rows, fractions = arrived.rows, arrived.fractions
        column = self.table.columns[split.feature][rows]
        if split.threshold is not None and not self.table.features[split.feature].n_missing:
            below = column < split.threshold
            taken = [below, ~below]
        elif split.kind is SplitKind.MULTIWAY:
            taken = [column == code for code in range(split.n_branches)]
        else:
            branch = split.branch_of(column, self.table.features[split.feature])
            taken = [branch == number for number in range(split.n_branches)]
        if self.table.features[split.feature].n_missing and self.rules.missing is Missing.FRACTIONAL:
            unknown = ~np.logical_or.reduce(taken)
            if unknown.any():
                return self._shared_parts(arrived, taken, unknown)
        return [_Arrived(rows[t], None if fractions is None else fractions[t]) for t in taken]

    def _shared_parts(self, arrived: _Arrived, taken: list[BoolArray], unknown: BoolArray) -> list[_Arrived]:
        rows = arrived.rows
        fractions = np.ones(len(rows)) if arrived.fractions is None else arrived.fractions
        weights = fractions if self.weights is None else fractions * self.weights[rows]
        known = [float(weights[t].sum()) for t in taken]
        parts = []
        for own, t in zip(known, taken, strict=True):
            part = np.where(unknown, fractions * (own / sum(known)), fractions)
            inside = t | unknown if own > 0 else t
            parts.append(_Arrived(rows[inside], part[inside]))
        return parts

    def _add(self, here: NodeRows, parent: int, branch: int, depth: int) -> int:
        sums = here.total
        self.places.append((parent, branch, depth))
        if self.rules.is_number:
            self.counts.append([])
            self.sizes.append(float(sums[0]))
            self.predictions.append(here.centre if len(here) else self.predictions[parent])
            self.impurities.append(here.impurity)
            self.spreads.append(float(impurity(Criterion.VARIANCE, sums)))
        else:
            counts = sums.tolist()
            self.counts.append(counts)
            self.predictions.append(self._majority(counts, parent))
        self.stops.append(-1)
        self.children.append([])
        self.ends.append(0)
        return len(self.counts) - 1

    def _majority(self, counts: list[float], parent: int) -> int:
        """The most frequent class; a tie goes to the class more frequent in the parent, then the first."""
        most = max(counts)
        if most == 0:
            return int(self.predictions[parent])
        if isinstance(most, float):
            most -= TOLERANCE * most
        best = [code for code, count in enumerate(counts) if count >= most]
        if len(best) == 1 or parent < 0:
            return best[0]
        above = self.counts[parent]
        level = max(above[code] for code in best)
        if isinstance(level, float):
            level -= TOLERANCE * level
        return next(code for code in best if above[code] >= level)

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
        n_children = np.array([len(ids) for ids in self.children])
        number = self.rules.is_number
        counts = np.array(self.counts).reshape(n, self.table.n_classes)
        sizes = np.array(self.sizes) if number else counts.sum(axis=1)
        logs = None if self.dense is None else self.dense.logs
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
            size=sizes,
            impurity=np.array(self.impurities) if number else impurity(self.rules.criterion, counts.T, logs),
            prediction=np.array(self.predictions, dtype=np.float64 if number else np.int64),
            informed_by=_informed_by(sizes, parent),
            stop=np.array(self.stops),
            scored=flags[0],
            by_choice=flags[1],
            subtree_end=np.array(self.ends),
            leaf_of_row=self._leaf_of_row(),
            mean=np.array(self.predictions) if number else None,
            variance=np.array(self.spreads) if number else None,
            parts=self._leaf_parts(),
        )

    def _leaf_of_row(self) -> IntArray:
        """The leaf of each row, or of the greatest part of it."""
        leaf = np.zeros(self.table.n_rows, dtype=np.int64)
        most = np.zeros(self.table.n_rows)
        for node, arrived in self.leaves:
            rows = arrived.rows
            if arrived.fractions is not None:
                more = arrived.fractions > most[rows] + TOLERANCE
                rows = rows[more]
                most[rows] = arrived.fractions[more]
            leaf[rows] = node
        return leaf

    def _leaf_parts(self) -> Parts | None:
        if all(arrived.fractions is None for _, arrived in self.leaves):
            return None
        whole = [np.ones(len(a.rows)) if a.fractions is None else a.fractions for _, a in self.leaves]
        return Parts(
            row=np.concatenate([arrived.rows for _, arrived in self.leaves]),
            leaf=np.repeat([node for node, _ in self.leaves], [len(arrived.rows) for _, arrived in self.leaves]),
            fraction=np.concatenate(whole),
        )


def _informed_by(sizes: AnyArray, parent: IntArray) -> IntArray:
    """The node whose rows speak for each node: its own, or the parent's where it has none."""
    return np.where(sizes > 0, np.arange(len(sizes)), parent)
