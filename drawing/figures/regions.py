"""Decision regions of a tree at a step, with its rows: two features, or one as a strip."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from drawing.figures.base import Trace, axis_layout, class_keys, compact, label, make_figure
from drawing.figures.rectangles import grid_index, outlines, region_traces
from drawing.figures.rows import row_traces
from drawing.theme import PALETTES, Mode, percent, quantity
from engine.regions import Regions, decision_regions, node_region
from engine.table import BoolArray
from engine.tree import Tree

CLICKS = (18, 10)
"""A grid of invisible marks makes a region's inside clickable."""
MOST_CENTRES = 300
"""Regions that have a mark of their own at the centre, however small they are."""


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
    regions = decision_regions(tree, x, y, given=given)
    traces = region_traces(regions, mode)
    traces += [_region_labels(regions, tree, mode)]
    traces.append(_click_marks(regions, tree))
    if rows:
        leaves = tree.leaf_of_training_row()
        traces += row_traces(
            tree.table, regions.x, regions.y, mode, leaves=leaves, lit=_lit(tree, node), selected=selected
        )
    if node is not None:
        traces.append(_node_outline(tree, node, x, y, mode))
    counts = np.bincount(tree.table.target_values, minlength=tree.table.n_classes)
    traces += class_keys(tree.table.target.classes, counts, mode)
    strip = {"visible": False, "range": [0, 1], "fixedrange": True}
    return make_figure(
        traces,
        mode,
        height=height or (220 if y is None else 380),
        keep=f"{x}|{y}",
        xaxis=axis_layout(regions.x, mode),
        yaxis=strip if regions.y is None else axis_layout(regions.y, mode),
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
    regions = decision_regions(tree, x, y, given=given)
    areas = np.bincount(regions.prediction, weights=regions.areas, minlength=tree.table.n_classes)
    order = [code for code in np.argsort(-areas, kind="stable").tolist() if areas[code] > 0][:5]
    shares = ", ".join(f"{tree.table.target.classes[code]} {percent(float(areas[code]))}" for code in order)
    shown = x if y is None else f"{x} and {y}"
    words = [f"Decision regions over {shown}: {len(regions)} of them; share of the area: {shares}."]
    if not regions.exact:
        others = ", ".join(regions.hidden[:5]) + (" and others" if len(regions.hidden) > 5 else "")
        words.append(
            f"The tree also tests {others}: where it does, the colour is the mean answer over the training rows."
        )
    if node is not None:
        n_rows = len(tree.rows(node))
        words.append(f"Outlined: the current node with {quantity(n_rows)} {'row' if n_rows == 1 else 'rows'}.")
    return " ".join(words)


def _lit(tree: Tree, node: int | None) -> BoolArray | None:
    if node is None:
        return None
    lit = np.zeros(tree.table.n_rows, dtype=bool)
    lit[tree.rows(node)] = True
    return lit


def _node_outline(tree: Tree, node: int, x: str, y: str | None, mode: Mode) -> Trace:
    xs, ys = outlines(node_region(tree, node, x, y).T)
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


def _region_labels(regions: Regions, tree: Tree, mode: Mode) -> Trace:
    """The answer in the corner of each region that has room for it on a phone."""
    width = (regions.x1 / 2 - regions.x0 / 2) / (regions.x.high / 2 - regions.x.low / 2)
    height = regions.areas / np.maximum(width, 1e-12)
    roomy = np.flatnonzero((height > 0.16) & (width > 0.16))
    names = [_answer(regions, piece, tree) for piece in roomy.tolist()]
    fits = [len(name) * 8 < share * 300 for name, share in zip(names, width[roomy].tolist(), strict=True)]
    placed = roomy[np.array(fits, dtype=bool)]
    bottom, top = (0.0, 1.0) if regions.y is None else (regions.y.low, regions.y.high)
    return {
        "type": "scatter",
        "mode": "text",
        # A little inside the corner: plotly sets text right on its point.
        "x": regions.x0[placed] + (regions.x.high * 0.008 - regions.x.low * 0.008),
        "y": regions.y1[placed] - (top * 0.02 - bottom * 0.02),
        "text": [label(name, 40) for name, fit in zip(names, fits, strict=True) if fit],
        "textposition": "bottom right",
        "textfont": {"size": 14, "color": PALETTES[mode].ink},
        "hoverinfo": "skip",
        "showlegend": False,
        "name": "answers",
    }


def _answer(regions: Regions, piece: int, tree: Tree) -> str:
    """The predicted class, with its share where the region is not pure."""
    code = int(regions.prediction[piece])
    share = float(regions.probabilities[piece, code])
    name = tree.table.target.classes[code]
    return name if share > 1 - 1e-9 else f"{name} {percent(share)}"


def _click_marks(regions: Regions, tree: Tree) -> Trace:
    """Invisible marks on an even grid and at every region's centre; each knows the region's node."""
    n_x, n_y = CLICKS if regions.y is not None else (CLICKS[0], 5)
    x, y, piece = grid_index(regions, n_x, n_y)
    own = np.arange(len(regions)) if len(regions) <= MOST_CENTRES else np.empty(0, dtype=np.int64)
    pieces = np.concatenate([own, piece.ravel()])
    xs = np.concatenate([regions.x0[own] / 2 + regions.x1[own] / 2, np.tile(x, n_y)])
    ys = np.concatenate([regions.y0[own] / 2 + regions.y1[own] / 2, np.repeat(y, n_x)])
    node = regions.node[pieces]
    words = {n: _node_words(tree, n) for n in np.unique(node).tolist()}
    return {
        "type": "scatter",
        "mode": "markers",
        "x": compact(xs),
        "y": compact(ys),
        "marker": {"size": 14, "opacity": 0},
        "customdata": np.stack([np.full(len(node), -1), node], axis=1).astype(np.int32),
        "text": [words[n] for n in node.tolist()],
        "hovertemplate": "%{text}<extra></extra>",
        "showlegend": False,
        "name": "regions",
    }


def _node_words(tree: Tree, node: int) -> str:
    """A region under the pointer: what its node says, and of how many rows."""
    counts = np.asarray(tree.nodes.counts[node])
    present = np.argsort(-counts, kind="stable")[:3].tolist()
    parts = [
        f"{quantity(counts[code])} {label(tree.table.target.classes[code], 16)}" for code in present if counts[code]
    ]
    rest = np.count_nonzero(counts) - len(parts)
    return f"<b>{label(str(tree.label(node)))}</b><br>" + (", ".join(parts) or "no rows") + (" …" if rest > 0 else "")
