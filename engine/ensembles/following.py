"""One row followed through all members: what each says, and what the ensemble says so far."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from engine.ensembles.ensemble import Ensemble
from engine.ensembles.polls import Poll
from engine.errors import QueryError
from engine.tree import Prediction


@dataclass(frozen=True, eq=False)
class Say:
    """One member's say about a row, and where that leaves the ensemble.

    Attributes
    ----------
    member : int
    own : Prediction
        What its tree says, with the path; ids are those of ``members[member].growth``.
    weight : float
        What its answer is multiplied by: 1, its confidence, or the learning rate.
    totals : tuple of float
        After it: votes for each class, the sum of the answers, or F; see `Poll`.
    shares : dict of str to float
        After it: the share of each class; empty for a number.
    answer : str or float
        The ensemble's answer after it.
    """

    member: int
    own: Prediction
    weight: float
    totals: tuple[float, ...]
    shares: dict[str, float]
    answer: str | float


def follow(ensemble: Ensemble, frame: pd.DataFrame) -> tuple[Say, ...]:
    """Follow one row, the only one of `frame`, through the members in order.

    Raises
    ------
    QueryError
        If there is not exactly one row, or a tested feature is not a column of it.
    """
    if len(frame) != 1:
        raise QueryError(f"one row is followed at a time, got {len(frame)}.")
    rows, rule = ensemble.rows_of(frame), ensemble.rule
    poll, found = Poll(rule, 1), []
    for heard in ensemble.hear(rows):
        heard.tell(poll)
        member = heard.member
        found.append(
            Say(
                member=member.index,
                own=member.model.predictions(frame)[0],
                weight=rule.rate if rule.is_sum else 1.0 if member.confidence is None else member.confidence,
                totals=tuple(poll.totals[0].tolist()),
                shares=dict(zip(ensemble.table.target.classes, poll.shares[0].tolist(), strict=False)),
                answer=_plain(ensemble, poll),
            )
        )
    return tuple(found)


def _plain(ensemble: Ensemble, poll: Poll) -> str | float:
    named = ensemble.named(poll.predictions)[0]
    return float(named) if isinstance(named, np.floating) else str(named)
