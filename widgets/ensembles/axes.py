"""The two features along the axes of the regions; what the link asks for comes first."""

from __future__ import annotations

import numpy as np
import streamlit as st

from drawing import wording
from engine.ensembles import Ensemble
from widgets import state
from widgets.state import Key

_ONE = "(one feature only)"


def axes_of(ensemble: Ensemble) -> tuple[str, str | None]:
    """The features along the axes, the second None for one alone; what does not exist is passed over."""
    names = [feature.name for feature in ensemble.table.features]
    first, second = _tested_most(ensemble, names)
    now = state.session()
    x = now.x if now.x in names else first
    y = now.y if now.y in (*names, "") else (second or "")
    if x == y:
        y = next((name for name in (first, second, *names) if name is not None and name != x), "")
    return x, y or None


def axes(ensemble: Ensemble) -> tuple[str, str | None]:
    """Draw the two pickers; none where there is one feature only."""
    names = [feature.name for feature in ensemble.table.features]
    x, second = axes_of(ensemble)
    if len(names) == 1:
        return x, None
    y = second or ""
    st.session_state[Key.X_AXIS], st.session_state[Key.Y_AXIS] = x, y
    for column, label, axis, key, options in zip(
        st.columns(2),
        ("Across", "Up"),
        ("x", "y"),
        (Key.X_AXIS, Key.Y_AXIS),
        (names, ["", *(name for name in names if name != x)]),
        strict=True,
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
    return x, second


def _tested_most(ensemble: Ensemble, names: list[str]) -> tuple[str, str | None]:
    """The features that the roots test most often, then the others."""
    counts = np.zeros(len(names))
    for member in ensemble.members:
        tested = member.model.nodes.feature
        counts += np.bincount(tested[tested >= 0], minlength=len(names)) / max(len(tested), 1)
    order = np.argsort(-counts, kind="stable").tolist()
    return names[order[0]], names[order[1]] if len(order) > 1 else None


def _take(axis: str, key: Key) -> None:
    state.change_view(**{axis: st.session_state[key]})
    state.write_link()
