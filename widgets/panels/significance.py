"""The chi-square test of the candidate that is looked at: counts observed and expected, statistic, p value."""

from __future__ import annotations

import streamlit as st

from drawing import significance as words
from drawing import wording
from engine import Candidate
from widgets.escape import plain
from widgets.panels.here import Here
from widgets.panels.html import show_table
from widgets.panels.sums import show_sums
from widgets.state import Key

MOST_CLASSES = 6
MOST_BRANCHES = 30


def significance(here: Here, candidate: Candidate) -> None:
    """Draw the panel: open where growth asks for significance, else when it is wanted."""
    growth = here.growth
    if growth.rules.is_number:
        return
    level = growth.rules.significance
    key = f"{Key.SIGNIFICANCE}_{'asked' if level is not None else 'free'}"
    opened = st.expander("Chi-square test", expanded=level is not None, key=key, on_change="rerun")
    if not opened.open:
        return
    test = growth.significance(here.node, candidate)
    with opened:
        _table(here, candidate)
        show_sums(words.worked(growth, here.node, candidate), "significance")
        st.markdown(plain(words.verdict(test, level)))


def _table(here: Here, candidate: Candidate) -> None:
    """Observed counts, the expected ones in brackets; of many classes the first."""
    classes = here.growth.table.target.classes
    shown = classes[:MOST_CLASSES]
    cells = words.cells(here.growth, here.node, candidate)
    rows = [
        [wording.branch(part.condition), *(f"{seen} ({expected})" for seen, expected in line[: len(shown)])]
        for part, line in zip(candidate.partitions, cells, strict=True)
    ][:MOST_BRANCHES]
    heads = ["observed (expected)", *(wording.plain(name, 14) for name in shown)]
    show_table(heads, rows, numbers=range(1, len(heads)), caption="Rows of each class in each branch")
    if len(shown) < len(classes) or len(rows) < len(cells):
        st.caption(f"The first {len(shown)} of {len(classes)} classes, {len(rows)} of {len(cells)} branches.")
