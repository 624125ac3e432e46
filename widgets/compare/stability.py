"""Stability: how often each split of a side's tree survives where its rows are drawn anew."""

from __future__ import annotations

import streamlit as st

from drawing.comparison import LETTERS
from drawing.comparison_stability import stability_rows, stability_svg, stability_words
from engine.comparison import Side
from engine.comparison_stability import N_SAMPLES, stability
from widgets import state
from widgets.compare import growing
from widgets.compare.jobs import State, job, watch
from widgets.compare.keys import Own
from widgets.compare.screen import Trees
from widgets.escape import plain
from widgets.panels.html import show_table

MOST_LINES = 25
MOST_NODES = 120
"""Nodes that are drawn; below them a tree is told by its table alone."""


def stable(trees: Trees) -> None:
    """The side, the work with its progress, and what has come of it so far."""
    st.markdown(
        "The same settings grow another tree from other rows of the same kind. Rows are drawn with replacement, as "
        f"many as there are, {N_SAMPLES} times: a split that few of those trees make says little. A forest averages "
        "over such trees."
    )
    side = st.radio("Tree", list(Side), key=Own.STABLE_SIDE, format_func=lambda one: LETTERS[one], horizontal=True)
    growth = trees.growth(side or Side.FIRST)
    about = f"{side} {growing.about(trees.both)}"
    work = job(Own.STABLE, about, lambda: stability(growth))
    found = work.latest
    if found is not None and work.state is not State.RUNNING:
        words = stability_words(growth, found)
        st.image(stability_svg(growth, found, state.mode(), MOST_NODES), caption=plain(words), width="stretch")
        lines = stability_rows(growth, found)
        show_table(
            ["split", f"in {found.n_samples}", "cut between"],
            lines[:MOST_LINES],
            numbers=(1,),
            caption="How often each split survives",
        )
        if len(lines) > MOST_LINES:
            st.caption(f"The first {MOST_LINES} of {len(lines)} splits.")
    watch(
        Own.STABLE,
        work,
        start=f"Grow {N_SAMPLES} trees of resampled rows",
        share=lambda so_far: so_far.n_samples / N_SAMPLES,
        words=lambda so_far: f"{so_far.n_samples} of {N_SAMPLES} trees.",
    )
