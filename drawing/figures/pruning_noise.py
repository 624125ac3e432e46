"""Noise dampening: test errors of the full and the pruned tree against the share of wrong labels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from drawing.figures.base import Trace, make_figure, plain_axis, steady_margin, title
from drawing.theme import PALETTES, Mode, percent
from engine.pruning import NoisePoint

_NAMES = ("full tree", "pruned tree")


def noise_figure(points: Sequence[NoisePoint], *, mode: Mode = Mode.LIGHT, height: int = 320) -> go.Figure:
    """Every run as a mark, the means over the seeds as lines.

    Parameters
    ----------
    points : sequence of NoisePoint
        The runs so far.
    mode : Mode
    height : int
        Pixels.
    """
    palette = PALETTES[mode]
    looks = ((palette.quiet, "dash", "circle"), (palette.accent, "solid", "diamond"))
    shares = sorted({point.share for point in points})
    traces: list[Trace] = []
    for name, (colour, dash, sign), errors in zip(_NAMES, looks, _errors(points), strict=True):
        at = np.array([point.share for point in points])
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "x": at,
                "y": errors,
                "marker": {"size": 7, "color": colour, "symbol": sign, "opacity": 0.45},
                "showlegend": False,
                "hovertemplate": f"{name}: %{{y:.1%}}<extra></extra>",
                "name": name,
            }
        )
        traces.append(
            {
                "type": "scatter",
                "mode": "lines+markers",
                "x": np.array(shares),
                "y": np.array([errors[at == share].mean() for share in shares]),
                "line": {"width": 3, "color": colour, "dash": dash},
                "marker": {"size": 9, "symbol": sign},
                "hovertemplate": f"{name}, mean: %{{y:.1%}}<extra></extra>",
                "name": name,
            }
        )
    axis = {"automargin": False, "tickformat": ".0%"}
    return make_figure(
        traces,
        mode,
        height=height,
        keep="noise",
        margin={**steady_margin([], keys=_NAMES), "l": 68},
        xaxis={**plain_axis(mode), **axis, "title": title("labels flipped")},
        yaxis={
            **plain_axis(mode),
            **axis,
            "title": title("test error"),
            "rangemode": "tozero",
            "showgrid": True,
            "gridcolor": palette.line,
        },
    )


def noise_text(points: Sequence[NoisePoint]) -> str:
    """The figure in words: the means at each share."""
    said = []
    for share in sorted({point.share for point in points}):
        here = [point for point in points if point.share == share]
        full, pruned = (float(errors.mean()) for errors in _errors(here))
        leaves = [np.mean([getattr(p, name) for p in here]) for name in ("full_leaves", "pruned_leaves")]
        said.append(
            f"{percent(share)} flipped: full tree {percent(full)} wrong, {leaves[0]:.0f} leaves; "
            f"pruned {percent(pruned)} wrong, {leaves[1]:.0f} leaves"
        )
    return f"Mean test error. {'. '.join(said)}."


def _errors(points: Sequence[NoisePoint]) -> tuple[np.ndarray, np.ndarray]:
    return np.array([p.full_error for p in points]), np.array([p.pruned_error for p in points])
