"""The decision regions of both trees at this step, over the same two features."""

from __future__ import annotations

import streamlit as st

from drawing import wording
from drawing.comparison import LETTERS
from drawing.figures import Click
from engine.comparison import Side
from widgets import cached, state
from widgets.chart import chart
from widgets.compare import state as sides
from widgets.compare.screen import Screen
from widgets.guard import guarded
from widgets.panels.regions import axes
from widgets.panels.rows import node_of
from widgets.state import Key

HEIGHT = 320
_ONE = "(one feature only)"


def side_regions(screen: Screen) -> None:
    """Draw the panel."""
    st.markdown("##### Regions")
    x, y = _axes(screen)
    for side, column in zip(Side, st.columns(2, gap="medium"), strict=True):
        with column:
            st.markdown(f"**{LETTERS[side]}**")
            _map(screen, side, x, y)


def _map(screen: Screen, side: Side, x: str, y: str | None) -> None:
    growth = screen.growth(side)
    names = [feature.name for feature in growth.table.features]
    if x not in names or (y is not None and y not in names):
        # The second side may have other features.
        x, y = axes(growth)

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


def _axes(screen: Screen) -> tuple[str, str | None]:
    """The two pickers; what the link asks for comes first, what does not exist is passed over."""
    growth, now = screen.both.first, state.session()
    names = [feature.name for feature in growth.table.features]
    first, second = axes(growth)
    x = now.x if now.x in names else first
    y = now.y if now.y in (*names, "") else (second or "")
    if x == y:
        y = next((n for n in (first, second, *names) if n is not None and n != x), "")
    left, right, _ = st.columns([3, 3, 4])
    st.session_state[Key.X_AXIS], st.session_state[Key.Y_AXIS] = x, y
    left.selectbox(
        "Across",
        names,
        key=Key.X_AXIS,
        format_func=wording.plain,
        label_visibility="collapsed",
        on_change=_take,
        args=("x", Key.X_AXIS),
    )
    right.selectbox(
        "Up",
        ["", *(n for n in names if n != x)],
        key=Key.Y_AXIS,
        format_func=lambda name: wording.plain(name) if name else _ONE,
        label_visibility="collapsed",
        on_change=_take,
        args=("y", Key.Y_AXIS),
    )
    return x, y or None


def _take(axis: str, key: Key) -> None:
    state.change_view(**{axis: st.session_state[key]})
    state.write_link()
