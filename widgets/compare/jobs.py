"""Work that takes a while, done a little at a time, so that it can be watched and stopped.

The page itself works, and shows at every turn how far it has come; the visitor's next press ends the
run. A timer in the browser would not do: its requests carry the values that the widgets had when it
was set, and undo what the page has changed since.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from engine import EngineError
from widgets import state
from widgets.guard import sentence

T = TypeVar("T")

SLICE = 0.2
"""Seconds of work between two looks at what the visitor does."""
TURN = 2.0
"""Seconds after which the page runs anew, so that its panels follow the stage meanwhile."""


class State(StrEnum):
    """Where a job stands."""

    WAITING = "waiting"
    RUNNING = "running"
    STOPPED = "stopped"
    DONE = "done"


@dataclass(eq=False)
class Job(Generic[T]):
    """An iterator of results, each better than the last, and how far it has come.

    Attributes
    ----------
    about : str
        What the work is about: with another subject it begins anew.
    results : iterator
    latest : result or None
    state : State
    """

    about: str
    results: Iterator[T]
    latest: T | None = None
    state: State = State.WAITING

    def advance(self, seconds: float = SLICE) -> None:
        """Work for so long at most, one result at least."""
        end = time.monotonic() + seconds
        while self.state is State.RUNNING:
            try:
                self.latest = next(self.results)
            except StopIteration:
                self.state = State.DONE
            if time.monotonic() >= end:
                return

    def start(self) -> None:
        """Begin, or go on after a stop."""
        self.state = State.RUNNING

    def stop(self) -> None:
        """Keep what there is."""
        if self.state is State.RUNNING:
            self.state = State.STOPPED


def job(key: str, about: str, make: Callable[[], Iterator[T]]) -> Job[T]:
    """The session's job under a key; a new one where it is about something else."""
    found: Job[T] | None = st.session_state.get(f"{key}_job")
    if found is None or found.about != about:
        found = Job(about, make())
        st.session_state[f"{key}_job"] = found
    return found


def watch(key: str, work: Job[T], *, start: str, share: Callable[[T], float], words: Callable[[T], str]) -> None:
    """Draw a job: a button to begin, a bar with a button to stop while it runs, and what it has come to.

    A running job is worked on here, so draw it last on the page.

    Parameters
    ----------
    key : str
    work : Job
    start : str
        The button's words.
    share : callable
        How much of the work a result stands for, from 0 to 1.
    words : callable
        A result in words, as markdown.
    """
    if work.state is State.RUNNING:
        # Above what changes, so that it stands still under the pointer.
        st.button("Stop", key=f"{key}_stop", icon=":material/stop_circle:", on_click=work.stop)
    elif work.state is not State.DONE:
        label = start if work.state is State.WAITING else "Go on"
        st.button(label, key=f"{key}_start", icon=":material/play_arrow:", on_click=work.start)
    bar, said = st.empty(), st.empty()
    if work.latest is not None:
        said.markdown(words(work.latest))
    if work.state is State.RUNNING:
        state.write_link()
        _run(work, bar, said, share, words)
        st.rerun()


def _run(
    work: Job[T],
    bar: DeltaGenerator,
    said: DeltaGenerator,
    share: Callable[[T], float],
    words: Callable[[T], str],
) -> None:
    """Work for a while; a press on any widget ends it, where something is drawn."""
    end = time.monotonic() + TURN
    while work.state is State.RUNNING and time.monotonic() < end:
        bar.progress(0.0 if work.latest is None else min(share(work.latest), 1.0))
        try:
            work.advance()
        except EngineError as error:
            work.stop()
            state.note(sentence(error))
        if work.latest is not None:
            said.markdown(words(work.latest))
