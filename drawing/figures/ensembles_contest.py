"""Pictures of all methods together: their errors against the members, and one row's answers."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from drawing.ensembles_contest import error_text, name_of
from drawing.figures.base import Trace, make_figure, plain_axis, steady_margin, title
from drawing.theme import PALETTES, Mode, class_colour, class_symbol
from engine.ensembles import Contest, EnsembleMethod
from engine.table import FloatArray

KINDS = {"holdout": ("solid", 2.8), "training": ("dash", 1.4), "out_of_bag": ("dot", 2.0)}
"""The look of each kind of error: dash and width of its line."""
_SIGNS = 8
"""Signs along a line."""


def contest_figure(
    contest: Contest, here: int, is_number: bool, *, mode: Mode = Mode.LIGHT, height: int = 380
) -> go.Figure:
    """Training, holdout and out-of-bag errors of all methods against the number of members.

    Parameters
    ----------
    contest : Contest
    here : int
        The number of members that is marked.
    is_number : bool
        Whether errors are mean squared errors.
    mode : Mode
    height : int
        Pixels.
    """
    palette, ink = PALETTES[mode], PALETTES[mode].ink
    most = max((len(run.training) for run in contest.runs), default=2) - 1
    most = max(most, 1)
    traces: list[Trace] = []
    for method in contest.methods:
        colour, symbol = look(method, mode)
        for kind, (dash, width) in KINDS.items():
            errors = contest.errors(method, kind)
            if errors is not None:
                name = f"{name_of(method)}, {kind.replace('_', ' ')}"
                traces.append(_line(errors, name, colour, symbol, dash, width, most, is_number))
        traces.append(_key(name_of(method), colour, symbol))
    marked = [
        (float(errors[min(here, len(errors) - 1)]), look(method, mode)[0])
        for method in contest.methods
        if method is not None and (errors := contest.errors(method, "holdout")) is not None
    ]
    traces.append(_rings([value for value, _ in marked], here, palette.accent))
    axes = _axes(most, "mean squared error" if is_number else "error", is_number, mode)
    axes[1]["range"] = [0.0, _ceiling(contest)]
    return make_figure(
        traces,
        mode,
        height=height,
        keep=f"contest|{most}",
        margin=steady_margin(axes, keys=[name_of(method) for method in contest.methods]),
        xaxis=axes[0],
        yaxis=axes[1],
        showlegend=True,
        shapes=[_here(here, palette.accent)],
        annotations=[
            {
                "x": here,
                "y": 1,
                "yref": "paper",
                "yanchor": "top",
                "xanchor": "left" if here < most / 2 else "right",
                "text": f" {here} members " if here != 1 else " 1 member ",
                "showarrow": False,
                "font": {"size": 13, "color": ink},
            }
        ],
    )


def followed_figure(
    answers: list[tuple[EnsembleMethod | None, FloatArray]],
    truth: float,
    here: int,
    *,
    target: str,
    mode: Mode = Mode.LIGHT,
    height: int = 300,
) -> go.Figure:
    """One row through all methods: what each gives its true class, or answers, against the members.

    Parameters
    ----------
    answers : list of (EnsembleMethod or None, ndarray of shape (n_members + 1,))
        The share of the true class, or the answer.
    truth : float
        1 for classes; else the row's own value.
    here : int
        The number of members that is marked.
    target : str
        The axis's title.
    mode : Mode
    height : int
        Pixels.
    """
    is_number = truth != 1.0
    most = max(max(len(said) for _, said in answers) - 1, 1)
    traces: list[Trace] = []
    for method, said in answers:
        colour, symbol = look(method, mode)
        traces.append(_line(said, name_of(method), colour, symbol, "solid", 2.5, most, is_number))
        traces.append(_key(name_of(method), colour, symbol))
    axes = _axes(most, target, is_number, mode)
    if not is_number:
        axes[1]["range"] = [-0.03, 1.05]
    level = {"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": truth, "y1": truth}
    return make_figure(
        traces,
        mode,
        height=height,
        keep=f"followed|{most}",
        margin=steady_margin(axes, keys=[name_of(method) for method, _ in answers]),
        xaxis=axes[0],
        yaxis=axes[1],
        showlegend=True,
        shapes=[
            _here(here, PALETTES[mode].accent),
            {**level, "line": {"color": PALETTES[mode].quiet, "width": 1.5, "dash": "dot"}},
        ],
    )


def look(method: EnsembleMethod | None, mode: Mode) -> tuple[str, str]:
    """The colour and the sign of a method."""
    if method is None:
        return PALETTES[mode].ink, "x"
    code = list(EnsembleMethod).index(method)
    return class_colour(code, mode), class_symbol(code)


def _line(
    values: FloatArray, name: str, colour: str, symbol: str, dash: str, width: float, most: int, is_number: bool
) -> Trace:
    """A line with signs along it; one value alone is a level."""
    if len(values) == 1:
        values = np.repeat(values, most + 1)
    places = np.arange(len(values))
    known = np.isfinite(values)
    every = max(len(values) // _SIGNS, 1)
    sizes = np.where((places % every == 0) & (dash == "solid"), 9, 0)
    write = error_text if not is_number else (lambda value, _: error_text(value, True))
    return {
        "type": "scatter",
        "mode": "lines+markers" if dash == "solid" else "lines",
        "x": places[known],
        "y": values[known],
        "line": {"width": width, "color": colour, "dash": dash},
        "marker": {"size": sizes[known], "color": colour, "symbol": symbol, "line": {"width": 0}},
        "text": [write(value, is_number) for value in values[known].tolist()],
        "hovertemplate": f"{name}: %{{text}} with %{{x}}<extra></extra>",
        "showlegend": False,
        "name": name,
    }


def _key(name: str, colour: str, symbol: str) -> Trace:
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "x": [None],
        "y": [None],
        "line": {"width": 2.8, "color": colour},
        "marker": {"size": 10, "color": colour, "symbol": symbol},
        "name": name,
    }


def _rings(values: list[float], here: int, colour: str) -> Trace:
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [here] * len(values),
        "y": values,
        "marker": {"size": 14, "color": "rgba(0,0,0,0)", "line": {"width": 2.5, "color": colour}},
        "hoverinfo": "skip",
        "showlegend": False,
        "name": "now",
    }


def _here(here: int, colour: str) -> dict[str, Any]:
    line = {"color": colour, "width": 1.5, "dash": "dot"}
    return {"type": "line", "x0": here, "x1": here, "y0": 0, "y1": 1, "yref": "paper", "line": line, "layer": "below"}


def _axes(most: int, name: str, is_number: bool, mode: Mode) -> list[dict[str, Any]]:
    return [
        {
            **plain_axis(mode),
            "title": title("members, or rounds"),
            "range": [-0.02 * most, 1.02 * most],
        },
        {
            **plain_axis(mode),
            "title": title(name),
            "showgrid": True,
            "gridcolor": PALETTES[mode].line,
            "nticks": 6,
            "tickformat": "" if is_number else ".0%",
        },
    ]


def _ceiling(contest: Contest) -> float:
    """What the picture reaches up to: errors with few members are often far above the others."""
    highest = 0.0
    for method in contest.methods:
        for kind in KINDS:
            errors = contest.errors(method, kind)
            if errors is not None:
                start = min(max((len(errors) - 1) // 8, 1), len(errors) - 1)
                highest = max(highest, float(np.nanmax(errors[start:], initial=0.0)))
    return 1.15 * highest or 1.0
