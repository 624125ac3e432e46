"""The component of the number line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import streamlit as st

HERE = Path(__file__).parent
PARTS = ("words", "sums", "picture", "parts", "line")
"""The files of `js/`, in the order in which they are joined to one module; `line` exports."""


@st.cache_resource(max_entries=1, show_spinner=False)
def _component() -> Any:
    return st.components.v2.component(
        "espalier_numberline",
        html=(HERE / "numberline.html").read_text(encoding="utf-8"),
        css=(HERE / "numberline.css").read_text(encoding="utf-8"),
        js="\n".join((HERE / "js" / f"{part}.js").read_text(encoding="utf-8") for part in PARTS),
    )


def number_line(data: dict[str, Any], *, key: str) -> None:
    """Show the number line that `drawing.number_line` describes; its cuts stay while the data is the same."""
    _component()(key=key, data={"key": data["key"], "line": json.dumps(data, ensure_ascii=False)})
