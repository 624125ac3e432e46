"""A tree of the student's own: entered by hand, or loaded from a file."""

from __future__ import annotations

import json
from typing import Any

import streamlit as st

from engine import Table
from widgets import cached, state
from widgets.prune import state as page
from widgets.prune.keys import Own

MAX_MEGABYTES = 5


def given() -> None:
    """The tree as JSON, a file to load it from, and whether the training rows are counted in it."""
    now = page.pruner()
    st.session_state[Own.TREE_TEXT] = now.text or example(cached.table(state.data()))
    st.text_area(
        "The tree as JSON",
        key=Own.TREE_TEXT,
        height=180,
        help='A split: {"split": feature, "prediction": answer, "branches": {level: …}}; a number is asked for with '
        '"threshold" and the branches "<" and ">=". A leaf is its answer. A file that Take away gives is read, too.',
        on_change=lambda: page.change(text=st.session_state[Own.TREE_TEXT]),
    )
    if not now.text:
        st.button("Prune this tree", on_click=lambda: page.change(text=st.session_state[Own.TREE_TEXT]))
    st.file_uploader("or a file", type=["json"], key=Own.TREE_FILE, max_upload_size=MAX_MEGABYTES, on_change=_take_file)
    st.session_state[Own.COUNTED] = now.counted
    st.toggle(
        "Count the training rows in it",
        key=Own.COUNTED,
        help="On: the nodes count the training rows. Off: the counts are those of the file, and all rows validate.",
        on_change=lambda: page.change(counted=st.session_state[Own.COUNTED]),
    )


def example(table: Table) -> str:
    """A tree of one split over the table's first feature, to begin with."""
    first = table.features[0]
    classes = table.target.classes or ("0", "1")
    tree: dict[str, Any]
    answers = [classes[0], classes[-1]] if table.target.classes else [0, 1]
    if first.levels:
        branches = {level: answers[place % 2] for place, level in enumerate(first.levels)}
        tree = {"split": first.name, "prediction": answers[0], "branches": branches}
    else:
        middle = cached.spread(table, 0)[1]
        branches = {"<": answers[0], ">=": answers[1]}
        tree = {"split": first.name, "threshold": middle, "prediction": answers[0], "branches": branches}
    return json.dumps({"target": table.target.name, "tree": tree}, indent=1, ensure_ascii=False)


def _take_file() -> None:
    file = st.session_state[Own.TREE_FILE]
    if file is None:
        return
    try:
        text = file.getvalue().decode("utf-8-sig")
    except UnicodeDecodeError:
        state.note("The tree file is not text; save it as JSON in UTF-8.")
        return
    page.change(text=text)
