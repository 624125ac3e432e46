"""Exact decision regions: what a tree answers over one or two of its features, as rectangles.

A leaf is a box: an interval of every numeric feature and a set of levels of every categorical one.
Drawn over two features it is a rectangle, or a few. The bounds of all boxes come from one pass down
the tree, a level at a time, so that a thousand leaves take a few milliseconds and no mesh is needed.

Where the tree also tests features that are not shown, a point of the picture has no single leaf.
Then the answer is the one that the tree gives when only the shown features are known: every branch
of a hidden test is followed, weighted by its share of the training rows (Quinlan 1993, section 3.2,
for unknown values; Friedman 2001, section 8.2, for partial dependence).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from engine.axes import Axis, Limits, feature_axis
from engine.errors import TableError
from engine.splits import SplitKind, is_numeric
from engine.table import BoolArray, FloatArray, IntArray, Table
from engine.tree import Tree

MAX_BLENDED_CELLS = 3_000_000
"""Cells times classes up to which blended regions are exact; beyond it a mesh is used."""


@dataclass(frozen=True, eq=False)
class Regions:
    """What a tree answers over one or two features: n rectangles that cover the picture once.

    Attributes
    ----------
    x, y : Axis
        `y` is None for one feature; then every rectangle reaches from 0 to 1.
    x0, x1, y0, y1 : ndarray of float64, shape (n,)
        Sides. The lower one belongs to the rectangle, the upper one does not.
    node : ndarray of int64, shape (n,)
        The node that answers; where `blended`, the node whose test on a hidden feature comes first.
    prediction : ndarray of shape (n,)
        Class codes, or numbers: the mean, where `blended`, of the nodes that share the rectangle.
    probabilities : ndarray of float64, shape (n, n_classes)
        Class shares of the answering node; where `blended`, of the nodes that share the rectangle.
        No columns for a number.
    blended : ndarray of bool, shape (n,)
        Whether a feature that is not shown also matters here.
    hidden : tuple of str
        Names of the features, neither shown nor given, that blend the answers.
    """

    x: Axis
    y: Axis | None
    x0: FloatArray
    x1: FloatArray
    y0: FloatArray
    y1: FloatArray
    node: IntArray
    prediction: IntArray
    probabilities: FloatArray
    blended: BoolArray
    hidden: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.x0)

    @property
    def exact(self) -> bool:
        """Whether the tree's answer depends on the shown and given features alone."""
        return not self.blended.any()

    @property
    def areas(self) -> FloatArray:
        """Each rectangle's share of the picture, shape (n,).

        Sides are divided before they are multiplied, so that a range near the largest float is safe.
        """
        return _shares(self.x0, self.x1, self.x) * _shares(self.y0, self.y1, self.y)


def decision_regions(
    tree: Tree,
    x: str,
    y: str | None = None,
    *,
    given: Mapping[str, str | float] | None = None,
    limits: tuple[Limits | None, Limits | None] = (None, None),
) -> Regions:
    """The regions of a tree, finished or as it stood after a step, over one or two features.

    Parameters
    ----------
    tree : Tree
        In a view `tree.at(k)` a node that is still open answers with its majority.
    x, y : str
        Names of the features shown.
    given : mapping of str to level or number, optional
        Features that are not shown but held at a value.
    limits : pair of (float, float) or None
        Ends of the axes; see `feature_axis`.

    Returns
    -------
    Regions

    Raises
    ------
    TableError
        If a feature or a level does not exist, or a feature is named twice.

    Examples
    --------
    >>> from engine import grow, read_table
    >>> growth = grow(read_table("datasets/files/iris.csv", target="target"))
    >>> regions = decision_regions(growth.tree.at(2), "petal length (cm)", "petal width (cm)")
    >>> len(regions), regions.exact, round(float(regions.areas.sum()), 9)
    (2, True, 1.0)
    """
    axes = shown_axes(tree.table, x, y, limits)
    boxes = _Boxes(tree, axes, given_codes(tree.table, given or {}, axes))
    leaves = np.flatnonzero(tree.is_visible & ~tree.is_split & (boxes.weight > 0))
    owner, sides = boxes.pieces(leaves)
    node = leaves[owner]
    probabilities = tree.answers[node]
    first_hidden = boxes.first_hidden[node]
    alone, several = first_hidden < 0, first_hidden >= 0
    parts = [(sides[:, alone], node[alone], tree.nodes.prediction[node[alone]], probabilities[alone])]
    for root, blended_sides, blend in _blends(
        first_hidden[several], sides[:, several], boxes.weight[node[several]], probabilities[several]
    ):
        parts.append((blended_sides, root, blend[:, 0] if tree.is_number else blend.argmax(axis=1), blend))
    n_alone = int(alone.sum())
    x0, x1, y0, y1 = np.concatenate([part[0] for part in parts], axis=1)
    return Regions(
        x=axes[0],
        y=axes[1] if y is not None else None,
        x0=x0,
        x1=x1,
        y0=y0,
        y1=y1,
        node=np.concatenate([part[1] for part in parts]),
        prediction=np.concatenate([part[2] for part in parts]),
        probabilities=np.concatenate([part[3] for part in parts])[:, : tree.table.n_classes],
        blended=np.arange(len(x0)) >= n_alone,
        hidden=tuple(tree.table.features[i].name for i in boxes.hidden),
    )


