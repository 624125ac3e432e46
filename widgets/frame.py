"""The frame around a page, also for a visitor whose first address is that of the page."""

from __future__ import annotations

import runpy

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import get_script_run_ctx


def within_app() -> None:
    """Run the whole app where Streamlit has started a page without it.

    A fresh server takes the folder `pages/` for the older convention, in which each file is an app of its
    own, until `st.navigation` has been called once. Without this the first visitor of `/data` would see
    the page without its frame.
    """
    context = get_script_run_ctx()
    if context is not None and PagesManager.uses_pages_directory:
        runpy.run_path(context.main_script_path, run_name="__main__")
        st.stop()
