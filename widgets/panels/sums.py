"""Worked equations on the page; a long one breaks between its terms."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from drawing.formulas import Formula


def show_sums(sums: Iterable[Formula], key: str = "") -> None:
    """Show equations below one another; `key` tells several on a page apart."""
    with st.container(key=f"formulas{key and '_'}{key}"):
        st.markdown("\n\n".join(inline(formula.latex) for formula in sums))


def inline(latex: str) -> str:
    r"""LaTeX as maths in a line of markdown, which breaks where it is too long, but not before the result.

    Two dollars let a name hold one.

    >>> inline(r"\text{a\$} = \frac{1}{2} = 0.5")
    '$$\\text{a\\$} = \\dfrac{1}{2}\\;{=\\;0.5}$$'
    """
    body, equals, result = latex.replace("\\frac", "\\dfrac").rpartition(" = ")
    return f"$${body}\\;{{=\\;{result}}}$$" if equals else f"$${result}$$"
