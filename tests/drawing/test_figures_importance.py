"""Bars of feature importance."""

from __future__ import annotations

import numpy as np
import pytest

from drawing.figures.importance import (
    MOST_BARS,
    importance_order,
    impurity_figure,
    impurity_text,
    permutation_figure,
    permutation_text,
)
from drawing.theme import Mode
from engine.importance import Permutation
from tests.drawing.pictures import assert_plotly_accepts

NAMES = ["a", "b"]
SHARES = np.array([0.75, 0.25])


def texts(figure) -> list[str]:
    return [note["text"] for note in figure.to_dict()["layout"]["annotations"]]


@pytest.mark.parametrize("mode", Mode)
def test_each_bar_has_its_number(mode: Mode) -> None:
    figure = impurity_figure(NAMES, SHARES, mode=mode)
    assert_plotly_accepts(figure)
    assert list(figure.data[0].x) == [0.75, 0.25]
    assert texts(figure) == ["0.750", "0.250"]


@pytest.mark.parametrize("mode", Mode)
def test_a_mean_has_its_deviation_as_a_whisker(mode: Mode) -> None:
    figure = permutation_figure(NAMES, np.array([0.2, -0.01]), np.array([0.05, 0.0]), mode=mode)
    assert_plotly_accepts(figure)
    assert list(figure.data[0].error_x["array"]) == [0.05, 0.0]
    assert texts(figure) == ["0.200 ± 0.050", "−0.010 ± 0.000"]
    low, high = figure.layout.xaxis.range
    assert low < -0.01
    assert high > 0.25


def test_the_most_important_comes_first_and_unused_ones_not_at_all() -> None:
    assert importance_order(np.array([0.1, 0.0, 0.8, 0.1]), [1]).tolist() == [2, 0, 3]
    assert len(importance_order(np.ones(50), [])) == MOST_BARS
    assert importance_order(np.zeros(2), [0, 1]).tolist() == []


def test_the_same_is_said_in_words() -> None:
    assert impurity_text(NAMES, SHARES) == "Shares of the impurity that the splits remove: a 0.750, b 0.250."
    found = Permutation(0.9, np.array([[0.1, 0.3], [0.0, 0.0]]))
    words = permutation_text(["b", "a"], found, np.array([1, 0]))
    assert words == "Lost when a feature's values are shuffled: b 0.000 ± 0.000, a 0.200 ± 0.100."
    assert impurity_text([], np.zeros(0)) == "No feature is tested yet."


def test_a_hostile_name_is_escaped() -> None:
    figure = impurity_figure(["<b>$x$</b>"], np.array([1.0]))
    assert "<b>" not in str(figure.layout.yaxis.ticktext)
