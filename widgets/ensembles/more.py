"""Panels of the Ensembles page that are opened when wanted; a closed one costs nothing."""

from __future__ import annotations

import numpy as np
import streamlit as st

from drawing.ensembles import rough
from drawing.phrases import plain as named
from drawing.theme import number, percent
from engine.ensembles import ensemble_importance, follow
from engine.frames import frame_of
from widgets.chart import chart
from widgets.ensembles import building
from widgets.ensembles import state as page
from widgets.ensembles.here import Here
from widgets.ensembles.keys import Own
from widgets.escape import plain
from widgets.panels.html import show_table

MOST_SAYS = 100


def more(here: Here) -> None:
    """The tabs."""
    names = (
        ["One row followed", "Importance"] if here.words.is_number else ["One row followed", "Margins", "Importance"]
    )
    tabs = dict(zip(names, st.tabs(names, key=Own.MORE, on_change="rerun"), strict=True))
    if tabs["One row followed"].open:
        with tabs["One row followed"]:
            followed(here)
    if "Margins" in tabs and tabs["Margins"].open:
        with tabs["Margins"]:
            margins(here)
    if tabs["Importance"].open:
        with tabs["Importance"]:
            importance(here)


def followed(here: Here) -> None:
    """What each member says of one row, and where that leaves the ensemble."""
    ensemble, table = here.ensemble, here.ensemble.table
    st.session_state[Own.FOLLOWED] = min(page.maker().followed, table.n_rows - 1) + 1
    st.number_input("Row", 1, table.n_rows, step=1, key=Own.FOLLOWED, on_change=_take_row)
    row = min(page.maker().followed, table.n_rows - 1)
    truth = table.target_value(row)
    lines = []
    for say in follow(ensemble, frame_of(table.take(np.array([row]), recount=False)))[:MOST_SAYS]:
        shares = max(say.shares.values(), default=None)
        lines.append(
            [
                str(say.member + 1),
                _said(say.own.prediction),
                number(say.weight),
                _said(say.answer) + ("" if shares is None else f" ({percent(shares)})"),
            ]
        )
    show_table(
        ["member", "says", "counts", "ensemble so far"],
        lines,
        numbers=(0, 2),
        strong=[here.step - 1] if 0 < here.step <= len(lines) else [],
        caption="One row followed through the members",
    )
    more_of = f" The first {MOST_SAYS} of {len(ensemble.members)} members." if len(ensemble.members) > MOST_SAYS else ""
    st.caption(plain(f"In truth: {_said(truth)}.{more_of}"))


def _take_row() -> None:
    page.look(followed=int(st.session_state[Own.FOLLOWED] or 1) - 1)


def _said(answer: str | float) -> str:
    return named(answer) if isinstance(answer, str) else rough(float(answer))


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
