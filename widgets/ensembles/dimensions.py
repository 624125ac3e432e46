"""The curse of dimensionality: random features are added, and the tree and the ensemble are tested."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from drawing.ensembles_spread import Plural
from drawing.figures.ensembles_dimensions import dimensions_figure, dimensions_rows, dimensions_text
from drawing.theme import Mode
from engine import Table
from engine.ensembles import EnsembleSettings, RandomRuns, random_features
from widgets.cached import Cached
from widgets.chart import Picture, chart, picture
from widgets.compare.jobs import job, watch
from widgets.ensembles.building import HASHES, MOST_ANSWERS
from widgets.ensembles.here import Here
from widgets.ensembles.keys import Own
from widgets.panels.html import show_table
from widgets.session import CurrentData

MOST_TREES = 30
"""Members of an ensemble here."""
_CHOICES = (10, 20, 50, 100, 200)
_PARTS = (0.0, 0.1, 0.2, 0.5, 1.0)
"""Shares of the most features that are tried."""


@dataclass(frozen=True, eq=False)
class Found:
    """The runs so far; `key` names them."""

    key: str
    so_far: RandomRuns


def dimensions(here: Here) -> None:
    """The tab."""
    table = here.ensemble.source
    st.caption(
        "Columns of random numbers say nothing of the target. The more there are, the more often one of them separates "
        "a few rows by chance, and the fewer of the features that a forest draws at a split are of use."
    )
    left, right, _ = st.columns([1, 1, 2])
    most = left.selectbox("Random features, at most", _CHOICES, index=2, key=Own.RANDOM_MOST)
    seeds = int(right.number_input("Seeds", 1, 20, 3, key=Own.RANDOM_SEEDS, help="Each draws its own test rows."))
    numbers = tuple(round(most * part) for part in _PARTS)
    settings = _settings(here, table, len(numbers) * seeds)
    about = f"{table.fingerprint} {settings!r} {numbers} {seeds}"
    work = job(Own.RANDOM, about, lambda: random_features(table, settings, numbers=numbers, seeds=range(seeds)))
    if work.latest is not None and work.latest.points:
        name = Plural.of(settings).one
        shown, words = _pictures(
            here.built.data,
            Found(f"{about} {len(work.latest.points)}", work.latest),
            name,
            here.words.is_number,
            here.mode,
        )
        where, beside = st.columns([11, 9], gap="medium")
        with where:
            chart(shown, key=Own.RANDOM_PLOT, alt=words)
        with beside:
            _table(work.latest, here.words.is_number)
    watch(
        Own.RANDOM,
        work,
        start="Add random features and test",
        share=lambda now: now.share,
        words=lambda now: f"{len(now.points)} of {now.n_runs} runs.",
    )


def _settings(here: Here, table: Table, n_runs: int) -> EnsembleSettings:
    """The ensemble's own, with no more members than the page can grow so often."""
    settings, n_trees = here.ensemble.settings, max(here.ensemble.n_trees_a_round, 1)
    most = max(MOST_ANSWERS // (n_runs * table.n_rows * n_trees), 1)
    return replace(settings, n_members=min(settings.n_members, MOST_TREES, most), draws=(), splits=())


def _table(found: RandomRuns, is_number: bool) -> None:
    show_table(
        ["added", "error: tree", "ensemble", "importance: tree", "ensemble"],
        dimensions_rows(found.points, is_number=is_number),
        numbers=range(5),
        caption="Mean test errors, and the share of the importance that falls on random features",
    )
    st.caption("Mean test errors, and how much of the importance falls on random features.")


def _drawn(_: CurrentData, found: Found, name: str, is_number: bool, mode: Mode) -> tuple[Picture, str]:
    points = found.so_far.points
    figure = dimensions_figure(points, name, is_number=is_number, mode=mode)
    return picture(figure), dimensions_text(points, name, is_number=is_number)


_pictures = Cached(_drawn, shared=32, own=4, hashes={**HASHES, Found: lambda found: found.key})
