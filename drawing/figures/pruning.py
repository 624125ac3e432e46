"""The curve of a pruning: errors against the number of leaves, with the current step and the chosen tree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from drawing.figures.base import Trace, make_figure, plain_axis, see_through, small_integers, steady_margin, title
from drawing.pruning import Words
from drawing.theme import PALETTES, Mode
from engine.pruning import CurvePoint

_MOST_MARKS = 150
_FEW_LEAVES = 9


def curve_figure(
    words: Words, point: int, test: Sequence[float] | None = None, *, mode: Mode = Mode.LIGHT, height: int = 300
) -> go.Figure:
    """Errors of every tree of a pruning.

    Parameters
    ----------
    words : Words
    point : int
        The point of the curve that the current step has reached.
    test : sequence of float, optional
        The error on the test rows at each point, once it may be seen.
    mode : Mode
    height : int
        Pixels.

    Returns
    -------
    plotly.graph_objects.Figure
        Each point can be clicked: ``customdata`` is the step of the trace (-1 beyond its end) and the point.
    """
    curve, palette = words.pruning.curve, PALETTES[mode]
    lines = _lines(words, test, mode)
    traces = [_line(curve, errors, look, name, words) for name, errors, look in lines]
    shapes: list[dict[str, Any]] = [_upright(curve[point].n_leaves, palette.accent, "solid")]
    chosen = curve[words.pruning.chosen]
    notes = []
    if words.pruning.chosen != point:
        shapes.append(_upright(chosen.n_leaves, palette.quiet, "dot"))
    notes.append(_chosen_note(chosen.n_leaves, words.tree.n_leaves, mode))
    traces += _marks(curve, lines, point, mode)
    gap = _gap(curve[point])
    if gap is not None:
        low, high = gap
        shapes.append(_band(curve[point].n_leaves, low, high, palette.accent))
        notes.append(_gap_note(curve[point].n_leaves, low, high, words, mode))
    limit = _limit(words)
    if limit is not None:
        shapes.append(_level(limit, palette.quiet))
    most = max(max(errors) for _, errors, _ in lines) if lines else 1.0
    axis = {**plain_axis(mode), "title": title("leaves"), "automargin": False, "range": _range(curve)}
    if curve[0].n_leaves <= _FEW_LEAVES:
        axis["dtick"] = 1
    error = "mean squared error" if words.tree.is_number else "error"
    return make_figure(
        traces,
        mode,
        height=height,
        keep=f"{words.pruning.settings.method}|{words.tree.n_leaves}",
        # A line of the legend for each of three names or more, which do not stand side by side in a narrow figure.
        margin={**steady_margin([]), "l": 68, "t": 36 if len(lines) < 3 else 16 + 22 * len(lines)},
        xaxis=axis,
        yaxis={
            **plain_axis(mode),
            "title": title(error),
            "range": [-0.04 * (most or 1.0), 1.2 * (most or 1.0)],
            "showgrid": True,
            "gridcolor": palette.line,
            "nticks": 6,
            "automargin": False,
            **({} if words.tree.is_number else {"tickformat": ".0%"}),
        },
        shapes=shapes,
        annotations=notes,
    )


def curve_text(words: Words, point: int, test: Sequence[float] | None = None) -> str:
    """The curve in words: its ends, the current tree, the chosen one and the gap."""
    curve = words.pruning.curve
    if len(curve) == 1:
        return f"One tree of {curve[0].n_leaves} {'leaf' if curve[0].n_leaves == 1 else 'leaves'}: no curve."

    def told(at: int) -> str:
        errors = [("training", curve[at].train_error), ("validation", curve[at].validation_error)]
        errors += [("cross-validated", curve[at].cross_validation_error), ("test", None if test is None else test[at])]
        said = ", ".join(f"{name} {words.error(value)}" for name, value in errors if value is not None)
        return f"{curve[at].n_leaves} leaves: {said}" if curve[at].n_leaves != 1 else f"1 leaf: {said}"

    shown = f"Error of {len(curve)} trees, from {told(0)}, to {told(len(curve) - 1)}."
    gap = _gap(curve[point])
    between = "" if gap is None else f" Validation less training error: {words.error(gap[1] - gap[0])}."
    return f"{shown} Now {told(point)}.{between} Chosen: {told(words.pruning.chosen)}."


def _lines(words: Words, test: Sequence[float] | None, mode: Mode) -> list[tuple[str, list[float], dict[str, Any]]]:
    palette, curve = PALETTES[mode], words.pruning.curve
    found: list[tuple[str, list[float], dict[str, Any]]] = []
    columns: list[tuple[str, list[float | None], dict[str, Any]]] = [
        ("training", [p.train_error for p in curve], {"color": palette.quiet, "dash": "dash"}),
        ("validation", [p.validation_error for p in curve], {"color": palette.accent}),
        ("cross-validated", [p.cross_validation_error for p in curve], {"color": palette.accent, "dash": "dot"}),
        ("test", list(test) if test is not None else [None], {"color": palette.ink, "dash": "dashdot"}),
    ]
    for name, values, look in columns:
        known = [value for value in values if value is not None]
        if known and len(known) == len(curve):
            found.append((name, known, look))
    return found


def _line(curve: Sequence[CurvePoint], errors: list[float], look: dict[str, Any], name: str, words: Words) -> Trace:
    few = len(curve) <= _MOST_MARKS
    steps = np.array([-1 if p.step is None else p.step for p in curve])
    trace: Trace = {
        "type": "scatter",
        "mode": "lines+markers",
        "x": np.array([p.n_leaves for p in curve]),
        "y": np.array(errors),
        "line": {"width": 2.5, **look},
        "marker": {"size": 8 if few else 4, "color": look["color"]},
        "customdata": small_integers(np.stack([steps, np.arange(len(curve))], axis=1)),
        "text": [words.error(value) for value in errors],
        "hovertemplate": f"%{{x}} leaves: {name} error %{{text}}<extra></extra>",
        "name": name,
    }
    if name == "cross-validated":
        bars = np.array([p.standard_error or 0.0 for p in curve])
        trace["error_y"] = {"type": "data", "array": bars, "color": look["color"], "thickness": 1.2, "width": 3}
    return trace


def _marks(
    curve: Sequence[CurvePoint], lines: Sequence[tuple[str, list[float], dict[str, Any]]], point: int, mode: Mode
) -> list[Trace]:
    """The current tree's errors, ringed."""
    palette = PALETTES[mode]
    values = [errors[point] for _, errors, _ in lines]
    ring = {"size": 14, "color": "rgba(0,0,0,0)", "line": {"width": 3, "color": palette.accent}}
    return [
        {
            "type": "scatter",
            "mode": "markers",
            "x": [curve[point].n_leaves] * len(values),
            "y": values,
            "marker": ring,
            "hoverinfo": "skip",
            "showlegend": False,
            "name": "now",
        }
    ]


