"""Decision regions of an ensemble over one or two features: a grid of all thresholds of all members.

Each leaf adds its say at its four corners of the grid; two cumulative sums spread it over the cells
between. The grid is exact while its cells times the totals of a cell are at most `MOST_CELLS`;
beyond that an axis with more thresholds than pixels is cut into pixels, and a pixel has the answer
of its centre.

Where members also test features that are not shown, each leaf's say is weighted by the share of the
training rows on its side of those tests (Friedman 2001, section 8.2, partial dependence).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from engine.axes import Axis, Limits
from engine.ensembles.ensemble import Ensemble
from engine.ensembles.members import Member
from engine.ensembles.polls import Poll, Rule
from engine.regions import given_codes, leaf_pieces, shown_axes
from engine.table import AnyArray, BoolArray, FloatArray, IntArray

MOST_CELLS = 3_000_000
"""Cells times totals up to which the grid is exact."""

PIXELS = (720, 480)


@dataclass(frozen=True, eq=False)
class EnsembleRegions:
    """What an ensemble answers over one or two features, as a grid of cells.

    Attributes
    ----------
    x, y : Axis
        `y` is None for one feature; then the grid has one row, from 0 to 1.
    x_edges, y_edges : ndarray of float64, shapes (n_x + 1,) and (n_y + 1,)
        Sides of the cells. The lower one belongs to a cell, the upper one does not.
    prediction : ndarray of shape (n_y, n_x)
        Class codes, or numbers.
    shares : ndarray of float64, shape (n_y, n_x, n_classes)
        Shares of the votes, or probabilities; no classes for a number.
    totals : ndarray of float64, shape (n_y, n_x, n_totals)
        See `Poll`.
    exact : bool
        Whether every threshold is a side of a cell; else cells are pixels.
    hidden : tuple of str
        Features, neither shown nor given, that members also test.
    """

    x: Axis
    y: Axis | None
    x_edges: FloatArray
    y_edges: FloatArray
    prediction: AnyArray
    shares: FloatArray
    totals: FloatArray
    exact: bool
    hidden: tuple[str, ...]


class EnsembleMap:
    """The leaves of all members over one or two features, from which the regions of every step come.

    Parameters
    ----------
    ensemble : Ensemble
    x, y : str
        Names of the features shown.
    given : mapping of str to level or number, optional
        Features that are not shown but held at a value.
    limits : pair of (float, float) or None
        Ends of the axes; see `engine.axes.feature_axis`.
    pixels : (int, int)
        Cells along x and y where the grid cannot be exact.
    most_cells : int
        Cells times totals up to which it is.

    Raises
    ------
    TableError
        If a feature or a level does not exist, or a feature is named twice.
    """

    def __init__(
        self,
        ensemble: Ensemble,
        x: str,
        y: str | None = None,
        *,
        given: Mapping[str, str | float] | None = None,
        limits: tuple[Limits | None, Limits | None] = (None, None),
        pixels: tuple[int, int] = PIXELS,
        most_cells: int = MOST_CELLS,
    ) -> None:
        self.ensemble, self.pixels, self.most_cells = ensemble, pixels, most_cells
        table = ensemble.base.prepared
        self.axes = shown_axes(table, x, y, limits)
        codes = given_codes(table, given or {}, self.axes)
        pieces = [leaf_pieces(member.model, self.axes, codes) for member in ensemble.members]
        says = [
            _says(ensemble.rule, member, piece.node, piece.weight)
            for member, piece in zip(ensemble.members, pieces, strict=True)
        ]
        self._ends = np.cumsum([0, *(len(piece.node) for piece in pieces)])
        self._sides = np.concatenate([np.empty((4, 0)), *(piece.sides for piece in pieces)], axis=1)
        self._column = np.concatenate([np.empty(0, dtype=np.int64), *(column for column, _ in says)])
        self._say = np.concatenate([np.empty(0), *(say for _, say in says)])
        self._hidden = [set(piece.hidden) for piece in pieces]

    def regions(self, n_members: int | None = None) -> EnsembleRegions:
        """The regions of the first members; of all if not given."""
        ensemble = self.ensemble if n_members is None else self.ensemble.at(n_members)
        end = self._ends[len(ensemble.members)]
        sides, column, say = self._sides[:, :end], self._column[:end], self._say[:end]
        (x_edges, y_edges), exact = self._edges(sides)
        totals = _added_up(sides, column, say, x_edges, y_edges, ensemble.rule.n_totals)
        poll = Poll(ensemble.rule, totals.shape[0] * totals.shape[1])
        poll.totals += totals.reshape(poll.totals.shape)
        poll.heard += len(ensemble.members)
        hidden = set().union(*self._hidden[: len(ensemble.members)])
        shape = totals.shape[:2]
        return EnsembleRegions(
            x=self.axes[0],
            y=self.axes[1] if len(self.axes) > 1 else None,
            x_edges=x_edges,
            y_edges=y_edges,
            prediction=poll.predictions.reshape(shape),
            shares=poll.shares.reshape(*shape, -1) if ensemble.rule.n_classes else np.empty((*shape, 0)),
            totals=poll.totals.reshape(totals.shape),
            exact=exact,
            hidden=tuple(self.ensemble.table.features[i].name for i in sorted(hidden)),
        )

    def _edges(self, sides: FloatArray) -> tuple[tuple[FloatArray, FloatArray], bool]:
        """The sides of the cells, and whether they are all thresholds."""
        exact = [self._thresholds(0, sides), self._thresholds(1, sides)]
        n_totals = self.ensemble.rule.n_totals
        if (len(exact[0]) - 1) * (len(exact[1]) - 1) * n_totals <= self.most_cells:
            return (exact[0], exact[1]), True
        most = max(1, int((self.most_cells / n_totals) ** 0.5))
        cut = [self._pixels(a, edges, min(self.pixels[a], most)) for a, edges in enumerate(exact)]
        return (cut[0], cut[1]), False

    def _thresholds(self, a: int, sides: FloatArray) -> FloatArray:
        if a >= len(self.axes):
            return np.array([0.0, 1.0])
        return np.unique([self.axes[a].low, self.axes[a].high, *np.unique(sides[2 * a : 2 * a + 2])])

    def _pixels(self, a: int, edges: FloatArray, n_pixels: int) -> FloatArray:
        if a >= len(self.axes) or len(edges) - 1 <= n_pixels or not self.axes[a].is_numeric:
            return edges
        return np.linspace(edges[0], edges[-1], n_pixels + 1)


def ensemble_regions(
    ensemble: Ensemble,
    x: str,
    y: str | None = None,
    *,
    given: Mapping[str, str | float] | None = None,
    limits: tuple[Limits | None, Limits | None] = (None, None),
    pixels: tuple[int, int] = PIXELS,
    most_cells: int = MOST_CELLS,
) -> EnsembleRegions:
    """The regions of an ensemble; see `EnsembleMap`, which serves for many steps.

    >>> import engine
    >>> table = engine.read_table("datasets/files/iris.csv", target="target")
    >>> ensemble = engine.grow_ensemble(table, engine.EnsembleSettings(n_members=5))
    >>> regions = ensemble_regions(ensemble, "petal length (cm)", "petal width (cm)")
    >>> regions.exact, regions.prediction.shape == (len(regions.y_edges) - 1, len(regions.x_edges) - 1)
    (True, True)
    """
    return EnsembleMap(ensemble, x, y, given=given, limits=limits, pixels=pixels, most_cells=most_cells).regions()


def boundaries(regions: EnsembleRegions) -> FloatArray:
    """The lines where the answer changes: x0, x1, y0, y1 of each piece, shape (4, n).

    Upright ones first; neighbouring pieces of a line are one.

    >>> import engine
    >>> table = engine.read_table("datasets/files/iris.csv", target="target")
    >>> settings = engine.EnsembleSettings(method="adaboost", n_members=1)
    >>> found = ensemble_regions(engine.grow_ensemble(table, settings), "petal length (cm)", "petal width (cm)")
    >>> boundaries(found).round(2).tolist()
    [[2.45], [2.45], [0.0], [2.6]]
    """
    said, x, y = regions.prediction, regions.x_edges, regions.y_edges
    column, low, high = _runs((said[:, 1:] != said[:, :-1]).T)
    row, left, right = _runs(said[1:] != said[:-1])
    upright = np.stack([x[column + 1], x[column + 1], y[low], y[high]])
    return np.concatenate([upright, np.stack([x[left], x[right], y[row + 1], y[row + 1]])], axis=1)


def agreement(several: Sequence[EnsembleRegions], points: int = 200) -> FloatArray:
    """How far regions over the same axes agree, on `points` × `points` places, shape (points, points).

    Of classes the share of the pairs that give the same answer there; of numbers the standard
    deviation of the answers. For one feature all rows are the same.
    """
    first = several[0]
    xs = np.linspace(first.x.low, first.x.high, 2 * points + 1)[1::2]
    low, high = (0.0, 1.0) if first.y is None else (first.y.low, first.y.high)
    ys = np.linspace(low, high, 2 * points + 1)[1::2]
    said = np.stack(
        [
            one.prediction[
                np.ix_(
                    np.searchsorted(one.y_edges, ys, side="right") - 1,
                    np.searchsorted(one.x_edges, xs, side="right") - 1,
                )
            ]
            for one in several
        ]
    )
    if not first.shares.shape[2]:
        return np.asarray(said.std(axis=0, ddof=1 if len(said) > 1 else 0))
    votes = np.stack([(said == code).sum(axis=0) for code in range(first.shares.shape[2])])
    pairs = max(len(said) * (len(said) - 1), 1)
    return np.asarray((votes * (votes - 1)).sum(axis=0) / pairs if len(said) > 1 else np.ones(said.shape[1:]))


def _runs(marked: BoolArray) -> tuple[IntArray, IntArray, IntArray]:
    """Where marks stand side by side in a line: the line, the first place, and the one after the last."""
    edges = np.diff(np.pad(marked, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    line, start = np.nonzero(edges == 1)
    return line, start, np.nonzero(edges == -1)[1]


def _says(rule: Rule, member: Member, node: IntArray, weight: FloatArray) -> tuple[IntArray, FloatArray]:
    """For each piece of a member: the total that it adds to, and what it adds."""
    answer = member.model.nodes.prediction[node]
    if rule.is_sum:
        return np.full(len(node), member.of_class or 0), rule.rate * weight * answer
    if not rule.n_classes:
        return np.zeros(len(node), dtype=np.int64), weight * answer
    return answer, weight * (1.0 if member.confidence is None else member.confidence)


def _added_up(
    sides: FloatArray, column: IntArray, say: FloatArray, x_edges: FloatArray, y_edges: FloatArray, n_totals: int
) -> FloatArray:
    """What all pieces add to each cell, shape (n_y, n_x, n_totals)."""
    i0, i1 = (np.searchsorted(_centres(x_edges), side) for side in sides[:2])
    j0, j1 = (np.searchsorted(_centres(y_edges), side) for side in sides[2:])
    shape = len(y_edges), len(x_edges), n_totals
    corners = [
        np.ravel_multi_index((rows, columns, column), shape)
        for rows, columns in ((j0, i0), (j1, i1), (j0, i1), (j1, i0))
    ]
    added = np.bincount(np.concatenate(corners), np.concatenate([say, say, -say, -say]), minlength=math.prod(shape))
    grid: FloatArray = np.asarray(added, dtype=np.float64).reshape(shape)
    np.cumsum(grid, axis=0, out=grid)
    np.cumsum(grid, axis=1, out=grid)
    return grid[:-1, :-1]


def _centres(edges: FloatArray) -> FloatArray:
    return edges[:-1] / 2 + edges[1:] / 2
