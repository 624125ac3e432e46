"""An ensemble for a number over one numeric feature: the curve of its answers, and how each member bends it."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from drawing import phrases
from drawing.ensembles import Words, rough
from drawing.figures.base import Trace, axis_layout, compact, make_figure, plain_axis, steady_margin, title
from drawing.figures.ensembles_regions import diameters, row_sizes
from drawing.figures.places import MOST_MARKS, marks
from drawing.figures.values import steps
from drawing.numbers import value_range
from drawing.theme import PALETTES, Mode, number, step_colour
from engine.ensembles import Ensemble, EnsembleRegions
from engine.table import FloatArray

MOST_RESIDUALS = 80
"""Rows up to which each is joined to the curve."""
_LETTERS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def subscript(value: int) -> str:
    """A small number below the line.

    >>> subscript(12)
    '₁₂'
    """
    return str(value).translate(_LETTERS)


def sum_curve_figure(
    ensemble: Ensemble,
    now: EnsembleRegions,
    before: EnsembleRegions | None,
    step: int,
    *,
    mode: Mode = Mode.LIGHT,
    height: int = 320,
) -> go.Figure:
    """The answer of the first `step` members over one feature, the one before it pale, the rows joined to it.

    Parameters
    ----------
    ensemble : Ensemble
    now, before : EnsembleRegions
        Over one numeric feature, of the first `step` members, and of one fewer.
    step : int
    mode : Mode
    height : int
        Pixels.
    """
    table, palette = ensemble.table, PALETTES[mode]
    xs, truth = now.x.coordinates(table.columns[now.x.feature]), table.target_values
    traces: list[Trace] = []
    answers = _answers_at(now, xs)
    shown = marks(np.flatnonzero(np.isfinite(xs)), xs, truth, MOST_MARKS)
    if ensemble.rule.is_sum and len(shown) <= MOST_RESIDUALS:
        traces.append(_joined(xs[shown], truth[shown], answers[shown], palette.quiet))
    if before is not None:
        traces.append(_curve(before, palette.quiet, "dash", 2, "before"))
    traces.append(_curve(now, palette.accent, "solid", 3.5, "now"))
    traces.append(_rows(ensemble, xs, truth, shown, step, mode))
    return _figure(ensemble, now, traces, title_of(ensemble), truth, mode, height, keep="sum")


def alone_curve_figure(
    ensemble: Ensemble, alone: EnsembleRegions, step: int, *, mode: Mode = Mode.LIGHT, height: int = 320
) -> go.Figure:
    """The member of a step alone: the tree over the rows or residuals it was fitted to, and what it adds.

    Parameters
    ----------
    ensemble : Ensemble
    alone : EnsembleRegions
        Over one numeric feature, of an ensemble of this one member.
    step : int
        From 1 on.
    mode : Mode
    height : int
        Pixels.
    """
    member, palette, table = ensemble.members[step - 1], PALETTES[mode], ensemble.table
    xs = alone.x.coordinates(table.columns[alone.x.feature])
    rule = ensemble.rule
    target = table.target_values if member.residuals is None else member.residuals
    shown = marks(np.flatnonzero(np.isfinite(xs)), xs, target, MOST_MARKS)
    traces: list[Trace] = []
    if rule.is_sum:
        traces.append(_level(alone, 0.0, palette.line))
        added = alone.totals[0, :, 0] - rule.initial[0]
        if rule.rate != 1:
            traces.append(_curve(alone, palette.quiet, "dash", 2, "tree", added / rule.rate))
        traces.append(_curve(alone, palette.accent, "solid", 3.5, "added", added))
    else:
        traces.append(_curve(alone, palette.accent, "solid", 3.5, "this tree"))
    traces.append(_rows(ensemble, xs, target, shown, step, mode))
    name = "residual" if rule.is_sum else title_of(ensemble)
    return _figure(ensemble, alone, traces, name, _all_residuals(ensemble, target), mode, height, keep="alone")


def curve_words(ensemble: Ensemble, regions: EnsembleRegions, step: int, *, alone: bool) -> str:
    """The curve in words: how many steps it has, and between what it lies."""
    words = Words(ensemble)
    values = regions.prediction[0].astype(np.float64)
    if alone and ensemble.rule.is_sum:
        values = regions.totals[0, :, 0] - ensemble.rule.initial[0]
    n = 1 + int(np.count_nonzero(np.diff(values)))
    parts = "1 step" if n == 1 else f"{n} steps"
    member = ensemble.members[step - 1] if step else None
    if alone and member is not None:
        who = f"What {words.name(member)} adds" if ensemble.rule.is_sum else f"The answer of {words.name(member)} alone"
    else:
        who = f"The answer of the first {step} members" if step != 1 else "The answer of the first member"
        who = who if step else "The answer before the first member"
    low, high = rough(float(values.min())), rough(float(values.max()))
    return f"{who} over {phrases.plain(regions.x.name)} has {parts}, between {low} and {high}."


def title_of(ensemble: Ensemble) -> str:
    """The name of the target."""
    return ensemble.table.target.name


def _all_residuals(ensemble: Ensemble, values: FloatArray) -> FloatArray:
    """What the axis of the residuals must hold: those of the first member, so that they are seen to shrink."""
    first = ensemble.members[0].residuals
    return values if first is None else np.append(first, 0.0)


def _answers_at(regions: EnsembleRegions, xs: FloatArray) -> FloatArray:
    cell = np.searchsorted(regions.x_edges, xs, side="right") - 1
    return np.asarray(regions.prediction[0][np.clip(cell, 0, regions.prediction.shape[1] - 1)], dtype=np.float64)


def _curve(
    regions: EnsembleRegions, colour: str, dash: str, width: float, name: str, values: FloatArray | None = None
) -> Trace:
    """A staircase."""
    heights = regions.prediction[0].astype(np.float64) if values is None else values
    return {
        "type": "scatter",
        "mode": "lines",
        "x": compact(np.repeat(regions.x_edges, 2)[1:-1]),
        "y": compact(np.repeat(heights, 2)),
        "line": {"width": width, "color": colour, "dash": dash},
        "hovertemplate": f"{name}: %{{y:.4g}}<extra></extra>",
        "name": name,
    }


def _level(regions: EnsembleRegions, value: float, colour: str) -> Trace:
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [regions.x.low, regions.x.high],
        "y": [value, value],
        "line": {"width": 1.5, "color": colour},
        "hoverinfo": "skip",
        "showlegend": False,
        "name": "nothing",
    }


def _joined(xs: FloatArray, truth: FloatArray, answers: FloatArray, colour: str) -> Trace:
    """From each row to what the sum answers: its residual."""
    gap = np.full(len(xs), np.nan)
    return {
        "type": "scatter",
        "mode": "lines",
        "x": compact(np.repeat(xs, 3)),
        "y": compact(np.stack([truth, answers, gap], axis=1).ravel()),
        "line": {"width": 1, "color": colour},
        "hoverinfo": "skip",
        "showlegend": False,
        "name": "residuals",
    }


def _rows(ensemble: Ensemble, xs: FloatArray, ys: FloatArray, shown: Any, step: int, mode: Mode) -> Trace:
    table, palette = ensemble.table, PALETTES[mode]
    places = steps(table.target_values[shown], value_range(table.target_values))
    drawn = row_sizes(ensemble, step)[0] if not ensemble.rule.is_sum and step else np.ones(table.n_rows)
    texts = [f"row {int(table.row_numbers[row]) + 1}: {number(float(ys[row]))}" for row in np.asarray(shown).tolist()]
    return {
        "type": "scatter",
        "mode": "markers",
        "x": compact(xs[shown]),
        "y": compact(ys[shown]),
        "marker": {
            "color": [step_colour(int(place), mode) for place in places],
            "size": diameters(drawn[shown], drawn),
            "opacity": np.where(drawn[shown] > 0, 0.95, 0.3),
            "line": {"width": 1, "color": palette.ink},
        },
        "text": texts,
        "hovertemplate": "%{text}<extra></extra>",
        "showlegend": False,
        "name": "rows",
    }


def _figure(
    ensemble: Ensemble,
    regions: EnsembleRegions,
    traces: list[Trace],
    name: str,
    values: FloatArray,
    mode: Mode,
    height: int,
    keep: str,
) -> go.Figure:
    low, high = float(values.min()), float(values.max())
    room = 0.08 * ((high - low) or 1.0)
    across = axis_layout(regions.x, mode)
    up = {**plain_axis(mode), "title": title(name), "range": [low - room, high + room], "nticks": 5}
    keys = [trace["name"] for trace in traces if trace.get("showlegend", True)]
    return make_figure(
        traces,
        mode,
        height=height,
        keep=f"{keep}|{regions.x.name}|{ensemble.settings.method}",
        margin=steady_margin([across, up], keys=keys),
        xaxis=across,
        yaxis=up,
        showlegend=True,
    )
