"""The panel that stands under "Why this split": regions or rows; the other one stands below the stage."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from widgets import state
from widgets.panels.here import Here
from widgets.panels.regions import regions
from widgets.panels.rows import rows
from widgets.session import Beside
from widgets.state import Key

_PANELS: dict[Beside, tuple[Key, Callable[[Here], None]]] = {
    Beside.REGIONS: (Key.REGIONS, regions),
    Beside.ROWS: (Key.ROWS, rows),
}
_STYLE = f"<style>{Path(__file__).with_name('scene.css').read_text(encoding='utf-8')}</style>"


def style() -> None:
    """Put the looks of the scene on the page, once."""
    st.html(_STYLE)


def beside(here: Here) -> None:
    """Draw the panel of the session's choice, with the button that takes the other one."""
    chosen, other = _both()
    with st.container(key=Key.BESIDE, gap=None):
        st.button(
            f"{other.title()} here",
            key=Key.SWAP,
            type="tertiary",
            icon=":material/swap_vert:",
            help=f"Show the {other} here and the {chosen} below",
            on_click=_swap,
            args=(other,),
        )
        _draw(chosen, here)


def below(here: Here) -> None:
    """Draw the panel that does not stand beside the tree."""
    _draw(_both()[1], here)


def _swap(which: Beside) -> None:
    state.change_view(beside=which)
    state.write_link()


def _both() -> tuple[Beside, Beside]:
    chosen = state.session().beside
    return chosen, Beside.ROWS if chosen is Beside.REGIONS else Beside.REGIONS


def _draw(which: Beside, here: Here) -> None:
    key, panel = _PANELS[which]
    with st.container(key=key, gap="xsmall"):
        panel(here)
