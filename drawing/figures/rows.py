"""Rows as marks: colour and shape by class, those of the current node lit, the others greyed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from drawing.figures.base import Trace, colour_codes, compact, label, small_integers, symbol_codes
from drawing.figures.places import MOST_MARKS, MOST_OTHERS, marks, row_places
from drawing.theme import PALETTES, Mode, quantity
from engine.axes import Axis
from engine.table import AnyArray, BoolArray, IntArray, Table

MOST_TEXTS = 250
"""Rows up to which each is described under the pointer."""
SIZES = ((50, 13), (200, 10), (1000, 8), (float("inf"), 6))
"""Pixels of a mark for up to so many rows."""


def row_traces(
    table: Table,
    x: Axis,
    y: Axis | None,
    mode: Mode,
    *,
    lit: BoolArray | None = None,
    leaves: IntArray | None = None,
    selected: Sequence[int] = (),
) -> list[Trace]:
    """Greyed rows, lit rows, rings; `customdata` is each row's position and its leaf (-1 for none).

    Parameters
    ----------
    table : Table
    x, y : Axis
    mode : Mode
    lit : ndarray of bool, shape (n_rows,), optional
        All rows where not given.
    leaves : ndarray of int64, shape (n_rows,), optional
        The node that answers for each row.
    selected : sequence of int
        Positions of rows to ring.
    """
    palette = PALETTES[mode]
    xs, ys = row_places(table, x, y)
    lit = np.ones(table.n_rows, dtype=bool) if lit is None else lit
    leaves = np.full(table.n_rows, -1) if leaves is None else leaves
    seen = np.isfinite(xs) & np.isfinite(ys)
    size = next(size for most, size in SIZES if table.n_rows <= most)
    traces = []
    for group, grey, most in ((seen & ~lit, True, MOST_OTHERS), (seen & lit, False, MOST_MARKS)):
        rows = marks(np.flatnonzero(group), xs, ys, most)
        if not len(rows):
            continue
        # A number as target has no classes: all rows look like those of the first.
        classes = (table.target_values[rows] if table.n_classes else np.zeros(len(rows))).astype(np.int64)
        colour = {"color": palette.neutral, "opacity": 0.6} if grey else colour_codes(classes, mode)
        edge = {"width": 0} if grey else {"width": 1 if table.n_rows <= 1000 else 0.5, "color": palette.background}
        traces.append(
            {
                **_marks(table, rows, xs, ys, leaves, (x, y)),
                "marker": {**colour, "symbol": symbol_codes(classes), "size": size - 2 * grey, "line": edge},
                "name": "other rows" if grey else "rows",
            }
        )
    ringed = np.array([row for row in selected if 0 <= row < table.n_rows and seen[row]], dtype=np.int64)
    if len(ringed):
        ring = {"symbol": "circle-open", "size": size + 9, "color": palette.accent, "line": {"width": 3}}
        traces.append({**_marks(table, ringed, xs, ys, leaves, (x, y)), "marker": ring, "name": "selected rows"})
    return traces


def _name(table: Table, row: int) -> str:
    """A row under the pointer: its class, and its number in the file counted from 1."""
    answer = table.target_value(row)
    target = label(answer) if isinstance(answer, str) else quantity(answer)
    return f"{target} (row {int(table.row_numbers[row]) + 1})"


def _values(table: Table, row: int, axes: tuple[Axis, Axis | None]) -> str:
    """Its values on the axes; the first one's name stands in the template."""
    first, second = axes
    shown = _value(table, first, row)
    return shown if second is None else f"{shown}<br>{label(second.name)}: {_value(table, second, row)}"


def _value(table: Table, axis: Axis, row: int) -> str:
    value = table.value(axis.feature, row)
    return "missing" if value is None else label(value, 24) if isinstance(value, str) else quantity(value)


def _marks(
    table: Table, rows: IntArray, xs: AnyArray, ys: AnyArray, leaves: IntArray, axes: tuple[Axis, Axis | None]
) -> Trace:
    # Without words there is still a click.
    words: Trace = {"hoverinfo": "none"}
    if table.n_rows <= MOST_TEXTS:
        words = {
            "text": [_name(table, row) for row in rows.tolist()],
            "hovertext": [_values(table, row, axes) for row in rows.tolist()],
            "hovertemplate": f"<b>%{{text}}</b><br>{label(axes[0].name)}: %{{hovertext}}<extra></extra>",
        }
    return {
        "type": "scatter",
        "mode": "markers",
        "x": compact(xs[rows]),
        "y": compact(ys[rows]),
        "customdata": small_integers(np.stack([rows, leaves[rows]], axis=1)),
        "showlegend": False,
        **words,
    }
