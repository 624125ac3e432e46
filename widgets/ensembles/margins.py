"""Margins: how sure the ensemble is of the true class of each row."""

from __future__ import annotations

import streamlit as st

from widgets.chart import chart
from widgets.ensembles import building
from widgets.ensembles.here import Here
from widgets.ensembles.keys import Own


def margins(here: Here) -> None:
    """The tab."""
    picture, words = building.margins(here.built, here.mode)
    st.caption("The share of the true class less the greatest share of another: at or below 0 the row is wrong.")
    chart(picture, key=Own.MARGINS_PLOT, alt=words)
    st.caption(words)
