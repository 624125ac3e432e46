"""A target that is a number: words, boxes and storyboard against hand-worked numbers."""

from __future__ import annotations

import copy
import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import datasets
import engine
from drawing import wording
from drawing.numbers import Range, units, units_of
from drawing.pseudocode import pseudocode
from drawing.storyboard import storyboard
from drawing.theme import SCALE_STEPS, Mode, mix, scale_step, step_colour
from drawing.tree_boxes import boxes
from drawing.tree_graph import tree_dot, tree_pdf, tree_png, tree_svg
from drawing.tree_svg import contrast, scale_colours
from engine import Choice, Criterion, Growth, GrowthSettings, Rejection, StopReason, grow
from engine.tree import STOP_REASONS
from tests.drawing.tables import HOSTILE

NUMBERS = [entry.name for entry in datasets.catalogue() if not entry.n_classes]


def rentals(**settings: object) -> Growth:
    return grow(datasets.load("bike_rentals"), GrowthSettings.id3(**settings))


def told(growth: Growth) -> list[str]:
    return [wording.sentence(growth, step) for step in range(len(growth))]


def notes(growth: Growth) -> list[str]:
    ranked = growth.best_candidates(0)
    winner = next(c for c in ranked if c.chosen)
    return [wording.why_not(candidate, winner, growth) for candidate in ranked]


def test_bike_rentals_is_told_with_the_printed_numbers() -> None:
    assert told(rentals())[:7] == [
        "12 rows: rentals from 800 to 6,200, mean 3,156⅓. Which question first?",
        "12 rows, mean 3,156⅓. season leaves the least weighted variance: 1,379,331⅓ instead of 3,569,590 "
        "(next: work_day 2,551,813⅓).",
        "Split on season: autumn (3 rows), spring (3 rows), summer (3 rows), winter (3 rows).",
        "season is autumn: 3 rows, mean 2,870. work_day leaves a weighted variance of 300 instead of 2,100; "
        "there is no other choice.",
        "Split on work_day: false (2 rows), true (1 row).",
        "season is autumn and work_day is false: 2 rows, mean 2,895. No feature is left to ask. "
        "A leaf: the mean, 2,895, answers.",
        "season is autumn and work_day is true: 1 row, 2,820. A leaf: no more to ask.",
    ]


def test_a_loser_says_its_gap() -> None:
    assert notes(rentals()) == [
        "season lowers the variance by 2,190,259, the most there is.",
        "work_day lowers the variance by 1,017,777, 1,172,482 less than season.",
    ]


def test_a_choice_is_told_by_what_it_leaves() -> None:
    growth = rentals(choices=(Choice((), "work_day"),))
    assert told(growth)[1].endswith("You chose work_day: 2,551,813⅓, 1,172,482 more.")
    assert notes(growth)[1] == "You chose work_day: reduction 1,017,777."


def test_features_that_cost_something_are_ranked_by_reduction_per_cost() -> None:
    growth = rentals(costs={"season": 3})
    assert "work_day has the greatest variance reduction per cost: 1,017,777 (next: season 730,086)." in told(growth)[1]
    assert notes(growth)[1] == "season has variance reduction per cost 730,086, 287,691 less than work_day."


def test_missing_values_are_told_by_the_reduction() -> None:
    growth = grow(datasets.load("airquality"), GrowthSettings.stump(missing="fractional"))
    assert "Temp < 82.5 has the greatest squared error reduction: 518.6 (next: Wind < 6.6 436.1)." in told(growth)[1]


def test_equals_are_told_with_what_they_leave() -> None:
    frame = pd.DataFrame({"a": [1, 1, 2, 2], "b": [5, 5, 6, 6], "y": [1, 2, 10, 11]})
    growth = grow(engine.read_table(frame, target="y", task="number"), GrowthSettings.cart())
    assert told(growth)[1] == (
        "4 rows, mean 6. a < 1.5 and b < 5.5 tie at a weighted squared error of 0.25 instead of 20.5; "
        "a comes first in the table."
    )
    assert notes(growth) == [
        "a < 1.5 lowers the squared error by 20.25; tied, and first in the table.",
        "b < 5.5 lowers the squared error by 20.25 as well; a comes first in the table.",
    ]


