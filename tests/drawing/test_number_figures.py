"""Staircase, surface and reduction curve of a number against the engine."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import datasets
import engine
from drawing.figures.features import feature_figure
from drawing.figures.gain_curve import gain_curve_figure, gain_curve_text
from drawing.figures.part_means import part_means
from drawing.figures.regions import regions_figure, regions_text
from drawing.figures.scatter import scatter_figure
from drawing.figures.staircase import staircase_figure, staircase_text
from drawing.figures.values import ground, grounds, steps
from drawing.numbers import Range, target_range
from drawing.theme import Mode, scale_step
from engine import GrowthSettings, grow
from engine.regions import decision_regions
from tests.drawing.pictures import assert_plotly_accepts, traces


@pytest.fixture(scope="module")
def demand():
    return grow(datasets.load("bike_demand_count"))


@pytest.fixture(scope="module")
def cars():
    return grow(datasets.load("mtcars"), GrowthSettings.cart(max_depth=4))


@pytest.fixture(scope="module")
def rentals():
    return grow(datasets.load("bike_rentals"))


def test_steps_of_the_scale_are_those_of_single_values() -> None:
    values = np.linspace(-3, 9, 101)
    within = Range(-3.0, 9.0)
    assert steps(values, within).tolist() == [scale_step(within.share(value)) for value in values.tolist()]


@pytest.mark.parametrize("step", [0, 2, 6, 27])
def test_a_staircase_answers_as_the_tree_does(demand, step) -> None:
    tree = demand.tree.at(step)
    (line,) = traces(staircase_figure(tree, "temp"), "answer")
    xs, ys = np.asarray(line.x).reshape(-1, 2), np.asarray(line.y).reshape(-1, 2)
    middles = xs.mean(axis=1)
    answers = tree.predict(pd.DataFrame({"temp": middles}))
    assert ys[:, 0] == pytest.approx(answers, rel=1e-4)
    assert xs[1:, 0] == pytest.approx(xs[:-1, 1])


def test_rows_stand_at_their_values_and_residuals_reach_their_step(demand) -> None:
    tree = demand.tree.at(2)
    figure = staircase_figure(tree, "temp", node=0)
    drawn = {
        (x, y) for trace in traces(figure, "rows") for x, y in zip(trace.x.tolist(), trace.y.tolist(), strict=True)
    }
    assert drawn == set(zip(tree.table.columns[0].tolist(), tree.table.target_values.tolist(), strict=True))
    (residuals,) = traces(figure, "residuals")
    value, mean, _ = np.asarray(residuals.y).reshape(-1, 3).T
    assert (value - mean).sum() == pytest.approx(0, abs=1e-3)


def test_the_current_nodes_part_of_the_axis_is_outlined(demand) -> None:
    figure = staircase_figure(demand.tree, "temp", node=1)
    (outline,) = figure.layout.shapes
    assert outline.x1 == 9.5
    lit = [row for trace in traces(figure, "rows") for row in trace.customdata[:, 0].tolist()]
    assert sorted(lit) == demand.tree.rows(1).tolist()


def test_a_click_on_a_step_finds_its_node(demand) -> None:
    (marks,) = traces(staircase_figure(demand.tree, "temp"), "regions")
    regions = decision_regions(demand.tree, "temp")
    assert set(np.asarray(marks.customdata)[:, 1].tolist()) == set(regions.node.tolist())


def test_levels_have_a_step_each(rentals) -> None:
    (line,) = traces(staircase_figure(rentals.tree.at(2), "season"), "answer")
    heights = np.asarray(line.y)[::3].tolist()
    assert heights == pytest.approx([842, 3913.3333, 5000, 2870], rel=1e-4)


def test_one_feature_is_told_step_by_step(demand, rentals) -> None:
    assert staircase_text(demand.tree.at(2), "temp", node=1) == (
        "The answer over temp has 2 steps. below 9.5: 755; from 9.5: 1,515.1. Outlined: the current node with 3 rows."
    )
    assert "work_day: where it does, the step is the mean answer" in regions_text(rentals.tree, "season")


def test_regions_over_one_feature_are_a_staircase(demand) -> None:
    assert traces(regions_figure(demand.tree, "temp"), "answer")


def test_a_surface_is_coloured_by_the_mean(rentals) -> None:
    tree = rentals.tree
    regions = decision_regions(tree, "season", "work_day")
    figure = regions_figure(tree, "season", "work_day")
    colours, index = grounds(regions.prediction, target_range(tree), Mode.LIGHT)
    drawn = {trace.fillcolor for trace in traces(figure, "region")}
    assert drawn == set(colours)
    summer = regions.prediction.argmax()
    assert colours[index[summer]] == ground(scale_step(target_range(tree).share(6000.0)), Mode.LIGHT)
    assert {note.text for note in figure.layout.annotations} >= {"6,000", "813", "900"}


def test_the_colour_bar_names_the_target_and_its_ends(cars) -> None:
    figure = regions_figure(cars.tree, "wt", "hp")
    words = [note.text for note in figure.layout.annotations]
    assert "mpg 10.4" in words
    assert "33.9" in words
    assert len(figure.layout.shapes) == 16


def test_a_surface_is_told_by_its_least_and_greatest_answer(cars) -> None:
    text = regions_text(cars.tree, "wt", "hp", node=0)
    low, high = cars.tree.nodes.prediction.min(), cars.tree.nodes.prediction.max()
    assert text.startswith("Decision regions over wt and hp: ")
    assert f"answers from {low:.6g}" in text or "answers from" in text
    assert high >= low


def test_the_reduction_curve_has_the_rows_by_value_and_both_means(demand) -> None:
    figure = gain_curve_figure(demand, 0, "temp")
    (means,) = traces(figure, "means")
    assert np.asarray(means.y)[[0, 3]] == pytest.approx([755, 1515.142857])
    assert figure.layout.yaxis.title.text == "reduction"
    assert "The best is temp < 9.5 with 119,730⅓." in gain_curve_text(demand, 0, "temp")


def test_the_means_follow_a_threshold_set_by_hand(demand) -> None:
    scores = demand.scan(0, 0)
    at = scores.thresholds.tolist().index(30.0)
    assert part_means(scores, at) == pytest.approx([1426, 731.5])
    (means,) = traces(gain_curve_figure(demand, 0, "temp", by_hand=30.0), "means")
    assert np.asarray(means.y)[[0, 3]] == pytest.approx([1426, 731.5])


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("name", [entry.name for entry in datasets.catalogue() if not entry.n_classes])
def test_every_picture_of_a_number_is_one_that_plotly_accepts(name: str, mode: Mode) -> None:
    growth = grow(datasets.load(name), GrowthSettings.cart(max_depth=3))
    names = [feature.name for feature in growth.table.features]
    for first, second in zip(names[:4], [*names[1:4], None], strict=False):
        for step in (0, len(growth) - 1):
            assert_plotly_accepts(regions_figure(growth.tree.at(step), first, second, node=0, selected=[1], mode=mode))
        assert_plotly_accepts(regions_figure(growth.tree, first, node=0, mode=mode))
        assert_plotly_accepts(feature_figure(growth.table, first, mode=mode))
        assert_plotly_accepts(scatter_figure(growth.table, first, second, mode=mode))
        if not growth.table.features[growth.table.feature_index(first)].levels:
            assert_plotly_accepts(gain_curve_figure(growth, 0, first, mode=mode))


def test_a_target_of_one_value_has_pictures() -> None:
    frame = pd.DataFrame({"x": [1, 2, 3], "y": [4.0, 4.0, 4.0]})
    growth = grow(engine.read_table(frame, target="y", task="number"))
    assert_plotly_accepts(regions_figure(growth.tree, "x", node=0))
    assert staircase_text(growth.tree, "x") == "The answer over x has 1 step. everywhere: 4."
