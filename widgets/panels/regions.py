"""Decision regions of the tree at this step over two features, with the rows; a click selects a node."""

from __future__ import annotations

import numpy as np
import streamlit as st

from drawing import wording
from drawing.figures import Click
from engine import Growth
from widgets import cached, state
from widgets.chart import chart
from widgets.guard import guarded
from widgets.panels.here import Here
from widgets.panels.rows import node_of
from widgets.state import Key

_ONE = "(one feature only)"


def regions(here: Here) -> None:
    """Draw the panel."""
    st.markdown("##### Regions")
    names = [f.name for f in here.growth.table.features]
    # The features that are tested first would give a guess away.
    first, second = (names[0], next(iter(names[1:]), None)) if state.session().guess_first else axes(here.growth)
    x, y = _axes(names, first, second)
    with guarded():
        picture, words = cached.regions(here.data, here.growth, here.step, here.node, x, y, here.mode)
        chart(picture, key=Key.REGION_PLOT, alt=words, on_click=lambda click: _clicked(here, click))


def axes(growth: Growth) -> tuple[str, str | None]:
    """The two features that the tree tests first; a tree of one test takes the next column beside it."""
    names = [f.name for f in growth.table.features]
    tested = growth.tree.nodes.feature
    order = dict.fromkeys(int(f) for f in tested[np.argsort(growth.tree.nodes.depth, kind="stable")] if f >= 0)
    found = [*order, *(i for i in range(len(names)) if i not in order)][:2]
    return names[found[0]], names[found[1]] if len(found) > 1 else None


def _axes(names: list[str], first: str, second: str | None) -> tuple[str, str | None]:
    """The two pickers; what the link asks for comes first, what does not exist is passed over."""
    now = state.session()
    x = now.x if now.x in names else first
    y = now.y if now.y in (*names, "") else (second or "")
    if x == y:
        y = next((n for n in (first, second, *names) if n is not None and n != x), "")
    left, right = st.columns(2)
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


def _clicked(here: Here, click: Click) -> None:
    """A clicked row or region selects the node that it belongs to."""
    if click.row is not None and click.row < here.growth.table.n_rows:
        state.select(node_of(here.growth, here.step, click.row))
    elif click.node is not None and click.node < here.growth.tree.n_nodes:
        state.select(click.node)
