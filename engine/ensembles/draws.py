"""What is drawn for a member: its rows, its features, and the seed of the draws at its splits.

Every member has a generator of its own, made from the ensemble's seed and the member's place, so
that a member comes out the same in whatever process it is grown and however many follow it. Rows
are drawn before features: bagging and a forest of the same seed have the same samples.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.ensembles.members import Plan
from engine.ensembles.settings import EnsembleSettings, FeaturesPer
from engine.settings import GrowthSettings
from engine.table import FloatArray, IntArray, Table

_SEEDS = 2**32


def generator(settings: EnsembleSettings, place: int) -> np.random.Generator:
    """The random numbers of the member, or round, at `place`."""
    return np.random.default_rng([settings.seeded, place])


def bootstrap(rng: np.random.Generator, n_rows: int) -> IntArray:
    """As many rows as there are, drawn with replacement, ascending (Efron 1979).

    >>> bootstrap(np.random.default_rng(0), 8).tolist()
    [0, 0, 0, 2, 2, 4, 5, 6]
    """
    return np.sort(rng.integers(n_rows, size=n_rows))


def by_weight(rng: np.random.Generator, weights: FloatArray) -> IntArray:
    """As many rows as there are, each drawn with the probability of its weight, ascending.

    >>> by_weight(np.random.default_rng(0), np.array([0.5, 0.0, 0.5])).tolist()
    [0, 0, 2]
    """
    reached = np.cumsum(weights)
    found = np.searchsorted(reached, rng.random(len(weights)) * reached[-1], side="right")
    return np.sort(np.minimum(found, np.flatnonzero(weights)[-1]))


def subsample(rng: np.random.Generator, n_rows: int, share: float) -> IntArray | None:
    """A share of the rows, at least one, without replacement, ascending; None for all (Friedman 2002).

    >>> subsample(np.random.default_rng(0), 8, 0.5).tolist()
    [2, 3, 4, 6]
    """
    if share >= 1:
        return None
    return np.sort(rng.permutation(n_rows)[: max(1, int(share * n_rows))])


def plan_member(
    settings: EnsembleSettings,
    table: Table,
    index: int,
    rng: np.random.Generator,
    *,
    sample: IntArray | None = None,
    weights: FloatArray | None = None,
    residuals: FloatArray | None = None,
) -> Plan:
    """The plan of one member: its rows as they were drawn, and now its features and its seed."""
    n_drawn, features = settings.n_features_drawn(table), None
    at_splits = n_drawn if settings.features_per is FeaturesPer.SPLIT else None
    growth = replace(settings.member_growth, seed=int(rng.integers(_SEEDS)), max_features=at_splits)
    if n_drawn is not None and at_splits is None:
        features = tuple(sorted(rng.permutation(len(table.features))[:n_drawn].tolist()))
        growth = _within(growth, table, features)
    if index < len(settings.splits):
        growth = replace(growth, choices=settings.splits[index])
    return Plan(growth, sample, features, weights, residuals)


def _within(growth: GrowthSettings, table: Table, features: tuple[int, ...]) -> GrowthSettings:
    """The settings without costs of features that the member does not have."""
    known = {table.features[i].name for i in features}
    return replace(growth, costs=tuple((name, cost) for name, cost in growth.costs if name in known))
