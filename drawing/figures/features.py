"""Each feature against the target, and the target alone: counts of the table as pictures."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import plotly.graph_objects as go

from drawing.figures.bars import SMALL_TEXT, bar_keys, bar_marker, bars_height, class_groups, gathered, share_bars
from drawing.figures.base import Trace, axis_layout, compact, label, make_figure, plain_axis, title
from drawing.figures.places import MOST_MARKS, marks
from drawing.theme import PALETTES, Mode, class_colour, percent, quantity
from engine.axes import feature_axis
from engine.splits import is_numeric
from engine.table import AnyArray, FloatArray, Table, TargetKind

MOST_BINS = 30
"""Bars of a histogram."""


def target_figure(table: Table, *, mode: Mode = Mode.LIGHT) -> go.Figure:
    """The target alone: rows of each class, or a histogram of the number."""
    if table.target.kind is TargetKind.NUMBER:
        return _number_histogram(table.target.name, table.target_values, mode)
    counts = np.bincount(table.target_values, minlength=table.n_classes)
    names, tallies = gathered(table.target.classes, np.diag(counts))
    traces, axis = share_bars(names, tallies, table.target.classes, mode)
    return _bars_figure(traces, axis, bars_height(len(names), 0), table.target.name, mode)


def target_text(table: Table) -> str:
    """The target in words."""
    if table.target.kind is TargetKind.NUMBER:
        values = table.target_values
        if not len(values):
            return f"{table.target.name} has no values."
        return (
            f"{table.target.name} is a number from {quantity(float(values.min()))} to {quantity(float(values.max()))}, "
            f"{quantity(float(values.mean()))} on average."
        )
    counts = np.bincount(table.target_values, minlength=table.n_classes)
    return (
        f"{table.target.name} has {_n(table.n_classes, 'class', 'classes')}: {_shares(counts, table.target.classes)}."
    )


def feature_figure(table: Table, feature: str, *, mode: Mode = Mode.LIGHT) -> go.Figure:
    """A feature against the target.

    Classes: a bar of class shares for each level, or a histogram stacked by class. A number: a box for
    each level, or a scatter. Missing values have a bar or a box of their own, and are counted under a
    numeric axis.

    Raises
    ------
    TableError
        If there is no such feature.
    """
    index = table.feature_index(feature)
    numeric, classes = is_numeric(table.features[index]), table.target.kind is TargetKind.CLASSES
    if numeric and classes:
        return _class_histogram(table, index, mode)
    if numeric:
        return _number_scatter(table, index, mode)
    if classes:
        names, counts = gathered(*level_counts(table, index))
        traces, axis = share_bars(names, counts, table.target.classes, mode, shares=True)
        traces += bar_keys(counts.sum(axis=0), table.target.classes, mode)
        return _bars_figure(traces, axis, bars_height(len(names), table.n_classes), feature, mode)
    return _boxes(table, index, mode)


def feature_text(table: Table, feature: str) -> str:
    """A feature against the target in words."""
    index = table.feature_index(feature)
    spec = table.features[index]
    lacking = int(table.missing(index).sum())
    missing = f" {_n(lacking, 'value is', 'values are')} missing." if lacking else ""
    if is_numeric(spec):
        known = _finite(table.columns[index])
        if not len(known):
            return f"{feature} has no values.{missing}"
        return (
            f"{feature} is a number from {quantity(float(known.min()))} to {quantity(float(known.max()))} "
            f"with a median of {quantity(float(np.median(known)))}.{missing}"
        )
    words = f"{feature} has {_n(len(spec.levels), 'level', 'levels')}"
    if table.target.kind is TargetKind.NUMBER or not spec.levels:
        return f"{words}.{missing}"
    names, counts = level_counts(table, index)
    parts = [f"{name}: {_shares(row, table.target.classes)}" for name, row in zip(names[:5], counts[:5], strict=True)]
    more = "; and others" if len(names) > 5 else ""
    return f"{words}. {'; '.join(parts)}{more}.{missing}"


def level_counts(table: Table, feature: int) -> tuple[list[str], AnyArray]:
    """Names of the levels in display order, missing last where it occurs, and class counts, a row each."""
    spec = table.features[feature]
    n_levels = len(spec.levels)
    keys = table.columns[feature].astype(np.int64) * table.n_classes + table.target_values
    counts = np.bincount(keys, minlength=(n_levels + 1) * table.n_classes).reshape(n_levels + 1, -1)
    order = [*spec.display_order, *([n_levels] if counts[n_levels].any() else [])]
    return [*(spec.levels[code] for code in spec.display_order), "missing"][: len(order)], counts[order]


def bin_edges(values: AnyArray, most: int = MOST_BINS) -> AnyArray:
    """Edges of equal bins: one a value for a few evenly spaced values, else as many as the root of the rows.

    >>> bin_edges(np.array([1.0, 2, 2, 3])).tolist()
    [0.5, 1.5, 2.5, 3.5]
    """
    distinct = np.unique(values)
    if len(distinct) < 2:
        middle = float(distinct[0]) if len(distinct) else 0.0
        half = max(0.5, abs(middle) * 0.05)
        return np.array([middle - half, middle + half])
    low, high = float(distinct[0]), float(distinct[-1])
    step = float(np.diff(distinct).min())
    if step > 0 and max(-low, high) < 1e15 and (high - low) / step <= most - 1:
        places = (distinct - low) / step
        if np.allclose(places, np.round(places), atol=1e-6):
            return low + step * (np.arange(round(places[-1]) + 2) - 0.5)
    n_bins = int(np.clip(np.ceil(np.sqrt(len(values))), 5, most))
    share = np.linspace(0, 1, n_bins + 1)
    return low * (1 - share) + high * share


def _class_histogram(table: Table, feature: int, mode: Mode) -> go.Figure:
    column = table.columns[feature]
    seen = np.isfinite(column)
    edges = bin_edges(column[seen])
    which = np.clip(np.searchsorted(edges, column[seen], side="right") - 1, 0, len(edges) - 2)
    keys = which * table.n_classes + table.target_values[seen]
    counts = np.bincount(keys, minlength=(len(edges) - 1) * table.n_classes).reshape(-1, table.n_classes)
    totals = np.bincount(table.target_values, minlength=table.n_classes)
    traces: list[Trace] = []
    for name, columns, marker in class_groups(totals, table.target.classes, mode):
        bars = _bars(edges, counts[:, columns].sum(axis=1), marker, name)
        traces.append({**bars, "hovertemplate": f"<b>{name}</b><br>%{{text}}: %{{y}}<extra></extra>"})
    traces += bar_keys(totals, table.target.classes, mode)
    return _histogram_figure(table.features[feature].name, traces, _lacking(table, feature), mode)


def _number_histogram(name: str, values: FloatArray, mode: Mode) -> go.Figure:
    seen = _finite(values)
    edges = bin_edges(seen)
    counts = np.histogram(seen, edges)[0]
    bars = _bars(edges, counts, bar_marker(0, mode), name)
    return _histogram_figure(name, [{**bars, "hovertemplate": "%{text}: %{y}<extra></extra>"}], 0, mode)


def _bars(edges: FloatArray, counts: AnyArray, marker: dict[str, object], name: str) -> Trace:
    ends = [quantity(edge) for edge in edges.tolist()]
    return {
        "type": "bar",
        "x": edges[:-1] / 2 + edges[1:] / 2,
        "y": counts.astype(np.int32),
        "width": np.diff(edges) * 0.96,
        "text": [f"{low} to {high}" for low, high in pairwise(ends)],
        "textposition": "none",
        "marker": marker,
        "name": name,
        "showlegend": False,
    }


def _histogram_figure(name: str, traces: list[Trace], lacking: int, mode: Mode) -> go.Figure:
    return make_figure(
        traces,
        mode,
        height=300,
        keep=name,
        barmode="stack",
        xaxis={**plain_axis(mode), "title": _title_with_missing(name, lacking, mode)},
        yaxis=_count_axis(mode),
    )


def _bars_figure(traces: list[Trace], axis: dict[str, object], height: int, name: str, mode: Mode) -> go.Figure:
    return make_figure(
        traces,
        mode,
        height=height,
        keep=name,
        barmode="stack",
        uniformtext=SMALL_TEXT,
        xaxis={**plain_axis(mode), "visible": False, "fixedrange": True},
        yaxis={**axis, "fixedrange": True},
    )


def _number_scatter(table: Table, feature: int, mode: Mode) -> go.Figure:
    column, name = table.columns[feature], table.features[feature].name
    rows = marks(np.flatnonzero(np.isfinite(column)), column, table.target_values, MOST_MARKS)
    traces: list[Trace] = [
        {
            "type": "scatter",
            "mode": "markers",
            "x": compact(column[rows]),
            "y": compact(table.target_values[rows]),
            "customdata": np.stack([rows, np.full(len(rows), -1)], axis=1).astype(np.int32),
            "marker": {"color": class_colour(0, mode), "size": 8, "opacity": 0.7},
            "hovertemplate": "%{x:.6~g}, %{y:.6~g}<extra></extra>",
            "showlegend": False,
        }
    ]
    x_axis = {
        **axis_layout(feature_axis(table, name), mode),
        "title": _title_with_missing(name, _lacking(table, feature), mode),
    }
    y_axis = {**plain_axis(mode), "title": title(table.target.name)}
    return make_figure(traces, mode, height=300, keep=name, xaxis=x_axis, yaxis=y_axis)


def _boxes(table: Table, feature: int, mode: Mode) -> go.Figure:
    """Five numbers of the target for each level; of more than thirty levels, those with most rows."""
    spec = table.features[feature]
    codes = table.columns[feature].astype(np.int64)
    counts = np.bincount(codes, minlength=len(spec.levels) + 1)
    present = [code for code in (*spec.display_order, len(spec.levels)) if counts[code]]
    kept = set(sorted(present, key=lambda code: -counts[code])[:30])
    shown = [code for code in present if code in kept]
    groups = [np.percentile(table.target_values[codes == code], [0, 25, 50, 75, 100]) for code in shown]
    five = np.array(groups, dtype=np.float64).reshape(-1, 5)
    names = [spec.levels[code] if code < len(spec.levels) else "missing" for code in shown]
    colour = PALETTES[mode].classes[0]
    boxes: Trace = {
        "type": "box",
        "orientation": "h",
        "y": np.arange(len(shown)),
        "lowerfence": five[:, 0],
        "q1": five[:, 1],
        "median": five[:, 2],
        "q3": five[:, 3],
        "upperfence": five[:, 4],
        "line": {"color": colour, "width": 2},
        "showlegend": False,
        "name": "",
    }
    words = [f"{label(name, 22)} ({quantity(int(counts[code]))})" for name, code in zip(names, shown, strict=True)]
    hidden = len(present) - len(shown)
    more = [f"{hidden} more levels are not shown"] if hidden else []
    y_axis = {
        **plain_axis(mode),
        "tickvals": np.arange(len(shown)),
        "ticktext": words,
        "range": [len(shown) - 0.5, -0.5],
    }
    return make_figure(
        [boxes],
        mode,
        height=90 + 34 * max(len(shown), 1),
        keep=spec.name,
        xaxis={**plain_axis(mode), "title": {"text": "<br>".join([label(table.target.name, 40), *more])}},
        yaxis=y_axis,
    )


def _count_axis(mode: Mode) -> dict[str, object]:
    return {
        **plain_axis(mode),
        "title": title("rows"),
        "showgrid": True,
        "gridcolor": PALETTES[mode].line,
        "showline": False,
        "ticks": "",
        "rangemode": "tozero",
        "nticks": 5,
        "fixedrange": True,
    }


def _title_with_missing(name: str, lacking: int, mode: Mode) -> dict[str, object]:
    quiet = f"<br><span style='color:{PALETTES[mode].quiet}'>{_n(lacking, 'value', 'values')} missing</span>"
    return {**title(name), "text": label(name, 40) + (quiet if lacking else "")}


def _lacking(table: Table, feature: int) -> int:
    return int(table.missing(feature).sum())


def _finite(values: AnyArray) -> FloatArray:
    return np.asarray(values[np.isfinite(values)], dtype=np.float64)


def _shares(counts: AnyArray, classes: tuple[str, ...]) -> str:
    """The most frequent classes with their shares."""
    total = counts.sum()
    order = [code for code in np.argsort(-counts, kind="stable").tolist() if counts[code]]
    parts = [f"{classes[code]} {percent(counts[code] / total)}" for code in order[:5]]
    return ", ".join(parts) + (" and others" if len(order) > 5 else "") if parts else "no rows"


def _n(count: int, one: str, several: str) -> str:
    return f"{count} {one if count == 1 else several}"
