"""The structure of a tree: its nodes, paths and rows, and views of it half-grown or cut back."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

import numpy as np

from engine.nodes import SPLIT_KINDS, STOP_REASONS, Nodes
from engine.settings import Missing
from engine.splits import Condition, Path, Split, SplitKind
from engine.table import BoolArray, FloatArray, IntArray, Table, TargetKind
from engine.trace import StopReason


@dataclass(frozen=True, eq=False)
class Structure:
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

    def at(self, step: int) -> Self:
        """The tree as it stood after `step`."""
        return replace(self, step=step)

    def collapse(self, nodes: tuple[int, ...]) -> Self:
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
