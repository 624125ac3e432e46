"""The ensemble under the controls: at once where it is quick, else with its progress and a stop."""

from __future__ import annotations

import streamlit as st

from engine import EngineError
from widgets import state
from widgets.ensembles import building
from widgets.ensembles import state as page
from widgets.ensembles.building import Built, Run
from widgets.guard import complain

PAUSE = 0.1
"""Seconds between two runs."""


def grown() -> Built | None:
    """The ensemble; None while it grows, and then its progress is drawn.

    Raises
    ------
    EngineError
        If it cannot be.
    """
    now, data = page.maker(), state.data()
    if now.published is not None:
        return building.replay(data, now.published)
    run = building.run(data, now.settings)
    if now.stopped[0] != run.key:
        run.advance()
    found = building.built(data, run, now)
    if found is None:
        st.fragment(_progress, run_every=PAUSE)(run)
    elif not run.done:
        st.button(
            "Go on",
            icon=":material/play_arrow:",
            help=f"Grow all {run.n_members:,} members",
            on_click=page.look,
            kwargs={"stopped": ("", 0)},
        )
    return found


def _progress(run: Run) -> None:
    """Grow a little, and say how far it is."""
    try:
        run.advance()
    except EngineError as error:
        complain(error)
        return
    if run.done:
        st.rerun()
    st.progress(run.n_grown / run.n_members, text=f"{run.n_grown:,} of {run.n_members:,} members")
    st.button(
        "Stop here",
        icon=":material/stop_circle:",
        help="Show the members that there are",
        on_click=_stop,
        args=(run,),
    )
    if page.maker().stopped[0] == run.key:
        st.rerun()


def _stop(run: Run) -> None:
    page.look(stopped=(run.key, max(run.n_grown, 1)))
