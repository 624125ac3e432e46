"""Variance made visible: how much a tree, and an ensemble, change from one resample to the next.

Source: Breiman 1996, section 4 (why bagging works for unstable predictors).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from engine.ensembles.draws import bootstrap
from engine.ensembles.ensemble import Ensemble
from engine.ensembles.growing import grow_ensemble
from engine.ensembles.routing import answers
from engine.ensembles.settings import EnsembleSettings
from engine.growth import Growth, grow
from engine.table import AnyArray, FloatArray, IntArray, Table


@dataclass(frozen=True, eq=False)
class Resample:
    """A bootstrap sample of the table, and the one tree and the ensemble that were grown from it."""

    rows: IntArray
    growth: Growth
    ensemble: Ensemble


@dataclass(frozen=True, eq=False)
class Spread:
    """What the trees and the ensembles of several resamples say of the same rows.

    Attributes
    ----------
    of_tree, of_ensemble : ndarray of shape (n_resamples, n_rows)
        Class codes, or numbers.
    n_classes : int
        0 for a number.
    """

    of_tree: AnyArray
    of_ensemble: AnyArray
    n_classes: int

    @property
    def tree_variance(self) -> FloatArray:
        """How much one tree's answer varies, for each row; see `variance_of_answers`."""
        return variance_of_answers(self.of_tree, self.n_classes)

    @property
    def ensemble_variance(self) -> FloatArray:
        """How much the ensemble's answer varies, for each row."""
        return variance_of_answers(self.of_ensemble, self.n_classes)


def resampled(table: Table, settings: EnsembleSettings, n_resamples: int = 10) -> Iterator[Resample]:
    """Grow a tree, by the members' settings without the method's depth, and an ensemble from each of several resamples.

    The resamples are drawn by the seed of `settings`.
    """
    for number in range(n_resamples):
        rng = np.random.default_rng([settings.seeded, number, 1])
        rows = bootstrap(rng, table.n_rows)
        sample = table.take(rows, recount=False)
        own = replace(settings, seed=int(rng.integers(2**32)))
        yield Resample(rows, grow(sample, settings.growth), grow_ensemble(sample, own))


def spread_of(resamples: Iterable[Resample], asked: Table) -> Spread:
    """What trees and ensembles of the resamples say of the rows of `asked`.

    Raises
    ------
    QueryError
        If a feature that is tested is not in the table.
    """
    trees, ensembles, n_classes = [], [], 0
    for one in resamples:
        n_classes = one.ensemble.rule.n_classes
        trees.append(answers(one.growth.tree, one.ensemble.base.of_table(asked)))
        ensembles.append(one.ensemble.poll(one.ensemble.rows_of(asked)).predictions)
    return Spread(np.array(trees), np.array(ensembles), n_classes)


def variance_of_answers(said: AnyArray, n_classes: int) -> FloatArray:
    """How much the answers of several models vary, shape (n_rows,): 0 where all agree.

    For a number the sample variance; for classes 1 − Σp², where p is the share of the models that
    answer a class: the chance that two of them drawn at random disagree.

    >>> variance_of_answers(np.array([[0, 1], [0, 0]]), 2).tolist()
    [0.0, 0.5]
    """
    if not n_classes:
        return np.asarray(said.var(axis=0, ddof=1 if len(said) > 1 else 0))
    shares = np.stack([(said == code).mean(axis=0) for code in range(n_classes)])
    return np.asarray(1 - np.square(shares).sum(axis=0))
