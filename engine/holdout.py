"""Rows set aside to test a tree on."""

from __future__ import annotations

import numpy as np

from engine.table import Table


def split_holdout(table: Table, share: float, seed: int = 0) -> tuple[Table, Table]:
    """Training and holdout rows of a table."""
    order = np.random.default_rng(seed).permutation(table.n_rows)
    n = round(share * table.n_rows)
    return table.take(np.sort(order[n:])), table.take(np.sort(order[:n]))
