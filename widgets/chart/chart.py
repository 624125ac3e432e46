"""A plotly chart that stays mounted: a new figure under the same key is drawn once, into the old one.

`st.plotly_chart` takes every new figure for a new chart, mounts it and draws it twice. plotly.js is
the file that the installed plotly package brings; a browser asks for it once and keeps it.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.components.v1 import declare_component

from drawing.figures.base import CONFIG, HEIGHT, PLOTLY_JS, PLOTLY_VERSION, Click, clicked

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Picture:
    """A figure as the bytes that travel. Make it once a figure, with `picture`, and cache it.

    Attributes
    ----------
    key : str
        A digest of the figure: equal figures, equal keys.
    height : int
        Pixels.
    body : bytes
        The figure as JSON, numbers as typed arrays, deflated: a quarter of the size.
    """

    key: str
    height: int
    body: bytes


def picture(figure: Any) -> Picture:
    """Turn a plotly figure into what travels.

    Parameters
    ----------
    figure : plotly.graph_objects.Figure
        As `drawing.figures` makes it: text from data is escaped there.

    Returns
    -------
    Picture
    """
    body = zlib.compress(figure.to_json(validate=False).encode())
    digest = hashlib.blake2b(body, digest_size=8).hexdigest()
    return Picture(key=digest, height=int(figure.layout.height or HEIGHT), body=body)


def chart(
    figure: Any,
    *,
    key: str,
    alt: str,
    height: int | None = None,
    on_click: Callable[[Click], None] | None = None,
) -> None:
    """Show a figure as wide as its container, in the chart that already stands under `key`.

    Parameters
    ----------
    figure : Picture or plotly.graph_objects.Figure
        A figure is packed at every run: where it follows steps, cache the `Picture`.
    key : str
        The chart's key, the same for every figure that it is to show. Zoom is kept while the
        figure's `uirevision` stays the same.
    alt : str
        The picture in words, for those who do not see it; plain text.
    height : int, optional
        Pixels; the figure's own where it is not given.
    on_click : callable, optional
        Called with the `Click` on a point that has `customdata`.
    """
    shown = figure if isinstance(figure, Picture) else picture(figure)
    header = {
        "chart": key,
        "figure": shown.key,
        "height": height or shown.height,
        "alt": alt,
        "config": {**CONFIG, "responsive": False},
        "clicks": on_click is not None,
        "library": _library(),
    }

    def report() -> None:
        if on_click is not None and (click := clicked({"customdata": st.session_state[key].point})) != Click():
            on_click(click)

    _component()(
        key=key, data=json.dumps(header, ensure_ascii=False).encode() + b"\n" + shown.body, on_point_change=report
    )


@st.cache_resource(max_entries=1, show_spinner=False)
def _component() -> Any:
    # Plotly writes its style rules into the page, where a shadow root would not see them.
    return st.components.v2.component(
        "espalier_chart",
        css=(HERE / "chart.css").read_text(encoding="utf-8"),
        js=(HERE / "chart.js").read_text(encoding="utf-8"),
        isolate_styles=False,
    )


@st.cache_resource(max_entries=1, show_spinner=False)
def _library() -> str:
    """Where the browser finds plotly.js, relative to the app's address."""
    folder = declare_component("plotly", path=PLOTLY_JS.parent)
    return f"component/{folder.name}/{PLOTLY_JS.name}?v={PLOTLY_VERSION}"
