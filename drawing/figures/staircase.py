"""A tree for a number over one feature: its answer as a step function, with the rows and their residuals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from drawing.figures.base import (
    Trace,
    axis_layout,
    compact,
    label,
    make_figure,
    plain_axis,
    see_through,
    small_integers,
    steady_margin,
    title,
    unseen_marks,
)
from drawing.figures.places import MOST_MARKS, MOST_OTHERS, marks, spread_across
from drawing.figures.values import by_step, row_look
from drawing.numbers import Units, target_range, units
from drawing.phrases import listed, rows
from drawing.theme import PALETTES, Mode, quantity
from engine.regions import Regions, decision_regions, node_region
from engine.table import FloatArray, IntArray
from engine.tree import Tree

MOST_RESIDUALS = 60
"""Rows of the node up to which each is joined to its step."""
MOST_WORDS = 250
"""Rows up to which each is described under the pointer."""
CLICKS = 9
"""Invisible marks along each step that make it clickable."""


def staircase_figure(
    tree: Tree,
    x: str,
    *,
    node: int | None = None,
    selected: Sequence[int] = (),
    given: Mapping[str, str | float] | None = None,
    mode: Mode = Mode.LIGHT,
    height: int | None = None,
) -> go.Figure:
    """The tree's answer over one feature, the node's rows lit and joined to their step.

    Parameters
    ----------
    tree : Tree
        Finished or `tree.at(k)`; its target is a number.
    x : str
        Name of a feature: over a numeric one a staircase, over levels one step a level.
    node : int, optional
        The current node, whose part of the axis is outlined. Without it all rows are lit.
    selected : sequence of int
        Rows to ring, positions in `tree.table`.
    given : mapping
        Values of features that are not shown; see `engine.regions.decision_regions`.
    mode : Mode
    height : int, optional
        Pixels.

    Returns
    -------
    plotly.graph_objects.Figure
        A click gives ``customdata``: the row's position and its node, or -1 and the step's node.
    """
    regions = decision_regions(tree, x, given=given)
    xs = _places(tree, regions)
    traces = _marks(tree, xs, node, mode)
    traces += [_steps(regions, mode), _click_marks(tree, regions)]
    ringed = [row for row in selected if 0 <= row < tree.table.n_rows and np.isfinite(xs[row])]
    if ringed:
        traces.append(_rings(tree, xs, np.array(ringed), mode))
    axis = axis_layout(regions.x, mode)
    up = {**plain_axis(mode), "title": title(tree.table.target.name), "range": _room(tree), "nticks": 5}
    layout: dict[str, Any] = {"xaxis": axis, "yaxis": up}
    if regions.x.is_numeric:
        layout["margin"] = {**steady_margin([axis, up]), "t": 10}
    return make_figure(
        traces,
        mode,
        height=height or 300,
        keep=f"{x}|",
        shapes=_outlines(tree, node, x, mode),
        annotations=_answers(tree, regions, xs, mode),
        **layout,
    )


def staircase_text(
    tree: Tree, x: str, *, node: int | None = None, given: Mapping[str, str | float] | None = None
) -> str:
    """The picture in words: the steps from left to right with their answers, and the current node's rows."""
    regions = decision_regions(tree, x, given=given)
    write, order = units(tree), np.argsort(regions.x0, kind="stable").tolist()
    shown = [f"{_where(regions, piece)}: {write.value(float(regions.prediction[piece]))}" for piece in order[:8]]
    more = f" and {len(order) - 8} more" if len(order) > 8 else ""
    steps = "1 step" if len(order) == 1 else f"{len(order)} steps"
    words = [f"The answer over {x} has {steps}. {'; '.join(shown)}{more}."]
    if not regions.exact:
        words.append(
            f"The tree also tests {listed(list(regions.hidden[:5]))}: where it does, the step is the mean answer over "
            "the training rows."
        )
    if tree.table.n_rows > MOST_MARKS:
        words.append("Not every row has a mark of its own.")
    if node is not None:
        words.append(f"Outlined: the current node with {rows(float(tree.nodes.size[node]))}.")
    return " ".join(words)


