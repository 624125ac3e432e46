"""Grow: a student steps through the growth of a tree, and sees at every step why."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from engine import EngineError, Growth, GrowthSettings
from widgets import cached, controls, state, view_state
from widgets.escape import plain
from widgets.guard import complain
from widgets.panels import beside
from widgets.panels.evidence import evidence
from widgets.panels.here import Here
from widgets.panels.html import style
from widgets.panels.importance import importance
from widgets.panels.missing import missing
from widgets.panels.number_line import cut_points
from widgets.panels.predict import predict
from widgets.panels.rules import rules
from widgets.panels.summary import summary
from widgets.panels.takeaway import takeaway
from widgets.panels.turn import turn
from widgets.stage import StageState, stage
from widgets.state import Key
from widgets.tabs import open_tab

_PANELS: dict[str, Callable[[Here], tuple[int, ...] | None]] = {
    "Your turn": turn,
    "Number line": cut_points,
    "Predict": predict,
    "Missing values": missing,
    "Rules": rules,
    "Importance": importance,
    "Take away": takeaway,
}  # what Predict returns is the path to light


def page() -> None:
    """Controls -> growth -> stage -> panels."""
    style()
    beside.style()
    controls.sidebar()
    growth = _grown()
    if growth is not None:
        state.clamp_step(len(growth))
        view_state.clamp_view(growth)
        state.clamp_axes([feature.name for feature in growth.table.features])
    for said in state.session().notes:
        st.warning(plain(said))
    if growth is None:
        st.info("There is no tree to show. Choose other data or other settings on the left.")
        return
    _steps(growth, _asked())


def _grown() -> Growth | None:
    """The tree under the settings; where they cannot be, why, and the last tree that could be grown."""
    wanted = state.settings()
    try:
        growth = cached.growth(state.data(), wanted)
    except EngineError as error:
        complain(error)
        return _last_good()
    state.keep_good(wanted)
    return growth


def _last_good() -> Growth | None:
    try:
        growth = cached.growth(state.data(), state.session().good_settings)
    except EngineError:
        return None
    st.caption("The tree below is the last one that could be grown.")
    return growth


def _asked() -> tuple[str, GrowthSettings]:
    """What the tree is to be grown from, and how."""
    return state.data().key, state.settings()


@st.fragment
def _steps(growth: Growth, asked: tuple[str, GrowthSettings]) -> None:
    """The stage and what follows it: this alone runs again at a step."""
    if _asked() != asked:
        st.rerun()  # a button below has changed the data or the settings: all of the page follows
    with st.container(key=Key.SCENE, gap="small"):
        here = _here(growth, _stage(growth))
        beside.beside(here)
        with st.container(key=Key.SUMMARY):
            summary(here)
    why, where = st.columns([11, 9], gap="medium")
    with why.container(key=Key.EVIDENCE, gap="xsmall"):
        evidence(here)
    with where:
        beside.below(here)
    _more(here)


def _stage(growth: Growth) -> StageState:
    now = state.session()
    return stage(
        cached.story(state.data(), growth),
        key=Key.STAGE,
        position=now.step,
        goto=now.goto,
        guess=now.guess_first,
        selected=now.selected,
        pointed=now.pointed,
        lit=now.lit,
        view=now.view,
        guesses=now.guesses,
        details=Key.EVIDENCE,
        on_position_change=state.stage_moved,
        on_selected_change=state.stage_selected,
        on_guesses_change=view_state.stage_guessed,
        on_view_change=view_state.stage_viewed,
    )


def _here(growth: Growth, seen: StageState) -> Here:
    step = seen.position
    selected = state.session().selected
    node = selected if selected is not None and selected < growth.tree.n_nodes else growth[step].node
    waiting = state.session().guess_first and growth.tree.split(node) is not None and not seen.answered(node)
    return Here(
        data=state.data(),
        growth=growth,
        step=step,
        node=node,
        feature=seen.candidate,
        hidden=waiting and step <= growth.step_of(node),
        mode=state.mode(),
    )


def _more(here: Here) -> None:
    path = open_tab(_PANELS, here, key=Key.MORE)
    if state.light(path or ()):
        st.rerun()


page()
