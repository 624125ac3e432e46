"""All criteria at one node in a table, and their curves over the thresholds of a numeric feature."""

from __future__ import annotations

import streamlit as st

from drawing import wording
from drawing.comparison import LETTERS, criterion_name
from drawing.comparison_words import agreement_words, winner_cell
from engine import Criterion
from engine.comparison import Side
from engine.comparison_criteria import CriteriaTable
from engine.splits import is_numeric
from widgets.chart import chart
from widgets.compare import growing
from widgets.compare.keys import Own
from widgets.compare.screen import Screen
from widgets.escape import plain
from widgets.panels.html import show_table

MAX_FEATURES = 12


def criteria(screen: Screen) -> None:
    """Draw the panel: the table left, the curves right."""
    st.markdown(f"##### All criteria at this node · Step {screen.step.index} of {len(screen.both) - 1}")
    side = _side(screen)
    growth, node = screen.growth(side), screen.node(side)
    found = growing.criteria(screen.data_of(side), growth, node)
    if not found.rows:
        where = wording.path(growth.tree.path(node))
        st.markdown(plain(f"{where}: no feature was scored here. {wording.reason(growth, node)}"))
        return
    left, right = st.columns([11, 9], gap="medium")
    with left:
        _table(screen, side, found)
    with right:
        _curves(screen, side, found)


def _side(screen: Screen) -> Side:
    """Whose node and splits are scored: asked only where that makes a difference."""
    rules = [growth.rules for growth in (screen.both.first, screen.both.second)]
    unlike = any(
        getattr(rules[0], name) != getattr(rules[1], name)
        for name in ("categorical_splits", "must_gain", "min_samples_leaf", "missing", "average_gain_filter")
    )
    if screen.same_node and not unlike and screen.both.same_target:
        return Side.FIRST
    words = {side: f"As in {LETTERS[side]}: {_place(screen, side)}" for side in Side}
    chosen = st.radio(
        "Node",
        list(Side),
        key=Own.CRITERIA_SIDE,
        format_func=lambda side: plain(words[side]),
        horizontal=True,
        label_visibility="collapsed",
    )
    return chosen or Side.FIRST


def _place(screen: Screen, side: Side) -> str:
    return wording.path(screen.growth(side).tree.path(screen.node(side)))


def _table(screen: Screen, side: Side, found: CriteriaTable) -> None:
    own = screen.growth(side).rules.criterion
    write = wording.scores_as(screen.growth(side))
    ranked = sorted(found.rows, key=lambda row: -row.best[own].score if own in row.best else 0.0)
    shown = ranked[:MAX_FEATURES]
    heads = ["feature", *(_heading(screen, criterion) for criterion in found.criteria)]
    cells = [
        [wording.plain(row.feature, 28), *(winner_cell(row, criterion, found, write) for criterion in found.criteria)]
        for row in shown
    ]
    show_table(heads, cells, numbers=range(1, len(heads)), caption="The score of each feature under each criterion")
    if len(ranked) > len(shown):
        st.caption(f"The best {len(shown)} of {len(ranked)} features.")
    st.markdown(plain(agreement_words(found)))


def _heading(screen: Screen, criterion: Criterion) -> str:
    letters = [LETTERS[side] for side in Side if screen.growth(side).rules.criterion is criterion]
    return " ".join([criterion_name(criterion), *letters])


def _curves(screen: Screen, side: Side, found: CriteriaTable) -> None:
    growth, node = screen.growth(side), screen.node(side)
    scored = {row.feature for row in found.rows}
    numeric = [f.name for f in growth.table.features if is_numeric(f) and f.name in scored]
    if not numeric:
        st.caption("No numeric feature is left here, so there are no thresholds to draw.")
        return
    names = [name for winners in found.winners.values() for name in winners if name in numeric]
    key = Own.CURVES_FEATURE
    opened = (screen.step.index, side, node)
    if st.session_state.get(Own.CURVES_OPENED) != opened or st.session_state.get(key) not in numeric:
        st.session_state[Own.CURVES_OPENED], st.session_state[key] = opened, (names or numeric)[0]
    feature = st.selectbox("Feature", numeric, key=key, format_func=wording.plain, label_visibility="collapsed")
    own = (screen.both.first.rules.criterion, screen.both.second.rules.criterion)
    picture, words = growing.curves(screen.data_of(side), growth, node, feature, own, screen.mode)
    chart(picture, key=Own.CURVES, alt=words)
