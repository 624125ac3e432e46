"""The levels of a tree as the search makes them, and the tree as it is told: depth-first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import pairwise
from typing import Any

import numpy as np

from engine.active import ActiveRows
from engine.groupings import Groups
from engine.nodes import Nodes, Parts
from engine.scores import TOLERANCE
from engine.settings import ResolvedSettings
from engine.table import AnyArray, BoolArray, FloatArray, IntArray
from engine.totals import Totals


@dataclass
class Level:
    """The nodes made at one level, in the order (parent, branch); arrays over these nodes."""

    parent: IntArray
    branch: IntArray
    totals: Totals
    prediction: AnyArray
    stop: IntArray
    feature: IntArray
    kind: IntArray
    threshold: FloatArray
    by_choice: BoolArray
    scored: BoolArray


def depth_first(
    rules: ResolvedSettings,
    logs: FloatArray | None,
    levels: Sequence[Level],
    first_id: Sequence[int],
    groups: Mapping[int, Groups],
    active: ActiveRows,
) -> Nodes:
    """The nodes of all levels in the order of telling.

    Parameters
    ----------
    rules : ResolvedSettings
    logs : ndarray, optional
        `n_log2_n_table`, where counts are whole.
    levels : sequence of Level
    first_id : sequence of int
        The number of each level's first node in the order of computing, and last how many there are.
    groups : mapping of int to groups of levels
        Of the nodes that split into two groups, by number in the order of computing.
    active : ActiveRows
        With the last node that each row, or part of a row, reached.
    """

    def joined(name: str) -> AnyArray:
        return np.concatenate([getattr(level, name) for level in levels])

    def summed(name: str) -> AnyArray:
        return np.concatenate([getattr(level.totals, name) for level in levels])

    parent, branch = joined("parent"), joined("branch")
    n = len(parent)
    below = np.ones(n, dtype=np.int64)  # nodes of each subtree
    spans = list(pairwise(first_id))
    for start, stop in reversed(spans[1:]):
        above = parent[start:stop]
        low = first_id[first_id.index(start) - 1]
        below[low:start] += np.bincount(above - low, weights=below[start:stop], minlength=start - low).astype(np.int64)
    place_of = np.zeros(n, dtype=np.int64)
    n_trees = first_id[1]
    place_of[:n_trees] = np.cumsum(below[:n_trees]) - below[:n_trees]
    depth = np.zeros(n, dtype=np.int64)
    for d, (start, stop) in enumerate(spans[1:], start=1):
        before = np.cumsum(below[start:stop]) - below[start:stop]
        leader = np.flatnonzero(branch[start:stop] == 0)
        n_siblings = np.append(leader[1:], stop - start) - leader
        offset = before - np.repeat(before[leader], n_siblings)
        place_of[start:stop] = place_of[parent[start:stop]] + 1 + offset
        depth[start:stop] = d
    order = np.empty(n, dtype=np.int64)
    order[place_of] = np.arange(n)
    parent = np.where(parent < 0, -1, place_of[parent])[order]
    feature = joined("feature")[order]
    n_children = np.bincount(parent[parent >= 0], minlength=n)
    size, prediction = summed("size")[order], joined("prediction")[order]
    number = rules.is_number
    counts = np.zeros((n, 0), dtype=np.int64) if number else summed("counts")[order]
    spread = None
    if number:
        spread = np.divide(summed("squares")[order], size - 1, out=np.zeros(n), where=size > 1 + TOLERANCE)
    ids = np.arange(n)
    leaf = place_of[active.node_of_entry]
    return Nodes(
        parent=parent,
        branch=branch[order],
        depth=depth[order],
        feature=feature,
        kind=joined("kind")[order],
        threshold=joined("threshold")[order],
        groups={int(place_of[node]): pair for node, pair in groups.items()},
        first_child=np.cumsum(n_children) - n_children,
        n_children=n_children,
        children=np.argsort(parent, kind="stable")[n_trees:],
        counts=counts,
        size=size,
        impurity=np.concatenate([x.totals.impurity(rules.criterion, logs) for x in levels])[order],
        prediction=prediction,
        informed_by=np.where(size > 0, ids, parent),
        stop=joined("stop")[order],
        scored=joined("scored")[order],
        by_choice=joined("by_choice")[order],
        subtree_end=ids + below[order],
        leaf_of_row=_leaf_of_row(active, leaf),
        mean=prediction if number else None,
        variance=spread,
        parts=_parts(active, leaf),
    )


def _parts(active: ActiveRows, leaf: IntArray) -> Parts | None:
    """The parts of rows, leaf by leaf."""
    if active.part_of_entry is None:
        return None
    order = np.argsort(leaf * active.table.n_rows + active.row_of_entry)
    return Parts(row=active.row_of_entry[order], leaf=leaf[order], fraction=active.part_of_entry[order])


def _leaf_of_row(active: ActiveRows, leaf: IntArray) -> IntArray:
    """The leaf of each row; of one in parts that of the greatest part, the first of equals."""
    n_rows, part = active.table.n_rows, active.part_of_entry
    found = leaf[:n_rows]
    if part is None:
        return found
    several = np.zeros(n_rows, dtype=bool)
    several[active.row_of_entry[n_rows:]] = True
    entries = np.flatnonzero(several[active.row_of_entry])
    entries = entries[np.lexsort((leaf[entries], active.row_of_entry[entries]))]
    rows, begin = np.unique(active.row_of_entry[entries], return_index=True)
    most = np.maximum.reduceat(part[entries], begin) if len(begin) else part[:0]
    n_parts = np.diff(begin, append=len(entries))
    near = np.flatnonzero(part[entries] >= np.repeat(most, n_parts) - TOLERANCE)
    found = found.copy()
    found[rows] = leaf[entries[near[np.searchsorted(near, begin)]]]
    return found


def apart(together: Nodes, n_rows: IntArray) -> list[Nodes]:
    """The nodes of trees that were numbered one after the other, each tree by itself.

    `n_rows`, of shape (n_trees,), are the rows of each tree.
    """
    roots = np.flatnonzero(together.parent < 0)
    ends = [*roots[1:].tolist(), len(together)]
    row_ends = np.cumsum(n_rows).tolist()
    found = []
    for root, end, row_end, rows in zip(roots.tolist(), ends, row_ends, n_rows.tolist(), strict=True):
        span = slice(root, end)
        changed: dict[str, Any] = {}
        for field in fields(Nodes):
            value = getattr(together, field.name)
            if isinstance(value, np.ndarray) and field.name not in ("children", "leaf_of_row"):
                changed[field.name] = value[span] - root if field.name in _PLACES else value[span]
        first = int(together.first_child[root])
        changed["parent"][0] = -1
        changed["first_child"] = changed["first_child"] - first
        changed["children"] = together.children[first : first + end - root - 1] - root
        changed["leaf_of_row"] = together.leaf_of_row[row_end - rows : row_end] - root
        groups = {node - root: pair for node, pair in together.groups.items() if root <= node < end}
        found.append(replace(together, groups=groups, **changed))
    return found


_PLACES = ("parent", "informed_by", "subtree_end")