def _where(regions: Regions, piece: int) -> str:
    """A step's part of the axis in words."""
    low, high = float(regions.x0[piece]), float(regions.x1[piece])
    if not regions.x.is_numeric:
        names = [label(name) for place, name in enumerate(regions.x.levels) if low < place < high]
        return listed(names[:4], "or") if names else "none"
    if low <= regions.x.low and high >= regions.x.high:
        return "everywhere"
    if low <= regions.x.low:
        return f"below {quantity(high)}"
    return f"from {quantity(low)}" if high >= regions.x.high else f"{quantity(low)} to {quantity(high)}"


def _places(tree: Tree, regions: Regions) -> FloatArray:
    """Where each row lies along the axis; rows of a level are spread across its step."""
    xs = regions.x.coordinates(tree.table.columns[regions.x.feature])
    return xs if regions.x.is_numeric else xs + spread_across(xs, tree.table.target_values)


def _room(tree: Tree) -> list[float]:
    """The range of the target with room above it for the answers."""
    within = target_range(tree)
    span = min((within.high / 2 - within.low / 2) * 2 or 1.0, 1e308)
    return [within.low - 0.06 * span, within.high + 0.14 * span]


def _marks(tree: Tree, xs: FloatArray, node: int | None, mode: Mode) -> list[Trace]:
    """The rows by value, those of the node lit, and the lines that join them to their steps."""
    palette, target = PALETTES[mode], tree.table.target_values
    lit = np.ones(tree.table.n_rows, dtype=bool)
    if node is not None:
        lit[:] = False
        lit[tree.rows(node)] = True
    seen, leaves = np.isfinite(xs), tree.leaf_of_training_row()
    size = 10 if tree.table.n_rows <= 60 else 7 if tree.table.n_rows <= 500 else 5
    others = marks(np.flatnonzero(seen & ~lit), xs, target, MOST_OTHERS)
    shown = marks(np.flatnonzero(seen & lit), xs, target, MOST_MARKS)
    traces = []
    if len(others):
        look = {"color": palette.neutral, "opacity": 0.6, "size": size - 2}
        traces.append({**_row_trace(tree, xs, others, leaves), "marker": look, "name": "other rows"})
    if 0 < len(shown) <= MOST_RESIDUALS:
        traces.append(_residuals(tree, xs, shown, leaves, mode))
    for group, step in by_step(shown, target, target_range(tree)) if len(shown) else []:
        look = {**row_look(step, mode), "size": size, "line": {"width": 1, "color": palette.ink}}
        traces.append({**_row_trace(tree, xs, group, leaves), "marker": look, "name": "rows"})
    return traces


def _row_trace(tree: Tree, xs: FloatArray, shown: IntArray, leaves: IntArray) -> Trace:
    target = tree.table.target_values
    words: Trace = {"hoverinfo": "none"}
    if tree.table.n_rows <= MOST_WORDS:
        write = units(tree)
        words = {
            "text": [
                f"{write.value(float(target[row]))} (row {int(tree.table.row_numbers[row]) + 1})"
                for row in shown.tolist()
            ],
            "hovertemplate": "<b>%{text}</b><extra></extra>",
        }
    return {
        "type": "scatter",
        "mode": "markers",
        "x": compact(xs[shown]),
        "y": compact(target[shown]),
        "customdata": small_integers(np.stack([shown, leaves[shown]], axis=1)),
        "showlegend": False,
        **words,
    }


def _residuals(tree: Tree, xs: FloatArray, shown: IntArray, leaves: IntArray, mode: Mode) -> Trace:
    """From each row down or up to what its node answers."""
    gap = np.full(len(shown), np.nan)
    ys = np.stack([tree.table.target_values[shown], tree.nodes.prediction[leaves[shown]], gap], axis=1)
    return {
        "type": "scatter",
        "mode": "lines",
        "x": compact(np.repeat(xs[shown], 3)),
        "y": compact(ys.ravel()),
        "line": {"width": 1, "color": PALETTES[mode].quiet},
        "hoverinfo": "skip",
        "showlegend": False,
        "name": "residuals",
    }


