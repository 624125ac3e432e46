"""One line on the tree as it stands: its size and how often it is right."""

from __future__ import annotations

import streamlit as st

from drawing.theme import percent
from widgets import cached
from widgets.escape import plain
from widgets.panels.here import Here


def summary(here: Here) -> None:
    """Draw the line."""
    tree = here.growth.tree.at(here.step)
    leaves = "1 leaf" if tree.n_leaves == 1 else f"{tree.n_leaves} leaves"
    size = f"{leaves}, depth {tree.depth}"
    words = [size, f"training accuracy {percent(tree.training_accuracy())}"]
    held = cached.holdout_accuracy(here.data, here.growth, here.step)
    if held is not None:
        words.append(f"holdout accuracy {percent(held)}")
    st.caption(plain(" · ".join(words)))
