"""Rows set aside, so that a tree can be tested on what it has not seen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.errors import TableError
from engine.table import AnyArray, IntArray, Table, TargetKind

MAX_SHARE = 0.9


def split_holdout(table: Table, share: float, seed: int = 0) -> tuple[Table, Table]:
    """Split a table at random into training rows and holdout rows.

    Classes keep their shares (stratified), and the classes whose exact number is cut the most get
    the rows that rounding leaves (largest remainder), so that the holdout has round(share · n)
    rows; fewer where a class would lose its last row of training. The rows of both parts stay in
    the table's order.

    Parameters
    ----------
    table : Table
    share : float
        Part of the rows to hold out, from 0 (none: an empty holdout) to 0.9.
    seed : int
        The same seed gives the same rows.

    Returns
    -------
    training, holdout : Table

    Raises
    ------
    TableError
        If the share or the seed is out of its range.
    """
    if isinstance(share, bool) or not 0 <= share <= MAX_SHARE:
        raise TableError(f"the holdout's share must be from 0 to {MAX_SHARE}, got {share}.")
    parts = split_three(table, share, 0.0, seed)
    return parts.training, parts.validation


@dataclass(frozen=True, eq=False)
class ThreeWaySplit:
    """Rows to grow from, rows to choose and prune on, and rows that stay unseen until the end."""

    training: Table
    validation: Table
    test: Table


def split_three(table: Table, validation: float, test: float, seed: int = 0) -> ThreeWaySplit:
    """Split a table at random into training, validation and test rows, classes keeping their shares.

    What is set aside has round((validation + test) · n) rows, of which round(test · n) are test rows;
    see `split_holdout`. With no test rows the other two parts are those of `split_holdout`.

    Parameters
    ----------
    table : Table
    validation, test : float
        Parts of the rows; both from 0, and together at most 0.9.
    seed : int
        The same seed gives the same rows.

    Raises
    ------
    TableError
        If a share or the seed is out of its range.
    """
    for name, share in (("validation", validation), ("test", test)):
        if isinstance(share, bool) or not 0 <= share <= MAX_SHARE:
            raise TableError(f"the {name} rows' share must be from 0 to {MAX_SHARE}, got {share}.")
    if validation + test > MAX_SHARE + 1e-9:
        raise TableError(
            f"validation and test rows together must be at most {MAX_SHARE} of all, got {validation} + {test}; "
            "leave more for growing."
        )
    if isinstance(seed, bool) or int(seed) != seed or seed < 0:
        raise TableError(f"the seed must be a whole number from 0, got {seed}.")
    rng = np.random.default_rng(int(seed))
    strata = table.target_values if table.target.kind is TargetKind.CLASSES else np.zeros(table.n_rows, dtype=np.int64)
    sizes = np.bincount(strata)
    held = holdout_counts(sizes, validation + test)
    tested = _apportioned(test * sizes, held, _half_up(test * table.n_rows))
    part = np.zeros(table.n_rows, dtype=np.int64)
    for stratum in range(len(sizes)):
        drawn = rng.permutation(np.flatnonzero(strata == stratum))
        part[drawn[: held[stratum]]] = 1
        part[drawn[: tested[stratum]]] = 2
    return ThreeWaySplit(*(table.take(np.flatnonzero(part == number)) for number in range(3)))


def holdout_counts(sizes: IntArray, share: float) -> IntArray:
    """How many rows of each class are held out.

    >>> holdout_counts(np.array([9, 5]), 0.3)
    array([3, 1])
    >>> holdout_counts(np.array([3, 1, 1]), 0.5)
    array([2, 0, 0])
    """
    most = np.maximum(sizes - 1, 0)  # one row of every class is for training
    return _apportioned(share * sizes, most, _half_up(share * sizes.sum()))


def _half_up(number: float) -> int:
    """The nearest whole number; of two the greater."""
    return int(np.floor(number + 0.5))


def _apportioned(ideal: AnyArray, most: IntArray, total: int) -> IntArray:
    """Whole numbers near the ideal ones, at most `most`, that add up to `total` where they can: largest remainder."""
    counts: IntArray = np.minimum(np.floor(ideal + 1e-9).astype(np.int64), most)
    for stratum in np.argsort(counts - ideal, kind="stable"):
        if counts.sum() < total and counts[stratum] < most[stratum]:
            counts[stratum] += 1
    return counts
