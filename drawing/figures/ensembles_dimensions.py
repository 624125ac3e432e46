"""Random features added: test errors of a tree and of the ensemble against how many there are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from drawing.ensembles import rough
from drawing.figures.base import Trace, label, make_figure, plain_axis, steady_margin, title
from drawing.theme import PALETTES, Mode, percent
from engine.ensembles import RandomPoint
from engine.table import FloatArray


def dimensions_figure(
    points: Sequence[RandomPoint], ensemble: str, *, is_number: bool, mode: Mode = Mode.LIGHT, height: int = 340
) -> go.Figure:
    """Every run as a mark, the means over the seeds as lines.

    Parameters
    ----------
    points : sequence of RandomPoint
        The runs so far.
    ensemble : str
        What the ensemble is called.
    is_number : bool
        Whether the errors are squared errors.
    mode : Mode
    height : int
        Pixels.
    """
    palette = PALETTES[mode]
    numbers = sorted({point.n_added for point in points})
    places = np.array([numbers.index(point.n_added) for point in points])
    looks = (("a tree", palette.quiet, "dash", "square"), (ensemble, palette.accent, "solid", "circle"))
    traces: list[Trace] = []
    for (name, colour, dash, sign), errors in zip(looks, _errors(points), strict=True):
        said = [_written(error, is_number) for error in errors.tolist()]
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "x": places,
                "y": errors,
                "marker": {"size": 7, "color": colour, "symbol": sign, "opacity": 0.45},
                "text": said,
                "hovertemplate": f"{label(name)}: error %{{text}}<extra></extra>",
                "showlegend": False,
                "name": "runs",
            }
        )
        traces.append(
            {
                "type": "scatter",
                "mode": "lines+markers",
                "x": np.arange(len(numbers)),
                "y": np.array([errors[places == place].mean() for place in range(len(numbers))]),
                "line": {"width": 3, "color": colour, "dash": dash},
                "marker": {"size": 9, "symbol": sign},
                "hoverinfo": "skip",
                "name": label(name, 34),
            }
        )
    axes: list[dict[str, Any]] = [
        {
            **plain_axis(mode),
            "title": title("random features added"),
            "tickvals": np.arange(len(numbers)),
            "ticktext": [str(number) for number in numbers],
            "range": [-0.2, max(len(numbers) - 1, 1) + 0.2],
        },
        {
            **plain_axis(mode),
            "title": title("mean squared test error" if is_number else "test error"),
            "rangemode": "tozero",
            "tickformat": "" if is_number else ".0%",
            "showgrid": True,
            "gridcolor": palette.line,
            "nticks": 5,
        },
    ]
    return make_figure(
        traces,
        mode,
        height=height,
        keep="dimensions",
        margin=steady_margin(axes, keys=[name for name, *_ in looks]),
        xaxis=axes[0],
        yaxis=axes[1],
    )


def dimensions_rows(points: Sequence[RandomPoint], *, is_number: bool) -> list[list[str]]:
    """A line for each number of random features: the mean errors, and how much of the importance falls on them."""
    lines = []
    for number in sorted({point.n_added for point in points}):
        here = [point for point in points if point.n_added == number]
        tree, ensemble = (_written(float(errors.mean()), is_number) for errors in _errors(here))
        shares = [
            percent(float(np.mean([getattr(p, name) for p in here]))) for name in ("tree_share", "ensemble_share")
        ]
        lines.append([str(number), tree, ensemble, *shares])
    return lines


def dimensions_text(points: Sequence[RandomPoint], ensemble: str, *, is_number: bool) -> str:
    """The picture in words."""
    said = [
        f"{added} added: a tree {tree}, {ensemble} {together}"
        for added, tree, together, *_ in dimensions_rows(points, is_number=is_number)
    ]
    return f"Mean test error with random features. {'; '.join(said)}."


def _errors(points: Sequence[RandomPoint]) -> tuple[FloatArray, FloatArray]:
    return np.array([p.tree_error for p in points]), np.array([p.ensemble_error for p in points])


def _written(error: float, is_number: bool) -> str:
    return rough(error) if is_number else percent(error)
