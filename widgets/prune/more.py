"""Panels that are opened when wanted; a closed one costs nothing."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from drawing import pruning_agreement
from drawing.pruning import SHORT
from engine.metrics import error
from widgets.escape import plain
from widgets.panels.html import show_table
from widgets.prune import building
from widgets.prune import state as page
from widgets.prune.early import early
from widgets.prune.here import Here
from widgets.prune.keys import Own
from widgets.prune.noise import noise

MOST_LINES = 40
_GROW = Path(__file__).parents[2] / "pages" / "grow.py"


def more(here: Here) -> None:
    """The tabs below the stage."""
    names = ["All methods", "Pre-pruning", "Noise dampening", "Rules"]
    comparing, stopping, flipping, ruling = st.tabs(names, key=Own.MORE, on_change="rerun")
    if comparing.open:
        with comparing:
            agreement(here)
    if stopping.open:
        with stopping:
            early(here)
    if flipping.open:
        with flipping:
            noise(here)
    if ruling.open:
        with ruling:
            _rules()


def agreement(here: Here) -> None:
    """Splits as lines, methods as columns: cut or kept; sizes and errors of all; where they part, why."""
    found = building.agreement(here.built, page.pruner().settings)
    if not len(found.nodes):
        st.caption("The tree is a single leaf: no method has anything to cut.")
        return
    heads = ["", *SHORT.values()]
    test = None
    if here.revealed and here.built.test is not None:
        rows = here.built.test
        test = [None if o.pruning is None else error(o.pruning.tree, rows) for o in found.opinions]
    show_table(heads, pruning_agreement.totals(found, here.words, test), caption="The tree that each method leaves")
    lines, disputed = pruning_agreement.grid(found, here.words, MOST_LINES)
    n = int(found.disputed.sum())
    st.markdown(
        f"They disagree on {n} of {len(found.nodes)} splits; those come first." if n else "All agree on every split."
    )
    show_table(["split", *SHORT.values()], lines, strong=disputed, caption="Cut or kept, by each method")
    if len(found.nodes) > MOST_LINES:
        st.caption(f"The first {MOST_LINES} of {len(found.nodes)} splits.")
    for refusal in pruning_agreement.refusals(found):
        st.caption(plain(refusal))
    places = {int(node): row for row, node in enumerate(found.nodes.tolist())}
    ordered = sorted(places, key=lambda node: (not found.disputed[places[node]], node))[:MOST_LINES]
    if st.session_state.get(Own.EXPLAINED) not in ordered:
        st.session_state[Own.EXPLAINED] = ordered[0]
    chosen = st.selectbox("Why, at", ordered, key=Own.EXPLAINED, format_func=here.words.place)
    show_table(
        ["method", "", "because"],
        pruning_agreement.reasons(found, places[chosen]),
        caption="What each method says of the split",
    )


def _rules() -> None:
    st.markdown(
        "C4.5 also prunes the tree as rules: every path becomes a rule, and conditions are dropped from each while "
        "its estimated accuracy does not fall. A tree cannot drop a condition near its root without losing all below "
        "it; a rule can."
    )
    st.page_link(str(_GROW), label="The tab Rules of the page Grow, step by step", icon=":material/arrow_forward:")
