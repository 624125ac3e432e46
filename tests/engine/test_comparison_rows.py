"""What a side is grown from, and what two tables share."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import datasets
from engine import SettingsError, Table, TableError, read_table
from engine.comparison_rows import RowChoice, shared
from tests.engine.tables import make_table, play_tennis, tables


def test_all_rows_are_the_table_itself() -> None:
    table = play_tennis()
    assert RowChoice().take(table) is table


def test_a_row_that_is_left_out_is_gone_and_the_others_keep_their_numbers() -> None:
    assert RowChoice(without=(3, 13)).take(play_tennis()).row_numbers.tolist() == [0, 1, 2, *range(4, 13)]
    assert RowChoice(only=(5, 2), without=(5,)).take(play_tennis()).row_numbers.tolist() == [2]


@pytest.mark.parametrize(
    ("choice", "says"),
    [
        (RowChoice(without=(14,)), "there is no row 15"),
        (RowChoice(only=(-1,)), "there is no row 0"),
        (RowChoice(only=()), "no row is left"),
        (RowChoice(without=tuple(range(14))), "no row is left"),
    ],
)
def test_rows_that_cannot_be_are_named(choice: RowChoice, says: str) -> None:
    with pytest.raises(TableError, match=says):
        choice.take(play_tennis())


@pytest.mark.parametrize("noise", [-0.1, 1.1, float("nan")])
def test_noise_is_a_share(noise: float) -> None:
    with pytest.raises(SettingsError, match="from 0 to 1"):
        RowChoice(noise=noise)


def test_a_negative_seed_is_refused() -> None:
    with pytest.raises(SettingsError, match="at least 0, got -1"):
        RowChoice(noise_seed=-1)


@given(tables(max_rows=30), st.floats(0, 1), st.integers(0, 99))
def test_noise_changes_its_share_of_the_classes_and_nothing_else(table: Table, noise: float, seed: int) -> None:
    choice = RowChoice(noise=noise, noise_seed=seed)
    noisy = choice.take(table)
    wrong = round(noise * table.n_rows) if table.n_classes > 1 else 0
    assert np.count_nonzero(noisy.target_values != table.target_values) == wrong
    assert all(np.array_equal(a, b, equal_nan=True) for a, b in zip(noisy.columns, table.columns, strict=True))
    assert np.array_equal(choice.take(table).target_values, noisy.target_values)
    assert shared(table, noisy).n_other_target == wrong


def test_noise_in_a_number_takes_the_numbers_of_other_rows() -> None:
    table = datasets.load("bike_demand_count")
    noisy = RowChoice(noise=1, noise_seed=3).take(table)
    assert sorted(noisy.target_values) == sorted(table.target_values)
    assert not np.array_equal(noisy.target_values, table.target_values)


@given(tables(max_rows=20), st.data())
def test_a_table_and_its_part_share_the_part(table: Table, data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.integers(0, table.n_rows - 1), unique=True, min_size=1).map(sorted))
    part = table.take(np.array(rows))
    common = shared(table, part)
    assert common.first.tolist() == rows and common.second.tolist() == list(range(len(rows)))
    assert common.same_target and common.same_features and not common.n_other_target
    assert common.same == common.same_rows == (len(rows) == table.n_rows)


def test_the_noisy_play_tennis_has_one_row_more() -> None:
    common = shared(datasets.load("play_tennis"), datasets.load("play_tennis_noisy"))
    assert (len(common.first), common.n_first, common.n_second) == (14, 14, 15)


def test_another_target_of_the_same_file_has_the_same_rows() -> None:
    frame = datasets.frame("play_tennis")
    play = read_table(frame, target="play", ignore=("day",))
    wind = read_table(frame, target="wind", ignore=("day",))
    common = shared(play, wind)
    assert not common.same_target and not common.same_features
    assert common.same_rows and not common.same


def test_tables_without_a_common_feature_share_no_row() -> None:
    assert not len(shared(datasets.load("iris"), datasets.load("wine")).first)


def test_levels_are_compared_by_name_and_missing_values_are_equal() -> None:
    one = make_table({"x": ["a", "b", "c"], "z": [1.0, float("nan"), 2.0]}, ["n", "y", "n"])
    other = make_table({"x": ["b", "b", "c"], "z": [1.0, float("nan"), 2.0]}, ["n", "y", "y"])
    common = shared(one, other)
    assert common.first.tolist() == [1, 2]
    assert common.n_other_target == 1


def test_another_set_of_classes_is_another_target() -> None:
    one = make_table({"x": ["a", "b"]}, ["n", "y"])
    assert not shared(one, replace(one, target=replace(one.target, classes=("n", "z")))).same_target


def test_rows_are_left_out_at_random_and_a_greater_share_leaves_those_out_too() -> None:
    table = datasets.load("iris")
    few, more = (set(RowChoice(dropped=share).take(table).row_numbers.tolist()) for share in (0.05, 0.2))
    assert (len(few), len(more)) == (142, 120)
    assert more < few
    other = set(RowChoice(dropped=0.05, noise_seed=1).take(table).row_numbers.tolist())
    assert other != few


def test_rows_left_out_and_wrong_targets_are_drawn_apart() -> None:
    table = datasets.load("iris")
    both = RowChoice(dropped=0.1, noise=0.1).take(table)
    noisy = RowChoice(noise=0.1).take(table)
    kept = np.isin(noisy.row_numbers, both.row_numbers)
    assert both.target_values.tolist() == noisy.target_values[kept].tolist()


@pytest.mark.parametrize("share", [-0.1, 1.0, 2.0])
def test_a_share_of_rows_left_out_is_one(share: float) -> None:
    with pytest.raises(SettingsError, match="share from 0 to below 1"):
        RowChoice(dropped=share)
