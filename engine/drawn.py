"""The features drawn at every node of a level: the search's part of draws.py."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from engine.draws import priorities
from engine.scores import TOLERANCE
from engine.settings import ResolvedSettings
from engine.table import BoolArray
from engine.thresholds import BestCandidates


def keep_drawn(
    best: BestCandidates, draws: npt.NDArray[np.uint64], unusable: BoolArray, rules: ResolvedSettings
) -> None:
    """Leave only the candidates of the features that each node draws.

    Parameters
    ----------
    best : BestCandidates
        Of all features; changed in place.
    draws : ndarray of uint64, shape (n_nodes,)
    unusable : ndarray of bool, shape (n_nodes, n_features)
        Features used up on the path.
    rules : ResolvedSettings
    """
    assert rules.max_features is not None
    rank = priorities(draws, unusable.shape[1])
    rank[unusable] = np.iinfo(np.uint64).max
    place = np.argsort(np.argsort(rank, axis=1, kind="stable"), axis=1, kind="stable").T
    able = ~np.isneginf(best.score)
    if rules.average_gain_filter:
        able &= best.gain > TOLERANCE
    first_able = np.where(able, place, len(place)).min(axis=0)
    n_drawn = np.where(first_able < len(place), np.maximum(rules.max_features, first_able + 1), rules.max_features)
    lost = place >= n_drawn
    best.score[lost] = best.own[lost] = -np.inf
    best.separates[lost] = best.large[lost] = False
