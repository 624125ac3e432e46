"""Panels that are opened when wanted; a closed one costs nothing."""

from __future__ import annotations

import streamlit as st

from widgets.prune.here import Here
from widgets.prune.keys import Own


def more(here: Here) -> None:
    """The tabs below the stage."""
    st.tabs(["All methods"], key=Own.MORE)
