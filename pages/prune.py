"""Prune: a tree grown on the training rows is taken back, and every cut is a decision one can follow."""

from __future__ import annotations

import streamlit as st

from engine import EngineError
from widgets import state
from widgets.escape import plain
from widgets.frame import within_app
from widgets.guard import complain
from widgets.panels import beside
from widgets.panels.html import style
from widgets.prune import building, panels
from widgets.prune import state as page_state
from widgets.prune.building import Pruned
from widgets.prune.controls import sidebar
from widgets.prune.here import Here
from widgets.prune.keys import Own
from widgets.prune.more import more
from widgets.stage import StageState, stage
from widgets.state import Key


def page() -> None:
    """Controls -> tree -> pruning -> stage -> panels."""
    within_app()
    style()
    beside.style()
    sidebar()
    found = _pruned()
    if found is not None:
        page_state.clamp_step(len(found.pruning))
    for said in state.session().notes:
        st.warning(plain(said))
    if found is None:
        st.info("There is no pruning to show. Choose another method, other rows or another tree on the left.")
        return
    _steps(found)


def _pruned() -> Pruned | None:
    """The pruning under the controls; where it cannot be, why."""
    try:
        return building.pruned(building.build(), page_state.pruner().settings)
    except EngineError as error:
        complain(error)
        return None


@st.fragment
def _steps(found: Pruned) -> None:
    """The stage and what follows it: this alone runs again at a step."""
    with st.container(key=Key.SCENE, gap="small"):
        here = _here(found, _stage(found))
        with st.container(key=Key.BESIDE, gap=None), st.container(key=Own.CURVE, gap=None):
            panels.curve(here)
    why, where = st.columns([11, 9], gap="medium")
    with why:
        with st.container(key=Key.EVIDENCE, gap="xsmall"):
            panels.evidence(here)
        with st.container(key="measured", gap="xsmall"):
            panels.sequence(here)
            panels.measured(here)
    with where:
        with st.container(key=Key.REGIONS, gap="xsmall"):
            panels.regions(here)
        with st.container(key=Key.ROWS, gap="xsmall"):
            panels.rows(here)
    more(here)


def _stage(found: Pruned) -> StageState:
    now = page_state.pruner()
    return stage(
        building.story(found),
        key=Own.STAGE,
        position=now.step,
        goto=now.goto,
        selected=now.selected,
        pointed=now.pointed,
        view=now.view,
        on_position_change=page_state.moved,
        on_selected_change=page_state.selected,
        on_view_change=page_state.viewed,
    )


def _here(found: Pruned, seen: StageState) -> Here:
    now = page_state.pruner()
    chosen = now.selected
    node = (
        chosen if chosen is not None and chosen < len(found.pruning.full.nodes) else found.pruning[seen.position].node
    )
    return Here(pruned=found, step=seen.position, node=node, revealed=now.revealed, mode=state.mode())


page()