@dataclass(frozen=True, eq=False)
class Pieces:
    """The leaves of a tree as rectangles over one or two features, n of them; see `leaf_pieces`.

    Attributes
    ----------
    node : ndarray of int64, shape (n,)
    sides : ndarray of float64, shape (4, n)
        x0, x1, y0, y1.
    weight : ndarray of float64, shape (n,)
        1, or less where a feature that is not shown also matters: rectangles then overlap, and over
        every point their weights add up to 1.
    hidden : tuple of int
        The features, neither shown nor given, that matter.
    """

    node: IntArray
    sides: FloatArray
    weight: FloatArray
    hidden: tuple[int, ...]


def leaf_pieces(tree: Tree, axes: Sequence[Axis], given: Mapping[int, float]) -> Pieces:
    """Where each leaf of a tree answers, and with what weight: what an ensemble adds up.

    Parameters
    ----------
    tree : Tree
    axes : sequence of Axis
        One or two.
    given : mapping of int to float
        Features held at a value, as `given_codes` codes it.
    """
    boxes = _Boxes(tree, axes, given)
    leaves = np.flatnonzero(tree.is_visible & ~tree.is_split & (boxes.weight > 0))
    owner, sides = boxes.pieces(leaves)
    return Pieces(leaves[owner], sides, boxes.weight[leaves[owner]], tuple(boxes.hidden))


def node_region(
    tree: Tree,
    node: int,
    x: str,
    y: str | None = None,
    *,
    limits: tuple[Limits | None, Limits | None] = (None, None),
) -> FloatArray:
    """The rectangles of one node over one or two features, shape (n, 4): columns x0, x1, y0, y1.

    Conditions on other features are left aside: this is the shadow that the node's box throws.
    """
    axes = shown_axes(tree.table, x, y, limits)
    return _Boxes(tree, axes, {}).pieces(np.array([node]))[1].T


