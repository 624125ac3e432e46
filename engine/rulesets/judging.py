"""How good a rule is on rows not seen, with and without each of its conditions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from engine.errors import SettingsError
from engine.estimates import CONFIDENCE, pessimistic_errors
from engine.splits import Condition
from engine.table import BoolArray, FloatArray


class Estimate(StrEnum):
    """How the accuracy of a rule on new rows is estimated."""

    PESSIMISTIC = "pessimistic"
    BINOMIAL = "binomial"
    VALIDATION = "validation"


@dataclass(frozen=True, kw_only=True)
class SimplificationSettings:
    """How rules are simplified.

    Attributes
    ----------
    estimate : Estimate
        C4.5's pessimistic estimate from the training rows, the same by the exact binomial limit,
        or the accuracy on validation rows.
    confidence : float
        That of the pessimistic estimates, more than 0 and at most 0.5.
    """

    estimate: Estimate = Estimate.PESSIMISTIC
    confidence: float = CONFIDENCE

    def __post_init__(self) -> None:
        if self.estimate not in [*Estimate]:
            raise SettingsError(f"estimate must be one of {', '.join(Estimate)}, got {self.estimate!r}.")
        if isinstance(self.confidence, bool) or not 0 < self.confidence <= 0.5:
            raise SettingsError(f"confidence must be more than 0 and at most 0.5, got {self.confidence}.")
        object.__setattr__(self, "estimate", Estimate(self.estimate))


@dataclass(frozen=True)
class Tally:
    """What a rule does on the rows that it is judged by.

    Attributes
    ----------
    n_rows, errors : float
        The rows that it covers and those of them that are wrong, or their weight.
    estimate : float
        Its estimated accuracy on new rows, 1 − the estimated error rate; 0 where it covers none.
    """

    n_rows: float
    errors: float
    estimate: float


@dataclass(frozen=True)
class Deletion:
    """A condition of a rule, and the rule without it."""

    condition: Condition
    without: Tally


class Standing:
    """A rule on the rows that it is judged by, while it loses its conditions.

    For each row it is known how many conditions it fails, and the sum of their places: where that is
    one condition, the sum is its place. So dropping a condition needs one look at each row.

    Parameters
    ----------
    conditions : sequence of Condition
    satisfied : ndarray of bool, shape (n_conditions, n_rows)
    wrong : ndarray of bool, shape (n_rows,)
        Which rows have another class than the rule's.
    """

    def __init__(self, conditions: Sequence[Condition], satisfied: BoolArray, wrong: BoolArray) -> None:
        self._all, self._failed, self._wrong = conditions, ~satisfied, wrong
        self._left = list(range(len(conditions)))
        places = np.arange(len(conditions), dtype=np.int32)
        self._times = self._failed.sum(axis=0, dtype=np.int32)
        self._sum = places @ self._failed.astype(np.int32)

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """Those that are left."""
        return tuple(self._all[place] for place in self._left)

    def drop(self, place: int) -> None:
        """Leave out the condition at this place of those that are left."""
        first = self._left.pop(place)
        self._times -= self._failed[first]
        self._sum -= first * self._failed[first].astype(np.int32)

    def counts(self, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Rows covered and rows wrong: of the rule, then without each condition that is left."""
        near = np.flatnonzero(self._times <= 1)
        covered, wrong = self._times[near] == 0, self._wrong[near]
        # Place 0 is the rule itself; what a deletion adds are the rows that fail its condition alone.
        place = np.where(covered, 0, self._sum[near] + 1)
        both = []
        for held in (weights[near], weights[near] * wrong):
            sums = np.bincount(place, held, minlength=len(self._all) + 1)
            both.append(np.concatenate([sums[:1], sums[0] + sums[1:][self._left]]))
        return both[0], both[1]


class Judge:
    """Estimates rules on rows of known weights."""

    def __init__(self, weights: FloatArray, settings: SimplificationSettings) -> None:
        self._weights, self._settings = weights, settings

    def deletions(self, rule: Standing) -> tuple[Tally, tuple[Deletion, ...]]:
        """The rule, and what it would be without each of its conditions."""
        n_rows, errors = rule.counts(self._weights)
        estimates = self._estimates(n_rows, errors)
        first, *others = map(Tally, n_rows.tolist(), errors.tolist(), estimates.tolist())
        return first, tuple(map(Deletion, rule.conditions, others))

    def best(self, tally: Tally, deletions: Sequence[Deletion]) -> int | None:
        """The place of the deletion that leaves the greatest estimate, the first of equals; None if each lowers it."""
        estimates = [round(deletion.without.estimate, 9) for deletion in deletions]
        if not estimates or max(estimates) < round(tally.estimate, 9):
            return None
        return estimates.index(max(estimates))

    def _estimates(self, n_rows: FloatArray, errors: FloatArray) -> FloatArray:
        expected = errors
        if self._settings.estimate is not Estimate.VALIDATION:
            exact = self._settings.estimate is Estimate.BINOMIAL
            expected = pessimistic_errors(n_rows, errors, self._settings.confidence, binomial=exact)
        some = n_rows > 0
        return np.where(some, np.maximum(1 - expected / np.where(some, n_rows, 1.0), 0.0), 0.0)
