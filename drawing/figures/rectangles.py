"""Rectangles in few traces: a filled outline for each colour, or a raster where there are very many."""

from __future__ import annotations

from typing import Any

import numpy as np

from drawing.figures.base import Trace, compact, tints
from drawing.figures.values import grounds
from drawing.numbers import Range
from drawing.theme import PALETTES, Mode
from engine.axes import Axis
from engine.regions import Regions
from engine.table import FloatArray, IntArray

MOST_RECTANGLES = 600
MOST_TINTS = 40
RASTER = (240, 160)


def region_traces(regions: Regions, mode: Mode, within: Range | None = None) -> list[Trace]:
    """The regions as colour: pure by class, impure by mixture; of a number by its place on the range `within`."""
    if within is None:
        colours, index = tints(regions.probabilities, mode)
    else:
        colours, index = grounds(regions.prediction.astype(np.float64), within, mode)
    if len(regions) > MOST_RECTANGLES or len(colours) > MOST_TINTS:
        return [_raster_trace(regions, colours, index)]
    sides = np.stack([regions.x0, regions.x1, regions.y0, regions.y1])
    traces = []
    for number, colour in enumerate(colours):
        x, y = outlines(sides[:, index == number])
        traces.append(
            {
                "type": "scatter",
                "mode": "lines",
                "x": compact(x),
                "y": compact(y),
                "fill": "toself",
                "fillcolor": colour,
                "line": {"width": 1, "color": PALETTES[mode].background},
                "hoverinfo": "skip",
                "showlegend": False,
                "name": "region",
            }
        )
    return traces


def outlines(sides: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Rectangles, sides of shape (4, n), as one closed path with NaN between the parts."""
    x0, x1, y0, y1 = sides
    gap = np.full(len(x0), np.nan)
    x = np.stack([x0, x1, x1, x0, x0, gap], axis=1).ravel()
    y = np.stack([y0, y0, y1, y1, y0, gap], axis=1).ravel()
    return x[:-1], y[:-1]


def grid_index(regions: Regions, n_x: int, n_y: int) -> tuple[FloatArray, FloatArray, IntArray]:
    """Which rectangle lies under each point of an even grid.

    Returns
    -------
    x : ndarray of shape (n_x,)
    y : ndarray of shape (n_y,)
    index : ndarray of int64, shape (n_y, n_x)
    """
    x = _centres(regions.x, n_x)
    y = _centres(regions.y, n_y)
    i0, i1 = np.searchsorted(x, regions.x0), np.searchsorted(x, regions.x1)
    j0, j1 = np.searchsorted(y, regions.y0), np.searchsorted(y, regions.y1)
    # The rectangles are disjoint: each adds its number at its corners, and sums spread it.
    corners = np.zeros((n_y + 1, n_x + 1), dtype=np.int64)
    numbers = np.arange(len(regions))
    for rows, columns, sign in ((j0, i0, 1), (j1, i1, 1), (j0, i1, -1), (j1, i0, -1)):
        np.add.at(corners, (rows, columns), sign * numbers)
    return x, y, corners.cumsum(axis=0).cumsum(axis=1)[:-1, :-1]


def _centres(axis: Axis | None, n: int) -> FloatArray:
    low, high = (0.0, 1.0) if axis is None else (axis.low, axis.high)
    share = (np.arange(n) + 0.5) / n
    return low * (1 - share) + high * share


def _raster_trace(regions: Regions, colours: list[str], index: IntArray) -> dict[str, Any]:
    x, y, piece = grid_index(regions, *RASTER)
    last = max(len(colours) - 1, 1)
    scale = [[place / last, colour] for place, colour in enumerate(colours)]
    small = np.uint8 if len(colours) < 256 else np.uint16
    return {
        "type": "heatmap",
        "x": x,
        "y": y,
        "z": index[piece].astype(small),
        "zmin": 0,
        "zmax": last,
        "colorscale": scale if len(colours) > 1 else [[0, colours[0]], [1, colours[0]]],
        "showscale": False,
        "zsmooth": False,
        "hoverinfo": "skip",
        "name": "region",
    }
