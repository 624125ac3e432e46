"""The evidence of one node: every candidate split with its counts and scores.

The recursion (recursion.py) decides by this evidence.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import overload

import numpy as np

from engine.criteria import Criterion, impurity
from engine.scores import (
    BELOW_AVERAGE_GAIN,
    MIN_SAMPLES_LEAF,
    NO_GAIN,
    OPEN,
    REJECTIONS,
    SINGLE_PARTITION,
    TOLERANCE,
    Scores,
    score_feature,
)
from engine.splits import Candidate, Condition, Partition, Split
from engine.sums import NodeRows
from engine.table import BoolArray, Table, TargetKind

AVERAGE_SLACK = 1e-3
"""How far below the average gain a feature may still be chosen in c45 (Quinlan's Release 8)."""


@dataclass(frozen=True)
class Decision:
    """Which candidate wins at a node: the feature, and the place among its candidates."""

    feature: int
    index: int


class NodeScores(Sequence[Scores]):
    """The scores of every usable feature at one node, in column order, each made when asked for."""

    def __init__(self, here: NodeRows, usable: Sequence[int]) -> None:
        self.here, self.usable = here, usable
        self.table, self.rules = here.table, here.rules
        self._made: dict[int, Scores] = {}

    def __len__(self) -> int:
        return len(self.usable)

    @overload
    def __getitem__(self, index: int) -> Scores: ...
    @overload
    def __getitem__(self, index: slice) -> list[Scores]: ...
    def __getitem__(self, index: int | slice) -> Scores | list[Scores]:
        if isinstance(index, slice):
            return [self.of(feature) for feature in self.usable[index]]
        return self.of(self.usable[index])

    def __iter__(self) -> Iterator[Scores]:
        return (self.of(feature) for feature in self.usable)

    def of(self, feature: int) -> Scores:
        """The scores of one feature."""
        scores = self._unfiltered(feature)
        if not self.rules.average_gain_filter:
            return scores
        rejected = scores.rejected.copy()
        standing = scores.standing
        rejected[standing & (scores.gain <= TOLERANCE)] = NO_GAIN
        rejected[standing & (scores.gain < self.least_gain)] = BELOW_AVERAGE_GAIN
        return replace(scores, rejected=rejected)

    def _unfiltered(self, feature: int) -> Scores:
        if feature not in self._made:
            self._made[feature] = self._make(feature)
        return self._made[feature]

    def _make(self, feature: int) -> Scores:
        return score_feature(self.here, feature)

    @property
    def least_gain(self) -> float:
        """What c45 asks of a candidate's gain: the average, less `AVERAGE_SLACK`."""
        return self.average_gain - AVERAGE_SLACK

    @property
    def average_gain(self) -> float:
        """The mean of the features' greatest gains; −inf where no feature has one."""
        gains = list(self.best_gains.values())
        return sum(gains) / len(gains) if gains else -math.inf

    @cached_property
    def best_gains(self) -> dict[int, float]:
        """The greatest gain of each usable feature that has a candidate which is not barred, in column order."""
        found = {feature: self._unfiltered(feature) for feature in self.usable}
        return {f: float(scores.gain[scores.standing].max()) for f, scores in found.items() if scores.standing.any()}

    @cached_property
    def best_score(self) -> float | None:
        """The greatest score of a candidate that can win; None if there is none."""
        greatest = max(self._tops, default=-math.inf)
        return None if greatest == -math.inf else greatest

    @property
    def tolerance(self) -> float:
        """How close to the greatest score is a tie."""
        return TOLERANCE * self.here.impurity if self.rules.is_number else TOLERANCE

    @cached_property
    def best_split(self) -> tuple[Split, float] | None:
        """The winner and its gain, by the rule for ties: the first feature, then its first candidate."""
        if self.best_score is None:
            return None
        level = self.best_score - self.tolerance
        feature = next(f for f, top in zip(self.usable, self._tops, strict=True) if top >= level)
        return self._first_at(feature, level)

    def ties(self, scores: Scores) -> BoolArray:
        """Which candidates of a feature have the greatest score of the node, shape (P,)."""
        level = np.inf if self.best_score is None else self.best_score - self.tolerance
        return np.asarray(scores.eligible & (scores.score >= level))

    def _first_at(self, feature: int, level: float) -> tuple[Split, float]:
        scores = self.of(feature)
        index = int((scores.eligible & (scores.score >= level)).argmax())
        return scores.split(index), float(scores.gain[index])

    @cached_property
    def only_small_leaves_barred(self) -> bool:
        """Whether some candidate separates the rows and `min_samples_leaf` barred every such one."""
        if self.rules.min_samples_leaf == 1:
            return False
        codes = np.concatenate([np.empty(0, dtype=np.int8), *(scores.rejected for scores in self)])
        separating = codes[codes != SINGLE_PARTITION]
        return bool(len(separating)) and bool(np.all(separating == MIN_SAMPLES_LEAF))

    @cached_property
    def _tops(self) -> list[float]:
        """The greatest eligible score of each usable feature."""
        return [float(scores.score[scores.eligible].max(initial=-math.inf)) for scores in self]


def all_candidates(table: Table, scored: NodeScores, chosen: Decision | None) -> list[Candidate]:
    """Every candidate in column order; `chosen` is marked, and all that tie for the best."""
    equal = [scored.ties(scores) for scores in scored]
    several = sum(int(ties.sum()) for ties in equal) > 1
    return [
        candidate(
            table, scores, index, chosen=chosen == Decision(scores.feature, index), tied=several and bool(ties[index])
        )
        for scores, ties in zip(scored, equal, strict=True)
        for index in range(len(scores))
    ]


def best_candidates(table: Table, scored: NodeScores, chosen: Decision | None) -> list[Candidate]:
    """The best candidate of each feature that has one, in column order; the chosen stands for its feature."""
    equal = {scores.feature: scored.ties(scores) for scores in scored}
    several = sum(int(ties.sum()) for ties in equal.values()) > 1
    found = []
    for scores in scored:
        if len(scores):
            won = chosen is not None and chosen.feature == scores.feature
            index = chosen.index if won and chosen is not None else scores.best
            tied = several and bool(equal[scores.feature][index])
            found.append(candidate(table, scores, index, chosen=won, tied=tied))
    return found


def candidate(table: Table, scores: Scores, index: int, *, chosen: bool = False, tied: bool = False) -> Candidate:
    """The candidate at `index` with its partitions, as a value for a person to read."""
    spec = table.features[scores.feature]
    split = scores.split(index)
    partitions = tuple(
        _partition(table, scores, index, branch, condition) for branch, condition in enumerate(split.conditions(spec))
    )
    code = int(scores.rejected[index])
    return Candidate(
        split=split,
        feature=spec.name,
        partitions=partitions,
        impurity=float(scores.impurity[0]),
        remainder=float(scores.remainder[index]),
        gain=float(scores.gain[index]),
        split_information=float(scores.split_information[index]),
        gain_ratio=float(scores.gain_ratio[index]),
        score=float(scores.score[index]),
        chosen=chosen,
        tied=tied,
        rejected=None if code == OPEN else REJECTIONS[code],
        unknown=scores.unknown,
        cost=scores.cost,
    )


def _partition(table: Table, scores: Scores, index: int, branch: int, condition: Condition) -> Partition:
    sums = scores.counts[:, branch, index]
    value = float(scores.impurities[branch, index])
    if table.target.kind is TargetKind.CLASSES:
        return Partition(condition, sums.sum().item(), tuple(sums.tolist()), value)
    n, first, _ = sums.tolist()
    spread = float(impurity(Criterion.VARIANCE, sums))
    return Partition(condition, n, (), value, mean=scores.centre + first / n if n else None, variance=spread)


def chosen_candidate(table: Table, scores: Scores) -> Candidate:
    """The split that a person chose, marked so."""
    return replace(candidate(table, scores, 0, chosen=True), by_choice=True)