class _Boxes:
    """The bounds of every node over the axes, by one pass down the tree, a level at a time."""

    def __init__(self, tree: Tree, axes: Sequence[Axis], given: Mapping[int, float]) -> None:
        self.tree, self.axes = tree, axes
        nodes = tree.nodes
        # First what the parent's test alone says of each node, then the same for the whole path.
        tested, threshold = nodes.feature[nodes.parent], nodes.threshold[nodes.parent]
        tested[0] = -1
        on = np.array([tested == axis.feature for axis in axes])
        held = np.isin(tested, list(given))
        hidden = (tested >= 0) & ~held & ~on.any(axis=0)
        self.low = np.where(on & (nodes.branch == 1), threshold, -np.inf)
        self.high = np.where(on & (nodes.branch == 0), threshold, np.inf)
        # The last node on the path that is a branch of a split on this (categorical) axis.
        self.holder = np.where(on, np.arange(len(nodes)), 0)
        # The share of the training rows that hidden tests send this way, and the first of those tests.
        size = np.asarray(nodes.size)
        share = size / np.maximum(size[nodes.parent], 1)
        self.weight = np.where(hidden, share, np.where(held, _fits(tree, given), 1.0))
        # A point of the picture has a value on every shown axis: a branch for missing ones is not in it.
        self.weight[(on & (nodes.branch == 2)).any(axis=0) & np.isfinite(threshold)] = 0.0
        self.first_hidden = np.where(hidden, nodes.parent, -1)
        by_depth = np.argsort(nodes.depth, kind="stable")
        ends = np.searchsorted(nodes.depth[by_depth], np.arange(int(nodes.depth.max()) + 2))
        for start, end in pairwise(ends[1:]):
            here = by_depth[start:end]
            above = nodes.parent[here]
            self.low[:, here] = np.fmax(self.low[:, above], self.low[:, here])
            self.high[:, here] = np.fmin(self.high[:, above], self.high[:, here])
            self.holder[:, here] = np.where(on[:, here], here, self.holder[:, above])
            self.weight[here] *= self.weight[above]
            earlier = self.first_hidden[above]
            self.first_hidden[here] = np.where(earlier >= 0, earlier, self.first_hidden[here])
        tested = nodes.feature[tree.is_split & (self.weight > 0)]
        self.hidden = np.setdiff1d(tested, [*given, *(axis.feature for axis in axes)]).tolist()
        self._runs: dict[tuple[int, int], list[tuple[float, float]]] = {}

    def pieces(self, nodes: IntArray) -> tuple[IntArray, FloatArray]:
        """Rectangles of these nodes: the index into `nodes` of each, and sides of shape (4, n)."""
        owner, x0, x1 = self._intervals(0, nodes)
        if len(self.axes) == 1:
            return owner, np.stack([x0, x1, np.zeros(len(x0)), np.ones(len(x0))])
        other, y0, y1 = self._intervals(1, nodes)
        each = np.bincount(other, minlength=len(nodes))
        start = np.cumsum(each) - each
        times = each[owner]
        x_piece = np.repeat(np.arange(len(owner)), times)
        y_piece = np.arange(len(x_piece)) - np.repeat(np.cumsum(times) - times, times) + start[owner[x_piece]]
        return owner[x_piece], np.stack([x0[x_piece], x1[x_piece], y0[y_piece], y1[y_piece]])

    def _intervals(self, a: int, nodes: IntArray) -> tuple[IntArray, FloatArray, FloatArray]:
        """Intervals of the nodes on axis `a`, ascending by node: owner, low, high."""
        axis = self.axes[a]
        if axis.is_numeric:
            low, high = self.low[a, nodes], self.high[a, nodes]
            return _clipped(np.arange(len(nodes)), low, high, axis)
        runs = [self._level_runs(a, holder) for holder in self.holder[a, nodes].tolist()]
        owner = np.repeat(np.arange(len(nodes)), [len(r) for r in runs])
        ends = np.array([ends for run in runs for ends in run], dtype=np.float64).reshape(-1, 2)
        return _clipped(owner, ends[:, 0], ends[:, 1], axis)

    def _level_runs(self, a: int, holder: int) -> list[tuple[float, float]]:
        """The levels left at `holder` as runs of neighbouring places."""
        if (a, holder) not in self._runs:
            places = sorted(self.axes[a].place_of[list(self._levels(a, holder))].tolist())
            starts = [p for i, p in enumerate(places) if i == 0 or places[i - 1] != p - 1]
            ends = [p for i, p in enumerate(places) if i + 1 == len(places) or places[i + 1] != p + 1]
            self._runs[a, holder] = [(s - 0.5, e + 0.5) for s, e in zip(starts, ends, strict=True)]
        return self._runs[a, holder]

    def _levels(self, a: int, holder: int) -> set[int]:
        """Level codes that pass every test on axis `a` from the root to `holder`."""
        nodes, every = self.tree.nodes, range(len(self.axes[a].levels))
        left = None
        while holder > 0:
            parent, branch = int(nodes.parent[holder]), int(nodes.branch[holder])
            groups = nodes.groups.get(parent)
            # A split without groups has a branch a level; a branch beyond the last group is for missing values.
            one = range(branch, branch + 1) if branch < len(every) else ()
            group = set(one if groups is None else groups[branch] if branch < len(groups) else ())
            left = group if left is None else left & group
            holder = int(self.holder[a, parent])
        return set(every) if left is None else left


def _clipped(owner: IntArray, low: FloatArray, high: FloatArray, axis: Axis) -> tuple[IntArray, FloatArray, FloatArray]:
    low, high = np.maximum(low, axis.low), np.minimum(high, axis.high)
    inside = low < high
    return owner[inside], low[inside], high[inside]


def shown_axes(table: Table, x: str, y: str | None, limits: tuple[Limits | None, Limits | None]) -> list[Axis]:
    """The axes of the shown features.

    Raises
    ------
    TableError
        If a feature does not exist, or is named twice.
    """
    if x == y:
        raise TableError(f"a region needs two different features, got {x!r} twice. Choose another for one of them.")
    names = [x] if y is None else [x, y]
    return [feature_axis(table, name, limit) for name, limit in zip(names, limits, strict=False)]


def given_codes(table: Table, given: Mapping[str, str | float], axes: Sequence[Axis]) -> dict[int, float]:
    """Given values as they are coded in the table's columns.

    Raises
    ------
    TableError
        If a feature or a level does not exist, or a feature is shown.
    """
    codes = {}
    for name, value in given.items():
        index = table.feature_index(name)
        feature = table.features[index]
        if any(axis.feature == index for axis in axes):
            raise TableError(f"the feature {name!r} is shown, so it cannot also be given. Leave it out.")
        if is_numeric(feature):
            codes[index] = float(value)
        elif value in feature.levels:
            codes[index] = feature.levels.index(str(value))
        else:
            raise TableError(f"{name!r} has no level {value!r}; its levels are {', '.join(feature.levels[:20])}.")
    return codes


