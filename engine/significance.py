"""The chi-square test of a split: whether its partitions could differ so much by chance alone.

Sources: Pearson 1900; Quinlan 1986, section 4 (as a stopping rule).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import chdtrc

from engine.criteria import Counts
from engine.table import FloatArray, IntArray


@dataclass(frozen=True)
class ChiSquare:
    """The test of independence between branch and class.

    Attributes
    ----------
    statistic : float
        Σ (observed − expected)² / expected.
    degrees_of_freedom : int
        (branches − 1) · (classes − 1), those without rows left out.
    p_value : float
        The chance of a statistic as great if branch and class were independent; 1 where there are
        no degrees of freedom.
    """

    statistic: float
    degrees_of_freedom: int
    p_value: float


def chi_square(counts: Counts) -> ChiSquare:
    """The test of one split, without a continuity correction.

    Parameters
    ----------
    counts : ndarray of shape (n_classes, n_branches)
        Rows, or their weights, of each class in each branch.

    Examples
    --------
    Outlook on Play Tennis: no and yes in overcast, rain and sunny.

    >>> test = chi_square(np.array([[0, 2, 3], [4, 3, 2]]))
    >>> round(test.statistic, 4), test.degrees_of_freedom, round(test.p_value, 4)
    (3.5467, 2, 0.1698)
    """
    counts = np.asarray(counts, dtype=np.float64)
    branch = np.zeros(counts.shape[1], dtype=np.int64)
    statistic, degrees, p_value = chi_squares(counts.T, branch, 1)
    return ChiSquare(float(statistic[0]), int(degrees[0]), float(p_value[0]))


def expected_counts(counts: Counts) -> FloatArray:
    """What each branch would hold of each class if branch and class were independent.

    Parameters
    ----------
    counts : ndarray of shape (n_classes, n_branches)

    Returns
    -------
    ndarray of shape (n_classes, n_branches)
        Rows of the class times rows of the branch, by all rows.

    >>> expected_counts(np.array([[0, 2, 3], [4, 3, 2]])).round(3).tolist()
    [[1.429, 1.786, 1.786], [2.571, 3.214, 3.214]]
    """
    counts = np.asarray(counts, dtype=np.float64)
    return np.outer(counts.sum(axis=1), counts.sum(axis=0)) / max(float(counts.sum()), np.finfo(np.float64).tiny)


def chi_squares(counts: Counts, split: IntArray, n_splits: int) -> tuple[FloatArray, IntArray, FloatArray]:
    """The tests of many splits at once.

    Parameters
    ----------
    counts : ndarray of shape (n, n_classes)
        Class counts of the branches of all splits.
    split : ndarray of int64, shape (n,)
        Which split each branch belongs to.
    n_splits : int

    Returns
    -------
    statistic, degrees_of_freedom, p_value : ndarray of shape (n_splits,)
    """
    counts = np.asarray(counts, dtype=np.float64)
    by_class = np.stack([np.bincount(split, column, minlength=n_splits) for column in counts.T], axis=1)
    size = counts.sum(axis=1)
    total = by_class.sum(axis=1)
    expected = size[:, None] * by_class[split] / np.where(total > 0, total, 1.0)[split][:, None]
    off = np.square(counts - expected) / np.where(expected > 0, expected, 1.0)
    statistic = np.asarray(np.bincount(split, off.sum(axis=1), minlength=n_splits), dtype=np.float64)
    n_branches = np.bincount(split[size > 0], minlength=n_splits)
    degrees: IntArray = np.maximum(n_branches - 1, 0) * np.maximum((by_class > 0).sum(axis=1) - 1, 0)
    p_value = np.where(degrees > 0, chdtrc(np.maximum(degrees, 1), statistic), 1.0)
    return statistic, degrees, p_value
