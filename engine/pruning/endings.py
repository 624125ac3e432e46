"""When each node of the full tree ends in a pruning, worked out once: what steps are asked for again and again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.pruning.decisions import PruningDecision
from engine.table import IntArray
from engine.tree import Tree


@dataclass(frozen=True, eq=False)
class Endings:
    """The ends of nodes; steps count from 1, for step 0 is the full tree.

    Attributes
    ----------
    cut, gone : ndarray of int64, shape (n_nodes,)
        The step that makes a split a leaf, and the one that takes a node away; -1 where none does.
    settled : ndarray of int64, shape (n_nodes,)
        The index of the decision that settled a split: its own, or that of the split above it which took
        it along; -1 for a leaf, and for a split that was never in question and stayed.
    n_leaves : ndarray of int64, shape (n_decisions + 1,)
        Leaves of the tree after each step.
    """

    cut: IntArray
    gone: IntArray
    settled: IntArray
    n_leaves: IntArray


def endings(tree: Tree, decisions: Sequence[PruningDecision]) -> Endings:
    """The ends of the nodes of a full tree under these decisions.

    Parameters
    ----------
    tree : Tree
    decisions : sequence of PruningDecision
        In their order; of nested splits that go, the lower one goes first.

    Returns
    -------
    Endings
    """
    n, end = len(tree.nodes), tree.nodes.subtree_end.tolist()
    cut, gone, settled = (np.full(n, -1, dtype=np.int64) for _ in range(3))
    for decision in decisions:
        node, step = decision.node, decision.index + 1
        if not decision.is_pruned:
            settled[node] = decision.index
            continue
        below, inside = slice(node + 1, end[node]), slice(node, end[node])
        ended = (cut[inside] >= 0) | (gone[inside] >= 0)
        settled[inside] = np.where(ended, settled[inside], decision.index)
        cut[node] = step
        gone[below] = np.where(gone[below] < 0, step, gone[below])
    settled[~tree.is_split] = -1
    return Endings(cut, gone, settled, _leaves(tree, cut, gone, 1 + len(decisions)))


def _leaves(tree: Tree, cut: IntArray, gone: IntArray, n_steps: int) -> IntArray:
    """Leaves come with the step that cuts them, or are there from the start, and go with the one that takes them."""
    comes = np.where(tree.is_split, cut, 0)
    is_leaf = comes >= 0
    change = np.bincount(comes[is_leaf], minlength=n_steps)
    change -= np.bincount(gone[is_leaf & (gone >= 0)], minlength=n_steps)
    return np.asarray(np.cumsum(change), dtype=np.int64)
