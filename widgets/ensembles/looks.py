"""The looks of the Ensembles page: the stage leaves room for the wall below it."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

_STYLE = f"<style>{Path(__file__).with_name('ensembles.css').read_text(encoding='utf-8')}</style>"


def style() -> None:
    """Put them on the page, once."""
    st.html(_STYLE)
