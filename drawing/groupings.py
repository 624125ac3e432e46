"""The groupings of a feature's levels at a node: which are tried, in which order, and how they score."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from drawing.numbers import units
from drawing.phrases import class_counts, listed, plain
from drawing.theme import fraction, number, weight
from engine import Growth
from engine.criteria import Counts, sizes_of
from engine.groupings import MOST_LEVELS, level_order
from engine.scores import Scores
from engine.table import IntArray


@dataclass(frozen=True)
class Grouping:
    """One grouping in words; `index` is its place among the feature's candidates."""

    index: int
    first: str
    second: str
    rows: str
    score: float


@dataclass(frozen=True)
class Ordered:
    """One level in the order whose cuts are tried: what it is ordered by, and the score of the cut below it."""

    level: str
    rows: str
    value: str
    index: int | None
    score: float | None


def is_ordered(growth: Growth, node: int, feature: int) -> bool:
    """Whether so many levels are here that only the cuts of an order are tried."""
    return len(_present(growth, node, feature)[0]) > MOST_LEVELS


def rule(growth: Growth, node: int, feature: int) -> str:
    """Which groupings are tried here, in a sentence or two."""
    present, _ = _present(growth, node, feature)
    n = len(present)
    if n <= MOST_LEVELS:
        count = 2 ** (n - 1) - 1
        return f"{n} levels are here: {'one grouping' if count == 1 else f'all {count} groupings'} in two."
    start = f"{n} levels are here, more than {MOST_LEVELS}: only the {n - 1} cuts of an order are tried"
    if growth.rules.is_number:
        return f"{start}, that of their means (Breiman): the best grouping is among them."
    classes = growth.table.target.classes
    if len(classes) == 2:
        return f"{start}, that of their share of {plain(classes[1])} (Breiman): the best grouping is among them."
    return (
        f"{start}, that of the first principal component of their class shares: a good order, "
        "which can miss the best grouping."
    )


def groupings(growth: Growth, node: int, scores: Scores) -> list[Grouping]:
    """All groupings of a feature, the best first; equals in the order of the candidates."""
    present, sizes = _present(growth, node, scores.feature)
    levels = growth.table.features[scores.feature].levels
    here = set(present.tolist())
    total = float(sizes.sum())
    found = []
    for index in np.argsort(-np.round(scores.score, 9), kind="stable").tolist():
        first, second = ([code for code in group if code in here] for group in scores.groups[index])
        found.append(
            Grouping(
                index,
                listed([plain(levels[code]) for code in first], "or"),
                listed([plain(levels[code]) for code in second], "or"),
                f"{fraction(float(sizes[first].sum()), total)}, {fraction(float(sizes[second].sum()), total)}",
                float(scores.score[index]),
            )
        )
    return found


def order(growth: Growth, node: int, scores: Scores) -> list[Ordered]:
    """The levels in the order whose cuts are tried, with the score of the cut below each."""
    tally, _, _ = growth.here(node).by_level(scores.feature)
    present, sizes = _present(growth, node, scores.feature)
    ranked = present[level_order(growth.rules, tally[:, present])].tolist()
    spec = growth.table.features[scores.feature]
    place = {frozenset(groups[0]) & frozenset(ranked): index for index, groups in enumerate(scores.groups)}
    found = []
    for position, code in enumerate(ranked):
        above = frozenset(ranked[: position + 1])
        index = place.get(above, place.get(frozenset(ranked) - above))
        score = None if index is None else float(scores.score[index])
        value = _value(growth, tally[:, code], scores.centre)
        found.append(Ordered(plain(spec.levels[code]), weight(float(sizes[code])), value, index, score))
    return found


def ordered_by(growth: Growth) -> str:
    """What stands beside each level in the order."""
    if growth.rules.is_number:
        return "mean"
    classes = growth.table.target.classes
    return f"share of {plain(classes[1], 12)}" if len(classes) == 2 else "classes"


def _value(growth: Growth, sums: Counts, centre: float) -> str:
    if growth.rules.is_number:
        return units(growth.tree).value(centre + float(sums[1]) / float(sums[0]))
    if len(sums) == 2:
        return number(float(sums[1]) / float(sums.sum()))
    return class_counts(sums.tolist(), growth.table.target.classes, ",")


def _present(growth: Growth, node: int, feature: int) -> tuple[IntArray, Counts]:
    """Codes of the levels that rows of the node have, and the rows (weight) of every level."""
    tally, _, _ = growth.here(node).by_level(feature)
    sizes = sizes_of(growth.rules.criterion, tally)
    return np.flatnonzero(sizes), sizes