def _gap(point: CurvePoint) -> tuple[float, float] | None:
    """Training and validation error where validation is the greater."""
    if point.train_error is None or point.validation_error is None or point.validation_error <= point.train_error:
        return None
    return point.train_error, point.validation_error


def _limit(words: Words) -> float | None:
    """The greatest cross-validated error that the rule of standard errors allows."""
    known = [(p.cross_validation_error, p.standard_error) for p in words.pruning.curve]
    errors = [(error, spread) for error, spread in known if error is not None and spread is not None]
    if not errors:
        return None
    least, spread = min(errors)
    return least + words.pruning.settings.standard_errors * spread


def _range(curve: Sequence[CurvePoint]) -> list[float]:
    most = max(p.n_leaves for p in curve)
    return [1 - 0.06 * most, 1.06 * most]


def _upright(x: float, colour: str, dash: str) -> dict[str, Any]:
    line = {"color": colour, "width": 2, "dash": dash}
    return {"type": "line", "line": line, "x0": x, "x1": x, "y0": 0, "y1": 1, "yref": "paper"}


def _level(y: float, colour: str) -> dict[str, Any]:
    line = {"color": colour, "width": 1.5, "dash": "dot"}
    return {"type": "line", "line": line, "x0": 0, "x1": 1, "xref": "paper", "y0": y, "y1": y}


def _band(x: float, low: float, high: float, colour: str) -> dict[str, Any]:
    """The overfitting gap as a bar between the two errors."""
    return {
        "type": "line",
        "x0": x,
        "x1": x,
        "y0": low,
        "y1": high,
        "line": {"color": see_through(colour, 0.3), "width": 12},
    }


def _gap_note(x: float, low: float, high: float, words: Words, mode: Mode) -> dict[str, Any]:
    most = words.tree.n_leaves
    right = x > 0.7 * most
    return {
        "x": x,
        "y": (low + high) / 2,
        "xanchor": "right" if right else "left",
        "xshift": -10 if right else 10,
        "showarrow": False,
        "text": f"gap {words.error(high - low)}".replace("%", "&#37;"),
        "font": {"size": 14, "color": PALETTES[mode].accent},
        "bgcolor": see_through(PALETTES[mode].background, 0.7),
    }


def _chosen_note(leaves: int, most: int, mode: Mode) -> dict[str, Any]:
    right = leaves > 0.6 * most
    return {
        "x": leaves,
        "y": 1.0,
        "yref": "paper",
        "yanchor": "top",
        "xanchor": "right" if right else "left",
        "xshift": -5 if right else 5,
        "showarrow": False,
        "text": f"chosen: {leaves}",
        "font": {"size": 14, "color": PALETTES[mode].ink},
        "bgcolor": see_through(PALETTES[mode].background, 0.7),
    }
