"""The ensemble under the controls: at once where it is quick, else with its progress and a stop.

The page itself grows it, a little at a time, and the visitor's next press ends that; see
`widgets.compare.jobs`, which says why no timer does it.
"""

from __future__ import annotations

import time

import streamlit as st

from engine.ensembles.workers import seconds
from widgets import cached, state
from widgets.compare.jobs import TURN
from widgets.ensembles import building
from widgets.ensembles import state as page
from widgets.ensembles.building import Built, Run

AT_ONCE = 1.0
"""Estimated seconds of work up to which no progress is shown before the first members are there."""


def grown() -> Built | None:
    """The ensemble; None where it cannot be shown yet.

    While it grows the progress is drawn and the page is run anew from here.

    Raises
    ------
    EngineError
        If it cannot be.
    """
    now, data = page.maker(), state.data()
    if now.published is not None:
        return building.replay(data, now.published)
    run = building.run(data, now.settings)
    stopped = now.stopped[0] == run.key
    if not stopped and seconds(cached.parts(data)[0], run.n_members) <= AT_ONCE:
        run.advance()
    found = building.built(data, run, now)
    if found is None:
        _grow(run, stopped)
    elif stopped and now.stopped[1] < run.n_members:
        st.button(
            "Go on",
            icon=":material/play_arrow:",
            help=f"Grow all {run.n_members:,} members",
            on_click=page.look,
            kwargs={"stopped": ("", 0)},
        )
    return found


def _grow(run: Run, stopped: bool) -> None:
    """Grow for a turn of the page, and say how far it is; where it was stopped at once, until something is there."""
    st.button(
        "Stop here",
        icon=":material/stop_circle:",
        help="Show the members that there are",
        on_click=_stop,
        args=(run,),
    )
    bar = st.empty()
    state.write_link()
    end = time.monotonic() + TURN
    while not run.done and time.monotonic() < end:
        bar.progress(run.n_grown / run.n_members, text=f"{run.n_grown:,} of {run.n_members:,} members")
        run.advance()
        if stopped:
            break
    st.rerun()


def _stop(run: Run) -> None:
    page.look(stopped=(run.key, max(run.n_grown, 1)))
