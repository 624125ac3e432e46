"""Cached wrappers around the engine, the datasets and the drawing, each bounded.

What comes from a ready dataset is shared by all sessions; what comes from an upload or from edited
rows is kept for its session alone and goes with it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import streamlit as st

import datasets
from datasets import Entry
from engine import Growth, GrowthSettings, Table, grow
from engine.holdout import split_holdout
from engine.ingest import read_table
from widgets.session import CurrentData

_HASHES: dict[str | type[Any], Callable[[Any], Any]] = {
    CurrentData: lambda data: data.key,
    GrowthSettings: repr,
    Growth: lambda growth: growth_key(growth),
}


def growth_key(growth: Growth) -> str:
    """Names everything that a growth depends on: its rows and its settings."""
    return f"{growth.source.fingerprint} {growth.settings!r}"


class Cached:
    """A function of the current data, cached for everyone or, where the data is private, for one session."""

    def __init__(self, function: Callable[..., Any], *, shared: int, own: int) -> None:
        self._shared = st.cache_resource(function, max_entries=shared, show_spinner=False, hash_funcs=_HASHES)
        self._own = st.cache_resource(
            function, max_entries=own, show_spinner=False, hash_funcs=_HASHES, scope="session"
        )

    def __call__(self, data: CurrentData, *args: Any) -> Any:
        """What the function says of `data` and `args`."""
        return (self._own if data.private else self._shared)(data, *args)


@st.cache_resource(max_entries=48, show_spinner=False)
def ready_frame(name: str, n_rows: int | None, noise: float | None, seed: int | None) -> pd.DataFrame:
    """The cells of a ready dataset; treated as immutable."""
    return datasets.frame(name, n_rows=n_rows, noise=noise, seed=seed)


@st.cache_resource(max_entries=1, show_spinner=False)
def entries() -> tuple[Entry, ...]:
    """The catalogue."""
    return datasets.catalogue()


def _read(data: CurrentData) -> tuple[Table, Table, Table | None]:
    display = dict(data.entry.display) if data.entry is not None else None
    whole = read_table(
        data.frame,
        target=data.target,
        ignore=data.ignore,
        categorical=data.categorical,
        numeric=data.numeric,
        task=data.task,
        name=data.name,
        display=display,
    )
    if not data.holdout_share:
        return whole, whole, None
    training, holdout = split_holdout(whole, data.holdout_share, data.holdout_seed)
    return whole, training, holdout


_tables = Cached(_read, shared=48, own=4)


def table(data: CurrentData) -> Table:
    """The table with all rows."""
    found: Table = _tables(data)[0]
    return found


def parts(data: CurrentData) -> tuple[Table, Table | None]:
    """The rows to grow from, and those set aside."""
    _, training, holdout = _tables(data)
    return training, holdout


def _grow(data: CurrentData, settings: GrowthSettings) -> Growth:
    return grow(parts(data)[0], settings)


_growths = Cached(_grow, shared=64, own=6)


def growth(data: CurrentData, settings: GrowthSettings) -> Growth:
    """The growth of the current data under `settings`."""
    found: Growth = _growths(data, settings)
    return found
