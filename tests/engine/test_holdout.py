from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import datasets
from engine import TableError, read_table
from engine.holdout import holdout_counts, split_holdout, split_three

IRIS = datasets.load("iris")


def test_every_row_is_in_exactly_one_part_and_keeps_its_number() -> None:
    training, holdout = split_holdout(IRIS, 0.3, seed=1)
    numbers = [*training.row_numbers, *holdout.row_numbers]
    assert sorted(numbers) == list(range(150))
    assert (np.diff(training.row_numbers) > 0).all()
    assert training.target_value(0) == IRIS.target_value(int(training.row_numbers[0]))


def test_classes_keep_their_shares() -> None:
    _, holdout = split_holdout(IRIS, 0.3)
    assert np.bincount(holdout.target_values).tolist() == [15, 15, 15]


def test_the_largest_remainders_get_the_rows_that_rounding_leaves() -> None:
    # Shares of 10 rows in 4: 2.0, 1.2, 0.8: 4 rows in all, the last one goes to the remainder of 0.8.
    assert holdout_counts(np.array([5, 3, 2]), 0.4).tolist() == [2, 1, 1]


def test_a_class_of_one_row_stays_in_the_training_rows() -> None:
    table = read_table(b"a,y\n1,common\n2,common\n3,common\n4,rare\n", target="y")
    training, holdout = split_holdout(table, 0.9)
    assert set(training.target_values) == {0, 1}
    assert holdout.n_rows == 2


def test_the_same_seed_gives_the_same_rows_and_another_seed_others() -> None:
    first, again, other = (split_holdout(IRIS, 0.3, seed)[1].row_numbers.tolist() for seed in (4, 4, 5))
    assert first == again != other


def test_a_share_of_zero_holds_out_nothing() -> None:
    training, holdout = split_holdout(IRIS, 0)
    assert training.fingerprint == IRIS.fingerprint
    assert holdout.n_rows == 0
    assert holdout.features == tuple(IRIS.features)


def test_rows_with_a_number_to_predict_are_drawn_from_all_rows() -> None:
    training, holdout = split_holdout(datasets.load("mtcars"), 0.25)
    assert (training.n_rows, holdout.n_rows) == (24, 8)


@pytest.mark.parametrize("share", [-0.1, 0.91, 1, float("nan"), True])
def test_a_share_out_of_range_is_named_with_what_is_allowed(share: float) -> None:
    with pytest.raises(TableError, match=r"from 0 to 0\.9, got"):
        split_holdout(IRIS, share)


@pytest.mark.parametrize("seed", [-1, 0.5])
def test_a_seed_that_is_no_whole_number_is_refused(seed: float) -> None:
    with pytest.raises(TableError, match="seed must be a whole number"):
        split_holdout(IRIS, 0.3, seed)  # type: ignore[arg-type]


@given(st.lists(st.integers(1, 60), min_size=1, max_size=8), st.floats(0, 0.9))
def test_counts_are_near_their_shares_and_add_up(sizes: list[int], share: float) -> None:
    counts = holdout_counts(np.array(sizes), share)
    assert (counts >= 0).all() and (counts <= np.array(sizes) - 1).all()
    assert (counts <= share * np.array(sizes) + 1).all()
    capped = (counts == np.array(sizes) - 1).any()
    assert capped or counts.sum() == int(share * sum(sizes) + 0.5)


# Three parts


def test_three_parts_share_the_rows_and_the_classes_keep_their_shares() -> None:
    parts = split_three(IRIS, 0.2, 0.3, seed=2)
    tables = (parts.training, parts.validation, parts.test)
    assert [table.n_rows for table in tables] == [75, 30, 45]
    assert [np.bincount(table.target_values).tolist() for table in tables] == [[25] * 3, [10] * 3, [15] * 3]
    assert sorted(number for table in tables for number in table.row_numbers) == list(range(150))


def test_without_test_rows_the_parts_are_those_of_a_holdout() -> None:
    parts = split_three(IRIS, 0.3, 0.0, seed=4)
    training, holdout = split_holdout(IRIS, 0.3, seed=4)
    assert parts.training.fingerprint == training.fingerprint
    assert parts.validation.fingerprint == holdout.fingerprint
    assert parts.test.n_rows == 0


def test_the_validation_share_does_not_change_how_many_test_rows_there_are() -> None:
    for validation in (0.0, 0.1, 0.5):
        assert split_three(IRIS, validation, 0.25).test.n_rows == 38


def test_shares_that_leave_too_little_to_grow_from_are_refused() -> None:
    with pytest.raises(TableError, match=r"together must be at most 0\.9 of all, got 0\.5 \+ 0\.5"):
        split_three(IRIS, 0.5, 0.5)
    with pytest.raises(TableError, match=r"the test rows' share must be from 0 to 0\.9, got -0\.1"):
        split_three(IRIS, 0.5, -0.1)
    assert split_three(IRIS, 0.6, 0.3).training.n_rows == 15


@given(st.lists(st.integers(0, 3), min_size=1, max_size=60), st.floats(0, 0.45), st.floats(0, 0.45), st.integers(0, 5))
def test_every_class_keeps_a_row_to_grow_from(target: list[int], validation: float, test: float, seed: int) -> None:
    lines = "".join(f"{i},k{k}\n" for i, k in enumerate(target))
    table = read_table(f"a,y\n{lines}".encode(), target="y")
    parts = split_three(table, validation, test, seed)
    assert set(parts.training.target_values) == set(table.target_values)
    sizes = [part.n_rows for part in (parts.training, parts.validation, parts.test)]
    assert sum(sizes) == table.n_rows
    assert sizes[2] <= test * table.n_rows + 1 and sizes[1] <= validation * table.n_rows + 2
