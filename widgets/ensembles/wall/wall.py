"""The component of the wall. It follows the stage in the browser, without the server."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

HERE = Path(__file__).parent
PARTS = ("thumb", "strip", "wall")
"""The scripts, in the order in which they are joined to one module; `wall` exports."""


@dataclass(frozen=True)
class Wall:
    """A wall as the bytes that travel; `key` names the ensemble."""

    key: str
    body: bytes


def build(described: Mapping[str, Any]) -> Wall:
    """Turn what `drawing.ensembles_wall.wall` describes into what travels. Make it once an ensemble."""
    body = json.dumps(described, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
    return Wall(str(described["key"]), zlib.compress(body))


@st.cache_resource(max_entries=1, show_spinner=False)
def _component() -> Any:
    return st.components.v2.component(
        "espalier_wall",
        html='<div class="wall"></div>',
        css=(HERE / "wall.css").read_text(encoding="utf-8"),
        js="\n".join((HERE / f"{part}.js").read_text(encoding="utf-8") for part in PARTS),
    )


def wall(shown: Wall, *, key: str, stage: str, alone: bool, on_choice: Callable[[bool], None]) -> None:
    """Show the wall.

    Parameters
    ----------
    shown : Wall
    key : str
        The component's key.
    stage : str
        The key of the stage on the same page, which it follows and moves.
    alone : bool
        Whether the member of the step is chosen, and not the sum so far.
    on_choice : callable
        Called with whether a member was chosen, or a sum.
    """
    header = json.dumps({"stage": stage, "wall": shown.key, "alone": alone}).encode()

    def chosen() -> None:
        said = getattr(st.session_state[key], "choice", None)
        if isinstance(said, bool):
            on_choice(said)

    _component()(key=key, data=header + b"\n" + shown.body, on_choice_change=chosen)
