"""Trees that can be worked out by hand: the textbooks' tables, and small tables for each rule."""

from __future__ import annotations

from math import log2
from pathlib import Path

import pandas as pd
import pytest

import engine
from engine import Candidate, Choice, Condition, Criterion, Growth, GrowthSettings, Op, Rejection, StopReason
from engine.rules import as_rules
from engine.splits import midpoint

FILES = Path(__file__).parents[2] / "datasets" / "files"


def grown(name: str, target: str, settings: GrowthSettings | None = None, ignore: tuple[str, ...] = ()) -> Growth:
    return engine.grow(engine.read_table(FILES / f"{name}.csv", target=target, ignore=ignore), settings)


def small(columns: dict[str, str], settings: GrowthSettings | None = None, numeric: tuple[str, ...] = ()) -> Growth:
    """A growth over columns written as words with spaces between; `-` is a missing cell."""
    frame = pd.DataFrame({name: [w.replace("-", "") for w in text.split()] for name, text in columns.items()})
    categorical = tuple(name for name in columns if name not in (*numeric, "y"))
    table = engine.read_table(frame, target="y", categorical=categorical, numeric=numeric, task="classes")
    return engine.grow(table, settings)


def gains(growth: Growth, node: int = 0) -> dict[str, float]:
    return {candidate.feature: candidate.gain for candidate in growth.best_candidates(node)}


def rejections(growth: Growth, node: int = 0) -> list[Rejection | None]:
    return [candidate.rejected for candidate in growth.candidates(node)]


def entropy(*counts: int) -> float:
    return -sum(n / sum(counts) * log2(n / sum(counts)) for n in counts if n)


# The tables of the books


def test_quinlans_play_tennis_asks_for_the_outlook_first() -> None:
    growth = grown("play_tennis", "play", ignore=("day",))
    after = (5 * entropy(2, 3) + 4 * entropy(4, 0) + 5 * entropy(3, 2)) / 14
    assert growth.evidence(0)[0].feature == "outlook"
    assert growth.evidence(0)[0].gain == pytest.approx(entropy(9, 5) - after, abs=1e-12)
    assert gains(growth, 5) == pytest.approx(
        {
            "humidity": entropy(2, 3),
            "temperature": entropy(2, 3) - 2 / 5,
            "wind": entropy(2, 3) - (3 * entropy(1, 2) + 2) / 5,
        },
        abs=1e-12,
    )


def test_the_weather_with_numbers_splits_humidity_between_75_and_80_below_sunny() -> None:
    growth = grown("weather_numeric", "play")
    assert gains(growth) == pytest.approx(
        {
            "outlook": 0.24674981977443933,
            "humidity": entropy(9, 5) - (7 * entropy(6, 1) + 7 * entropy(3, 4)) / 14,
            "temperature": entropy(9, 5) - 13 * entropy(9, 4) / 14,
            "windy": entropy(9, 5) - (8 * entropy(6, 2) + 6 * entropy(3, 3)) / 14,
        },
        abs=1e-12,
    )
    assert "IF outlook is sunny AND humidity < 77.5 THEN play is yes (2 rows, 2 right)" in as_rules(growth.tree)


def test_contact_lenses_have_the_published_gains_and_nine_leaves() -> None:
    growth = grown("contact_lenses", "contact-lenses")
    assert {name: round(gain, 3) for name, gain in gains(growth).items()} == {
        "tear-prod-rate": 0.549,
        "astigmatism": 0.377,
        "spectacle-prescrip": 0.040,
        "age": 0.039,
    }
    assert (growth.tree.n_leaves, growth.tree.training_accuracy()) == (9, 1.0)


def test_gain_ratio_without_a_filter_asks_for_the_slope_where_gain_asks_for_the_elevation() -> None:
    by_gain = grown("vegetation", "vegetation", ignore=("id",))
    by_ratio = grown("vegetation", "vegetation", GrowthSettings.id3(criterion="gain_ratio"), ignore=("id",))
    assert by_gain.evidence(0)[0].feature == "elevation"
    assert by_ratio.evidence(0)[0].feature == "slope"
    ratios = {c.feature: c.gain_ratio for c in by_ratio.evidence(0)}
    assert ratios["slope"] == pytest.approx((entropy(3, 2, 2) - 5 * entropy(3, 1, 1) / 7) / entropy(1, 1, 5), abs=1e-12)
    assert ratios["stream"] == pytest.approx(
        (entropy(3, 2, 2) - (4 * entropy(2, 1, 1) + 3 * entropy(2, 1)) / 7) / entropy(3, 4), abs=1e-12
    )


