"""Number line: cut points that a student moves along one feature, and what they leave of the impurity."""

from __future__ import annotations

from typing import Any

import streamlit as st

import drawing.number_line
from drawing import wording
from drawing.theme import Mode
from engine import FeatureKind, Growth
from widgets.cached import Cached
from widgets.escape import plain
from widgets.numberline import number_line
from widgets.panels.here import Here
from widgets.session import CurrentData

MOST_CLASSES = 30
_TARGET = ""


def cut_points(here: Here) -> None:
    """Draw the panel."""
    growth = here.growth
    names = [f.name for f in growth.table.features if f.kind is FeatureKind.NUMERIC]
    options = [*names, _TARGET] if growth.rules.is_number else names
    if here.hidden:
        st.info("Guess first: choose a feature in the stage. Then the number line is shown.")
        return
    if not options:
        st.info("A number line needs a numeric feature, and this table has none.")
        return
    if growth.table.n_classes > MOST_CLASSES:
        st.info(f"A number line tells at most {MOST_CLASSES} classes apart.")
        return
    feature = _feature(here, options)
    if len(growth.tree.rows(here.node)) == 0:
        st.caption("No rows came to this node.")
        return
    st.caption(plain(f"{here.place}: {here.counts}"))
    data = _line(here.data, growth, here.node, feature or None, here.mode)
    number_line(data, key=f"numberline_{growth.table.fingerprint}")


def _feature(here: Here, options: list[str]) -> str:
    """What the rows are laid out along: the feature that the node is split on, where that is numeric."""
    growth, node = here.growth, here.node
    split = growth.tree.split(node)
    tested = growth.table.features[split.feature].name if split is not None and here.is_decided else None
    key = f"numberline_along_{growth.table.fingerprint}_{node}"
    target = wording.plain(growth.table.target.name)
    left, right = st.columns([2, 3], vertical_alignment="bottom")
    picked: str = left.selectbox(
        "Along",
        options,
        index=options.index(tested) if tested in options else 0,
        key=key,
        format_func=lambda name: wording.plain(name) if name != _TARGET else f"{target}, the target itself",
    )
    right.caption("Drag a cut, or move it with the arrow keys. Click the picture to add one; Delete takes it away.")
    return picked


def _content(_: CurrentData, growth: Growth, node: int, feature: str | None, mode: Mode) -> dict[str, Any]:
    return drawing.number_line.number_line(growth, node, feature, mode)


_line = Cached(_content, shared=64, own=8)
