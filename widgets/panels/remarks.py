"""What else is to be known of a candidate: filter, missing values, absent levels, weights, holdout, other programs."""

from __future__ import annotations

import streamlit as st

from drawing import elsewhere, gain_filter, holdout_stop, missing, weights
from engine import Candidate
from widgets.escape import plain
from widgets.panels.here import Here
from widgets.panels.html import show_table
from widgets.panels.sums import show_sums


def before_the_sums(here: Here, candidate: Candidate) -> None:
    """What one has to know to follow the sums."""
    growth, node = here.growth, here.node
    said = (
        missing.of_candidate(growth, node, candidate),
        missing.absent(growth, node, candidate),
        weights.origin(growth),
    )
    for words in filter(None, said):
        st.caption(plain(words))


def average_gain(here: Here) -> None:
    """C4.5's filter: the mean of the gains, worked, and what it is for."""
    if not here.growth.rules.average_gain_filter:
        return
    worked = gain_filter.average(here.growth, here.node)
    if worked is None:
        return
    show_sums([worked], "average")
    st.caption(plain(gain_filter.rule(here.growth, here.node)))


def holdout(here: Here) -> None:
    """Mistakes on the rows set aside: the node as a leaf, and after its split."""
    found = holdout_stop.costs(here.growth, here.node)
    if found is None or not here.is_decided or not here.growth.tree.nodes.scored[here.node]:
        return
    st.caption(plain(holdout_stop.verdict(here.growth, here.node)))
    heads = ["on the holdout", holdout_stop.unit(here.growth)]
    rows = [
        ["as a leaf", holdout_stop.cost(here.growth, found[0])],
        ["split once", holdout_stop.cost(here.growth, found[1])],
    ]
    show_table(heads, rows, numbers=(1,), caption="What the split is worth on the rows set aside")


def after_the_sums(here: Here, candidate: Candidate) -> None:
    """What other programs say."""
    words = elsewhere.line(here.growth, here.node, candidate)
    if words:
        st.caption(f":material/compare_arrows: {plain(words)}")