def test_cart_on_iris_takes_petal_length_of_two_equal_splits_and_then_petal_width() -> None:
    growth = grown("iris", "target", GrowthSettings.cart(max_depth=2))
    root = [c for c in growth.evidence(0) if c.tied]
    assert [(c.feature, c.split.threshold, c.chosen) for c in root] == [
        ("petal length (cm)", 2.45, True),
        ("petal width (cm)", 0.8, False),
    ]
    assert root[0].gain == pytest.approx(1 / 3, abs=1e-12)
    assert as_rules(growth.tree).splitlines() == [
        "IF petal length (cm) < 2.45 THEN target is setosa (50 rows, 50 right)",
        "IF petal length (cm) >= 2.45 AND petal width (cm) < 1.75 THEN target is versicolor (54 rows, 49 right)",
        "IF petal length (cm) >= 2.45 AND petal width (cm) >= 1.75 THEN target is virginica (46 rows, 45 right)",
    ]


def test_a_noisy_day_makes_the_play_tennis_tree_ask_for_more() -> None:
    growth = grown("play_tennis_noisy", "play", ignore=("day",))
    assert growth.tree.training_accuracy() == 1.0
    assert growth.tree.n_leaves > grown("play_tennis", "play", ignore=("day",)).tree.n_leaves


# Rules of growth, one by one


def test_id3_makes_a_split_of_zero_gain_that_separates_the_rows() -> None:
    growth = small({"a": "0 0 1 1", "b": "0 1 0 1", "y": "0 1 1 0"})
    assert gains(growth) == pytest.approx({"a": 0, "b": 0}, abs=1e-12)
    assert [candidate.tied for candidate in growth.candidates(0)] == [True, True]
    assert growth.tree.training_accuracy() == 1.0


def test_cart_makes_no_split_of_zero_gain() -> None:
    growth = small({"a": "0 0 1 1", "b": "0 1 0 1", "y": "0 1 1 0"}, GrowthSettings.cart())
    assert growth.tree.stop_reason(0) is StopReason.NO_USEFUL_SPLIT
    assert rejections(growth) == [Rejection.NO_GAIN, Rejection.NO_GAIN]
    assert not any(candidate.chosen or candidate.tied for candidate in growth.candidates(0))


def test_a_stump_is_a_leaf_where_no_rule_beats_the_baseline() -> None:
    columns = {"x": "1 2 3 4 5", "y": "a b a a a"}
    assert small(columns, GrowthSettings.stump(), numeric=("x",)).tree.n_nodes == 1
    assert small(columns, numeric=("x",)).tree.training_accuracy() == 1.0


def test_a_categorical_feature_is_asked_once_on_a_path_and_equal_rows_of_two_classes_end_it() -> None:
    growth = small({"a": "p p q", "y": "0 1 1"})
    assert growth.tree.stop_reason(1) is StopReason.NO_FEATURES
    assert growth.tree.stop_reason(2) is StopReason.PURE


def test_equal_numbers_of_two_classes_end_in_no_useful_split() -> None:
    growth = small({"x": "1 1 1", "y": "0 1 1"}, numeric=("x",))
    assert growth.tree.stop_reason(0) is StopReason.NO_USEFUL_SPLIT
    assert growth.candidates(0) == []
    assert [step.event.value for step in growth] == ["started", "scored", "leaf"]


def test_a_feature_with_one_level_separates_nothing() -> None:
    growth = small({"a": "p p p", "y": "0 1 1"})
    assert rejections(growth) == [Rejection.SINGLE_PARTITION]
    assert growth.tree.stop_reason(0) is StopReason.NO_USEFUL_SPLIT


def test_the_first_feature_in_column_order_wins_a_tie() -> None:
    growth = small({"b": "0 0 1 1", "a": "0 0 1 1", "y": "n n p p"})
    assert [(c.feature, c.chosen, c.tied) for c in growth.candidates(0)] == [("b", True, True), ("a", False, True)]


