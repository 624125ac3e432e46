"""The sidebar of the Compare page: the data, the built-in duels, and the settings and rows of each side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from drawing import wording
from drawing.comparison import ALGORITHMS, LETTERS, criterion_name
from engine import Algorithm, CategoricalSplits, Criterion, EngineError, GrowthSettings, Missing
from engine.comparison import Side
from engine.comparison_criteria import CRITERIA
from engine.table import TargetKind
from widgets import cached, state
from widgets.compare import state as sides
from widgets.compare.duels import DUELS, open_duel
from widgets.compare.rows import rows
from widgets.guard import sentence
from widgets.link import UPLOAD

_PRESET = "the algorithm's own"
_STYLE = (
    "<style>:is(.st-key-setting_algorithm, .st-key-setting_algorithm_b) button "
    "{padding-left: 0.35rem; padding-right: 0.35rem}</style>"
)
_SUFFIX = {Side.FIRST: "", Side.SECOND: "_b"}
_SPLITS = {CategoricalSplits.MULTIWAY: "a branch a level", CategoricalSplits.SUBSET: "two groups of levels"}
_MISSING = {
    Missing.MOST_COMMON: "the most common value",
    Missing.OWN_BRANCH: "a branch of their own",
    Missing.FRACTIONAL: "down every branch, in parts",
    Missing.DROP: "leave the row out",
}
_NUMBERS = (
    ("Maximum depth", "max_depth", 0, "Nodes at this depth become leaves. Empty: no limit."),
    ("Minimum rows to split", "min_samples_split", 2, "Smaller nodes become leaves."),
    ("Minimum rows in a branch", "min_samples_leaf", 1, "Bars splits with less."),
)
_STOPS = ("min_gain", "significance", *(described[1] for described in _NUMBERS))


def key_of(name: str, side: Side) -> str:
    """The key of the widget that changes one thing on one side."""
    return state.setting_key(name + _SUFFIX[side])


def sidebar() -> None:
    """Duels, data, and a tab a side."""
    st.html(_STYLE)
    with st.sidebar:
        _duels()
        _data()
        for side, tab in zip(Side, st.tabs([f"Tree {LETTERS[side]}" for side in Side]), strict=True):
            with tab:
                _algorithm(side)
                _stopping(side)
                _splits(side)
                rows(side, key_of)
        st.button("Swap A and B", key=state.setting_key("swap"), icon=":material/swap_horiz:", on_click=sides.swap)


def _duels() -> None:
    key = state.setting_key("duel")
    asked = sides.versus().duel
    if asked and asked not in DUELS:
        state.note(f"There is no duel {asked!r}; there are {', '.join(DUELS)}.")
        sides.forget_duel()
    st.session_state[key] = sides.versus().duel
    st.selectbox(
        "Duel",
        ["", *DUELS],
        key=key,
        format_func=lambda name: DUELS[name].title if name else "your own",
        help="Two trees that are worth seeing side by side.",
        on_change=lambda: _try(lambda: open_duel(st.session_state[key])),
    )


def _data() -> None:
    now = state.data()
    titles = {entry.name: entry.title for entry in cached.entries()}
    key = state.setting_key("dataset")
    st.session_state[key] = UPLOAD if now.uploaded else now.name
    st.selectbox(
        "Data",
        [UPLOAD, *titles] if now.uploaded else list(titles),
        key=key,
        format_func=lambda name: wording.plain(now.title) if name == UPLOAD else titles[name],
        on_change=lambda: _take_dataset(st.session_state[key]),
    )


def _take_dataset(name: str) -> None:
    if name != UPLOAD:
        _try(lambda: state.use_dataset(name))


def _algorithm(side: Side) -> None:
    now, kind = sides.settings(side), cached.table(sides.data(side)).target.kind
    key = key_of("algorithm", side)
    st.session_state[key] = now.algorithm
    st.segmented_control(
        "Algorithm",
        list(Algorithm),
        key=key,
        required=True,
        width="stretch",
        format_func=lambda option: ALGORITHMS[option],
        on_change=_take,
        args=("algorithm", side),
    )
    words = {criterion: criterion_name(criterion) for criterion in Criterion}
    _choice("Criterion", "criterion", side, CRITERIA[kind], words, "What makes a split good.")


def _stopping(side: Side) -> None:
    now = sides.settings(side)
    default = GrowthSettings()
    changed = any(getattr(now, name) != getattr(default, name) for name in _STOPS)
    with st.expander("Stopping rules", expanded=changed):
        for label, name, least, help_ in _NUMBERS:
            key = key_of(name, side)
            st.session_state[key] = getattr(now, name)
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
                args=(name, side),
            )
        _decimal("Minimum gain", "min_gain", side, "A node whose best split gains less becomes a leaf.")
        if cached.table(sides.data(side)).target.kind is TargetKind.CLASSES:
            _decimal(
                "Significance",
                "significance",
                side,
                "A node whose best split has a greater p value becomes a leaf. Often 0.05.",
                empty="off",
            )


def _decimal(label: str, name: str, side: Side, help_: str, *, empty: str = "") -> None:
    key = key_of(name, side)
    value = getattr(sides.settings(side), name)
    st.session_state[key] = None if value is None else float(value)
    st.number_input(
        label,
        min_value=0.0,
        value=None if empty else "min",
        step=0.01,
        format="%.3f",
        key=key,
        help=help_,
        placeholder=empty or None,
        required=not empty,
        on_change=_take,
        args=(name, side),
    )


def _splits(side: Side) -> None:
    now = sides.settings(side)
    table = cached.table(sides.data(side))
    with st.expander("Splits and missing values", expanded=bool(now.categorical_splits or now.missing)):
        _choice(
            "Categorical features",
            "categorical_splits",
            side,
            tuple(_SPLITS),
            _SPLITS,
            "How a feature with levels divides the rows.",
        )
        lacking = sum(feature.n_missing for feature in table.features)
        said = f"{lacking} missing {'value' if lacking == 1 else 'values'}." if lacking else "This table has none."
        _choice("Missing values", "missing", side, tuple(_MISSING), _MISSING, said)


def _choice(label: str, name: str, side: Side, options: Sequence[Any], words: dict[Any, str], help_: str) -> None:
    key = key_of(name, side)
    current = getattr(sides.settings(side), name)
    st.session_state[key] = current or _PRESET
    offered = [_PRESET, *options] + ([current] if current is not None and current not in options else [])
    st.selectbox(
        label,
        offered,
        key=key,
        format_func=lambda option: words.get(option, str(option)),
        help=help_,
        on_change=_take,
        args=(name, side),
    )


def _take(name: str, side: Side) -> None:
    value = st.session_state[key_of(name, side)]
    _try(lambda: sides.change_settings(side, **{name: None if value == _PRESET else value}))


def _try(change: Callable[[], object]) -> None:
    """Make a change; where it cannot be, say why on the next screen and leave all as it was."""
    try:
        change()
    except EngineError as error:
        state.note(sentence(error))
