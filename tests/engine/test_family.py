"""C4.5, CART, trees for numbers, missing values, costs and weights against hand-worked numbers and oracles."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import engine
from engine import Criterion, GrowthSettings, Rejection, SplitKind, StopReason
from engine.criteria import impurity
from engine.rules import as_python
from tests.engine.tables import FILES, make_table, play_tennis, row_weights, settings_for, tables


def tennis_with_an_unknown_outlook() -> tuple[engine.Table, pd.DataFrame]:
    frame = pd.read_csv(FILES / "play_tennis.csv")
    frame.loc[frame.outlook.eq("overcast").idxmax(), "outlook"] = None
    return engine.read_table(frame, target="play", ignore=("day",)), frame


# C4.5


def test_c45_scales_the_gain_by_the_known_share_and_counts_the_unknown_as_a_subset() -> None:
    growth = engine.grow(tennis_with_an_unknown_outlook()[0], GrowthSettings.c45())
    outlook = next(c for c in growth.candidates(0) if c.feature == "outlook")
    assert outlook.unknown == 1
    assert outlook.gain == pytest.approx(0.199041, abs=5e-7)
    assert outlook.split_information == pytest.approx(1.809200, abs=5e-7)
    assert outlook.gain_ratio == pytest.approx(0.110016, abs=5e-7)


def test_c45_leaves_out_features_of_less_than_average_gain() -> None:
    growth = engine.grow(play_tennis(), GrowthSettings.c45())
    rejected = {c.feature: c.rejected for c in growth.candidates(0)}
    below = Rejection.BELOW_AVERAGE_GAIN
    assert rejected == {"outlook": None, "temperature": below, "humidity": None, "wind": below}
    assert growth.evidence(0)[0].feature == "outlook"


def test_c45_and_gain_ratio_choose_different_roots_for_vegetation() -> None:
    table = engine.read_table(FILES / "vegetation.csv", target="vegetation", ignore=("id",))
    roots = [
        engine.grow(table, chosen).evidence(0)[0].feature
        for chosen in (GrowthSettings.id3(criterion=Criterion.GAIN_RATIO), GrowthSettings.c45())
    ]
    assert roots[0] == "slope"
    assert engine.grow(table, GrowthSettings.c45()).tree.split(0).feature == table.feature_index("elevation")  # type: ignore[union-attr]


def test_c45_stops_where_nothing_gains() -> None:
    table = make_table({"a": ["x", "x", "y", "y"], "b": ["u", "v", "u", "v"]}, ["k", "l", "l", "k"])
    growth = engine.grow(table, GrowthSettings.c45())
    assert growth.tree.stop_reason(0) is StopReason.NO_USEFUL_SPLIT
    assert {c.rejected for c in growth.candidates(0)} == {Rejection.NO_GAIN}


def test_a_row_without_a_value_goes_down_every_branch_by_its_share() -> None:
    growth = engine.grow(tennis_with_an_unknown_outlook()[0], GrowthSettings.id3(missing="fractional"))
    tree = growth.tree
    assert growth.table.features[tree.split(0).feature].name == "outlook"  # type: ignore[union-attr]
    sizes = tree.nodes.size[tree.children(0)]
    assert sizes.tolist() == pytest.approx([3 + 3 / 13, 5 + 5 / 13, 5 + 5 / 13])
    unknown = int(np.flatnonzero(growth.table.missing(0))[0])
    parts = [tree.fractions(child)[tree.rows(child) == unknown].item() for child in tree.children(0)]  # type: ignore[index]
    assert parts == pytest.approx([3 / 13, 5 / 13, 5 / 13])


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_parts_of_rows_add_up(data: st.DataObject) -> None:
    table = data.draw(tables(missing=True, numbers=True))
    chosen = data.draw(settings_for(table))
    growth = engine.grow(table, chosen, row_weights=data.draw(st.none() | row_weights(table.n_rows)))
    tree, nodes = growth.tree, growth.tree.nodes
    for node in range(len(nodes)):
        children = tree.children(node)
        if len(children):
            assert nodes.size[children].sum() == pytest.approx(nodes.size[node])
        weights = tree.row_weights(node)
        total = len(tree.rows(node)) if weights is None else weights.sum()
        assert total == pytest.approx(nodes.size[node])
    for node in np.flatnonzero(nodes.scored).tolist():
        chosen_ones = [c for c in growth.candidates(node) if c.chosen]
        assert len(chosen_ones) == (nodes.feature[node] >= 0)
        for candidate in chosen_ones:
            known = sum(part.n_rows for part in candidate.partitions)
            assert known + candidate.unknown == pytest.approx(nodes.size[node])


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_the_printed_python_agrees_with_the_tree_whatever_is_done_about_missing_values(data: st.DataObject) -> None:
    table = data.draw(tables(missing=True, numbers=True, max_rows=25))
    tree = engine.grow(table, data.draw(settings_for(table))).tree
    frame = pd.DataFrame(
        {f.name: [table.value(i, row) for row in range(table.n_rows)] for i, f in enumerate(table.features)},
        dtype=object,
    )
    program: dict[str, Any] = {}
    exec(as_python(tree), program)
    said = [program["predict"](row) for row in frame.to_dict("records")]
    if tree.is_number:
        assert said == pytest.approx(tree.predict(frame).tolist())
    else:
        assert said == tree.predict(frame).tolist()


# CART


def test_every_grouping_of_three_levels_is_a_candidate_in_the_order_of_its_first_group() -> None:
    growth = engine.grow(play_tennis(), GrowthSettings.cart())
    groups = [c.partitions[0].condition.value for c in growth.candidates(0) if c.feature == "outlook"]
    assert groups == [("overcast",), ("overcast", "rain"), ("overcast", "sunny")]
    best = growth.evidence(0)[0]
    assert best.gain == pytest.approx(0.102041, abs=5e-7)
    assert best.partitions[1].condition.value == ("rain", "sunny")


@pytest.mark.parametrize("number", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_cuts_of_breimans_order_hold_the_best_of_all_groupings(seed: int, number: bool) -> None:
    rng = np.random.default_rng(seed)
    levels = [f"l{k:02d}" for k in rng.integers(0, 10, 120)]
    target: Any = rng.normal(size=120).tolist() if number else [f"k{k}" for k in rng.integers(0, 2, 120)]
    table = make_table({"c": levels}, target)
    growth = engine.grow(table, GrowthSettings.cart(max_depth=1))
    found = growth.evidence(0)[0]
    assert found.split.kind is SplitKind.SUBSET
    codes, criterion = table.columns[0].astype(int), growth.rules.criterion
    best = 0.0
    for size in range(1, 6):
        for group in combinations(range(10), size):
            inside = np.isin(codes, group)
            parts = [_impurity(criterion, table.target_values[side]) * side.mean() for side in (inside, ~inside)]
            best = max(best, _impurity(criterion, table.target_values) - sum(parts))
    assert found.gain == pytest.approx(best)


def _impurity(criterion: Criterion, values: Any) -> float:
    if criterion is Criterion.SQUARED_ERROR:
        return float(np.var(values)) if len(values) else 0.0
    return float(impurity(criterion, np.bincount(values, minlength=2)))


def test_a_level_that_is_absent_at_the_node_is_in_the_second_group() -> None:
    table = make_table({"a": ["x", "x", "y", "z"], "b": [0.0, 0.0, 1.0, 1.0]}, ["k", "k", "l", "m"])
    growth = engine.grow(table, GrowthSettings.cart())
    node = next(n for n in range(growth.tree.n_nodes) if n and growth.tree.split(n))
    assert all("x" in c.partitions[1].condition.value for c in growth.candidates(node) if c.feature == "a")  # type: ignore[operator]


# Numbers


def test_bike_rentals_has_the_printed_variances() -> None:
    table = engine.read_table(FILES / "bike_rentals.csv", target="rentals", ignore=("id",), task="number")
    growth = engine.grow(table, GrowthSettings.id3())
    remainders = {c.feature: c.remainder for c in growth.candidates(0)}
    assert remainders["season"] == pytest.approx(1379331 + 1 / 3)
    assert remainders["work_day"] == pytest.approx(2551813 + 1 / 3)
    assert growth.tree.nodes.mean is not None


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    "limits", [{"max_depth": 4}, {"min_samples_leaf": 7}, {"max_depth": 6, "min_samples_split": 20}]
)
def test_squared_error_grows_scikit_learns_tree(limits: dict[str, int], weighted: bool, seed: int) -> None:
    frame, target = load_diabetes(return_X_y=True, as_frame=True)
    rng = np.random.default_rng(seed)
    target = target + rng.normal(size=len(target)) * 1e-3  # no ties
    weights = rng.random(len(target)) + 0.1 if weighted else None
    table = engine.read_table(frame.assign(y=target), target="y")
    tree = engine.grow(table, GrowthSettings.cart(**limits), row_weights=weights).tree
    oracle = DecisionTreeRegressor(**limits, random_state=0).fit(frame, target, sample_weight=weights)
    assert tree.n_leaves == oracle.get_n_leaves()
    np.testing.assert_allclose(tree.predict(frame), oracle.predict(frame), rtol=1e-9)


def test_large_offsets_lose_no_digits() -> None:
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=600), rng.normal(size=600)
    near, far = (
        engine.grow(make_table({"x": x.tolist()}, (y + shift).tolist()), GrowthSettings.cart(max_depth=5)).tree
        for shift in (0.0, 2.0**30)
    )
    assert near.nodes.threshold.tolist() == pytest.approx(far.nodes.threshold.tolist(), nan_ok=True)


def test_a_tree_for_numbers_predicts_means_and_has_no_probabilities() -> None:
    table = make_table({"x": [1.0, 2.0, 3.0, 4.0]}, [1.0, 2.0, 10.0, 12.0])
    tree = engine.grow(table, GrowthSettings.cart(max_depth=1)).tree
    assert tree.predict(pd.DataFrame({"x": [0, 9]})).tolist() == [1.5, 11.0]
    assert tree.predictions(pd.DataFrame({"x": [0]}))[0].probabilities == {}
    assert tree.nodes.variance is not None
    assert tree.nodes.variance[1:].tolist() == [0.5, 2.0]


# Weights


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("load", [load_breast_cancer, load_wine])
def test_row_weights_grow_scikit_learns_tree(load: Any, criterion: str) -> None:
    frame, target = load(return_X_y=True, as_frame=True)
    weights = np.random.default_rng(1).random(len(target)) + 0.05
    table = engine.read_table(frame.assign(y=target.map(str)), target="y")
    tree = engine.grow(table, GrowthSettings.cart(criterion=criterion, max_depth=3), row_weights=weights).tree
    oracle = DecisionTreeClassifier(criterion=criterion, max_depth=3, random_state=0)
    oracle.fit(frame, target, sample_weight=weights)
    # Where rounding leaves a pure node a trifle of impurity, scikit-learn splits it once more.
    assert tree.n_leaves <= oracle.get_n_leaves()
    assert tree.predict(frame).tolist() == [str(k) for k in oracle.predict(frame)]
    np.testing.assert_allclose(tree.predict_proba(frame), oracle.predict_proba(frame), atol=1e-9)


def test_balanced_classes_weigh_the_same() -> None:
    tree = engine.grow(play_tennis(), GrowthSettings.id3(class_weights="balanced")).tree
    assert tree.nodes.counts[0].tolist() == pytest.approx([7.0, 7.0])
    assert tree.nodes.impurity[0] == pytest.approx(1.0)


def test_whole_weights_are_repeated_rows() -> None:
    table = play_tennis()
    times = np.random.default_rng(2).integers(1, 4, table.n_rows)
    weighted = engine.grow(table, row_weights=times).tree
    repeated = engine.grow(table.take(np.repeat(np.arange(table.n_rows), times))).tree
    np.testing.assert_allclose(weighted.nodes.counts, repeated.nodes.counts)
    assert weighted.nodes.feature.tolist() == repeated.nodes.feature.tolist()


def test_a_row_of_weight_0_is_left_out() -> None:
    table = play_tennis()
    weights = np.ones(14)
    weights[[0, 5]] = 0
    kept = np.flatnonzero(weights)
    assert engine.grow(table, row_weights=weights).tree.nodes.counts.tolist() == (
        engine.grow(table.take(kept)).tree.nodes.counts.tolist()
    )


@pytest.mark.parametrize("weights", [np.ones(13), -np.ones(14), np.zeros(14), np.full(14, np.nan), ["a"] * 14])
def test_bad_row_weights_get_a_sentence(weights: Any) -> None:
    with pytest.raises(engine.SettingsError, match="row_weights must"):
        engine.grow(play_tennis(), row_weights=weights)


# Costs, significance, the holdout, draws


def test_costs_divide_the_score_and_leave_the_gain() -> None:
    plain = {c.feature: c for c in engine.grow(play_tennis()).candidates(0)}
    costly = {c.feature: c for c in engine.grow(play_tennis(), GrowthSettings.id3(costs={"outlook": 4})).candidates(0)}
    assert costly["outlook"].gain == plain["outlook"].gain
    assert costly["outlook"].score == pytest.approx(plain["outlook"].gain / 4)
    assert costly["humidity"].chosen
    squared = engine.grow(
        play_tennis(), GrowthSettings.id3(costs={"outlook": 4}, cost_rule="squared_gain_over_cost")
    ).evidence(0)
    assert {c.feature: c.score for c in squared}["outlook"] == pytest.approx(plain["outlook"].gain ** 2 / 4)


@pytest.mark.parametrize(
    ("feature", "statistic", "degrees"),
    [("outlook", 3.5467, 2), ("temperature", 0.5704, 2), ("humidity", 2.8, 1), ("wind", 0.9333, 1)],
)
def test_the_chi_square_of_each_feature_of_play_tennis(feature: str, statistic: float, degrees: int) -> None:
    growth = engine.grow(play_tennis())
    test = growth.significance(0, next(c for c in growth.candidates(0) if c.feature == feature))
    assert (round(test.statistic, 4), test.degrees_of_freedom) == (statistic, degrees)


def test_a_split_that_could_be_chance_is_not_made() -> None:
    growth = engine.grow(play_tennis(), GrowthSettings.id3(significance=0.05))
    assert (growth.tree.n_nodes, growth.tree.stop_reason(0)) == (1, StopReason.NOT_SIGNIFICANT)
    assert [step.event for step in growth] == ["started", "scored", "leaf"]
    assert growth.evidence(0)[0].feature == "outlook"
    assert not any(c.chosen for c in growth.candidates(0))
    assert engine.grow(play_tennis(), GrowthSettings.id3(significance=0.5)).tree.n_nodes > 1


@pytest.mark.parametrize("target", ["classes", "number"])
def test_a_split_that_is_worse_on_the_holdout_is_not_made(target: str) -> None:
    rng = np.random.default_rng(3)
    x = rng.normal(size=(900, 3))
    noisy: Any = (x[:, 0] + rng.normal(size=900)).tolist()
    if target == "classes":
        noisy = [f"k{int(value > 0)}" for value in noisy]
    table = make_table({f"x{i}": x[:, i].tolist() for i in range(3)}, noisy)
    training, holdout = engine.split_holdout(table, 0.4)
    plain = engine.grow(training, GrowthSettings.cart()).tree
    growth = engine.grow(training, GrowthSettings.cart(holdout_stop=True), holdout=holdout)
    assert growth.tree.n_leaves < plain.n_leaves
    assert growth.tree.accuracy(holdout) > plain.accuracy(holdout)
    stops = {growth.tree.stop_reason(n) for n in range(growth.tree.n_nodes)}
    assert StopReason.WORSE_ON_HOLDOUT in stops
    assert len(growth.tree.rows(0)) == training.n_rows
    for node in range(growth.tree.n_nodes):
        children = growth.tree.children(node)
        if len(children):
            assert growth.tree.nodes.size[children].sum() == pytest.approx(growth.tree.nodes.size[node])


def test_a_holdout_stop_without_a_holdout_gets_a_sentence() -> None:
    with pytest.raises(engine.SettingsError, match="holdout_stop needs rows set aside"):
        engine.grow(play_tennis(), GrowthSettings.id3(holdout_stop=True))


def test_a_draw_depends_on_the_seed_and_lists_only_what_is_drawn() -> None:
    table = play_tennis()
    drawn = [
        tuple(s.feature for s in engine.grow(table, GrowthSettings.cart(max_features=2, seed=seed)).scores(0))
        for seed in range(20)
    ]
    assert {len(features) for features in drawn} == {2}
    assert len(set(drawn)) > 3
    again = engine.grow(table, GrowthSettings.cart(max_features=2, seed=7))
    assert tuple(s.feature for s in again.scores(0)) == drawn[7]


# Missing values


def test_own_branch_adds_a_level_or_a_third_branch() -> None:
    nan = float("nan")
    table = make_table({"x": [1.0, 2.0, nan, nan], "c": ["a", "", "a", ""]}, ["k", "l", "m", "m"])
    growth = engine.grow(table, GrowthSettings.id3(missing="own_branch"))
    by_feature = {c.feature: c for c in growth.candidates(0)}
    ops = [(p.condition.op.value, p.condition.value) for p in by_feature["x"].partitions]
    assert ops == [("<", 1.5), (">=", 1.5), ("missing", None)]
    assert by_feature["x"].remainder == 0
    assert [p.condition.value for p in by_feature["c"].partitions] == [("a",), ("(missing)",)]
    assert growth.tree.predict(pd.DataFrame({"x": [None, 0.0], "c": ["a", "a"]})).tolist() == ["m", "k"]


def test_dropped_rows_keep_the_levels() -> None:
    table = make_table({"x": [1.0, 2.0, float("nan")], "c": ["a", "a", "b"]}, ["k", "l", "l"])
    growth = engine.grow(table, GrowthSettings.id3(missing="drop"))
    assert growth.table.n_rows == 2
    assert growth.table.features[1].levels == ("a", "b")
