"""The rows alone, over two features or one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from drawing.figures.base import axis_layout, class_keys, make_figure
from drawing.figures.rows import row_traces
from drawing.figures.values import BAR_ROOM, colour_bar
from drawing.numbers import value_range
from drawing.theme import Mode
from engine.axes import feature_axis
from engine.table import Table


def scatter_figure(
    table: Table, x: str, y: str | None = None, *, selected: Sequence[int] = (), mode: Mode = Mode.LIGHT
) -> go.Figure:
    """The rows over two features, by class or value; a categorical axis has a band for each level.

    A row whose value is missing on a shown axis is not drawn; see `scatter_text`. A click gives the
    row's position in the table.

    Raises
    ------
    TableError
        If there is no such feature.
    """
    x_axis = feature_axis(table, x)
    y_axis = None if y is None else feature_axis(table, y)
    traces = row_traces(table, x_axis, y_axis, mode, selected=selected)
    bar: dict[str, Any] = {}
    if table.n_classes:
        traces += class_keys(table.target.classes, np.bincount(table.target_values, minlength=table.n_classes), mode)
    else:
        shapes, notes = colour_bar(value_range(table.target_values), table.target.name, mode)
        bar = {"shapes": shapes, "annotations": notes, "margin": {"l": 8, "r": 10, "t": BAR_ROOM, "b": 8}}
    strip = {"visible": False, "range": [0, 1], "fixedrange": True}
    return make_figure(
        traces,
        mode,
        height=220 if y is None else 380,
        keep=f"{x}|{y}",
        xaxis=axis_layout(x_axis, mode),
        yaxis=strip if y_axis is None else axis_layout(y_axis, mode),
        **bar,
    )


def scatter_text(table: Table, x: str, y: str | None = None) -> str:
    """The picture in words: how many rows are drawn and how many lack a value."""
    features = [table.feature_index(name) for name in (x, y) if name is not None]
    lacking = int(np.any([table.missing(index) for index in features], axis=0).sum())
    shown = x if y is None else f"{x} and {y}"
    words = f"{table.n_rows - lacking} {'row' if table.n_rows - lacking == 1 else 'rows'} over {shown}."
    return words + (f" {lacking} more {'has' if lacking == 1 else 'have'} no value to place." if lacking else "")
