"""The sidebar of the Grow page: widgets -> data and settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from drawing import wording
from engine import Algorithm, CategoricalSplits, Criterion, EngineError, GrowthSettings, Missing, Table, TargetKind
from engine.settings import ResolvedSettings
from widgets import cached, state
from widgets.escape import plain
from widgets.fields import attempt, choice, decimal, switch, take, whole
from widgets.link import UPLOAD
from widgets.weighing import weighing

ALGORITHMS = {Algorithm.ID3: "ID3", Algorithm.C45: "C4.5", Algorithm.CART: "CART", Algorithm.STUMP: "Stump"}
_ALGORITHM_HELP = {
    Algorithm.ID3: "Entropy; a branch a level; splits until a node is pure.",
    Algorithm.C45: "Gain ratio among the features of at least average gain; a missing value sends a row down in parts.",
    Algorithm.CART: "Gini; two branches a split; every split must make the branches purer.",
    Algorithm.STUMP: "The one question that gets the most rows right.",
}
_NUMBER_HELP = {
    Algorithm.ID3: "Variance; a branch a level; splits until a node's values are equal.",
    Algorithm.C45: "Defined for classes; choose CART or ID3.",
    Algorithm.CART: "Squared error; two branches a split; every split must lower it.",
    Algorithm.STUMP: "The one question that lowers the squared error most.",
}
_CRITERIA = {
    Criterion.ENTROPY: "entropy",
    Criterion.GINI: "Gini",
    Criterion.GAIN_RATIO: "gain ratio",
    Criterion.MISCLASSIFICATION: "misclassification",
    Criterion.VARIANCE: "variance",
    Criterion.SQUARED_ERROR: "squared error",
}
_SPLITS = {
    CategoricalSplits.MULTIWAY: "a branch a level",
    CategoricalSplits.SUBSET: "two groups of levels",
}
_MISSING = {
    Missing.FRACTIONAL: "down every branch, in parts",
    Missing.OWN_BRANCH: "a branch of their own",
    Missing.MOST_COMMON: "the most common value",
    Missing.DROP: "leave the row out",
}
_STYLE = """<style>:is(.st-key-setting_algorithm, .st-key-setting_cost_rule) button {
  padding-left: 0.35rem; padding-right: 0.35rem}</style>"""
_STOPS = ("max_depth", "min_samples_split", "min_samples_leaf", "min_gain", "significance", "holdout_stop")
_SPLITTING = ("categorical_splits", "missing", "max_features", "seed")


def sidebar() -> None:
    """Data, algorithm, criterion, stopping rules, splits, missing values, costs and weights."""
    st.html(_STYLE)
    with st.sidebar:
        dataset()
        growing()
        _guess()


def growing() -> None:
    """How a tree is grown: algorithm, criterion, stopping rules, splits, missing values, costs and weights."""
    table = state.training()
    own = _own(table)
    _algorithm(table, own)
    _stopping(table)
    _splitting(own)
    weighing(table)


def dataset() -> None:
    """The current data."""
    now = state.data()
    names = [entry.name for entry in cached.entries()]
    titles = {entry.name: entry.title for entry in cached.entries()}
    current = UPLOAD if now.uploaded else now.name
    options = [UPLOAD, *names] if now.uploaded else names
    key = state.setting_key("dataset")
    st.session_state[key] = current
    st.selectbox(
        "Data",
        options,
        key=key,
        format_func=lambda name: wording.plain(now.title) if name == UPLOAD else titles[name],
        on_change=_take_dataset,
        args=(key,),
    )
    about = "Your file." if now.entry is None else now.entry.teaches
    st.caption(plain(about + (" Rows edited." if now.edited else "")))


def _take_dataset(key: str) -> None:
    name = st.session_state[key]
    if name != UPLOAD:
        attempt(lambda: state.use_dataset(name))


def _own(table: Table) -> ResolvedSettings | None:
    """What the algorithm takes where nothing else is asked for; None where it is not defined for the target."""
    try:
        return GrowthSettings(algorithm=state.settings().algorithm).resolved(table)
    except EngineError:
        return None


def _algorithm(table: Table, own: ResolvedSettings | None) -> None:
    now = state.settings().algorithm
    number = table.target.kind is TargetKind.NUMBER
    key = state.setting_key("algorithm")
    st.session_state[key] = now
    st.segmented_control(
        "Algorithm",
        [option for option in ALGORITHMS if not number or option in (now, *_of_numbers())],
        key=key,
        required=True,
        width="stretch",
        format_func=lambda option: ALGORITHMS[option],
        on_change=take,
        args=("algorithm",),
    )
    st.caption((_NUMBER_HELP if number else _ALGORITHM_HELP)[now])
    choice(
        "Criterion",
        "criterion",
        [criterion for criterion in _CRITERIA if criterion.target_kind is table.target.kind],
        _CRITERIA,
        "What makes a split good: how much purer its branches are than the node.",
        _by_default(_CRITERIA, own and own.criterion),
    )


def _by_default(words: Mapping[Any, str], value: object) -> str:
    """The words for what the algorithm takes by itself."""
    return f"{words[value]} ({ALGORITHMS[state.settings().algorithm]})" if value in words else ""


def _of_numbers() -> tuple[Algorithm, ...]:
    return tuple(option for option in ALGORITHMS if option is not Algorithm.C45)


def _stopping(table: Table) -> None:
    with st.expander("Stopping rules", expanded=_changed(_STOPS)):
        whole("Maximum depth", "max_depth", 0, "Nodes at this depth become leaves.", empty="no limit")
        whole("Minimum rows to split", "min_samples_split", 2, "Smaller nodes become leaves.")
        whole("Minimum rows in a branch", "min_samples_leaf", 1, "Bars splits with less.")
        decimal("Minimum gain", "min_gain", 0.01, "A node whose best split gains less becomes a leaf.")
        if table.target.kind is TargetKind.CLASSES:
            decimal(
                "Significance",
                "significance",
                0.01,
                "The chi-square test of the best split: where its p value is greater, as it may be by chance alone, "
                "the node becomes a leaf. Often 0.05.",
                empty="off",
            )
        lacking = state.holdout() is None
        where = "Set rows aside on the Data page first. " if lacking else ""
        switch(
            "Stop by the holdout",
            "holdout_stop",
            f"{where}A node becomes a leaf where its split would make more mistakes on the rows set aside.",
            disabled=lacking and not state.settings().holdout_stop,
        )


def _splitting(own: ResolvedSettings | None) -> None:
    with st.expander("Splits and missing values", expanded=_changed(_SPLITTING)):
        choice(
            "Categorical features",
            "categorical_splits",
            list(_SPLITS),
            _SPLITS,
            "How a feature with levels divides the rows.",
            _by_default(_SPLITS, own and own.categorical_splits),
        )
        choice(
            "Missing values",
            "missing",
            list(_MISSING),
            _MISSING,
            "Where a row goes whose value is not known. The panel Missing values shows all four side by side.",
            _by_default(_MISSING, own and own.missing),
        )
        whole(
            "Features drawn at a node",
            "max_features",
            1,
            "Only so many features, drawn at random, are scored at each node, as in a random forest.",
            empty="all",
        )
        whole("Seed", "seed", 0, "Another seed draws other features.")


def _guess() -> None:
    key = state.setting_key("guess_first")
    st.session_state[key] = state.session().guess_first
    st.toggle(
        "Guess first",
        key=key,
        help="At each split, choose a feature before the numbers are shown; a score is kept.",
        on_change=lambda: state.change_view(guess_first=st.session_state[key]),
    )


def _changed(names: tuple[str, ...]) -> bool:
    """Whether any of these settings is not as it comes."""
    now, default = state.settings(), GrowthSettings()
    return any(getattr(now, name) != getattr(default, name) for name in names)
