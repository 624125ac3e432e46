"""Decision regions of a tree at a step, with its rows: two features, or one as a strip."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from drawing import phrases
from drawing.figures.base import (
    Trace,
    axis_layout,
    class_keys,
    compact,
    fits_across,
    label,
    make_figure,
    named_classes,
    see_through,
    shortened,
    small_integers,
    steady_margin,
    unseen_marks,
)
from drawing.figures.close_keys import close_keys, is_close
from drawing.figures.missing_band import band, band_traces, outline_sides, room, stretched
from drawing.figures.places import MOST_MARKS
from drawing.figures.rectangles import grid_index, outlines, region_traces
from drawing.figures.rows import row_traces
from drawing.figures.staircase import staircase_figure, staircase_text
from drawing.figures.values import BAR_ROOM, colour_bar
from drawing.numbers import target_range, units
from drawing.theme import PALETTES, Mode, percent, weight
from engine.regions import Regions, decision_regions
from engine.table import BoolArray, FloatArray
from engine.tree import Tree

CLICKS = (18, 10)
"""A grid of invisible marks makes a region's inside clickable."""
MOST_CENTRES = 300
"""Regions between the grid's marks that have one of their own in the middle."""


_STRIP: dict[str, Any] = {"visible": False, "range": [0, 1], "fixedrange": True}


def regions_figure(
    tree: Tree,
    x: str,
    y: str | None = None,
    *,
    node: int | None = None,
    selected: Sequence[int] = (),
    given: Mapping[str, str | float] | None = None,
    rows: bool = True,
    mode: Mode = Mode.LIGHT,
    height: int | None = None,
) -> go.Figure:
    """The regions over one or two features; the node's rows lit and its region outlined.

    Parameters
    ----------
    tree : Tree
        Finished or `tree.at(k)`.
    x, y : str
        Names of features; without `y` a strip.
    node : int, optional
        The current node. Without it all rows are lit.
    selected : sequence of int
        Rows to ring, positions in `tree.table`.
    given : mapping
        Values of features that are not shown; see `engine.regions.decision_regions`.
    rows : bool
        Whether the rows are drawn.
    mode : Mode
    height : int, optional
        Pixels.

    Returns
    -------
    plotly.graph_objects.Figure
        A click gives ``customdata``: the row's position and its node, or -1 and the region's node.
    """
    if tree.is_number and y is None:
        return staircase_figure(tree, x, node=node, selected=selected, given=given, mode=mode, height=height)
    regions = decision_regions(tree, x, y, given=given)
    within = target_range(tree) if tree.is_number else None
    traces = region_traces(regions, mode, within)
    traces.append(_click_marks(regions, tree))
    bands = band(tree, regions.x), band(tree, regions.y)
    traces += band_traces(tree, regions, bands, mode, within)
    if rows:
        traces += row_traces(
            tree.table,
            regions.x if bands[0] is None else bands[0].placed,
            regions.y if bands[1] is None else bands[1].placed,
            mode,
            leaves=tree.leaf_of_training_row(),
            lit=_lit(tree, node),
            selected=selected,
            parts=_parts(tree, node),
        )
    if node is not None:
        traces.append(_node_outline(outline_sides(tree, node, regions, bands), mode))
    keys: list[Trace] = []
    if within is None:
        counts = np.bincount(tree.table.target_values, minlength=tree.table.n_classes).tolist()
        keys = class_keys(tree.table.target.classes, counts, mode)
    axes = [axis_layout(axis, mode) for axis in (regions.x, regions.y) if axis is not None]
    axes = [stretched(axis, found) for axis, found in zip(axes, bands, strict=False)]
    axes[0] = shortened(axes[0])
    layout: dict[str, Any] = {"xaxis": axes[0], "yaxis": axes[1] if y is not None else _STRIP}
    if fits_across(axes[0]):
        axes[0]["tickangle"] = 0
        layout["margin"] = steady_margin(axes, keys=[key["name"] for key in keys])
    notes = _answers(regions, tree, mode, 230 * room(bands[0]))
    above = 0
    if within is not None:
        layout["shapes"], words = colour_bar(within, tree.table.target.name, mode)
        notes, above = notes + words, BAR_ROOM
    elif is_close(keys):
        note, above = close_keys(tree.table.target.classes, named_classes(counts), mode)
        notes, keys = [*notes, note], []
    if above:
        layout["margin"] = {"l": 8, "r": 10, "b": 8, **layout.get("margin", {}), "t": above}
    return make_figure(
        [*traces, *keys],
        mode,
        height=height or (220 if y is None else 380),
        keep=f"{x}|{y}",
        annotations=notes,
        **layout,
    )


def regions_text(
    tree: Tree,
    x: str,
    y: str | None = None,
    *,
    node: int | None = None,
    given: Mapping[str, str | float] | None = None,
) -> str:
    """The picture in words: how many regions, each class's share of the area, the current node's rows."""
    if tree.is_number and y is None:
        return staircase_text(tree, x, node=node, given=given)
    regions = decision_regions(tree, x, y, given=given)
    shown = x if y is None else f"{x} and {y}"
    words = [f"Decision regions over {shown}: {len(regions)} of them; {_coverage(regions, tree)}."]
    if not regions.exact:
        others = ", ".join(regions.hidden[:5]) + (" and others" if len(regions.hidden) > 5 else "")
        words.append(
            f"The tree also tests {others}: where it does, the colour is the mean answer over the training rows."
        )
    if tree.table.n_rows > MOST_MARKS:
        words.append("Not every row has a mark of its own.")
    lacking = [axis for axis in (regions.x, regions.y) if band(tree, axis) is not None]
    if lacking:
        names = " or ".join(axis.name for axis in lacking if axis is not None)
        words.append(f"Rows without {names} stand in a band beside the axis.")
    if node is not None and (parts := _parts(tree, node)) is not None and (parts < 1).any():
        words.append("A row of which only a part is here is a ring, filled in proportion.")
    if node is not None:
        words.append(f"Outlined: the current node with {phrases.rows(float(tree.nodes.size[node]))}.")
    return " ".join(words)


