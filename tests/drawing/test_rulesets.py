"""Rules in words, and the story of their simplification."""

from __future__ import annotations

import json

import numpy as np
import pytest

import datasets
from drawing.rulesets import (
    agreement_cells,
    estimate_name,
    rule_cells,
    rules_story,
    sentence,
    size_cells,
    worked,
)
from engine import Estimate, GrowthSettings, Rule, Simplification, SimplificationSettings, grow, simplify, tree_rules
from engine.rulesets import Tally, beside_tree
from tests.engine.tables import make_table

TENNIS = grow(datasets.load("play_tennis"))


def tennis() -> Simplification:
    return simplify(TENNIS.tree)


def lenses() -> Simplification:
    return simplify(grow(datasets.load("contact_lenses")).tree)


def test_every_step_of_a_simplification_has_a_sentence() -> None:
    for name in ("play_tennis", "contact_lenses", "iris"):
        growth = grow(datasets.load(name))
        for step in (0, 2, len(growth) - 1):
            found = simplify(growth.tree.at(step))
            assert all(sentence(found, index).endswith((".", "?")) for index in range(len(found)))


def test_a_drop_is_told_with_its_numbers() -> None:
    assert sentence(tennis(), 5) == (
        "Rule 5 without “outlook is sunny”: 7 rows, 1 wrong. Estimated accuracy 0.500 → 0.665: dropped."
    )


def test_a_rule_that_keeps_its_conditions_says_what_the_best_drop_would_cost() -> None:
    assert sentence(tennis(), 1) == (
        "Rule 1 is done: dropping “outlook is overcast” would lower its estimated accuracy from 0.707 to 0.517."
    )
    assert sentence(tennis(), 2) == (
        "Rule 2 is done: every drop would lower its estimated accuracy of 0.500, "
        "that of “outlook is rain” the least, to 0.292."
    )


def test_the_default_is_told_with_its_reason() -> None:
    said = sentence(tennis(), 7)
    assert "5 rules are left" in said
    assert "“yes”, the most frequent of all rows" in said
    alone = simplify(TENNIS.tree.at(0))
    assert sentence(alone, 2) == (
        "No rule is left: the answer is always “yes”, the most frequent of the 14 rows that no rule covers."
    )


def test_a_duplicate_names_the_rule_that_it_repeats() -> None:
    found = lenses()
    said = [sentence(found, step.index) for step in found if step.event == "duplicate"]
    assert said[0] == "Rule 4 now says the same as rule 1. It goes."


@pytest.mark.parametrize(
    ("tally", "settings", "words"),
    [
        (Tally(0, 0, 0.0), {}, "no row is covered: 0.000"),
        (Tally(1, 1, 0.0), {}, "1 of 1 rows wrong: 0.000"),
        (Tally(4, 0, 0.5), {"confidence": 0.0625}, "none of 4 rows wrong: 0.0625^(1/4) = 0.500"),
        (Tally(3, 1, 2 / 3), {"estimate": Estimate.VALIDATION}, "2 of 3 rows right: 0.667"),
        (
            Tally(16, 1, 1 - 2.5538 / 16),
            {"estimate": Estimate.BINOMIAL},
            "1 of 16 rows wrong: at an error rate of 0.160 so few have a chance of 25 %; 1 − 0.160 = 0.840",
        ),
        (
            Tally(16, 1, 1 - 2.4757 / 16),
            {},
            "1 of 16 rows wrong: f = 1.5/16, z = 0.674; "
            "1 − (f + z²/32 + z·√(f/16 − f²/16 + z²/1024)) / (1 + z²/16) = 0.845",
        ),
    ],
)
def test_an_estimate_is_worked_out_with_its_numbers(tally: Tally, settings: dict[str, object], words: str) -> None:
    assert worked(tally, SimplificationSettings(**settings)) == words  # type: ignore[arg-type]


