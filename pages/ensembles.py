"""Ensembles: many trees, built member by member, and compared with the single one."""

from __future__ import annotations

import streamlit as st

from engine import EngineError
from widgets import state
from widgets.ensembles import building, looks, panels, sums
from widgets.ensembles import state as page_state
from widgets.ensembles.building import Built
from widgets.ensembles.controls import sidebar
from widgets.ensembles.growing import grown
from widgets.ensembles.here import Here
from widgets.ensembles.keys import Own
from widgets.ensembles.member import opened
from widgets.ensembles.more import more
from widgets.escape import plain
from widgets.frame import within_app
from widgets.guard import complain
from widgets.panels import beside
from widgets.panels.html import style
from widgets.stage import StageState, stage
from widgets.state import Key


def page() -> None:
    """Controls -> ensemble -> stage -> panels."""
    within_app()
    style()
    beside.style()
    looks.style()
    sidebar()
    found = _grown()
    if found is not None:
        page_state.clamp_step(len(found.ensemble))
    for said in state.session().notes:
        st.warning(plain(said))
    if found is None:
        return
    for said in found.ensemble.notes:
        st.info(plain(said))
    if page_state.maker().opened is not None:
        opened(found)
    else:
        _steps(found)


def _grown() -> Built | None:
    """The ensemble under the controls; while it grows how far it is, and where it cannot be, why."""
    try:
        return grown()
    except EngineError as error:
        complain(error)
        st.info("There is no ensemble to show. Choose another method, other rows or other settings on the left.")
        return None


@st.fragment
def _steps(found: Built) -> None:
    """The stage and what follows it: this alone runs again at a step."""
    if page_state.maker().opened is not None:
        st.rerun()  # a member was opened from here
    with st.container(key=Key.SCENE, gap="small"):
        seen = _stage(found)
        here = Here(found, seen.position, state.mode())
        with st.container(key=Key.BESIDE, gap=None):
            panels.beside(here)
    sums.thumbs(here)
    with st.container(key=Key.REGIONS, gap="xsmall"):
        sums.sums(here)
    why, where = st.columns([11, 9], gap="medium")
    with why, st.container(key=Key.EVIDENCE, gap="xsmall"):
        panels.evidence(here)
        if not page_state.maker().curve:
            panels.curve(here)
    with where, st.container(key=Key.ROWS, gap="xsmall"):
        panels.rows(here)
    more(here)


def _stage(found: Built) -> StageState:
    now = page_state.maker()
    return stage(
        building.story(found),
        key=Own.STAGE,
        position=now.step,
        goto=now.goto,
        view=now.view,
        on_position_change=page_state.moved,
        on_selected_change=page_state.selected,
    )


page()
