"""A number as target: how its values and squares are written, and where a node lies on its range."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from drawing.theme import exact, rounded
from engine.structure import Structure
from engine.table import FloatArray

FEW = 30
"""Rows up to which sums of whole numbers are written as exact fractions."""


@dataclass(frozen=True)
class Units:
    """How the numbers of one target are written: with as many decimals as its spread calls for.

    Attributes
    ----------
    decimals : int
        Of values: means, residuals.
    square_decimals : int
        Of squares: variances, remainders, reductions.
    whole : bool
        Whether the rows are few and whole numbers, so that sums are written as exact fractions.
    variance : float
        Of all rows; smaller than its rounding is nothing.
    """

    decimals: int
    square_decimals: int
    whole: bool = False
    variance: float = 0.0

    def value(self, value: float) -> str:
        """A mean or another value of the target, without zeros at its end.

        >>> Units(3, 3).value(20.5), Units(0, 0, whole=True).value(9469 / 3), Units(0, 0).value(9469 / 3)
        ('20.5', '3,156⅓', '3,156')
        """
        text = (exact(value, 1e-9) if self.whole else None) or rounded(value, self.decimals)
        return text.rstrip("0").removesuffix(".") if "." in text and "e" not in text else text

    def square(self, value: float) -> str:
        """A variance, a remainder or a reduction.

        >>> Units(3, 3).square(36.324103), Units(0, 0, whole=True).square(1379331.3333333335)
        ('36.324', '1,379,331⅓')
        """
        slack = 1e-11 * self.variance
        if abs(value) <= slack:
            return "0"
        return (exact(value, slack) if self.whole else None) or rounded(value, self.square_decimals)


def short(value: float) -> float:
    """A length to draw: four significant digits, 0 for what is not finite.

    >>> short(2190259.09), short(math.inf)
    (2190000.0, 0.0)
    """
    return float(f"{value:.4g}") if math.isfinite(value) else 0.0


def units(tree: Structure) -> Units:
    """How the numbers of a tree's target are written."""
    values = tree.table.target_values
    few = values if len(values) <= FEW and not tree.weighted else values[:0]
    variance = tree.nodes.variance
    return _units(few, 0.0 if variance is None else float(variance[0]))


def units_of(values: FloatArray) -> Units:
    """How values of a target are written that no tree was grown from.

    >>> units_of(np.array([1.0, 2.0, 4.0])).value(7 / 3), units_of(np.array([0.1, 0.25])).value(0.175)
    ('2⅓', '0.175')
    """
    few = values if len(values) <= FEW else values[:0]
    return _units(few, float(np.var(values, ddof=1)) if len(values) > 1 else 0.0)


def _units(few: FloatArray, variance: float) -> Units:
    whole = len(few) > 0 and bool((few == np.round(few)).all() and (np.abs(few) < 1e9).all())
    if not 0 < variance < math.inf:
        return Units(3, 3, whole)
    size = math.floor(math.log10(variance))
    return Units(max(3 - size // 2, 0), max(4 - size, 0), whole, variance)


@dataclass(frozen=True)
class Place:
    """Where a node's rows lie on the range of the target, as shares of it from 0 to 1.

    `at` is the mean; `low` and `high` are one standard deviation below and above it, within the range.
    """

    at: float
    low: float
    high: float


@dataclass(frozen=True)
class Range:
    """The least and the greatest value of the target."""

    low: float
    high: float

    def share(self, value: float) -> float:
        """Where a value lies; the middle where all values are equal.

        >>> Range(0.0, 8.0).share(2.0), Range(5.0, 5.0).share(5.0)
        (0.25, 0.5)
        """
        if not self.high > self.low:
            return 0.5
        return min(max((value / 2 - self.low / 2) / (self.high / 2 - self.low / 2), 0.0), 1.0)

    def place(self, mean: float, variance: float) -> Place:
        """A mean with one standard deviation either way."""
        spread = math.sqrt(max(variance, 0.0))
        return Place(self.share(mean), self.share(mean - spread), self.share(mean + spread))


def value_range(values: FloatArray) -> Range:
    """The range of some values; from 0 to 0 where there are none."""
    return Range(float(values.min()), float(values.max())) if len(values) else Range(0.0, 0.0)


def target_range(tree: Structure) -> Range:
    """The range of the target over the rows that a tree was grown from."""
    return value_range(tree.table.target_values)
