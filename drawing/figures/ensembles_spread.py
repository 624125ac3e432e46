"""Variance made visible: what models of several resamples answer, laid over one another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from drawing import phrases
from drawing.figures.base import (
    Trace,
    axis_layout,
    class_keys,
    class_marks,
    compact,
    key,
    make_figure,
    plain_axis,
    see_through,
    steady_margin,
    tints,
    title,
)
from drawing.figures.places import MOST_MARKS, marks, row_places
from drawing.numbers import value_range
from drawing.theme import PALETTES, Mode, percent, quantity
from engine.ensembles import EnsembleRegions, agreement, boundaries
from engine.table import FloatArray, Table

_ROOM = 0.06
"""Part of the target's range above and below it."""
_WHOLE = 2.5
"""How high the strip of the ensemble of all rows is, where that of a resample is 1."""


def spread_figure(
    table: Table,
    several: Sequence[EnsembleRegions],
    whole: EnsembleRegions,
    *,
    mode: Mode = Mode.LIGHT,
    height: int = 340,
) -> go.Figure:
    """The models of several resamples thin, the ensemble of all rows strong.

    For two features the boundaries between answers; for one feature and classes a strip a model; for
    a number the curves.

    Parameters
    ----------
    table : Table
        The rows that are drawn.
    several : sequence of EnsembleRegions
        One a resample, over the same axes.
    whole : EnsembleRegions
        Over the same axes.
    mode : Mode
    height : int
        Pixels.
    """
    if not table.n_classes:
        return _fan(table, several, whole, mode, height)
    return _outlines(table, several, whole, mode, height) if whole.y else _strips(table, several, whole, mode, height)


def spread_text(table: Table, several: Sequence[EnsembleRegions], who: str) -> str:
    """The picture in words: how far the models agree.

    Parameters
    ----------
    table : Table
    several : sequence of EnsembleRegions
    who : str
        What they are, as "trees".
    """
    found = agreement(several)
    first = several[0]
    over = phrases.plain(first.x.name) + (f" and {phrases.plain(first.y.name)}" if first.y else "")
    if table.n_classes:
        same = percent(float(found.mean()))
        return (
            f"Over {over}, two of the {len(several)} {who} give the same answer on {same} of the picture, on average."
        )
    return (
        f"Over {over}, the answers of the {len(several)} {who} have a standard deviation of "
        f"{quantity(float(f'{found.mean():.4g}'))} on average, at most {quantity(float(f'{found.max():.4g}'))}."
    )


def _outlines(
    table: Table, several: Sequence[EnsembleRegions], whole: EnsembleRegions, mode: Mode, height: int
) -> go.Figure:
    palette = PALETTES[mode]
    assert whole.y is not None
    pieces = np.concatenate([boundaries(one) for one in several], axis=1)
    traces: list[Trace] = [
        _rows(table, whole, mode),
        _lines(pieces, {"color": see_through(palette.accent, 0.45), "width": 1.6}, "each"),
        _lines(boundaries(whole), {"color": palette.ink, "width": 2.8}, "whole"),
    ]
    axes = [axis_layout(axis, mode) for axis in (whole.x, whole.y)]
    keys = class_keys(table.target.classes, np.bincount(table.target_values, minlength=table.n_classes), mode)
    return make_figure(
        [*traces, *keys],
        mode,
        height=height,
        keep=f"spread|{whole.x.name}|{whole.y.name}",
        margin=steady_margin(axes, keys=[one["name"] for one in keys]),
        xaxis=axes[0],
        yaxis=axes[1],
    )


def _lines(pieces: FloatArray, line: dict[str, Any], name: str) -> Trace:
    """Pieces of lines as one trace, gaps between them."""
    gap = np.full(pieces.shape[1], np.nan)
    return {
        "type": "scatter",
        "mode": "lines",
        "x": compact(np.stack([pieces[0], pieces[1], gap], axis=1).ravel()),
        "y": compact(np.stack([pieces[2], pieces[3], gap], axis=1).ravel()),
        "line": line,
        "hoverinfo": "skip",
        "showlegend": False,
        "name": name,
    }


def _rows(table: Table, whole: EnsembleRegions, mode: Mode) -> Trace:
    xs, ys = row_places(table, whole.x, whole.y)
    rows = marks(np.flatnonzero(np.isfinite(xs) & np.isfinite(ys)), xs, ys, MOST_MARKS)
    return {
        "type": "scatter",
        "mode": "markers",
        "x": compact(xs[rows]),
        "y": compact(ys[rows]),
        "marker": {**class_marks(table.target_values[rows], mode), "size": 7, "opacity": 0.55},
        "hoverinfo": "skip",
        "showlegend": False,
        "name": "rows",
    }


