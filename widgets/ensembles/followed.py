"""One row followed through the members."""

from __future__ import annotations

import numpy as np
import streamlit as st

from drawing import phrases
from drawing.ensembles import rough
from drawing.theme import number, percent
from engine.ensembles import follow
from engine.frames import frame_of
from widgets.ensembles import state as page
from widgets.ensembles.here import Here
from widgets.ensembles.keys import Own
from widgets.escape import plain
from widgets.panels.html import show_table

MOST_SAYS = 100


def followed(here: Here) -> None:
    """What each member says of one row, and where that leaves the ensemble."""
    ensemble, table = here.ensemble, here.ensemble.table
    st.session_state[Own.FOLLOWED] = min(page.maker().followed, table.n_rows - 1) + 1
    left, _ = st.columns([1, 3])
    left.number_input("Row", 1, table.n_rows, step=1, key=Own.FOLLOWED, on_change=_take_row)
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
    return phrases.plain(answer) if isinstance(answer, str) else rough(float(answer))
