"""Figures of an ensemble: errors against members, and margins."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from drawing.ensembles import METHODS, Words
from drawing.figures.base import Trace, make_figure, plain_axis, small_integers, steady_margin, title
from drawing.theme import PALETTES, Mode, number
from engine.ensembles import Ensemble, margins
from engine.table import FloatArray

_MOST_MARKS = 40


def curve_figure(ensemble: Ensemble, step: int, *, mode: Mode = Mode.LIGHT, height: int = 300) -> go.Figure:
    """Training, holdout and out-of-bag error against the number of members, the current one ringed.

    A click gives ``customdata``: the step, and -1.
    """
    words, palette = Words(ensemble), PALETTES[mode]
    here = min(words.round_of(step), ensemble.n_rounds)
    traces = [_line(words, name, errors, look) for name, errors, look in lines(ensemble, mode)]
    ringed = [errors[here] for _, errors, _ in lines(ensemble, mode) if np.isfinite(errors[here])]
    traces.append(
        {
            "type": "scatter",
            "mode": "markers",
            "x": [here] * len(ringed),
            "y": ringed,
            "marker": {"size": 14, "color": "rgba(0,0,0,0)", "line": {"width": 3, "color": palette.accent}},
            "hoverinfo": "skip",
            "showlegend": False,
            "name": "now",
        }
    )
    most = max(ensemble.n_rounds, 1)
    axes: list[dict[str, Any]] = [
        {**plain_axis(mode), "title": title(f"{words.unit}s"), "range": [-0.04 * most, 1.04 * most]},
        {
            **plain_axis(mode),
            "title": title("mean squared error" if words.is_number else "error"),
            "rangemode": "tozero",
            "showgrid": True,
            "gridcolor": palette.line,
            "nticks": 5,
            "tickformat": "" if words.is_number else ".0%",
        },
    ]
    keys = [trace["name"] for trace in traces[:-1]]
    return make_figure(
        traces,
        mode,
        height=height,
        keep=f"curve|{most}",
        margin=steady_margin(axes, keys=keys),
        xaxis=axes[0],
        yaxis=axes[1],
        showlegend=True,
    )


def curve_text(ensemble: Ensemble, step: int) -> str:
    """The curve in words: the errors now and at the end."""
    words = Words(ensemble)
    here, last = min(words.round_of(step), ensemble.n_rounds), ensemble.n_rounds
    now = ", ".join(f"{name} {words.error(float(e[here]))}" for name, e, _ in lines(ensemble, Mode.LIGHT))
    end = ", ".join(f"{name} {words.error(float(e[last]))}" for name, e, _ in lines(ensemble, Mode.LIGHT))
    return f"Errors of {METHODS[words.method]} with {here} of {last} {words.unit}s: {now}. At the end: {end}."


def lines(ensemble: Ensemble, mode: Mode) -> list[tuple[str, FloatArray, dict[str, Any]]]:
    """Each curve there is: its name, its errors of shape (n_rounds + 1,), its look."""
    palette = PALETTES[mode]
    found = [("training", ensemble.training_curve.errors, {"color": palette.quiet, "dash": "dash"})]
    if ensemble.validation_curve is not None:
        found.append(("holdout", ensemble.validation_curve.errors, {"color": palette.accent}))
    if ensemble.out_of_bag_curve is not None:
        found.append(("out of bag", ensemble.out_of_bag_curve.errors, {"color": palette.ink, "dash": "dot"}))
    return found


def _line(words: Words, name: str, errors: FloatArray, look: dict[str, Any]) -> Trace:
    places, known = np.arange(len(errors)), np.isfinite(errors)
    steps = places * words.ensemble.n_trees_a_round
    return {
        "type": "scatter",
        "mode": "lines+markers" if len(errors) <= _MOST_MARKS else "lines",
        "x": places[known],
        "y": errors[known],
        "line": {"width": 2.5, **look},
        "marker": {"size": 7, "color": look["color"]},
        "customdata": small_integers(np.stack([steps, np.full(len(errors), -1)], axis=1)[known]),
        "text": [words.error(value) for value in errors[known].tolist()],
        "hovertemplate": f"%{{x}} {words.unit}s: {name} error %{{text}}<extra></extra>",
        "name": name,
    }


def margins_figure(ensemble: Ensemble, *, mode: Mode = Mode.LIGHT, height: int = 300) -> go.Figure:
    """The share of rows with at most each margin, as a staircase; left of 0 the rows that are wrong."""
    palette = PALETTES[mode]
    found = np.sort(margins(ensemble))
    share = np.arange(1, len(found) + 1) / len(found)
    axes: list[dict[str, Any]] = [
        {**plain_axis(mode), "title": title("margin"), "range": [-1.05, 1.05]},
        {**plain_axis(mode), "title": title("rows up to it"), "range": [-0.03, 1.05], "tickformat": ".0%"},
    ]
    trace: Trace = {
        "type": "scatter",
        "mode": "lines",
        "x": np.r_[-1.0, found, 1.0],
        "y": np.r_[0.0, share, 1.0],
        "line": {"width": 2.5, "color": palette.accent, "shape": "hv"},
        "hovertemplate": "margin %{x:.3f}: %{y:.0%} of the rows<extra></extra>",
        "showlegend": False,
        "name": "margins",
    }
    zero = {"type": "line", "x0": 0, "x1": 0, "y0": 0, "y1": 1, "yref": "paper"}
    return make_figure(
        [trace],
        mode,
        height=height,
        keep="margins",
        margin=steady_margin(axes),
        xaxis=axes[0],
        yaxis=axes[1],
        shapes=[{**zero, "line": {"color": palette.quiet, "width": 1.5, "dash": "dot"}}],
    )


def margins_text(ensemble: Ensemble) -> str:
    """The margins in words."""
    found = margins(ensemble)
    return (
        f"Margins of {len(found)} rows: least {number(float(found.min()))}, median {number(float(np.median(found)))}, "
        f"greatest {number(float(found.max()))}; {int((found <= 0).sum())} rows at or below 0."
    )
