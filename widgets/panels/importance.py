"""Importance: how much the tree at this step owes to each feature, and the features it never tests."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from drawing import wording
from drawing.figures.importance import (
    MOST_BARS,
    importance_order,
    impurity_figure,
    impurity_text,
    permutation_figure,
    permutation_text,
)
from drawing.theme import Mode, number, percent
from engine import Growth, Table, impurity_importance, permutation_importance, unused_features
from widgets import cached
from widgets.cached import Cached
from widgets.chart import Picture, chart, picture
from widgets.escape import plain
from widgets.guard import guarded
from widgets.panels.here import Here
from widgets.session import CurrentData
from widgets.state import Key

REPEATS = 10
MOST_ROWS = 5_000
MOST_NAMES = 30


@dataclass(frozen=True)
class Bars:
    """A picture, and the same in words."""

    picture: Picture
    words: str


@dataclass(frozen=True)
class Shuffled:
    """Permutation importance: the score of the rows as they are, the rows that were used, and the bars."""

    score: float
    n_rows: int
    bars: Bars


def importance(here: Here) -> None:
    """Draw the panel."""
    if here.hidden:
        st.info("Guess first: choose a feature in the stage. Then the importances are shown.")
        return
    tree = here.growth.tree.at(here.step)
    names = [wording.plain(feature.name) for feature in here.growth.table.features]
    unused = [names[index] for index in unused_features(tree)]
    if len(unused) == len(names):
        st.markdown("No feature is tested yet: every importance is 0. Step on to the first split.")
        return
    with guarded():
        left, right = st.columns(2, gap="large")
        with left:
            _impurity(here)
        with right:
            _permutation(here)
    st.markdown(plain(_unused(unused)))
    hidden = len(names) - len(unused) - MOST_BARS
    if hidden > 0:
        st.caption(f"The {MOST_BARS} most important of {len(names) - len(unused)} tested features are drawn.")


def _unused(names: list[str]) -> str:
    if not names:
        return "Every feature is tested."
    shown = names[:MOST_NAMES]
    more = [f"{len(names) - len(shown)} more"] if len(names) > len(shown) else []
    return f"Never tested at this step, so 0: {wording.listed([*shown, *more])}."


def _impurity(here: Here) -> None:
    bars = _impurity_bars(here.data, here.growth, here.step, here.mode)
    impurity = wording.measure(here.growth.rules.criterion).impurity
    st.markdown("##### Impurity decrease")
    st.caption(f"What the splits on a feature remove of the {impurity}, each weighted by its rows; together 1.")
    chart(bars.picture, key=Key.IMPURITY_PLOT, alt=bars.words)


def _permutation(here: Here) -> None:
    st.markdown("##### Permutation")
    held = cached.parts(here.data)[1]
    if held is None or not held.n_rows:
        st.caption("How much worse the tree predicts rows that it has not seen when a feature's values are shuffled.")
        st.info("No rows are set aside. Set some aside on the Data page to see it.")
        return
    found = _shuffled(here.data, here.growth, here.step, here.mode)
    number_target = here.growth.tree.is_number
    score = f"R² of {number(found.score)}" if number_target else f"accuracy of {percent(found.score)}"
    which = "the {:,} rows set aside" if found.n_rows == held.n_rows else "{:,} of the rows set aside"
    st.caption(
        f"What the {score} on {which.format(found.n_rows)} loses when a feature's values are shuffled: "
        f"mean ± standard deviation of {REPEATS} shuffles."
    )
    chart(found.bars.picture, key=Key.PERMUTATION_PLOT, alt=found.bars.words)


def _order(growth: Growth, step: int) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """The features drawn, their shares and names."""
    tree = growth.tree.at(step)
    shares = impurity_importance(tree)
    order = importance_order(shares, unused_features(tree))
    return order, shares[order], [wording.plain(growth.table.features[index].name) for index in order.tolist()]


def impurity_bars(_: CurrentData, growth: Growth, step: int, mode: Mode) -> Bars:
    """The bars of the impurity decrease."""
    shares, names = _order(growth, step)[1:]
    return Bars(picture(impurity_figure(names, shares, mode=mode)), impurity_text(names, shares))


def shuffled(data: CurrentData, growth: Growth, step: int, mode: Mode) -> Shuffled:
    """The bars of permutation importance on the rows set aside, a sample of them where they are many."""
    held = cached.parts(data)[1]
    assert held is not None
    rows = _sample(held)
    order, _, names = _order(growth, step)
    found = permutation_importance(growth.tree.at(step), rows, n_repeats=REPEATS, seed=growth.settings.seed)
    figure = permutation_figure(names, found.mean[order], found.deviation[order], mode=mode)
    return Shuffled(found.score, rows.n_rows, Bars(picture(figure), permutation_text(names, found, order)))


def _sample(held: Table) -> Table:
    if held.n_rows <= MOST_ROWS:
        return held
    return held.take(np.sort(np.random.default_rng(0).permutation(held.n_rows)[:MOST_ROWS]))


_impurity_bars = Cached(impurity_bars, shared=64, own=8)
_shuffled = Cached(shuffled, shared=64, own=8)
