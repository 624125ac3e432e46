"""The rows that the two trees answer differently at this step."""

from __future__ import annotations

import streamlit as st

from drawing import wording
from drawing.theme import quantity
from engine.comparison_summary import Apart, answered_apart
from widgets.compare import growing
from widgets.compare.screen import Screen
from widgets.escape import plain
from widgets.panels.html import show_table

MAX_ROWS = 12
MAX_COLUMNS = 8


def rows_apart(screen: Screen) -> None:
    """Draw the panel."""
    st.markdown("##### Rows answered differently")
    common = growing.in_common(screen.data, screen.both)
    if not screen.both.same_target:
        st.caption("The trees predict different targets: their answers cannot be compared.")
        return
    if not len(common.first):
        st.caption("The sides share no row.")
        return
    found = answered_apart(screen.both, screen.step.index, common)
    everyone = wording.rows(len(common.first))
    if not found:
        st.caption(plain(f"At this step both trees answer all {everyone} alike."))
        return
    st.caption(plain(f"At this step the trees answer {len(found)} of {everyone} differently."))
    _table(screen, found)


def _table(screen: Screen, found: list[Apart]) -> None:
    table = screen.both.first.source
    features = range(min(len(table.features), MAX_COLUMNS))
    shown = [
        [
            str(int(table.row_numbers[row.first]) + 1),
            *(_text(table.value(feature, row.first)) for feature in features),
            _text(table.target_value(row.first)),
            _text(row.answer),
            _text(row.answer_b),
        ]
        for row in found[:MAX_ROWS]
    ]
    names = [wording.plain(table.features[feature].name, 20) for feature in features]
    show_table(
        ["row", *names, wording.plain(table.target.name, 20), "A answers", "B answers"],
        shown,
        caption="Rows that the two trees answer differently",
    )
    if len(found) > MAX_ROWS:
        st.caption(f"The first {MAX_ROWS} of {len(found)}.")


def _text(value: str | float | None) -> str:
    if value is None:
        return "?"
    return wording.plain(value, 24) if isinstance(value, str) else quantity(value)
