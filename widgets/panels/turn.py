"""Your turn: take another split than the winner, or hand a node back, and compare the two trees."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from drawing import wording
from drawing.theme import percent
from engine import Choice, Growth, SplitKind
from engine.splits import Path
from widgets import cached, state
from widgets.escape import plain
from widgets.guard import guarded
from widgets.panels.here import Here
from widgets.panels.html import show_table


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
    ranked = cached.best_candidates(here.data, growth, node)
    if growth.tree.nodes.by_choice[node]:
        st.markdown(f"The split on **{plain(_test(growth, node))}** was chosen by you.")
        st.button("Hand it back to the algorithm", on_click=_hand_back, args=(path, growth.step_of(node)))
    if here.hidden:  # the ranking would give the guess away
        ranked = sorted(ranked, key=lambda c: c.split.feature)
    by_name = {c.feature: c for c in ranked if len(c.partitions) > 1}
    if not by_name:
        st.info("Nothing can be chosen here: no feature was scored. Select a node that is split.")
        return
    name = st.selectbox("Split on", list(by_name), format_func=wording.plain, key=f"turn_feature_{node}")
    candidate = by_name[name]
    threshold: float | None = None
    group: tuple[str, ...] | None = None
    if candidate.split.kind is SplitKind.THRESHOLD:
        at = candidate.split.threshold
        threshold = st.number_input(
            "Threshold",
            value=0.0 if at is None else float(at),
            format="%.6g",
            key=f"turn_threshold_{node}_{candidate.split.feature}",
            help="Rows below it go to the first branch.",
        )
    elif candidate.split.kind is SplitKind.SUBSET:
        value = candidate.partitions[0].condition.value
        group = value if isinstance(value, tuple) else None
    choice = Choice(path=path, feature=name, threshold=threshold, first_group=group)
    st.button("Take this split", type="primary", on_click=_take, args=(choice, growth.step_of(node)))
    st.caption("The tree grows again below this node; the link keeps your choice.")


def _test(growth: Growth, node: int) -> str:
    split = growth.tree.split(node)
    assert split is not None
    return wording.plain(growth.table.features[split.feature].name)


def _take(choice: Choice, at: int) -> None:
    state.use_settings(state.settings().with_choice(choice))
    state.go_to(at)


def _hand_back(path: Path, at: int) -> None:
    state.use_settings(state.settings().without_choice(path))
    state.go_to(at)


def _compare(here: Here) -> None:
    """Size and accuracy of the tree with the student's splits beside the algorithm's own."""
    own = here.growth
    if not own.settings.choices:
        st.caption("Take a split to see your tree beside the algorithm's: size, depth and accuracy.")
        return
    algorithm = cached.growth(here.data, replace(own.settings, choices=()))
    st.markdown("Your tree beside the algorithm's")
    columns = [_figures(here, own), _figures(here, algorithm)]
    heads = ["nodes", "leaves", "depth", "training accuracy", "holdout accuracy"]
    rows = [[head, *values] for head, *values in zip(heads, *columns, strict=True) if any(values)]
    show_table(["", "with your splits", "algorithm alone"], rows, numbers=(1, 2))
    unused = len(own.settings.choices) - int(own.tree.nodes.by_choice.sum())
    if unused:
        st.caption(
            f"{unused} of your splits could not be made: the node is gone, or the split does not separate its rows."
        )


def _figures(here: Here, growth: Growth) -> list[str]:
    tree = growth.tree
    held = cached.holdout_accuracy(here.data, growth, len(growth) - 1)
    return [
        str(tree.n_nodes),
        str(tree.n_leaves),
        str(tree.depth),
        percent(tree.training_accuracy()),
        "" if held is None else percent(held),
    ]
