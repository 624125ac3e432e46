"""The stage of two trees: one stepper drives both, in the browser alone.

Both storyboards and the steps that belong together go to the browser once; a jump asked for in
Python travels in a second component without a face, as on the stage of one tree.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from widgets.stage import Story, View

HERE = Path(__file__).parent
ONE = HERE.parents[1] / "stage"
SHARED = ("words", "unpack", "story", "picture", "camera", "steer", "tree", "why", "keys", "report", "view")
"""Scripts of the stage of one tree that this one is made of, too."""
OWN = ("marks", "side", "pair")
"""Scripts of this stage alone; `pair` exports."""


def script() -> str:
    """The component's JavaScript: one module made of its parts."""
    files = [ONE / "js" / f"{part}.js" for part in SHARED] + [HERE / "js" / f"{part}.js" for part in OWN]
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


_mount = st.components.v2.component(
    "espalier_pair",
    html=(HERE / "pair.html").read_text(encoding="utf-8"),
    css="\n".join(file.read_text(encoding="utf-8") for file in (ONE / "stage.css", HERE / "pair.css")),
    js=script(),
)
_direct = st.components.v2.component("espalier_pair_remote", js=(ONE / "remote.js").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class PairStory:
    """Two storyboards and what joins them, as the bytes that travel. Make it once, with `pack_pair`.

    Attributes
    ----------
    key : str
        The digest of the comparison.
    steps : tuple of (int, int)
        The steps of the two growths that are shown at the same time.
    parts : tuple of bytes
        The storyboards of the first and the second growth and the comparison's, each deflated JSON.
    """

    key: str
    steps: tuple[tuple[int, int], ...]
    parts: tuple[bytes, bytes, bytes]

    @property
    def last(self) -> int:
        """The index of the last step."""
        return len(self.steps) - 1


@dataclass(frozen=True)
class PairState:
    """What the stage last reported.

    Attributes
    ----------
    position : int
        The step shown, from 0 to the last.
    selected : tuple of int or None
        The selected node of each tree; None where the stage follows the step.
    """

    position: int
    selected: tuple[int | None, int | None] = (None, None)


def pack_pair(first: Story, second: Story, both: Mapping[str, Any]) -> PairStory:
    """Turn two packed storyboards and a comparison's into what travels.

    Parameters
    ----------
    first, second : Story
    both : mapping
        As `drawing.comparison_story.pair_story` makes it; docs/trace.md has its schema.

    Returns
    -------
    PairStory

    Raises
    ------
    ValueError
        If it holds NaN or Infinity, which JSON has not.
    """
    body = json.dumps(both, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    steps = tuple((int(one), int(other)) for one, other in both["steps"])
    return PairStory(str(both["key"]), steps, (first.body, second.body, zlib.compress(body)))


def pair_stage(
    story: PairStory,
    *,
    key: str,
    position: int,
    goto: int = 0,
    selected: tuple[int | None, int | None] = (None, None),
    pointed: int = 0,
    view: View | None = None,
    on_position_change: Callable[[], None] | None = None,
    on_selected_change: Callable[[], None] | None = None,
    on_view_change: Callable[[], None] | None = None,
) -> PairState:
    """Mount the stage of two trees.

    Parameters
    ----------
    story : PairStory
    key : str
        The component's key; its state is ``st.session_state[key]``.
    position : int
        The step where the caller believes the stage to be. Clamped to the steps.
    goto : int
        A counter. A number other than the last one moves the stage to `position`.
    selected : tuple of int or None
        A node to select from Python, when `pointed` changes; where both are given, the first.
    pointed : int
        A counter. A number other than the last one selects.
    view : View, optional
        How the trees are looked at, where a story begins and after a `goto`; in between the student decides.
    on_position_change, on_selected_change, on_view_change : callable, optional
        Called when the browser reports; the new value is in ``st.session_state[key]``.

    Returns
    -------
    PairState
    """
    start = min(max(position, 0), story.last)
    with st.container(gap=None):
        _direct(
            key=f"{key}_remote",
            data={
                "stage": key,
                "story": story.key,
                "position": start,
                "goto": goto,
                "selected": list(selected),
                "pointed": pointed,
                "view": view.told() if view else None,
            },
        )
        header = {"stage": key, "story": story.key, "lengths": [len(part) for part in story.parts]}
        result = _mount(
            key=key,
            data=json.dumps(header).encode() + b"\n" + b"".join(story.parts),
            on_position_change=on_position_change or _nothing,
            on_selected_change=on_selected_change or _nothing,
            on_view_change=on_view_change or _nothing,
        )
    return PairState(start, selected_nodes(result.get("selected")))


def selected_nodes(reported: object) -> tuple[int | None, int | None]:
    """The selected nodes as the browser reported them, made safe: a report is a stranger's word.

    >>> selected_nodes([3, None]), selected_nodes("all"), selected_nodes([-1, True])
    ((3, None), (None, None), (None, None))
    """
    if not isinstance(reported, list) or len(reported) != 2:
        return None, None
    first, second = (
        node if isinstance(node, int) and not isinstance(node, bool) and node >= 0 else None for node in reported
    )
    return first, second


def _nothing() -> None:
    """A state value exists only where it has a callback."""
