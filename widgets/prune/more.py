"""Panels that are opened when wanted; a closed one costs nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from widgets.prune.agreement import agreement
from widgets.prune.depth import depth
from widgets.prune.early import early
from widgets.prune.here import Here
from widgets.prune.keys import Own
from widgets.prune.noise import noise
from widgets.state import Key
from widgets.tabs import open_tab

_GROW = Path(__file__).parents[2] / "pages" / "grow.py"


def more(here: Here) -> None:
    """The tabs below the stage."""
    panels: dict[str, Callable[[Here], None]] = {
        "All methods": agreement,
        "Pre-pruning": early,
        "Depth": depth,
        "Noise dampening": noise,
        "Rules": _rules,
    }
    open_tab(panels, here, key=Own.MORE)


def _rules(_: Here) -> None:
    st.markdown(
        "C4.5 also prunes the tree as rules: every path becomes a rule, and conditions are dropped from each while "
        "its estimated accuracy does not fall. A tree cannot drop a condition near its root without losing all below "
        "it; a rule can."
    )
    if st.button("See it step by step on the page Grow", icon=":material/arrow_forward:"):
        st.session_state[Key.MORE] = "Rules"
        st.switch_page(str(_GROW))
    st.caption("There the tree is grown from all rows of the same data, by the same settings.")
