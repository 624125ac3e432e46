"""The rows of a level on their way down, each with the node that it is in.

A row whose value is missing goes down every branch (`missing=fractional`): it becomes several
entries, each a part of the row. An entry keeps its number; of the parts that an entry falls into
the first takes that number, so that in the end every entry is in one leaf.
"""

from __future__ import annotations

import numpy as np

from engine.settings import ResolvedSettings
from engine.sums import NodeRows
from engine.table import FloatArray, IntArray, Table
from engine.totals import Totals, totals


class ActiveRows:
    """The entries of the nodes that may still split, n_active of them.

    Attributes
    ----------
    entries, rows, slot : ndarray of int64, shape (n_active,)
        The number of each entry, its row, and the place of its node in the frontier.
    values : ndarray of shape (n_active,)
        Class codes, or numbers.
    weights : ndarray of float64, shape (n_active,), or None
        What each counts; None where each counts 1.
    node_of_entry : ndarray of int64, shape (n_entries,)
        The last node that each entry has reached, in the order of computing.
    row_of_entry, part_of_entry : ndarray of shape (n_entries,)
        The row of each entry, and which part of it. No part is less than a whole until a row has been shared out.
    """

    def __init__(self, table: Table, rules: ResolvedSettings, weights: FloatArray | None) -> None:
        self.table, self.rules = table, rules
        self.entries = self.rows = self.row_of_entry = np.arange(table.n_rows)
        self.values = table.target_values if rules.is_number else table.target_values.astype(np.int64)
        self.weights = self.row_weights = weights
        self.slot = self.node_of_entry = np.zeros(table.n_rows, dtype=np.int64)
        self.part_of_entry: FloatArray | None = None

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def parts(self) -> FloatArray | None:
        """The part of its row that each active entry is, shape (n_active,); None where all are whole."""
        return None if self.part_of_entry is None else self.part_of_entry.take(self.entries)

    def totals(self, node: IntArray, n_nodes: int) -> Totals:
        """What the entries of each node add up to."""
        n_classes = max(self.table.n_classes, 1)
        return totals(self.rules, n_classes, self.values, self.weights, node, n_nodes, self.parts)

    def of(self, slot: int) -> NodeRows:
        """The rows of one node of the frontier."""
        here = np.flatnonzero(self.slot == slot)
        parts, weights = self.parts, self.weights
        return NodeRows(
            self.table,
            self.rules,
            self.rows[here],
            None if weights is None else weights[here],
            None if parts is None else parts[here],
        )

    def keep(self, places: IntArray) -> None:
        """Keep only the entries at these places."""
        whole = self.entries is self.rows
        self.rows, self.values, self.slot = self.rows.take(places), self.values.take(places), self.slot.take(places)
        self.entries = self.rows if whole else self.entries.take(places)
        if self.weights is not None:
            self.weights = self.weights.take(places)

    def share_out(self, whole: IntArray, shared: IntArray, shares: FloatArray) -> None:
        """Keep the entries at some places, and of those at others several shares.

        Parameters
        ----------
        whole : ndarray of int64, shape (n,)
            Places.
        shared : ndarray of int64, shape (m,)
            Places, ascending, each as often as it is shared out.
        shares : ndarray of float64, shape (m,)
        """
        before = np.ones(self.table.n_rows) if self.part_of_entry is None else self.part_of_entry
        self.keep(np.concatenate([whole, shared]))
        parts = before.take(self.entries[len(whole) :]) * shares
        again = np.zeros(len(shared), dtype=bool)
        np.equal(shared[1:], shared[:-1], out=again[1:])
        n_more = int(again.sum())
        rows = self.rows[len(whole) :]
        self.entries = self.entries.copy()
        entries = self.entries[len(whole) :]
        entries[again] = len(before) + np.arange(n_more)
        self.row_of_entry = np.concatenate([self.row_of_entry, rows[again]])
        self.node_of_entry = np.concatenate([self.node_of_entry, np.zeros(n_more, dtype=np.int64)])
        self.part_of_entry = np.concatenate([before, np.zeros(n_more)])
        self.part_of_entry[entries] = parts
        if self.weights is None:
            self.weights = np.ones(len(self))
        self.weights[len(whole) :] = parts if self.row_weights is None else parts * self.row_weights.take(rows)


def shares_of_unknown(
    branch: IntArray, unknown: IntArray, slot: IntArray, width: IntArray, weights: FloatArray | None
) -> tuple[IntArray, IntArray, FloatArray]:
    """Send rows whose value is missing down every branch, by the branches' shares of the known rows.

    Parameters
    ----------
    branch : ndarray of int64, shape (n_active,)
        The branch of each row; -1 where its node is not split or its value is missing.
    unknown : ndarray of int64
        The places of the rows whose value is missing.
    slot : ndarray of int64, shape (n_active,)
        The node of each row.
    width : ndarray of int64, shape (n_nodes,)
        The branches of each node.
    weights : ndarray of float64, shape (n_active,), or None

    Returns
    -------
    places, branch, share : ndarray of one shape
        Which of the unknown rows goes down which branch, and which share of it does. A branch that
        no known row takes has no share.
    """
    base = np.cumsum(width) - width
    known = np.flatnonzero(branch >= 0)
    own = None if weights is None else weights.take(known)
    below = np.bincount(base.take(slot.take(known)) + branch.take(known), own, minlength=int(width.sum()))
    of_node = np.add.reduceat(np.append(below, 0.0), base) * (width > 0)
    n_branches = width.take(slot.take(unknown))
    places = np.repeat(unknown, n_branches)
    number = np.arange(len(places)) - np.repeat(np.cumsum(n_branches) - n_branches, n_branches)
    node = slot.take(places)
    weight = below.take(base.take(node) + number)
    some = np.flatnonzero(weight > 0)
    return places.take(some), number.take(some), weight.take(some) / of_node.take(node.take(some))
