"""Panels behind tabs: a closed one costs nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

import streamlit as st

H = TypeVar("H")
R = TypeVar("R")


def open_tab(panels: Mapping[str, Callable[[H], R]], here: H, *, key: str) -> R | None:
    """Draw the tabs, and the panel of the open one; what it returns."""
    found = None
    for tab, draw in zip(st.tabs(list(panels), key=key, on_change="rerun"), panels.values(), strict=True):
        if tab.open:
            with tab:
                found = draw(here)
    return found
