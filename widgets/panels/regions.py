"""Decision regions of the tree at this step over two features, with the rows; a click selects a node."""

from __future__ import annotations

import streamlit as st

from drawing.figures import Click
from widgets import cached, state
from widgets.axes import first_tested, pick_axes
from widgets.chart import chart
from widgets.guard import guarded
from widgets.panels.here import Here
from widgets.panels.rows import node_of
from widgets.state import Key


def regions(here: Here) -> None:
    """Draw the panel."""
    st.markdown("##### Regions")
    names = [f.name for f in here.growth.table.features]
    # The features that are tested first would give a guess away.
    first, second = (
        (names[0], next(iter(names[1:]), None)) if state.session().guess_first else first_tested(here.growth.tree)
    )
    x, y = pick_axes(names, first, second)
    with guarded():
        picture, words = cached.regions(here.data, here.growth, here.step, here.node, x, y, here.mode)
        chart(picture, key=Key.REGION_PLOT, alt=words, on_click=lambda click: _clicked(here, click))


def _clicked(here: Here, click: Click) -> None:
    """A clicked row or region selects the node that it belongs to."""
    if click.row is not None and click.row < here.growth.table.n_rows:
        state.select(node_of(here.growth, here.step, click.row))
    elif click.node is not None and click.node < here.growth.tree.n_nodes:
        state.select(click.node)
