"""Predict: a form made from the features, the path to the answer, and the program with its branch marked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from drawing import query_cost, wording
from drawing.numbers import units
from drawing.theme import percent, quantity
from engine import Feature, FeatureKind, Prediction, Table
from engine.rules import Line
from widgets import cached, state
from widgets.escape import plain
from widgets.guard import guarded
from widgets.panels import number_evidence
from widgets.panels.here import Here
from widgets.panels.html import show_table

MAX_INPUTS = 60
MAX_LINES = 300
_MISSING = "(missing)"


def predict(here: Here) -> tuple[int, ...]:
    """Draw the panel; returns the ids of the nodes on the path, to be lit in the stage."""
    tested = _tested(here)
    form, answer = st.columns([2, 3], gap="large")
    with form:
        st.markdown("A row to predict")
        values = {f.name: _input(here.growth.table, i) for i, f in tested}
        if len(tested) < len(here.growth.table.features):
            st.caption("Features that the tree never tests are left out.")
    with answer, guarded():
        frame = pd.DataFrame([{name: "" if v is None else v for name, v in values.items()}], index=[0])
        found = here.growth.tree.predictions(frame)[0]
        _answer(here, found)
        last = len(here.growth) - 1
        if here.step < here.growth.step_of(found.path[-1]):
            st.button("Show the path in the finished tree", on_click=state.go_to, args=(last,))
        return found.path
    return ()


def _tested(here: Here) -> list[tuple[int, Feature]]:
    """The features that the finished tree tests, in column order; of a single leaf the first few."""
    used = np.unique(here.growth.tree.nodes.feature)
    features = here.growth.table.features
    return [(i, f) for i, f in enumerate(features) if i in used][:MAX_INPUTS]


def _input(table: Table, index: int) -> str | None:
    feature = table.features[index]
    key = f"predict_{table.fingerprint}_{index}"
    label = plain(wording.plain(feature.name))
    if feature.kind is FeatureKind.CATEGORICAL:
        options = [feature.levels[code] for code in feature.display_order]
        picked: str = st.selectbox(
            label, [*options, _MISSING], key=key, format_func=wording.plain, persist_state="session"
        )
        return None if picked == _MISSING else picked
    low, middle, high = cached.spread(table, index)
    value = st.number_input(
        label,
        value=middle,
        format="%.6g",
        key=key,
        help=f"From {quantity(low)} to {quantity(high)} in these rows. Empty: missing.",
        persist_state="session",
        placeholder="missing",
    )
    return None if value is None else repr(float(value))


def _answer(here: Here, found: Prediction) -> None:
    growth = here.growth
    target = wording.plain(growth.table.target.name)
    leaf = found.path[-1]
    way = wording.path(growth.tree.path(leaf))
    because = f"because {way}" if len(found.path) > 1 else "whatever the row, because the tree is a single leaf"
    leaves = sum(growth.tree.split(node) is None for node in found.path)
    if leaves > 1:
        because = f"by {leaves} leaves together, each with the part of the row that reaches it"
    said = found.prediction if isinstance(found.prediction, str) else units(growth.tree).value(found.prediction)
    st.markdown(f"**{plain(f'{target} is {wording.plain(said)}')}**, {plain(because)}.")
    for note in found.notes:
        st.caption(plain(note))
    if growth.rules.is_number:
        number_evidence.leaf(growth, leaf)
    else:
        shares = sorted(found.probabilities.items(), key=lambda item: -item[1])
        shown = [[wording.plain(name), percent(share)] for name, share in shares if share][:8]
        show_table([target, "probability"], shown, numbers=(1,))
    cost = query_cost.total(growth, found.path)
    if cost:
        st.caption(plain(cost))
    asked = _questions(len(found.path) - leaves)
    st.caption(f"{asked} asked. The program below is the same tree; the lines it ran are marked.")
    st.code(marked(cached.program(here.data, growth), found.path), language="python")


def _questions(count: int) -> str:
    return "1 question" if count == 1 else f"{count} questions"


def marked(lines: Sequence[Line], path: Sequence[int]) -> str:
    """The tree as a program, the lines that answered marked at their ends; of a long one only those."""
    taken = [line.taken(path) and bool(line.text) for line in lines]
    if len(lines) > MAX_LINES:
        lines = [line for line, runs in zip(lines, taken, strict=True) if runs]
        return "\n".join(["# The lines that this row runs:", *(line.text for line in lines)])
    width = min(max((len(line.text) for line in lines), default=0), 72)
    return "\n".join(
        f"{line.text:<{width}}  # <-" if runs else line.text for line, runs in zip(lines, taken, strict=True)
    )
