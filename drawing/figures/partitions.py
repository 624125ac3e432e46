"""The partitions of a candidate split as bars of their classes: D1, D2, … in display order."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from drawing.figures.bars import SMALL_TEXT, bar_keys, bars_height, gathered, share_bars
from drawing.figures.base import make_figure, plain_axis
from drawing.theme import Mode, quantity
from engine.splits import Candidate, Op, Partition
from engine.table import AnyArray, Table


def display_order(candidate: Candidate, table: Table) -> tuple[int, ...]:
    """The partitions' numbers in the order in which a person reads the levels."""
    feature = table.features[candidate.split.feature]
    if not candidate.split.groups:
        return tuple(range(len(candidate.partitions)))
    place = {code: i for i, code in enumerate(feature.display_order)}
    firsts = [min((place[code] for code in group), default=len(place)) for group in candidate.split.groups]
    known = sorted(range(len(firsts)), key=firsts.__getitem__)
    return (*known, *range(len(firsts), len(candidate.partitions)))


def partitions_figure(candidate: Candidate, table: Table, *, mode: Mode = Mode.LIGHT) -> go.Figure:
    """One bar a partition, as long as its rows are many, divided by class.

    Of more than thirty partitions the largest thirty are drawn and the rest gathered in one.
    """
    names, counts = _bars(candidate, table)
    traces, axis = share_bars(names, counts, table.target.classes, mode)
    traces += bar_keys(counts.sum(axis=0), table.target.classes, mode)
    return make_figure(
        traces,
        mode,
        height=bars_height(len(names), table.n_classes),
        keep=candidate.feature,
        barmode="stack",
        uniformtext=SMALL_TEXT,
        xaxis={**plain_axis(mode), "visible": False, "fixedrange": True},
        yaxis={**axis, "fixedrange": True},
    )


def partitions_text(candidate: Candidate, table: Table) -> str:
    """The partitions in words."""
    names, counts = _bars(candidate, table)
    parts = []
    for name, row in zip(names, counts.tolist(), strict=True):
        held = ", ".join(
            f"{quantity(count)} {text}" for count, text in zip(row, table.target.classes, strict=True) if count
        )
        parts.append(f"{name}: {held or 'no rows'}")
    return f"{candidate.feature} parts the rows into {len(candidate.partitions)}. " + "; ".join(parts) + "."


def _bars(candidate: Candidate, table: Table) -> tuple[list[str], AnyArray]:
    """The bars' names, unescaped, and class counts of shape (n_bars, n_classes)."""
    order = display_order(candidate, table)
    names = [f"D{place + 1} {_condition(candidate.partitions[i])}" for place, i in enumerate(order)]
    counts = np.array([candidate.partitions[i].counts for i in order])
    return gathered(names, counts)


def _condition(partition: Partition) -> str:
    condition = partition.condition
    if isinstance(condition.value, tuple):
        return ", ".join(condition.value)
    if condition.op is Op.MISSING or condition.value is None:
        return "missing"
    sign = "<" if condition.op is Op.LESS else "≥"
    return f"{sign} {quantity(condition.value)}"
