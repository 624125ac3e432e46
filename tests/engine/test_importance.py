"""Feature importance against scikit-learn, by hand, and over the steps of a growth."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.inspection import permutation_importance as sklearn_permutation
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import engine
from engine import GrowthSettings, SettingsError, Table, TableError, Tree
from engine.frames import frame_of
from engine.importance import impurity_importance, permutation_importance, permuted, unused_features
from tests.engine.tables import iris, make_table, play_tennis, settings_for, tables


def numeric_table(x: np.ndarray, y: np.ndarray) -> Table:
    return make_table({f"x{i}": column.tolist() for i, column in enumerate(x.T)}, [f"k{k}" for k in y])


def of_iris() -> tuple[np.ndarray, np.ndarray]:
    table = iris()
    return np.column_stack(table.columns), table.target_values.astype(np.int64)


def separate(x: np.ndarray) -> np.ndarray:
    """The same data with ties between features broken, so that every implementation finds one tree."""
    return np.asarray(np.round(x, 6), dtype=np.float32).astype(np.float64)


def scikit_learns(
    tree: Tree, x: np.ndarray, y: np.ndarray, weights: np.ndarray | None = None, **settings: object
) -> DecisionTreeClassifier:
    """The same tree by scikit-learn, which breaks ties between features by its seed."""
    for seed in range(100):
        found = DecisionTreeClassifier(random_state=seed, **settings).fit(x, y, sample_weight=weights)
        ours, theirs = np.where(tree.nodes.feature < 0, -2, tree.nodes.feature), found.tree_.feature
        if np.array_equal(np.sort(ours), np.sort(theirs)):
            return found
    raise AssertionError("no seed of scikit-learn's gives this tree")


def answers(tree: Tree, x: np.ndarray) -> list[int]:
    frame = pd.DataFrame({f"x{i}": column for i, column in enumerate(x.T)})
    return [int(name[1:]) for name in tree.predict(frame)]


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("data", ["iris", "wine", "breast_cancer"])
def test_the_impurity_decrease_is_scikit_learns(data: str, depth: int, criterion: str) -> None:
    x, y = (
        of_iris() if data == "iris" else {"wine": load_wine, "breast_cancer": load_breast_cancer}[data](return_X_y=True)
    )
    x = separate(x)
    tree = engine.grow(numeric_table(x, y), GrowthSettings.cart(max_depth=depth, criterion=criterion)).tree
    oracle = scikit_learns(tree, x, y, criterion=criterion, max_depth=depth)
    assert impurity_importance(tree) == pytest.approx(oracle.feature_importances_, abs=1e-12)
    unscaled = oracle.tree_.compute_feature_importances(normalize=False)
    assert impurity_importance(tree, normalize=False) == pytest.approx(unscaled, abs=1e-12)


def test_play_tennis_owes_as_much_to_wind_as_to_humidity() -> None:
    # Outlook removes 0.247 of all rows' entropy; humidity and wind 5/14 of 0.971 each.
    raw = impurity_importance(engine.grow(play_tennis()).tree, normalize=False)
    assert raw == pytest.approx([0.2467498, 0, 5 / 14 * 0.9709506, 5 / 14 * 0.9709506], abs=1e-6)
    assert raw.sum() == pytest.approx(0.9402860, abs=1e-6)


def test_the_features_that_are_not_tested_are_listed() -> None:
    tree = engine.grow(play_tennis()).tree
    assert unused_features(tree) == (1,)
    assert unused_features(tree.at(2)) == (1, 2, 3)
    assert unused_features(tree.at(0)) == (0, 1, 2, 3)


def test_before_the_first_split_no_feature_is_important() -> None:
    tree = engine.grow(play_tennis()).tree.at(1)
    assert impurity_importance(tree).tolist() == [0, 0, 0, 0]
    assert not permutation_importance(tree, play_tennis()).losses.any()


@given(st.data())
def test_unscaled_importances_add_up_to_what_the_tree_has_removed(data: st.DataObject) -> None:
    table = data.draw(tables(max_rows=25))
    growth = engine.grow(table, data.draw(settings_for(table)))
    tree = growth.tree.at(data.draw(st.integers(0, len(growth) - 1)))
    nodes, leaves = tree.nodes, tree.is_visible & ~tree.is_split
    left = (nodes.counts.sum(axis=1) * nodes.impurity)[leaves].sum() / table.n_rows
    raw = impurity_importance(tree, normalize=False)
    assert raw.sum() == pytest.approx(nodes.impurity[0] - left, abs=1e-9)
    assert impurity_importance(tree).sum() == pytest.approx(1.0) or raw.sum() <= 0


def test_permutation_is_scikit_learns_with_its_shuffles() -> None:
    x, y = load_wine(return_X_y=True)
    x = separate(x)
    tree = engine.grow(numeric_table(x[::2], y[::2]), GrowthSettings.cart(max_depth=2)).tree
    oracle = scikit_learns(tree, x[::2], y[::2], max_depth=2)
    assert oracle.predict(x[1::2]).tolist() == answers(tree, x[1::2])
    expected = sklearn_permutation(oracle, x[1::2], y[1::2], n_repeats=6, random_state=3)
    found = permuted(tree, numeric_table(x[1::2], y[1::2]), shuffles_of_scikit_learn(len(x[1::2]), 6, 3))
    assert found.losses == pytest.approx(expected.importances, abs=1e-12)
    assert found.mean == pytest.approx(expected.importances_mean, abs=1e-12)
    assert found.deviation == pytest.approx(expected.importances_std, abs=1e-12)


def shuffles_of_scikit_learn(n: int, repeats: int, seed: int) -> np.ndarray:
    """The row orders that scikit-learn draws: one seed for all columns, each shuffle of the last one's result."""
    drawn = np.random.RandomState(seed).randint(np.iinfo(np.int32).max + 1)
    rng, order, found = np.random.RandomState(drawn), np.arange(n), []
    for _ in range(repeats):
        rng.shuffle(order)
        found.append(order.copy() if not found else found[-1][order])
    return np.array(found)


