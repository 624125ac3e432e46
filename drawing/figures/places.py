"""Where the rows lie in a picture: true values on numeric axes, room for every row on categorical ones."""

from __future__ import annotations

import numpy as np

from engine.axes import Axis
from engine.table import AnyArray, FloatArray, IntArray, Table

SPREAD = 0.38
"""How far from a level's middle its rows may lie."""
WIDEST_STEP = 0.17
"""Greatest distance between two rows of one cell."""
MOST_MARKS = 600
"""Marks drawn of the node's rows: the eye cannot tell more apart, nor a slow network carry them."""
MOST_OTHERS = 300
"""Marks drawn of the other rows."""
_GOLDEN = (5**0.5 - 1) / 2


def row_places(table: Table, x: Axis, y: Axis | None) -> tuple[AnyArray, AnyArray]:
    """Coordinates of every row, NaN where a shown value is missing; the same rows, the same places.

    Rows that share a cell of two categorical axes form a small block, ordered by class; of very many
    rows several share a place. Where one axis is numeric, they are spread evenly across the level's
    band; over one feature they are stacked from the bottom up.
    """
    xs = x.coordinates(table.columns[x.feature])
    if y is None:
        return _stacks(xs, table.target_values) if x.is_numeric else _columns(xs, table.target_values)
    ys = y.coordinates(table.columns[y.feature])
    if x.is_numeric and y.is_numeric:
        return xs, ys
    if x.is_numeric:
        return xs, ys + spread_across(ys, xs)
    if y.is_numeric:
        return xs + spread_across(xs, ys), ys
    return _blocks(xs, ys, table.target_values)


def marks(rows: IntArray, xs: AnyArray, ys: AnyArray, most: int) -> IntArray:
    """The rows to draw, in order: one for each place, and an even sample of at most `most` of these."""
    if len(rows) > most:
        # Places as complex numbers: the one kind of pair that numpy sorts fast.
        first = np.unique(xs[rows] + 1j * ys[rows], return_index=True)[1]
        rows = rows[np.sort(first)]
    if len(rows) > most:
        rows = rows[np.linspace(0, len(rows) - 1, most).astype(np.int64)]
    return rows


def _rank_in_group(group: AnyArray, *order: AnyArray) -> tuple[IntArray, IntArray]:
    """The place of each entry among those of its group, and its group's size."""
    sequence = np.lexsort((*reversed(order), group))
    ordered = group[sequence]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]]) if len(ordered) else np.empty(0, dtype=np.int64)
    sizes = np.diff(np.r_[starts, len(ordered)])
    rank, size = np.empty(len(group), dtype=np.int64), np.empty(len(group), dtype=np.int64)
    rank[sequence] = np.arange(len(ordered)) - np.repeat(starts, sizes)
    size[sequence] = np.repeat(sizes, sizes)
    return rank, size


def _squeezed(rank: IntArray, size: IntArray) -> tuple[IntArray, IntArray]:
    """Ranks and sizes of the groups where all rows together have no more than `MOST_MARKS` places."""
    if len(rank) <= MOST_MARKS:
        return rank, size
    places = np.ceil(size * (MOST_MARKS / len(rank))).astype(np.int64)
    return rank * places // size, places


def spread_across(level: FloatArray, value: FloatArray) -> FloatArray:
    """Offsets across a level's band: neighbours in value lie far apart (multiples of the golden ratio)."""
    rank, size = _rank_in_group(level, value)
    offset = ((rank + 1) * _GOLDEN) % 1
    return np.where(size == 1, 0.0, (2 * offset - 1) * SPREAD)


def _blocks(xs: FloatArray, ys: FloatArray, target: AnyArray) -> tuple[AnyArray, AnyArray]:
    cell = xs * (np.nanmax(ys, initial=0) + 1) + ys
    rank, size = _squeezed(*_rank_in_group(cell, target))
    columns = np.ceil(np.sqrt(size))
    step = min(WIDEST_STEP, 2 * SPREAD / float(columns.max(initial=1)))
    lines = np.ceil(size / columns)
    column, line = rank % columns, rank // columns
    return xs + (column - (columns - 1) / 2) * step, ys + ((lines - 1) / 2 - line) * step


def _columns(xs: FloatArray, target: AnyArray) -> tuple[AnyArray, AnyArray]:
    rank, size = _squeezed(*_rank_in_group(xs, target))
    n_columns = max(3, int(np.ceil(np.sqrt(size.max(initial=1) / 2))))
    step = min(0.2, 2 * SPREAD / n_columns)
    lines = np.ceil(size.max(initial=1) / n_columns)
    used = np.minimum(size, n_columns)
    x_offset = (rank % n_columns - (used - 1) / 2) * step
    return xs + x_offset, 0.08 + (rank // n_columns) * min(0.12, 0.8 / float(lines))


def _stacks(xs: FloatArray, target: AnyArray) -> tuple[AnyArray, AnyArray]:
    finite = xs[np.isfinite(xs)]
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
    width = (high / 60 - low / 60) or 1.0
    stack = np.floor((xs - low) / width)
    rank, size = _squeezed(*_rank_in_group(stack, target, xs))
    return xs, 0.08 + rank * min(0.1, 0.8 / float(size.max(initial=1)))
