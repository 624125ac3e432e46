"""Tree: arrays of nodes in depth-first order; paths, prediction, and views of it half-grown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from engine.ingest import code_frame
from engine.prepare import fill_value
from engine.settings import Missing
from engine.splits import Condition, Path, Split, SplitKind, is_numeric
from engine.table import AnyArray, BoolArray, FloatArray, IntArray, Table, TargetKind
from engine.trace import StopReason

STOP_REASONS = tuple(StopReason)
SPLIT_KINDS = tuple(SplitKind)


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
    impurity : ndarray of float64
    prediction : ndarray of int64
        Class codes.
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
        The leaf that each row of the table ends in.
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
    impurity: FloatArray
    prediction: IntArray
    informed_by: IntArray
    stop: IntArray
    scored: BoolArray
    by_choice: BoolArray
    subtree_end: IntArray
    leaf_of_row: IntArray

    def __len__(self) -> int:
        return len(self.parent)

    @cached_property
    def decided_at(self) -> IntArray:
        """The step at which each node was split or became a leaf."""
        return np.asarray(np.cumsum(1 + self.scored.astype(np.int64)))

    @cached_property
    def row_order(self) -> tuple[IntArray, IntArray]:
        """Rows ordered by leaf, and where each leaf's rows begin: a node's rows are one slice."""
        order = np.argsort(self.leaf_of_row, kind="stable")
        begin = np.searchsorted(self.leaf_of_row[order], np.arange(len(self) + 1))
        return order, begin


@dataclass(frozen=True)
class Prediction:
    """What a tree says of one row, and the ids of the nodes on its path."""

    prediction: str | float
    probabilities: dict[str, float]
    path: tuple[int, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Tree:
    """A tree, finished or as it stood after a step; a view that shares the arrays of its nodes.

    A node that is not yet decided predicts its majority, so every view is a usable model.
    """

    nodes: Nodes
    table: Table
    source: Table
    missing: Missing
    step: int | None = None
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
            return Split(feature, kind, threshold=float(self.nodes.threshold[node]))
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

    def rows(self, node: int) -> IntArray:
        """Positions in `table` of the node's rows, ascending."""
        order, begin = self.nodes.row_order
        return np.sort(order[begin[node] : begin[self.nodes.subtree_end[node]]])

    def stop_reason(self, node: int) -> StopReason | None:
        """Why the node is a leaf of the finished tree, or `pruned` where it was collapsed; None at a split."""
        if node in self.collapsed:
            return StopReason.PRUNED
        stop = int(self.nodes.stop[node])
        return STOP_REASONS[stop] if stop >= 0 else None

    def label(self, node: int) -> str | float:
        """What the node predicts."""
        return self.table.target.classes[int(self.nodes.prediction[node])]

    def probabilities(self, node: int) -> dict[str, float]:
        """Share of each class among the node's rows (of its nearest non-empty ancestor's)."""
        counts = self.nodes.counts[self.nodes.informed_by[node]]
        return dict(zip(self.table.target.classes, (counts / counts.sum()).tolist(), strict=True))

    def leaf_of_training_row(self) -> IntArray:
        """The leaf, in this view, of each row that the tree was grown from."""
        leaf = self.nodes.leaf_of_row
        if self.step is None and not self.collapsed:
            return leaf
        target = np.arange(len(self.nodes))
        for node in range(1, len(self.nodes)):
            if not self.is_visible[node]:
                target[node] = target[self.nodes.parent[node]]
        return target[leaf]

    def training_accuracy(self) -> float:
        """Share of the training rows that this view gets right."""
        predicted = self.nodes.prediction[self.leaf_of_training_row()]
        return float(np.mean(predicted == self.table.target_values))

    def apply(self, frame: pd.DataFrame) -> IntArray:
        """The id of the node that answers for each row of `frame`."""
        return self._follow(frame)[0]

    def predict(self, frame: pd.DataFrame) -> AnyArray:
        """The predicted class of each row, an object array of shape (n_rows,).

        Raises
        ------
        QueryError
            If a feature that the tree tests is not a column of `frame`.
        """
        classes = np.asarray(self.table.target.classes, dtype=object)
        return np.asarray(classes[self.nodes.prediction[self.apply(frame)]])

    def predict_proba(self, frame: pd.DataFrame) -> FloatArray:
        """The share of each class, shape (n_rows, n_classes), columns in the order of the classes."""
        counts = self.nodes.counts[self.nodes.informed_by[self.apply(frame)]]
        return np.asarray(counts / counts.sum(axis=1, keepdims=True), dtype=np.float64)

    def predictions(self, frame: pd.DataFrame) -> list[Prediction]:
        """For each row its prediction with probabilities, path, and notes on what was unknown."""
        answered, notes = self._follow(frame)
        return [
            Prediction(
                prediction=self.label(node),
                probabilities=self.probabilities(node),
                path=self.ancestors(node),
                notes=tuple(notes.get(row, ())),
            )
            for row, node in enumerate(answered.tolist())
        ]

    def _follow(self, frame: pd.DataFrame) -> tuple[IntArray, dict[int, list[str]]]:
        features = self.table.features
        needed = sorted({int(f) for f in self.nodes.feature[self.is_split]})
        columns = code_frame(frame, features, needed)
        here = np.zeros(len(frame), dtype=np.int64)
        notes: dict[int, list[str]] = {}
        moving = np.arange(len(frame))
        while len(moving := moving[self.is_split[here[moving]]]):
            stuck = np.zeros(len(moving), dtype=bool)
            for node in np.unique(here[moving]).tolist():
                at_node = np.flatnonzero(here[moving] == node)
                rows = moving[at_node]
                branch = self._branch(node, columns, rows, notes)
                stuck[at_node] = branch < 0
                inside = branch >= 0
                here[rows[inside]] = self.children(node)[branch[inside]]
            moving = moving[~stuck]
        return here, notes

    def _branch(self, node: int, columns: dict[int, AnyArray], rows: IntArray, notes: dict[int, list[str]]) -> IntArray:
        split = self.split(node)
        assert split is not None
        feature = self.table.features[split.feature]
        values = columns[split.feature][rows].copy()
        lacking = np.isnan(values) if is_numeric(feature) else values == len(feature.levels)
        filled = self.missing is Missing.MOST_COMMON
        if lacking.any() and filled:
            values[lacking] = self._fill(split.feature)
        for row in rows[lacking].tolist():
            taken = "the training rows' most common value stands in" if filled else "the node's majority answers"
            if is_numeric(feature) and filled:
                taken = "the training rows' median stands in"
            notes.setdefault(row, []).append(f"{feature.name} is missing: {taken}.")
        branch = split.branch_of(values, feature)
        for row in rows[(branch < 0) & ~lacking].tolist():
            notes.setdefault(row, []).append(
                f"{feature.name} has a value that the table does not have: the node's majority answers."
            )
        return branch

    def _fill(self, feature: int) -> float:
        if feature not in self._fills:
            self._fills[feature] = fill_value(self.source, feature)
        return self._fills[feature]


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
