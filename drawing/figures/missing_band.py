"""Rows without a value on a shown axis: a band beside the axis, with the answers that such a row gets.

Where missing values have a branch of their own the band shows what lies below it; where a row goes
down every branch it shows the mean of the branches, weighted as the row is.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from drawing.figures.base import Trace, compact, label, small_integers, unseen_marks
from drawing.figures.rectangles import MOST_RECTANGLES, region_traces
from drawing.numbers import Range, units
from drawing.theme import Mode, quantity
from engine.axes import Axis
from engine.regions import Regions, decision_regions, node_region
from engine.settings import Missing
from engine.splits import Op
from engine.table import FloatArray
from engine.tree import Tree

WIDTH, GAP = 0.1, 0.03
"""Of the band and of the space before it, as shares of a numeric axis."""
WORD, SIGN = "missing", "?"
"""What stands at the band of levels, and at that of numbers, where there is less room."""


@dataclass(frozen=True)
class Band:
    """Where rows without a value on one axis stand, in the axis's own units."""

    axis: Axis
    low: float
    high: float

    @property
    def centre(self) -> float:
        """The middle, where the rows are."""
        return self.low / 2 + self.high / 2

    @property
    def range(self) -> tuple[float, float]:
        """The ends of the axis with the band."""
        return min(self.low, self.axis.low), max(self.high, self.axis.high)

    @property
    def placed(self) -> Axis:
        """The axis with a place for missing values."""
        return replace(self.axis, missing_at=self.centre)


def band(tree: Tree, axis: Axis | None) -> Band | None:
    """The band of an axis; None where every row has a value on it."""
    if axis is None or not tree.table.features[axis.feature].n_missing:
        return None
    if axis.is_numeric:
        span = axis.high - axis.low
        return Band(axis, axis.low - (GAP + WIDTH) * span, axis.low - GAP * span)
    return Band(axis, axis.high + 0.1, axis.high + 0.9)


def band_traces(
    tree: Tree, regions: Regions, bands: tuple[Band | None, Band | None], mode: Mode, within: Range | None
) -> list[Trace]:
    """The answers in the bands as colour, with marks that answer to the pointer."""
    traces: list[Trace] = []
    for found, lacking in _answers(tree, regions, bands):
        if len(found) <= MOST_RECTANGLES:
            traces += region_traces(found, mode, within)
            traces.append(_click_marks(tree, found, lacking))
    return traces


def outline_sides(tree: Tree, node: int, regions: Regions, bands: tuple[Band | None, Band | None]) -> FloatArray:
    """The rectangles of a node, shape (4, n): in the picture, and in the bands where rows without a value get there."""
    x, y = regions.x.name, None if regions.y is None else regions.y.name
    lacking = {condition.feature for condition in tree.path(node) if condition.op is Op.MISSING}
    parts = []
    if x not in lacking and y not in lacking:
        parts.append(node_region(tree, node, x, y).T)
    spread = tree.missing is Missing.FRACTIONAL
    tested = {condition.feature for condition in tree.path(node)}
    if bands[0] is not None and y is not None and y not in lacking and (spread or x in lacking or x not in tested):
        low, high = node_region(tree, node, y).T[:2]
        parts.append(_across(bands[0], low, high))
    if bands[1] is not None and x not in lacking and (spread or y in lacking or y not in tested):
        low, high = node_region(tree, node, x).T[:2]
        parts.append(_across(bands[1], low, high)[[2, 3, 0, 1]])
    return np.concatenate([np.empty((4, 0)), *parts], axis=1)


def stretched(layout: dict[str, Any], found: Band | None) -> dict[str, Any]:
    """An axis layout with room for the band, and its sign among the ticks."""
    if found is None:
        return layout
    if found.axis.is_numeric:
        values = even_ticks(found.axis.low, found.axis.high)
        names, word = [quantity(value) for value in values], SIGN
    else:
        values, names, word = np.asarray(layout["tickvals"]).tolist(), list(layout["ticktext"]), WORD
    return {
        **layout,
        "range": list(found.range),
        "tickvals": [*values, found.centre],
        "ticktext": [*names, word],
    }


def even_ticks(low: float, high: float, most: int = 7) -> list[float]:
    """Round values between two ends, evenly apart: steps of 1, 2 or 5 times a power of ten.

    >>> even_ticks(1.8, 7.2), even_ticks(-0.4, 25.9)
    ([2.0, 3.0, 4.0, 5.0, 6.0, 7.0], [0.0, 5.0, 10.0, 15.0, 20.0, 25.0])
    """
    if not 0 < high - low < math.inf:
        return [low]
    power = 10.0 ** math.floor(math.log10((high - low) / most))
    step = next(power * times for times in (1, 2, 5, 10, 20) if (high - low) / (power * times) <= most)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(place * step, 12) + 0.0 for place in range(first, last + 1)]


def room(found: Band | None) -> float:
    """The share of the picture that the values of the axis have."""
    if found is None:
        return 1.0
    low, high = found.range
    return (found.axis.high - found.axis.low) / (high - low)


def _answers(tree: Tree, regions: Regions, bands: tuple[Band | None, Band | None]) -> list[tuple[Regions, str]]:
    """What the tree answers in each band, as rectangles of the picture, and the feature that is missing there."""
    across, up = bands
    found = []
    if across is not None and regions.y is not None:
        along = _given_missing(tree, regions.y.name, across.axis)
        x0, x1, y0, y1 = _across(across, along.x0, along.x1)
        made = replace(along, x=regions.x, y=regions.y, x0=x0, x1=x1, y0=y0, y1=y1)
        found.append((made, across.axis.name))
    if up is not None:
        along = _given_missing(tree, regions.x.name, up.axis)
        y0, y1, x0, x1 = _across(up, along.x0, along.x1)
        made = replace(along, x=regions.x, y=regions.y, x0=x0, x1=x1, y0=y0, y1=y1)
        found.append((made, up.axis.name))
    return found


def _given_missing(tree: Tree, shown: str, lacking: Axis) -> Regions:
    """The regions along one axis where the value of the other is missing."""
    given: Mapping[str, float] = {}
    if tree.missing is Missing.OWN_BRANCH and lacking.is_numeric:
        given = {lacking.name: math.nan}
    return decision_regions(tree, shown, given=given)


def _across(found: Band, low: FloatArray, high: FloatArray) -> FloatArray:
    """Intervals along the other axis as rectangles of the band: its own sides first."""
    return np.stack([np.full(len(low), found.low), np.full(len(low), found.high), low, high])


def _click_marks(tree: Tree, regions: Regions, lacking: str) -> Trace:
    """Unseen marks in the middle of each answer; under the pointer they say it."""
    xs, ys = regions.x0 / 2 + regions.x1 / 2, regions.y0 / 2 + regions.y1 / 2
    answers = (
        [units(tree).value(mean) for mean in regions.prediction.tolist()]
        if tree.is_number
        else [label(tree.table.target.classes[code]) for code in regions.prediction.tolist()]
    )
    return {
        **unseen_marks(),
        "x": compact(xs),
        "y": compact(ys),
        "customdata": small_integers(np.stack([np.full(len(xs), -1), regions.node], axis=1)),
        "text": answers,
        "hovertemplate": f"<b>%{{text}}</b><br>{label(lacking)} is missing<extra></extra>",
        "name": "regions",
    }
