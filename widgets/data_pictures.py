"""Pictures of the table: each feature against the target, and the rows over two numeric features."""

from __future__ import annotations

import streamlit as st

from drawing.figures.features import feature_figure, feature_text
from drawing.figures.scatter import scatter_figure, scatter_text
from engine import FeatureKind, Table
from widgets import state
from widgets.chart import chart
from widgets.escape import plain
from widgets.state import Key

PER_PAGE = 6


def page_of(n_features: int, page: int) -> range:
    """Positions of the features on a page, pages counted from 1.

    >>> page_of(30, 5), page_of(4, 1), page_of(4, 9)
    (range(24, 30), range(0, 4), range(0, 4))
    """
    last = max(1, -(-n_features // PER_PAGE))
    start = (min(page, last) - 1) * PER_PAGE
    return range(start, min(start + PER_PAGE, n_features))


def pictures() -> None:
    """Every feature, a few at a time, and a scatter where there are two numeric ones."""
    table = state.table()
    _features(table)
    numeric = [feature.name for feature in table.features if feature.kind is FeatureKind.NUMERIC]
    if len(numeric) > 1:
        _scatter(table, numeric)


def _features(table: Table) -> None:
    n_features = len(table.features)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**Each feature against {plain(table.target.name)}**")
        if n_features > PER_PAGE:
            st.space("stretch")
            n_pages = -(-n_features // PER_PAGE)
            st.pagination(n_pages, key=Key.FEATURES_PAGE, width=min(100 + 40 * n_pages, 340))
    shown = page_of(n_features, int(st.session_state.get(Key.FEATURES_PAGE) or 1))
    with st.grid(3, min_column_width=300) as grid:
        for place, index in enumerate(shown):
            name = table.features[index].name
            with grid.cell():
                st.markdown(plain(name))
                figure = feature_figure(table, name, mode=state.mode())
                chart(figure, key=f"feature_{place}", alt=feature_text(table, name))


def _scatter(table: Table, numeric: list[str]) -> None:
    for key, first in ((Key.SCATTER_X, numeric[0]), (Key.SCATTER_Y, numeric[1])):
        if st.session_state.get(key) not in numeric:
            st.session_state[key] = first
    st.markdown("**Two numeric features**")
    choice, picture = st.columns([1, 3], gap="medium")
    x = choice.selectbox("Across", numeric, key=Key.SCATTER_X)
    y = choice.selectbox("Up", numeric, key=Key.SCATTER_Y)
    choice.caption(plain(scatter_text(table, x, y)))
    with picture:
        chart(scatter_figure(table, x, y, mode=state.mode()), key="scatter", alt=scatter_text(table, x, y))
