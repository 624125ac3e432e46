"""A tree while its splits are taken back: the size and the cost of every subtree as it now stands."""

from __future__ import annotations

import numpy as np

from engine.nodes import Nodes
from engine.table import AnyArray, BoolArray, FloatArray, IntArray
from engine.tree import Tree

CLOSE = 1e-9
"""Costs that differ by less than this share of them are equal: sums in another order differ in their last digits."""


def near(kept_cost: float, pruned_cost: float) -> float:
    """`pruned_cost`, or `kept_cost` itself where the two are equal but for rounding.

    >>> near(0.3, 0.1 + 0.2), near(0.3, 0.4)
    (0.3, 0.4)
    """
    scale = max(abs(kept_cost), abs(pruned_cost))
    return kept_cost if abs(pruned_cost - kept_cost) <= CLOSE * scale else pruned_cost


class Shrinking:
    """A tree that loses splits one by one.

    Parameters
    ----------
    tree : Tree
    leaf : ndarray of shape (…, n_nodes)
        What each node costs as a leaf; several kinds of costs are kept at once.
    rest : ndarray of shape (…, n_nodes), optional
        What each node costs as a split, beside the costs of its children; 0 if not given.

    Attributes
    ----------
    is_split, is_leaf : ndarray of bool, shape (n_nodes,)
        What is still split, and what is now a leaf; neither where it is gone.
    cost : ndarray of float64, shape (…, n_nodes)
        Of the subtree at each node; without meaning where it is gone.
    n_leaves : ndarray of int64, shape (n_nodes,)
        Likewise of leaves.
    """

    def __init__(self, tree: Tree, leaf: AnyArray, rest: AnyArray | None = None) -> None:
        nodes = tree.nodes
        self.parent: list[int] = nodes.parent.tolist()
        self.end: list[int] = nodes.subtree_end.tolist()
        self.leaf = leaf
        self.is_split: BoolArray = tree.is_split.copy()
        self.is_leaf: BoolArray = ~self.is_split
        own = np.zeros(leaf.shape) if rest is None else rest
        self.cost: FloatArray = subtree_sums(nodes, np.where(self.is_split, own, leaf))
        self.n_leaves: IntArray = subtree_sums(nodes, self.is_leaf.astype(np.int64))

    def prune(self, node: int) -> None:
        """Make a split a leaf."""
        end = self.end[node]
        self.is_split[node:end] = False
        self.is_leaf[node:end] = False
        self.is_leaf[node] = True
        more = np.asarray(self.leaf[..., node] - self.cost[..., node])[..., None]
        fewer = self.n_leaves[node] - 1
        self.cost[..., node], self.n_leaves[node] = self.leaf[..., node], 1
        above = []
        while (node := self.parent[node]) >= 0:
            above.append(node)
        self.cost[..., above] += more
        self.n_leaves[above] -= fewer


def subtree_sums(nodes: Nodes, values: AnyArray) -> AnyArray:
    """The sum of `values` over each node and all below it, shape (…, n_nodes)."""
    sums = values.copy()
    order = np.argsort(nodes.depth, kind="stable")
    begin = np.searchsorted(nodes.depth[order], np.arange(int(nodes.depth.max(initial=0)) + 2))
    for depth in range(len(begin) - 2, 0, -1):
        level = order[begin[depth] : begin[depth + 1]]
        np.add.at(sums.T, nodes.parent[level], sums.T[level])
    return sums


def bottom_up(tree: Tree) -> list[int]:
    """The splits in the order of bottom-up pruning: each after all splits below it, branches in order."""
    splits = np.flatnonzero(tree.is_split)
    order = np.lexsort((-splits, tree.nodes.subtree_end[splits]))
    found: list[int] = splits[order].tolist()
    return found
