"""Features as coordinates: where a value or a level lies on an axis of a picture."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from engine.splits import is_numeric
from engine.table import AnyArray, FloatArray, IntArray, Table

MARGIN = 0.04
"""Empty space left at both ends of a numeric axis, as a share of the values' range."""

Limits = tuple[float, float]


@dataclass(frozen=True, eq=False)
class Axis:
    """A feature as a coordinate.

    Attributes
    ----------
    feature : int
        Column number.
    name : str
    is_numeric : bool
        Whether the coordinate is the value itself, not the place of a level.
    levels : tuple of str
        In display order; empty for a numeric feature. The level at place p covers p - 0.5 to p + 0.5.
    place_of : ndarray of int64, shape (n_levels,)
        The place of each level code.
    low, high : float
        The ends of the axis.
    missing_at : float
        Where missing values lie; NaN for nowhere.
    """

    feature: int
    name: str
    is_numeric: bool
    levels: tuple[str, ...]
    place_of: IntArray
    low: float
    high: float
    missing_at: float = math.nan

    def coordinates(self, column: AnyArray) -> FloatArray:
        """Where the values of a column (coded as in the table) lie; `missing_at` where missing."""
        if self.is_numeric:
            values = np.asarray(column, dtype=np.float64)
            return values if math.isnan(self.missing_at) else np.where(np.isnan(values), self.missing_at, values)
        return np.append(self.place_of.astype(np.float64), self.missing_at)[column]


def feature_axis(table: Table, feature: str, limits: Limits | None = None) -> Axis:
    """The coordinate of a feature.

    Parameters
    ----------
    table : Table
    feature : str
        Its name.
    limits : (float, float), optional
        Ends of the axis; by default all levels, or the range of the values and a margin.

    Raises
    ------
    TableError
        If there is no such feature.

    Examples
    --------
    >>> from engine import read_table
    >>> axis = feature_axis(read_table("datasets/files/iris.csv", target="target"), "petal length (cm)", (0.0, 7.0))
    >>> axis.is_numeric, axis.low, axis.high
    (True, 0.0, 7.0)
    """
    index = table.feature_index(feature)
    spec = table.features[index]
    place_of = np.empty(len(spec.levels), dtype=np.int64)
    place_of[list(spec.display_order)] = np.arange(len(spec.levels))
    if limits is None:
        limits = _range(table.columns[index]) if is_numeric(spec) else (-0.5, max(len(spec.levels), 1) - 0.5)
    levels = tuple(spec.levels[code] for code in spec.display_order)
    return Axis(index, feature, is_numeric(spec), levels, place_of, *limits)


def _range(column: AnyArray) -> Limits:
    """The range of the finite values with a margin; a unit around a constant."""
    finite = column[np.isfinite(column)]
    if not len(finite):
        return -0.5, 0.5
    low, high = float(finite.min()), float(finite.max())
    pad = max(0.5, abs(low) * MARGIN) if low == high else MARGIN * high - MARGIN * low
    largest = float(np.finfo(np.float64).max)
    return max(low - pad, -largest), min(high + pad, largest)
