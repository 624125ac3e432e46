"""The ready datasets: a quick choice, a gallery of cards, and the numbers that a generator asks for."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

import streamlit as st

import datasets
from datasets import Entry
from drawing.theme import quantity
from widgets import cached, state
from widgets.escape import plain
from widgets.guard import guarded
from widgets.state import Key

_OWN_FILE = ""
LARGER = 100
"""Rows from which a table is a larger one."""


class Group(StrEnum):
    """The shelves of the gallery, in the order of a course."""

    FIRST = "First steps"
    TEXTBOOK = "Textbook tables"
    LARGER = "Larger tables"
    TRAPS = "Traps"
    FORMULA = "Drawn by a formula"


_FIRST = ("play_tennis", "guess_who", "spam_emails", "contact_lenses", "weather_numeric", "iris", "boolean_function")
_TRAPS = (
    "play_tennis_noisy",
    "derived_xor",
    "feature_table_last_time",
    "greedy_splitting",
    "greedy_splitting_lactase",
    "stump_accuracy_slide",
    "xo_accuracy_fails_printed",
    "xo_accuracy_fails_reconstructed",
)


def group_of(entry: Entry) -> Group:
    """The shelf that a dataset stands on."""
    if entry.kind == "generator":
        return Group.FORMULA
    if entry.name in _FIRST:
        return Group.FIRST
    if entry.name in _TRAPS:
        return Group.TRAPS
    return Group.LARGER if entry.n_rows >= LARGER else Group.TEXTBOOK


def matching(entries: Iterable[Entry], search: str, group: Group | None) -> tuple[Entry, ...]:
    """The entries to show: those that hold every word of `search`, or else those of the group."""
    words = search.casefold().split()
    if words:
        return tuple(e for e in entries if all(word in _text(e) for word in words))
    return tuple(e for e in entries if group is None or group_of(e) is group)


def size(entry: Entry) -> str:
    """A dataset's rows, features and classes in words."""
    what = f"{entry.n_classes} classes" if entry.n_classes else "a number to predict"
    features = "1 feature" if entry.n_features == 1 else f"{entry.n_features} features"
    return f"{entry.n_rows:,} rows · {features} · {what}"


def quick_choice() -> None:
    """All ready datasets in one list."""
    now = state.data()
    titles = {entry.name: f"{entry.title} · {entry.n_rows:,} rows" for entry in cached.entries()}
    st.session_state[Key.DATASET] = _OWN_FILE if now.uploaded else now.name
    st.selectbox(
        "Ready table",
        [_OWN_FILE, *titles] if now.uploaded else list(titles),
        key=Key.DATASET,
        format_func=lambda name: titles.get(name, f"Your file {now.title}"),
        on_change=_take_choice,
    )


def generator() -> None:
    """Rows, noise and seed of a dataset that is drawn by a formula."""
    now = state.data()
    if now.entry is None or now.entry.kind != "generator":
        return
    made = datasets.generator(now.name)
    rows, noise, seed = st.columns(3)
    st.session_state[Key.MADE_ROWS] = made.n_rows if now.n_rows is None else now.n_rows
    st.session_state[Key.MADE_NOISE] = made.noise if now.noise is None else now.noise
    st.session_state[Key.MADE_SEED] = made.seed if now.seed is None else now.seed
    step = 1 if made.rows_range[1] <= 100 else 10
    rows.slider("Rows", *made.rows_range, step=step, key=Key.MADE_ROWS, on_change=_draw)
    noise.slider("Noise", *made.noise_range, step=0.05, key=Key.MADE_NOISE, on_change=_draw)
    seed.number_input("Seed", min_value=0, max_value=2**31 - 1, step=1, key=Key.MADE_SEED, on_change=_draw)


def gallery() -> None:
    """One card a dataset, a shelf at a time or by search."""
    entry = state.data().entry
    st.session_state.setdefault(Key.GROUP, group_of(entry) if entry is not None else Group.FIRST)
    shelf, search = st.columns([3, 1], vertical_alignment="bottom")
    group = shelf.segmented_control("Shelf", list(Group), key=Key.GROUP, label_visibility="collapsed")
    words = search.text_input("Search", key=Key.SEARCH, placeholder="Search all", label_visibility="collapsed")
    found = matching(cached.entries(), words or "", group)
    if not found:
        st.caption("No ready table holds these words. Try a shorter one, or clear the search.")
    with st.grid(min_column_width=250, border=True) as cards:
        for shown in found:
            with cards.cell():
                _card(shown)


def _card(entry: Entry) -> None:
    current = entry.name == state.data().name and not state.data().uploaded
    st.markdown(f"**{plain(entry.title)}**")
    st.markdown(plain(entry.teaches))
    st.caption(f"{plain(size(entry))}  \n{plain(entry.source)} · {plain(entry.licence)}")
    st.space("stretch")
    if current:
        st.badge("In use", icon=":material/check:", color="primary")
    else:
        st.button(f"Use {plain(entry.title)}", key=f"use_{entry.name}", on_click=_take_card, args=(entry.name,))


def _take_choice() -> None:
    name = st.session_state[Key.DATASET]
    if name != _OWN_FILE:
        _take(name)


def _take_card(name: str) -> None:
    _take(name)
    st.session_state[Key.SECTION] = "Rows"


def _take(name: str) -> None:
    with guarded():
        state.use_dataset(name)


def _draw() -> None:
    chosen = st.session_state
    with guarded():
        state.use_dataset(state.data().name, chosen[Key.MADE_ROWS], chosen[Key.MADE_NOISE], chosen[Key.MADE_SEED])


def _text(entry: Entry) -> str:
    return " ".join((entry.name, entry.title, entry.teaches, entry.source, quantity(entry.n_rows))).casefold()