def test_the_lowest_threshold_wins_a_tie() -> None:
    growth = small({"x": "1 2 3", "y": "n p n"}, numeric=("x",))
    assert [(c.split.threshold, c.chosen, c.tied) for c in growth.candidates(0)] == [
        (1.5, True, True),
        (2.5, False, True),
    ]


def test_a_threshold_is_the_midpoint_of_neighbours_and_the_upper_one_where_that_rounds_down() -> None:
    above = 1.0000000000000002
    growth = small({"x": f"1 {above!r} 3", "y": "a b c"}, numeric=("x",))
    assert [candidate.split.threshold for candidate in growth.candidates(0)] == [above, midpoint(above, 3)]
    assert growth.tree.training_accuracy() == 1.0


def test_the_midpoint_of_the_largest_numbers_does_not_overflow() -> None:
    growth = small({"x": "1.6e308 1.7e308", "y": "a b"}, numeric=("x",))
    assert growth.candidates(0)[0].split.threshold == pytest.approx(1.65e308)


def test_levels_and_classes_that_are_numbers_are_sorted_as_numbers() -> None:
    growth = small({"a": "10 9 2", "y": "11 3 20"})
    assert [condition.value for condition in map(growth.tree.condition, [1, 2, 3]) if condition] == [
        ("2",),
        ("9",),
        ("10",),
    ]
    assert growth.table.target.classes == ("3", "11", "20")


def test_an_empty_branch_has_the_prediction_and_the_probabilities_of_its_parent() -> None:
    first = GrowthSettings.id3(choices=(Choice((), "a"),))
    growth = small({"a": "p p q q q r", "b": "u u u v v w", "y": "0 0 0 1 1 2"}, first)
    below = growth.tree.children(growth.tree.children(0)[1]).tolist()
    empty = next(node for node in below if growth.tree.stop_reason(node) is StopReason.NO_ROWS)
    assert growth.tree.label(empty) == "1"
    assert growth.tree.probabilities(empty) == pytest.approx({"0": 1 / 3, "1": 2 / 3, "2": 0})


def test_a_tie_of_classes_goes_to_the_one_more_frequent_in_the_parent_then_to_the_first() -> None:
    growth = small({"a": "p p q q q", "y": "0 1 1 1 2"}, GrowthSettings.id3(max_depth=1))
    assert growth.tree.label(1) == "1"
    assert small({"a": "p p", "y": "1 0"}).tree.label(0) == "0"


# When it stops


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        (GrowthSettings.id3(max_depth=0, min_samples_split=9), StopReason.MAX_DEPTH),
        (GrowthSettings.id3(min_samples_split=9, min_samples_leaf=4), StopReason.MIN_SAMPLES_SPLIT),
        (GrowthSettings.id3(min_samples_leaf=4, min_gain=5.0), StopReason.MIN_SAMPLES_LEAF),
        (GrowthSettings.id3(min_gain=0.5), StopReason.MIN_GAIN),
    ],
    ids=lambda value: value.value if isinstance(value, StopReason) else "",
)
def test_the_first_rule_in_order_stops_the_growth(settings: GrowthSettings, reason: StopReason) -> None:
    growth = small({"a": "p p p q q q r r", "y": "0 0 1 0 1 1 0 1"}, settings)
    assert growth.tree.stop_reason(0) is reason
    before_scoring = reason in (StopReason.MAX_DEPTH, StopReason.MIN_SAMPLES_SPLIT)
    assert (growth.candidates(0) == []) is before_scoring


def test_min_samples_leaf_bars_small_partitions_and_not_empty_ones() -> None:
    growth = small(
        {"a": "p p p q", "b": "u u v v", "c": "x x x x", "y": "0 1 0 1"}, GrowthSettings.id3(min_samples_leaf=2)
    )
    assert rejections(growth) == [Rejection.MIN_SAMPLES_LEAF, None, Rejection.SINGLE_PARTITION]
    assert growth.tree.split(0) is not None


