"""The curse of dimensionality: test errors as features of random numbers are added to a table.

A random feature says nothing of the target. The more there are, the more often one of them separates
the few rows of a deep node by chance, and the fewer of the features that a forest draws at a split are of
use. Sources: Mitchell 1997, section 8.2.3; Hastie, Tibshirani and Friedman 2009, section 15.3.4 (forests).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.ensembles.ensemble import Ensemble
from engine.ensembles.growing import grow_stepwise
from engine.ensembles.measures import ensemble_importance
from engine.ensembles.settings import EnsembleSettings
from engine.ensembles.spread import lone_tree
from engine.errors import SettingsError
from engine.holdout import split_holdout
from engine.table import Feature, FeatureKind, FloatArray, Table


@dataclass(frozen=True)
class RandomPoint:
    """One run: so many random features, a seed.

    Attributes
    ----------
    n_added, seed : int
    tree_error, ensemble_error : float
        On the test rows: a share of them, or a mean squared error.
    tree_share, ensemble_share : float
        How much of the importance falls on random features.
    """

    n_added: int
    seed: int
    tree_error: float
    ensemble_error: float
    tree_share: float
    ensemble_share: float


@dataclass(frozen=True, eq=False)
class RandomRuns:
    """How far `random_features` has come: the runs that are done, how many there are to be, the share of the work."""

    points: tuple[RandomPoint, ...]
    n_runs: int
    share: float


def random_features(
    table: Table,
    settings: EnsembleSettings,
    *,
    numbers: Sequence[int] = (0, 5, 10, 20, 50),
    seeds: Sequence[int] = (0, 1, 2),
    test_share: float = 0.3,
) -> Iterator[RandomRuns]:
    """Grow a tree and an ensemble with more and more random features, told after every member.

    A seed draws the test rows and the random numbers: the columns of a smaller number are among
    those of a greater one. The tree is that of `lone_tree`.

    Raises
    ------
    SettingsError
        If a number is negative, no test row is left, or the ensemble cannot be grown.
    """
    if min(numbers, default=0) < 0:
        raise SettingsError(f"random features can be added, not taken away; got {min(numbers)}, give at least 0.")
    done: tuple[RandomPoint, ...] = ()
    n_runs = len(numbers) * len(seeds)
    for seed in seeds:
        drawn = np.random.default_rng(seed).random((max(numbers, default=0), table.n_rows))
        for number in numbers:
            training, tested = split_holdout(with_random_features(table, drawn[:number]), test_share, seed)
            if not tested.n_rows:
                raise SettingsError(f"a share of {test_share:g} of {table.n_rows} rows leaves no test row; give more.")
            tree = lone_tree(training, settings)
            for ensemble in grow_stepwise(training, replace(settings, draws=(), splits=())):
                part = ensemble.n_rounds / settings.n_members
                yield RandomRuns(done, n_runs, (len(done) + part) / n_runs)
            own = len(table.features)
            done = (
                *done,
                RandomPoint(
                    n_added=number,
                    seed=seed,
                    tree_error=_error(tree, tested),
                    ensemble_error=_error(ensemble, tested),
                    tree_share=float(ensemble_importance(tree)[own:].sum()),
                    ensemble_share=float(ensemble_importance(ensemble)[own:].sum()),
                ),
            )
            yield RandomRuns(done, n_runs, len(done) / n_runs)


def with_random_features(table: Table, columns: FloatArray) -> Table:
    """The table with columns of numbers after its own, shape (n_columns, n_rows), named ``random 1`` and on.

    >>> import engine
    >>> table = engine.read_table("datasets/files/play_tennis.csv", target="play", ignore=("day",))
    >>> [feature.name for feature in with_random_features(table, np.zeros((2, 14))).features][-2:]
    ['random 1', 'random 2']
    """
    taken = {feature.name for feature in table.features} | {table.target.name}
    prefix = "random"
    while any(name.startswith(f"{prefix} ") for name in taken):
        prefix = f"further {prefix}"
    added = tuple(Feature(f"{prefix} {place + 1}", FeatureKind.NUMERIC) for place in range(len(columns)))
    return replace(table, features=(*table.features, *added), columns=(*table.columns, *columns))


def _error(ensemble: Ensemble, tested: Table) -> float:
    """The error of all members, or of the start where there are none."""
    return float(ensemble.curve(tested).errors[-1])
