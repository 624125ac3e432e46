"""The rows of a level on their way down, each with the node that it is in.

A row whose value is missing goes down every branch (`missing=fractional`): it becomes several
entries, each a part of the row. An entry keeps its number; of the parts that an entry falls into
the first takes that number, so that in the end every entry is in one leaf.
"""

from __future__ import annotations

import numpy as np

from engine.settings import ResolvedSettings
from engine.sums import NodeRows
from engine.table import BoolArray, FloatArray, IntArray, Table
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

    def share_out(self, places: IntArray, shares: FloatArray) -> None:
        """As `keep`, where a place may come several times: each time takes a share of the entry.

        Parameters
        ----------
        places : ndarray of int64
        shares : ndarray of float64
            Of one shape.
        """
        before = np.ones(self.table.n_rows) if self.part_of_entry is None else self.part_of_entry
        each = np.arange(len(places))
        first = np.empty(len(self), dtype=np.int64)
        first[places[::-1]] = each[::-1]  # of writes to one place the last one stands
        again = first.take(places) != each
        self.keep(places)
        parts = before.take(self.entries) * shares
        self.entries = self.entries.copy()
        n_more = int(again.sum())
        self.entries[again] = len(before) + np.arange(n_more)
        self.row_of_entry = np.concatenate([self.row_of_entry, self.rows[again]])
        self.node_of_entry = np.concatenate([self.node_of_entry, np.zeros(n_more, dtype=np.int64)])
        self.part_of_entry = np.concatenate([before, parts[again]])
        self.part_of_entry[self.entries] = parts
        self.weights = parts if self.row_weights is None else parts * self.row_weights.take(self.rows)


def shares_of_unknown(
    unknown: BoolArray, branch: IntArray, slot: IntArray, width: IntArray, weights: FloatArray | None
) -> tuple[IntArray, IntArray, FloatArray]:
    """Send each row of a split node down its branch, and each unknown one down all, by the branches' shares.

    Parameters
    ----------
    unknown : ndarray of bool, shape (n_active,)
        The rows whose value is missing.
    branch : ndarray of int64, shape (n_active,)
        The branch of each other row; -1 where its node is not split.
    slot : ndarray of int64, shape (n_active,)
        The node of each row.
    width : ndarray of int64, shape (n_nodes,)
        The branches of each node.
    weights : ndarray of float64, shape (n_active,), or None

    Returns
    -------
    places, branch, share : ndarray of one shape
        Which row goes down which branch, and which share of it does. A branch that no known row
        takes has no share.
    """
    base = np.cumsum(width) - width
    moving, lost = np.flatnonzero(branch >= 0), np.flatnonzero(unknown)
    own = None if weights is None else weights.take(moving)
    known = np.bincount(base.take(slot.take(moving)) + branch.take(moving), own, minlength=int(width.sum()))
    of_node = np.bincount(np.repeat(np.arange(len(width)), width), known, minlength=len(width))
    n_branches = width.take(slot.take(lost))
    source = np.repeat(lost, n_branches)
    below = np.arange(len(source)) - np.repeat(np.cumsum(n_branches) - n_branches, n_branches)
    node = slot.take(source)
    weight = known.take(base.take(node) + below)
    some = np.flatnonzero(weight > 0)
    share = weight.take(some) / of_node.take(node.take(some))
    return (
        np.concatenate([moving, source.take(some)]),
        np.concatenate([branch.take(moving), below.take(some)]),
        np.concatenate([np.ones(len(moving)), share]),
    )
