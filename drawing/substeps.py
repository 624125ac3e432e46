"""The finest telling of a scored step: each feature, and each threshold of a numeric one's sorted scan."""

from __future__ import annotations

from typing import Any

import numpy as np

from drawing import wording
from drawing.numbers import short
from drawing.theme import quantity
from engine import Growth, SplitKind
from engine.scores import Scores

SubSteps = dict[str, Any]

FINE_ROWS = 200
"""Larger nodes have no sub-steps."""
FINE_THRESHOLDS = 25_000
"""Thresholds told one by one, over all nodes; later nodes go without sub-steps."""


def scan_template(names: wording.Measure) -> str:
    """The sentence of one threshold, for the stage to fill in."""
    return f"{{feature}} < {{threshold}}: {names.short} {{gain}}. Best so far: {{best}}, {names.short} {{best_gain}}."


class FineSteps:
    """Sub-steps of the scored steps of small nodes, as long as there is room for their thresholds.

    A node is told right after its candidates were asked for, while the growth still keeps its scores.

    Attributes
    ----------
    by_step : dict of int to list
        The sub-steps of each scored step that has them.
    """

    def __init__(self, growth: Growth) -> None:
        self.growth = growth
        self.by_step: dict[int, list[SubSteps]] = {}
        self._room = FINE_THRESHOLDS

    def tell(self, node: int) -> None:
        """Add the sub-steps of a scored node."""
        growth = self.growth
        if self._room < 0 or growth.tree.nodes.size[node] > FINE_ROWS:
            return
        evidence = growth.scores(node)
        self._room -= sum(len(scores) for scores in evidence if scores.kind is SplitKind.THRESHOLD)
        if self._room >= 0:
            self.by_step[growth.step_of(node) - 1] = [_of_feature(growth, scores) for scores in evidence]


def _of_feature(growth: Growth, scores: Scores) -> SubSteps:
    feature = wording.plain(growth.table.features[scores.feature].name)
    word = wording.score_measure(growth.rules).short
    open_ = np.flatnonzero(scores.rejected < 0)
    if not len(open_):
        return {
            "feature": feature,
            "kind": "levels",
            "sentence": wording.nothing_to_choose(growth, scores),
            "value": 0,
            "text": "–",
        }
    if scores.kind is SplitKind.THRESHOLD:
        return _scan(growth, feature, word, scores)
    best = float(scores.score[open_].max())
    return {
        "feature": feature,
        "kind": "levels",
        "sentence": f"{feature}: {word} {wording.scores_as(growth)(best)}.",
        "value": short(best) if growth.rules.is_number else round(best, 4),
        "text": wording.scores_as(growth)(best),
    }


def _scan(growth: Growth, feature: str, word: str, scores: Scores) -> SubSteps:
    """The sorted scan: every threshold, and where the best so far rose by more than a tie."""
    admissible = np.where(scores.rejected < 0, scores.score, -np.inf)
    so_far = np.maximum.accumulate(np.concatenate([[-np.inf], admissible[:-1]]))
    records = np.flatnonzero(admissible > so_far + scores.tolerance).tolist()
    best = records[-1]
    write = wording.scores_as(growth)
    threshold, score = quantity(float(scores.thresholds[best])), write(float(scores.score[best]))
    number = growth.rules.is_number
    found = {
        "feature": feature,
        "kind": "thresholds",
        "thresholds": [quantity(t) for t in scores.thresholds.tolist()],
        "gains": [short(value) if number else round(value, 3) for value in scores.score.tolist()],
        "records": records,
        "sentence": f"{feature}: best at {threshold}, {word} {score}.",
    }
    if number:
        found["texts"] = [write(value) for value in scores.score.tolist()]
    return found
