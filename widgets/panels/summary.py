"""One line on the tree as it stands: its size and how well it does."""

from __future__ import annotations

import streamlit as st

from widgets.escape import plain
from widgets.panels.here import Here
from widgets.panels.scores import scores


def summary(here: Here) -> None:
    """Draw the line."""
    tree = here.growth.tree.at(here.step)
    leaves = "1 leaf" if tree.n_leaves == 1 else f"{tree.n_leaves} leaves"
    size = f"{leaves}, depth {tree.depth}"
    found = scores(here.data, here.growth, here.step)
    # Shares have room beside the tree; the squared errors of a number wait behind the sign.
    shown = found[::2] if here.growth.rules.is_number else found
    more = [f"{name} {value}" for name, value in found if (name, value) not in shown]
    words = [size, *(f"{name} {value}" for name, value in shown)]
    if len(shown) == 2 and not here.growth.rules.is_number:  # no room for the word beside the tree
        words = [size, f"training {shown[0][1]}, holdout {shown[1][1]}"]
        more = ["accuracy: the share of rows that the tree gets right"]
    st.caption(plain(" · ".join(words)), help=plain(" · ".join(more)) or None)
