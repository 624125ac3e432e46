"""The two features along the axes of regions: what the link asks for comes first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st

from drawing import wording
from engine import Tree
from widgets import state
from widgets.state import Key

_ONE = "(one feature only)"


def first_tested(tree: Tree) -> tuple[str, str | None]:
    """The two features that the tree tests first; where it tests fewer, the first columns beside them."""
    names = [feature.name for feature in tree.table.features]
    tested = tree.nodes.feature[np.argsort(tree.nodes.depth, kind="stable")]
    order = dict.fromkeys(int(feature) for feature in tested if feature >= 0)
    found = [*order, *(place for place in range(len(names)) if place not in order)][:2]
    return names[found[0]], names[found[1]] if len(found) > 1 else None


def axes_of(names: Sequence[str], first: str, second: str | None) -> tuple[str, str | None]:
    """The features of the link, else `first` and `second`; what does not exist is passed over."""
    now = state.session()
    x = now.x if now.x is not None and now.x in names else first
    y = now.y if now.y in (*names, "") else (second or "")
    if x == y:
        y = next((name for name in (first, second, *names) if name is not None and name != x), "")
    return x, y or None


def pick_axes(
    names: Sequence[str], first: str, second: str | None, columns: Sequence[Any] = ()
) -> tuple[str, str | None]:
    """Draw the two pickers, in `columns` of their own or in those given."""
    x, y = axes_of(names, first, second)
    st.session_state[Key.X_AXIS], st.session_state[Key.Y_AXIS] = x, y or ""
    left, right = columns or st.columns(2)
    others = ["", *(name for name in names if name != x)]
    for column, label, axis, key, options in (
        (left, "Across", "x", Key.X_AXIS, names),
        (right, "Up", "y", Key.Y_AXIS, others),
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
    return x, y


def _take(axis: str, key: Key) -> None:
    state.change_view(**{axis: st.session_state[key]})
    state.write_link()
