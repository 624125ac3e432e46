"""Cached wrappers around the engine, the datasets and the drawing, each bounded.

What comes from a ready dataset is shared by all sessions; what comes from an upload or from edited
rows is kept for its session alone and goes with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from enum import Enum
from inspect import signature
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

import numpy as np
import pandas as pd
import streamlit as st

import datasets
from datasets import Entry
from drawing.figures.gain_curve import gain_curve_figure, gain_curve_text
from drawing.figures.regions import regions_figure, regions_text
from drawing.storyboard import storyboard
from drawing.theme import Mode
from engine import Candidate, Growth, GrowthSettings, Table, Tree, grow
from engine.comparison import Comparison
from engine.evidence import candidate
from engine.holdout import split_holdout
from engine.ingest import RawFrame, read_table
from engine.rules import Line, python_lines
from engine.scores import Scores
from engine.table import IntArray
from engine.tree import class_values
from widgets.chart import Picture, picture
from widgets.session import CurrentData
from widgets.stage import Story, pack

REGIONS_HEIGHT = 232
CURVE_HEIGHT = 260

P = ParamSpec("P")
R = TypeVar("R")

_TOLD: dict[type[Any], Callable[[Any], str]] = {
    CurrentData: lambda data: data.key,
    GrowthSettings: repr,
    Growth: lambda growth: growth.fingerprint,
    Table: lambda table: table.fingerprint,
    Comparison: lambda both: f"{both.first.fingerprint} {both.second.fingerprint}",
}
_PLAIN = (str, int, float, bool, type(None), Enum)


class Cached(Generic[P, R]):
    """A function of the current data, cached for everyone or, where the data is private, for one session.

    Streamlit's cache keeps the results under a key made here: its own way of hashing each argument
    takes a fifth of a step. A parameter whose name begins with an underscore tells nothing apart.
    `shared` and `own` are the greatest numbers of results kept; `hashes` names values of further types.
    """

    def __init__(
        self,
        function: Callable[Concatenate[CurrentData, P], R],
        *,
        shared: int,
        own: int,
        hashes: Mapping[type[Any], Callable[[Any], str]] | None = None,
    ) -> None:
        def held(key: str, _make: Callable[[], R]) -> R:  # noqa: ARG001 - Streamlit reads it
            return _make()

        # Streamlit tells cached functions apart by their names.
        held.__module__, held.__qualname__ = function.__module__, function.__qualname__
        self._function = function
        self._told = {**_TOLD, **(hashes or {})}
        self._counts = tuple(not name.startswith("_") for name in signature(function).parameters)
        self._shared = st.cache_resource(max_entries=shared, show_spinner=False)(held)
        self._own = st.cache_resource(max_entries=own, show_spinner=False, scope="session")(held)

    def __call__(self, data: CurrentData, *args: P.args, **kwargs: P.kwargs) -> R:
        """What the function says of `data`."""
        cached = self._own if data.private else self._shared
        told = [self._name(value) for value, counts in zip((data, *args), self._counts, strict=False) if counts]
        told += [f"{name}={self._name(value)}" for name, value in sorted(kwargs.items())]
        return cached(key="\n".join(told), _make=lambda: self._function(data, *args, **kwargs))

    def _name(self, value: object) -> str:
        """Text that is the same for equal values alone."""
        how = self._told.get(type(value))
        if how is not None:
            return how(value)
        if isinstance(value, tuple | list):
            return f"({','.join(self._name(one) for one in value)})"
        if isinstance(value, _PLAIN) or is_dataclass(value):
            return repr(value)
        raise TypeError(f"no key for a value of type {type(value).__name__}; give one in hashes")


# ---- data ---------------------------------------------------------------------------------------


@st.cache_resource(max_entries=48, show_spinner=False)
def ready_frame(name: str, n_rows: int | None, noise: float | None, seed: int | None) -> pd.DataFrame:
    """The cells of a ready dataset; treated as immutable."""
    return datasets.frame(name, n_rows=n_rows, noise=noise, seed=seed)


@st.cache_resource(max_entries=1, show_spinner=False)
def entries() -> tuple[Entry, ...]:
    """The catalogue."""
    return datasets.catalogue()


@st.cache_resource(max_entries=512, show_spinner=False, hash_funcs={Table: _TOLD[Table]})
def spread(table: Table, feature: int) -> tuple[float, float, float]:
    """Least, middle and greatest known value of a numeric feature; the middle one occurs in the table."""
    known = np.sort(table.columns[feature][~table.missing(feature)])
    if not len(known):
        return 0.0, 0.0, 0.0
    return float(known[0]), float(known[len(known) // 2]), float(known[-1])


def _read(data: CurrentData) -> tuple[Table, Table, Table | None]:
    whole = read_table(
        RawFrame(data.frame, data.name),
        target=data.target,
        ignore=data.ignore,
        categorical=data.categorical,
        numeric=data.numeric,
        task=data.task,
        display=dict(data.entry.display) if data.entry is not None else None,
    )
    if not data.holdout_share:
        return whole, whole, None
    training, holdout = split_holdout(whole, data.holdout_share, data.holdout_seed)
    return whole, training, holdout


_tables = Cached(_read, shared=48, own=4)


def table(data: CurrentData) -> Table:
    """The table with all rows."""
    return _tables(data)[0]


def parts(data: CurrentData) -> tuple[Table, Table | None]:
    """The rows to grow from, and those set aside."""
    _, training, holdout = _tables(data)
    return training, holdout


# ---- a growth and what is shown of it -----------------------------------------------------------


def _grow(data: CurrentData, settings: GrowthSettings) -> Growth:
    training, held = parts(data)
    return grow(training, settings, holdout=held)


def _story(_: CurrentData, growth: Growth) -> Story:
    return pack(storyboard(growth))


def _best(_: CurrentData, growth: Growth, node: int) -> list[Candidate]:
    return growth.best_candidates(node)


def _scan(_: CurrentData, growth: Growth, node: int, feature: int) -> Scores:
    return growth.scan(node, feature)


def _program(_: CurrentData, growth: Growth) -> list[Line]:
    return python_lines(growth.tree)


def _curve(
    _: CurrentData, growth: Growth, node: int, feature: str, by_hand: float | None, mode: Mode
) -> tuple[Picture, str]:
    figure = gain_curve_figure(growth, node, feature, by_hand=by_hand, mode=mode, height=CURVE_HEIGHT)
    return picture(figure), gain_curve_text(growth, node, feature, by_hand=by_hand)


def _map(
    _: CurrentData, growth: Growth, step: int, node: int, x: str, y: str | None, mode: Mode
) -> tuple[Picture, str]:
    tree = growth.tree.at(step)
    figure = regions_figure(tree, x, y, node=node, mode=mode, height=REGIONS_HEIGHT)
    return picture(figure), regions_text(tree, x, y, node=node)


def _answers(data: CurrentData, growth: Growth) -> IntArray:
    held = parts(data)[1]
    assert held is not None
    return growth.tree.apply(data.frame.iloc[held.row_numbers].reset_index(drop=True))


growth = Cached(_grow, shared=64, own=6)
"""The growth of the current data under settings."""
story = Cached(_story, shared=64, own=4)
"""What the stage shows of a growth, as the bytes that travel."""
best_candidates = Cached(_best, shared=512, own=128)
"""The best candidate of each feature at a node, ranked."""
scan = Cached(_scan, shared=128, own=16)
"""All candidates of one feature at a node."""
program = Cached(_program, shared=16, own=2)
"""The finished tree as a Python program, line by line."""
curve = Cached(_curve, shared=128, own=16)
"""Gain against threshold, and the same in words; `by_hand` is a threshold marked beside the best one."""
regions = Cached(_map, shared=256, own=32)
"""The decision regions of the tree at a step, and the same in words."""
holdout_answers = Cached(_answers, shared=64, own=4)
"""The node of the finished tree that answers for each row set aside."""


def candidate_at(data: CurrentData, growth: Growth, node: int, feature: int, threshold: float) -> Candidate:
    """The candidate of a numeric feature whose threshold is nearest to `threshold`."""
    scores = scan(data, growth, node, feature)
    nearest = int(np.abs(scores.thresholds - threshold).argmin())
    same = [c for c in best_candidates(data, growth, node) if c.split == scores.split(nearest)]
    return same[0] if same else candidate(growth.table, scores, nearest)


def holdout_accuracy(data: CurrentData, growth: Growth, step: int) -> float | None:
    """Share of the rows set aside that the tree at a step gets right; None without such rows."""
    held = parts(data)[1]
    if held is None or not held.n_rows:
        return None
    tree = growth.tree.at(step)
    if tree.is_number or tree.nodes.parts is not None:
        return tree.accuracy(held)
    here = _standing(tree)[holdout_answers(data, growth)]
    predicted = np.asarray(growth.table.target.classes, dtype=object)[tree.nodes.prediction[here]]
    return float(np.mean(predicted == class_values(held)))


def _standing(tree: Tree) -> IntArray:
    """For each node of the finished tree, itself or its nearest ancestor that is visible in this view."""
    standing = np.arange(len(tree.nodes))
    for node in np.flatnonzero(~tree.is_visible).tolist():
        standing[node] = standing[tree.nodes.parent[node]]
    return standing
