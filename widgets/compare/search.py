"""Find data where the two settings disagree: small random tables, or parts of the rows at hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from enum import StrEnum

import pandas as pd
import streamlit as st

import datasets
from drawing import wording
from drawing.comparison import names
from engine import Table
from engine.comparison import Side
from engine.comparison_rows import RowChoice
from engine.comparison_search import PER_SIZE, SMALLEST, Tried, apart, search, subsets
from engine.ingest import RawFrame, read_table
from engine.table import TargetKind
from widgets import cached, state
from widgets.compare import growing
from widgets.compare import state as sides
from widgets.compare.jobs import State, job, watch
from widgets.compare.keys import Own
from widgets.compare.screen import Trees
from widgets.escape import plain

SMALL = "small_random"
AT_ONCE = 25
MOST_ROWS = 24
"""Rows of the largest random table that is tried."""

Label = tuple[int, int] | tuple[int, ...]


class Place(StrEnum):
    """Where to search."""

    TABLES = "small random tables"
    PARTS = "parts of these rows"


def find(trees: Trees) -> None:
    """Draw the panel."""
    st.markdown(
        "Two settings may grow the same tree here and different ones elsewhere. The search begins with the "
        "smallest tables and opens the first on which the trees differ."
    )
    _back()
    number = trees.both.first.source.target.kind is TargetKind.NUMBER
    places = [Place.PARTS] if number or not trees.both.same_target else list(Place)
    if st.session_state.get(Own.HUNT_PLACE) not in places:
        st.session_state[Own.HUNT_PLACE] = places[0]
    place = st.radio("Search in", places, key=Own.HUNT_PLACE, horizontal=True) or places[0]
    work = job(Own.HUNT, f"{place} {growing.about(trees.both)}", lambda: _hunt(place, trees))
    watch(
        Own.HUNT,
        work,
        start="Find data where they disagree",
        share=lambda tried: _share(place, tried, trees),
        words=lambda tried: plain(_words(tried)),
    )
    found = work.latest
    if work.state is State.DONE and found is not None and found.found is not None:
        _open(place, found)
        st.rerun()


def _share(place: Place, tried: Tried[Label], trees: Trees) -> float:
    most = MOST_ROWS if place is Place.TABLES else trees.both.first.source.n_rows
    return tried.n_rows / max(most, 1)


def _words(tried: Tried[Label]) -> str:
    if tried.found is None:
        return f"{tried.n_tried:,} tables tried, now of {wording.rows(tried.n_rows)}: the trees are the same."
    one, other = names(tried.found)
    return f"{tried.n_tried:,} tables tried: {one} and {other} differ on {wording.rows(tried.n_rows)}."


def _hunt(place: Place, trees: Trees) -> Iterator[Tried[Label]]:
    settings = sides.settings(Side.FIRST), sides.settings(Side.SECOND)
    if place is Place.TABLES:
        return search(_small_tables(), *settings)
    whole = cached.parts(trees.data)[0]
    labelled = ((tuple(whole.row_numbers[rows].tolist()), whole.take(rows)) for rows in subsets(whole.n_rows))
    return search(labelled, *settings)


def _small_tables() -> Iterator[tuple[Label, Table]]:
    """Random tables by number of rows and seed, read a few dozen at once."""
    entry = datasets.entry(SMALL)
    for n_rows in range(SMALLEST, MOST_ROWS + 1):
        for first in range(0, PER_SIZE, AT_ONCE):
            seeds = range(first, first + AT_ONCE)
            frames = [datasets.frame(SMALL, n_rows=n_rows, seed=seed) for seed in seeds]
            raw = RawFrame(pd.concat(frames, ignore_index=True), SMALL)
            together = read_table(raw, target=entry.target, numeric=entry.numeric)
            yield from (((n_rows, seed), table) for seed, table in zip(seeds, apart(together, n_rows), strict=True))


def _open(place: Place, tried: Tried[Label]) -> None:
    """Make what was found the data of both sides, at the first difference."""
    found = tried.found
    if found is None or (difference := found.first_difference) is None:
        return
    st.session_state[Own.HUNT_BEFORE] = (state.data(), sides.versus(), state.settings())
    if place is Place.TABLES:
        n_rows, seed = tried.label
        first, second = (replace(sides.settings(side), choices=()) for side in Side)
        state.use_dataset(SMALL, n_rows=n_rows, seed=seed)
        state.set_holdout(0.0, 0)
        state.use_settings(first)
        sides.change(settings=second, data=None)
    else:
        rows = RowChoice(only=tried.label)
        sides.change(rows=rows, rows_b=rows, data=None)
    sides.go_to(found.step_of(difference))


def _back() -> None:
    """After a search: the way back to the data before it."""
    if Own.HUNT_BEFORE in st.session_state:
        st.button("Back to the data before the search", icon=":material/undo:", on_click=_return)


def _return() -> None:
    data, versus, settings = st.session_state.pop(Own.HUNT_BEFORE)
    state.change_view(data=data, settings=settings, good_settings=settings, goto=state.session().goto + 1)
    state.change_view(versus=replace(versus, goto=state.session().versus.goto + 1))
