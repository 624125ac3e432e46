"""The state of the Prune page, read from and written to the session's `pruner`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from engine.ingest import RawFrame
from widgets import state
from widgets.prune.keys import Own
from widgets.prune.pruner import PUBLISHED, Origin, Pruner
from widgets.stage import View


def pruner() -> Pruner:
    """What the page knows; a step that speaks of other data or another growth is gone."""
    now = state.session().pruner
    about = f"{state.data().key} {state.settings()!r}"
    if now.about == about:
        return now
    same = now.about == ""
    now = replace(now, about=about)
    if not same:
        now = replace(now, step=0, goto=now.goto + 1, selected=None, revealed=False)
        if now.origin is Origin.PUBLISHED and state.data().name != PUBLISHED:
            now = replace(now, origin=None)
    state.change_view(pruner=now)
    return now


def change(**changes: Any) -> None:
    """Change fields by name: another pruning begins at its start."""
    now = pruner()
    state.change_view(pruner=replace(now, step=0, goto=now.goto + 1, selected=None, **changes), notes=())


def change_settings(**changes: Any) -> None:
    """Change settings of the pruning by name.

    Raises
    ------
    SettingsError
        If a value is not allowed; nothing is changed then.
    """
    change(settings=replace(pruner().settings, **changes))


def origin() -> Origin:
    """Where the tree comes from."""
    now = pruner().origin
    if now is None:
        return Origin.PUBLISHED if state.data().name == PUBLISHED else Origin.GROWN
    return now


def take_rows(raw: RawFrame | None, key: str) -> None:
    """Validate on uploaded rows, or on those of the split again."""
    change(rows=raw, rows_key=key)


def reveal(shown: bool) -> None:
    """Show what the trees make of the test rows, or hide it again."""
    state.change_view(pruner=replace(pruner(), revealed=shown))


def moved() -> None:
    """The stage reports where it is: take it over, and bring the link in line."""
    position = _reported("position")
    if position is not None:
        state.change_view(pruner=replace(pruner(), step=position, selected=_reported("selected")), notes=())
        state.write_link()


def selected() -> None:
    """The stage reports which node was selected, or that it follows the step again."""
    state.change_view(pruner=replace(pruner(), selected=_reported("selected")))


def select(node: int) -> None:
    """Select a node of the tree, as a click on it does."""
    now = pruner()
    state.change_view(pruner=replace(now, selected=node, pointed=now.pointed + 1))


def viewed() -> None:
    """The stage reports that the student looks at the tree in another way; the link follows."""
    view = View.reported(getattr(st.session_state.get(Own.STAGE), "view", None))
    if view is not None:
        state.change_view(pruner=replace(pruner(), view=view))
        state.write_link()


def go_to(step: int) -> None:
    """Move the stage to a step."""
    now = pruner()
    state.change_view(pruner=replace(now, step=step, goto=now.goto + 1, selected=None))


def choose_alpha(alpha: float, step: int) -> None:
    """Cost complexity: take the tree of this alpha, and go to the step at which it stands."""
    change(settings=replace(pruner().settings, alpha=alpha))
    go_to(step)


def clamp_step(n_steps: int) -> None:
    """Bring the step into the pruning, which has `n_steps`; a link that asked for another is told so."""
    now, last = pruner(), n_steps - 1
    if 0 <= now.step <= last:
        return
    nearest = min(max(now.step, 0), last)
    if now.goto == 0:
        state.note(f"The link asks for step {now.step}; steps here go from 0 to {last}, so step {nearest} is shown.")
    state.change_view(pruner=replace(pruner(), step=nearest, goto=now.goto + 1))


def _reported(name: str) -> int | None:
    value = getattr(st.session_state.get(Own.STAGE), name, None)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
