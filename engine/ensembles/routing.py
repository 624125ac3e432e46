"""Rows sent down many trees: coded once, each tree's answers by one pass a level."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np

from engine.nodes import SPLIT_KINDS
from engine.settings import Missing
from engine.splits import SplitKind
from engine.table import AnyArray, BoolArray, FloatArray, IntArray
from engine.tree import Tree

_THRESHOLD = SPLIT_KINDS.index(SplitKind.THRESHOLD)
_SAME_SHARE = 1e-12


class Rows:
    """Rows to be answered for, coded like an ensemble's table.

    Parameters
    ----------
    columns : mapping of int to ndarray of shape (n_rows,)
        Feature number -> values as `engine.ingest.code_frame` gives them; features that no tree
        tests may be left out.
    lacking : mapping of int to ndarray of bool, shape (n_rows,)
        Which rows lack a value, for the features where some do.
    n_features, n_rows : int
    """

    def __init__(
        self, columns: Mapping[int, AnyArray], lacking: Mapping[int, BoolArray], n_features: int, n_rows: int
    ) -> None:
        self.columns, self.n_rows = columns, n_rows
        self.lacking = lacking
        self._n_features = n_features

    def __len__(self) -> int:
        return self.n_rows

    @cached_property
    def values(self) -> FloatArray:
        """All values in one array, codes too, feature after feature, shape (n_features · n_rows,)."""
        values = np.zeros((self._n_features, self.n_rows))
        for feature, column in self.columns.items():
            values[feature] = column
        return values.ravel()

    @cached_property
    def incomplete(self) -> IntArray:
        """The rows that lack some value."""
        return np.flatnonzero(np.logical_or.reduce([np.zeros(self.n_rows, dtype=bool), *self.lacking.values()]))


def answers(tree: Tree, rows: Rows) -> AnyArray:
    """What a finished tree says of each row: class codes, or numbers, shape (n_rows,)."""
    if tree.missing is not Missing.FRACTIONAL or not len(rows.incomplete):
        return np.asarray(tree.nodes.prediction[resting_nodes(tree, rows)])
    complete = np.setdiff1d(np.arange(len(rows)), rows.incomplete)
    found = np.empty(len(rows), dtype=tree.nodes.prediction.dtype)
    found[complete] = tree.nodes.prediction[resting_nodes(tree, rows, complete)]
    columns = {feature: column[rows.incomplete] for feature, column in rows.columns.items()}
    found[rows.incomplete] = _mixed(tree, columns, len(rows.incomplete))
    return found


def resting_nodes(tree: Tree, rows: Rows, which: IntArray | None = None) -> IntArray:
    """The node of a finished tree where each whole row comes to rest.

    A leaf, or a split that has no branch for the row's value.
    """
    nodes, lookup = tree.nodes, _Branches(tree)
    active = np.arange(len(rows)) if which is None else which
    place = np.arange(len(active))
    at = np.zeros(len(active), dtype=np.int64)
    if nodes.feature[0] < 0:
        return at
    while len(active):
        node = at[place]
        value = rows.values.take(nodes.feature.take(node) * len(rows) + active)
        branch = lookup.branch_of(node, value)
        moved = branch >= 0
        if not moved.all():
            node, branch, place, active = node[moved], branch[moved], place[moved], active[moved]
        child = nodes.children.take(nodes.first_child.take(node) + branch)
        at[place] = child
        splits = np.flatnonzero(nodes.feature.take(child) >= 0)
        place, active = place.take(splits), active.take(splits)
    return at


class _Branches:
    """The branch that a value takes at each node, for many rows at many nodes at once."""

    def __init__(self, tree: Tree) -> None:
        nodes = tree.nodes
        self.threshold = nodes.threshold
        by_level = np.flatnonzero((nodes.feature >= 0) & (nodes.kind != _THRESHOLD)).tolist()
        self.alone = not by_level
        self.start = np.full(len(nodes), -1)
        tables, filled = [], 0
        for node in by_level:
            split = tree.split(node)
            assert split is not None
            feature = tree.table.features[split.feature]
            tables.append(split.branch_of(np.arange(len(feature.levels) + 2), feature))
            self.start[node] = filled
            filled += len(tables[-1])
        self.tables = np.concatenate([*tables, np.empty(0, dtype=np.int64)])
        self.third = np.where(nodes.n_children > 2, 2, -1)

    def branch_of(self, node: IntArray, value: FloatArray) -> IntArray:
        """The branch of each value at its node; -1 where the node has none for it."""
        branch = (value >= self.threshold.take(node)).astype(np.int64)
        if not self.alone:
            levels = np.flatnonzero(self.start.take(node) >= 0)
            at = node.take(levels)
            branch[levels] = self.tables.take(self.start.take(at) + value.take(levels).astype(np.int64))
        unknown = np.isnan(value)
        if unknown.any():
            branch[unknown] = self.third[node[unknown]]
        return branch


def _mixed(tree: Tree, columns: Mapping[int, AnyArray], n_rows: int) -> AnyArray:
    """Answers for rows that go down several branches, by weight; of rows that arrive whole, the node's own."""
    mixed = np.zeros((n_rows, tree.answers.shape[1]))
    alone = np.full(n_rows, -1)
    for node, rows, weights, stays in tree.arrivals(columns, n_rows):
        own, weight = rows[stays], weights[stays]
        mixed[own] += weight[:, None] * tree.answers[node]
        alone[own[weight == 1.0]] = node
    if tree.is_number:
        found: AnyArray = mixed[:, 0]
    else:
        found = (mixed >= mixed.max(axis=1, keepdims=True) - _SAME_SHARE).argmax(axis=1)
    return np.where(alone >= 0, tree.nodes.prediction[alone], found)
