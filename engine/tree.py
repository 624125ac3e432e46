"""Tree: arrays of nodes in depth-first order; paths, prediction, and views of it half-grown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from engine.errors import QueryError
from engine.ingest import code_frame
from engine.prepare import fill_value
from engine.settings import Missing
from engine.splits import Condition, Path, Split, SplitKind, is_numeric
from engine.table import AnyArray, BoolArray, FloatArray, IntArray, Table, TargetKind
from engine.trace import StopReason

STOP_REASONS = tuple(StopReason)
SPLIT_KINDS = tuple(SplitKind)

Arrival = tuple[int, IntArray, FloatArray, BoolArray]
"""A node, the rows that reach it, their weights, and which of them it answers for."""


@dataclass(frozen=True, eq=False)
class Nodes:
    """The finished tree as arrays; entry i belongs to the node with id i (depth-first, root 0).

    Attributes
    ----------
    parent, branch, depth : ndarray of int64
        The parent's id (-1 at the root), which of its branches this is, and the depth.
    feature, kind : ndarray of int64
        The feature that the node splits on and the index of the split's kind in `SPLIT_KINDS`;
        -1 at a leaf.
    threshold : ndarray of float64
        NaN except at a threshold split.
    groups : dict of int to tuple of tuple of int
        Level codes of each branch, for the nodes whose branches are not simply one a level.
    first_child, n_children : ndarray of int64
        ``children[first_child[i] : first_child[i] + n_children[i]]`` are the ids of i's children.
    counts : ndarray of shape (n_nodes, n_classes)
        Rows of each class, or their weights; no columns where the target is a number.
    size : ndarray of shape (n_nodes,)
        Rows, or their weight.
    impurity : ndarray of float64
    prediction : ndarray
        Class codes (int64), or means (float64).
    informed_by : ndarray of int64
        The node whose counts give the probabilities: itself, or for an empty node the nearest
        ancestor that has rows.
    stop : ndarray of int64
        Index into `STOP_REASONS`; -1 at a split.
    scored, by_choice : ndarray of bool
        Whether candidates were scored, and whether a person chose the split.
    subtree_end : ndarray of int64
        One past the id of the node's last descendant.
    leaf_of_row : ndarray of int64, shape (n_rows,)
        The leaf that each row of the table ends in, or the greatest part of it.
    mean, variance : ndarray of float64, shape (n_nodes,), or None
        Of a number: its mean (the parent's at an empty node) and its sample variance.
    parts : Parts or None
        Where rows are fractional, the parts of rows in each leaf.
    """

    parent: IntArray
    branch: IntArray
    depth: IntArray
    feature: IntArray
    kind: IntArray
    threshold: FloatArray
    groups: Mapping[int, tuple[tuple[int, ...], ...]]
    first_child: IntArray
    n_children: IntArray
    children: IntArray
    counts: AnyArray
    size: AnyArray
    impurity: FloatArray
    prediction: AnyArray
    informed_by: IntArray
    stop: IntArray
    scored: BoolArray
    by_choice: BoolArray
    subtree_end: IntArray
    leaf_of_row: IntArray
    mean: FloatArray | None = None
    variance: FloatArray | None = None
    parts: Parts | None = None

    def __len__(self) -> int:
        return len(self.parent)

    @cached_property
    def decided_at(self) -> IntArray:
        """The step at which each node was split or became a leaf."""
        return np.asarray(np.cumsum(1 + self.scored.astype(np.int64)))

    @cached_property
    def row_order(self) -> tuple[IntArray, IntArray, FloatArray | None]:
        """Rows ordered by leaf, where each leaf's rows begin, and the part of each row: a node's rows are one slice."""
        parts = self.parts or Parts(np.arange(len(self.leaf_of_row)), self.leaf_of_row, None)
        order = np.argsort(parts.leaf, kind="stable")
        begin = np.searchsorted(parts.leaf[order], np.arange(len(self) + 1))
        return parts.row[order], begin, None if parts.fraction is None else parts.fraction[order]


@dataclass(frozen=True, eq=False)
class Parts:
    """Parts of rows in the leaves: arrays of one shape; `fraction` is None where all rows are whole."""

    row: IntArray
    leaf: IntArray
    fraction: FloatArray | None


@dataclass(frozen=True)
class Prediction:
    """What a tree says of one row, and the ids of the nodes on its path.

    `probabilities` is empty for a number. A row with a missing value that goes down every branch
    has all of its nodes in `path`, ascending.
    """

    prediction: str | float
    probabilities: dict[str, float]
    path: tuple[int, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Tree:
    """A tree, finished or as it stood after a step; a view that shares the arrays of its nodes.

    A node that is not yet decided predicts its majority, so every view is a usable model.

    Attributes
    ----------
    nodes : Nodes
    table : Table
        As the search saw it; rows of nodes are positions in it.
    source : Table
        As it was read.
    missing : Missing
    step : int or None
        The last step that the view shows; None for the finished tree.
    weights : ndarray of float64, shape (n_rows,), or None
        What each row of `table` counts.
    """

    nodes: Nodes
    table: Table
    source: Table
    missing: Missing
    step: int | None = None
    weights: FloatArray | None = None
    _fills: dict[int, float] = field(default_factory=dict, repr=False)
    collapsed: tuple[int, ...] = ()

    def at(self, step: int) -> Tree:
        """The tree as it stood after `step`."""
        return replace(self, step=step)

    def collapse(self, nodes: tuple[int, ...]) -> Tree:
        """The tree with these splits taken back: each is a leaf, and what was below it is hidden."""
        return replace(self, collapsed=tuple(sorted(nodes)))

    @cached_property
    def is_split(self) -> BoolArray:
        """Which nodes have been split in this view, shape (n of all nodes,)."""
        split = self.nodes.feature >= 0
        if self.step is not None:
            split &= self.nodes.decided_at <= self.step
        for node in self.collapsed:
            split[node : self.nodes.subtree_end[node]] = False
        return split

    @cached_property
    def is_visible(self) -> BoolArray:
        """Which nodes exist in this view: the root, and the children of split nodes."""
        visible = np.ones(len(self.nodes), dtype=bool)
        visible[1:] = self.is_split[self.nodes.parent[1:]]
        return visible

    @cached_property
    def is_open(self) -> BoolArray:
        """Which visible nodes are not yet decided."""
        if self.step is None:
            return np.zeros(len(self.nodes), dtype=bool)
        return self.is_visible & (self.nodes.decided_at > self.step)

    @property
    def n_nodes(self) -> int:
        """Number of visible nodes."""
        return int(self.is_visible.sum())

    @property
    def n_leaves(self) -> int:
        """Number of visible nodes that are not split; open ones count, for they predict."""
        return int((self.is_visible & ~self.is_split).sum())

    @property
    def depth(self) -> int:
        """Greatest depth of a visible node."""
        return int(self.nodes.depth[self.is_visible].max())

    def children(self, node: int) -> IntArray:
        """Ids of the node's children in the finished tree, in the order of its branches."""
        start = self.nodes.first_child[node]
        return self.nodes.children[start : start + self.nodes.n_children[node]]

    def split(self, node: int) -> Split | None:
        """The test at a node of the finished tree; None at a leaf."""
        feature = int(self.nodes.feature[node])
        if feature < 0:
            return None
        kind = SPLIT_KINDS[int(self.nodes.kind[node])]
        if kind is SplitKind.THRESHOLD:
            third = int(self.nodes.n_children[node]) > 2
            return Split(feature, kind, threshold=float(self.nodes.threshold[node]), missing_branch=third)
        one_a_level = tuple((code,) for code in range(len(self.table.features[feature].levels)))
        return Split(feature, kind, groups=self.nodes.groups.get(node, one_a_level))

    def ancestors(self, node: int) -> tuple[int, ...]:
        """Ids from the root to the node, both included."""
        line = [node]
        while (parent := int(self.nodes.parent[line[-1]])) >= 0:
            line.append(parent)
        return tuple(reversed(line))

    def condition(self, node: int) -> Condition | None:
        """The condition on the branch that leads to the node; None at the root."""
        parent = int(self.nodes.parent[node])
        if parent < 0:
            return None
        split = self.split(parent)
        assert split is not None
        return split.conditions(self.table.features[split.feature])[int(self.nodes.branch[node])]

    def path(self, node: int) -> Path:
        """The conditions from the root to the node."""
        return tuple(c for n in self.ancestors(node) if (c := self.condition(n)) is not None)

    @property
    def is_number(self) -> bool:
        """Whether the tree predicts a number."""
        return self.table.target.kind is TargetKind.NUMBER

    @property
    def weighted(self) -> bool:
        """Whether sizes and counts are weights: rows count differently, or arrive in parts."""
        return self.weights is not None or self.nodes.parts is not None

    def rows(self, node: int) -> IntArray:
        """Positions in `table` of the node's rows, ascending; a part of a row counts as the row."""
        rows, begin, fractions = self.nodes.row_order
        here = rows[begin[node] : begin[self.nodes.subtree_end[node]]]
        return np.sort(here) if fractions is None else np.unique(here)

    def fractions(self, node: int) -> FloatArray | None:
        """The part of each of `rows(node)` that is here; None where all are whole."""
        rows, begin, fractions = self.nodes.row_order
        if fractions is None:
            return None
        inside = slice(begin[node], begin[self.nodes.subtree_end[node]])
        distinct, place = np.unique(rows[inside], return_inverse=True)
        return np.asarray(np.bincount(place, fractions[inside], minlength=len(distinct)), dtype=np.float64)

    def row_weights(self, node: int) -> FloatArray | None:
        """What each of `rows(node)` counts here; None where each counts 1."""
        fractions = self.fractions(node)
        if self.weights is None:
            return fractions
        weights = self.weights[self.rows(node)]
        return weights if fractions is None else weights * fractions

    def stop_reason(self, node: int) -> StopReason | None:
        """Why the node is a leaf of the finished tree, or `pruned` where it was collapsed; None at a split."""
        if node in self.collapsed:
            return StopReason.PRUNED
        stop = int(self.nodes.stop[node])
        return STOP_REASONS[stop] if stop >= 0 else None

    def label(self, node: int) -> str | float:
        """What the node predicts: a class, or a mean."""
        if self.is_number:
            return float(self.nodes.prediction[node])
        return self.table.target.classes[int(self.nodes.prediction[node])]

    def probabilities(self, node: int) -> dict[str, float]:
        """Share of each class among the node's rows (of its nearest non-empty ancestor's); none for a number."""
        if self.is_number:
            return {}
        return dict(zip(self.table.target.classes, self.answers[node].tolist(), strict=True))

    @cached_property
    def answers(self) -> FloatArray:
        """What each node answers: class shares, (n_nodes, n_classes), or the mean as one column; predictions mix it."""
        if self.is_number:
            return np.asarray(self.nodes.prediction, dtype=np.float64)[:, None]
        counts = self.nodes.counts[self.nodes.informed_by]
        return np.asarray(counts / counts.sum(axis=1, keepdims=True), dtype=np.float64)

    def leaf_of_training_row(self) -> IntArray:
        """The leaf, in this view, of each row that the tree was grown from, or of the greatest part of it."""
        leaf = self.nodes.leaf_of_row
        if self.step is None and not self.collapsed:
            return leaf
        target = np.arange(len(self.nodes))
        for node in range(1, len(self.nodes)):
            if not self.is_visible[node]:
                target[node] = target[self.nodes.parent[node]]
        return target[leaf]

    def training_accuracy(self) -> float:
        """Share of the training rows that this view gets right; for a number R², the share of variance explained."""
        return self._score(self._training_predictions(), self.table.target_values)

    def accuracy(self, table: Table) -> float:
        """The same over the rows of another table with the same features and target.

        Raises
        ------
        QueryError
            If the table has other features or another target.
        """
        self._require_same(table)
        if not table.n_rows:
            return float("nan")
        return self._score(self._answers(self._arrivals(self._columns(table), table.n_rows)), table.target_values)

    def holdout_costs(self, table: Table) -> tuple[FloatArray, FloatArray]:
        """What the rows of another table cost at each node, shape (n of all nodes,).

        Mistakes, or squared errors of a number: first if the node were a leaf, then if it were split
        once. A row in parts costs its part.
        """
        self._require_same(table)
        as_leaf, below = np.zeros((2, len(self.nodes)))
        for node, rows, weights, stays in self._arrivals(self._columns(table), table.n_rows):
            truth = table.target_values[rows]
            off = truth - self.nodes.prediction[node]
            cost = weights * (np.square(off) if self.is_number else off != 0)
            as_leaf[node] = cost.sum()
            below[node] += cost[stays].sum()
            if node:
                below[self.nodes.parent[node]] += as_leaf[node]
        return as_leaf, below

    def _score(self, answers: AnyArray, truth: AnyArray) -> float:
        if not self.is_number:
            return float(np.mean(answers == truth))
        spread = float(np.sum(np.square(truth - truth.mean())))
        return 1.0 - float(np.sum(np.square(answers - truth))) / spread if spread else 1.0

    def _training_predictions(self) -> AnyArray:
        if self.nodes.parts is None:
            return np.asarray(self.nodes.prediction[self.leaf_of_training_row()])
        return self._answers(self._arrivals(dict(enumerate(self.table.columns)), self.table.n_rows))

    def apply(self, frame: pd.DataFrame) -> IntArray:
        """The id of the node that answers for each row of `frame`; of several, the one of most weight."""
        arrivals = list(self._arrivals(self._coded(frame), len(frame)))
        answering = np.zeros(len(frame), dtype=np.int64)
        most = np.zeros(len(frame))
        for node, rows, weights, stays in arrivals:
            rows, weights = rows[stays], weights[stays]
            more = weights > most[rows] + 1e-12
            answering[rows[more]], most[rows[more]] = node, weights[more]
        return answering

    def predict(self, frame: pd.DataFrame) -> AnyArray:
        """The prediction for each row, shape (n_rows,): classes as objects, or numbers as float64.

        Raises
        ------
        QueryError
            If a feature that the tree tests is not a column of `frame`.
        """
        answers = self._answers(self._arrivals(self._coded(frame), len(frame)))
        if self.is_number:
            return answers
        return np.asarray(np.asarray(self.table.target.classes, dtype=object)[answers])

    def predict_proba(self, frame: pd.DataFrame) -> FloatArray:
        """The share of each class, shape (n_rows, n_classes), columns in the order of the classes.

        Raises
        ------
        QueryError
            If the target is a number, or a tested feature is not a column of `frame`.
        """
        if self.is_number:
            raise QueryError("the target is a number, which has no probabilities; use predict.")
        return self._mixed(self._arrivals(self._coded(frame), len(frame)))[0]

    def predictions(self, frame: pd.DataFrame) -> list[Prediction]:
        """For each row its prediction with probabilities, path, and notes on what was unknown."""
        columns = self._coded(frame)
        arrivals = list(self._arrivals(columns, len(frame)))
        shares, _ = self._mixed(arrivals)
        notes = self._notes(columns, arrivals)
        answers = self._answers(arrivals)
        classes = self.table.target.classes
        paths: list[list[int]] = [[] for _ in range(len(frame))]
        for node, rows, _, _ in arrivals:
            for row in rows.tolist():
                paths[row].append(node)
        return [
            Prediction(
                prediction=float(answers[row]) if self.is_number else classes[int(answers[row])],
                probabilities={} if self.is_number else dict(zip(classes, shares[row].tolist(), strict=True)),
                path=tuple(sorted(paths[row])),
                notes=tuple(notes.get(row, ())),
            )
            for row in range(len(frame))
        ]

    # ---- rows on their way down -------------------------------------------------------------

    def _coded(self, frame: pd.DataFrame) -> dict[int, AnyArray]:
        """The columns of a frame that the view tests, coded like the source's."""
        return code_frame(frame, self.source.features, sorted({int(f) for f in self.nodes.feature[self.is_split]}))

    def _columns(self, table: Table) -> dict[int, AnyArray]:
        """The columns of a table that has the source's features."""
        return {
            i: column if is_numeric(feature) else column.astype(np.int64)
            for i, (feature, column) in enumerate(zip(table.features, table.columns, strict=True))
        }

    def _require_same(self, table: Table) -> None:
        same = [(f.name, f.kind, f.levels) for f in table.features] == [
            (f.name, f.kind, f.levels) for f in self.source.features
        ]
        if not same or table.target != self.source.target:
            raise QueryError(
                f"the table {table.name!r} has other features, levels or classes than {self.source.name!r}, "
                "which the tree was grown from; give rows of the same table."
            )

    def _lacking(self, feature: int, values: AnyArray) -> BoolArray:
        spec = self.source.features[feature]
        return np.asarray(np.isnan(values) if is_numeric(spec) else values == len(spec.levels))

    def _arrivals(self, columns: Mapping[int, AnyArray], n_rows: int) -> Iterator[Arrival]:
        """Follow rows down the view, depth-first: which rows reach each node, and with what weight.

        Yields the node, its rows, their weights (1 unless a missing value sent a row down every
        branch), and which of them it answers for: all at a leaf, at a split those that no branch takes.
        """
        stack = [(0, np.arange(n_rows), np.ones(n_rows))]
        while stack:
            node, rows, weights = stack.pop()
            if not self.is_split[node]:
                yield node, rows, weights, np.ones(len(rows), dtype=bool)
                continue
            split = self.split(node)
            assert split is not None
            values = columns[split.feature][rows]
            lacking = self._lacking(split.feature, values)
            if lacking.any() and self.missing is Missing.MOST_COMMON:
                values = values.copy()
                values[lacking] = self._fill(split.feature)
            branch = split.branch_of(values, self.table.features[split.feature])
            children = self.children(node)
            spread = lacking if self.missing is Missing.FRACTIONAL else np.zeros(len(rows), dtype=bool)
            yield node, rows, weights, (branch < 0) & ~spread
            sizes = self.nodes.size[children]
            some = spread.any()
            below = []
            for number, child in enumerate(children.tolist()):
                taken = branch == number
                if some and sizes[number] > 0:
                    share = np.where(spread, sizes[number] / sizes.sum(), 1.0)
                    taken = taken | spread
                    below.append((child, rows[taken], (weights * share)[taken]))
                elif taken.any():
                    below.append((child, rows[taken], weights[taken]))
            stack.extend(reversed(below))

    def _mixed(self, arrivals: Iterable[Arrival]) -> tuple[FloatArray, BoolArray]:
        """The answers of all nodes that share a row, by weight; and which rows a single node answers for whole.

        The first has shape (n_rows, n_classes), or (n_rows, 1) for a number.
        """
        arrivals = list(arrivals)
        n_rows = len(arrivals[0][1])
        mixed = np.zeros((n_rows, self.answers.shape[1]))
        whole = np.zeros(n_rows, dtype=bool)
        for node, rows, weights, stays in arrivals:
            own, weight = rows[stays], weights[stays]
            alone = weight == 1.0
            whole[own[alone]] = True
            mixed[own] += weight[:, None] * self.answers[node]
        return mixed, whole

    def _answers(self, arrivals: Iterable[Arrival]) -> AnyArray:
        """Class codes, or numbers; a row that one node answers for gets that node's prediction."""
        arrivals = list(arrivals)
        mixed, whole = self._mixed(arrivals)
        answers = mixed[:, 0] if self.is_number else (mixed >= mixed.max(axis=1, keepdims=True) - 1e-12).argmax(axis=1)
        for node, rows, _, stays in arrivals:
            own = rows[stays]
            own = own[whole[own]]
            answers[own] = self.nodes.prediction[node]
        return np.asarray(answers)

    def _notes(self, columns: Mapping[int, AnyArray], arrivals: Iterable[Arrival]) -> dict[int, list[str]]:
        """What was unknown on each row's way down."""
        notes: dict[int, list[str]] = {}
        for node, rows, _, stays in arrivals:
            split = self.split(node) if self.is_split[node] else None
            if split is None:
                continue
            lacking = self._lacking(split.feature, columns[split.feature][rows])
            if not lacking.any() and not stays.any():
                continue
            name = self.table.features[split.feature].name
            for row in rows[lacking].tolist():
                _note(notes, row, f"{name} is missing: {self._taken(split)}.")
            for row in rows[stays & ~lacking].tolist():
                _note(notes, row, f"{name} has a value that the table does not have: the node's majority answers.")
        return notes

    def _taken(self, split: Split) -> str:
        """What is done where the tested value of a query is missing."""
        has_branch = split.missing_branch or self.table.features[split.feature] != self.source.features[split.feature]
        match self.missing:
            case Missing.MOST_COMMON if split.threshold is not None:
                return "the training rows' median stands in"
            case Missing.MOST_COMMON:
                return "the training rows' most common value stands in"
            case Missing.FRACTIONAL:
                return "the row goes down every branch, by their shares of the rows"
            case Missing.OWN_BRANCH if has_branch:
                return "it has a branch of its own"
            case _:
                return "the node's mean answers" if self.is_number else "the node's majority answers"

    def _fill(self, feature: int) -> float:
        if feature not in self._fills:
            self._fills[feature] = fill_value(self.source, feature)
        return self._fills[feature]


def _note(notes: dict[int, list[str]], row: int, text: str) -> None:
    """Add a note once: a row in parts can meet the same test twice."""
    own = notes.setdefault(row, [])
    if text not in own:
        own.append(text)


def majority(counts: AnyArray, parent_counts: AnyArray | None, parent_prediction: int) -> int:
    """The most frequent class; a tie goes to the class more frequent in the parent, then the first.

    >>> majority(np.array([2, 2]), np.array([3, 5]), 1)
    1
    >>> majority(np.array([0, 0]), np.array([3, 5]), 1)
    1
    """
    if not counts.sum():
        return parent_prediction
    best = counts == counts.max()
    if parent_counts is None:
        return int(best.argmax())
    return int(np.where(best, parent_counts, -1).argmax())


def class_values(table: Table) -> Any:
    """The target column as written in the file: classes as text, or numbers."""
    if table.target.kind is TargetKind.CLASSES:
        return np.asarray(table.target.classes, dtype=object)[table.target_values]
    return table.target_values
