"""The rows of a node below the gain curve: ticks by class, or marks at the height of their number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from drawing.figures.base import Trace, compact, label, plain_axis, title
from drawing.figures.places import MOST_MARKS
from drawing.figures.values import by_step, row_look
from drawing.numbers import value_range
from drawing.theme import PALETTES, Mode, class_colour
from engine.table import FloatArray, IntArray, Table

MOST_LANES = 8
"""Classes that get a line of ticks of their own."""
MOST_PLACES = 500
"""Places along the axis for more rows than twice as many."""
TICK = 0.32
"""Half the height of a tick, in lines."""


@dataclass(frozen=True)
class RowsBelow:
    """The lower part of the picture.

    Attributes
    ----------
    traces : list of dict
        On ``y2``.
    axis : dict
        Layout of ``yaxis2``, but for its domain.
    names : list of str
        What stands beside it, escaped.
    share : float
        Its height as a share of the whole.
    """

    traces: list[Trace]
    axis: dict[str, Any]
    names: list[str]
    share: float


def rows_below(table: Table, values: FloatArray, rows: IntArray, mode: Mode) -> RowsBelow:
    """Rows over the values of a feature.

    Parameters
    ----------
    table : Table
    values : ndarray of float64, shape (n,)
        The feature's value of each of `rows`.
    rows : ndarray of int64, shape (n,)
    mode : Mode
    """
    target = table.target_values[rows]
    if not table.n_classes:
        return _marks(table, values, target, mode)
    return _ticks(table, values, target.astype(np.int64), mode)


def _ticks(table: Table, values: FloatArray, classes: IntArray, mode: Mode) -> RowsBelow:
    """A line of ticks for each class, the first on top; of too many classes one line without names."""
    present = np.unique(classes).tolist()
    apart = len(present) <= MOST_LANES
    lane_of = np.zeros(table.n_classes)
    if apart:
        lane_of[present] = np.arange(len(present))[::-1]
    values, classes = _thinned(values, classes, table.n_classes)
    # Classes of one colour share a trace: one path, with gaps between its ticks.
    colour_of = classes % len(PALETTES[mode].classes)
    traces = [
        _tick_trace(values[colour_of == code], lane_of[classes[colour_of == code]], class_colour(code, mode))
        for code in np.unique(colour_of).tolist()
    ]
    names = [label(table.target.classes[code], 14) for code in present] if apart else []
    n_lanes = max(len(names), 1)
    axis = {
        **plain_axis(mode),
        "range": [-0.6, n_lanes - 0.4],
        "tickvals": lane_of[present] if apart else [],
        "ticktext": names,
        "ticks": "",
        "showline": False,
        "fixedrange": True,
        "automargin": False,
    }
    return RowsBelow(traces, axis, names, min(0.12 + 0.06 * n_lanes, 0.45))


def _thinned(values: FloatArray, classes: IntArray, n_classes: int) -> tuple[FloatArray, IntArray]:
    """Of very many rows one of each class for each place on the line."""
    if len(values) <= 2 * MOST_PLACES:
        return values, classes
    low, high = values.min(), values.max()
    place = np.round((values / 2 - low / 2) / ((high / 2 - low / 2) or 1.0) * MOST_PLACES).astype(np.int64)
    first = np.unique(place * n_classes + classes, return_index=True)[1]
    return values[first], classes[first]


def _tick_trace(values: FloatArray, lanes: FloatArray, colour: str) -> Trace:
    ends = np.stack([lanes - TICK, lanes + TICK, np.full(len(lanes), np.nan)], axis=1)
    return {
        "type": "scatter",
        "mode": "lines",
        "x": compact(np.repeat(values, 3)),
        "y": ends.ravel().astype(np.float32),
        "yaxis": "y2",
        "line": {"width": 1.5, "color": colour},
        "opacity": 0.75,
        "hoverinfo": "skip",
        "showlegend": False,
        "name": "rows",
    }


def _marks(table: Table, values: FloatArray, target: FloatArray, mode: Mode) -> RowsBelow:
    """Each row at the height and in the colour of its number; of very many an even sample."""
    shown = np.arange(len(values))
    if len(values) > MOST_MARKS:
        shown = np.argsort(values, kind="stable")[np.linspace(0, len(values) - 1, MOST_MARKS).astype(np.int64)]
    edge = {"width": 0.5, "color": PALETTES[mode].ink}
    traces: list[Trace] = [
        {
            "type": "scatter",
            "mode": "markers",
            "x": compact(values[group]),
            "y": compact(target[group]),
            "yaxis": "y2",
            "marker": {**row_look(step, mode), "size": 7, "line": edge},
            "hoverinfo": "skip",
            "showlegend": False,
            "name": "rows",
        }
        for group, step in by_step(shown, target, value_range(table.target_values))
    ]
    axis = {**plain_axis(mode), "title": title(table.target.name), "nticks": 3, "fixedrange": True, "automargin": False}
    return RowsBelow(traces, axis, [], 0.45)
