from __future__ import annotations

import pytest

import datasets
from engine import TableError


def test_small_tables_have_two_categorical_features_and_a_numeric_one() -> None:
    table = datasets.load("small_random", n_rows=40)
    assert [(f.name, f.kind.value) for f in table.features] == [
        ("colour", "categorical"),
        ("size", "categorical"),
        ("weight", "numeric"),
    ]
    assert table.features[0].levels == ("blue", "green", "red")
    assert set(table.target.classes) == {"no", "yes"}
    assert table.columns[2].min() >= 1 and table.columns[2].max() <= 9


def test_without_noise_red_and_heavy_rows_are_yes() -> None:
    frame = datasets.frame("small_random", n_rows=100, noise=0)
    assert ((frame["class"] == "yes") == ((frame["colour"] == "red") | (frame["weight"].astype(int) >= 6))).all()


@pytest.mark.parametrize("n_rows", [3, 100])
def test_the_ends_of_the_range_give_a_table(n_rows: int) -> None:
    assert datasets.load("small_random", n_rows=n_rows).n_rows == n_rows
    assert datasets.frame("small_random", n_rows=n_rows, seed=5).equals(
        datasets.frame("small_random", n_rows=n_rows, seed=5)
    )


def test_fewer_than_three_rows_are_refused() -> None:
    with pytest.raises(TableError, match="from 3 to 100, got 2"):
        datasets.frame("small_random", n_rows=2)
