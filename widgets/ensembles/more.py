"""Panels of the Ensembles page that are opened when wanted; a closed one costs nothing."""

from __future__ import annotations

import streamlit as st

from drawing.phrases import plain as named
from drawing.theme import number
from engine.ensembles import ensemble_importance
from widgets.chart import chart
from widgets.ensembles import building
from widgets.ensembles.here import Here
from widgets.ensembles.keys import Own
from widgets.panels.html import show_table


def more(here: Here) -> None:
    """The tabs."""
    names = ["Importance"] if here.words.is_number else ["Margins", "Importance"]
    tabs = dict(zip(names, st.tabs(names, key=Own.MORE, on_change="rerun"), strict=True))
    if "Margins" in tabs and tabs["Margins"].open:
        with tabs["Margins"]:
            margins(here)
    if tabs["Importance"].open:
        with tabs["Importance"]:
            importance(here)


def margins(here: Here) -> None:
    """How sure the ensemble is of the true class of each row."""
    picture, words = building.margins(here.built, here.mode)
    st.caption("The share of the true class less the greatest share of another: at or below 0 the row is wrong.")
    chart(picture, key=Own.MARGINS_PLOT, alt=words)
    st.caption(words)


def importance(here: Here) -> None:
    """How much the members together owe to each feature."""
    ensemble = here.ensemble
    found = ensemble_importance(ensemble)
    order = (-found).argsort(kind="stable")[:20].tolist()
    show_table(
        ["feature", "share"],
        [[named(ensemble.table.features[f].name), number(float(found[f]))] for f in order],
        numbers=(1,),
        caption="Importance of the features",
    )
    st.caption("What the splits on a feature remove of the impurity, over all members, as a share of the whole.")