def _fits(tree: Tree, given: Mapping[int, float]) -> BoolArray:
    """Whether each node lies on the branch that its parent's test of a given feature takes."""
    fits = np.ones(len(tree.nodes), dtype=bool)
    for parent in np.flatnonzero(np.isin(tree.nodes.feature, list(given)) & tree.is_split).tolist():
        split = tree.split(parent)
        assert split is not None
        feature = tree.table.features[split.feature]
        dtype = np.float64 if split.kind is SplitKind.THRESHOLD else np.int64
        taken = split.branch_of(np.array([given[split.feature]], dtype=dtype), feature)
        children = tree.children(parent)
        fits[children] = np.arange(len(children)) == taken
    return fits


def _blends(
    root: IntArray, sides: FloatArray, weight: FloatArray, probabilities: FloatArray
) -> Iterator[tuple[IntArray, FloatArray, FloatArray]]:
    """Disjoint rectangles with mean probabilities, from weighted ones that overlap below each root.

    Yields
    ------
    root : ndarray of int64, shape (m,)
    sides : ndarray of shape (4, m)
    probabilities : ndarray of shape (m, n_classes)
    """
    if not len(root):
        return
    keys = np.vstack([root, sides])
    order = np.lexsort(keys)
    changes = (keys[:, order[1:]] != keys[:, order[:-1]]).any(axis=0)
    starts = np.flatnonzero(np.r_[True, changes])
    # The weights over every point sum to one: equal rectangles that reach it overlap with no other.
    whole = np.add.reduceat(weight[order], starts) > 1 - 1e-9
    summed = np.add.reduceat((weight[:, None] * probabilities)[order], starts, axis=0)[whole]
    total = np.add.reduceat(weight[order], starts)[whole]
    kept = order[starts[whole]]
    yield root[kept], sides[:, kept], np.round(summed / total[:, None], 12)
    rest = np.empty(len(root), dtype=bool)
    rest[order] = ~np.repeat(whole, np.diff(np.r_[starts, len(root)]))
    for number in np.unique(root[rest]).tolist():
        at = rest & (root == number)
        blended_sides, blend = _blend(sides[:, at], weight[at], probabilities[at])
        yield np.full(len(blend), number), blended_sides, blend


def _blend(sides: FloatArray, weight: FloatArray, probabilities: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Overlapping weighted rectangles as disjoint ones with the mean of their probabilities.

    Each rectangle is added at its four corners of the grid of all sides; two cumulative sums then
    spread it over its cells.
    """
    finest = max(2, int(np.sqrt(MAX_BLENDED_CELLS / probabilities.shape[1])))
    x_edges, y_edges = _edges(sides[:2], finest), _edges(sides[2:], finest)
    i0, i1 = (np.searchsorted(_centres(x_edges), side) for side in sides[:2])
    j0, j1 = (np.searchsorted(_centres(y_edges), side) for side in sides[2:])
    grid = np.zeros((len(y_edges), len(x_edges), probabilities.shape[1] + 1))
    part = np.column_stack([probabilities, np.ones(len(weight))]) * weight[:, None]
    for rows, columns, sign in ((j0, i0, 1), (j1, i1, 1), (j0, i1, -1), (j1, i0, -1)):
        np.add.at(grid, (rows, columns), sign * part)
    cells = grid.cumsum(axis=0).cumsum(axis=1)[:-1, :-1]
    total = cells[:, :, -1]
    covered = total > 0.5
    cells = np.round(cells[:, :, :-1] / np.where(covered, total, 1)[:, :, None], 12)
    # Neighbours in a row of the grid that answer alike become one rectangle.
    alike = np.zeros(covered.shape, dtype=bool)
    alike[:, 1:] = covered[:, 1:] & covered[:, :-1] & (cells[:, 1:] == cells[:, :-1]).all(axis=2)
    first = np.argwhere(covered & ~alike)
    follows = np.zeros(covered.shape, dtype=bool)
    follows[:, :-1] = alike[:, 1:]
    last = np.argwhere(covered & ~follows)
    row, start, end = first[:, 0], first[:, 1], last[:, 1]
    merged = np.stack([x_edges[start], x_edges[end + 1], y_edges[row], y_edges[row + 1]])
    return merged, cells[row, start]


def _edges(sides: FloatArray, finest: int) -> FloatArray:
    edges = np.unique(sides)
    return edges if len(edges) <= finest else np.linspace(edges[0], edges[-1], finest)


def _centres(edges: FloatArray) -> FloatArray:
    return edges[:-1] / 2 + edges[1:] / 2


def _shares(low: FloatArray, high: FloatArray, axis: Axis | None) -> FloatArray:
    if axis is None:
        return high - low
    span = axis.high / 2 - axis.low / 2
    return np.asarray((high / 2 - low / 2) / span)
