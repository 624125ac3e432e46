"""Widgets for single settings: each is set from the session before it is drawn and writes to it when changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from engine import EngineError
from widgets import state
from widgets.guard import sentence

PRESET = "the algorithm's own"
"""Stands for a setting that is left to the algorithm."""


def choice(label: str, name: str, options: Sequence[Any], words: Mapping[Any, str], help_: str, own: str = "") -> None:
    """One of a few values, or the algorithm's own; `own` are the words for it."""
    key = state.setting_key(name)
    current = getattr(state.settings(), name)
    st.session_state[key] = PRESET if current is None else current
    shown = [PRESET, *options, *([] if current in (None, *options) else [current])]
    preset = own or PRESET
    st.selectbox(
        label,
        shown,
        key=key,
        format_func=lambda option: preset if option == PRESET else words.get(option, str(option)),
        help=help_,
        on_change=take,
        args=(name,),
    )


def whole(label: str, name: str, least: int, help_: str, *, empty: str = "") -> None:
    """A whole number of at least `least`; with `empty`, words for none at all."""
    key = state.setting_key(name)
    st.session_state[key] = getattr(state.settings(), name)
    st.number_input(
        label,
        min_value=least,
        value=None if empty else "min",
        step=1,
        key=key,
        help=help_,
        placeholder=empty or None,
        required=not empty,
        on_change=take,
        args=(name,),
    )


def decimal(label: str, name: str, step: float, help_: str, *, empty: str = "") -> None:
    """A number; the engine says which are allowed. With `empty`, words for none at all."""
    key = state.setting_key(name)
    value = getattr(state.settings(), name)
    st.session_state[key] = None if value is None else float(value)
    st.number_input(
        label,
        value=None if empty else "min",
        step=step,
        format="%.3f",
        key=key,
        help=help_,
        placeholder=empty or None,
        required=not empty,
        on_change=take,
        args=(name,),
    )


def switch(label: str, name: str, help_: str, *, disabled: bool = False) -> None:
    """On or off."""
    key = state.setting_key(name)
    st.session_state[key] = getattr(state.settings(), name)
    st.toggle(label, key=key, help=help_, disabled=disabled, on_change=take, args=(name,))


def take(name: str) -> None:
    """Take over what the widget of a setting says."""
    value = st.session_state[state.setting_key(name)]
    attempt(lambda: state.change_settings(**{name: None if value == PRESET else value}))


def attempt(change: Callable[[], None]) -> None:
    """Make a change; where it cannot be, say why on the next screen and leave all as it was."""
    try:
        change()
    except EngineError as error:
        state.note(sentence(error))
