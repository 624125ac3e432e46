"""Variance made visible: how much a tree, and an ensemble, change from one resample to the next.

Source: Breiman 1996, section 4 (why bagging works for unstable predictors).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from engine.ensembles.base import base_of
from engine.ensembles.draws import bootstrap
from engine.ensembles.ensemble import Ensemble
from engine.ensembles.growing import grow_ensemble, grow_stepwise
from engine.ensembles.settings import EnsembleMethod, EnsembleSettings
from engine.growth import Growth
from engine.metrics import truth_codes
from engine.table import AnyArray, FloatArray, IntArray, Table


@dataclass(frozen=True, eq=False)
class Resample:
    """A bootstrap sample of the table, and the one tree and the ensemble that were grown from it.

    Attributes
    ----------
    rows : ndarray of int64
        Positions in the table, with repeats.
    tree : Ensemble
        The one tree, as an ensemble of a single member that has every row of the sample once.
    ensemble : Ensemble
    """

    rows: IntArray
    tree: Ensemble
    ensemble: Ensemble

    @property
    def growth(self) -> Growth:
        """The one tree, to be opened and stepped."""
        return self.tree.members[0].growth


@dataclass(frozen=True, eq=False)
class Resampling:
    """How far the resamples have come.

    Attributes
    ----------
    whole : Ensemble
        Grown from the rows themselves, as far as it has come.
    resamples : tuple of Resample
        Those that are done.
    n_resamples : int
        Those that there are to be.
    share : float
        Of the work, from 0 to 1.
    """

    whole: Ensemble
    resamples: tuple[Resample, ...]
    n_resamples: int
    share: float


@dataclass(frozen=True, eq=False)
class Spread:
    """What the trees and the ensembles of several resamples say of the same rows.

    Attributes
    ----------
    of_tree, of_ensemble : ndarray of shape (n_resamples, n_rows)
        Class codes, or numbers.
    truth : ndarray of shape (n_rows,)
        Class codes (negative for classes that the table did not have), or numbers.
    n_classes : int
        0 for a number.
    """

    of_tree: AnyArray
    of_ensemble: AnyArray
    truth: AnyArray
    n_classes: int

    @property
    def tree_variance(self) -> FloatArray:
        """How much one tree's answer varies, for each row; see `variance_of_answers`."""
        return variance_of_answers(self.of_tree, self.n_classes)

    @property
    def ensemble_variance(self) -> FloatArray:
        """How much the ensemble's answer varies, for each row."""
        return variance_of_answers(self.of_ensemble, self.n_classes)

    @property
    def tree_errors(self) -> FloatArray:
        """The error of each tree, shape (n_resamples,): a share of the rows, or a mean squared error."""
        return self._errors(self.of_tree)

    @property
    def ensemble_errors(self) -> FloatArray:
        """The error of each ensemble, shape (n_resamples,)."""
        return self._errors(self.of_ensemble)

    def _errors(self, said: AnyArray) -> FloatArray:
        lost = said != self.truth if self.n_classes else np.square(said - self.truth)
        return np.asarray(lost.mean(axis=1))


def resampling(table: Table, settings: EnsembleSettings, n_resamples: int = 10) -> Iterator[Resampling]:
    """Grow an ensemble from the rows, then a tree and an ensemble from each of several resamples.

    It is told after every member. The tree is grown by the members' settings, without the method's depth and
    with all features. The resamples are drawn by the seed of `settings`.

    Raises
    ------
    TableError, SettingsError
        If the ensemble cannot be grown.
    """
    alone = _alone(table, settings)
    done: tuple[Resample, ...] = ()
    for whole in grow_stepwise(table, settings):
        yield Resampling(whole, done, n_resamples, _share(whole) / (n_resamples + 1))
    for number in range(n_resamples):
        rng = np.random.default_rng([settings.seeded, number, 1])
        rows = bootstrap(rng, table.n_rows)
        sample = table.take(rows, recount=False)
        own = replace(settings, seed=int(rng.integers(2**32)))
        every = tuple(range(base_of(sample, alone).n_rows))
        tree = grow_ensemble(sample, replace(alone, draws=(every,)))
        for ensemble in grow_stepwise(sample, own):
            yield Resampling(whole, done, n_resamples, (number + 1 + _share(ensemble)) / (n_resamples + 1))
        done = (*done, Resample(rows, tree, ensemble))
        yield Resampling(whole, done, n_resamples, (len(done) + 1) / (n_resamples + 1))


def resampled(table: Table, settings: EnsembleSettings, n_resamples: int = 10) -> Iterator[Resample]:
    """The resamples of `resampling`, one after the other."""
    told = 0
    for now in resampling(table, settings, n_resamples):
        if len(now.resamples) > told:
            told = len(now.resamples)
            yield now.resamples[-1]


def spread_of(resamples: Iterable[Resample], asked: Table) -> Spread:
    """What trees and ensembles of the resamples say of the rows of `asked`.

    Raises
    ------
    QueryError
        If a feature that is tested is not in the table, or it has another target.
    """
    trees: list[AnyArray] = []
    ensembles: list[AnyArray] = []
    truth: AnyArray = np.empty(0)
    n_classes = 0
    for one in resamples:
        n_classes, truth = one.ensemble.rule.n_classes, truth_codes(one.ensemble.source, asked)
        for found, model in ((trees, one.tree), (ensembles, one.ensemble)):
            found.append(model.poll(model.rows_of(asked)).predictions)
    return Spread(np.array(trees), np.array(ensembles), truth, n_classes)


def variance_of_answers(said: AnyArray, n_classes: int) -> FloatArray:
    """How much the answers of several models vary, shape (n_rows,): 0 where all agree.

    For a number the sample variance, n − 1; for classes the share of the pairs of models that
    disagree, n/(n − 1) · (1 − Σp²) where p is the share of the models that answer a class.

    >>> variance_of_answers(np.array([[0, 1], [0, 0], [0, 0]]), 2).round(3).tolist()
    [0.0, 0.667]
    """
    n, more = len(said), max(len(said) - 1, 1)
    if not n_classes:
        return np.asarray(said.var(axis=0, ddof=1 if n > 1 else 0))
    shares = np.stack([(said == code).mean(axis=0) for code in range(n_classes)])
    return np.asarray((1 - np.square(shares).sum(axis=0)) * n / more)


def _share(ensemble: Ensemble) -> float:
    return ensemble.n_rounds / ensemble.settings.n_members


def _alone(table: Table, settings: EnsembleSettings) -> EnsembleSettings:
    """One tree of all features by the members' settings."""
    growth = replace(settings.growth, max_features=None)
    residuals = settings.method is EnsembleMethod.GRADIENT_BOOSTING and table.n_classes
    if residuals:  # a criterion for residuals is none for classes
        growth = replace(growth, criterion=None)
    return EnsembleSettings(method=EnsembleMethod.BAGGING, n_members=1, growth=growth)
