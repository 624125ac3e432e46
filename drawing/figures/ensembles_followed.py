"""One row followed: how its vote, or its answer, forms member by member."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from drawing import phrases
from drawing.ensembles import rough
from drawing.figures.base import Trace, label, make_figure, plain_axis, steady_margin, title
from drawing.theme import PALETTES, Mode, class_colour, class_symbol, percent
from engine.table import FloatArray

MOST_LINES = 6
"""Classes with a line of their own."""
_MOST_MARKS = 40
_DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")


def vote_figure(
    shares: FloatArray,
    classes: Sequence[str],
    step: int,
    *,
    name: str = "share of the votes",
    mode: Mode = Mode.LIGHT,
    height: int = 280,
) -> go.Figure:
    """The share of each class with no member, with one, and so on; the current step is marked.

    A click gives ``customdata``: the step, and -1.

    Parameters
    ----------
    shares : ndarray of shape (n_steps, n_classes)
    classes : sequence of str
        Unescaped.
    step : int
    name : str
        What the shares are.
    mode : Mode
    height : int
        Pixels.
    """
    lines = [
        (label(classes[code], 20), shares[:, code], class_colour(code, mode), class_symbol(code), _DASHES[place])
        for place, code in enumerate(leading_classes(shares))
    ]
    axis = {"title": title(name), "range": [-0.03, 1.05], "tickformat": ".0%"}
    return _figure(lines, axis, step, mode, height, percent)


def answer_figure(
    answers: FloatArray, truth: float, name: str, step: int, *, mode: Mode = Mode.LIGHT, height: int = 280
) -> go.Figure:
    """The answer for a number with no member, with one, and so on, beside the truth.

    Parameters
    ----------
    answers : ndarray of shape (n_steps,)
    truth : float
    name : str
        Of the target, unescaped.
    step : int
    mode : Mode
    height : int
        Pixels.
    """
    palette = PALETTES[mode]
    lines = [
        ("answer", answers, palette.accent, "circle", "solid"),
        ("truth", np.full(len(answers), truth), palette.quiet, "line-ew", "dot"),
    ]
    return _figure(lines, {"title": title(name)}, step, mode, height, rough)


def vote_text(shares: FloatArray, classes: Sequence[str], step: int) -> str:
    """The picture in words: the shares now and at the end."""
    now, end = (
        phrases.listed(
            [f"{phrases.plain(classes[code])} {percent(float(row[code]))}" for code in leading_classes(shares)]
        )
        for row in (shares[step], shares[-1])
    )
    return f"Shares of the classes after step {step}: {now}. At the end: {end}."


def answer_text(answers: FloatArray, truth: float, step: int) -> str:
    """The picture in words: the answer now and at the end, and the truth."""
    now, end = rough(float(answers[step])), rough(float(answers[-1]))
    return f"The answer after step {step}: {now}. At the end: {end}. In truth: {rough(truth)}."


def leading_classes(shares: FloatArray) -> list[int]:
    """The classes with a line, in their order: those with the greatest share at some step."""
    most = shares.max(axis=0)
    return sorted(np.argsort(-most, kind="stable")[:MOST_LINES].tolist())


def _figure(
    lines: Sequence[tuple[str, FloatArray, str, str, str]],
    axis: dict[str, Any],
    step: int,
    mode: Mode,
    height: int,
    write: Any,
) -> go.Figure:
    palette, n = PALETTES[mode], len(lines[0][1])
    steps = np.stack([np.arange(n), np.full(n, -1)], axis=1)
    traces: list[Trace] = [
        {
            "type": "scatter",
            "mode": "lines+markers" if n <= _MOST_MARKS else "lines",
            "x": np.arange(n),
            "y": values,
            "line": {"width": 2.5, "color": colour, "dash": dash, "shape": "hv" if n > _MOST_MARKS else "linear"},
            "marker": {"size": 8, "symbol": sign, "color": colour},
            "customdata": steps,
            "text": [write(value) for value in values.tolist()],
            "hovertemplate": f"%{{x}} trees: {name} %{{text}}<extra></extra>",
            "name": name,
        }
        for name, values, colour, sign, dash in lines
    ]
    last = max(n - 1, 1)
    axes: list[dict[str, Any]] = [
        {**plain_axis(mode), "title": title("trees"), "range": [-0.04 * last, 1.04 * last], "tickformat": "d"},
        {**plain_axis(mode), "showgrid": True, "gridcolor": palette.line, **axis, "nticks": 5},
    ]
    mark = {"type": "line", "yref": "paper", "y0": 0, "y1": 1, "x0": step, "x1": step}
    return make_figure(
        traces,
        mode,
        height=height,
        keep=f"followed|{n}",
        margin=steady_margin(axes, keys=[name for name, *_ in lines]),
        xaxis=axes[0],
        yaxis=axes[1],
        shapes=[{**mark, "line": {"color": palette.accent, "width": 1.5, "dash": "dot"}}],
        showlegend=True,
    )
