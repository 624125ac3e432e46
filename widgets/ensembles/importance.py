"""Importance of the features, correlation of the members, and what the number of features drawn makes of both."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from drawing import phrases
from drawing.figures.ensembles_importance import (
    correlation_figure,
    correlation_text,
    shares_figure,
    shares_text,
    sweep_figure,
    sweep_rows,
    sweep_text,
)
from drawing.figures.importance import MOST_BARS, importance_order, impurity_figure, impurity_text
from drawing.theme import Mode
from engine.ensembles import (
    EnsembleMethod,
    EnsembleSettings,
    FeatureSweep,
    ensemble_importance,
    member_correlation,
    numbers_to_draw,
    sweeping,
)
from engine.table import FloatArray
from widgets.cached import Cached
from widgets.chart import Picture, chart, picture
from widgets.compare.jobs import job, watch
from widgets.ensembles.building import HASHES, MOST_ANSWERS, Built
from widgets.ensembles.here import Here
from widgets.ensembles.keys import Own
from widgets.ensembles.testing import parts
from widgets.escape import plain
from widgets.guard import guarded
from widgets.panels.html import show_table
from widgets.session import CurrentData

MOST_TREES = 100
"""Trees in a forest of the sweep."""
_LESSON = {
    False: (
        "With fewer features to choose from, members are weaker and less alike. The error of a forest is at most "
        "correlation × (1 − strength²) / strength², where strength is the mean margin (Breiman 2001)."
    ),
    True: (
        "With fewer features to choose from, members are weaker and less alike. The error of a forest is at most the "
        "correlation of the members' residuals times the error of a member (Breiman 2001)."
    ),
}
"""By whether the target is a number."""
_METHODS = (EnsembleMethod.BAGGING, EnsembleMethod.FOREST)


def importance(here: Here) -> None:
    """The tab."""
    with guarded():
        left, right = st.columns(2, gap="large")
        with left:
            _bars(here)
        with right:
            _correlation(here)
    st.markdown("##### With more or fewer features drawn")
    if here.ensemble.settings.method not in _METHODS:
        st.caption("Features are drawn at random for bagging and forests. Choose one of them to compare numbers.")
    elif len(here.ensemble.table.features) < 2:
        st.caption("There is one feature only, so there is nothing to draw from.")
    else:
        with guarded():
            _sweep(here)


# ---- the ensemble of the page -------------------------------------------------------------------


def _bars(here: Here) -> None:
    n = here.step or len(here.ensemble.members)
    who = "the first member" if n == 1 and here.step else f"the {'first ' if here.step else ''}{n:,} members"
    st.markdown("##### Importance")
    st.caption(f"What the splits on a feature remove of the impurity, over {who}; together 1.")
    shown, words, unused = _importances(here.built.data, here.built, n, here.mode)
    chart(shown, key=Own.IMPORTANCE_PLOT, alt=words)
    if unused:
        st.caption(plain(unused))


def _drawn(_: CurrentData, built: Built, n: int, mode: Mode) -> tuple[Picture, str, str]:
    """The bars, the same in words, and what no member tests."""
    ensemble = built.ensemble.at(n)
    found = ensemble_importance(ensemble)
    features = ensemble.table.features
    unused = [place for place in range(len(features)) if place not in ensemble.tested]
    order = importance_order(found, unused)
    names = [phrases.plain(features[f].name) for f in order.tolist()]
    left_out = [phrases.plain(features[f].name) for f in unused[:8]]
    more = [f"{len(unused) - 8} more"] if len(unused) > 8 else []
    said = f"No member tests {phrases.listed([*left_out, *more])}." if unused else ""
    tested = len(features) - len(unused)
    if tested > MOST_BARS:
        said = f"The {MOST_BARS} most important of {tested} features. {said}"
    return picture(impurity_figure(names, found[order], mode=mode)), impurity_text(names, found[order]), said


def _correlation(here: Here) -> None:
    st.markdown("##### Correlation of the members")
    st.caption(
        "How alike two members answer: 1 is always the same, 0 no more than by chance. Diverse members err less."
    )
    if len(here.ensemble.members) < 2:
        st.caption("One member has no pair to be compared with.")
        return
    shown, words = _correlations(here.built.data, here.built, here.step - 1, here.mode)
    chart(shown, key=Own.CORRELATION_PLOT, alt=words)
    where = "the rows held out" if here.ensemble.validation is not None else "the rows themselves"
    st.caption(plain(f"{words} Asked about {where}."))


def _matrix(_: CurrentData, built: Built) -> FloatArray:
    return member_correlation(built.ensemble, built.ensemble.validation)


def _correlation_picture(data: CurrentData, built: Built, current: int, mode: Mode) -> tuple[Picture, str]:
    found = _matrices(data, built)
    return picture(correlation_figure(found, current=current, mode=mode)), correlation_text(found)


# ---- the sweep ----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Swept:
    """The sweep so far; `key` names it."""

    key: str
    so_far: FeatureSweep


def _sweep(here: Here) -> None:
    found = parts(here.ensemble)
    training, tested = found.training, found.tested
    numbers = numbers_to_draw(len(training.features))
    settings = here.ensemble.settings
    most = max(min(MOST_TREES, MOST_ANSWERS // (training.n_rows * len(numbers))), 2)
    st.caption(plain(f"{_LESSON[here.words.is_number]} Measured on {found.words}."))
    left, _ = st.columns([1, 3])
    n = int(left.number_input("Trees in each forest", 2, most, min(30, most), key=Own.SWEEP_N))
    own = EnsembleSettings(
        method=EnsembleMethod.FOREST,
        n_members=n,
        growth=replace(settings.growth, max_features=None),
        features_per=settings.features_per,
        seed=settings.seed,
    )
    about = f"{training.fingerprint} {tested.fingerprint} {own!r}"
    work = job(Own.SWEEP, about, lambda: sweeping(training, own, numbers, tested))
    if work.latest is not None and work.latest.draws:
        so_far = Swept(f"{about} {len(work.latest.draws)}", work.latest)
        _swept(here, so_far, settings.n_features_drawn(here.ensemble.table))
    watch(
        Own.SWEEP,
        work,
        start=f"Grow {len(numbers)} forests",
        share=lambda now: now.share,
        words=lambda now: f"{len(now.draws)} of {len(now.numbers)} forests.",
    )


def _swept(here: Here, found: Swept, now: int | None) -> None:
    names = tuple(feature.name for feature in here.ensemble.table.features)
    shown = _sweeps(here.built.data, found, names, now or len(names), here.mode)
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown("##### Errors, correlation and strength")
        chart(shown[0][0], key=Own.SWEEP_PLOT, alt=shown[0][1])
    with right:
        st.markdown("##### Importance")
        chart(shown[1][0], key=Own.SWEEP_IMPORTANCE, alt=shown[1][1])
    with st.expander("The same as a table"):
        _table(found.so_far)


def _table(sweep: FeatureSweep) -> None:
    """One line a number of features."""
    is_number = sweep.draws[0].strength is None
    show_table(
        ["features drawn", "forest", "a member", "correlation", *([] if is_number else ["strength"])],
        sweep_rows(sweep.draws),
        numbers=range(5),
        caption="Errors, correlation and strength by the number of features drawn",
    )


def _pictures(
    _: CurrentData, found: Swept, names: tuple[str, ...], now: int, mode: Mode
) -> tuple[tuple[Picture, str], tuple[Picture, str]]:
    draws = found.so_far.draws
    return (
        (picture(sweep_figure(draws, now, mode=mode)), sweep_text(draws)),
        (picture(shares_figure(names, draws, mode=mode)), shares_text(names, draws)),
    )


_HASHES = {**HASHES, Swept: lambda found: found.key}
_importances = Cached(_drawn, shared=128, own=16, hashes=HASHES)
_matrices = Cached(_matrix, shared=16, own=2, hashes=HASHES)
_correlations = Cached(_correlation_picture, shared=64, own=8, hashes=HASHES)
_sweeps = Cached(_pictures, shared=32, own=4, hashes=_HASHES)