def test_min_gain_compares_the_gain_and_not_the_ratio() -> None:
    columns = {"a": "p p p p q q r r", "y": "0 0 0 1 1 1 0 1"}
    gain = entropy(4, 4) - (4 * entropy(3, 1) + 2) / 8
    ratio = gain / entropy(4, 2, 2)
    assert ratio < gain
    between = (ratio + gain) / 2
    growth = small(columns, GrowthSettings.id3(criterion="gain_ratio", min_gain=between))
    assert growth.tree.split(0) is not None


# Other criteria


@pytest.mark.parametrize(
    ("criterion", "root", "parts"),
    [
        ("gini", 1 - (9 / 14) ** 2 - (5 / 14) ** 2, (2 * (6 / 8) * (2 / 8), 2 * (3 / 6) * (3 / 6))),
        ("misclassification", 5 / 14, (2 / 8, 3 / 6)),
        ("entropy", entropy(9, 5), (entropy(6, 2), entropy(3, 3))),
    ],
)
def test_each_criterion_gives_the_wind_its_gain(criterion: str, root: float, parts: tuple[float, float]) -> None:
    growth = grown("play_tennis", "play", GrowthSettings.id3(criterion=criterion), ignore=("day",))
    assert growth.rules.criterion is Criterion(criterion)
    wind: Candidate = next(c for c in growth.candidates(0) if c.feature == "wind")
    strong, weak = wind.partitions
    assert (weak.impurity, strong.impurity) == pytest.approx(parts, abs=1e-12)
    assert wind.remainder == pytest.approx(8 / 14 * parts[0] + 6 / 14 * parts[1], abs=1e-12)
    assert wind.gain == pytest.approx(root - wind.remainder, abs=1e-12)


def test_split_information_is_the_entropy_of_the_sizes() -> None:
    growth = grown("play_tennis", "play", ignore=("day",))
    outlook = growth.candidates(0)[0]
    assert outlook.split_information == pytest.approx(entropy(4, 5, 5), abs=1e-12)
    assert outlook.gain_ratio == pytest.approx(outlook.gain / entropy(4, 5, 5), abs=1e-12)


# Missing values


def test_most_common_fills_in_the_first_of_the_most_common_levels_and_the_median() -> None:
    growth = small({"a": "q p q p -", "x": "1 2 4 8 -", "y": "0 1 0 1 0"}, numeric=("x",))
    assert [growth.table.value(feature, 4) for feature in (0, 1)] == ["p", 3.0]


def test_drop_leaves_out_rows_and_keeps_levels() -> None:
    growth = small({"a": "p q r", "b": "u v -", "y": "0 1 1"}, GrowthSettings.id3(missing="drop"))
    assert growth.table.n_rows == 2
    assert growth.table.features[0].levels == ("p", "q", "r")
    assert [growth.tree.stop_reason(node) for node in (1, 2, 3)] == [
        StopReason.PURE,
        StopReason.PURE,
        StopReason.NO_ROWS,
    ]


def test_a_query_with_a_missing_value_follows_the_fill_or_stops_at_the_node() -> None:
    columns = {"a": "p p p q q", "y": "0 0 0 1 1"}
    query = pd.DataFrame({"a": ["", "q", "z"]})
    filled = small(columns).tree.predictions(query)
    assert [(p.prediction, p.path, len(p.notes)) for p in filled] == [
        ("0", (0, 1), 1),
        ("1", (0, 2), 0),
        ("0", (0,), 1),
    ]
    stopped = small(columns, GrowthSettings.id3(missing="drop")).tree.predictions(query)
    assert [(p.prediction, p.path, len(p.notes)) for p in stopped] == [("0", (0,), 1), ("1", (0, 2), 0), ("0", (0,), 1)]


def test_a_half_grown_tree_predicts_the_majority_of_its_open_nodes() -> None:
    growth = grown("play_tennis", "play", ignore=("day",))
    accuracy = [growth[step].tree.training_accuracy() * 14 for step in range(len(growth))]
    assert accuracy[0] == pytest.approx(9)
    assert accuracy[2] == pytest.approx(10)
    assert accuracy[-1] == pytest.approx(14)
    assert accuracy == sorted(accuracy)


def test_the_path_of_a_leaf_is_its_conditions_from_the_root() -> None:
    growth = grown("play_tennis", "play", ignore=("day",))
    assert growth.tree.path(6) == (
        Condition("outlook", Op.IN, ("sunny",)),
        Condition("humidity", Op.IN, ("high",)),
    )