def regression() -> tuple[np.ndarray, np.ndarray]:
    x, y = load_diabetes(return_X_y=True)
    return separate(x * 1000), y


def number_table(x: np.ndarray, y: np.ndarray) -> Table:
    frame = pd.DataFrame({f"x{i}": column for i, column in enumerate(x.T)} | {"y": y})
    return engine.read_table(frame, target="y", task="number", numeric=tuple(frame.columns[:-1]))


def test_for_a_number_both_are_scikit_learns() -> None:
    # On rows of the training: a new value can lie on a threshold, which goes to the other side there.
    x, y = regression()
    tree = engine.grow(number_table(x, y), GrowthSettings.cart(max_depth=3)).tree
    oracle = DecisionTreeRegressor(max_depth=3, random_state=0).fit(x, y)
    assert impurity_importance(tree) == pytest.approx(oracle.feature_importances_, abs=1e-12)
    expected = sklearn_permutation(oracle, x[::3], y[::3], n_repeats=4, random_state=1)
    found = permuted(tree, number_table(x[::3], y[::3]), shuffles_of_scikit_learn(len(x[::3]), 4, 1))
    assert found.score == pytest.approx(oracle.score(x[::3], y[::3]), abs=1e-12)
    assert found.losses == pytest.approx(expected.importances, abs=1e-10)


@pytest.mark.parametrize(("answer", "score"), [(3.0, 1.0), (4.0, 0.0)])
def test_a_target_without_variance_is_predicted_rightly_or_not_at_all(answer: float, score: float) -> None:
    x = np.array([[1.0], [2.0], [3.0]])
    tree = engine.grow(number_table(x, np.full(3, 3.0))).tree
    assert permutation_importance(tree, number_table(x, np.full(3, answer))).score == score


def test_weights_of_rows_are_scikit_learns_sample_weights() -> None:
    x, y = of_iris()
    weights = 1.0 + np.arange(150) % 3
    tree = engine.grow(numeric_table(x, y), GrowthSettings.cart(max_depth=2), row_weights=weights).tree
    oracle = scikit_learns(tree, x, y, weights, max_depth=2)
    assert impurity_importance(tree) == pytest.approx(oracle.feature_importances_, abs=1e-12)


@pytest.mark.parametrize("missing", ["fractional", "own_branch", "most_common"])
def test_missing_values_are_shuffled_like_others(missing: str) -> None:
    frame = pd.DataFrame({"a": ["x", None, "x", "y", "y", None], "n": [1, 2, None, 4, 5, 6], "t": list("nnnyyy")})
    table = engine.read_table(frame, target="t")
    tree = engine.grow(table, GrowthSettings.c45(missing=missing)).tree
    found = permutation_importance(tree, table)
    assert np.isfinite(found.losses).all()
    assert not found.losses[list(unused_features(tree))].any()


def test_a_shuffled_column_is_predicted_row_by_row() -> None:
    table = play_tennis()
    tree = engine.grow(table).tree
    orders = np.array([np.roll(np.arange(14), 1), np.arange(14)[::-1]])
    found = permuted(tree, table, orders)
    for feature in range(4):
        for repeat, order in enumerate(orders):
            frame = frame_of(table).astype(object)
            name = table.features[feature].name
            frame[name] = frame[name].to_numpy()[order]
            right = tree.predict(frame) == np.asarray(table.target.classes, dtype=object)[table.target_values]
            assert found.losses[feature, repeat] == pytest.approx(1.0 - right.mean())
    assert found.score == 1.0
    assert not found.losses[1].any()


def test_the_same_seed_gives_the_same_shuffles_and_another_one_others() -> None:
    tree = engine.grow(iris()).tree
    one = permutation_importance(tree, iris(), seed=1)
    assert (one.losses == permutation_importance(tree, iris(), seed=1).losses).all()
    assert (one.losses != permutation_importance(tree, iris(), seed=2).losses).any()
    assert one.losses.shape == (4, 10)


def test_many_rows_are_predicted_in_several_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = engine.grow(iris()).tree
    whole = permutation_importance(tree, iris(), n_repeats=7)
    monkeypatch.setattr("engine.importance._MOST_AT_ONCE", 300)
    assert (permutation_importance(tree, iris(), n_repeats=7).losses == whole.losses).all()


def test_permutation_without_rows_or_repeats_is_refused() -> None:
    tree = engine.grow(play_tennis()).tree
    with pytest.raises(TableError, match="set some aside"):
        permutation_importance(tree, play_tennis().take(np.array([], dtype=np.int64)))
    with pytest.raises(SettingsError, match="n_repeats must be at least 1, got 0"):
        permutation_importance(tree, play_tennis(), n_repeats=0)
