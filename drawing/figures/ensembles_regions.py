"""Decision regions of an ensemble, and on them the rows, sized by what the next member makes of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from drawing import phrases
from drawing.ensembles import Words
from drawing.figures.base import Trace, axis_layout, class_keys, class_marks, compact, make_figure, tints
from drawing.figures.places import MOST_MARKS, marks, row_places
from drawing.figures.values import BAR_ROOM, colour_bar, grounds, steps
from drawing.numbers import value_range
from drawing.theme import PALETTES, Mode, number, quantity, step_colour
from engine.ensembles import Ensemble, EnsembleMethod, EnsembleRegions, boundaries
from engine.table import FloatArray, IntArray

_LEAST, _MOST = 5.0, 26.0
_USUAL = 9.0


def ensemble_regions_figure(
    ensemble: Ensemble, regions: EnsembleRegions, step: int, *, mode: Mode = Mode.LIGHT, height: int = 320
) -> go.Figure:
    """The regions of the first `step` members, with the rows of the table sized by `row_sizes`."""
    table = ensemble.table
    within = value_range(table.target_values) if not table.n_classes else None
    if within is None:
        colours, index = tints(regions.shares.reshape(-1, regions.shares.shape[-1]), mode)
    else:
        colours, index = grounds(regions.prediction.astype(np.float64).ravel(), within, mode)
    traces: list[Trace] = [
        ground(regions, colours, index.reshape(regions.prediction.shape)),
        *_borders(regions, mode),
        row_marks(ensemble, regions, step, mode),
    ]
    keys: list[Trace] = []
    axes = [axis_layout(axis, mode) for axis in (regions.x, regions.y) if axis is not None]
    strip: dict[str, Any] = {"visible": False, "range": [0, 1], "fixedrange": True}
    layout: dict[str, Any] = {"xaxis": axes[0], "yaxis": axes[1] if regions.y is not None else strip}
    if within is None:
        keys = class_keys(table.target.classes, np.bincount(table.target_values, minlength=table.n_classes), mode)
    else:
        layout["shapes"], layout["annotations"] = colour_bar(within, table.target.name, mode)
        layout["margin"] = {"l": 8, "r": 10, "b": 8, "t": BAR_ROOM}
    name = f"{regions.x.name}|{regions.y.name if regions.y else ''}"
    return make_figure([*traces, *keys], mode, height=height, keep=f"ensemble|{name}", **layout)


def ensemble_regions_text(ensemble: Ensemble, regions: EnsembleRegions, step: int) -> str:
    """The regions in words: the share of the picture that each class has, or the range of the answers."""
    shown = phrases.plain(regions.x.name) + (f" and {phrases.plain(regions.y.name)}" if regions.y else "")
    who = "no member yet" if step == 0 else "the first member" if step == 1 else f"the first {step} members"
    area = np.outer(np.diff(regions.y_edges), np.diff(regions.x_edges))
    area = area / area.sum()
    if not ensemble.table.n_classes:
        low, high = float(regions.prediction.min()), float(regions.prediction.max())
        return f"Answers of {who} over {shown}: from {quantity(low)} to {quantity(high)}."
    said = [
        f"{phrases.plain(name)} {100 * float(area[regions.prediction == code].sum()):.0f} %"
        for code, name in enumerate(ensemble.table.target.classes)
        if (regions.prediction == code).any()
    ]
    return f"Regions of {who} over {shown}, by share of the picture: {phrases.listed(said[:8])}."


def row_sizes(ensemble: Ensemble, step: int) -> tuple[FloatArray, str]:
    """What the size of each row's mark stands for after a step, shape (n_rows,), and its name.

    AdaBoost: the weight with which the step's member was grown; bagging and forests: how often the
    row was drawn for it; gradient boosting: the size of the residual that it was fitted to.
    """
    n = ensemble.base.n_rows
    if not ensemble.members:
        return np.ones(n), "rows"
    member = ensemble.members[max(step - 1, 0)]
    method = ensemble.settings.method
    if method is EnsembleMethod.ADABOOST and member.weights is not None:
        return member.weights, "weight"
    if method is EnsembleMethod.GRADIENT_BOOSTING and member.residuals is not None:
        return np.abs(member.residuals), "size of the residual"
    if step and member.times_drawn is not None:
        return member.times_drawn.astype(np.float64), "times drawn"
    return np.ones(n), "rows"


def ground(regions: EnsembleRegions, colours: list[str], index: IntArray) -> Trace:
    """The cells, each in the colour of its index, shape (n_y, n_x)."""
    last = max(len(colours) - 1, 1)
    scale = [[place / last, colour] for place, colour in enumerate(colours)]
    return {
        "type": "heatmap",
        "x": compact(regions.x_edges),
        "y": compact(regions.y_edges),
        "z": index.astype(np.uint8 if len(colours) < 256 else np.int32),
        "zmin": 0,
        "zmax": last,
        "colorscale": scale if len(scale) > 1 else [[0, colours[0]], [1, colours[0]]],
        "showscale": False,
        "hoverinfo": "skip",
        "zsmooth": False,
        "name": "regions",
    }


def _borders(regions: EnsembleRegions, mode: Mode) -> list[Trace]:
    """The lines where the answer changes from one class to another."""
    if not regions.shares.shape[-1] or regions.y is None:
        return []
    sides = boundaries(regions)
    gap = np.full(sides.shape[1], np.nan)
    return [
        {
            "type": "scatter",
            "mode": "lines",
            "x": compact(np.stack([sides[0], sides[1], gap], axis=1).ravel()),
            "y": compact(np.stack([sides[2], sides[3], gap], axis=1).ravel()),
            "line": {"width": 1.5, "color": PALETTES[mode].ink},
            "opacity": 0.75,
            "hoverinfo": "skip",
            "showlegend": False,
            "name": "borders",
        }
    ]


def row_marks(ensemble: Ensemble, regions: EnsembleRegions, step: int, mode: Mode) -> Trace:
    """The rows, sized by `row_sizes`."""
    table, palette = ensemble.table, PALETTES[mode]
    xs, ys = row_places(table, regions.x, regions.y)
    seen = np.flatnonzero(np.isfinite(xs) & np.isfinite(ys))
    rows = marks(seen, xs, ys, MOST_MARKS)
    sizes, name = row_sizes(ensemble, step)
    own = sizes[rows]
    if table.n_classes:
        look = class_marks(table.target_values[rows], mode)
    else:
        places = steps(table.target_values[rows], value_range(table.target_values))
        look = {"color": [step_colour(int(place), mode) for place in places], "symbol": "circle"}
    said = Words(ensemble)
    texts = [
        f"row {int(table.row_numbers[row]) + 1}: {name} {number(float(value))}"
        for row, value in zip(rows.tolist(), own.tolist(), strict=True)
    ]
    return {
        "type": "scatter",
        "mode": "markers",
        "x": compact(xs[rows]),
        "y": compact(ys[rows]),
        "marker": {
            **look,
            "size": diameters(own, sizes),
            "opacity": np.where(own > 0, 0.95, 0.3),
            "line": {"width": 1, "color": palette.background if said.ensemble.rule.n_classes else palette.ink},
        },
        "text": texts,
        "hovertemplate": "%{text}<extra></extra>",
        "showlegend": False,
        "name": name,
    }


def diameters(own: FloatArray, everyone: FloatArray) -> FloatArray:
    """Pixels of marks whose area is as the value; the mean value has the usual size.

    >>> diameters(np.array([1.0, 4.0, 0.0]), np.array([1.0, 1.0])).tolist()
    [9.0, 18.0, 5.0]
    """
    mean = float(everyone.mean())
    if mean <= 0:
        return np.full(len(own), _USUAL)
    return np.asarray(np.clip(_USUAL * np.sqrt(own / mean), _LEAST, _MOST))
