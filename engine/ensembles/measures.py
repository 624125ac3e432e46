"""What an ensemble is like: margins, importance of features, correlation between members."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.ensembles.ensemble import Ensemble
from engine.ensembles.growing import grow_stepwise
from engine.ensembles.settings import EnsembleSettings
from engine.errors import QueryError
from engine.importance import impurity_importance
from engine.metrics import truth_codes
from engine.table import AnyArray, FloatArray, Table


def margins(ensemble: Ensemble, table: Table | None = None) -> FloatArray:
    """How sure the ensemble is of each row's true class, shape (n_rows,), from −1 to 1.

    The share of the true class less the greatest share of another: of the votes, for AdaBoost of the
    confidences (Schapire, Freund, Bartlett and Lee 1998), for gradient boosting of the probability.

    Parameters
    ----------
    ensemble : Ensemble
    table : Table, optional
        The rows that it was grown from if not given.

    Raises
    ------
    QueryError
        If the target is a number, or the table has another target or lacks a feature.
    """
    if not ensemble.rule.n_classes:
        raise QueryError("the target is a number, and margins are defined for classes; look at the errors.")
    if table is None:
        shares, truth = ensemble.poll().shares, ensemble.table.target_values
    else:
        shares, truth = ensemble.poll(ensemble.rows_of(table)).shares, truth_codes(ensemble.source, table)
    known = np.flatnonzero(truth >= 0)
    own, others = np.zeros(len(shares)), shares.copy()
    codes = truth[known].astype(np.int64)
    own[known] = shares[known, codes]
    others[known, codes] = 0.0
    return np.asarray(own - others.max(axis=1))


def ensemble_importance(ensemble: Ensemble) -> FloatArray:
    """How much the members owe to each feature, shape (n_features,), adding up to 1 (or all 0).

    The mean over the members that split: of their importances, for AdaBoost weighted by confidence;
    for gradient boosting of what their splits remove of the squared error, as in scikit-learn.
    Source: Breiman et al. 1984, section 5.3.4; Friedman 2001, section 8.1.
    """
    total = np.zeros(len(ensemble.table.features))
    for member in ensemble.members:
        weight = 1.0 if member.confidence is None else member.confidence
        total += weight * impurity_importance(member.model, normalize=not ensemble.rule.is_sum)
    whole = total.sum()
    return np.asarray(total / whole if whole > 0 else total)


def member_correlation(ensemble: Ensemble, table: Table | None = None) -> FloatArray:
    """How alike the members' answers are, shape (n_members, n_members).

    Pearson's correlation of what two members say of the same rows; of classes, each taken as a
    column of zeros and ones (for two classes that is φ). A member that says the same of every row has
    0 with all others.

    Parameters
    ----------
    ensemble : Ensemble
    table : Table, optional
        Best rows that it was not grown from; the rows that it was grown from if not given.
    """
    rows = None if table is None else ensemble.rows_of(table)
    said = np.array([heard.answers for heard in ensemble.hear(rows)])
    n_members = len(said)
    if not n_members:
        return np.empty((0, 0))
    products = np.zeros((n_members, n_members))
    for column in _columns(ensemble, said):
        off = column - column.mean(axis=1, keepdims=True)
        products += off @ off.T
    length = np.sqrt(np.diag(products))
    scale = np.outer(length, length)
    found = np.divide(products, scale, out=np.zeros_like(products), where=scale > 0)
    np.fill_diagonal(found, 1.0)
    return np.asarray(np.clip(found, -1.0, 1.0))


def mean_correlation(ensemble: Ensemble, table: Table | None = None) -> float | None:
    """The mean of `member_correlation` over all pairs; None with fewer than two members."""
    found = member_correlation(ensemble, table)
    if len(found) < 2:
        return None
    return float(found[np.triu_indices(len(found), 1)].mean())


@dataclass(frozen=True, eq=False)
class FeatureDraw:
    """What becomes of an ensemble with so many features drawn.

    Attributes
    ----------
    max_features : int
    importance : ndarray of shape (n_features,)
    correlation : float or None
        The mean over the pairs of members; None with fewer than two.
    strength : float or None
        The mean margin of the rows; None for a number.
    member_error, error : float
        Of a member, on average, and of the ensemble.
    """

    max_features: int
    importance: FloatArray
    correlation: float | None
    strength: float | None
    member_error: float
    error: float


@dataclass(frozen=True, eq=False)
class FeatureSweep:
    """How far `sweeping` has come: the numbers of features that are done, and the share of the work."""

    draws: tuple[FeatureDraw, ...]
    numbers: tuple[int, ...]
    share: float


def numbers_to_draw(n_features: int, most: int = 16) -> tuple[int, ...]:
    """Numbers of features to try, from one to all: each of them, or some that lie closer where they are few.

    >>> numbers_to_draw(4), numbers_to_draw(30)
    ((1, 2, 3, 4), (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 19, 24, 30))
    """
    if n_features <= most:
        return tuple(range(1, n_features + 1))
    found = np.geomspace(1, n_features, most).round().astype(int).tolist()
    return tuple(sorted({*found, math.isqrt(n_features)}))


def sweeping(
    table: Table, settings: EnsembleSettings, numbers: Sequence[int], tested_on: Table
) -> Iterator[FeatureSweep]:
    """The same ensemble with other numbers of features drawn, told after every member.

    Fewer features make the members less alike and each of them weaker; the error of a forest is the
    lower the less alike and the stronger they are (Breiman 2001, section 2.2).

    Parameters
    ----------
    table : Table
    settings : EnsembleSettings
        Of bagging or a forest.
    numbers : sequence of int
    tested_on : Table
        Rows that errors, margins and correlations are measured on.

    Raises
    ------
    TableError, SettingsError, QueryError
        If the ensemble cannot be grown, or not be tested on these rows.
    """
    done: tuple[FeatureDraw, ...] = ()
    for place, number in enumerate(numbers):
        for ensemble in grow_stepwise(table, replace(settings, max_features=number)):
            within = ensemble.n_rounds / settings.n_members
            yield FeatureSweep(done, tuple(numbers), (place + within) / len(numbers))
        done = (*done, _measured(ensemble, number, tested_on))
        yield FeatureSweep(done, tuple(numbers), len(done) / len(numbers))


def across_max_features(
    table: Table, settings: EnsembleSettings, numbers: Sequence[int], tested_on: Table
) -> tuple[FeatureDraw, ...]:
    """What `sweeping` comes to."""
    found: tuple[FeatureDraw, ...] = ()
    for now in sweeping(table, settings, numbers, tested_on):
        found = now.draws
    return found


def _measured(ensemble: Ensemble, number: int, tested_on: Table) -> FeatureDraw:
    truth = truth_codes(ensemble.source, tested_on)
    alone = [_error(ensemble, heard.answers, truth) for heard in ensemble.hear(ensemble.rows_of(tested_on))]
    return FeatureDraw(
        max_features=number,
        importance=ensemble_importance(ensemble),
        correlation=mean_correlation(ensemble, tested_on),
        strength=float(margins(ensemble, tested_on).mean()) if ensemble.rule.n_classes else None,
        member_error=float(np.mean(alone)),
        error=float(ensemble.staged_errors(tested_on)[-1]),
    )


def _error(ensemble: Ensemble, said: AnyArray, truth: AnyArray) -> float:
    return float((said != truth).mean() if ensemble.rule.n_classes else np.square(said - truth).mean())


def _columns(ensemble: Ensemble, said: AnyArray) -> Iterator[FloatArray]:
    """The answers as columns of numbers, shape (n_members, n_rows)."""
    if ensemble.rule.is_sum or not ensemble.rule.n_classes:
        yield said
        return
    for code in range(ensemble.rule.n_classes):
        yield (said == code).astype(np.float64)
