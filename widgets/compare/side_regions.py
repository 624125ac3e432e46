"""The decision regions of both trees at this step, over the same two features."""

from __future__ import annotations

import streamlit as st

from drawing.comparison import LETTERS
from drawing.figures import Click
from engine.comparison import Side
from widgets import cached
from widgets.axes import first_tested, pick_axes
from widgets.chart import chart
from widgets.compare import state as sides
from widgets.compare.screen import Screen
from widgets.guard import guarded
from widgets.panels.rows import node_of
from widgets.state import Key

HEIGHT = 320


def side_regions(screen: Screen) -> None:
    """Draw the panel."""
    st.markdown("##### Regions")
    names = [feature.name for feature in screen.both.first.table.features]
    left, right, _ = st.columns([3, 3, 4])
    x, y = pick_axes(names, *first_tested(screen.both.first.tree), (left, right))
    for side, column in zip(Side, st.columns(2, gap="medium"), strict=True):
        with column:
            st.markdown(f"**{LETTERS[side]}**")
            _map(screen, side, x, y)


def _map(screen: Screen, side: Side, x: str, y: str | None) -> None:
    growth = screen.growth(side)
    names = [feature.name for feature in growth.table.features]
    if x not in names or (y is not None and y not in names):
        # The second side may have other features.
        x, y = first_tested(growth.tree)

    def _pointed(click: Click) -> None:
        """A clicked row or region selects the node that it belongs to."""
        if click.row is not None and click.row < growth.table.n_rows:
            sides.select(side, node_of(growth, screen.own_step(side), click.row))
        elif click.node is not None and click.node < growth.tree.n_nodes:
            sides.select(side, click.node)

    with guarded():
        picture, words = cached.regions(
            screen.data_of(side), growth, screen.own_step(side), screen.node(side), x, y, screen.mode
        )
        chart(
            picture, key=f"{Key.REGION_PLOT}_{side}", alt=f"{LETTERS[side]}: {words}", height=HEIGHT, on_click=_pointed
        )
