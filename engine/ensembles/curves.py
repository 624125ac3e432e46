"""Errors against the number of members: on any rows, and out of bag."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from engine.ensembles.members import Member
from engine.ensembles.polls import Poll, Rule
from engine.table import AnyArray, FloatArray

_LEAST_PROBABILITY = 1e-300


@dataclass(frozen=True, eq=False)
class Heard:
    """One member's answers for some rows."""

    member: Member
    answers: AnyArray

    def tell(self, poll: Poll) -> None:
        """Add them to a poll."""
        poll.add(self.answers, confidence=self.member.confidence, of_class=self.member.of_class)


@dataclass(frozen=True, eq=False)
class Curve:
    """Errors with no member, with one, with two …: arrays of shape (n_rounds + 1,).

    Attributes
    ----------
    errors : ndarray of float64
        Shares of rows that are wrong, or mean squared errors; NaN where no row has an answer.
    losses : ndarray of float64, or None
        Gradient boosting of classes: the mean log loss, −ln p of the true class.
    n_answered : ndarray of int64
        Rows behind each error.
    """

    errors: FloatArray
    losses: FloatArray | None
    n_answered: AnyArray


def curve_of(
    rule: Rule, heard: Iterable[Heard], n_rows: int, truth: AnyArray, every: int = 1, *, out_of_bag: bool = False
) -> Curve:
    """The curve of members heard one after the other, a point after every `every` of them.

    Parameters
    ----------
    rule : Rule
    heard : iterable of Heard
    n_rows : int
    truth : ndarray of shape (n_rows,)
        Class codes (negative for classes that the ensemble does not know), or numbers.
    every : int
    out_of_bag : bool
        Whether a member is asked only about rows that are not in its sample; then only rows with an
        answer count.
    """
    poll = Poll(rule, n_rows)
    points = [_point(poll, truth, out_of_bag)]
    for number, one in enumerate(heard, start=1):
        if out_of_bag:
            drawn = one.member.times_drawn
            poll.add(one.answers, rows=np.flatnonzero(drawn == 0) if drawn is not None else np.empty(0, dtype=np.int64))
        else:
            one.tell(poll)
        if number % every == 0:
            points.append(_point(poll, truth, out_of_bag))
    errors, losses, n_answered = zip(*points, strict=True)
    has_loss = rule.is_sum and rule.n_classes
    return Curve(np.array(errors), np.array(losses) if has_loss else None, np.array(n_answered))


def _point(poll: Poll, truth: AnyArray, only_heard: bool) -> tuple[float, float, int]:
    said = poll.predictions
    lost = np.asarray(said != truth, dtype=np.float64) if poll.rule.n_classes else np.square(said - truth)
    if only_heard:
        lost = lost[poll.heard > 0]
    error = float(lost.mean()) if len(lost) else float("nan")
    return error, _log_loss(poll, truth), len(lost)


def _log_loss(poll: Poll, truth: AnyArray) -> float:
    """Mean −ln p of the true class; rows of classes that the ensemble does not know are left out."""
    if not (poll.rule.is_sum and poll.rule.n_classes):
        return float("nan")
    known = np.flatnonzero(truth >= 0)
    of_truth = poll.shares[known, truth[known].astype(np.int64)]
    return float(-np.log(np.maximum(of_truth, _LEAST_PROBABILITY)).mean()) if len(known) else float("nan")
