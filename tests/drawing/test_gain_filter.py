"""C4.5's filter in words and sums."""

from __future__ import annotations

import datasets
from drawing import formulas, gain_filter, wording
from drawing.pseudocode import pseudocode
from engine import Candidate, Criterion, Event, Growth, GrowthSettings, StopReason, grow
from tests.drawing.tables import table, tennis

VEGETATION = grow(datasets.load("vegetation"), GrowthSettings.c45())
UNKNOWN = grow(datasets.load("play_tennis_missing"), GrowthSettings.c45())


def told(growth: Growth) -> list[str]:
    return [wording.sentence(growth, step) for step in range(len(growth))]


def candidate(growth: Growth, feature: str) -> Candidate:
    return next(c for c in growth.best_candidates(0) if c.feature == feature)


def test_a_filtered_feature_of_greater_ratio_is_said() -> None:
    assert told(VEGETATION)[1] == (
        "7 rows, 3 chaparral, 2 conifer and 2 riparian. elevation has gain ratio 0.476; no other feature gains the "
        "average. slope has a greater one, 0.503, but gains 0.577, below the average of 0.587."
    )


def test_every_candidate_says_what_the_filter_did_to_it() -> None:
    winner = candidate(VEGETATION, "elevation")
    assert [wording.why_not(c, winner, VEGETATION) for c in VEGETATION.best_candidates(0)] == [
        "elevation has gain ratio 0.476, the most of those of at least average gain.",
        "slope has the greater gain ratio, 0.503, but gains 0.577, less than the average.",
        "stream gains 0.306, less than the average; its gain ratio is 0.311.",
    ]


def test_several_filtered_features_of_greater_ratio_are_listed() -> None:
    slope, stream = candidate(VEGETATION, "slope"), candidate(VEGETATION, "stream")
    weak = [slope, stream]
    low = candidate(UNKNOWN, "outlook")
    assert gain_filter.remark(VEGETATION, 0, weak, low) == (
        "slope and stream have greater ones, but gain less than the average of 0.587."
    )


def test_the_average_gain_is_worked() -> None:
    found = gain_filter.average(VEGETATION, 0)
    assert found is not None
    assert found.plain == "average gain = (0.306 + 0.577 + 0.877) / 3 = 0.587"
    assert found.latex == r"\text{average gain} = (0.306 + 0.577 + 0.877) / 3 = 0.587"
    assert "0.586 is enough here" in gain_filter.rule(VEGETATION, 0)
    leaf = next(n for n in range(len(VEGETATION.tree.nodes)) if not VEGETATION.tree.nodes.scored[n])
    assert gain_filter.average(VEGETATION, leaf) is None


def test_an_unknown_outlook_is_worked_with_the_known_share_and_one_more_subset() -> None:
    assert [f.plain for f in formulas.worked(candidate(UNKNOWN, "outlook"), Criterion.GAIN_RATIO)] == [
        "H(outlook is known) = −8/13 log₂ 8/13 − 5/13 log₂ 5/13 = 0.961",
        "H(outlook is overcast) = −3/3 log₂ 3/3 = 0.000",
        "H(outlook is rain) = −3/5 log₂ 3/5 − 2/5 log₂ 2/5 = 0.971",
        "H(outlook is sunny) = −3/5 log₂ 3/5 − 2/5 log₂ 2/5 = 0.971",
        "remainder = 3/13 · 0 + 5/13 · 0.971 + 5/13 · 0.971 = 0.747",
        "gain = 13/14 · (0.961 − 0.747) = 0.199",
        "split information = −3/14 log₂ 3/14 − 5/14 log₂ 5/14 − 5/14 log₂ 5/14 − 1/14 log₂ 1/14 = 1.809",
        "gain ratio = 0.199 / 1.809 = 0.110",
    ]


def test_parts_of_rows_are_told_as_such() -> None:
    assert "Split on outlook: overcast (1.167 rows), rain (2.333 rows), sunny (3.5 rows)." in told(UNKNOWN)


def test_a_leaf_of_c45_that_gains_nothing_says_so() -> None:
    exclusive_or = grow(table(x="aabb", y="abab", t="yNNy"), GrowthSettings.c45())
    assert told(exclusive_or)[-1].endswith(
        "No split gains anything. A leaf: N and y tie; N comes first in order and answers."
    )


def test_the_pseudo_code_of_c45_chooses_twice_and_shares_rows_out() -> None:
    code = pseudocode(UNKNOWN)
    assert code.lines[0] == "C4.5(rows, features)"
    assert code.lines[code.line(Event.SCORED)] == "  if at least of average gain: its gain ratio"
    assert code.lines[code.line(Event.SPLIT) + 1] == "  a row whose value is missing: into every branch, in parts"
    assert code.lines[code.line(Event.LEAF, StopReason.NO_USEFUL_SPLIT)] == (
        "  none gains anything? a leaf: the majority"
    )
    assert not any("missing" in line for line in pseudocode(VEGETATION).lines)


def test_the_pseudo_code_names_the_tests_that_are_asked_for() -> None:
    code = pseudocode(grow(tennis(), GrowthSettings.id3(significance=0.05)))
    assert code.lines[code.line(Event.LEAF, StopReason.NOT_SIGNIFICANT)] == (
        "  none good enough or not significant? a leaf: the majority"
    )


def test_the_pseudo_code_of_cart_splits_in_two_and_takes_missing_values_apart() -> None:
    assert pseudocode(grow(tennis(), GrowthSettings.cart())).lines[-2:] == (
        "  CART(rows of the first part)",
        "  CART(rows of the second part)",
    )
    labor = pseudocode(grow(datasets.load("labor"), GrowthSettings.cart(missing="own_branch"))).lines
    assert labor[-1] == "  CART(rows whose value is missing)"
