"""Features at each level, and agreement over bootstrap samples."""

from __future__ import annotations

import numpy as np
import pytest

import datasets
from engine import Choice, GrowthSettings, grow
from engine.comparison import Comparison
from engine.comparison_rows import RowChoice
from engine.comparison_summary import Agreement, Level, agreement, levels
from tests.engine.tables import play_tennis


def test_the_levels_of_play_tennis_are_outlook_then_humidity_and_wind() -> None:
    assert levels(grow(play_tennis()).tree) == (
        Level((("outlook", 1),), 0),
        Level((("humidity", 1), ("wind", 1)), 1),
        Level((), 4),
    )


def test_settings_agree_with_themselves_on_every_sample() -> None:
    table = play_tennis()
    totals = list(agreement(table, GrowthSettings.id3(), table, GrowthSettings.id3(), n_samples=5))
    assert [total.n_samples for total in totals] == [1, 2, 3, 4, 5]
    assert totals[-1].n_same_tree == totals[-1].n_same_first == 5
    assert totals[-1].n_equal == totals[-1].n_pairs


def test_agreement_is_what_growing_on_the_same_draws_gives() -> None:
    table = datasets.load("wine")
    first, second = GrowthSettings.id3(), GrowthSettings.id3(criterion="gini")
    rng, expected = np.random.default_rng(7), Agreement()
    for _ in range(12):
        drawn = table.take(rng.integers(table.n_rows, size=table.n_rows))
        expected = expected.and_of(Comparison(grow(drawn, first), grow(drawn, second)))
    assert list(agreement(table, first, table, second, n_samples=12, seed=7))[-1] == expected
    assert 0 < expected.n_same_first < 12


def test_both_sides_draw_the_same_of_the_rows_that_they_share() -> None:
    table = play_tennis()
    fewer = RowChoice(without=(0,)).take(table)
    first = list(agreement(table, GrowthSettings.id3(), fewer, GrowthSettings.id3(), n_samples=10))[-1]
    assert first.n_same_tree == 10


def test_splits_by_hand_are_left_out() -> None:
    table = play_tennis()
    own = GrowthSettings.id3(choices=(Choice((), "wind"),))
    assert list(agreement(table, own, table, GrowthSettings.id3(), n_samples=3))[-1].n_same_tree == 3


@pytest.mark.parametrize("n_samples", [0, 1])
def test_tables_without_a_shared_row_have_no_samples(n_samples: int) -> None:
    one, other = datasets.load("iris"), datasets.load("wine")
    assert list(agreement(one, GrowthSettings.id3(), other, GrowthSettings.id3(), n_samples=n_samples)) == []
