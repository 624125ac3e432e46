"""AdaBoost: each member is grown with more weight on the rows that the one before got wrong.

Sources: Freund and Schapire 1997; Zhu, Zou, Rosset and Hastie 2009 (SAMME, for several classes);
Kelleher, Mac Namee and D'Arcy 2015, section 4.4.5 (the confidence as half of SAMME's).
"""

from __future__ import annotations

import math
from collections.abc import Generator

import numpy as np

from engine.ensembles.base import Base
from engine.ensembles.draws import by_weight, generator, plan_member
from engine.ensembles.endings import Ending, EndReason
from engine.ensembles.members import Member, grow_member
from engine.ensembles.settings import EnsembleSettings
from engine.scores import TOLERANCE
from engine.table import BoolArray, FloatArray

LEAST_ERROR = 1e-10
"""The ε that stands in for 0 in a confidence, which would be infinite."""

_TINY = 1e-300


def boost(base: Base, settings: EnsembleSettings) -> Generator[Member, None, Ending | None]:
    """The members, in order; returns why there are fewer than were asked for, if so."""
    table = base.table
    n_classes = table.n_classes
    weights = start_weights(base, settings)
    for index in range(settings.n_members):
        rng = generator(settings, index)
        sample = None
        if index < len(settings.draws):
            sample = np.sort(np.array(settings.draws[index], dtype=np.int64))
        elif settings.resample:
            sample = by_weight(rng, weights)
        used = None if sample is not None else weights
        plan = plan_member(settings, table, index, rng, sample=sample, weights=used)
        grown = grow_member(base, plan)
        wrong = grown.answers != table.target_values
        error = float(weights[wrong].sum() / weights.sum())
        vote = confidence(error, n_classes, settings.rate)
        member = Member(
            grown.nodes,
            grown.answers,
            index,
            base,
            plan,
            error=error,
            confidence=vote,
            weights=weights,
        )
        if wrong.any() and error >= 1 - 1 / n_classes - TOLERANCE:
            return Ending(EndReason.NO_BETTER_THAN_GUESSING, member)
        yield member
        if not wrong.any():
            return Ending(EndReason.NO_MISTAKES, None) if index + 1 < settings.n_members else None
        weights = reweighted(weights, wrong, vote)
    return None


def start_weights(base: Base, settings: EnsembleSettings) -> FloatArray:
    """1/n for each row; with class weights in their proportion."""
    of_class = settings.growth.weights_of_classes(base.table)
    weights = np.ones(base.n_rows) if of_class is None else np.array(of_class)[base.table.target_values]
    return np.asarray(weights / weights.sum())


def confidence(error: float, n_classes: int = 2, learning_rate: float = 1.0) -> float:
    """½ ln((1 − ε)/ε) + ½ ln(K − 1), times the learning rate; an ε of 0 counts as 1e-10.

    >>> round(confidence(0.2), 4)
    0.6931
    >>> round(confidence(0.0), 3)
    11.513
    """
    error = max(error, LEAST_ERROR)
    return learning_rate * 0.5 * (math.log((1 - error) / error) + math.log(max(n_classes - 1, 1)))


def reweighted(weights: FloatArray, wrong: BoolArray, confidence: float) -> FloatArray:
    """The next weights: wrong rows times exp(α), right ones times exp(−α), then scaled to add up to 1.

    With a learning rate of 1 a wrong row's weight is multiplied by (K − 1)/(Kε), a right one's by
    1/(K(1 − ε)).

    >>> weights, wrong = np.full(10, 0.1), np.arange(10) > 7
    >>> reweighted(weights, wrong, confidence(0.2)).round(4).tolist()
    [0.0625, 0.0625, 0.0625, 0.0625, 0.0625, 0.0625, 0.0625, 0.0625, 0.25, 0.25]
    """
    raised = weights * np.exp(np.where(wrong, confidence, -confidence))
    return np.asarray(np.maximum(raised / raised.sum(), _TINY))
