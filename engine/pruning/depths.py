"""A finished tree as it is at every depth: how its leaves run out of rows, and what that does to its errors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.metrics import land
from engine.pruning.curve import stage_errors
from engine.table import Table
from engine.tree import Tree


@dataclass(frozen=True)
class DepthPoint:
    """A tree that ends at a depth.

    Attributes
    ----------
    depth : int
    n_leaves : int
        Of them, those with training rows are counted in what follows.
    mean_rows, least_rows : float
        Training rows (or their weight) of a leaf: on average, and of the smallest; 0 for a tree without rows.
    errors : tuple of float
        Of each table, as a share of its rows; for a number the mean squared error.
    """

    depth: int
    n_leaves: int
    mean_rows: float
    least_rows: float
    errors: tuple[float, ...]


def by_depth(tree: Tree, tables: Sequence[Table]) -> tuple[DepthPoint, ...]:
    """The tree as a limit of the depth would leave it, from the root alone to all of it.

    Growth decides a node without those below it, so a tree that is cut at a depth is the tree that
    is grown with that limit.

    Parameters
    ----------
    tree : Tree
        Finished.
    tables : sequence of Table
        Rows to measure errors on, each with at least one.

    Returns
    -------
    tuple of DepthPoint
        One a depth, from 0 on.

    Raises
    ------
    QueryError
        If a table does not fit the tree.
    """
    nodes, is_split = tree.nodes, tree.is_split
    deepest = int(nodes.depth.max())
    levels = [np.flatnonzero(is_split & (nodes.depth == depth)).tolist() for depth in range(deepest - 1, -1, -1)]
    errors = [stage_errors(tree, land(tree, table), levels)[::-1] for table in tables]
    found = []
    for depth in range(deepest + 1):
        leaf = (nodes.depth == depth) | (~is_split & (nodes.depth < depth))
        rows = np.asarray(nodes.size, dtype=np.float64)[leaf]
        rows = rows[rows > 0]
        found.append(
            DepthPoint(
                depth=depth,
                n_leaves=int(leaf.sum()),
                mean_rows=float(rows.mean()) if len(rows) else 0.0,
                least_rows=float(rows.min()) if len(rows) else 0.0,
                errors=tuple(float(column[depth]) for column in errors),
            )
        )
    return tuple(found)
