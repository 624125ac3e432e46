from __future__ import annotations

import copy
from dataclasses import replace

import pytest

from drawing import wording
from engine import Choice, Criterion, Growth, GrowthSettings, Rejection, StopReason, grow
from engine.tree import STOP_REASONS
from tests.drawing.tables import iris, table, tennis


def told(growth: Growth) -> list[str]:
    return [wording.sentence(growth, step) for step in range(len(growth))]


def notes(growth: Growth) -> list[str]:
    ranked = growth.best_candidates(0)
    winner = next(c for c in ranked if c.chosen)
    return [wording.why_not(candidate, winner, growth) for candidate in ranked]


def test_play_tennis_is_told_in_these_words() -> None:
    assert told(grow(tennis())) == [
        "14 rows: 9 yes, 5 no. Which question first?",
        "14 rows, 9 yes and 5 no. outlook gains most: 0.247 (next: humidity 0.152).",
        "Split on outlook: overcast (4 rows), rain (5 rows), sunny (5 rows).",
        "outlook is overcast: 4 rows, all yes. A leaf: no more to ask.",
        "outlook is rain: 5 rows, 3 yes and 2 no. wind gains most: 0.971 (next: temperature 0.020).",
        "Split on wind: strong (2 rows), weak (3 rows).",
        "outlook is rain and wind is strong: 2 rows, all no. A leaf: no more to ask.",
        "outlook is rain and wind is weak: 3 rows, all yes. A leaf: no more to ask.",
        "outlook is sunny: 5 rows, 3 no and 2 yes. humidity gains most: 0.971 (next: temperature 0.571).",
        "Split on humidity: high (3 rows), normal (2 rows).",
        "outlook is sunny and humidity is high: 3 rows, all no. A leaf: no more to ask.",
        "outlook is sunny and humidity is normal: 2 rows, all yes. A leaf: no more to ask.",
    ]


def test_losers_of_play_tennis_say_their_gap() -> None:
    assert notes(grow(tennis())) == [
        "outlook gains 0.247, the most there is.",
        "humidity gains 0.152, 0.095 less than outlook.",
        "wind gains 0.048, 0.199 less than outlook.",
        "temperature gains 0.029, 0.218 less than outlook.",
    ]


def test_gain_ratio_is_named_as_such() -> None:
    growth = grow(tennis(), GrowthSettings.id3(criterion=Criterion.GAIN_RATIO))
    assert "outlook has the greatest gain ratio: 0.156 (next: humidity 0.152)." in told(growth)[1]
    assert notes(growth)[1] == "humidity has gain ratio 0.152, 0.005 less than outlook."


def test_a_tie_names_the_equals_and_the_rule() -> None:
    growth = grow(iris(), GrowthSettings.stump())
    assert told(growth)[1].endswith(
        "petal length (cm) < 2.45 and petal width (cm) < 0.8 tie at 0.333; petal length (cm) comes first in the table."
    )
    assert notes(growth)[:2] == [
        "petal length (cm) < 2.45 gains 0.333; tied, and first in the table.",
        "petal width (cm) < 0.8 gains 0.333 as well; petal length (cm) comes first in the table.",
    ]


def test_a_split_on_a_threshold_says_both_sides() -> None:
    growth = grow(iris(), GrowthSettings.stump())
    assert told(growth)[2] == "Split on petal length (cm): < 2.45 (50 rows), ≥ 2.45 (100 rows)."


def test_a_choice_is_told_as_yours_beside_the_best() -> None:
    growth = grow(tennis(), GrowthSettings.id3(choices=(Choice((), "humidity"),)))
    assert told(growth)[1:3] == [
        "14 rows, 9 yes and 5 no. outlook gains most: 0.247 (next: humidity 0.152). "
        "You chose humidity: 0.152, 0.095 less.",
        "Split on humidity, chosen by you: high (7 rows), normal (7 rows).",
    ]
    assert notes(growth)[:2] == [
        "outlook gains 0.247, 0.095 more than humidity, which you chose.",
        "You chose humidity: gain 0.152.",
    ]


