"""The sidebar of the Prune page: data, tree, method, the three parts of the rows, and how the tree is grown."""

from __future__ import annotations

from typing import Any

import streamlit as st

from drawing.pruning import ABOUT, METHODS
from engine.holdout import MAX_SHARE
from engine.pruning import PruningMethod, PruningSettings, Risk, Selection
from widgets import controls, state
from widgets.escape import plain
from widgets.fields import attempt
from widgets.prune import state as page
from widgets.prune.given import given
from widgets.prune.keys import Own
from widgets.prune.parts import parts
from widgets.prune.pruner import PUBLISHED, Origin
from widgets.prune.rows import all_validate

_PER_CENT = 100
_ORIGINS = {
    Origin.GROWN: "grown from the training rows",
    Origin.PUBLISHED: "the published one",
    Origin.OWN: "your own, by hand or from a file",
}
_LEVELS = (0.005, 0.5)
"""Significances along the slider; a link may ask for others."""
_BY_ALPHA = "alpha"
_CHOICES = {
    Selection.VALIDATION.value: "validation rows",
    Selection.CROSS_VALIDATION.value: "cross-validation",
    _BY_ALPHA: "an alpha of yours",
}
_RISKS = {Risk.ERROR: "errors", Risk.IMPURITY: "impurity, as scikit-learn"}


def sidebar() -> None:
    """Draw all of it."""
    with st.sidebar:
        controls.dataset()
        _origin()
        _method()
        _rows()
        if page.origin() is Origin.GROWN:
            with st.container(key="prune_growth"):
                st.markdown("**How the tree is grown**")
                controls.growing()


def _origin() -> None:
    options = [Origin.GROWN, Origin.OWN]
    if state.data().name == PUBLISHED:
        options.insert(0, Origin.PUBLISHED)
    st.session_state[Own.TREE] = page.origin()
    st.selectbox(
        "Tree",
        options,
        key=Own.TREE,
        format_func=lambda option: _ORIGINS[option],
        on_change=lambda: page.change(origin=st.session_state[Own.TREE]),
    )
    if page.origin() is Origin.OWN:
        given()
    if page.origin() is not Origin.PUBLISHED:
        st.button("Show the published example", type="tertiary", icon=":material/menu_book:", on_click=_publish)


def _publish() -> None:
    """The post-operative patients: a printed tree, its validation rows, and three printed decisions."""
    attempt(lambda: state.use_dataset(PUBLISHED))
    page.change(origin=None, settings=PruningSettings(method=PruningMethod.REDUCED_ERROR), rows=None, rows_key="")


def _method() -> None:
    settings = page.pruner().settings
    st.session_state[Own.METHOD] = settings.method
    st.selectbox(
        "Method",
        list(PruningMethod),
        key=Own.METHOD,
        format_func=lambda method: METHODS[method],
        on_change=lambda: page.change_settings(method=st.session_state[Own.METHOD]),
    )
    st.caption(plain(ABOUT[settings.method]))
    match settings.method:
        case PruningMethod.COST_COMPLEXITY:
            _cost_complexity(settings)
        case PruningMethod.PESSIMISTIC:
            _number("Confidence", Own.CONFIDENCE, "confidence", "The smaller, the more is cut. C4.5 takes 0.25.")
            st.session_state[Own.BINOMIAL] = settings.binomial
            st.toggle(
                "Exact binomial limit",
                key=Own.BINOMIAL,
                help="The limit of Quinlan's book, in place of the normal approximation of C4.5 and Weka.",
                on_change=lambda: page.change_settings(binomial=st.session_state[Own.BINOMIAL]),
            )
        case PruningMethod.CHI_SQUARE:
            _significance(settings.significance)
            st.caption("As a stopping rule the same test is below, and in the tab Pre-pruning.")


def _significance(level: float) -> None:
    help_ = "A split with a greater p value goes."
    least, most = _LEVELS
    if not least <= level <= most:
        _number("Significance", Own.SIGNIFICANCE, "significance", help_)
        return
    st.session_state[Own.SIGNIFICANCE] = level
    st.slider(
        "Significance",
        least,
        most,
        step=least,
        format="%.3f",
        key=Own.SIGNIFICANCE,
        help=help_,
        on_change=lambda: page.change_settings(significance=st.session_state[Own.SIGNIFICANCE]),
    )


def _cost_complexity(settings: PruningSettings) -> None:
    chosen = _BY_ALPHA if settings.alpha is not None else settings.selection.value
    st.session_state[Own.CHOICE] = chosen
    st.selectbox(
        "Chosen by",
        list(_CHOICES),
        key=Own.CHOICE,
        format_func=lambda option: _CHOICES[option],
        on_change=_take_choice,
    )
    if chosen == Selection.CROSS_VALIDATION.value:
        left, right = st.columns(2)
        with left:
            _number("Folds", Own.FOLDS, "folds", "Parts of the training rows; each is left out once.")
        with right:
            _number(
                "Standard errors",
                Own.STANDARD_ERRORS,
                "standard_errors",
                "The smallest tree within so many standard errors of the least error; 1 is the usual rule.",
            )
    st.session_state[Own.RISK] = settings.risk
    st.selectbox(
        "Risk",
        list(Risk),
        key=Own.RISK,
        format_func=lambda risk: _RISKS[risk],
        help="What is added up over the leaves.",
        on_change=lambda: page.change_settings(risk=st.session_state[Own.RISK], alpha=None),
    )


def _take_choice() -> None:
    chosen = st.session_state[Own.CHOICE]
    if chosen == _BY_ALPHA:
        page.change_settings(alpha=0.0)
    else:
        page.change_settings(alpha=None, selection=Selection(chosen))


def _number(label: str, key: Own, name: str, help_: str) -> None:
    value = getattr(page.pruner().settings, name)
    whole = isinstance(value, int)
    st.session_state[key] = value
    st.number_input(
        label,
        step=1 if whole else 0.05,
        format="%d" if whole else "%.3f",
        key=key,
        help=help_,
        on_change=lambda: attempt(lambda: page.change_settings(**{name: st.session_state[key]})),
    )


def _rows() -> None:
    now = page.pruner()
    with st.expander("Training, validation, test", expanded=True):
        if not all_validate(now):
            if now.rows is None:
                _share("Validation", Own.VALIDATION, "validation", "Rows to prune on.")
            _share("Test", Own.TEST, "test", "Rows that neither growing nor pruning may see.")
            st.session_state[Own.SEED] = now.seed
            st.number_input(
                "Seed",
                min_value=0,
                max_value=2**31 - 1,
                step=1,
                key=Own.SEED,
                help="Another draw; every class keeps its share.",
                on_change=lambda: page.change(seed=int(st.session_state[Own.SEED] or 0)),
            )
        parts()


def _share(label: str, key: Own, name: str, help_: str) -> None:
    now = page.pruner()
    other = now.test if name == "validation" else now.validation
    most = round(_PER_CENT * (MAX_SHARE - other))
    st.session_state[key] = min(round(_PER_CENT * getattr(now, name)), most)
    st.slider(
        label,
        0,
        max(most, 5),
        step=5,
        format="%d %%",
        key=key,
        help=help_,
        on_change=lambda: _take_share(key, name),
    )


def _take_share(key: Own, name: str) -> None:
    change: dict[str, Any] = {name: st.session_state[key] / _PER_CENT}
    page.change(**change)