def _strips(
    table: Table, several: Sequence[EnsembleRegions], whole: EnsembleRegions, mode: Mode, height: int
) -> go.Figure:
    """One strip a model from the top, and below them, twice as high, the ensemble of all rows."""
    palette = PALETTES[mode]
    edges = np.unique(np.concatenate([one.x_edges for one in (*several, whole)]))
    centres = edges[:-1] / 2 + edges[1:] / 2
    rows = [
        one.prediction[0][np.clip(np.searchsorted(one.x_edges, centres, side="right") - 1, 0, None)]
        for one in (*several, whole)
    ]
    colours, shades = tints(np.eye(table.n_classes), mode)
    last = max(len(colours) - 1, 1)
    n = len(several)
    scale = [[place / last, colour] for place, colour in enumerate(colours)]
    ground: Trace = {
        "type": "heatmap",
        "x": compact(edges),
        "y": np.array([0.0, *(_WHOLE + np.arange(n + 1))]),
        "z": np.array([shades[row] for row in rows], dtype=np.uint8)[::-1],
        "zmin": 0,
        "zmax": last,
        "colorscale": scale if len(scale) > 1 else [[0, colours[0]], [1, colours[0]]],
        "showscale": False,
        "hoverinfo": "skip",
        "name": "each",
    }
    axes: list[dict[str, Any]] = [
        axis_layout(whole.x, mode),
        {
            **plain_axis(mode),
            "tickvals": [_WHOLE / 2, _WHOLE + n / 2],
            "ticktext": ["all rows", f"{n} resamples"],
            "range": [0, _WHOLE + n],
            "fixedrange": True,
        },
    ]
    keys = class_keys(table.target.classes, np.bincount(table.target_values, minlength=table.n_classes), mode)
    return make_figure(
        [ground, *keys],
        mode,
        height=height,
        keep=f"spread|{whole.x.name}",
        margin=steady_margin(axes, keys=[one["name"] for one in keys]),
        xaxis=axes[0],
        yaxis=axes[1],
        shapes=[
            {
                "type": "line",
                "xref": "paper",
                "x0": 0,
                "x1": 1,
                "y0": _WHOLE,
                "y1": _WHOLE,
                "line": {"color": palette.background, "width": 6},
            }
        ],
    )


def _fan(
    table: Table, several: Sequence[EnsembleRegions], whole: EnsembleRegions, mode: Mode, height: int
) -> go.Figure:
    palette = PALETTES[mode]
    xs = whole.x.coordinates(table.columns[whole.x.feature])
    ys = np.asarray(table.target_values, dtype=np.float64)
    rows = marks(np.flatnonzero(np.isfinite(xs)), xs, ys, MOST_MARKS)
    traces: list[Trace] = [
        {
            "type": "scatter",
            "mode": "markers",
            "x": compact(xs[rows]),
            "y": compact(ys[rows]),
            "marker": {"size": 6, "color": palette.quiet, "opacity": 0.45},
            "hoverinfo": "skip",
            "showlegend": False,
            "name": "rows",
        }
    ]
    thin = {"color": see_through(palette.accent, 0.5), "width": 1.6}
    traces += [_curve(one, thin, "each") for one in several]
    traces.append(_curve(whole, {"color": palette.ink, "width": 2.8}, "whole"))
    within = value_range(ys)
    room = _ROOM * (within.high - within.low) or 1.0
    axes: list[dict[str, Any]] = [
        axis_layout(whole.x, mode),
        {
            **plain_axis(mode),
            "title": title(table.target.name),
            "range": [within.low - room, within.high + room],
            "nticks": 5,
        },
    ]
    names = ["a resample", "all rows"]
    keys = [key(name, {"color": "rgba(0,0,0,0)"}) for name in names]
    for one, line in zip(keys, (thin, {"color": palette.ink, "width": 2.8}), strict=True):
        one |= {"mode": "lines", "line": line}
    return make_figure(
        [*traces, *keys],
        mode,
        height=height,
        keep=f"spread|{whole.x.name}",
        margin=steady_margin(axes, keys=names),
        xaxis=axes[0],
        yaxis=axes[1],
        showlegend=True,
    )


def _curve(regions: EnsembleRegions, line: dict[str, Any], name: str) -> Trace:
    """The answers over one feature as a staircase."""
    said = np.asarray(regions.prediction[0], dtype=np.float64)
    return {
        "type": "scatter",
        "mode": "lines",
        "x": compact(regions.x_edges),
        "y": compact(np.append(said, said[-1])),
        "line": {**line, "shape": "hv"},
        "hoverinfo": "skip",
        "showlegend": False,
        "name": name,
    }