def test_an_empty_branch_is_answered_by_the_parent() -> None:
    growth = grow(table(x="aaabbbccc", z="ppqpqqppp", t="yynynyyyy"))
    assert "Split on x: a (1 row), b (2 rows), c (no rows)." in told(growth)
    assert "z is q and x is c: no rows. A leaf: the parent's majority, n, answers." in told(growth)


def test_a_tie_of_classes_says_what_settles_it() -> None:
    by_parent = grow(table(x="aaabbbccc", z="ppqpqqppp", t="yynynyyyy"))
    assert any(
        s.endswith("A leaf: n and y tie; n is more frequent in the parent and answers.") for s in told(by_parent)
    )
    by_order = grow(table(x="aabb", t="ynyn"))
    assert told(by_order)[3] == (
        "x is a: 2 rows, 1 n and 1 y. No feature is left to ask. "
        "A leaf: n and y tie; n comes first in order and answers."
    )


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"max_depth": 1}, "The depth limit of 1 is reached. A leaf: the majority, yes, answers."),
        ({"min_samples_split": 6}, "A node of fewer than 6 rows is not split. A leaf: the majority, yes, answers."),
        (
            {"min_samples_leaf": 5},
            "Every split would make a branch of fewer than 5 rows. A leaf: the majority, no, answers.",
        ),
        ({"min_gain": 0.5}, "outlook gains 0.247, less than the 0.5 asked for. A leaf: the majority, yes, answers."),
    ],
)
def test_a_stopping_rule_is_said_with_its_number(settings: dict[str, float], expected: str) -> None:
    sentences = told(grow(tennis(), GrowthSettings.id3(**settings)))
    assert any(sentence.endswith(expected) for sentence in sentences)


def test_no_useful_split_depends_on_what_the_algorithm_asks_for() -> None:
    exclusive_or = table(x="aabb", y="abab", t="yNNy")
    assert "No split makes the branches purer." in told(grow(exclusive_or, GrowthSettings.cart()))[-1]
    assert "No feature separates these rows." in told(grow(table(x="aaaa", t="yynn")))[-1]


def stopped(stop: StopReason) -> Growth:
    """A growth whose node 2 stopped for this reason, whether or not growth can bring it about yet."""
    growth = copy.copy(grow(tennis(), GrowthSettings.id3(max_depth=1)))
    stops = growth.tree.nodes.stop.copy()
    stops[2] = STOP_REASONS.index(stop)
    growth.tree = replace(growth.tree, nodes=replace(growth.tree.nodes, stop=stops))
    return growth


@pytest.mark.parametrize("stop", StopReason)
def test_every_stop_reason_has_words(stop: StopReason) -> None:
    assert "A leaf: " in wording.reason(stopped(stop), 2)


def test_words_of_stop_reasons_differ() -> None:
    assert len({wording.reason(stopped(stop), 2) for stop in StopReason}) == len(StopReason)


@pytest.mark.parametrize("rejected", Rejection)
def test_every_rejection_has_words_that_name_the_candidate(rejected: Rejection) -> None:
    growth = grow(tennis())
    winner, loser, *_ = growth.best_candidates(0)
    assert wording.why_not(replace(loser, rejected=rejected), winner, growth).startswith("humidity ")
    assert len({wording.rejection(r, 5) for r in Rejection}) == len(Rejection)


@pytest.mark.parametrize("criterion", Criterion)
def test_every_criterion_has_words(criterion: Criterion) -> None:
    names = wording.measure(criterion)
    assert names.name and names.short and names.impurity and names.symbol


def test_a_long_list_of_branches_is_cut() -> None:
    growth = grow(table(x="abcdefghij", t="ynynynynyn"))
    assert told(growth)[2] == (
        "Split on x: a (1 row), b (1 row), c (1 row), d (1 row), e (1 row), f (1 row), and 4 more branches."
    )


def test_a_path_merges_what_is_known_of_a_feature() -> None:
    growth = grow(iris(), GrowthSettings.id3())
    assert "2.45 ≤ petal length (cm) < 4.95 and petal width (cm) < 1.65" in [
        wording.path(growth.tree.path(node)) for node in range(len(growth.tree.nodes))
    ]
