"""A comparison in words and as a story: names, sentences, what can be compared."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import datasets
from drawing.comparison import comparable, heading, names, rows_words, units
from drawing.comparison_sentences import Telling
from drawing.comparison_stability import stability_rows, stability_svg, stability_words
from drawing.comparison_story import pair_story
from drawing.comparison_words import agreement_sentence, agreement_words, level_words, winner_cell
from drawing.theme import Mode
from engine import Choice, Criterion, GrowthSettings, Table, grow, read_table
from engine.comparison import Comparison, Mark, Side
from engine.comparison_criteria import criteria_at
from engine.comparison_rows import RowChoice, shared
from engine.comparison_stability import stability
from engine.comparison_summary import Agreement, Level
from tests.drawing.tables import hostile, table, tennis
from tests.engine.tables import make_table, settings_for, tables

ID3 = GrowthSettings.id3()


def compared(data: Table, first: GrowthSettings, second: GrowthSettings, other: Table | None = None) -> Comparison:
    return Comparison(grow(data, first), grow(data if other is None else other, second))


def sentences(comparison: Comparison) -> list[str]:
    telling = Telling(comparison)
    return [telling.sentence(step) for step in comparison]


def test_entropy_and_gini_say_what_each_prefers_and_by_how_much() -> None:
    said = sentences(compared(datasets.load("wine"), ID3, GrowthSettings.id3(criterion=Criterion.GINI)))
    assert said[0] == "Both start from 178 rows: 71 class_1, 59 class_0, 48 class_2. Which question first?"
    assert said[1] == (
        "A (entropy) prefers flavanoids < 1.575: 0.647, 0.034 more than proline < 755. "
        "B (Gini) prefers proline < 755: 0.252, 0.041 more than flavanoids < 1.575."
    )
    assert said[2] == "The first difference. A (entropy) splits on flavanoids < 1.575, B (Gini) on proline < 755."
    assert said[5] == "A stops: class_1; B prefers hue < 0.935 (0.148)."


def test_where_both_decide_alike_one_sentence_says_so() -> None:
    said = sentences(compared(tennis(), ID3, GrowthSettings.id3(criterion=Criterion.GINI)))
    assert said[1] == (
        "Both prefer outlook. A (entropy) 0.247, 0.095 more than humidity; B (Gini) 0.116, 0.024 more than humidity."
    )
    assert said[2] == "Both split on outlook: overcast (4 rows), rain (5 rows), sunny (5 rows)."
    assert said[3] == "outlook is overcast: 4 rows. Both stop here and answer yes."


def test_a_side_that_stops_says_why() -> None:
    said = sentences(compared(tennis(), ID3, GrowthSettings.id3(max_depth=1)))
    assert said[4] == (
        "outlook is rain: 5 rows. A prefers wind: 0.971, 0.951 more than temperature. "
        "B (depth up to 1) stops and answers yes. The depth limit of 1 is reached."
    )
    assert said[5].startswith(
        "outlook is rain: 5 rows. The first difference. A splits on wind. B (depth up to 1) stops"
    )
    assert said[6] == "A stops: no; B waits."
    assert "A difference. A splits on humidity." in said[9]


def test_accuracy_is_stuck_where_gain_finds_a_split() -> None:
    data = datasets.load("xo_accuracy_fails_reconstructed")
    first, second = (GrowthSettings.cart(criterion=c) for c in (Criterion.MISCLASSIFICATION, Criterion.ENTROPY))
    said = sentences(compared(data, first, second))
    assert said[1].startswith("A (misclassification) finds no split that may be chosen. B (entropy) prefers x1 < 2.35:")
    assert "A (misclassification) stops and answers o. No split makes the branches purer." in said[2]


def test_a_tie_is_called_a_tie() -> None:
    data = datasets.load("derived_boolean_x2_and_x5")
    said = sentences(compared(data, GrowthSettings.id3(criterion=Criterion.MISCLASSIFICATION), ID3))
    assert "A (misclassification) prefers x1: 0.000, tied with x2." in said[1]


def test_other_rows_are_said_with_the_numbers_of_both() -> None:
    data = tennis()
    fewer = RowChoice(without=(13,)).take(data)
    comparison = compared(data, ID3, ID3, fewer)
    assert names(comparison) == ("A (14 rows)", "B (13 rows)")
    said = sentences(comparison)
    assert said[0] == "A starts from 14 rows: 9 yes, 5 no. B starts from 13 rows: 9 yes, 4 no."
    assert said[2] == "Both split on outlook."
    assert said[5] == "outlook is rain: A 5 rows, B 4 rows. Both split on wind."


def test_other_answers_of_two_leaves_are_a_difference() -> None:
    said = sentences(compared(table(x="aabb", y="nnyy"), ID3, ID3, table(x="aabb", y="nnyn")))
    assert said[-1] == "x is b: 2 rows. The first difference. Both stop, with other answers: A y, B n."


@given(st.data())
@settings(max_examples=60)
def test_every_step_of_every_comparison_has_words(data: st.DataObject) -> None:
    one = data.draw(tables(max_rows=15))
    comparison = compared(one, data.draw(settings_for(one)), data.draw(settings_for(one)))
    said = sentences(comparison)
    assert len(said) == len(comparison)
    assert all(sentence.endswith((".", "?")) and "  " not in sentence for sentence in said)


def test_a_number_is_told_in_its_own_unit() -> None:
    said = sentences(compared(datasets.load("bike_rentals"), ID3, GrowthSettings.id3(max_depth=1)))
    assert said[4] == (
        "season is autumn: 3 rows. The first difference. A splits on work_day. "
        "B (depth up to 1) stops and answers 2,870. The depth limit of 1 is reached."
    )
    assert said[5] == "A stops: 2,895; B waits."


def test_hostile_names_stay_plain_text() -> None:
    story = pair_story(compared(hostile(), ID3, GrowthSettings.id3(max_depth=1)), ("A", "B"))
    assert "\x00" not in json.dumps(story, ensure_ascii=False)
    assert all("\n" not in sentence for sentence in story["sentences"])


# ---- the sides ----------------------------------------------------------------------------------


def test_a_heading_names_what_is_not_as_it_comes() -> None:
    growth = grow(
        tennis(),
        GrowthSettings.cart(
            criterion=Criterion.ENTROPY,
            categorical_splits="multiway",
            max_depth=3,
            min_samples_split=4,
            min_samples_leaf=2,
            min_gain=0.01,
            choices=(Choice((), "wind"),),
        ),
    )
    assert heading(growth, RowChoice(without=(0,))) == (
        "CART · entropy · a branch a level · depth up to 3 · 4 rows to split · 2 rows a branch · gain from 0.01 · "
        "1 split by hand · without row 1"
    )
    assert heading(grow(tennis(), ID3)) == "ID3 · entropy"


def test_rows_are_named_few_by_few() -> None:
    assert rows_words(RowChoice(without=(0, 1))) == ["without rows 1 and 2"]
    assert rows_words(RowChoice(without=tuple(range(5)), only=tuple(range(9)))) == ["9 rows only", "without 5 rows"]
    assert rows_words(None) == []


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (ID3, GrowthSettings.cart(), ("A (ID3)", "B (CART)")),
        (ID3, GrowthSettings.id3(criterion=Criterion.GAIN_RATIO), ("A (entropy)", "B (gain ratio)")),
        (ID3, ID3, ("A", "B")),
    ],
)
def test_a_side_is_named_by_what_sets_it_apart(
    first: GrowthSettings, second: GrowthSettings, expected: tuple[str, str]
) -> None:
    assert names(compared(tennis(), first, second)) == expected


def test_equal_criteria_are_in_the_same_unit() -> None:
    assert units(compared(tennis(), ID3, GrowthSettings.id3(max_depth=1))) == ""
    assert "Information gain and Gini gain" in units(compared(tennis(), ID3, GrowthSettings.cart()))


def test_what_cannot_be_compared_is_said() -> None:
    frame = datasets.frame("play_tennis")
    play, wind = (read_table(frame, target=name, ignore=("day",)) for name in ("play", "wind"))
    noisy = RowChoice(noise=0.2, noise_seed=1).take(play)
    elsewhere = datasets.load("iris")

    def said(one: Table, other: Table) -> list[str]:
        return comparable(compared(one, ID3, ID3, other), shared(one, other))

    assert said(play, play) == []
    assert said(play, wind) == [
        "A predicts play, B predicts wind: which features are tested where, size and depth can be compared; "
        "answers, gains and errors cannot."
    ]
    assert said(play, noisy) == [
        "3 rows have another target on the two sides: tests, size and depth can be compared; "
        "gains and training errors refer to other targets."
    ]
    assert "The sides share no row: only size and depth can be compared." in said(play, elsewhere)
    (rows,) = said(play, play.take([0, 1, 2, 3]))
    assert rows.startswith("A has 14 rows, B 4 rows, 4 of them the same")


# ---- the story ----------------------------------------------------------------------------------


@given(st.data())
@settings(max_examples=40)
def test_the_story_of_two_trees_is_complete(data: st.DataObject) -> None:
    one = data.draw(tables(max_rows=15))
    comparison = compared(one, data.draw(settings_for(one)), data.draw(settings_for(one)))
    story = json.loads(json.dumps(pair_story(comparison, ("first", "second")), allow_nan=False))
    n_steps = len(comparison)
    assert story["titles"] == {"a": "first", "b": "second"}
    assert len(story["steps"]) == len(story["sentences"]) == len(story["together"]) == n_steps
    for side, key in ((Side.FIRST, "a"), (Side.SECOND, "b")):
        marks, twins = story["marks"][key], story["twins"][key]
        assert len(marks) == len(twins) == len(comparison.growth(side).tree.nodes)
        assert all((twin < 0) == (mark == Mark.ALONE) for mark, twin in zip(marks, twins, strict=True))
    for stops in story["granularity"].values():
        assert stops == sorted(set(stops)) and stops[0] == 0 and stops[-1] == n_steps - 1
    assert story["differences"] == sorted(story["differences"])
    assert set(story["differences"]) <= set(story["granularity"]["node"])


def test_other_titles_are_another_story() -> None:
    comparison = compared(tennis(), ID3, ID3)
    assert pair_story(comparison, ("a", "b"))["key"] != pair_story(comparison, ("a", "c"))["key"]


# ---- all criteria, agreement, levels --------------------------------------------------------------


def test_the_winner_of_each_criterion_is_marked() -> None:
    found = criteria_at(grow(tennis(), ID3), 0)
    outlook, wind = found.rows[0], found.rows[3]
    assert [winner_cell(outlook, c, found) for c in found.criteria] == ["✓ 0.247", "✓ 0.156", "✓ 0.116", "✓ 0.071"]
    assert winner_cell(wind, Criterion.ENTROPY, found) == "0.048"
    assert agreement_words(found) == "All four criteria take outlook."


def test_criteria_that_take_another_threshold_are_told_apart() -> None:
    found = criteria_at(grow(datasets.load("wine"), ID3), 0)
    assert agreement_words(found) == (
        "Entropy takes flavanoids < 1.575; gain ratio takes flavanoids < 1.4; Gini and misclassification take "
        "proline < 755."
    )


def test_a_criterion_without_a_choice_is_named() -> None:
    growth = grow(datasets.load("xo_accuracy_fails_reconstructed"), GrowthSettings.cart())
    assert agreement_words(criteria_at(growth, 0)).endswith("; misclassification has nothing to choose.")


def test_agreement_is_said_in_times_and_per_cent() -> None:
    assert agreement_sentence(Agreement(100, 91, 65, 990, 955)) == (
        "On 100 resampled tables: the same first question 91 times, the same tree 65 times; "
        "96.5 % of the nodes that both trees have were decided alike."
    )


def test_a_level_of_many_features_names_the_first() -> None:
    level = Level(tuple((f"x{i}", 1) for i in range(6)), 1)
    assert level_words(level) == "x0, x1, x2, x3, 2 more; 1 leaf"
    assert level_words(Level((), 2)) == "2 leaves"


# ---- stability ----------------------------------------------------------------------------------


def test_each_node_says_how_often_it_survives_and_the_table_tells_the_thresholds() -> None:
    growth = grow(datasets.load("iris"), GrowthSettings.cart(max_depth=2))
    *_, found = stability(growth, n_samples=10)
    picture = stability_svg(growth, found, Mode.LIGHT)
    for node in range(len(growth.tree.nodes)):
        assert f"in {found.survived[node]} of 10" in picture
    rows = stability_rows(growth, found)
    assert [row[1] for row in rows] == [str(found.survived[0]), str(found.survived[int(growth.tree.children(0)[1])])]
    assert " to " in rows[0][2] or rows[0][2].startswith("at ")
    words = stability_words(growth, found)
    assert words.startswith("10 trees of resampled rows. Tested first: ")
    assert words.endswith(f"All of this tree is found in {found.survived.min()} of 10.")


def test_a_hostile_name_is_escaped_in_the_picture_of_stability() -> None:
    table = make_table({"<script>": [1, 2, 3, 4]}, ["<b>", "<b>", "n", "n"])
    growth = grow(table)
    *_, found = stability(growth, n_samples=2)
    assert "<script>" not in stability_svg(growth, found, Mode.DARK)


def test_levels_of_two_trees_are_complete_where_both_are() -> None:
    table = datasets.load("play_tennis")
    both = Comparison(grow(table), grow(table, GrowthSettings.id3(criterion="gini")))
    stops = pair_story(both, ("A", "B"))["granularity"]["level"]
    assert stops[0] == 0 and stops[-1] == len(both) - 1
    last_of_root = max(step.index for step in both if step.first.node == 0 == step.second.node)
    assert stops[1] == last_of_root
