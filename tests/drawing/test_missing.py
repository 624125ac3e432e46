"""Missing values, absent levels, weights and other programs, in words."""

from __future__ import annotations

import pytest

import datasets
from drawing import elsewhere, missing, weights
from engine import Candidate, Growth, GrowthSettings, Missing, grow
from tests.drawing.tables import table, tennis


def grown(treatment: Missing, name: str = "play_tennis_missing", algorithm: str = "c45") -> Growth:
    return grow(datasets.load(name), GrowthSettings(algorithm=algorithm, missing=treatment))


def best(growth: Growth, feature: str, node: int = 0) -> Candidate:
    return next(c for c in growth.best_candidates(node) if c.feature == feature)


@pytest.mark.parametrize(
    ("treatment", "table_words", "outlook_words"),
    [
        (
            Missing.FRACTIONAL,
            "1 value is missing: a row without a value goes down every branch of the test, in parts.",
            "1 row here lacks outlook. Impurities are those of the 13 known rows, and the gain is scaled by their "
            "share, F = 13/14; the split information counts the unknown as one more subset. "
            "Such a row goes down every branch: 3/13 to overcast, 5/13 to rain and 5/13 to sunny.",
        ),
        (
            Missing.OWN_BRANCH,
            "1 value is missing: rows without a value have a branch of their own.",
            "1 row here lacks outlook: the branch for missing values counts like any other.",
        ),
        (
            Missing.MOST_COMMON,
            "1 value is missing: the most common value (of numbers the median) stands in, outlook: rain.",
            "1 row here had no outlook: rain stands in.",
        ),
        (
            Missing.DROP,
            "1 of 14 rows lacks a value and is left out.",
            "1 row without outlook is left out.",
        ),
    ],
)
def test_a_treatment_says_what_it_did(treatment: Missing, table_words: str, outlook_words: str) -> None:
    growth = grown(treatment)
    assert missing.treatment(growth) == table_words
    assert missing.of_candidate(growth, 0, best(growth, "outlook")) == outlook_words
    assert missing.of_candidate(growth, 0, best(growth, "wind")) == ""


def test_a_table_without_missing_values_needs_no_words() -> None:
    growth = grow(tennis(), GrowthSettings.c45())
    assert missing.treatment(growth) == ""
    assert missing.of_candidate(growth, 0, best(growth, "outlook")) == ""


def test_the_median_stands_in_for_a_number_and_a_third_branch_takes_it_apart() -> None:
    common = grown(Missing.MOST_COMMON, "labor")
    assert missing.of_candidate(common, 0, best(common, "statutory-holidays")) == (
        "4 rows here had no statutory-holidays: 11 stands in."
    )
    own = grown(Missing.OWN_BRANCH, "labor", "cart")
    assert missing.of_candidate(own, 0, best(own, "pension")).endswith("missing is a level like the others.")
    holidays = best(own, "statutory-holidays")
    assert holidays.split.missing_branch
    assert missing.of_candidate(own, 0, holidays) == (
        "4 rows here lack statutory-holidays: the branch for missing values counts like any other."
    )


def test_a_level_that_is_absent_at_a_node_is_said() -> None:
    growth = grow(tennis(), GrowthSettings.id3())
    rain = int(growth.tree.children(0)[1])
    assert (
        missing.absent(growth, rain, best(growth, "temperature", rain)) == "No row here has hot: that branch is empty."
    )
    assert missing.absent(growth, 0, best(growth, "temperature")) == ""
    cart = grow(tennis(), GrowthSettings.cart(max_depth=2))
    other = int(cart.tree.children(0)[1])
    outlook = best(cart, "outlook", other)
    assert missing.absent(cart, other, outlook) == "No row here has overcast; it goes with the second group."


def test_weights_say_where_they_come_from() -> None:
    assert weights.origin(grow(tennis(), GrowthSettings.id3(class_weights="balanced"))) == (
        "Counts are weights: a row of no counts 1.4 and a row of yes counts 0.778 "
        "(balanced: all rows / classes / rows of the class)."
    )
    assert weights.origin(grow(tennis(), GrowthSettings.id3(class_weights={"no": 3}))) == (
        "Counts are weights: a row of no counts 3 and a row of yes counts 1."
    )
    assert weights.origin(grow(tennis(), row_weights=[2] + [1] * 13)) == "Rows are counted by their weights."
    assert weights.origin(grow(tennis())) == ""


def test_other_programs_are_named_where_they_would_say_something_else() -> None:
    fractional, cart = grown(Missing.FRACTIONAL), grow(tennis(), GrowthSettings.cart())
    assert "surrogate" in elsewhere.line(fractional, 0, best(fractional, "outlook"))
    assert "J48" in elsewhere.line(fractional, 0, best(fractional, "wind"))
    assert "scikit-learn does not group them" in elsewhere.line(cart, 0, best(cart, "outlook"))
    assert elsewhere.line(grow(tennis()), 0, best(grow(tennis()), "outlook")) == ""
    numbers = datasets.load("weather_numeric")
    c45, gini, id3 = (grow(numbers, GrowthSettings(algorithm=name)) for name in ("c45", "cart", "id3"))
    assert "log₂(cuts) / rows" in elsewhere.line(c45, 0, best(c45, "humidity"))
    assert "14 · 0.092 = 1.286" in elsewhere.line(gini, 0, best(gini, "humidity"))
    assert "≤ t" in elsewhere.line(id3, 0, best(id3, "humidity"))


@pytest.mark.parametrize("treatment", Missing)
@pytest.mark.parametrize("algorithm", ["id3", "c45", "cart", "stump"])
@pytest.mark.parametrize("name", ["labor", "congress_votes", "play_tennis_missing"])
def test_every_candidate_of_every_treatment_has_words(name: str, algorithm: str, treatment: Missing) -> None:
    growth = grown(treatment, name, algorithm)
    for node in range(min(len(growth.tree.nodes), 12)):
        for candidate in growth.best_candidates(node):
            said = " ".join(
                (
                    missing.of_candidate(growth, node, candidate),
                    missing.absent(growth, node, candidate),
                    elsewhere.line(growth, node, candidate),
                )
            )
            assert "nan" not in said and "None" not in said


def test_no_value_in_a_level_list_is_cut_short_without_saying_so() -> None:
    growth = grow(table(x="abcdefghijabc", y="aaaaabbbbbccc", t="ynynynynynyyn"), GrowthSettings.id3())
    below = next(n for n in range(len(growth.tree.nodes)) if growth.tree.nodes.scored[n] and n)
    found = [missing.absent(growth, below, c) for c in growth.best_candidates(below) if c.feature == "x"]
    assert all("more" in words for words in found if words.count(",") >= 5)
