"""Members compared: how alike they are, and what the number of features drawn makes of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from drawing import phrases
from drawing.ensembles import rough
from drawing.figures.base import Trace, label, make_figure, plain_axis, steady_margin, title
from drawing.theme import PALETTES, Mode, number, percent
from engine.ensembles import FeatureDraw
from engine.table import FloatArray

MOST_CELLS = 40
"""Members up to which each pair has a cell of its own."""
MOST_LINES = 6
"""Features with a line of their own."""
_MOST_TICKS = 10
_DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")


def correlation_figure(
    found: FloatArray, *, current: int | None = None, mode: Mode = Mode.LIGHT, height: int = 300
) -> go.Figure:
    """How alike the answers of each two members are: a square of cells, of many members a histogram of the pairs.

    Parameters
    ----------
    found : ndarray of shape (n_members, n_members)
    current : int, optional
        The member whose pairs are outlined.
    mode : Mode
    height : int
        Pixels.
    """
    if len(found) > MOST_CELLS:
        return _histogram(found, mode, height)
    palette, n = PALETTES[mode], len(found)
    numbers = np.arange(1, n + 1)
    shown = found.copy()
    np.fill_diagonal(shown, np.nan)
    cells: Trace = {
        "type": "heatmap",
        "x": numbers,
        "y": numbers,
        "z": np.round(shown, 4),
        "zmin": _tenth(_pairs(found).min(initial=0.9)),
        "zmax": 1,
        "colorscale": [[0, palette.surface], [1, palette.accent]],
        "showscale": True,
        "colorbar": {"thickness": 12, "outlinewidth": 0, "tickfont": {"size": 13, "color": palette.quiet}, "nticks": 5},
        "hovertemplate": "members %{x} and %{y}: %{z:.3f}<extra></extra>",
        "xgap": 1,
        "ygap": 1,
        "name": "pairs",
    }
    outline = []
    if current is not None and 0 <= current < n:
        at = current + 1
        box = {"type": "rect", "line": {"color": palette.ink, "width": 2}}
        outline = [
            {**box, "x0": 0.5, "x1": n + 0.5, "y0": at - 0.5, "y1": at + 0.5},
            {**box, "x0": at - 0.5, "x1": at + 0.5, "y0": 0.5, "y1": n + 0.5},
        ]
    axes: list[dict[str, Any]] = [
        {**plain_axis(mode), "title": title("member"), "range": [0.5, n + 0.5], "tickformat": "d", "showline": False},
        {**plain_axis(mode), "title": title("member"), "range": [n + 0.5, 0.5], "tickformat": "d", "showline": False},
    ]
    for axis in axes:
        axis["tick0"], axis["dtick"] = 1, max(1, round(n / 10))
    return make_figure(
        [cells],
        mode,
        height=height,
        keep=f"correlation|{n}",
        margin={"l": 52, "r": 10, "t": 8, "b": 54, "autoexpand": True},
        xaxis=axes[0],
        yaxis=axes[1],
        shapes=outline,
    )


def correlation_text(found: FloatArray) -> str:
    """The picture in words: the mean, the least and the greatest over the pairs."""
    pairs = _pairs(found)
    if not len(pairs):
        return "One member has no pair to be compared with."
    return (
        f"Correlation of the answers of two members: mean {number(float(pairs.mean()))} over {len(pairs):,} pairs, "
        f"least {number(float(pairs.min()))}, greatest {number(float(pairs.max()))}."
    )


def sweep_figure(
    draws: Sequence[FeatureDraw], now: int | None, *, mode: Mode = Mode.LIGHT, height: int = 380
) -> go.Figure:
    """Above the errors of the ensemble and of a member, below correlation and strength, over the features drawn.

    Parameters
    ----------
    draws : sequence of FeatureDraw
    now : int or None
        The number of features that the page's ensemble draws.
    mode : Mode
    height : int
        Pixels.
    """
    palette = PALETTES[mode]
    is_number = draws[0].strength is None
    at = np.array([draw.max_features for draw in draws])
    errors = "mean squared error" if is_number else "error"
    looks: list[tuple[str, list[float | None], dict[str, Any], str, str]] = [
        ("error of a member", [d.member_error for d in draws], {"color": palette.quiet, "dash": "dash"}, "square", "y"),
        ("error of the forest", [d.error for d in draws], {"color": palette.accent}, "circle", "y"),
        ("correlation", [d.correlation for d in draws], {"color": palette.ink, "dash": "dot"}, "diamond", "y2"),
    ]
    if not is_number:
        strength = [d.strength for d in draws]
        looks.append(("strength", strength, {"color": palette.classes[2], "dash": "dashdot"}, "triangle-up", "y2"))
    traces: list[Trace] = [
        {
            "type": "scatter",
            "mode": "lines+markers",
            "x": at,
            "y": np.array([np.nan if value is None else value for value in values], dtype=np.float64),
            "line": {"width": 2.5, **line},
            "marker": {"size": 8, "symbol": sign, "color": line["color"]},
            "yaxis": axis,
            "text": [_written(value, is_number and axis == "y", axis) for value in values],
            "hovertemplate": f"%{{x}} drawn: {name} %{{text}}<extra></extra>",
            "name": name,
        }
        for name, values, line, sign, axis in looks
    ]
    last = max(int(at.max()), 2)
    grid = {"showgrid": True, "gridcolor": palette.line, "nticks": 4}
    axes: list[dict[str, Any]] = [
        {**plain_axis(mode), "title": title("features drawn"), "range": [0.8, last + 0.2], "tickformat": "d"},
        {
            **plain_axis(mode),
            **grid,
            "title": title(errors),
            "rangemode": "tozero",
            "tickformat": "" if is_number else ".0%",
        },
    ]
    if last <= _MOST_TICKS:
        axes[0] |= {"tick0": 1, "dtick": 1}
    margin = steady_margin(axes, keys=[name for name, *_ in looks])
    lower = {**plain_axis(mode), **grid, "automargin": False}
    mark = {"type": "line", "xref": "x", "yref": "paper", "y0": 0, "y1": 1}
    here = [{**mark, "x0": now, "x1": now, "line": {"color": palette.quiet, "width": 1.5, "dash": "dot"}}]
    return make_figure(
        traces,
        mode,
        height=height,
        keep="sweep",
        margin=margin,
        xaxis={**axes[0], "anchor": "y2"},
        yaxis={**axes[1], "domain": [0.54, 1]},
        yaxis2={**lower, "domain": [0, 0.46], "title": title("value")},
        shapes=here if now is not None and now <= last else [],
    )


def sweep_text(draws: Sequence[FeatureDraw]) -> str:
    """The picture in words: each number of features with what became of the ensemble."""
    said = []
    for draw in draws:
        is_number = draw.strength is None
        more = "" if draw.strength is None else f", strength {number(draw.strength)}"
        alike = "" if draw.correlation is None else f", correlation {number(draw.correlation)}"
        said.append(
            f"{draw.max_features} drawn: error of the forest {_written(draw.error, is_number)}, of a member "
            f"{_written(draw.member_error, is_number)}{alike}{more}"
        )
    return f"{'; '.join(said)}."


def sweep_rows(draws: Sequence[FeatureDraw]) -> list[list[str]]:
    """The picture as lines of a table: features drawn, the errors, correlation, and for classes strength."""
    return [
        [
            str(draw.max_features),
            _written(draw.error, draw.strength is None),
            _written(draw.member_error, draw.strength is None),
            _written(draw.correlation, False, "y2"),
            *([] if draw.strength is None else [number(draw.strength)]),
        ]
        for draw in draws
    ]


def shares_figure(
    names: Sequence[str], draws: Sequence[FeatureDraw], *, mode: Mode = Mode.LIGHT, height: int = 380
) -> go.Figure:
    """The importance of the most important features over the number of features drawn, a line each.

    Parameters
    ----------
    names : sequence of str
        Of all features, unescaped.
    draws : sequence of FeatureDraw
    mode : Mode
    height : int
        Pixels.
    """
    palette, order = PALETTES[mode], leading(draws)
    at = np.array([draw.max_features for draw in draws])
    last = max(int(at.max()), 2)
    traces: list[Trace] = [
        {
            "type": "scatter",
            "mode": "lines+markers",
            "x": at,
            "y": np.array([draw.importance[feature] for draw in draws]),
            "line": {"width": 2.5, "color": palette.classes[place], "dash": _DASHES[place]},
            "marker": {"size": 7},
            "hovertemplate": f"%{{x}} drawn: {label(names[feature])} %{{y:.3f}}<extra></extra>",
            "name": label(names[feature], 20),
        }
        for place, feature in enumerate(order)
    ]
    axes: list[dict[str, Any]] = [
        {**plain_axis(mode), "title": title("features drawn"), "range": [0.8, last + 0.2], "tickformat": "d"},
        {
            **plain_axis(mode),
            "title": title("importance"),
            "rangemode": "tozero",
            "showgrid": True,
            "gridcolor": palette.line,
            "nticks": 5,
        },
    ]
    if last <= _MOST_TICKS:
        axes[0] |= {"tick0": 1, "dtick": 1}
    return make_figure(
        traces,
        mode,
        height=height,
        keep="sweep importance",
        margin=steady_margin(axes, keys=[trace["name"] for trace in traces]),
        xaxis=axes[0],
        yaxis=axes[1],
        showlegend=True,
    )


def shares_text(names: Sequence[str], draws: Sequence[FeatureDraw]) -> str:
    """The picture in words: the importance of each feature with the fewest and the most features drawn."""
    first, last = draws[0], draws[-1]
    said = [
        f"{phrases.plain(names[f])} {number(float(first.importance[f]))} with {first.max_features} drawn, "
        f"{number(float(last.importance[f]))} with {last.max_features}"
        for f in leading(draws)
    ]
    return f"Importance: {'; '.join(said)}."


def leading(draws: Sequence[FeatureDraw]) -> list[int]:
    """The features with a line: those most important on average, the first on top."""
    mean = np.mean([draw.importance for draw in draws], axis=0)
    return [int(f) for f in np.argsort(-mean, kind="stable")[:MOST_LINES] if mean[f] > 0]


def _histogram(found: FloatArray, mode: Mode, height: int) -> go.Figure:
    palette, pairs = PALETTES[mode], _pairs(found)
    counts, edges = np.histogram(pairs, bins=40)
    trace: Trace = {
        "type": "bar",
        "x": (edges[:-1] + edges[1:]) / 2,
        "y": counts,
        "width": np.diff(edges),
        "marker": {"color": palette.accent, "line": {"width": 0.5, "color": palette.background}},
        "hovertemplate": "correlation %{x:.2f}: %{y} pairs<extra></extra>",
        "showlegend": False,
        "name": "pairs",
    }
    axes: list[dict[str, Any]] = [
        {**plain_axis(mode), "title": title("correlation of two members")},
        {**plain_axis(mode), "title": title("pairs"), "showgrid": True, "gridcolor": palette.line, "nticks": 5},
    ]
    return make_figure(
        [trace],
        mode,
        height=height,
        keep="correlation",
        margin=steady_margin(axes),
        xaxis=axes[0],
        yaxis=axes[1],
    )


def _pairs(found: FloatArray) -> FloatArray:
    return np.asarray(found[np.triu_indices(len(found), 1)])


def _tenth(value: float) -> float:
    """The tenth below."""
    return math.floor(10 * value) / 10


def _written(value: float | None, is_number: bool, axis: str = "y") -> str:
    if value is None:
        return "–"
    if axis != "y":
        return number(value)
    return rough(value) if is_number else percent(value)
