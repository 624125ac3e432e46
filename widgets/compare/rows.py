"""The rows of a side: some left out, some with a wrong target, or other data altogether."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import streamlit as st

from drawing import wording
from engine import EngineError
from engine.comparison import Side
from engine.comparison_rows import RowChoice
from widgets import cached, state
from widgets.compare import state as sides
from widgets.guard import sentence

Keys = Callable[[str, Side], str]
_SAME = "as in A"


def rows(side: Side, key_of: Keys) -> None:
    """What a side is grown from."""
    now = sides.rows(side)
    changed = not now.is_all or (side is Side.SECOND and sides.versus().data is not None)
    with st.expander("Rows", expanded=changed):
        if side is Side.SECOND:
            _second_data(key_of)
        _only(side, now, key_of)
        _without(side, now, key_of)
        _chance(side, now, key_of)


def parsed(text: str) -> tuple[int, ...]:
    """Row numbers, counted from 0, from what a person writes, counted from 1.

    Raises
    ------
    ValueError
        If it is no list of numbers and ranges.

    >>> parsed("3, 7-9"), parsed("")
    ((2, 6, 7, 8), ())
    """
    found: set[int] = set()
    for part in text.replace("–", "-").split(","):
        if not part.strip():
            continue
        first, _, last = part.partition("-")
        low, high = int(first), int(last or first)
        if not 1 <= low <= high or high - low > 100_000:
            raise ValueError(part)
        found.update(range(low - 1, high))
    return tuple(sorted(found))


def written(numbers: tuple[int, ...]) -> str:
    """The same as a person writes it.

    >>> written((2, 6, 7, 8, 10))
    '3, 7-9, 11'
    """
    runs: list[tuple[int, int]] = []
    for row in sorted(numbers):
        if runs and row == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], row)
        else:
            runs.append((row, row))
    return ", ".join(f"{a + 1}-{b + 1}" if b > a else str(a + 1) for a, b in runs)


def _only(side: Side, now: RowChoice, key_of: Keys) -> None:
    if now.only is None:
        return
    numbers = written(now.only)
    st.caption(f"Only rows {numbers if len(numbers) < 80 else numbers[:79] + '…'}.")
    st.button("Use all rows", key=key_of("only_rows", side), on_click=sides.change_rows, args=(side, _all(now)))


def _all(now: RowChoice) -> RowChoice:
    return replace(now, only=None)


def _without(side: Side, now: RowChoice, key_of: Keys) -> None:
    key = key_of("without_rows", side)
    st.session_state[key] = written(now.without)
    st.text_input(
        "Leave out rows",
        key=key,
        placeholder="none",
        help="Numbers of rows in the file, such as 14 or 3, 7-9.",
        on_change=lambda: _take_without(side, st.session_state[key]),
    )


def _take_without(side: Side, text: str) -> None:
    try:
        chosen = replace(sides.rows(side), without=parsed(text))
    except ValueError:
        state.note(f"The rows to leave out must be numbers such as 14 or 3, 7-9, got {wording.plain(text, 40)}.")
        return
    _take(side, chosen)


def _chance(side: Side, now: RowChoice, key_of: Keys) -> None:
    _share(
        side, "Left out at random", "dropped", key_of("dropped_rows", side), "The share of the rows left out besides."
    )
    _share(side, "Wrong targets", "noise", key_of("label_noise", side), "The share of the rows with a wrong target.")
    if now.noise or now.dropped:
        st.button(
            "Draw anew",
            key=key_of("label_noise_seed", side),
            icon=":material/casino:",
            on_click=lambda: _take(side, replace(sides.rows(side), noise_seed=sides.rows(side).noise_seed + 1)),
        )


def _share(side: Side, label: str, name: str, key: str, help_: str) -> None:
    st.session_state[key] = round(100 * getattr(sides.rows(side), name))
    st.slider(
        label,
        0,
        50,
        step=1,
        format="%d %%",
        key=key,
        help=help_,
        on_change=lambda: _take_share(side, name, st.session_state[key] / 100),
    )


def _take_share(side: Side, name: str, share: float) -> None:
    change: dict[str, Any] = {name: share}
    _take(side, replace(sides.rows(side), **change))


def _take(side: Side, chosen: RowChoice) -> None:
    """Take a choice if the table has such rows; else say why not."""
    try:
        chosen.take(cached.parts(sides.data(side))[0])
    except EngineError as error:
        state.note(sentence(error))
        return
    sides.change_rows(side, chosen)


def _second_data(key_of: Keys) -> None:
    """Another dataset, or another column to predict, for the second side."""
    own = sides.versus().data
    first = state.data()
    titles = {entry.name: entry.title for entry in cached.entries()}
    key, target_key = key_of("dataset", Side.SECOND), key_of("target", Side.SECOND)
    st.session_state[key] = "" if own is None or own.name == first.name else own.name
    st.selectbox(
        "Data of B",
        ["", *titles],
        key=key,
        format_func=lambda name: titles[name] if name else _SAME,
        on_change=lambda: _take_data(st.session_state[key]),
    )
    now = own or first
    columns = [str(column) for column in now.frame.columns]
    st.session_state[target_key] = now.target
    st.selectbox(
        "Target of B",
        columns,
        key=target_key,
        format_func=wording.plain,
        on_change=lambda: _take_target(st.session_state[target_key]),
    )


def _take_data(name: str) -> None:
    try:
        sides.use_second_data(state.ready(name) if name and name != state.data().name else None)
    except EngineError as error:
        state.note(sentence(error))


def _take_target(name: str) -> None:
    first = state.data()
    now = sides.versus().data or first
    made = replace(now, target=name, task=None, ignore=tuple(column for column in now.ignore if column != name))
    try:
        sides.use_second_data(None if (name, now.name) == (first.target, first.name) else made)
    except EngineError as error:
        state.note(sentence(error))
