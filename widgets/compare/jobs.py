"""Work that takes a while, done a little at every run of a fragment, so that it can be watched and stopped.

A page that worked in one go could not be stopped, and would keep everybody else waiting.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, TypeVar

import streamlit as st

from engine import EngineError
from widgets.compare.keys import Own
from widgets.guard import complain

T = TypeVar("T")

SLICE = 0.3
"""Seconds of work at a run."""
PAUSE = 0.1
"""Seconds between two runs."""


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


def job(key: Own, about: str, make: Callable[[], Iterator[T]]) -> Job[T]:
    """The session's job under a key; a new one where it is about something else."""
    found: Job[T] | None = st.session_state.get(f"{key}_job")
    if found is None or found.about != about:
        found = Job(about, make())
        st.session_state[f"{key}_job"] = found
    return found


def watch(
    key: Own,
    work: Job[T],
    *,
    start: str,
    share: Callable[[T], float],
    words: Callable[[T], str],
    ended: Callable[[T], Any] = lambda _: None,
) -> None:
    """Draw a job: a button to begin, a bar with a button to stop while it runs, and what it has come to.

    Parameters
    ----------
    key : Own
    work : Job
    start : str
        The button's words.
    share : callable
        How much of the work a result stands for, from 0 to 1.
    words : callable
        A result in words, as markdown.
    ended : callable
        Called with the last result once the work has ended by itself.
    """
    every = PAUSE if work.state is State.RUNNING else None
    st.fragment(_watch, run_every=every)(key, work, every is not None, start, share, words, ended)


def _watch(
    key: Own,
    work: Job[T],
    repeats: bool,
    start: str,
    share: Callable[[T], float],
    words: Callable[[T], str],
    ended: Callable[[T], Any],
) -> None:
    """One run; whether the browser asks for the next is decided outside, so a change of state runs the page."""
    try:
        work.advance()
    except EngineError as error:
        work.stop()
        complain(error)
    if work.state is State.RUNNING:
        st.progress(0.0 if work.latest is None else min(share(work.latest), 1.0))
    if work.latest is not None:
        st.markdown(words(work.latest))
    if work.state is State.RUNNING:
        st.button("Stop", key=f"{key}_stop", icon=":material/stop_circle:", on_click=work.stop)
    elif work.state is not State.DONE:
        label = start if work.state is State.WAITING else "Go on"
        st.button(label, key=f"{key}_start", icon=":material/play_arrow:", on_click=work.start)
    elif repeats and work.latest is not None:
        ended(work.latest)
    if repeats is not (work.state is State.RUNNING):
        st.rerun()
