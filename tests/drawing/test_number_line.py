"""What the number line in the browser is given, against the engine's candidates."""

from __future__ import annotations

import json

import numpy as np
import pytest

import datasets
from drawing.number_line import MOST_PLACES, MOST_ROWS, number_line
from drawing.theme import Mode
from engine import GrowthSettings, grow, read_frame, read_table
from engine.criteria import Criterion, impurity


def remainder(line: dict, cut: int, criterion: Criterion) -> float:
    """The weighted impurity of both sides of a cut, from the sums alone."""
    sums = np.array(line["sums"])
    parts = [sums[:, : cut + 1].sum(axis=1), sums[:, cut + 1 :].sum(axis=1)]
    sizes = [part[0] if line["kind"] == "number" else part.sum() for part in parts]
    weighted = [size * float(impurity(criterion, part)) for size, part in zip(sizes, parts, strict=True)]
    return sum(weighted) / sum(sizes)


@pytest.mark.parametrize(
    ("name", "feature", "criterion"),
    [
        ("bike_demand_count", "temp", Criterion.VARIANCE),
        ("mtcars", "wt", Criterion.SQUARED_ERROR),
        ("iris", "petal length (cm)", Criterion.ENTROPY),
        ("iris", "sepal width (cm)", Criterion.GINI),
    ],
)
def test_every_cut_leaves_what_the_engine_says(name: str, feature: str, criterion: Criterion) -> None:
    growth = grow(datasets.load(name), GrowthSettings.id3(criterion=criterion))
    line = number_line(growth, 0, feature)
    scores = growth.scan(0, growth.table.feature_index(feature))
    assert line["thresholds"] == scores.thresholds.tolist()
    found = [remainder(line, cut, criterion) for cut in range(len(line["thresholds"]))]
    assert found == pytest.approx(scores.remainder.tolist())


def test_a_node_further_down_has_its_own_rows() -> None:
    growth = grow(datasets.load("bike_demand_count"))
    line = number_line(growth, 1, "temp")
    assert line["rows"]["x"] == [4.0, 5.0, 7.0]
    assert line["rows"]["y"] == [602.0, 750.0, 913.0]


def test_the_target_itself_can_be_cut() -> None:
    line = number_line(grow(datasets.load("bike_rentals")), 0, None)
    assert line["alone"]
    assert line["feature"] == line["target"] == "rentals"
    assert 1500.0 in line["thresholds"]


def test_rows_without_a_value_are_counted() -> None:
    growth = grow(datasets.load("airquality"), GrowthSettings.cart(missing="fractional"))
    line = number_line(growth, 0, "Solar.R")
    assert line["missing"] == 5
    assert sum(line["sums"][0]) == 111


def test_many_values_are_taken_together() -> None:
    rng = np.random.default_rng(0)
    lines = "\n".join(f"{x},{y}" for x, y in rng.normal(size=(3000, 2)))
    growth = grow(read_table(read_frame(f"x,y\n{lines}\n".encode()), target="y", task="number"), GrowthSettings.stump())
    line = number_line(growth, 0, "x")
    assert len(line["thresholds"]) == MOST_PLACES - 1
    assert len(line["rows"]["x"]) == MOST_ROWS
    assert sum(line["sums"][0]) == 3000
    assert line["thresholds"] == sorted(line["thresholds"])


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("name", ["bike_demand_count", "iris", "diabetes_progression"])
def test_it_is_json_and_the_same_for_the_same_growth(name: str, mode: Mode) -> None:
    growth = grow(datasets.load(name))
    feature = next(f.name for f in growth.table.features if not f.levels)
    line = number_line(growth, 0, feature, mode)
    json.dumps(line, allow_nan=False)
    assert number_line(growth, 0, feature, mode)["key"] == line["key"]
