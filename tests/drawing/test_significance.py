"""The chi-square test and the holdout stop in words and sums."""

from __future__ import annotations

import datasets
from drawing import holdout_stop, significance, wording
from engine import ChiSquare, GrowthSettings, grow, split_holdout
from tests.drawing.tables import tennis

STOPPED = grow(tennis(), GrowthSettings.id3(significance=0.05))
OUTLOOK = STOPPED.best_candidates(0)[0]


def test_the_test_of_outlook_is_worked() -> None:
    assert [f.plain for f in significance.worked(STOPPED, 0, OUTLOOK)] == [
        "χ² = (0 − 1.429)² / 1.429 + (4 − 2.571)² / 2.571 + (2 − 1.786)² / 1.786 + (3 − 3.214)² / 3.214 + "
        "(3 − 1.786)² / 1.786 + (2 − 3.214)² / 3.214 = 3.547",
        "degrees of freedom = (3 − 1) · (2 − 1) = 2",
    ]
    assert significance.cells(STOPPED, 0, OUTLOOK)[0] == [("0", "1.429"), ("4", "2.571")]


def test_a_leaf_that_is_not_significant_says_its_numbers() -> None:
    assert wording.reason(STOPPED, 0) == (
        "outlook could well be chance: χ² = 3.547, 2 degrees of freedom, p = 0.170, above 0.05. "
        "A leaf: the majority, yes, answers."
    )


def test_a_verdict_says_what_p_means() -> None:
    test = ChiSquare(3.5467, 2, 0.1698)
    assert significance.verdict(test, 0.05) == "p = 0.170, above 0.05: not significant, so the node is not split on it."
    assert significance.verdict(test, 0.2) == "p = 0.170, at most 0.2: significant."
    assert "independent" in significance.verdict(test, None)
    assert significance.verdict(ChiSquare(90.0, 1, 1e-20), 0.05) == "p < 0.001, at most 0.05: significant."


def test_empty_branches_and_absent_classes_are_left_out_of_the_test() -> None:
    growth = grow(datasets.load("vegetation"), GrowthSettings.id3())
    high = next(n for n in range(len(growth.tree.nodes)) if wording.path(growth.tree.path(n)) == "elevation is high")
    slope = next(c for c in growth.best_candidates(high) if c.feature == "slope")
    statistic, degrees = (f.plain for f in significance.worked(growth, high, slope))
    assert degrees == "degrees of freedom = (2 − 1) · (2 − 1) = 1"
    assert statistic.endswith("= 3.000")


def test_a_leaf_by_the_holdout_says_both_numbers_of_mistakes() -> None:
    training, holdout = split_holdout(datasets.load("breast_cancer"), 0.3, 0)
    growth = grow(training, GrowthSettings.id3(holdout_stop=True), holdout=holdout)
    assert wording.reason(growth, 4) == (
        "On the holdout mean texture < 23.2 would make 2 mistakes, a leaf 1. A leaf: the majority, benign, answers."
    )
    assert holdout_stop.costs(growth, 4) == (1.0, 2.0)
    assert holdout_stop.costs(STOPPED, 0) is None


def test_a_number_says_its_squared_errors_on_the_holdout() -> None:
    training, holdout = split_holdout(datasets.load("mtcars"), 0.4, 1)
    growth = grow(training, GrowthSettings.cart(holdout_stop=True), holdout=holdout)
    reasons = [wording.reason(growth, n) for n in range(len(growth.tree.nodes)) if growth.tree.split(n) is None]
    assert any("would have a squared error of" in reason for reason in reasons)
