"""Rows set aside to test on: how many, which classes or values, and what the tree makes of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from drawing.theme import fraction, percent
from engine import EngineError, Growth, Table
from widgets import cached, state
from widgets.data_numbers import parts_table, score_cards
from widgets.data_summary import class_shares
from widgets.guard import complain, guarded
from widgets.panels import html
from widgets.state import Key

_PER_CENT = 100
_MOST = 50


@dataclass(frozen=True)
class Accuracy:
    """How many rows a tree gets right, of how many."""

    right: int
    rows: int

    @property
    def share(self) -> float:
        """The accuracy."""
        return self.right / self.rows


def accuracy(growth: Growth, cells: pd.DataFrame, table: Table) -> Accuracy:
    """How many rows of `table` the finished tree predicts right.

    Parameters
    ----------
    growth : Growth
    cells : DataFrame of str
        The cells that `table` was taken from, by its row numbers.
    table : Table
        Rows with their true classes; its classes may be fewer than the tree's.
    """
    predicted = growth.tree.predict(cells.iloc[table.row_numbers])
    true = np.asarray(table.target.classes, dtype=object)[table.target_values]
    return Accuracy(int(np.count_nonzero(predicted == true)), table.n_rows)


def counts(whole: Table, training: Table, holdout: Table) -> list[tuple[str, int, int, int]]:
    """For each class its rows in all, in training and held out."""
    columns = [{share.name: share.rows for share in class_shares(part)} for part in (whole, training, holdout)]
    return [(name, columns[0][name], columns[1].get(name, 0), columns[2].get(name, 0)) for name in whole.target.classes]


def holdout() -> None:
    """Share and seed, both accuracies, and the counts of each class; of a number its spread in each part."""
    _controls(state.table().n_classes > 0)
    whole, training, held_out = state.table(), state.training(), state.holdout()
    measured, counted = st.columns(2, gap="large")
    with measured:
        try:
            growth = cached.growth(state.data(), state.settings())
            if whole.n_classes:
                _accuracies(growth, training, held_out)
            else:
                score_cards(growth, held_out)
        except EngineError as error:
            complain(error)
    with counted:
        if held_out is None:
            st.caption("All rows train the tree. Set a share aside to see how it does on rows that it never saw.")
        elif whole.n_classes:
            _counts(counts(whole, training, held_out))
        else:
            parts_table([("all", whole), ("training", training), ("held out", held_out)])


def _controls(stratified: bool) -> None:
    data = state.data()
    share, seed = st.columns([3, 1], gap="large")
    st.session_state[Key.HOLDOUT_SHARE] = min(round(_PER_CENT * data.holdout_share), _MOST)
    st.session_state[Key.HOLDOUT_SEED] = data.holdout_seed
    share.slider(
        "Rows held out",
        0,
        _MOST,
        step=5,
        format="%d %%",
        key=Key.HOLDOUT_SHARE,
        help="Drawn at random" + (" from each class in the same share." if stratified else "."),
        on_change=_take,
    )
    seed.number_input(
        "Seed", min_value=0, max_value=2**31 - 1, step=1, key=Key.HOLDOUT_SEED, help="Another draw.", on_change=_take
    )


def _take() -> None:
    with guarded():
        state.set_holdout(st.session_state[Key.HOLDOUT_SHARE] / _PER_CENT, int(st.session_state[Key.HOLDOUT_SEED] or 0))


def _counts(rows: Sequence[tuple[str, int, int, int]]) -> None:
    numbers = [row[1:] for row in rows]
    totals = ("all", *(sum(column) for column in zip(*numbers, strict=True)))
    html.show_table(
        ["class", "rows", "training", "held out"],
        [[str(cell) for cell in row] for row in (*rows, totals)],
        numbers=(1, 2, 3),
        strong=(len(rows),),
        caption="Rows of each class",
    )


def _accuracies(growth: Growth, training: Table, held_out: Table | None) -> None:
    cells = state.data().frame
    parts = [("Training accuracy", training)] + ([("Test accuracy", held_out)] if held_out is not None else [])
    for column, (label, part) in zip(st.columns(2), parts, strict=False):
        found = accuracy(growth, cells, part)
        column.metric(label, percent(found.share), border=True)
        column.caption(f"{fraction(found.right, found.rows)} rows right")
    tree = growth.tree
    st.caption(f"A tree of {tree.n_leaves} leaves and depth {tree.depth}, grown with the current settings.")
