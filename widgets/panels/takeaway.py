"""Take away: the tree as pictures, programs and data, each made when it is asked for; the link."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from drawing.tree_graph import tree_dot, tree_pdf, tree_png, tree_svg
from engine import simplify
from engine.interchange import evidence_csv, growth_document, to_json
from engine.rules import as_python, as_rules, as_text
from engine.rulesets import list_text
from widgets import state
from widgets.escape import plain
from widgets.panels.here import Here


def takeaway(here: Here) -> None:
    """Draw the panel."""
    tree = here.growth.tree
    criterion = here.growth.rules.criterion
    name = here.data.name
    st.markdown("The finished tree")
    with st.container(horizontal=True):
        _offer("SVG", lambda: tree_svg(tree, criterion), f"{name}.svg")
        _offer("PNG", lambda: tree_png(tree, criterion), f"{name}.png")
        _offer("PDF", lambda: tree_pdf(tree, criterion), f"{name}.pdf")
        _offer("DOT", lambda: tree_dot(tree, criterion), f"{name}.dot")
        _offer("Rules", lambda: as_rules(tree), f"{name}_rules.txt")
        _offer(
            "Rules, simplified",
            lambda: list_text(simplify(tree).result),
            f"{name}_rules_simplified.txt",
            disabled=tree.is_number,
        )
        _offer("Python", lambda: as_python(tree), f"{name}_tree.py")
        _offer("Text", lambda: as_text(tree), f"{name}_tree.txt")
        _offer("Trace as JSON", lambda: to_json(growth_document(here.growth)), f"{name}_trace.json")
    st.markdown(plain(f"The evidence at {here.place}"))
    _offer(
        "Evidence as CSV",
        lambda: evidence_csv(here.growth, here.node),
        f"{name}_node_{here.node}.csv",
        disabled=here.hidden or not here.growth.tree.nodes.scored[here.node],
    )
    _link(here)


def _offer(label: str, make: Callable[[], str | bytes], file_name: str, *, disabled: bool = False) -> None:
    st.download_button(
        label, make, file_name, on_click="ignore", key=f"take_{label}", disabled=disabled, icon=":material/download:"
    )


def _link(here: Here) -> None:
    st.markdown("A link that opens this data, these settings and this step")
    if here.data.uploaded:
        st.caption("An uploaded file does not travel in a link: who opens it sees Play Tennis. Send the file along.")
    elif here.data.edited:
        st.caption("Edited rows do not travel in a link: who opens it sees the original rows.")
    st.code(state.address(), language=None, wrap_lines=True)
