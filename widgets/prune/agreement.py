"""All methods on one tree: the agreement grid, and why methods part at a split."""

from __future__ import annotations

import streamlit as st

from drawing import pruning_agreement
from drawing.pruning import SHORT
from widgets.escape import plain
from widgets.panels.html import show_table
from widgets.prune import building
from widgets.prune import state as page
from widgets.prune.here import Here
from widgets.prune.keys import Own

MOST_LINES = 40
_BREAKS = {
    "complexity": "com\u00adplex\u00adity",
    "pessimistic": "pessi\u00admistic",
    "description": "descrip\u00adtion",
}
_HEADS = [" ".join(_BREAKS.get(word, word) for word in name.split()) for name in SHORT.values()]
"""Long words may break on a phone."""
_LOOKS = """<style>
@media (max-width: 640px) {
  .st-key-prune_agreement .esp-table tr {display: grid; grid-template-columns: repeat(6, 1fr); padding: 0.3rem 0;
    border-bottom: 1px solid rgba(128,136,150,0.3)}
  .st-key-prune_agreement .esp-table :is(td, th) {border: 0; padding-right: 0.2rem}
  .st-key-prune_agreement .esp-table :is(td, th):first-child {grid-column: 1 / -1; max-width: none}
  .st-key-prune_agreement .esp-table th {white-space: normal; font-size: 0.68rem; hyphens: manual}
}
</style>"""
"""On a phone a split stands above its verdicts, for beside them there is no room."""


def agreement(here: Here) -> None:
    """Splits as lines, methods as columns: cut or kept; sizes and errors of all; where they part, why."""
    with st.container(key=Own.AGREEMENT):
        st.html(_LOOKS)
        _agreement(here)


def _agreement(here: Here) -> None:
    found = building.agreement(here.built, page.pruner().settings)
    if not len(found.nodes):
        st.caption("The tree is a single leaf: no method has anything to cut.")
        return
    test = building.all_tested(here.built, page.pruner().settings) if here.revealed else None
    show_table(
        ["", *_HEADS], pruning_agreement.totals(found, here.words, test), caption="The tree that each method leaves"
    )
    lines, disputed = pruning_agreement.grid(found, here.words, MOST_LINES)
    n = int(found.disputed.sum())
    st.markdown(
        f"They disagree on {n} of {len(found.nodes)} splits; those come first." if n else "All agree on every split."
    )
    show_table(["split", *_HEADS], lines, strong=disputed, caption="Cut or kept, by each method")
    if len(found.nodes) > MOST_LINES:
        st.caption(f"The first {MOST_LINES} of {len(found.nodes)} splits.")
    for refusal in pruning_agreement.refusals(found):
        st.caption(plain(refusal))
    places = {int(node): row for row, node in enumerate(found.nodes.tolist())}
    ordered = sorted(places, key=lambda node: (not found.disputed[places[node]], node))[:MOST_LINES]
    if st.session_state.get(Own.EXPLAINED) not in ordered:
        st.session_state[Own.EXPLAINED] = ordered[0]
    chosen = st.selectbox(
        "Why, at",
        ordered,
        key=Own.EXPLAINED,
        format_func=here.words.place,
        on_change=lambda: page.select(st.session_state[Own.EXPLAINED]),
    )
    show_table(
        ["method", "", "because"],
        pruning_agreement.reasons(found, places[chosen]),
        caption="What each method says of the split",
    )
