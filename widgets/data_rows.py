"""The rows of the table, to be read, changed, added, deleted and reset."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from engine import EngineError, FeatureKind, Table
from widgets import state
from widgets.data_edits import WINDOW, noisy_example, put_back, window_of, with_row
from widgets.guard import complain, guarded
from widgets.session import Editing
from widgets.state import Key

_HEIGHT = 420
_NUMBER_OR_MISSING = r"^\s*([-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?|NA|N/A|NaN|nan|null|\?)?\s*$"


def rows() -> None:
    """The rows as an editor, with what changes all of them above it."""
    start = _controls()
    with st.container(key=Key.TABLE):
        _editor(start)
    st.caption("Click a cell to change it; the last line adds a row; tick rows to delete them.")


def _controls() -> int:
    """What is shown and what changes all rows; the first row that is shown, from 0."""
    now = state.data()
    example = noisy_example(now.name, now.frame) if not now.uploaded else None
    with st.container(horizontal=True, vertical_alignment="center"):
        start = _first_row(len(now.frame))
        if example is not None:
            st.button(
                "Add the noisy example",
                help="sunny, hot, normal, strong: no. A row that contradicts the rule of the fourteen.",
                on_click=_take,
                args=(with_row(now.frame, example),),
            )
        st.button("Reset", help="Bring the original rows back.", disabled=not now.edited, on_click=state.reset_frame)
    return start


def _first_row(n_rows: int) -> int:
    """The first row that is shown; a long table is shown a window at a time."""
    if n_rows <= WINDOW:
        return 0
    starts = list(range(0, n_rows, WINDOW))
    if st.session_state.get(Key.FIRST_ROW) not in starts:
        st.session_state[Key.FIRST_ROW] = 0
    chosen = st.selectbox(
        "Rows shown",
        starts,
        key=Key.FIRST_ROW,
        format_func=lambda start: f"Rows {start + 1:,} to {min(start + WINDOW, n_rows):,} of {n_rows:,}",
        label_visibility="collapsed",
        width=300,
    )
    return int(chosen)


def _editor(start: int) -> None:
    editing = _current(start)
    shown = window_of(editing.base, start)
    key = _editor_key(editing)
    edited = st.data_editor(
        shown.set_axis([f"c{i}" for i in range(shown.shape[1])], axis=1),
        key=key,
        num_rows="dynamic",
        column_config=_column_config(shown, state.table()),
        height=_HEIGHT if len(shown) > 10 else "auto",
        placeholder="",
        alt="Rows of the table, editable",
    )
    pending = any(st.session_state[key].values())
    if pending or editing.result is not editing.base:
        _take_edits(editing, put_back(editing.base, edited, start, len(shown)))


def _take_edits(editing: Editing, frame: pd.DataFrame) -> None:
    """Make the edited rows the current ones; where they make no table, they wait in the editor."""
    if frame.equals(editing.result):
        return
    try:
        state.set_frame(frame)
    except EngineError as error:
        complain(error)
        st.caption("The rows as they were before stay in use until this is mended.")
        return
    state.keep_editing(Editing(editing.base, editing.start, state.data().frame, editing.generation))
    st.rerun()


def _current(start: int) -> Editing:
    """What the editor shows: as before, unless the rows were changed elsewhere or it was away."""
    frame, editing = state.data().frame, state.editing()
    if editing is not None and editing.start == start and editing.result is frame and _is_alive(editing):
        return editing
    generation = 0 if editing is None else editing.generation + 1
    anew = Editing(frame, start, frame, generation)
    state.keep_editing(anew)
    return anew


def _is_alive(editing: Editing) -> bool:
    """Whether the browser still holds the edits that lead from base to result."""
    return editing.result is editing.base or _editor_key(editing) in st.session_state


def _editor_key(editing: Editing) -> str:
    """A new one for each new beginning, so that the browser forgets edits that are done with."""
    return f"{Key.TABLE}_{editing.generation}"


def _column_config(shown: pd.DataFrame, table: Table) -> dict[str, Any]:
    """Headings say what a column is for; a numeric feature takes numbers and missing values only."""
    numeric = {feature.name for feature in table.features if feature.kind is FeatureKind.NUMERIC}
    ignored = state.data().ignore
    config: dict[str, Any] = {}
    for i, name in enumerate(shown.columns):
        role = " · target" if name == table.target.name else " · ignored" if name in ignored else ""
        config[f"c{i}"] = st.column_config.TextColumn(
            f"{name}{role}", validate=_NUMBER_OR_MISSING if name in numeric else None, default=""
        )
    return config


def _take(frame: pd.DataFrame) -> None:
    with guarded():
        state.set_frame(frame)