def _coverage(regions: Regions, tree: Tree) -> str:
    """Each class's share of the area, or the least and the greatest mean."""
    if tree.is_number:
        write = units(tree)
        low, high = float(regions.prediction.min()), float(regions.prediction.max())
        return f"answers from {write.value(low)} to {write.value(high)}"
    areas = np.bincount(regions.prediction, weights=regions.areas, minlength=tree.table.n_classes)
    order = [code for code in np.argsort(-areas, kind="stable").tolist() if areas[code] > 0][:5]
    shares = ", ".join(f"{tree.table.target.classes[code]} {percent(float(areas[code]))}" for code in order)
    return f"share of the area: {shares}"


def _lit(tree: Tree, node: int | None) -> BoolArray | None:
    if node is None:
        return None
    lit = np.zeros(tree.table.n_rows, dtype=bool)
    lit[tree.rows(node)] = True
    return lit


def _parts(tree: Tree, node: int | None) -> FloatArray | None:
    """How much of each row is at the node; None where rows are whole."""
    fractions = None if node is None else tree.fractions(node)
    if node is None or fractions is None:
        return None
    parts = np.ones(tree.table.n_rows)
    parts[tree.rows(node)] = fractions
    return parts


def _node_outline(sides: FloatArray, mode: Mode) -> Trace:
    xs, ys = outlines(sides)
    return {
        "type": "scatter",
        "mode": "lines",
        "x": xs,
        "y": ys,
        "line": {"color": PALETTES[mode].accent, "width": 3.5},
        "cliponaxis": False,
        "hoverinfo": "skip",
        "showlegend": False,
        "name": "current node",
    }


def _answers(regions: Regions, tree: Tree, mode: Mode, pixels: float) -> list[dict[str, Any]]:
    """The answer in the corner of each region that has room for it on a phone, where all are so many pixels wide."""
    width = (regions.x1 / 2 - regions.x0 / 2) / (regions.x.high / 2 - regions.x.low / 2)
    height = regions.areas / np.maximum(width, 1e-12)
    notes = []
    for piece in np.flatnonzero((height > 0.16) & (width > 0.16)).tolist():
        text = next((t for t in _answer(regions, piece, tree) if len(t) * 8 < width[piece] * pixels), None)
        if text is not None:
            notes.append(
                {
                    "x": float(regions.x0[piece]),
                    "y": float(regions.y1[piece]),
                    "text": label(text, 40),
                    "xanchor": "left",
                    "yanchor": "top",
                    "xshift": 3,
                    "yshift": -3,
                    "borderpad": 1,
                    "showarrow": False,
                    "font": {"size": 14},
                    "bgcolor": see_through(PALETTES[mode].background, 0.55),
                }
            )
    return notes


def _answer(regions: Regions, piece: int, tree: Tree) -> list[str]:
    """The mean, or the predicted class with its share where the region is not pure; first the longer way to say it."""
    if tree.is_number:
        return [units(tree).value(float(regions.prediction[piece]))]
    code = int(regions.prediction[piece])
    share = float(regions.probabilities[piece, code])
    name = tree.table.target.classes[code]
    return [name] if share > 1 - 1e-9 else [f"{name} {percent(share)}", name]


def _click_marks(regions: Regions, tree: Tree) -> Trace:
    """Invisible marks on an even grid, and in the middle of regions that it misses; each knows its node."""
    n_x, n_y = CLICKS if regions.y is not None else (CLICKS[0], 5)
    x, y, piece = grid_index(regions, n_x, n_y)
    own = np.setdiff1d(np.arange(len(regions)), piece)[:MOST_CENTRES]
    pieces = np.concatenate([own, piece.ravel()])
    xs = np.concatenate([regions.x0[own] / 2 + regions.x1[own] / 2, np.tile(x, n_y)])
    ys = np.concatenate([regions.y0[own] / 2 + regions.y1[own] / 2, np.repeat(y, n_x)])
    node = regions.node[pieces]
    words = {n: _node_words(tree, n) for n in np.unique(node).tolist()}
    return {
        **unseen_marks(),
        "x": compact(xs),
        "y": compact(ys),
        "customdata": small_integers(np.stack([np.full(len(node), -1), node], axis=1)),
        # Markup stands in the template alone: it weighs six bytes a sign on the way.
        "text": [words[n][0] for n in node.tolist()],
        "hovertext": [words[n][1] for n in node.tolist()],
        "hovertemplate": "<b>%{text}</b><br>%{hovertext}<extra></extra>",
        "name": "regions",
    }


def _node_words(tree: Tree, node: int) -> tuple[str, str]:
    """A region under the pointer: what its node says, and of how many rows."""
    if tree.is_number:
        return phrases.answer(tree, node), phrases.rows(float(tree.nodes.size[node]))
    counts = np.asarray(tree.nodes.counts[node])
    present = np.argsort(-counts, kind="stable")[:3].tolist()
    parts = [f"{weight(counts[code])} {label(tree.table.target.classes[code], 16)}" for code in present if counts[code]]
    rest = np.count_nonzero(counts) - len(parts)
    return label(str(tree.label(node))), (", ".join(parts) or "no rows") + (" …" if rest > 0 else "")
