"""The curves of all criteria over one feature, scaled to their maxima."""

from __future__ import annotations

import numpy as np
import pytest

import datasets
from drawing.figures.comparison_curves import scaled_curves_figure, scaled_curves_text
from drawing.theme import Mode
from engine import Criterion, GrowthSettings, grow
from engine.comparison_criteria import scan_by
from tests.drawing.pictures import assert_plotly_accepts, traces
from tests.drawing.tables import iris, table

SIDES = (Criterion.ENTROPY, Criterion.GINI)


@pytest.mark.parametrize("mode", list(Mode))
def test_every_curve_reaches_one_at_its_best_threshold(mode: Mode) -> None:
    curves = scan_by(grow(iris(), GrowthSettings.id3()), 0, "petal width (cm)")
    figure = scaled_curves_figure(curves, "petal width (cm)", SIDES, mode=mode)
    assert_plotly_accepts(figure)
    lines = [trace for trace in figure.data if trace.mode == "lines"]
    assert [line.name for line in lines] == ["entropy (A)", "gain ratio", "Gini (B)", "misclassification"]
    for line, best, scores in zip(lines, traces(figure, "best"), curves.values(), strict=True):
        assert float(np.max(line.y)) == pytest.approx(1.0)
        assert float(best.x[0]) == scores.thresholds[int(scores.score.argmax())]


def test_a_curve_that_gains_nothing_stays_flat() -> None:
    growth = grow(table(x="0011", y="abab"), GrowthSettings.id3())
    figure = scaled_curves_figure(scan_by(growth, 0, "x"), "x", SIDES)
    assert all(np.abs(np.asarray(trace.y)).max() < 1e-9 for trace in figure.data)


def test_one_value_has_no_curve_and_words_say_so() -> None:
    growth = grow(datasets.load("iris"), GrowthSettings.id3(max_depth=1))
    pure = int(growth.tree.children(0)[0])
    curves = scan_by(growth, pure, "petal width (cm)")
    assert_plotly_accepts(scaled_curves_figure(curves, "petal width (cm)", SIDES))
    constant = scan_by(grow(table(x="111", z="001", y="aab")), 0, "x")
    assert "no threshold" in scaled_curves_text(constant, "x", SIDES)
    assert not scaled_curves_figure(constant, "x", SIDES).data


def test_the_text_says_where_each_criterion_is_greatest() -> None:
    curves = scan_by(grow(iris(), GrowthSettings.id3()), 0, "petal length (cm)")
    words = scaled_curves_text(curves, "petal length (cm)", SIDES)
    assert "entropy (A) is greatest at petal length (cm) < 2.45 with 0.918" in words
    assert "Gini (B) is greatest at petal length (cm) < 2.45 with 0.333" in words


def test_hostile_names_are_escaped() -> None:
    growth = grow(iris(), GrowthSettings.id3())
    figure = scaled_curves_figure(scan_by(growth, 0, "petal width (cm)"), "<b>$x$</b>", SIDES)
    assert "<b>" not in figure.to_json()
