"""The two features along the axes of the regions; what the link asks for comes first."""

from __future__ import annotations

import numpy as np
import streamlit as st

from drawing import wording
from engine import Tree
from widgets import state
from widgets.state import Key

_ONE = "(one feature only)"


def axes(tree: Tree) -> tuple[str, str | None]:
    """Draw the two pickers; what does not exist is passed over."""
    names = [feature.name for feature in tree.table.features]
    first, second = _tested_first(tree, names)
    now = state.session()
    x = now.x if now.x in names else first
    y = now.y if now.y in (*names, "") else (second or "")
    if x == y:
        y = next((n for n in (first, second, *names) if n is not None and n != x), "")
    left, right = st.columns(2)
    st.session_state[Key.X_AXIS], st.session_state[Key.Y_AXIS] = x, y
    for column, label, axis, key, options in (
        (left, "Across", "x", Key.X_AXIS, names),
        (right, "Up", "y", Key.Y_AXIS, ["", *(n for n in names if n != x)]),
    ):
        column.selectbox(
            label,
            options,
            key=key,
            format_func=lambda name: wording.plain(name) if name else _ONE,
            label_visibility="collapsed",
            on_change=_take,
            args=(axis, key),
        )
    return x, y or None


def _tested_first(tree: Tree, names: list[str]) -> tuple[str, str | None]:
    tested = tree.nodes.feature[np.argsort(tree.nodes.depth, kind="stable")]
    order = [*dict.fromkeys(int(f) for f in tested if f >= 0)]
    order += [place for place in range(len(names)) if place not in order]
    return names[order[0]], names[order[1]] if len(order) > 1 else None


def _take(axis: str, key: Key) -> None:
    state.change_view(**{axis: st.session_state[key]})
    state.write_link()