def test_the_formula_that_is_printed_gives_the_number_beside_it() -> None:
    f, z = 1.5 / 16, 0.674
    shown = 1 - (f + z**2 / 32 + z * np.sqrt(f / 16 - f**2 / 16 + z**2 / 1024)) / (1 + z**2 / 16)
    assert shown == pytest.approx(0.845, abs=5e-4)


def test_the_story_is_json_and_has_an_entry_for_each_step() -> None:
    for found in (tennis(), lenses(), simplify(TENNIS.tree.at(0))):
        story = rules_story(found)
        assert json.loads(json.dumps(story, allow_nan=False)) == story
        assert {len(story[name]) for name in ("sentences", "rule", "worked", "rows")} == {len(found)}
        assert len(story["rules"]) == len(found.initial)


def test_the_story_says_when_each_condition_was_dropped() -> None:
    rule = rules_story(tennis())["rules"][4]
    assert rule["conditions"] == ["outlook is sunny", "humidity is normal"]
    assert rule["dropped"] == [5, None]
    assert rule["numbers"] == [["2", "100 %", "0.500"], ["7", "85.7 %", "0.665"]]
    assert (rule["first"], rule["last"], rule["end"]) == (5, 6, "kept")


def test_the_story_has_the_table_of_a_step() -> None:
    assert rules_story(tennis())["rows"][5] == [
        [-1, "2", "0", "0.500", 0.5],
        [0, "7", "1", "0.665", 0.6654],
        [1, "5", "3", "0.183", 0.1833],
    ]


def test_the_story_ends_with_the_rules_in_their_order() -> None:
    story = rules_story(tennis())
    assert [number + 1 for number, _ in story["order"]] == [1, 5, 3, 4, 2]
    assert story["order"][1][1] == "humidity is normal"
    assert story["default"] == "play is yes"


def test_an_interval_is_merged_at_the_end_and_in_a_table() -> None:
    growth = grow(datasets.load("iris"), GrowthSettings.cart(max_depth=3))
    ends = [words for _, words in rules_story(simplify(growth.tree))["order"]]
    assert any("≤ petal length (cm) <" in words for words in ends)
    cells = [rule_cells(rule, growth.tree)[0] for rule in tree_rules(growth.tree)]
    assert any("≤ petal length (cm) <" in words for words in cells)


def test_a_rule_is_a_sentence_with_its_rows_and_accuracy() -> None:
    cells = [rule_cells(rule, TENNIS.tree) for rule in tree_rules(TENNIS.tree)]
    assert cells[0] == ["If outlook is overcast, then play is yes", "4", "100 %"]
    assert rule_cells(tree_rules(TENNIS.tree.at(0))[0], TENNIS.tree) == ["Always: play is yes", "14", "64.3 %"]
    assert rule_cells(Rule(1, (), 2.5, 4, 2.0), TENNIS.tree) == ["Always: play is 2.5", "4", "0.500"]
    assert rule_cells(Rule(1, (), "yes", 0, 0), TENNIS.tree)[2] == "–"


def test_tree_and_rules_are_compared_in_words() -> None:
    found = tennis()
    agreement = beside_tree(found.result, datasets.load("play_tennis"))
    assert agreement_cells(agreement) == ["0 of 14 wrong", "1 of 14 wrong", "13 of 14"]
    assert size_cells(found) == ["5 rules, 9 conditions", "5 rules, 8 conditions", ""]


def test_every_estimate_has_a_name() -> None:
    assert len({estimate_name(estimate) for estimate in Estimate}) == len(Estimate)


def test_control_characters_of_a_name_do_not_reach_the_story() -> None:
    table = make_table({"a\x00\nb": ["x\u202ey", "z", "x\u202ey", "z"]}, ["n\x07o", "yes", "n\x07o", "yes"])
    text = json.dumps(rules_story(simplify(grow(table).tree)), ensure_ascii=False)
    assert not any(character in text for character in "\x00\x07\u202e\n")
