"""Pre-pruning side by side: a stopping rule changed, what it would have stopped marked on the full tree."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from drawing.pruning_early import early_rows, early_svg, early_words
from engine import EngineError
from engine.metrics import error
from engine.table import TargetKind
from widgets.escape import plain
from widgets.guard import complain
from widgets.panels.html import show_table
from widgets.prune import building
from widgets.prune.here import Here
from widgets.prune.keys import Own

MOST_LINES = 20
_RULES: dict[str, tuple[str, float, float]] = {
    "max_depth": ("Maximum depth", 2, 1),
    "min_samples_split": ("Minimum rows to split", 10, 1),
    "min_samples_leaf": ("Minimum rows in a branch", 5, 1),
    "min_gain": ("Minimum gain", 0.1, 0.01),
    "significance": ("Significance of chi-square", 0.05, 0.01),
    "holdout_stop": ("Worse on the validation rows", 1, 1),
}
"""Each with the value that it begins with, and the step of its box."""


def early(here: Here) -> None:
    """The rule, the full tree with its marks, and both trees in numbers."""
    full = here.built.growth
    if full is None:
        st.caption("This tree was given, not grown, so no rule can have stopped its growth.")
        return
    change = _rule(here)
    try:
        found = building.early(here.built, replace(full.settings, **change))
    except EngineError as problem:
        complain(problem)
        return
    if found is None:
        return
    words = early_words(found)
    st.image(early_svg(found, here.mode), caption=plain(words), width="stretch")
    lines = []
    for name, tree in (("full", found.full.tree), ("stopped early", found.early.tree), ("pruned", here.pruning.tree)):
        errors = [error(tree, rows) for rows in (here.built.parts.training, here.built.validation) if rows is not None]
        lines.append([name, str(tree.n_leaves), *(here.words.error(value) for value in errors)])
    heads = ["tree", "leaves", "training error", "validation error"][: len(lines[0])]
    show_table(heads, lines, numbers=range(1, len(heads)), caption="Full, stopped early and pruned")
    rows = early_rows(found)
    if rows:
        show_table(["stopped at", "", "why"], rows[:MOST_LINES], caption="What the rule stops")
    if len(rows) > MOST_LINES:
        st.caption(f"The first {MOST_LINES} of {len(rows)}.")
    st.caption("A rule that stops cannot see that a poor split has good ones below it; pruning has seen them.")


def _rule(here: Here) -> dict[str, Any]:
    """The stopping rule that is tried out."""
    number = here.pruning.full.table.target.kind is TargetKind.NUMBER
    options = [name for name in _RULES if not (number and name == "significance")]
    if here.built.validation is None:
        options.remove("holdout_stop")
    if st.session_state.get(Own.EARLY_RULE) not in options:
        st.session_state.pop(Own.EARLY_RULE, None)
    left, right, _ = st.columns([3, 2, 4])
    name = left.selectbox("Stopping rule", options, key=Own.EARLY_RULE, format_func=lambda rule: _RULES[rule][0])
    if name == "holdout_stop":
        return {name: True}
    _, start, step = _RULES[name]
    whole = step == 1
    value = right.number_input(
        "Its value",
        value=int(start) if whole else start,
        step=int(step) if whole else step,
        format="%d" if whole else "%.3f",
        key=f"{Own.EARLY_VALUE}_{name}",
    )
    return {name: value}
