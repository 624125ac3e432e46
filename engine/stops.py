"""Stopping rules that ask about the chosen split itself: its significance, and its worth on a holdout.

Such a rule never changes what is chosen elsewhere, so the tree is grown without it, and the first
split on each path that fails becomes a leaf.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np

from engine.evidence import NodeScores
from engine.settings import ResolvedSettings
from engine.significance import chi_squares
from engine.table import AnyArray, BoolArray, FloatArray, IntArray
from engine.trace import StopReason
from engine.tree import STOP_REASONS, Nodes, Parts


def not_significant(nodes: Nodes, rules: ResolvedSettings) -> BoolArray:
    """Which splits have a p value above the significance level, shape (n_nodes,)."""
    child = np.arange(1, len(nodes))
    _, _, p_value = chi_squares(nodes.counts[1:], nodes.parent[child], len(nodes))
    assert rules.significance is not None
    return np.asarray((nodes.feature >= 0) & ~nodes.by_choice & (p_value > rules.significance))


def worse_on_holdout(nodes: Nodes, as_leaf: FloatArray, below: FloatArray) -> BoolArray:
    """Which splits make more mistakes (for a number, greater squared errors) on the holdout than a leaf would.

    The costs are those of `Tree.holdout_costs`.
    """
    tolerance = 1e-9 * np.maximum(as_leaf, 1.0)
    return np.asarray((nodes.feature >= 0) & ~nodes.by_choice & (below > as_leaf + tolerance))


def stopped(
    nodes: Nodes, evidence: dict[int, NodeScores], at: BoolArray, reason: StopReason
) -> tuple[Nodes, dict[int, NodeScores]]:
    """The tree whose first marked split on each path is a leaf, numbered anew, and its evidence."""
    if not at.any():
        return nodes, evidence
    home = _home(nodes, at)
    kept = kept_nodes(nodes, at)
    number = np.full(len(nodes), -1)
    number[kept] = np.arange(len(kept))
    new = number[home]
    leaf = at[kept]
    changed: dict[str, Any] = {}
    for field in fields(Nodes):
        value = getattr(nodes, field.name)
        if isinstance(value, np.ndarray) and len(value) == len(nodes) and field.name not in _BY_HAND:
            changed[field.name] = value[kept]
    changed["parent"] = np.where(nodes.parent[kept] < 0, -1, new[nodes.parent[kept]])
    changed["informed_by"] = new[nodes.informed_by[kept]]
    for name, empty in (("feature", -1), ("kind", -1), ("threshold", np.nan), ("stop", STOP_REASONS.index(reason))):
        changed[name] = np.where(leaf, empty, changed[name])
    n_children = np.bincount(changed["parent"][1:], minlength=len(kept))
    # One past the last descendant: how many kept nodes come before the old end.
    before = np.concatenate([[0], np.cumsum(home == np.arange(len(nodes)))])
    changed["subtree_end"] = before[nodes.subtree_end[kept]]
    changed["n_children"] = n_children
    changed["first_child"] = np.cumsum(n_children) - n_children
    changed["children"] = np.argsort(changed["parent"][1:], kind="stable") + 1
    changed["groups"] = {int(new[n]): g for n, g in nodes.groups.items() if home[n] == n and not at[n]}
    changed["leaf_of_row"] = new[nodes.leaf_of_row]
    changed["parts"] = _joined(nodes.parts, new)
    return replace(nodes, **changed), {int(new[n]): scored for n, scored in evidence.items() if home[n] == n}


def kept_nodes(nodes: Nodes, at: BoolArray) -> IntArray:
    """The ids of the nodes that `stopped` keeps, in the order of their new ids."""
    return np.flatnonzero(_home(nodes, at) == np.arange(len(nodes)))


def _home(nodes: Nodes, at: BoolArray) -> IntArray:
    """The node that each node's rows are in once the marked splits are leaves."""
    home = np.arange(len(nodes))
    for node in np.flatnonzero(at).tolist():
        if home[node] == node:
            home[node + 1 : nodes.subtree_end[node]] = node
    return home


_BY_HAND = {"children", "leaf_of_row", "parts", "groups", "subtree_end", "n_children", "first_child"}


def _joined(parts: Parts | None, new: AnyArray) -> Parts | None:
    """Parts of one row that now meet in one leaf, added up."""
    if parts is None or parts.fraction is None:
        return parts
    pairs = np.stack([parts.row, new[parts.leaf]])
    distinct, place = np.unique(pairs, axis=1, return_inverse=True)
    fraction = np.asarray(np.bincount(place.ravel(), parts.fraction), dtype=np.float64)
    return Parts(row=distinct[0], leaf=distinct[1], fraction=fraction)