def _rings(tree: Tree, xs: FloatArray, ringed: IntArray, mode: Mode) -> Trace:
    ring = {"symbol": "circle-open", "size": 18, "color": PALETTES[mode].accent, "line": {"width": 3}}
    return {**_row_trace(tree, xs, ringed, tree.leaf_of_training_row()), "marker": ring, "name": "selected rows"}


def _steps(regions: Regions, mode: Mode) -> Trace:
    """The answer from left to right; risers join the steps of a numeric feature."""
    order = np.argsort(regions.x0, kind="stable")
    x = np.stack([regions.x0[order], regions.x1[order]], axis=1)
    y = np.repeat(regions.prediction[order].astype(np.float64), 2).reshape(-1, 2)
    if not regions.x.is_numeric:
        gap = np.full((len(order), 1), np.nan)
        x, y = np.hstack([x + np.array([0.06, -0.06]), gap]), np.hstack([y, gap])
    return {
        "type": "scatter",
        "mode": "lines",
        "x": compact(x.ravel()),
        "y": compact(y.ravel()),
        "line": {"width": 3.5, "color": PALETTES[mode].ink},
        "hoverinfo": "skip",
        "showlegend": False,
        "name": "answer",
    }


def _click_marks(tree: Tree, regions: Regions) -> Trace:
    """Invisible marks along each step; each knows its node."""
    write = units(tree)
    share = (np.arange(CLICKS) + 0.5) / CLICKS
    xs = regions.x0[:, None] * (1 - share) + regions.x1[:, None] * share
    node = np.repeat(regions.node, CLICKS)
    said = [
        f"{write.value(float(mean))} · {rows(float(tree.nodes.size[number]))}"
        for mean, number in zip(regions.prediction.tolist(), regions.node.tolist(), strict=True)
    ]
    return {
        **unseen_marks(),
        "x": compact(xs.ravel()),
        "y": compact(np.repeat(regions.prediction, CLICKS)),
        "customdata": small_integers(np.stack([np.full(len(node), -1), node], axis=1)),
        "text": np.repeat(said, CLICKS).tolist(),
        "hovertemplate": "<b>%{text}</b><extra></extra>",
        "name": "regions",
    }


def _answers(tree: Tree, regions: Regions, xs: FloatArray, mode: Mode) -> list[dict[str, Any]]:
    """The mean at each step that has room for it, on the side where fewer rows lie."""
    write: Units = units(tree)
    low, high = _room(tree)
    line = (high - low) * 0.11
    width = (regions.x1 / 2 - regions.x0 / 2) / (regions.x.high / 2 - regions.x.low / 2)
    notes = []
    for piece in range(len(regions)):
        text = write.value(float(regions.prediction[piece]))
        if len(text) * 9 < width[piece] * 300:
            middle, height = float(regions.x0[piece] / 2 + regions.x1[piece] / 2), float(regions.prediction[piece])
            half = len(text) * 9 / 600 * (regions.x.high - regions.x.low)
            off = tree.table.target_values[np.abs(xs - middle) < half] - height
            fewer = np.count_nonzero((off < 0) & (off > -line)) < np.count_nonzero((off > 0) & (off < line))
            below = bool(fewer) and height - line > low
            notes.append(
                {
                    "x": middle,
                    "y": height,
                    "yanchor": "top" if below else "bottom",
                    "yshift": -3 if below else 3,
                    "text": text,
                    "showarrow": False,
                    "font": {"size": 14},
                    "bgcolor": see_through(PALETTES[mode].background, 0.7),
                    "borderpad": 1,
                }
            )
    return notes


def _outlines(tree: Tree, node: int | None, x: str, mode: Mode) -> list[dict[str, Any]]:
    """The current node's part of the axis."""
    if node is None:
        return []
    accent = PALETTES[mode].accent
    return [
        {
            "type": "rect",
            "x0": float(x0),
            "x1": float(x1),
            "y0": 0,
            "y1": 1,
            "yref": "paper",
            "line": {"color": accent, "width": 3},
            "fillcolor": see_through(accent, 0.07),
            "layer": "below",
        }
        for x0, x1, _, _ in node_region(tree, node, x)
    ]
