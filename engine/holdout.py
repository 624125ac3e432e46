"""Rows set aside, so that a tree can be tested on what it has not seen."""

from __future__ import annotations

import numpy as np

from engine.errors import TableError
from engine.table import IntArray, Table, TargetKind

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
    if isinstance(seed, bool) or int(seed) != seed or seed < 0:
        raise TableError(f"the seed must be a whole number from 0, got {seed}.")
    rng = np.random.default_rng(int(seed))
    strata = table.target_values if table.target.kind is TargetKind.CLASSES else np.zeros(table.n_rows, dtype=np.int64)
    held = np.zeros(table.n_rows, dtype=bool)
    for stratum, count in enumerate(holdout_counts(np.bincount(strata), share)):
        rows = np.flatnonzero(strata == stratum)
        held[rng.permutation(rows)[:count]] = True
    return table.take(np.flatnonzero(~held)), table.take(np.flatnonzero(held))


def holdout_counts(sizes: IntArray, share: float) -> IntArray:
    """How many rows of each class are held out.

    >>> holdout_counts(np.array([9, 5]), 0.3)
    array([3, 1])
    >>> holdout_counts(np.array([3, 1, 1]), 0.5)
    array([2, 0, 0])
    """
    total = int(np.floor(share * sizes.sum() + 0.5))
    most = np.maximum(sizes - 1, 0)  # one row of every class is for training
    counts: IntArray = np.minimum(np.floor(share * sizes + 1e-9).astype(np.int64), most)
    by_remainder = np.argsort(counts - share * sizes, kind="stable")
    for stratum in by_remainder:
        if counts.sum() < total and counts[stratum] < most[stratum]:
            counts[stratum] += 1
    return counts
