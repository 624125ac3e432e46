"""Missing values side by side: the four treatments on the same data, each with its consequences."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from drawing import missing as words
from drawing import wording
from drawing.theme import number, percent
from engine import EngineError, Growth, Missing
from widgets import cached, state
from widgets.escape import plain
from widgets.fields import attempt
from widgets.guard import sentence
from widgets.panels.here import Here
from widgets.panels.html import show_table

EXAMPLE = "play_tennis_missing"


def missing(here: Here) -> None:
    """Draw the panel."""
    source = here.growth.source
    if not any(feature.n_missing for feature in source.features):
        st.info("No value of this table is missing, so the four treatments grow the same tree.")
        st.button("Play Tennis, one outlook unknown", on_click=lambda: attempt(lambda: state.use_dataset(EXAMPLE)))
        return
    heads = ["treatment", "root", "nodes", "depth", "rows used", "training", "holdout"]
    lines, current = [], 0
    for place, treatment in enumerate(Missing):
        current = place if treatment is here.growth.rules.missing else current
        lines.append([words.NAMES[treatment], *_consequences(here, treatment)])
    show_table(
        heads, lines, numbers=(2, 3, 4, 5, 6), strong=(current,), caption="The four treatments of missing values"
    )
    st.caption(plain(words.treatment(here.growth)))
    with st.container(horizontal=True):
        for treatment in Missing:
            st.button(
                f"Use: {words.NAMES[treatment]}",
                key=f"missing_{treatment}",
                disabled=treatment is here.growth.rules.missing,
                on_click=_take,
                args=(treatment,),
            )


def _consequences(here: Here, treatment: Missing) -> list[str]:
    """Root, size, rows used and accuracies of the tree under a treatment; why there is none in place of the root."""
    try:
        growth = cached.growth(here.data, replace(here.growth.settings, missing=treatment))
    except EngineError as error:
        return [sentence(error), "", "", "", "", ""]
    tree = growth.tree
    held = cached.holdout_accuracy(here.data, growth, len(growth) - 1)
    return [
        _root(growth),
        str(tree.n_nodes),
        str(tree.depth),
        f"{growth.table.n_rows:,} of {growth.source.n_rows:,}",
        _accuracy(growth, tree.training_accuracy()),
        "–" if held is None else _accuracy(growth, held),
    ]


def _root(growth: Growth) -> str:
    chosen = next((c for c in growth.best_candidates(0) if c.chosen), None) if growth.tree.nodes.scored[0] else None
    return "a leaf" if chosen is None else wording.candidate_label(chosen)


def _accuracy(growth: Growth, value: float) -> str:
    return f"R² {number(value)}" if growth.tree.is_number else percent(value)


def _take(treatment: Missing) -> None:
    attempt(lambda: state.change_settings(missing=treatment))
