"""Noise dampening: test errors of the full and the pruned tree, as more and more labels are wrong.

A share of the labels of training and validation rows is flipped; the test rows keep theirs.
Source: Kelleher, Mac Namee and D'Arcy 2015, section 4.4.4.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.errors import SettingsError
from engine.growth import grow
from engine.holdout import split_three
from engine.metrics import error
from engine.pruning.pruning import prune
from engine.pruning.settings import PruningSettings
from engine.settings import GrowthSettings
from engine.table import IntArray, Table, TargetKind


@dataclass(frozen=True)
class NoisePoint:
    """One run: a share of wrong labels, a seed.

    Attributes
    ----------
    share : float
    seed : int
    full_error, pruned_error : float
        Shares of the test rows that are predicted wrong.
    full_leaves, pruned_leaves : int
    done, total : int
        How many runs are finished, of how many.
    """

    share: float
    seed: int
    full_error: float
    pruned_error: float
    full_leaves: int
    pruned_leaves: int
    done: int
    total: int


def noise_dampening(
    table: Table,
    growth: GrowthSettings,
    pruning: PruningSettings,
    *,
    shares: Sequence[float] = (0.0, 0.1, 0.2, 0.3, 0.4),
    seeds: Sequence[int] = (0, 1, 2, 3, 4),
    validation_share: float = 0.2,
    test_share: float = 0.3,
) -> Iterator[NoisePoint]:
    """Yield a point for each seed and share, seed by seed, as soon as it is computed.

    A seed draws the parts, and the rows that are flipped: those of a smaller share are among those
    of a greater one.

    Raises
    ------
    SettingsError
        If the target is a number, a share is out of its range, or no test row is left.
    TableError
        If a seed, or a share of validation or test rows, is out of its range.
    """
    if table.target.kind is TargetKind.NUMBER:
        raise SettingsError(
            f"labels are flipped where the target has classes, and {table.target.name!r} is a number; "
            "choose a target with classes."
        )
    if table.n_classes < 2:
        raise SettingsError("labels can be flipped where the target has at least two classes, got 1.")
    for share in shares:
        if isinstance(share, bool) or not 0 <= share <= 1:
            raise SettingsError(f"a share of flipped labels must be from 0 to 1, got {share}.")
    return _runs(table, growth, pruning, shares, seeds, validation_share, test_share)


def flip_labels(table: Table, share: float, seed: int) -> Table:
    """The table with another class, drawn from the others, in round(share · n) of its rows."""
    rng = np.random.default_rng(seed)
    order, shift = rng.permutation(table.n_rows), rng.integers(1, table.n_classes, table.n_rows)
    flipped = order[: int(np.floor(share * table.n_rows + 0.5))]
    values: IntArray = table.target_values.astype(np.int64)
    values[flipped] = (values[flipped] + shift[flipped]) % table.n_classes
    return replace(table, target_values=values.astype(table.target_values.dtype))


def _runs(
    table: Table,
    growth: GrowthSettings,
    pruning: PruningSettings,
    shares: Sequence[float],
    seeds: Sequence[int],
    validation_share: float,
    test_share: float,
) -> Iterator[NoisePoint]:
    total, done = len(shares) * len(seeds), 0
    for seed in seeds:
        parts = split_three(table, validation_share, test_share, seed)
        if not parts.test.n_rows:
            raise SettingsError(
                f"a share of {test_share:g} of {table.n_rows} rows leaves no test row; give more of either."
            )
        for share in shares:
            grown = grow(flip_labels(parts.training, share, seed), growth)
            left = prune(grown, pruning, flip_labels(parts.validation, share, seed + 1)).tree
            done += 1
            yield NoisePoint(
                share=share,
                seed=seed,
                full_error=error(grown.tree, parts.test),
                pruned_error=error(left, parts.test),
                full_leaves=grown.tree.n_leaves,
                pruned_leaves=left.n_leaves,
                done=done,
                total=total,
            )
