"""The sidebar of the Ensembles page: data, printed tables, method, members, and how a member is grown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from drawing.ensembles import ABOUT, METHODS
from drawing.ensembles_published import NAMES
from engine import Algorithm
from engine.ensembles import EnsembleMethod, FeaturesPer
from widgets import controls, state
from widgets.ensembles import state as page
from widgets.ensembles.building import MOST_MEMBERS
from widgets.ensembles.keys import Own
from widgets.ensembles.maker import Published
from widgets.escape import plain
from widgets.fields import attempt

_PER_CENT = 100
_MOST_HELD = 90
_OWN = "your own settings"
_PER = {FeaturesPer.SPLIT: "each split", FeaturesPer.MEMBER: "each tree"}
_DEPTHS = {EnsembleMethod.ADABOOST: "1", EnsembleMethod.GRADIENT_BOOSTING: "3"}
_ALGORITHMS = {Algorithm.CART: "CART", Algorithm.ID3: "ID3", Algorithm.C45: "C4.5", Algorithm.STUMP: "Stump"}


def sidebar() -> None:
    """Draw all of it."""
    with st.sidebar:
        controls.dataset()
        _published()
        if page.maker().published is None:
            _method()
            _members()


def _published() -> None:
    options: list[Published | str] = [_OWN, *Published]
    st.session_state[Own.PUBLISHED] = page.maker().published or _OWN
    st.selectbox(
        "Settings",
        options,
        key=Own.PUBLISHED,
        format_func=lambda option: NAMES.get(str(option), _OWN),
        help="A printed table of a textbook, replayed with its draws and groups.",
        on_change=_take_published,
    )


def _take_published() -> None:
    chosen = st.session_state[Own.PUBLISHED]
    attempt(lambda: page.replay(None if chosen == _OWN else Published(chosen)))


def _method() -> None:
    settings = page.maker().settings
    method = settings.method
    st.session_state[Own.METHOD] = method
    st.selectbox(
        "Method",
        list(EnsembleMethod),
        key=Own.METHOD,
        format_func=lambda one: METHODS[one],
        on_change=lambda: attempt(lambda: page.change_settings(method=st.session_state[Own.METHOD])),
    )
    st.caption(plain(ABOUT[method]))
    _number(
        "Rounds" if method is EnsembleMethod.GRADIENT_BOOSTING else "Members",
        Own.MEMBERS,
        settings.n_members,
        lambda value: page.change_settings(n_members=int(value)),
        least=1,
        most=MOST_MEMBERS,
    )
    if not method.is_parallel:
        _number(
            "Learning rate",
            Own.RATE,
            settings.rate,
            lambda value: page.change_settings(learning_rate=float(value)),
            step=0.1,
            help_="What each member's say is multiplied by.",
        )
    if method is EnsembleMethod.ADABOOST:
        st.session_state[Own.RESAMPLE] = settings.resample
        st.toggle(
            "Draw rows by their weights",
            key=Own.RESAMPLE,
            help="Off: the tree is grown from the weights themselves.",
            on_change=lambda: page.change_settings(resample=st.session_state[Own.RESAMPLE]),
        )
    if method is EnsembleMethod.GRADIENT_BOOSTING:
        _number(
            "Share of the rows for each tree",
            Own.SUBSAMPLE,
            settings.subsample,
            lambda value: page.change_settings(subsample=float(value)),
            step=0.1,
            help_="Drawn without replacement; 1 takes all.",
        )


def _members() -> None:
    settings = page.maker().settings
    growth, n_features = settings.growth, len(state.training().features)
    with st.expander("How a member is grown", expanded=True):
        st.session_state[Own.ALGORITHM] = growth.algorithm
        st.selectbox(
            "Algorithm",
            list(_ALGORITHMS),
            key=Own.ALGORITHM,
            format_func=lambda one: _ALGORITHMS[one],
            on_change=lambda: attempt(
                lambda: page.change_growth(algorithm=st.session_state[Own.ALGORITHM], criterion=None)
            ),
        )
        _number(
            "Greatest depth",
            Own.DEPTH,
            growth.max_depth,
            lambda value: page.change_growth(max_depth=None if value is None else int(value)),
            least=1,
            empty="1" if growth.algorithm is Algorithm.STUMP else _DEPTHS.get(settings.method, "no limit"),
            help_="Left empty it is the method's own.",
        )
        _number(
            "Least rows in a leaf",
            Own.LEAF,
            growth.min_samples_leaf,
            lambda value: page.change_growth(min_samples_leaf=int(value)),
            least=1,
        )
        drawn = settings.n_features_drawn(state.training())
        _number(
            "Features drawn",
            Own.FEATURES,
            None if drawn is None else min(drawn, n_features),
            lambda value: page.change_growth(max_features=None if value is None else int(value)),
            least=1,
            most=n_features,
            empty="all",
            help_="A random forest takes the square root of their number.",
        )
        if drawn is not None:
            st.session_state[Own.FEATURES_PER] = settings.features_per
            st.selectbox(
                "Drawn anew for",
                list(FeaturesPer),
                key=Own.FEATURES_PER,
                format_func=lambda when: _PER[when],
                on_change=lambda: page.change_settings(features_per=st.session_state[Own.FEATURES_PER]),
            )
    data = state.data()
    st.session_state[Own.HOLDOUT] = min(round(_PER_CENT * data.holdout_share), _MOST_HELD)
    st.slider(
        "Rows held out",
        0,
        _MOST_HELD,
        step=5,
        format="%d %%",
        key=Own.HOLDOUT,
        help="For the holdout error. They are held out on every page.",
        on_change=lambda: attempt(
            lambda: state.set_holdout(st.session_state[Own.HOLDOUT] / _PER_CENT, data.holdout_seed)
        ),
    )
    _number("Seed", Own.SEED, growth.seed, lambda value: page.change_growth(seed=int(value)), least=0)


def _number(
    label: str,
    key: Own,
    value: float | None,
    take: Callable[[Any], None],
    *,
    least: float | None = None,
    most: float | None = None,
    step: float = 1,
    empty: str = "",
    help_: str = "",
) -> None:
    """A number; left empty it is as it was, or what `empty` says."""
    st.session_state[key] = value
    bounds: dict[str, Any] = {"min_value": least, "max_value": most}

    def changed() -> None:
        given = st.session_state[key]
        if given is not None or empty:
            attempt(lambda: take(given))

    st.number_input(
        label,
        value=None,
        step=step,
        format="%d" if isinstance(step, int) else None,
        key=key,
        placeholder=empty or None,
        help=help_ or None,
        on_change=changed,
        **bounds,
    )
