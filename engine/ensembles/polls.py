"""How the members' answers become one: votes, weighted votes, a mean, or a sum."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.ensembles.settings import EnsembleMethod
from engine.table import AnyArray, FloatArray, IntArray

_SAME = 1e-12
"""Votes whose difference is this part of all votes are a tie."""


@dataclass(frozen=True)
class Rule:
    """How an ensemble decides.

    Attributes
    ----------
    method : EnsembleMethod
    n_classes : int
        0 for a number.
    fallback : float
        The answer where no member has spoken: the most frequent class (its code), or the mean.
    initial : tuple of float
        Gradient boosting: where the sums start; one for a number or two classes, else one a class.
    rate : float
        Gradient boosting: what each tree's answer is multiplied by.
    """

    method: EnsembleMethod
    n_classes: int
    fallback: float
    initial: tuple[float, ...] = ()
    rate: float = 1.0

    @property
    def is_sum(self) -> bool:
        """Whether members add to a sum, and do not vote."""
        return self.method is EnsembleMethod.GRADIENT_BOOSTING

    @property
    def n_totals(self) -> int:
        """How many totals each row has: one a class, or one."""
        return len(self.initial) if self.is_sum else max(self.n_classes, 1)


class Poll:
    """The members' say on some rows, added up so far.

    Attributes
    ----------
    totals : ndarray of float64, shape (n_rows, n_totals)
        Votes for each class; for a number the sum of the answers; for gradient boosting F.
    heard : ndarray of int64, shape (n_rows,)
        How many members have spoken about each row.
    """

    def __init__(self, rule: Rule, n_rows: int) -> None:
        self.rule = rule
        self.totals: FloatArray = np.zeros((n_rows, rule.n_totals))
        if rule.is_sum:
            self.totals += rule.initial
        self.heard: IntArray = np.zeros(n_rows, dtype=np.int64)

    def add(
        self,
        answers: AnyArray,
        *,
        confidence: float | None = None,
        of_class: int | None = None,
        rows: IntArray | None = None,
    ) -> None:
        """Add one member's answers: class codes or numbers, of shape (n_rows,).

        Parameters
        ----------
        answers : ndarray
        confidence : float, optional
            What its vote weighs; 1 if not given.
        of_class : int, optional
            The class that a tree of gradient boosting speaks for.
        rows : ndarray of int64, optional
            The rows that it may speak about; all if not given.
        """
        where = np.arange(len(self.totals)) if rows is None else rows
        said = answers[where]
        if self.rule.is_sum:
            self.totals[where, of_class or 0] += self.rule.rate * said
        elif self.rule.n_classes:
            self.totals[where, said] += 1.0 if confidence is None else confidence
        else:
            self.totals[where, 0] += said
        self.heard[where] += 1

    @property
    def predictions(self) -> AnyArray:
        """The ensemble's answers so far, shape (n_rows,): class codes, or numbers."""
        rule = self.rule
        if not rule.n_classes:
            if rule.is_sum:
                return self.totals[:, 0].copy()
            means = self.totals[:, 0] / np.maximum(self.heard, 1)
            return np.asarray(np.where(self.heard > 0, means, rule.fallback))
        if rule.is_sum and rule.n_totals == 1:
            return np.asarray(self.totals[:, 0] > 0, dtype=np.int64)
        most = self.totals.max(axis=1, keepdims=True)
        slack = _SAME * np.maximum(np.abs(self.totals).sum(axis=1, keepdims=True), 1.0)
        first = (self.totals >= most - slack).argmax(axis=1)
        if rule.is_sum:
            return np.asarray(first)
        return np.asarray(np.where(self.heard > 0, first, int(rule.fallback)))

    @property
    def shares(self) -> FloatArray:
        """The share of the votes that each class has, or its probability; shape (n_rows, n_classes).

        No columns for a number.
        """
        rule = self.rule
        if not rule.n_classes:
            return np.empty((len(self.totals), 0))
        if rule.is_sum:
            return probabilities(self.totals)
        votes = self.totals.sum(axis=1, keepdims=True)
        nobody = np.eye(rule.n_classes)[int(rule.fallback)]
        return np.where(votes > 0, self.totals / np.where(votes > 0, votes, 1.0), nobody)


def probabilities(totals: FloatArray) -> FloatArray:
    """Class probabilities of F: the logistic function of one column, or softmax of several.

    Source: Friedman 2001, sections 4.5 and 4.6.

    >>> probabilities(np.array([[0.0]])).tolist()
    [[0.5, 0.5]]
    >>> probabilities(np.log(np.array([[0.2, 0.3, 0.5]]))).round(3).tolist()
    [[0.2, 0.3, 0.5]]
    """
    if totals.shape[1] == 1:
        second = logistic(totals[:, 0])
        return np.stack([1 - second, second], axis=1)
    raised = np.exp(totals - totals.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))


def logistic(total: FloatArray) -> FloatArray:
    """1 / (1 + exp(−F)), without overflow.

    >>> logistic(np.array([0.0, 800.0, -800.0])).tolist()
    [0.5, 1.0, 0.0]
    """
    small = np.exp(-np.abs(total))
    return np.where(total >= 0, 1 / (1 + small), small / (1 + small))
