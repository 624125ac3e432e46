"""How the stage is looked at and what was guessed: between browser, session and link."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from engine import Growth
from widgets import state
from widgets.stage import View, read_guesses
from widgets.state import Key


def stage_viewed() -> None:
    """The stage reports that the student looks at the tree in another way; the link follows."""
    view = View.reported(getattr(st.session_state.get(Key.STAGE), "view", None))
    if view is not None:
        state.change_view(view=view)
        state.write_link()


def stage_guessed() -> None:
    """The stage reports what has been guessed; the link follows."""
    state.change_view(guesses=read_guesses(getattr(st.session_state.get(Key.STAGE), "guesses", None)))
    state.write_link()


def clamp_view(growth: Growth) -> None:
    """Leave out guesses and levels that a link brings and this tree does not have; the link is told so."""
    now, tree = state.session(), growth.tree
    names = {None, *(feature.name for feature in growth.table.features)}
    asked = {node for node in range(tree.n_nodes) if tree.split(node) is not None} if now.guesses else set()
    kept = tuple(guess for guess in now.guesses if guess.node in asked and guess.feature in names)
    if kept != now.guesses:
        state.note("The link's guesses name a node or a feature that is not asked here; those are left out.")
        state.change_view(guesses=kept)
    levels = now.view.levels
    if levels is not None and levels > tree.depth and now.goto == 0:
        state.note(f"The link asks for {levels} levels; the tree has {tree.depth}, and all are shown.")
        state.change_view(view=replace(now.view, levels=None))
