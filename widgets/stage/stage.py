"""The stage: one component in which a student steps through a tree, in the browser alone.

The whole trace goes to the browser once. Whatever changes while the page is open (a jump asked for
in Python, the switch "guess first") travels in a second component without a face, so that the trace
is never sent again.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from widgets.stage.packing import shrink
from widgets.stage.view import Guess, View

HERE = Path(__file__).parent
PARTS = (
    "words", "unpack", "story", "picture", "camera", "steer", "overview", "lens", "tree", "why", "guess", "scan",
    "algorithm", "keys", "report", "view", "stage",
)  # fmt: skip
"""The files of `js/`, in the order in which they are joined to one module; `stage` exports."""


def script() -> str:
    """The component's JavaScript: one module made of its parts."""
    return "\n".join((HERE / "js" / f"{part}.js").read_text(encoding="utf-8") for part in PARTS)


_mount = st.components.v2.component(
    "espalier_stage",
    html=(HERE / "stage.html").read_text(encoding="utf-8"),
    css=(HERE / "stage.css").read_text(encoding="utf-8"),
    js=script(),
)
_direct = st.components.v2.component("espalier_stage_remote", js=(HERE / "remote.js").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Story:
    """A storyboard as the bytes that travel. Make it once a trace, with `pack`, and cache it.

    Attributes
    ----------
    key : str
        The digest of the trace.
    last : int
        The index of the last step.
    body : bytes
        The storyboard, its repetitions said once, as deflated JSON: a tenth of the size on its way
        to thirty browsers, and as much less to hash at every run.
    """

    key: str
    last: int
    body: bytes


@dataclass(frozen=True)
class StageState:
    """What the stage last reported.

    Attributes
    ----------
    position : int
        The step shown, from 0 to the last.
    selected : int or None
        The node that the student selected; None where the stage follows the step.
    candidate : str or None
        The feature whose bar was opened.
    guesses : tuple of Guess
        In the order in which they were made; empty without "guess first".
    """

    position: int
    selected: int | None = None
    candidate: str | None = None
    guesses: tuple[Guess, ...] = ()

    def answered(self, node: int) -> bool:
        """Whether the student has guessed at `node`, or has asked to be shown."""
        return any(guess.node == node for guess in self.guesses)


def pack(storyboard: Mapping[str, Any]) -> Story:
    """Turn a storyboard into what travels.

    Parameters
    ----------
    storyboard : mapping
        As `drawing.storyboard.storyboard` makes it; docs/trace.md has its schema.

    Returns
    -------
    Story

    Raises
    ------
    ValueError
        If it holds NaN or Infinity, which JSON has not.
    """
    as_json = json.loads(json.dumps(storyboard, allow_nan=False))  # keys are strings there
    body = json.dumps(shrink(as_json), ensure_ascii=False, separators=(",", ":")).encode()
    return Story(key=str(storyboard["key"]), last=len(storyboard["steps"]) - 1, body=zlib.compress(body))


def stage(
    story: Story | Mapping[str, Any],
    *,
    key: str = "stage",
    position: int | None = None,
    goto: int = 0,
    guess: bool = False,
    selected: int | None = None,
    pointed: int = 0,
    lit: Sequence[int] = (),
    view: View | None = None,
    guesses: Sequence[Guess] | None = None,
    details: str = "",
    on_position_change: Callable[[], None] | None = None,
    on_selected_change: Callable[[], None] | None = None,
    on_candidate_change: Callable[[], None] | None = None,
    on_guesses_change: Callable[[], None] | None = None,
    on_view_change: Callable[[], None] | None = None,
) -> StageState:
    """Mount the stage.

    Parameters
    ----------
    story : Story or mapping
        A packed storyboard, or the storyboard itself (then it is packed at every run: slower).
    key : str
        The component's key; its state is ``st.session_state[key]``.
    position : int, optional
        The step where the caller believes the stage to be: where a new story begins, and where a
        `goto` goes. If it is given, the caller keeps it by `on_position_change`, and it is what
        comes back; if not, what the browser last reported comes back. Clamped to the steps.
    goto : int
        A counter. A number other than the last one moves the stage to `position`.
    guess : bool
        "Guess first": winner, gains and purities stay hidden until the student has chosen.
    selected : int, optional
        A node to select from Python, when `pointed` changes.
    pointed : int
        A counter. A number other than the last one selects the node `selected`.
    lit : sequence of int
        Nodes of a path to light up, from the root on.
    view : View, optional
        How the tree is looked at, where a story begins and after a `goto`; in between the student decides.
    guesses : sequence of Guess, optional
        What has been guessed already, taken up at the same moments. If they are given, the caller
        keeps them by `on_guesses_change`, and they are what comes back.
    details : str
        The key of the container that shows an opened candidate: it is brought into view.
    on_position_change, on_selected_change, on_candidate_change, on_guesses_change, on_view_change : callable, optional
        Called when the browser reports; the new value is in ``st.session_state[key]``.

    Returns
    -------
    StageState
    """
    packed = story if isinstance(story, Story) else pack(story)
    start = _clamp(position or 0, packed.last)
    with st.container(gap=None):
        _direct(
            key=f"{key}_remote",
            data={
                "stage": key,
                "story": packed.key,
                "position": start,
                "goto": goto,
                "guess": guess,
                "selected": selected,
                "pointed": pointed,
                "lit": list(lit),
                "details": details,
                "view": view.told() if view else None,
                "guesses": [[guess.node, guess.feature] for guess in guesses or ()],
            },
        )
        header = json.dumps({"stage": key, "story": packed.key}).encode()
        result = _mount(
            key=key,
            data=header + b"\n" + packed.body,
            on_position_change=on_position_change or _nothing,
            on_selected_change=on_selected_change or _nothing,
            on_candidate_change=on_candidate_change or _nothing,
            on_guesses_change=on_guesses_change or _nothing,
            on_view_change=on_view_change or _nothing,
        )
    return read(result, packed, position, guesses)


def read(
    result: Mapping[str, Any], story: Story, position: int | None = None, guesses: Sequence[Guess] | None = None
) -> StageState:
    """What the browser reported, made safe: a report is a stranger's word."""
    reported = _whole(result.get("position"))
    shown = position if position is not None else reported
    candidate = result.get("candidate")
    return StageState(
        position=_clamp(shown or 0, story.last),
        selected=_whole(result.get("selected")),
        candidate=candidate if isinstance(candidate, str) else None,
        guesses=read_guesses(result.get("guesses")) if guesses is None else tuple(guesses),
    )


def read_guesses(report: object) -> tuple[Guess, ...]:
    """The guesses that the browser reports; what is none is left out."""
    entries = report if isinstance(report, list) else []
    return tuple(guess for entry in entries if (guess := Guess.reported(entry)) is not None)


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _clamp(position: int, last: int) -> int:
    return min(max(position, 0), last)


def _nothing() -> None:
    """A state value exists only where it has a callback."""
