"""Overfitting by depth: the full tree at every depth, its errors, and how few rows its leaves come to have."""

from __future__ import annotations

import streamlit as st

from drawing.figures import Click
from drawing.figures.pruning_depth import depth_figure, depth_text, error_words, share_words
from engine.pruning.depths import DepthPoint
from engine.splits import SplitKind
from widgets.chart import chart
from widgets.escape import plain
from widgets.guard import guarded
from widgets.panels.html import show_table
from widgets.prune import building
from widgets.prune.here import Here
from widgets.prune.keys import Own

MOST_LINES = 30


def depth(here: Here) -> None:
    """The slider, the curve, what the leaves share, and every depth as a line."""
    tree = here.pruning.full
    if tree.n_leaves == 1:
        st.caption("The tree is a single leaf: it has one depth.")
        return
    names = building.measured_on(here.built, here.revealed)
    if not names:
        st.caption("There are no rows to measure an error on.")
        return
    with guarded():
        points = building.depths(here.built, here.revealed)
        last = len(points) - 1
        if not 0 <= st.session_state.get(Own.DEPTH, -1) <= last:
            st.session_state[Own.DEPTH] = last
        at = int(st.slider("Depth", 0, last, step=1, key=Own.DEPTH))
        picture, numbers = st.columns([11, 9], gap="medium")
        with picture:
            figure = depth_figure(tree, points, names, at, mode=here.mode)
            chart(figure, key=Own.DEPTH_PLOT, alt=depth_text(tree, points, names, at), on_click=_clicked)
        with numbers:
            if points[-1].mean_rows:
                st.markdown(plain(share_words(points[at])))
            _lines(here, points, names, at)
        if points[-1].mean_rows:
            st.caption(_doubling(here))


def _lines(here: Here, points: tuple[DepthPoint, ...], names: list[str], at: int) -> None:
    tree, counted = here.pruning.full, bool(points[-1].mean_rows)
    lines = [
        [
            str(point.depth),
            str(point.n_leaves),
            *([f"{point.mean_rows:.1f}"] if counted else []),
            *(error_words(tree, value) for value in point.errors),
        ]
        for point in points[:MOST_LINES]
    ]
    heads = ["depth", "leaves", *(["rows a leaf"] if counted else []), *names]
    strong = [at] if at < MOST_LINES else []
    show_table(heads, lines, numbers=range(len(heads)), strong=strong, caption="The tree at every depth")


def _doubling(here: Here) -> str:
    """Why leaves run out of rows."""
    splits = (here.pruning.full.split(node) for node in range(len(here.pruning.full.nodes)))
    several = any(split is not None and split.kind is SplitKind.MULTIWAY for split in splits)
    more = " A split with a branch a level shares them out even faster." if several else ""
    return (
        "A level of yes-or-no questions can double the leaves, which share the same rows: to keep as many in each, "
        f"every further level needs twice the data.{more} What few rows say may be chance, and the tree fits it."
    )


def _clicked(click: Click) -> None:
    if click.row is not None:
        st.session_state[Own.DEPTH] = click.row
