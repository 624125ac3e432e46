"""Cross-validation of a cost-complexity sequence, and the rule that chooses from it.

Source: Breiman, Friedman, Olshen and Stone 1984, sections 3.4.2 and 3.4.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.errors import SettingsError
from engine.growth import Growth, grow
from engine.metrics import land
from engine.pruning.cost_complexity import Stage, n_stages_at, stages
from engine.pruning.curve import losses_along
from engine.pruning.settings import PruningSettings
from engine.pruning.task import Rows, Task
from engine.table import FloatArray, IntArray, Table, TargetKind


@dataclass(frozen=True, eq=False)
class CrossValidation:
    """Error and standard error of each tree of the sequence, shape (1 + n_stages,)."""

    error: FloatArray
    standard_error: FloatArray

    def choose(self, standard_errors: float) -> int:
        """The smallest tree within so many standard errors of the least error.

        >>> found = CrossValidation(np.array([0.30, 0.20, 0.22, 0.5]), np.array([0.05, 0.04, 0.04, 0.05]))
        >>> found.choose(0.0), found.choose(1.0)
        (1, 2)
        """
        best = smallest_of_least(self.error)
        most = self.error[best] + standard_errors * self.standard_error[best]
        return int(np.flatnonzero(self.error <= most + _equal(most)).max())


def cross_validate(growth: Growth, settings: PruningSettings, found: Sequence[Stage]) -> CrossValidation:
    """Estimate the errors of a sequence on the training rows, each judged by trees grown without it.

    Every part is left out once. The tree that stands from one alpha to the next is represented by
    their geometric mean.

    Raises
    ------
    SettingsError
        If there are fewer rows than folds.
    """
    table = growth.source
    if table.n_rows < settings.folds:
        raise SettingsError(
            f"folds must be at most the number of training rows, {table.n_rows}, got {settings.folds}; "
            "ask for fewer, or choose by validation rows."
        )
    alphas = np.array([0.0, *(stage.alpha for stage in found)])
    between = np.sqrt(np.maximum(alphas[:-1], 0.0) * np.maximum(alphas[1:], 0.0))
    lost: list[FloatArray] = []
    part = folds(table, settings.folds, settings.seed)
    for number in range(settings.folds):
        away, left_out = np.flatnonzero(part != number), np.flatnonzero(part == number)
        lost.append(_losses(growth, settings, away, left_out, between))
    together = np.concatenate(lost, axis=1)
    return CrossValidation(together.mean(axis=1), together.std(axis=1) / np.sqrt(together.shape[1]))


def folds(table: Table, n_folds: int, seed: int) -> IntArray:
    """The part of each row, from 0: parts differ by one row at most, and classes are dealt evenly among them."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(table.n_rows)
    if table.target.kind is TargetKind.CLASSES:
        order = order[np.argsort(table.target_values[order], kind="stable")]
    part = np.empty(table.n_rows, dtype=np.int64)
    part[order] = np.arange(table.n_rows) % n_folds
    return part


def smallest_of_least(errors: FloatArray) -> int:
    """The last, and so the smallest, of the trees with the least error.

    >>> smallest_of_least(np.array([0.3, 0.1, 0.1, 0.2]))
    2
    """
    least = float(errors.min())
    return int(np.flatnonzero(errors <= least + _equal(least)).max())


def _losses(
    growth: Growth, settings: PruningSettings, away: IntArray, left_out: IntArray, between: FloatArray
) -> FloatArray:
    """The losses of the rows left out under each tree of the main sequence, shape (1 + n_stages, n_left_out)."""
    weights = None if growth.settings.class_weights is not None else growth.weights
    fold = grow(growth.source.take(away), growth.settings, row_weights=None if weights is None else weights[away])
    own = stages(Task(Rows(fold.tree, None), settings, fold))
    landing = land(fold.tree, growth.source.take(left_out))
    along = losses_along(fold.tree, landing, [stage.nodes for stage in own])
    return np.array([*(along[n_stages_at(own, float(alpha))] for alpha in between), along[len(own)]])


def _equal(error: float) -> float:
    return 1e-9 * abs(error)
