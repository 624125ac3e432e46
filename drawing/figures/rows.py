"""Rows as marks: colour and shape by class, those of the current node lit, the others greyed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from drawing.figures.base import MOST_KEYS, Trace, class_marks, compact, label, small_integers
from drawing.figures.places import MOST_MARKS, MOST_OTHERS, marks, row_places
from drawing.figures.values import by_step, row_look
from drawing.numbers import value_range
from drawing.theme import PALETTES, Mode, quantity, weight
from engine.axes import Axis
from engine.table import AnyArray, BoolArray, FloatArray, IntArray, Table

MOST_TEXTS = 250
"""Rows up to which each is described under the pointer."""
_OPEN = 100
"""What plotly adds to a symbol's number where it is hollow."""
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
    parts: FloatArray | None = None,
) -> list[Trace]:
    """Greyed rows and lit rows, a trace for each class, and rings.

    A row of which only a part is here is a ring, filled in proportion to the part.

    `customdata` is each row's position and its leaf, -1 for none.

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
    parts : ndarray of float64, shape (n_rows,), optional
        How much of each lit row is here; all of it where not given.
    """
    palette = PALETTES[mode]
    xs, ys = row_places(table, x, y)
    lit = np.ones(table.n_rows, dtype=bool) if lit is None else lit
    leaves = np.full(table.n_rows, -1) if leaves is None else leaves
    seen = np.isfinite(xs) & np.isfinite(ys)
    size = next(size for most, size in SIZES if table.n_rows <= most)
    traces = []
    partial = np.zeros(table.n_rows, dtype=bool) if parts is None else lit & (parts < 1 - 1e-9)
    for group, grey, most in ((seen & ~lit, True, MOST_OTHERS), (seen & lit & ~partial, False, MOST_MARKS)):
        for rows, look in _looks(table, marks(np.flatnonzero(group), xs, ys, most), mode):
            outline = palette.background if table.n_classes else palette.ink
            edge = {"width": 0} if grey else {"width": 1 if table.n_rows <= 1000 else 0.5, "color": outline}
            if grey:
                look = {"symbol": look["symbol"], "color": palette.neutral, "opacity": 0.6}
            traces.append(
                {
                    **_marks(table, rows, xs, ys, leaves, (x, y)),
                    "marker": {**look, "size": size - 2 * grey, "line": edge},
                    "name": "other rows" if grey else "rows",
                }
            )
    if parts is not None:
        drawn = marks(np.flatnonzero(seen & partial), xs, ys, MOST_MARKS)
        for rows, look in _looks(table, drawn, mode):
            traces += _part_marks(_marks(table, rows, xs, ys, leaves, (x, y), parts), look, size, parts[rows])
    ringed = np.array([row for row in selected if 0 <= row < table.n_rows and seen[row]], dtype=np.int64)
    if len(ringed):
        ring = {"symbol": "circle-open", "size": size + 9, "color": palette.accent, "line": {"width": 3}}
        traces.append({**_marks(table, ringed, xs, ys, leaves, (x, y)), "marker": ring, "name": "selected rows"})
    return traces


def _part_marks(trace: Trace, look: dict[str, Any], size: int, parts: FloatArray) -> list[Trace]:
    """Rings as large as a whole row, and within them marks whose area is the part."""
    hollow = f"{look['symbol']}-open" if isinstance(look["symbol"], str) else look["symbol"] + np.uint8(_OPEN)
    ring = {**look, "symbol": hollow, "size": size, "line": {"width": 1.5}}
    inner = {**look, "size": np.maximum(np.sqrt(parts) * (size - 3), 2.5).astype(np.float32), "line": {"width": 0}}
    return [
        {**trace, "marker": ring, "name": "parts of rows"},
        {**trace, "marker": inner, "hoverinfo": "skip", "hovertemplate": None, "name": "parts of rows"},
    ]


def _looks(table: Table, rows: IntArray, mode: Mode) -> list[tuple[IntArray, dict[str, Any]]]:
    """The rows of each class, or of each step of a number's scale, with their marks; of many classes all together."""
    if not len(rows):
        return []
    if not table.n_classes:
        within = value_range(table.target_values)
        return [(group, row_look(step, mode)) for group, step in by_step(rows, table.target_values, within)]
    classes = table.target_values[rows].astype(np.int64)
    present = np.unique(classes).tolist()
    if len(present) > MOST_KEYS:
        return [(rows, class_marks(classes, mode))]
    return [(rows[classes == code], class_marks(classes[classes == code], mode)) for code in present]


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
    table: Table,
    rows: IntArray,
    xs: AnyArray,
    ys: AnyArray,
    leaves: IntArray,
    axes: tuple[Axis, Axis | None],
    parts: FloatArray | None = None,
) -> Trace:
    # Without words there is still a click.
    words: Trace = {"hoverinfo": "none"}
    if table.n_rows <= MOST_TEXTS:
        words = {
            "text": [_name(table, row) for row in rows.tolist()],
            "hovertext": [
                _values(table, row, axes) + ("" if parts is None else f"<br>part here: {label(weight(parts[row]))}")
                for row in rows.tolist()
            ],
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