def test_a_node_of_equal_values_says_so() -> None:
    table = engine.read_table(pd.DataFrame({"a": list("xxyy"), "y": [3.5, 3.5, 3.5, 9]}), target="y", task="number")
    assert "a is x: 2 rows, all 3.5. A leaf: no more to ask." in told(grow(table))


def test_an_empty_branch_has_the_parents_mean() -> None:
    frame = pd.DataFrame({"x": list("aaabbbccc"), "z": list("ppqpqqppp"), "y": [1, 2, 90, 2, 91, 92, 1, 2, 3]})
    growth = grow(engine.read_table(frame, target="y", task="number"))
    assert "z is q and x is c: no rows. A leaf: the parent's mean, 91, answers." in told(growth)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"max_depth": 1}, "The depth limit of 1 is reached. A leaf: the mean, 2,870, answers."),
        ({"min_samples_split": 4}, "A node of fewer than 4 rows is not split. A leaf: the mean, 2,870, answers."),
        (
            {"min_samples_leaf": 2},
            "Every split would make a branch of fewer than 2 rows. A leaf: the mean, 2,870, answers.",
        ),
        (
            {"min_gain": 2000},
            "work_day lowers the variance by 1,800, less than the 2000 asked for. A leaf: the mean, 2,870, answers.",
        ),
    ],
)
def test_a_stopping_rule_is_said_with_its_number(settings: dict[str, float], expected: str) -> None:
    assert any(sentence.endswith(expected) for sentence in told(rentals(**settings)))


def test_no_useful_split_depends_on_what_the_algorithm_asks_for() -> None:
    frame = pd.DataFrame({"x": list("aabb"), "z": list("abab"), "y": [1, 2, 2, 1]})
    table = engine.read_table(frame, target="y", task="number")
    assert "No split lowers the squared error." in told(grow(table, GrowthSettings.cart()))[-1]
    alike = engine.read_table(pd.DataFrame({"x": list("aaaa"), "y": [1, 2, 3, 4]}), target="y", task="number")
    assert "No feature separates these rows." in told(grow(alike))[-1]


def stopped(stop: StopReason) -> Growth:
    """A growth whose node 2 stopped for this reason, whether or not growth can bring it about."""
    growth = copy.copy(rentals(max_depth=1))
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
    growth = rentals()
    winner, loser = growth.best_candidates(0)
    assert wording.why_not(replace(loser, rejected=rejected), winner, growth).startswith("work_day ")


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("algorithm", ["id3", "cart", "stump"])
def test_every_step_of_every_number_dataset_has_a_sentence(name: str, algorithm: str) -> None:
    growth = grow(datasets.load(name), GrowthSettings(algorithm=algorithm, max_depth=3))
    for sentence in told(growth):
        assert sentence.endswith((".", "?"))
        assert "nan" not in sentence
        assert "majority" not in sentence


def test_the_pseudo_code_speaks_of_means() -> None:
    lines = pseudocode(rentals()).lines
    assert "  no rows? a leaf: the parent's mean" in lines
    assert "  all rows of one value? a leaf: that value" in lines
    assert not any("majority" in line or "class" in line for line in lines)


def test_a_box_says_rows_and_mean_and_a_small_leaf_lists_its_rows() -> None:
    growth = rentals()
    drawn = boxes(growth.tree, Criterion.VARIANCE)
    root = drawn[0]
    assert (root.test, root.counts, root.impurity) == ("season", "12 rows, mean 3,156⅓", "variance 3,569,590")
    leaf = next(box for box in drawn if not box.is_split)
    assert (leaf.test, leaf.counts, leaf.impurity) == ("2,895", "2 rows: 10, 11", "variance 450")


def test_the_mark_of_a_box_is_its_mean_on_the_range_with_one_deviation() -> None:
    growth = rentals()
    winter = boxes(growth.tree)[10]
    assert winter.title == "season is winter"
    place = winter.place
    assert place is not None
    span, deviation = 6200 - 800, 2692**0.5
    assert place.at == pytest.approx((842 - 800) / span)
    assert place.low == 0.0  # 842 less a deviation lies below the least value
    assert place.high == pytest.approx((842 + deviation - 800) / span)


