"""The best grouping of one feature's levels at many nodes at once.

The candidates are those of groupings.py. Nodes are taken together by how many levels they have, so
that a node is scored only by its own groupings.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.criteria import Counts, Criterion, gain_ratio, sizes_of, split_information, weighted_impurity
from engine.groupings import MOST_LEVELS, Groups, as_groups, every_grouping, level_orders
from engine.scores import TOLERANCE
from engine.settings import ResolvedSettings
from engine.table import AnyArray, BoolArray, FloatArray, IntArray
from engine.thresholds import BestCandidates

MOST_BITS = 62
"""Levels that fit into the bits of a number."""
_AT_ONCE = 1 << 18


@dataclass(frozen=True, eq=False)
class NodeSums:
    """What is known of one feature at n nodes.

    Attributes
    ----------
    tally : ndarray of shape (n_sums, n_nodes, n_levels)
    rows : ndarray of shape (n_nodes, n_levels)
    size, parent : ndarray of shape (n_nodes,)
        Weight and impurity of the nodes.
    before : ndarray of shape (n_nodes,)
        What a remainder is taken from to give the gain.
    """

    tally: Counts
    rows: Counts
    size: AnyArray
    parent: FloatArray
    before: FloatArray

    def take(self, nodes: IntArray, levels: IntArray) -> NodeSums:
        """Some of the nodes, and of each some of its levels, shape (n, m)."""
        return NodeSums(
            tally=np.take_along_axis(self.tally[:, nodes], levels[None], axis=2),
            rows=np.take_along_axis(self.rows[nodes], levels, axis=1),
            size=self.size[nodes],
            parent=self.parent[nodes],
            before=self.before[nodes],
        )


def best_groups(rules: ResolvedSettings, sums: NodeSums, nodes: slice, place: int, best: BestCandidates) -> None:
    """Write the best grouping of the feature at `place` for these nodes into `best`."""
    present = sizes_of(rules.criterion, sums.tally) > 0
    n_present = present.sum(axis=1)
    for m in np.unique(n_present).tolist():
        if m < 2:
            continue
        some = np.flatnonzero(n_present == m)
        at_once = max(1, _AT_ONCE // (2 ** (min(m, MOST_LEVELS) - 1) * len(sums.tally)))
        for begin in range(0, len(some), at_once):
            here = some[begin : begin + at_once]
            levels = np.nonzero(present[here])[1].reshape(len(here), m)
            own = sums.take(here, levels)
            _write(rules, own, _masks(rules, own.tally), levels, here + nodes.start, place, best)


def _masks(rules: ResolvedSettings, tally: Counts) -> BoolArray:
    """The groupings of each node, shape (n_nodes or 1, P, m): which levels are in the first group."""
    m = tally.shape[2]
    if m <= MOST_LEVELS:
        return every_grouping(m)[None]
    order = level_orders(rules, tally)
    rank = np.argsort(order, axis=1)
    masks = rank[:, None, :] <= np.arange(m - 1)[None, :, None]
    return np.asarray(masks == masks[:, :, :1])  # the group of the first level leads


def _write(
    rules: ResolvedSettings,
    sums: NodeSums,
    masks: BoolArray,
    levels: IntArray,
    nodes: IntArray,
    place: int,
    best: BestCandidates,
) -> None:
    tally, rows, parent, size = sums.tally, sums.rows, sums.parent, sums.size[:, None]
    whole = tally.sum(axis=2)[:, :, None]
    below = _inside(tally, masks)
    above = whole - below
    size_below = sizes_of(rules.criterion, below)
    size_above = sizes_of(rules.criterion, above)
    cost = weighted_impurity(rules.criterion, below, size_below) + weighted_impurity(rules.criterion, above, size_above)
    gain = sums.before[:, None] - cost / size
    slack = TOLERANCE * parent[:, None] if rules.is_number else TOLERANCE
    barred = gain <= slack if rules.must_gain else gain < -slack
    score = gain
    if rules.ranks_by is Criterion.GAIN_RATIO or rules.average_gain_filter:
        unknown = np.maximum(size - size_below - size_above, 0.0)
        information = split_information(np.stack([size_below, size_above, unknown]))
        if rules.ranks_by is Criterion.GAIN_RATIO:
            score = gain_ratio(gain, information)
    large = np.ones(gain.shape, dtype=bool)
    if rules.min_samples_leaf > 1:
        rows_below = _inside(rows[None], masks)[0]
        rows_above = rows.sum(axis=1)[:, None] - rows_below
        large = np.minimum(rows_below, rows_above) >= rules.min_samples_leaf - TOLERANCE
    score = np.where(barred | ~large, -np.inf, score)
    greatest = score.max(axis=1)
    near = score >= greatest[:, None] - slack
    each = np.arange(len(nodes))
    index = near.argmax(axis=1) if masks.shape[2] <= MOST_LEVELS else _first_by_list(near, masks)
    first = masks[0, index] if len(masks) == 1 else masks[each, index]
    best.score[place, nodes] = greatest
    best.own[place, nodes] = score[each, index]
    best.gain[place, nodes] = gain[each, index]
    best.place[place, nodes] = (first.astype(np.int64) << levels).sum(axis=1)
    best.separates[place, nodes] = True
    best.large[place, nodes] = large.any(axis=1)
    if rules.average_gain_filter:
        best.information[place, nodes] = information[each, index]


def _inside(tally: Counts, masks: BoolArray) -> Counts:
    """Sums of the first groups: (n_sums, n_nodes, m) by (n_nodes or 1, P, m) gives (n_sums, n_nodes, P)."""
    if len(masks) == 1:
        return np.asarray(tally @ masks[0].T.astype(np.float64))
    return np.asarray(np.matmul(tally[:, :, None, :], masks.swapaxes(1, 2).astype(np.float64))[:, :, 0])


def _first_by_list(near: BoolArray, masks: BoolArray) -> IntArray:
    """Of the near-best groupings of each node, the one whose first group's list of levels comes first."""
    index: IntArray = near.argmax(axis=1)
    for node in np.flatnonzero(near.sum(axis=1) > 1).tolist():
        tied = np.flatnonzero(near[node]).tolist()
        index[node] = min(tied, key=lambda i: np.flatnonzero(masks[node, i]).tolist())
    return index


def groups_of_bits(first: int, n_levels: int) -> Groups:
    """Two groups of levels from the bits of the first one.

    >>> groups_of_bits(0b101, 4)
    ((0, 2), (1, 3))
    """
    return as_groups((first >> np.arange(n_levels)) & 1 == 1)
