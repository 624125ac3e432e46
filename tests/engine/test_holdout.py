from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import datasets
from engine import TableError, read_table
from engine.holdout import holdout_counts, split_holdout

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
