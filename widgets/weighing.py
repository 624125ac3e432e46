"""What it costs to observe a feature, and what a row of each class counts: the editors of the sidebar."""

from __future__ import annotations

import streamlit as st

from drawing import wording
from engine import CostRule, Table, TargetKind
from engine.settings import BALANCED
from widgets import state
from widgets.escape import plain
from widgets.fields import attempt

AT_ONCE = 6
"""Features up to which each has its field; of more one picks those that cost something else than 1."""
MOST_CLASSES = 12
"""Classes up to which each can have a weight of its own."""
_NEW_COST = 2.0

_RULES = {
    CostRule.GAIN_OVER_COST: "gain / cost",
    CostRule.SQUARED_GAIN_OVER_COST: "gain² / cost",
}
_EVEN, _BY_CLASS = "1 each", "by class"
_WEIGHTS = {_EVEN: "1 each", BALANCED: "balanced", _BY_CLASS: "by class"}


def weighing(table: Table) -> None:
    """Draw both editors."""
    now = state.settings()
    with st.expander("Costs and weights", expanded=bool(now.costs or now.class_weights)):
        _costs(table)
        if table.target.kind is TargetKind.CLASSES:
            _weights(table)


# ---- costs --------------------------------------------------------------------------------------


def _costs(table: Table) -> None:
    costs = dict(state.settings().costs)
    names = [feature.name for feature in table.features]
    st.markdown(
        ":small[Cost of a feature]",
        help="What it costs to observe it, as a blood test costs more than a question. The score is divided by it; "
        "a feature without a cost costs 1.",
    )
    shown = names if len(names) <= AT_ONCE else _picked(names, costs)
    columns = st.columns(2)
    for place, name in enumerate(shown):
        with columns[place % 2]:
            _cost(name, names.index(name), costs)
    if costs:
        key = state.setting_key("cost_rule")
        st.session_state[key] = state.settings().cost_rule
        st.segmented_control(
            "Score",
            list(CostRule),
            key=key,
            required=True,
            width="stretch",
            format_func=lambda rule: _RULES[rule],
            help="Gain by cost, or gain squared by cost (Tan and Schlimmer 1990), which spares useful features.",
            on_change=lambda: attempt(lambda: state.change_settings(cost_rule=st.session_state[key])),
        )


def _picked(names: list[str], costs: dict[str, float]) -> list[str]:
    key = state.setting_key("priced")
    st.session_state[key] = [name for name in names if name in costs]
    st.multiselect(
        "Features with a cost",
        names,
        key=key,
        format_func=wording.plain,
        label_visibility="collapsed",
        placeholder="Features that do not cost 1",
        on_change=lambda: attempt(lambda: _price(st.session_state[key])),
    )
    return [name for name in names if name in costs]


def _price(chosen: list[str]) -> None:
    costs = dict(state.settings().costs)
    state.change_settings(costs={name: costs.get(name, _NEW_COST) for name in chosen})


def _cost(name: str, index: int, costs: dict[str, float]) -> None:
    key = state.setting_key(f"cost_{index}")
    st.session_state[key] = costs.get(name, 1.0)
    st.number_input(
        plain(wording.plain(name)),
        step=1.0,
        format="%.6g",
        key=key,
        on_change=lambda: attempt(lambda: _take_cost(name, st.session_state[key])),
    )


def _take_cost(name: str, cost: float | None) -> None:
    others = {other: value for other, value in state.settings().costs if other != name}
    state.change_settings(costs=others if cost in (None, 1.0) else {**others, name: cost})


# ---- weights ------------------------------------------------------------------------------------


def _weights(table: Table) -> None:
    now = state.settings().class_weights
    few = len(table.target.classes) <= MOST_CLASSES
    key = state.setting_key("class_weights")
    st.session_state[key] = _EVEN if now is None else now if isinstance(now, str) else _BY_CLASS
    st.selectbox(
        "Weight of a row",
        [_EVEN, BALANCED, *([_BY_CLASS] if few or isinstance(now, tuple) else [])],
        key=key,
        format_func=lambda kind: _WEIGHTS[kind],
        help="A row of weight 2 counts as two. Balanced: a row counts rows / (classes · rows of its class).",
        on_change=lambda: attempt(lambda: _take_kind(table, st.session_state[key])),
    )
    if isinstance(now, tuple) and few:
        columns = st.columns(2)
        for place, name in enumerate(table.target.classes):
            with columns[place % 2]:
                _weight(name, place, dict(now))


def _take_kind(table: Table, kind: str) -> None:
    even = dict.fromkeys(table.target.classes, 1.0)
    state.change_settings(class_weights=None if kind == _EVEN else even if kind == _BY_CLASS else kind)


def _weight(name: str, index: int, weights: dict[str, float]) -> None:
    key = state.setting_key(f"class_weight_{index}")
    st.session_state[key] = weights.get(name, 1.0)
    st.number_input(
        plain(wording.plain(name)),
        step=1.0,
        format="%.6g",
        key=key,
        on_change=lambda: attempt(lambda: _take_weight(name, st.session_state[key], weights)),
    )


def _take_weight(name: str, weight: float | None, weights: dict[str, float]) -> None:
    state.change_settings(class_weights={**weights, name: 1.0 if weight is None else weight})
