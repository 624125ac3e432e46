"""Your turn: take another split than the winner, or hand a node back, and compare the two trees."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from drawing import wording
from engine import Growth, GrowthSettings
from widgets import cached, state
from widgets.escape import plain
from widgets.guard import guarded
from widgets.panels.here import Here
from widgets.panels.html import show_table
from widgets.panels.own_split import askable, choose, preview
from widgets.panels.scores import scores


def turn(here: Here) -> None:
    """Draw the panel."""
    left, right = st.columns(2, gap="large")
    with left, guarded():
        _choose(here)
    with right, guarded():
        _compare(here)


def _choose(here: Here) -> None:
    growth, node = here.growth, here.node
    path = growth.tree.path(node)
    st.markdown(plain(f"At {here.place}:") if path else "At the root:")
    if growth.tree.nodes.by_choice[node]:
        st.markdown(f"The split on **{plain(_test(growth, node))}** was chosen by you.")
        if st.button("Hand it back to the algorithm"):
            _regrow(state.settings().without_choice(path), growth.step_of(node))
    names = askable(here)
    if not names:
        st.info("Nothing can be chosen here: no feature was scored. Select a node that is split.")
        return
    choice = choose(here, names)
    if choice is not None:
        preview(here, choice)
    if st.button("Take this split", type="primary", disabled=choice is None) and choice is not None:
        _regrow(state.settings().with_choice(choice), growth.step_of(node))
    st.caption("The tree grows again below this node; the link keeps your choice.")


def _test(growth: Growth, node: int) -> str:
    split = growth.tree.split(node)
    assert split is not None
    return wording.plain(growth.table.features[split.feature].name)


def _regrow(settings: GrowthSettings, at: int) -> None:
    """Grow by other settings and show the step `at`: all of the page, not only what follows a step."""
    state.use_settings(settings)
    state.go_to(at)
    st.rerun()


def _compare(here: Here) -> None:
    """Size and scores of the tree with the student's splits beside the algorithm's own."""
    own = here.growth
    if not own.settings.choices:
        st.caption("Take a split to see your tree beside the algorithm's: size, depth and how well it does.")
        return
    algorithm = cached.growth(here.data, replace(own.settings, choices=()))
    st.markdown("Your tree beside the algorithm's")
    columns = [_figures(here, own), _figures(here, algorithm)]
    rows = [[head, value, other] for (head, value), (_, other) in zip(*columns, strict=True)]
    show_table(["", "with your splits", "algorithm alone"], rows, numbers=(1, 2))
    unused = len(own.settings.choices) - int(own.tree.nodes.by_choice.sum())
    if unused:
        st.caption(
            f"{unused} of your splits could not be made: the node is gone, or the split does not separate its rows."
        )


def _figures(here: Here, growth: Growth) -> list[tuple[str, str]]:
    tree = growth.tree
    size = [("nodes", str(tree.n_nodes)), ("leaves", str(tree.n_leaves)), ("depth", str(tree.depth))]
    return [*size, *scores(here.data, growth, len(growth) - 1)]
