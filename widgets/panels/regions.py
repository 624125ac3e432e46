"""Decision regions of the tree at this step over two features, with the rows; a click selects a node."""

from __future__ import annotations

import numpy as np
import streamlit as st

from drawing import wording
from drawing.figures.base import CONFIG, clicked
from engine import Growth
from widgets import cached, state
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
    # A new key after each click, so that the chart does not keep the clicked point selected.
    plot_key = f"{Key.REGION_PLOT}_{state.session().pointed}"
    with guarded():
        figure, words = cached.regions(here.data, here.growth, here.step, here.node, x, y, here.mode)
        st.plotly_chart(
            figure,
            key=plot_key,
            on_select=lambda: _clicked(here, plot_key),
            selection_mode="points",
            config=CONFIG,
            theme=None,
            alt=words,
        )


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


def _clicked(here: Here, plot_key: str) -> None:
    """A clicked row or region selects the node that it belongs to."""
    points = st.session_state[plot_key]["selection"]["points"]
    if not points:
        return
    click = clicked(points[0])
    node = node_of(here.growth, here.step, click.row) if click.row is not None else click.node
    if node is not None:
        state.select(node)
