"""Variance made visible: a tree and an ensemble from each of several resamples, laid over one another."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from drawing import phrases
from drawing.ensembles_spread import Plural, spread_rows, spread_words
from drawing.figures.ensembles_spread import spread_figure, spread_text
from drawing.theme import Mode
from engine import Table
from engine.axes import feature_axis
from engine.ensembles import (
    Ensemble,
    EnsembleMap,
    EnsembleRegions,
    EnsembleSettings,
    Resampling,
    Spread,
    ensemble_importance,
    resampling,
    spread_of,
)
from widgets import state
from widgets.cached import Cached
from widgets.chart import Picture, chart, picture
from widgets.compare.jobs import job, watch
from widgets.ensembles.building import HASHES, MOST_ANSWERS
from widgets.ensembles.here import Here
from widgets.ensembles.keys import Own
from widgets.ensembles.testing import Parts, parts
from widgets.escape import plain
from widgets.guard import guarded
from widgets.panels.html import show_table
from widgets.session import CurrentData

MOST_TREES = 50
"""Members of an ensemble of a resample."""
_MOST_CELLS = 60_000
_PIXELS = (240, 160)


@dataclass(frozen=True, eq=False)
class Found:
    """The resamples so far; `key` names them."""

    key: str
    so_far: Resampling


@dataclass(frozen=True)
class Shown:
    """The picture of the trees and that of the ensembles, each also in words, and what is averaged over."""

    trees: Picture
    ensembles: Picture
    of_trees: str
    of_ensembles: str
    hidden: str


def variance(here: Here) -> None:
    """The tab."""
    x, y = _axes(here)
    asked = parts(here.ensemble)
    settings, table = _settings(here.ensemble), asked.training
    plural = Plural.of(settings)
    st.caption(
        plain(
            f"The rows are drawn anew, with replacement, and from each draw one tree is grown and {plural.one}. The "
            "more their answers change from draw to draw, the greater is their variance."
        )
    )
    left, right = st.columns([1, 3], vertical_alignment="bottom")
    n = int(left.number_input("Resamples", 2, 20, 10, key=Own.SPREAD_N, help="How often the rows are drawn anew."))
    shown = [name for name in (x, y) if name is not None]
    if len(shown) < len(table.features) and right.toggle(
        plain(f"Grow from {phrases.listed([phrases.plain(name, 30) for name in shown])} alone"),
        key=Own.SPREAD_SHOWN,
        help="The picture is then exact: what is not shown does not matter.",
    ):
        table, settings = _only(table, settings, shown)
    about = f"{here.built.key} {settings!r} {n} {shown if len(shown) == len(table.features) else ''}"
    work = job(Own.SPREAD, about, lambda: resampling(table, settings, n))
    if work.latest is not None and len(work.latest.resamples) > 1:
        with guarded():
            _result(here, Found(f"{about} {len(work.latest.resamples)}", work.latest), asked, x, y)
    watch(
        Own.SPREAD,
        work,
        start=f"Draw {n} times and grow",
        share=lambda now: now.share,
        words=lambda now: f"{len(now.resamples)} of {now.n_resamples} resamples.",
    )


def _settings(ensemble: Ensemble) -> EnsembleSettings:
    """The ensemble's own, without what a book drew, and with no more members than the page can grow so often."""
    n_trees = max(ensemble.n_trees_a_round, 1)
    most = max(MOST_ANSWERS // (10 * ensemble.base.n_rows * n_trees), 1)
    n = min(ensemble.settings.n_members, MOST_TREES, most)
    return replace(ensemble.settings, n_members=n, draws=(), splits=())


def _only(table: Table, settings: EnsembleSettings, names: list[str]) -> tuple[Table, EnsembleSettings]:
    """The table with some features alone, and the settings for it."""
    costs = tuple((name, cost) for name, cost in settings.growth.costs if name in names)
    only = table.only(sorted(table.feature_index(name) for name in names))
    return only, replace(settings, growth=replace(settings.growth, costs=costs))


def _result(here: Here, found: Found, asked: Parts, x: str, y: str | None) -> None:
    plural = Plural.of(found.so_far.whole.settings)
    spread = _spreads(here.built.data, found, asked.tested)
    heads, lines = spread_rows(spread, plural)
    show_table(heads, lines, numbers=range(1, len(heads)), caption="How much the answers change, and the errors")
    st.markdown(plain(spread_words(spread, plural, asked.words)))
    shown = _pictures(here.built.data, found, x, y, here.mode)
    n = len(found.so_far.resamples)
    left, right = st.columns(2, gap="medium")
    for place, name, key, one, words in (
        (left, f"{n} trees", Own.SPREAD_TREES, shown.trees, shown.of_trees),
        (right, f"{n} {plural.several}", Own.SPREAD_ENSEMBLES, shown.ensembles, shown.of_ensembles),
    ):
        with place:
            st.markdown(f"##### {plain(name[0].upper() + name[1:])}")
            chart(one, key=key, alt=words)
    st.caption(plain(f"{_legend(here, y)} {shown.hidden}"))


def _legend(here: Here, y: str | None) -> str:
    if here.words.is_number:
        return "Thin: the answers from one resample each. Strong: the ensemble of the rows themselves."
    if y is None:
        return "Above: a strip for each resample. Below: the ensemble of the rows themselves."
    return (
        "Thin: where the answer changes, from one resample each. Strong: the ensemble of the rows themselves. Far "
        "from all rows nothing holds a boundary in its place."
    )


def _axes(here: Here) -> tuple[str, str | None]:
    """The features of the regions; of a number the one across alone."""
    table = here.ensemble.table
    names = [feature.name for feature in table.features]
    order = np.argsort(-ensemble_importance(here.ensemble), kind="stable").tolist()
    now = state.session()
    x = now.x if now.x in names else names[order[0]]
    if not table.n_classes or now.y == "":
        return x, None
    y = now.y if now.y in names else next((names[f] for f in order if names[f] != x), None)
    return x, None if y == x else y


def _spread(_: CurrentData, found: Found, asked: Table) -> Spread:
    return spread_of(found.so_far.resamples, asked)


def _drawn(_: CurrentData, found: Found, x: str, y: str | None, mode: Mode) -> Shown:
    whole, resamples = found.so_far.whole, found.so_far.resamples
    table = whole.table
    limits = [(axis.low, axis.high) for axis in (feature_axis(table, name) for name in (x, y) if name is not None)]

    def over(one: Ensemble) -> EnsembleRegions:
        ends = (limits[0], limits[-1])
        return EnsembleMap(one, x, y, limits=ends, pixels=_PIXELS, most_cells=_MOST_CELLS).regions()

    strong = over(whole)
    trees = [over(one.tree) for one in resamples]
    ensembles = [over(one.ensemble) for one in resamples]
    hidden = [phrases.plain(name) for name in strong.hidden]
    named = phrases.listed([*hidden[:4], *(["others"] if len(hidden) > 4 else [])])
    return Shown(
        picture(spread_figure(table, trees, strong, mode=mode)),
        picture(spread_figure(table, ensembles, strong, mode=mode)),
        spread_text(table, trees, "trees"),
        spread_text(table, ensembles, Plural.of(whole.settings).several),
        f"Averaged over {named}, which members also test." if hidden else "",
    )


_HASHES = {**HASHES, Found: lambda found: found.key}
_spreads = Cached(_spread, shared=24, own=3, hashes=_HASHES)
_pictures = Cached(_drawn, shared=24, own=4, hashes=_HASHES)
