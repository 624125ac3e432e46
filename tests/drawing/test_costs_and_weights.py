"""Scores by cost and rows by weight, in words and sums."""

from __future__ import annotations

import pytest

from drawing import formulas, wording
from engine import CostRule, Criterion, GrowthSettings, grow
from tests.drawing.tables import tennis


@pytest.mark.parametrize(
    ("rule", "criterion", "expected"),
    [
        (CostRule.GAIN_OVER_COST, Criterion.ENTROPY, "score = 0.247 / 3 = 0.082"),
        (CostRule.SQUARED_GAIN_OVER_COST, Criterion.ENTROPY, "score = 0.247² / 3 = 0.020"),
        (CostRule.GAIN_OVER_COST, Criterion.GAIN_RATIO, "score = 0.156 / 3 = 0.052"),
    ],
)
def test_a_score_by_cost_is_worked(rule: CostRule, criterion: Criterion, expected: str) -> None:
    growth = grow(tennis(), GrowthSettings.id3(criterion=criterion, costs={"outlook": 3}, cost_rule=rule))
    outlook = next(c for c in growth.best_candidates(0) if c.feature == "outlook")
    assert formulas.worked(outlook, criterion, rule)[-1].plain == expected


def test_a_score_by_cost_is_named_as_such() -> None:
    growth = grow(tennis(), GrowthSettings.id3(costs={"outlook": 3}))
    assert wording.sentence(growth, 1) == (
        "14 rows, 9 yes and 5 no. humidity has the greatest information gain per cost: 0.152 (next: outlook 0.082)."
    )
    ranked = growth.best_candidates(0)
    assert wording.why_not(ranked[1], ranked[0], growth) == (
        "outlook has information gain per cost 0.082, 0.070 less than humidity."
    )
    squared = grow(tennis(), GrowthSettings.cart(costs={"outlook": 3}, cost_rule="squared_gain_over_cost"))
    assert wording.score_measure(squared.rules).name == "squared Gini gain per cost"


def test_rows_with_weights_are_counted_by_weight_and_said_to_be() -> None:
    growth = grow(tennis(), GrowthSettings.id3(class_weights={"no": 2.5}))
    assert wording.sentence(growth, 0) == "14 rows that weigh 21.5: 12.5 no, 9 yes. Which question first?"
    assert "2 rows, all no" not in wording.sentence(growth, 6)


def test_a_weighted_impurity_is_worked_with_the_weights() -> None:
    growth = grow(tennis(), GrowthSettings.id3(class_weights={"no": 2.5}))
    assert formulas.worked(growth.best_candidates(0)[0], Criterion.ENTROPY)[0].plain == (
        "H = −12.5/21.5 log₂ 12.5/21.5 − 9/21.5 log₂ 9/21.5 = 0.981"
    )
