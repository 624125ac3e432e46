"""The features drawn at each node of a random forest's tree (Breiman 2001).

A draw depends on the seed and the node's place alone, not on the order in which nodes are decided,
so that a tree comes out the same however it is grown. A node's number is hashed from its parent's
and its branch, and the features are ranked by a hash of node and feature (splitmix64).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from engine.evidence import NodeScores
from engine.sums import NodeRows

_STEP = 0x9E3779B97F4A7C15
_MASK = (1 << 64) - 1


def mixed(value: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """A hash of each number: the finaliser of splitmix64 (Steele, Lea and Flood 2014)."""
    with np.errstate(over="ignore"):
        value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return value ^ (value >> np.uint64(31))


def first_draw(seed: int) -> int:
    """The number of the root."""
    return _mixed((seed + 1) * _STEP & _MASK)


def next_draw(draw: int, branch: int) -> int:
    """The number of a node's child."""
    return _mixed((draw + (branch + 1) * _STEP) & _MASK)


def _mixed(value: int) -> int:
    """`mixed` of one number, without the cost of an array."""
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
    value = (value ^ (value >> 27)) * 0x94D049BB133111EB & _MASK
    return value ^ (value >> 31)


def next_draws(draws: npt.NDArray[np.uint64], branches: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
    """`next_draw` over arrays."""
    with np.errstate(over="ignore"):
        return mixed(draws + (branches.astype(np.uint64) + np.uint64(1)) * np.uint64(_STEP))


def priorities(draws: npt.NDArray[np.uint64], n_features: int) -> npt.NDArray[np.uint64]:
    """A random number for each node and feature, shape (n_nodes, n_features): the lowest are drawn first."""
    with np.errstate(over="ignore"):
        steps = (np.arange(n_features, dtype=np.uint64) + np.uint64(1)) * np.uint64(0xD1342543DE82EF95)
        return mixed(draws[:, None] + steps)


def node_scores(here: NodeRows, usable: Sequence[int], draw: int) -> NodeScores:
    """The scores of the usable features; with `max_features` of those that are drawn.

    As in scikit-learn the draw goes on until a drawn feature separates the rows.
    """
    most = here.rules.max_features
    if most is None or most >= len(usable):
        return NodeScores(here, usable)
    ranks = priorities(np.array([draw], dtype=np.uint64), len(here.table.features))[0]
    order = sorted(usable, key=lambda feature: int(ranks[feature]))
    for n_drawn in range(most, len(order) + 1):
        scored = NodeScores(here, sorted(order[:n_drawn]))
        if scored.best_score is not None:
            return scored
    return NodeScores(here, sorted(order[:most]))
