from __future__ import annotations

import numpy as np
import pytest

import datasets
from datasets.generators import GENERATORS
from engine import GrowthSettings, TableError, grow

RULED = ("xor", "diagonal", "checkerboard", "noisy_steps")


def points(
    name: str, n_rows: int = 400, noise: float = 0.0, seed: int = 0
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    table = datasets.load(name, n_rows=n_rows, noise=noise, seed=seed)
    return table.columns[0], table.columns[1], np.array([table.target_value(row) for row in range(n_rows)])


@pytest.mark.parametrize("name", GENERATORS)
def test_the_same_numbers_give_the_same_table_and_another_seed_another(name: str) -> None:
    assert datasets.frame(name, seed=3).equals(datasets.frame(name, seed=3))
    assert not datasets.frame(name, seed=3).equals(datasets.frame(name, seed=4))


@pytest.mark.parametrize("name", GENERATORS)
def test_nothing_asked_for_is_the_default_asked_for(name: str) -> None:
    made = datasets.generator(name)
    asked = datasets.frame(name, n_rows=made.n_rows, noise=made.noise, seed=made.seed)
    assert asked.equals(datasets.frame(name))


@pytest.mark.parametrize("name", GENERATORS)
@pytest.mark.parametrize("n_rows", [10, 5000])
@pytest.mark.parametrize("noise", [0.0, 1.0])
def test_the_ends_of_every_range_give_a_table_with_all_classes(name: str, n_rows: int, noise: float) -> None:
    table = datasets.load(name, n_rows=n_rows, noise=noise)
    assert table.n_rows == n_rows
    assert {feature.kind.value for feature in table.features} == {"numeric"}
    assert set(table.target.classes) <= set(datasets.generator(name).classes)
    assert n_rows == 10 or set(table.target.classes) == set(datasets.generator(name).classes)


def test_numbers_have_three_decimals_and_no_negative_zero() -> None:
    cells = datasets.frame("circles", n_rows=5000)["x1"]
    assert cells.str.fullmatch(r"-?\d+\.\d{3}").all()
    assert "-0.000" not in set(cells)


@pytest.mark.parametrize("name", RULED)
def test_without_noise_a_tree_learns_a_rule_without_a_mistake(name: str) -> None:
    assert grow(datasets.load(name, noise=0), GrowthSettings.id3()).tree.training_accuracy() == 1


def test_without_noise_the_classes_follow_their_rules() -> None:
    x1, x2, y = points("xor")
    assert ((y == "same") == ((x1 < 0) == (x2 < 0))).all()
    x1, x2, y = points("diagonal")
    assert ((y == "above") == (x2 >= x1)).all()
    x1, x2, y = points("checkerboard")
    assert ((y == "black") == ((np.floor(x1) + np.floor(x2)) % 2 == 0)).all()
    x1, x2, y = points("noisy_steps")
    assert (
        (y[x1 < 2] == "step 1").all() and (y[(x1 >= 2) & (x1 < 5)] == "step 2").all() and (y[x1 >= 7] == "step 4").all()
    )
    x1, x2, y = points("circles")
    assert np.allclose(np.hypot(x1, x2), np.where(y == "inner", 0.5, 1), atol=0.002)


def test_noise_is_the_share_of_rows_whose_class_is_drawn_anew() -> None:
    x1, x2, y = points("diagonal", n_rows=5000, noise=0.4)
    wrong = np.mean((y == "above") != (x2 >= x1))
    assert 0.17 < wrong < 0.23  # half of those drawn anew get the right class


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"n_rows": 9}, "whole number from 10 to 5,000, got 9"),
        ({"n_rows": 5001}, "got 5001"),
        ({"n_rows": 20.5}, r"got 20\.5"),
        ({"noise": -0.1}, "from 0 to 1, got"),
        ({"noise": 1.5}, "from 0 to 1, got"),
        ({"noise": float("nan")}, "from 0 to 1, got"),
        ({"seed": -1}, "seed must be"),
    ],
)
def test_a_number_out_of_range_is_named_with_what_is_allowed(asked: dict[str, float], says: str) -> None:
    with pytest.raises(TableError, match=says):
        datasets.frame("moons", **asked)  # type: ignore[arg-type]


def test_an_unknown_generator_is_answered_with_those_that_exist() -> None:
    with pytest.raises(TableError, match="blobs, moons"):
        datasets.generator("iris")
