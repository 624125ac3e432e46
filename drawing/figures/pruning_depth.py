"""Errors of a tree against its depth: where more levels fit the training rows alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from drawing.figures.base import Trace, make_figure, plain_axis, small_integers, steady_margin, title
from drawing.numbers import units
from drawing.theme import PALETTES, Mode, percent, weight
from engine import Tree
from engine.pruning.depths import DepthPoint

LOOKS = {"training": "dash", "validation": "solid", "test": "dashdot"}
"""What may be measured, and the dashes of its line."""


def depth_figure(
    tree: Tree,
    points: Sequence[DepthPoint],
    names: Sequence[str],
    depth: int,
    *,
    mode: Mode = Mode.LIGHT,
    height: int = 300,
) -> go.Figure:
    """A line for each of `names`, one of `LOOKS`, in the order of the points' errors; `depth` is marked.

    A click gives ``customdata``: the depth, and -1.
    """
    palette = PALETTES[mode]
    colours = {"training": palette.quiet, "validation": palette.accent, "test": palette.ink}
    depths = [point.depth for point in points]
    traces: list[Trace] = [
        {
            "type": "scatter",
            "mode": "lines+markers",
            "x": depths,
            "y": [point.errors[place] for point in points],
            "line": {"width": 2.5, "color": colours[name], "dash": LOOKS[name]},
            "marker": {"size": 8},
            "customdata": small_integers(np.array([[at, -1] for at in depths])),
            "text": [error_words(tree, point.errors[place]) for point in points],
            "hovertemplate": f"depth %{{x}}: {name} error %{{text}}<extra></extra>",
            "name": name,
        }
        for place, name in enumerate(names)
    ]
    most = max(max(point.errors) for point in points) or 1.0
    now: dict[str, Any] = {"color": palette.accent, "width": 2}
    share = {} if tree.is_number else {"tickformat": ".0%"}
    return make_figure(
        traces,
        mode,
        height=height,
        keep=f"depth|{len(points)}",
        margin={**steady_margin([], keys=names), "l": 68},
        xaxis={
            **plain_axis(mode),
            "title": title("depth"),
            "automargin": False,
            "tickformat": "d",
            "range": [-0.3, depths[-1] + 0.3],
            **({"dtick": 1} if len(points) <= 20 else {}),
        },
        yaxis={
            **plain_axis(mode),
            "title": title("mean squared error" if tree.is_number else "error"),
            "automargin": False,
            "range": [-0.05 * most, 1.1 * most],
            "showgrid": True,
            "gridcolor": palette.line,
            **share,
        },
        shapes=[{"type": "line", "line": now, "x0": depth, "x1": depth, "y0": 0, "y1": 1, "yref": "paper"}],
    )


def depth_text(tree: Tree, points: Sequence[DepthPoint], names: Sequence[str], depth: int) -> str:
    """The figure in words: each line's ends and least value, and the errors at the depth."""
    told = []
    for place, name in enumerate(names):
        errors = [point.errors[place] for point in points]
        least = errors.index(min(errors))
        told.append(
            f"{name} error {error_words(tree, errors[0])} at depth 0, least {error_words(tree, errors[least])} "
            f"at depth {least}, {error_words(tree, errors[-1])} at depth {len(points) - 1}"
        )
    here = ", ".join(f"{name} {error_words(tree, points[depth].errors[place])}" for place, name in enumerate(names))
    return f"Errors against depth: {'; '.join(told)}. Depth {depth}: {here}."


def share_words(point: DepthPoint) -> str:
    """How many rows the leaves at a depth share.

    >>> share_words(DepthPoint(depth=2, n_leaves=4, mean_rows=3.5, least_rows=1.0, errors=()))
    'Depth 2: 4 leaves, 3.5 training rows each on average, 1 in the smallest.'
    """
    leaves = "1 leaf" if point.n_leaves == 1 else f"{point.n_leaves} leaves"
    mean = weight(round(point.mean_rows, 1))
    if point.n_leaves == 1:
        return f"Depth {point.depth}: {leaves} with all {mean} training rows."
    least = weight(point.least_rows)
    return f"Depth {point.depth}: {leaves}, {mean} training rows each on average, {least} in the smallest."


def error_words(tree: Tree, value: float) -> str:
    """A share of rows, or the mean squared error."""
    return units(tree).square(value) if tree.is_number else percent(value)