def test_all_values_alike_are_in_the_middle() -> None:
    assert Range(3.0, 3.0).place(3.0, 0.0).at == 0.5


@pytest.mark.parametrize("mode", Mode)
def test_a_tree_is_drawn_in_the_colours_of_the_scale(mode: Mode) -> None:
    growth = rentals()
    svg = tree_svg(growth.tree, Criterion.VARIANCE, mode=mode)
    leaf = next(box for box in boxes(growth.tree) if not box.is_split)
    assert leaf.place is not None
    step = scale_step(leaf.place.at)
    assert f"class='node s{step}' id='n{leaf.node}'" in svg
    assert f".v{step}{{fill:{step_colour(step, mode)}}}" in svg
    assert "var(" not in svg
    assert step_colour(step, mode) in tree_dot(growth.tree, Criterion.VARIANCE, mode=mode)


def test_pictures_to_keep_are_made_of_a_half_grown_tree_too() -> None:
    tree = rentals().tree.at(3)
    assert tree_png(tree).startswith(b"\x89PNG")
    assert tree_pdf(tree).startswith(b"%PDF")


def test_edges_are_as_wide_as_their_rows() -> None:
    frame = pd.DataFrame({"x": [1] * 15 + [2], "y": [*range(15), 100]})
    growth = grow(engine.read_table(frame, target="y", task="number"), GrowthSettings.stump())
    widths = [float(part.split("'")[0]) for part in tree_svg(growth.tree).split("stroke-width='")[1:3]]
    assert widths == sorted(widths, reverse=True)
    assert widths[0] > 2 * widths[1]


@pytest.mark.parametrize("name", NUMBERS)
def test_a_storyboard_of_a_number_is_json_without_classes(name: str) -> None:
    growth = grow(datasets.load(name), GrowthSettings.cart(max_depth=4))
    story = json.loads(json.dumps(storyboard(growth), allow_nan=False))
    assert story["classes"] == []
    assert story["nodes"]["rows"][0] == wording.rows(growth.table.n_rows)
    assert story["nodes"]["counts"][0].startswith("mean ")
    for scanned in (entry for entries in story["granularity"]["fine"].values() for entry in entries):
        if scanned["kind"] == "thresholds":
            assert len(scanned["texts"]) == len(scanned["thresholds"])


def test_a_growth_of_classes_pays_nothing_for_the_scale() -> None:
    story = storyboard(grow(datasets.load("play_tennis")))
    assert "--scale-0" not in json.dumps(story)


def test_very_large_and_very_small_values_are_told_without_nan() -> None:
    frame = pd.DataFrame({"x": [1, 2, 3, 4], "y": [1e150, -1e150, 3e150, 5e-149]})
    growth = grow(engine.read_table(frame, target="y", task="number"), GrowthSettings.cart())
    json.dumps(storyboard(growth), allow_nan=False)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_names_stay_text(hostile: str) -> None:
    frame = pd.DataFrame({hostile: ["a", "b", hostile, "b"], f"{hostile}2": [1, 2, 3, 4], "y": [1, 2, 3, 5]})
    growth = grow(engine.read_table(frame, target="y", task="number"))
    json.dumps(storyboard(growth), allow_nan=False)
    assert "<script>" not in tree_svg(growth.tree)
    tree_png(growth.tree)


@pytest.mark.parametrize("mode", Mode)
def test_the_scale_is_read_by_its_luminance_alone(mode: Mode) -> None:
    ground = "#000000"
    brightness = [contrast(step_colour(step, mode), ground) for step in range(SCALE_STEPS)]
    assert brightness == sorted(brightness, reverse=True)
    ink = scale_colours(mode)
    for step in range(SCALE_STEPS):
        text = "#1b1f27" if mode is Mode.LIGHT else "#eef0f4"
        assert contrast(ink[f"--scale-{step}-tint"], text) >= 7.0
    assert mix("#000000", "#ffffff", 1.0) == "#000000"


def test_decimals_follow_the_spread_of_the_target() -> None:
    assert units_of(np.array([0.001, 0.002, 0.0035])).value(0.0021666) == "0.002167"
    assert units_of(np.linspace(0, 1e6, 50)).value(123456.78) == "123,457"
    assert units(rentals().tree).square(4026346.6666666665) == "4,026,346⅔"
