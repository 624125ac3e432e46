"""Evidence where the target is a number: the table of parts with means and variances, and what a leaf holds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from drawing import number_formulas, wording
from drawing.figures.partitions import display_order
from drawing.numbers import units
from drawing.theme import fraction
from engine import Candidate, Growth
from engine.table import IntArray
from widgets.panels.here import Here
from widgets.panels.html import Cell, Row, show_table
from widgets.panels.sums import show_sums
from widgets.state import Key

MOST_TOGETHER = 14
"""Parts of all features up to which their table is shown first."""
MOST_PARTS = 40
MOST_LISTED = 20
"""Rows of a node up to which the rows of each part are listed by their numbers."""
_ONE, _ALL = "This feature", "All features"


def table(here: Here, shown: Candidate, ranked: Sequence[Candidate]) -> None:
    """Draw the table of one candidate, or of the best candidate of every feature."""
    together = sorted((shown if c.feature == shown.feature else c for c in ranked), key=lambda c: c.split.feature)
    candidates = [shown]
    if len(together) > 1:
        small = sum(len(c.partitions) for c in together) <= MOST_TOGETHER
        key = f"{Key.EVIDENCE}_table_{here.growth.table.fingerprint}"
        st.session_state.setdefault(key, _ALL if small else _ONE)
        which = st.segmented_control("Table of", [_ONE, _ALL], key=key, label_visibility="collapsed", required=True)
        candidates = together if which == _ALL else candidates
    rows: list[Row] = []
    for candidate in candidates:
        rows += part_rows(here.growth, here.node, candidate, first=len(rows) + 1)
    names, write = wording.measure(here.growth.rules.criterion), units(here.growth.tree)
    show_table(
        ["feature", "level", "part", "rows", "mean", names.impurity, "remainder", names.short],
        rows[:MOST_PARTS],
        numbers=(3, 4, 5, 6, 7),
        wide=(0, 6, 7) if len(candidates) == 1 else (2, 3, 7),
        instead=f"remainder {write.square(shown.remainder)} · {names.short} {write.square(shown.gain)}"
        if len(candidates) == 1
        else "",
        caption="The parts into which the candidates divide the rows",
    )
    if len(rows) > MOST_PARTS:
        st.caption(f"The first {MOST_PARTS} of {len(rows)} parts; all of them are in the CSV under Take away.")


def part_rows(growth: Growth, node: int, candidate: Candidate, first: int = 1) -> list[Row]:
    """The lines of one candidate, its parts in display order, numbered from `first`; of few rows with their numbers."""
    write = units(growth.tree)
    order = display_order(candidate, growth.table)
    total = sum(part.n_rows for part in candidate.partitions)
    numbers = _row_numbers(growth, node, candidate)
    listed = len(growth.tree.rows(node)) <= MOST_LISTED and not growth.tree.weighted
    found: list[Row] = []
    for place, index in enumerate(order):
        part = candidate.partitions[index]
        span = len(order)
        whole = [write.square(candidate.remainder), write.square(candidate.gain)]
        mark = "✓ " if candidate.chosen else ""
        found.append(
            [
                Cell(f"{mark}{wording.plain(candidate.feature)}", span) if not place else None,
                wording.branch(part.condition),
                Cell(f"D{first + place}", note=", ".join(map(str, numbers[index].tolist())) if listed else ""),
                fraction(part.n_rows, total),
                "–" if part.mean is None else write.value(part.mean),
                write.square(part.impurity),
                *(Cell(text, span) if not place else None for text in whole),
            ]
        )
    return found


def _row_numbers(growth: Growth, node: int, candidate: Candidate) -> list[IntArray]:
    """The numbers in the file, from 1, of each part's rows whose value is known."""
    rows = growth.tree.rows(node)
    feature = growth.table.features[candidate.split.feature]
    column = growth.table.columns[candidate.split.feature][rows]
    branch = candidate.split.branch_of(column.astype(np.int64) if feature.levels else column, feature)
    numbers = growth.table.row_numbers[rows] + 1
    return [numbers[branch == number] for number in range(len(candidate.partitions))]


def formulas(here: Here, candidate: Candidate) -> None:
    """Draw the equations."""
    show_sums(number_formulas.worked(here.growth, here.node, candidate))


def leaf(growth: Growth, node: int) -> None:
    """Draw what a leaf holds: its rows, their values and how far each is from the mean."""
    tree, write = growth.tree, units(growth.tree)
    target = wording.plain(growth.table.target.name)
    mean = float(tree.nodes.prediction[node])
    rows = tree.rows(node)
    if not len(rows):
        st.caption("No rows came here: the parent's mean answers.")
        return
    size, spread = wording.rows(float(tree.nodes.size[node])), write.square(float(tree.nodes.impurity[node]))
    st.caption(f"{size}, mean {write.value(mean)}, {wording.measure(growth.rules.criterion).impurity} {spread}")
    lines = [
        [str(int(growth.table.row_numbers[row]) + 1), write.value(value), write.value(mean), write.value(value - mean)]
        for row, value in zip(rows[:MOST_LISTED].tolist(), growth.table.target_values[rows[:MOST_LISTED]], strict=True)
    ]
    show_table(["row", target, "mean", "residual"], lines, numbers=(0, 1, 2, 3), caption="The rows of the leaf")
    if len(rows) > MOST_LISTED:
        st.caption(f"The first {MOST_LISTED} of {len(rows):,} rows.")
