"""What is left of the best candidates of a level: features not drawn, of little gain, or too costly lose."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from engine.criteria import Criterion
from engine.draws import priorities
from engine.evidence import AVERAGE_SLACK
from engine.scores import TOLERANCE
from engine.settings import CostRule, ResolvedSettings
from engine.table import BoolArray, IntArray
from engine.thresholds import BestCandidates


def best_drawn(
    search: Callable[[BoolArray], BestCandidates],
    draws: npt.NDArray[np.uint64],
    unusable: BoolArray,
    rules: ResolvedSettings,
) -> BestCandidates:
    """The best candidates of the features that each node draws; the draw goes on until one separates the rows.

    Parameters
    ----------
    search : callable
        From which features are wanted at which nodes, shape (n_features, n_nodes), to their best candidates.
    draws : ndarray of uint64, shape (n_nodes,)
    unusable : ndarray of bool, shape (n_nodes, n_features)
        Features used up on the path.
    rules : ResolvedSettings
    """
    assert rules.max_features is not None
    place = _draw_order(draws, unusable)
    best = search(place < rules.max_features)
    without = np.asarray(~(_able(best, rules) & (place < rules.max_features)).any(axis=0))
    if without.any():
        best.take_over(search(np.broadcast_to(without, place.shape)), without)
    first_able = np.where(_able(best, rules), place, len(place)).min(axis=0)
    n_drawn = np.where(first_able < len(place), np.maximum(rules.max_features, first_able + 1), rules.max_features)
    lost = place >= n_drawn
    best.score[lost] = best.own[lost] = -np.inf
    best.separates[lost] = best.large[lost] = False
    return best


def _draw_order(draws: npt.NDArray[np.uint64], unusable: BoolArray) -> IntArray:
    """The place of each feature in each node's draw, shape (n_features, n_nodes); those used up come last."""
    rank = priorities(draws, unusable.shape[1])
    rank[unusable] = np.iinfo(np.uint64).max
    place: IntArray = np.argsort(np.argsort(rank, axis=1, kind="stable"), axis=1, kind="stable")
    return np.ascontiguousarray(place.T)


def _able(best: BestCandidates, rules: ResolvedSettings) -> BoolArray:
    """Which features could be chosen."""
    able = ~np.isneginf(best.score)
    return able & (best.gain > TOLERANCE) if rules.average_gain_filter else able


def keep_above_average(best: BestCandidates, rules: ResolvedSettings) -> None:
    """C4.5: of the features whose gain is at least the mean, less a little, the ratio counts."""
    gain = best.score
    some = ~np.isneginf(gain)
    mean = np.where(some, gain, 0.0).sum(axis=0) / np.maximum(some.sum(axis=0), 1)
    kept = (gain >= mean - AVERAGE_SLACK) & (gain > TOLERANCE)
    score = best.own
    if rules.criterion is Criterion.GAIN_RATIO:
        score = best.gain / np.where(best.information > 0, best.information, 1.0)
    best.score[:] = best.own[:] = np.where(kept, score, -np.inf)


def divide_by_costs(best: BestCandidates, rules: ResolvedSettings) -> None:
    """Divide every score, or its square, by what it costs to observe the feature."""
    costs = np.array(rules.costs)[:, None]
    squared = rules.cost_rule is CostRule.SQUARED_GAIN_OVER_COST
    for score in (best.score, best.own):
        score[:] = (score * np.abs(score) if squared else score) / costs
