"""Panels of the Ensembles page that are opened when wanted; a closed one costs nothing."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from widgets.ensembles.contest import compared
from widgets.ensembles.followed import followed
from widgets.ensembles.here import Here
from widgets.ensembles.importance import importance
from widgets.ensembles.keys import Own
from widgets.ensembles.margins import margins
from widgets.ensembles.variance import variance


def more(here: Here) -> None:
    """The tabs; a module each."""
    panels: dict[str, Callable[[Here], None]] = {
        "One row followed": followed,
        "Bagging or boosting?": compared,
        "Variance": variance,
        "Importance": importance,
    }
    if not here.words.is_number:
        panels["Margins"] = margins
    for tab, draw in zip(st.tabs(list(panels), key=Own.MORE, on_change="rerun"), panels.values(), strict=True):
        if tab.open:
            with tab:
                draw(here)
