"""The Data page: choose or bring a table, look at it, change it, set rows aside."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from widgets import state
from widgets.data_columns import columns
from widgets.data_gallery import gallery, generator, quick_choice
from widgets.data_holdout import holdout
from widgets.data_overview import heading, overview
from widgets.data_pictures import pictures
from widgets.data_rows import rows
from widgets.data_upload import report, upload
from widgets.frame import within_app
from widgets.panels import html
from widgets.state import Key

_GROW = Path(__file__).with_name("grow.py")
_SECTIONS = {
    "Gallery": gallery,
    "Rows": rows,
    "Columns": columns,
    "Pictures": pictures,
    "Holdout": holdout,
}


def main() -> None:
    """The choice and the table at a glance above, the details a section at a time."""
    within_app()
    html.style()
    ready, own = st.columns([2, 3], gap="medium")
    with ready:
        quick_choice()
    with own:
        upload()
    report()
    generator()
    with st.container(border=True):
        _heading()
        overview()
    tabs = st.tabs(list(_SECTIONS), key=Key.SECTION, default="Rows", on_change="rerun")
    for tab, section in zip(tabs, _SECTIONS.values(), strict=True):
        if tab.open:
            with tab:
                section()


def _heading() -> None:
    """The table's name and size, and the way on."""
    with st.container(horizontal=True, vertical_alignment="center"):
        heading()
        st.page_link(_GROW, label="Grow a tree", icon=":material/arrow_forward:", query_params=state.query())


main()
