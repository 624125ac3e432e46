"""The state of the Ensembles page, read from and written to the session's `maker`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from widgets import state
from widgets.ensembles.keys import Own
from widgets.ensembles.maker import Maker, Published


def maker() -> Maker:
    """What the page knows; a step that speaks of other data is gone."""
    now = state.session().maker
    about = state.data().key
    if now.about == about:
        return now
    same = now.about == ""
    now = replace(now, about=about)
    if not same:
        now = replace(now, step=0, goto=now.goto + 1, selected=None, opened=None, followed=0)
        if now.published is not None and state.data().name != now.published.dataset:
            now = replace(now, published=None)
    state.change_view(maker=now)
    return now


def change(**changes: Any) -> None:
    """Change fields by name: another ensemble begins at its start."""
    now = maker()
    start = {"step": 0, "goto": now.goto + 1, "selected": None, "opened": None}
    state.change_view(maker=replace(now, **{**start, **changes}), notes=())


def change_settings(**changes: Any) -> None:
    """Change settings of the ensemble by name.

    Raises
    ------
    SettingsError
        If a value is not allowed; nothing is changed then.
    """
    change(settings=replace(maker().settings, **changes), published=None)


def change_growth(**changes: Any) -> None:
    """Change how the members are grown.

    Raises
    ------
    SettingsError
        If a value is not allowed; nothing is changed then.
    """
    change_settings(growth=replace(maker().settings.growth, **changes))


def replay(published: Published | None) -> None:
    """Take a printed table with its rows, or the settings again."""
    if published is not None and state.data().name != published.dataset:
        state.use_dataset(published.dataset)
    change(published=published)


def look(**changes: Any) -> None:
    """Change what is shown and not what is grown."""
    state.change_view(maker=replace(maker(), **changes))


def moved() -> None:
    """The stage reports where it is: take it over, and bring the link in line."""
    position = _reported(Own.STAGE, "position")
    if position is not None:
        state.change_view(maker=replace(maker(), step=position, selected=None), notes=())
        state.write_link()


def chosen(alone: bool) -> None:
    """A member was chosen on the wall, or a sum."""
    look(alone=alone)
    state.write_link()


def swap(curve: bool) -> None:
    """Take the curve, or what is chosen on the wall, beside the tree."""
    look(curve=curve)


def selected() -> None:
    """The stage reports which node was selected, or that it follows the step again."""
    look(selected=_reported(Own.STAGE, "selected"))


def go_to(step: int) -> None:
    """Move the stage to a step."""
    now = maker()
    look(step=step, goto=now.goto + 1, selected=None)


def open_member(index: int | None) -> None:
    """Step the growth of a member, or go back to the members."""
    now = maker()
    look(opened=index, inside=0, into=now.into + 1, goto=now.goto + 1)


def moved_inside() -> None:
    """The stage of an opened member reports where it is."""
    position = _reported(Own.MEMBER_STAGE, "position")
    if position is not None:
        look(inside=position)


def clamp_step(n_steps: int) -> None:
    """Bring the step into the ensemble, which has `n_steps`; a link that asked for another is told so."""
    now, last = maker(), n_steps - 1
    if now.opened is not None and not 0 <= now.opened < last:
        state.note(f"The link asks for member {now.opened}; members here go from 0 to {last - 1}.")
        look(opened=None)
        now = maker()
    if 0 <= now.step <= last:
        return
    nearest = min(max(now.step, 0), last)
    if now.goto == 0:
        state.note(f"The link asks for step {now.step}; steps here go from 0 to {last}, so step {nearest} is shown.")
    look(step=nearest, goto=now.goto + 1)


def _reported(key: Own, name: str) -> int | None:
    value = getattr(st.session_state.get(key), name, None)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
