"""Errors of a tree, and of every view that a trace shows of it, on any rows.

Rows are followed down the finished tree once. What each node would cost as a leaf then tells the
error of every view, because a view only moves rows up to an ancestor. For classes the cost of a row
is 1 where the answer is wrong, for a number the squared error. A row with a missing value that goes
down every branch rests in parts: each part costs its weight where it rests, but the error of a tree
is that of its predictions, which mix the parts.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.cells import listed, quoted
from engine.errors import QueryError
from engine.growth import Growth
from engine.splits import is_numeric
from engine.table import AnyArray, FloatArray, IntArray, Table, TargetKind
from engine.trace import Event
from engine.tree import Tree

UNKNOWN = -1
"""The code of a class that the tree does not know: its rows are always wrong."""


@dataclass(frozen=True, eq=False)
class Landing:
    """Where rows come to rest in a tree: at a leaf, or at a split that has no branch for them.

    Attributes
    ----------
    row, node : ndarray of int64
        One entry a row, or a part of a row.
    weight : ndarray of float64
        What the entry counts.
    truth : ndarray of shape (n_rows,)
        Class codes of the tree (`UNKNOWN` for others), or numbers.
    """

    row: IntArray
    node: IntArray
    weight: FloatArray
    truth: AnyArray

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.truth)

    @cached_property
    def in_parts(self) -> bool:
        """Whether any row rests in more than one place."""
        return len(self.row) != self.n_rows


def land(tree: Tree, table: Table) -> Landing:
    """Follow the rows of a table down the tree; the columns are found by name, levels and classes by text.

    Raises
    ------
    QueryError
        If the table predicts something else, or lacks a feature that the tree tests.
    """
    truth = truth_codes(tree.source, table)
    rows, nodes, weights = [], [], []
    for node, here, weight, stays in tree.arrivals(_columns(tree, table), table.n_rows):
        rows.append(here[stays])
        nodes.append(np.full(len(rows[-1]), node))
        weights.append(weight[stays])
    return Landing(np.concatenate(rows), np.concatenate(nodes), np.concatenate(weights), truth)


def training_landing(tree: Tree) -> Landing:
    """Where the rows rest that the tree was grown from."""
    nodes, truth = tree.nodes, tree.table.target_values
    if nodes.parts is None:
        return Landing(np.arange(len(truth)), nodes.leaf_of_row, np.ones(len(truth)), truth)
    fraction = nodes.parts.fraction
    weight = np.ones(len(nodes.parts.row)) if fraction is None else fraction
    return Landing(nodes.parts.row, nodes.parts.leaf, weight, truth)


def resting_weight(tree: Tree, landing: Landing) -> FloatArray:
    """The weight of the rows that rest at each node, shape (n of all nodes,)."""
    return np.asarray(np.bincount(landing.node, landing.weight, minlength=len(tree.nodes)), dtype=np.float64)


def leaf_costs(tree: Tree, landing: Landing) -> FloatArray:
    """What the rows that arrive at each node would cost if it were a leaf, shape (n of all nodes,)."""
    nodes, truth = tree.nodes, landing.truth[landing.row]
    costs = np.zeros(len(nodes))
    here, entries = landing.node, np.arange(len(landing.node))
    while len(entries):
        lost = _loss(tree, nodes.prediction[here], truth[entries])
        costs += np.bincount(here, landing.weight[entries] * lost, minlength=len(nodes))
        here = nodes.parent[here]
        entries, here = entries[here >= 0], here[here >= 0]
    return costs


def resting_costs(tree: Tree, landing: Landing) -> FloatArray:
    """What the rows that rest at each node cost there, shape (n of all nodes,)."""
    lost = _loss(tree, tree.nodes.prediction[landing.node], landing.truth[landing.row])
    return np.asarray(np.bincount(landing.node, landing.weight * lost, minlength=len(tree.nodes)), dtype=np.float64)


def answering(tree: Tree) -> IntArray:
    """The node of this view that answers for the rows that rest at each node, shape (n of all nodes,).

    Nodes are numbered depth-first, so it is the last one on the screen up to that number.
    """
    visible = np.where(tree.is_visible, np.arange(len(tree.nodes)), 0)
    return np.asarray(np.maximum.accumulate(visible))


def losses(tree: Tree, landing: Landing, answers: IntArray) -> FloatArray:
    """What the prediction of each row costs, shape (n_rows,), where `answers` says which node answers."""
    node = answers[landing.node]
    if not landing.in_parts:
        lost = np.empty(landing.n_rows)
        lost[landing.row] = _loss(tree, tree.nodes.prediction[node], landing.truth[landing.row])
        return lost
    return _loss(tree, _mixed(tree, landing, node), landing.truth)


def error(tree: Tree, table: Table) -> float:
    """The share of rows that the tree gets wrong, or the mean squared error of a number; NaN of no rows.

    Raises
    ------
    QueryError
        If the table does not fit the tree.
    """
    landing = land(tree, table)
    return float(losses(tree, landing, answering(tree)).mean()) if landing.n_rows else float("nan")


def errors_along(growth: Growth, table: Table) -> FloatArray:
    """The error of the tree after each step of a growth, shape (n_steps,).

    Raises
    ------
    QueryError
        If the table has no rows or does not fit the tree.
    """
    tree = growth.tree
    landing = land(tree, table)
    if not landing.n_rows:
        raise QueryError(f"the table {table.name!r} has no rows to measure an error on; give at least one.")
    if landing.in_parts:
        views = [step.tree if step.event in (Event.STARTED, Event.SPLIT) else None for step in growth]
        found = [None if view is None else losses(tree, landing, answering(view)).mean() for view in views]
        places = np.maximum.accumulate([k if value is not None else 0 for k, value in enumerate(found)])
        return np.array([found[place] for place in places], dtype=np.float64)
    as_leaf, below = leaf_costs(tree, landing), resting_costs(tree, landing)
    below[~tree.is_split] = 0.0
    np.add.at(below, tree.nodes.parent[1:], as_leaf[1:])
    change = np.zeros(len(growth))
    splits = np.flatnonzero(tree.is_split)
    change[tree.nodes.decided_at[splits]] = below[splits] - as_leaf[splits]
    change[0] = as_leaf[0]
    return np.maximum(np.cumsum(change), 0.0) / landing.n_rows


def _loss(tree: Tree, answers: AnyArray, truth: AnyArray) -> FloatArray:
    if tree.is_number:
        return np.asarray(np.square(answers - truth), dtype=np.float64)
    return np.asarray(answers != truth, dtype=np.float64)


def _mixed(tree: Tree, landing: Landing, node: IntArray) -> AnyArray:
    """The prediction of each row: of the one node that answers, or of several by their weights."""
    shares = tree.answers
    low, high = np.full(landing.n_rows, len(tree.nodes)), np.full(landing.n_rows, -1)
    np.minimum.at(low, landing.row, node)
    np.maximum.at(high, landing.row, node)
    alone = low == high
    mixed = np.zeros((landing.n_rows, shares.shape[1]))
    np.add.at(mixed, landing.row, landing.weight[:, None] * shares[node])
    if tree.is_number:
        return np.asarray(np.where(alone, tree.nodes.prediction[high], mixed[:, 0]))
    best = (mixed >= mixed.max(axis=1, keepdims=True) - 1e-12).argmax(axis=1)
    return np.asarray(np.where(alone, tree.nodes.prediction[high], best))


def truth_codes(source: Table, table: Table) -> AnyArray:
    """The target of a table, coded like that of `source`: class codes (`UNKNOWN` for others), or numbers.

    Raises
    ------
    QueryError
        If the tables have different targets.
    """
    own, other = source.target, table.target
    if (own.name, own.kind) != (other.name, other.kind):
        raise QueryError(
            f"the tree predicts {_target_words(own.name, own.kind)}, and the rows to test it on have "
            f"{_target_words(other.name, other.kind)} as their target; read them with the tree's target and task."
        )
    if own.kind is TargetKind.NUMBER or own.classes == other.classes:
        return table.target_values
    place = {name: code for code, name in enumerate(own.classes)}
    codes = np.array([place.get(name, UNKNOWN) for name in other.classes], dtype=np.int64)
    return codes[table.target_values]


def _target_words(name: str, kind: TargetKind) -> str:
    return f"{quoted(name)} ({'a number' if kind is TargetKind.NUMBER else 'classes'})"


def _columns(tree: Tree, table: Table) -> dict[int, AnyArray]:
    """The columns that the tree tests, coded like the table that it was grown from."""
    place = {feature.name: index for index, feature in enumerate(table.features)}
    columns: dict[int, AnyArray] = {}
    for index in sorted({int(f) for f in tree.nodes.feature[tree.is_split]}):
        feature = tree.source.features[index]
        found = place.get(feature.name)
        if found is None:
            raise QueryError(
                f"the rows to test the tree on have no values of {quoted(feature.name)}, which it asks for; "
                f"their features are {listed([f.name for f in table.features])}."
            )
        other, column = table.features[found], table.columns[found]
        if other.kind is not feature.kind:
            raise QueryError(
                f"{quoted(feature.name)} is {feature.kind.value} in the tree and {other.kind.value} in the rows to "
                f"test it on; read them with {feature.kind.value}=({feature.name!r},)."
            )
        columns[index] = column if is_numeric(feature) else _recoded(column, other.levels, feature.levels)
    return columns


def _recoded(column: AnyArray, levels: tuple[str, ...], wanted: tuple[str, ...]) -> IntArray:
    """Codes of the same levels in another order; one past the missing value's for a level that is not there."""
    place = {level: code for code, level in enumerate(wanted)}
    codes = [place.get(level, len(wanted) + 1) for level in levels]
    recode = np.array([*codes, len(wanted)], dtype=np.int64)
    return recode[column]
