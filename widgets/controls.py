"""The sidebar of the Grow page: widgets -> data and settings."""

from __future__ import annotations

from typing import Any

import streamlit as st

from drawing import wording
from engine import Algorithm, CategoricalSplits, Criterion, EngineError, Missing
from widgets import cached, state
from widgets.escape import plain
from widgets.guard import sentence
from widgets.link import UPLOAD

_ALGORITHMS = {Algorithm.ID3: "ID3", Algorithm.CART: "CART", Algorithm.STUMP: "Stump", Algorithm.C45: "C4.5"}
_PRESET = "the algorithm's own"
_OFFERED = (Algorithm.ID3, Algorithm.CART, Algorithm.STUMP)
_ALGORITHM_HELP = {
    Algorithm.ID3: "Entropy; a branch a level; splits until a node is pure.",
    Algorithm.CART: "Gini; two branches a split; every split must make the branches purer.",
    Algorithm.STUMP: "The one question that gets the most rows right.",
    Algorithm.C45: "Gain ratio among the features of at least average gain.",
}
_CRITERIA = {
    None: _PRESET,
    Criterion.ENTROPY: "entropy",
    Criterion.GINI: "Gini",
    Criterion.GAIN_RATIO: "gain ratio",
    Criterion.MISCLASSIFICATION: "misclassification",
}
_SPLITS = {
    None: _PRESET,
    CategoricalSplits.MULTIWAY: "a branch a level",
    CategoricalSplits.SUBSET: "two groups of levels",
}
_MISSING = {
    None: _PRESET,
    Missing.MOST_COMMON: "the most common value",
    Missing.DROP: "leave the row out",
}


def sidebar() -> None:
    """Data, algorithm, criterion and stopping rules."""
    with st.sidebar:
        _data()
        _algorithm()
        _stopping()
        _more()
        _guess()


def _data() -> None:
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
        _try(lambda: state.use_dataset(name))


def _algorithm() -> None:
    now = state.settings()
    key = state.setting_key("algorithm")
    st.session_state[key] = now.algorithm
    st.segmented_control(
        "Algorithm",
        _with(_OFFERED, now.algorithm),
        key=key,
        required=True,
        width="stretch",
        format_func=lambda option: _ALGORITHMS[option],
        on_change=_take,
        args=("algorithm",),
    )
    st.caption(_ALGORITHM_HELP[now.algorithm])
    _choice(
        "Criterion",
        "criterion",
        _with(_CRITERIA, now.criterion),
        _CRITERIA,
        "What makes a split good: how much purer its branches are than the node.",
    )


def _stopping() -> None:
    now = state.settings()
    with st.expander("Stopping rules", expanded=_stops_early()):
        _number("Maximum depth", "max_depth", now.max_depth, 0, "Nodes at this depth become leaves. Empty: no limit.")
        _number("Minimum rows to split", "min_samples_split", now.min_samples_split, 2, "Smaller nodes become leaves.")
        _number("Minimum rows in a branch", "min_samples_leaf", now.min_samples_leaf, 1, "Bars splits with less.")
        key = state.setting_key("min_gain")
        st.session_state[key] = float(now.min_gain)
        st.number_input(
            "Minimum gain",
            min_value=0.0,
            step=0.01,
            format="%.3f",
            key=key,
            help="A node whose best split gains less becomes a leaf.",
            on_change=_take,
            args=("min_gain",),
        )


def _more() -> None:
    now = state.settings()
    with st.expander("Splits and missing values", expanded=bool(now.categorical_splits or now.missing)):
        _choice(
            "Categorical features",
            "categorical_splits",
            _with(_SPLITS, now.categorical_splits),
            _SPLITS,
            "How a feature with levels divides the rows.",
        )
        _choice(
            "Missing values",
            "missing",
            _with(_MISSING, now.missing),
            _MISSING,
            "What stands in for an empty cell before the tree is grown.",
        )


def _guess() -> None:
    key = state.setting_key("guess_first")
    st.session_state[key] = state.session().guess_first
    st.toggle(
        "Guess first",
        key=key,
        help="At each split, choose a feature before the numbers are shown; a score is kept.",
        on_change=lambda: state.change_view(guess_first=st.session_state[key]),
    )


def _stops_early() -> bool:
    now, default = state.settings(), type(state.settings())()
    names = ("max_depth", "min_samples_split", "min_samples_leaf", "min_gain")
    return any(getattr(now, name) != getattr(default, name) for name in names)


def _with(options: Any, current: Any) -> list[Any]:
    """The options, and the current one where a link brought another."""
    return list(options) + ([] if current in options else [current])


def _choice(label: str, name: str, options: list[Any], words: dict[Any, str], help_: str) -> None:
    key = state.setting_key(name)
    st.session_state[key] = getattr(state.settings(), name) or _PRESET
    st.selectbox(
        label,
        [option or _PRESET for option in options],
        key=key,
        format_func=lambda option: words.get(None if option == _PRESET else option, str(option)),
        help=help_,
        on_change=_take,
        args=(name,),
    )


def _number(label: str, name: str, value: int | None, least: int, help_: str) -> None:
    key = state.setting_key(name)
    st.session_state[key] = value
    st.number_input(
        label,
        min_value=least,
        value=None if name == "max_depth" else "min",
        step=1,
        key=key,
        help=help_,
        placeholder="no limit",
        required=name != "max_depth",
        on_change=_take,
        args=(name,),
    )


def _take(name: str) -> None:
    value = st.session_state[state.setting_key(name)]
    _try(lambda: state.change_settings(**{name: None if value == _PRESET else value}))


def _try(change: Any) -> None:
    """Make a change; where it cannot be, say why on the next screen and leave all as it was."""
    try:
        change()
    except EngineError as error:
        state.note(sentence(error))
