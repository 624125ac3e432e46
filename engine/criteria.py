"""Impurities and split information: pure functions of what is added up over rows.

Every function takes its sums along the **first** axis and works over any further axes, so that one
call scores one node or a million thresholds. For classes the sums are class counts; for a number
they are three: n, Σ(y − c) and Σ(y − c)², for any c near the values. Both may be weighted.

Sources: Quinlan 1986 (entropy, gain), Quinlan 1993 (gain ratio), Breiman et al. 1984 (Gini,
squared error), Kelleher, Mac Namee and D'Arcy 2015, ch. 4 (sample variance).
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.table import FloatArray, TargetKind

Counts = npt.NDArray[Any]

_TINY = 1e-300
_ONE_ROW = 1 + 1e-9
"""Weights that add up to one row only but for rounding have no sample variance."""


class Criterion(StrEnum):
    """What a growth maximises the reduction of; `gain_ratio` divides entropy's by the split information."""

    ENTROPY = "entropy"
    GINI = "gini"
    GAIN_RATIO = "gain_ratio"
    MISCLASSIFICATION = "misclassification"
    VARIANCE = "variance"
    SQUARED_ERROR = "squared_error"

    @property
    def target_kind(self) -> TargetKind:
        """The kind of target that the criterion is defined for."""
        number = self in (Criterion.VARIANCE, Criterion.SQUARED_ERROR)
        return TargetKind.NUMBER if number else TargetKind.CLASSES


def n_log2_n(values: Counts) -> FloatArray:
    """N · log2 n, with 0 · log2 0 = 0, for each of `values`.

    >>> n_log2_n(np.array([0, 1, 2, 8])).tolist()
    [0.0, 0.0, 2.0, 24.0]
    """
    numbers = np.asarray(values, dtype=np.float64)
    return np.asarray(numbers * np.log2(np.maximum(numbers, _TINY)) + 0.0)


def n_log2_n_table(n: int) -> FloatArray:
    """N · log2 n of 0 … n at least: a look-up is several times faster than a logarithm."""
    return _table(1 << n.bit_length())


@lru_cache(maxsize=2)
def _table(size: int) -> FloatArray:
    table = n_log2_n(np.arange(size))
    table.flags.writeable = False
    return table


def sizes_of(criterion: Criterion, sums: Counts) -> Counts:
    """Rows (or weight) behind the sums, shape (…).

    >>> sizes_of(Criterion.GINI, np.array([5, 9])), sizes_of(Criterion.VARIANCE, np.array([2.0, 0.0, 8.0]))
    (np.int64(14), np.float64(2.0))
    """
    return np.asarray(sums[0] if criterion.target_kind is TargetKind.NUMBER else sums.sum(axis=0))[()]


def weighted_impurity(
    criterion: Criterion, counts: Counts, sizes: Counts | None = None, table: FloatArray | None = None
) -> FloatArray:
    """Rows times impurity: what the search adds up over the partitions of a split.

    Parameters
    ----------
    criterion : Criterion
    counts : ndarray of shape (n_classes, …), or (3, …) for a number
    sizes : ndarray of shape (…), optional
        `sizes_of` the counts, where the caller has them.
    table : ndarray, optional
        `n_log2_n_table`, where the counts are whole numbers.

    Returns
    -------
    ndarray of shape (…)

    >>> weighted_impurity(Criterion.ENTROPY, np.array([5, 9])).round(6)
    np.float64(13.164003)
    >>> weighted_impurity(Criterion.SQUARED_ERROR, np.array([2.0, 0.0, 2.0]))
    np.float64(2.0)
    """
    if sizes is None:
        sizes = sizes_of(criterion, counts)
    match criterion:
        case Criterion.ENTROPY | Criterion.GAIN_RATIO:
            if table is None:
                return np.asarray(n_log2_n(sizes) - n_log2_n(counts).sum(axis=0))[()]
            return np.asarray(table.take(sizes) - table.take(counts).sum(axis=0))
        case Criterion.GINI:
            squares = np.square(counts, dtype=np.float64).sum(axis=0)
            return np.asarray(sizes - squares / np.maximum(sizes, _TINY))
        case Criterion.MISCLASSIFICATION:
            return np.asarray(sizes - counts.max(axis=0), dtype=np.float64)
        case Criterion.SQUARED_ERROR:
            return _squares(counts, sizes)
        case Criterion.VARIANCE:
            some = sizes > _ONE_ROW
            scale = np.divide(sizes, sizes - 1, out=np.zeros(np.shape(sizes)), where=some)
            return np.asarray(_squares(counts, sizes) * scale)[()]


def _squares(sums: Counts, sizes: Counts) -> FloatArray:
    """Σ(y − mean)² from the sums of a number: never negative, 0 for no rows."""
    return np.asarray(np.maximum(sums[2] - np.square(sums[1]) / np.maximum(sizes, _TINY), 0.0))[()]


def impurity(criterion: Criterion, counts: Counts, table: FloatArray | None = None) -> FloatArray:
    """Impurity of class counts, shape (n_classes, …), or of a number's sums; 0 where there are no rows.

    `table` is that of `weighted_impurity`.

    >>> impurity(Criterion.ENTROPY, np.array([5, 9])).round(6)
    np.float64(0.940286)
    >>> impurity(Criterion.GINI, np.array([5, 9])).round(6)
    np.float64(0.459184)
    >>> impurity(Criterion.MISCLASSIFICATION, np.array([5, 9])).round(6)
    np.float64(0.357143)
    >>> impurity(Criterion.VARIANCE, np.array([2.0, 0.0, 2.0]))
    np.float64(2.0)
    """
    total = sizes_of(criterion, counts)
    return np.asarray(weighted_impurity(criterion, counts, total, table) / np.maximum(total, _TINY))[()]


def split_information(sizes: Counts) -> FloatArray:
    """Entropy of the sizes of a split's partitions, in bits (Quinlan 1993, section 2.2).

    >>> split_information(np.array([4, 5, 5])).round(6)
    np.float64(1.577406)
    """
    return impurity(Criterion.ENTROPY, sizes)


def gain_ratio(gain: Counts, information: Counts) -> FloatArray:
    """Gain divided by split information; 0 where the split information is 0.

    >>> gain_ratio(np.array(0.2467498), np.array(1.577406)).round(6)
    np.float64(0.156428)
    """
    gain = np.asarray(gain, dtype=np.float64)
    return np.divide(gain, information, out=np.zeros_like(gain), where=np.asarray(information) > 0)


def variance(values: FloatArray) -> float:
    """Sample variance, with n − 1; 0 for fewer than two values.

    >>> variance(np.array([800.0, 826.0, 900.0]))
    2692.0
    """
    return float(np.var(values, ddof=1)) if len(values) > 1 else 0.0


def squared_error(values: FloatArray) -> float:
    """Population variance, with n: the mean squared error of the mean; 0 for no values.

    >>> squared_error(np.array([1.0, 3.0]))
    1.0
    """
    return float(np.var(values)) if len(values) else 0.0
