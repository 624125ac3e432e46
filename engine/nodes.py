"""The finished tree as arrays of nodes, in depth-first order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.splits import SplitKind
from engine.table import AnyArray, BoolArray, FloatArray, IntArray
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
