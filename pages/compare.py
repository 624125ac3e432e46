"""Compare: two trees grown in lock-step on the same rows, each with its own settings."""

from __future__ import annotations

import streamlit as st

from drawing.comparison import LETTERS, heading, survival, units
from engine import EngineError, Growth, GrowthStep
from engine.comparison import Comparison, Side
from widgets import state
from widgets.compare import growing
from widgets.compare import state as sides
from widgets.compare.controls import sidebar
from widgets.compare.criteria import criteria
from widgets.compare.duels import DUELS
from widgets.compare.keys import Own
from widgets.compare.rows_apart import rows_apart
from widgets.compare.screen import Screen, Trees
from widgets.compare.search import find
from widgets.compare.side_regions import side_regions
from widgets.compare.stability import stable
from widgets.compare.stage import PairStory, pair_stage
from widgets.compare.state import Grown
from widgets.compare.summary import summary
from widgets.escape import plain
from widgets.frame import within_app
from widgets.guard import sentence
from widgets.panels.html import style
from widgets.state import Key

_LINE = 128  # letters of a line across the page
_FIRST_LINE, _NEXT_LINE = 42, 26  # pixels that a sentence above the trees takes, and each further line of it


def page() -> None:
    """Controls -> two growths -> stage -> panels."""
    within_app()
    style()
    sidebar()
    first, second = (_grown(side) for side in Side)
    if first is None or second is None:
        _notes()
        st.info("There are no two trees to compare. Choose other data or other settings on the left.")
        return
    both = growing.comparison(first.data, first.growth, second.growth)
    sides.clamp_step(len(both))
    _notes()
    _above(first, both)
    trees = Trees((first, second), both)
    _steps(trees)
    _more(trees)


def _above(first: Grown, both: Comparison) -> None:
    """What to look for, and what cannot be compared: a line each, for which the trees make room."""
    duel = DUELS.get(sides.versus().duel)
    lines = [f":material/visibility: {plain(duel.watch)}"] if duel is not None else []
    lines += [f":material/info: {plain(said)}" for said in growing.said(both, first.data)]
    room = sum(_FIRST_LINE + _NEXT_LINE * (len(line) // _LINE) for line in lines)
    st.html(f"<style>:root {{--pair-lines: {room}}}</style>")
    for line in lines:
        st.markdown(line)


def _notes() -> None:
    for said in state.session().notes:
        st.warning(plain(said))


def _grown(side: Side) -> Grown | None:
    """The tree of a side; where it cannot be, why, and the last one that could be grown."""
    data, rows, wanted = sides.data(side), sides.rows(side), sides.settings(side)
    try:
        growth = growing.growth(data, rows, wanted)
    except EngineError as error:
        st.error(plain(f"{LETTERS[side]}: {sentence(error)}"))
        return _last_good(side)
    sides.keep_good(side, wanted)
    return Grown(side, data, rows, growth)


def _last_good(side: Side) -> Grown | None:
    data, rows, good = sides.data(side), sides.rows(side), sides.good_settings(side)
    if good is None:
        return None
    try:
        growth: Growth = growing.growth(data, rows, good)
    except EngineError:
        return None
    st.caption(f"Tree {LETTERS[side]} below is the last one that could be grown.")
    return Grown(side, data, rows, growth)


@st.fragment
def _steps(trees: Trees) -> None:
    """The stage and what follows it: this alone runs again at a step."""
    now, both = sides.versus(), trees.both
    seen = pair_stage(
        _story(trees),
        key=Own.PAIR,
        position=now.step,
        goto=now.goto,
        selected=now.selected,
        pointed=now.pointed,
        view=now.view,
        on_position_change=sides.moved,
        on_view_change=sides.viewed,
    )
    step = both[seen.position]
    nodes = (_node(step.first, seen.selected[0]), _node(step.second, seen.selected[1]))
    screen = Screen(trees.sides, both, step, nodes, state.mode())
    st.caption(plain(" ".join(filter(None, (survival(both), units(both))))))
    with st.container(key=Key.EVIDENCE, gap="xsmall"):
        criteria(screen)
    with st.container(key=Key.REGIONS, gap="xsmall"):
        side_regions(screen)
    with st.container(key=Key.ROWS, gap="xsmall"):
        rows_apart(screen)


def _node(own: GrowthStep, selected: int | None) -> int:
    """The node that the panels are about: the selected one, if the tree has it, else the step's."""
    return selected if selected is not None and selected < len(own.growth.tree.nodes) else own.node


def _story(trees: Trees) -> PairStory:
    first, second = trees.sides
    titles = (heading(first.growth, first.rows), heading(second.growth, second.rows))
    return growing.story(first.data, second.data, trees.both, titles)


def _more(trees: Trees) -> None:
    """Panels on the trees as a whole, opened when wanted; a closed one costs nothing."""
    names = ["Summary", "Find data where they disagree", "Stability"]
    measuring, searching, resampling = st.tabs(names, key=Own.MORE, on_change="rerun")
    if measuring.open:
        with measuring:
            summary(trees)
    if searching.open:
        with searching:
            find(trees)
    if resampling.open:
        with resampling:
            stable(trees)


page()
