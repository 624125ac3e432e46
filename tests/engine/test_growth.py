"""Growth: the trace, the reasons to stop, ties, choices, and the tree at every step."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier

import engine
from engine.dense import SMALL
from engine.scores import measure, score_feature
from tests.engine.tables import iris, make_table, play_tennis, settings_for, tables

ID3 = engine.GrowthSettings.id3


def vegetation() -> engine.Table:
    return engine.read_table("datasets/files/vegetation.csv", target="vegetation", ignore=("id",))


def words(growth: engine.Growth) -> list[str]:
    return [f"{step.event} {step.node}" for step in growth]


def test_tennis_is_told_depth_first() -> None:
    assert words(engine.grow(play_tennis())) == [
        "started 0", "scored 0", "split 0", "leaf 1", "scored 2", "split 2", "leaf 3", "leaf 4",
        "scored 5", "split 5", "leaf 6", "leaf 7",
    ]  # fmt: skip


def test_every_step_of_tennis_is_a_usable_model() -> None:
    growth = engine.grow(play_tennis())
    sizes = [(step.tree.n_nodes, step.tree.n_leaves) for step in growth]
    assert sizes == [(1, 1), (1, 1), (4, 3), (4, 3), (4, 3), (6, 4), (6, 4), (6, 4), (6, 4), (8, 5), (8, 5), (8, 5)]
    accuracies = [step.tree.training_accuracy() * 14 for step in growth]
    assert np.round(accuracies).tolist() == [9, 9, 10, 10, 10, 12, 12, 12, 12, 14, 14, 14]


def test_steps_are_indexed_like_any_sequence() -> None:
    growth = engine.grow(play_tennis())
    assert growth[-1].index == 11
    assert [step.index for step in growth[2:4]] == [2, 3]
    assert (growth.clamp(-5), growth.clamp(99)) == (0, 11)
    with pytest.raises(IndexError):
        growth[12]


def test_gains_of_tennis_are_those_of_the_books() -> None:
    ranked = engine.grow(play_tennis()).evidence(0)
    assert [c.feature for c in ranked] == ["outlook", "humidity", "wind", "temperature"]
    gains = [0.246750, 0.151836, 0.048127, 0.029223]
    assert [c.gain for c in ranked] == pytest.approx(gains, abs=5e-7)
    assert [c.split_information for c in ranked] == pytest.approx([1.577406, 1, 0.985228, 1.556657], abs=5e-7)
    assert [c.gain_ratio for c in ranked] == pytest.approx([0.156428, 0.151836, 0.048849, 0.018773], abs=5e-7)
    gini = {c.feature: c.gain for c in engine.grow(play_tennis(), ID3(criterion="gini")).evidence(0)}
    assert gini == pytest.approx(
        {"outlook": 0.116327, "temperature": 0.018707, "humidity": 0.091837, "wind": 0.030612}, abs=5e-7
    )
    missed = {c.feature: c.gain for c in engine.grow(play_tennis(), ID3(criterion="misclassification")).evidence(0)}
    assert missed == pytest.approx({"outlook": 0.071429, "temperature": 0, "humidity": 0.071429, "wind": 0}, abs=5e-7)


def test_a_tie_is_marked_on_every_equal_and_goes_to_the_first_feature() -> None:
    table = make_table({"b": ["u", "v", "u", "v"], "a": ["u", "v", "u", "v"], "c": ["u"] * 4}, ["n", "y", "n", "y"])
    root = engine.grow(table).candidates(0)
    assert [(c.feature, c.chosen, c.tied) for c in root] == [("b", True, True), ("a", False, True), ("c", False, False)]
    assert root[2].rejected is engine.Rejection.SINGLE_PARTITION


def test_a_tie_of_thresholds_goes_to_the_lowest() -> None:
    table = make_table({"x": [1.0, 2.0, 3.0, 4.0]}, ["n", "y", "y", "n"])
    growth = engine.grow(table)
    chosen = next(c for c in growth.candidates(0) if c.chosen)
    assert chosen.split.threshold == 1.5
    assert [c.tied for c in growth.candidates(0)] == [True, False, True]


def test_id3_makes_the_zero_gain_split_of_xor_and_cart_does_not() -> None:
    xor = make_table({"a": ["0", "0", "1", "1"], "b": ["0", "1", "0", "1"]}, ["n", "y", "y", "n"])
    assert engine.grow(xor).tree.n_leaves == 4
    cart = engine.grow(xor, engine.GrowthSettings.cart())
    assert cart.tree.stop_reason(0) is engine.StopReason.NO_USEFUL_SPLIT
    assert {c.rejected for c in cart.evidence(0)} == {engine.Rejection.NO_GAIN}
    assert not any(c.tied or c.chosen for c in cart.evidence(0))


REASONS = {
    "pure": (play_tennis, ID3(), 1),
    "no_rows": (vegetation, ID3(), None),
    "no_features": (lambda: make_table({"s": ["a", "a", "b"]}, ["n", "y", "y"]), ID3(), None),
    "no_useful_split": (lambda: make_table({"x": [1.0, 1.0]}, ["n", "y"]), ID3(), 0),
    "max_depth": (play_tennis, ID3(max_depth=0), 0),
    "min_samples_split": (play_tennis, ID3(min_samples_split=15), 0),
    "min_samples_leaf": (play_tennis, ID3(min_samples_leaf=8), 0),
    "min_gain": (play_tennis, ID3(min_gain=0.3), 0),
}  # fmt: skip


@pytest.mark.parametrize("reason", REASONS)
def test_every_reason_to_stop_is_given(reason: str) -> None:
    make, chosen, node = REASONS[reason]
    growth = engine.grow(make(), chosen)
    reasons = [growth.tree.stop_reason(n) for n in range(len(growth.tree.nodes))]
    assert engine.StopReason(reason) in (reasons if node is None else [reasons[node]])


def test_stops_before_scoring_have_no_scored_step_and_stops_after_it_have() -> None:
    before = engine.grow(play_tennis(), ID3(max_depth=0))
    after = engine.grow(play_tennis(), ID3(min_gain=0.3))
    assert (words(before), words(after)) == (["started 0", "leaf 0"], ["started 0", "scored 0", "leaf 0"])
    assert (len(before.evidence(0)), len(after.evidence(0))) == (0, 4)


def test_an_empty_branch_answers_like_its_parent() -> None:
    table = vegetation()
    growth = engine.grow(table)
    tree = growth.tree
    empty = [n for n in range(len(tree.nodes)) if tree.stop_reason(n) is engine.StopReason.NO_ROWS]
    assert empty
    for node in empty:
        parent = int(tree.nodes.parent[node])
        assert tree.label(node) == tree.label(parent)
        assert tree.probabilities(node) == tree.probabilities(parent)


def test_a_tied_leaf_takes_the_class_more_frequent_in_its_parent() -> None:
    table = make_table({"s": ["a", "a", "b"], "t": ["p", "p", "p"]}, ["n", "y", "y"])
    growth = engine.grow(table, ID3(max_depth=1))
    assert [growth.tree.label(node) for node in (0, 1, 2)] == ["y", "y", "y"]


def test_a_choice_is_taken_marked_and_handed_back() -> None:
    table = play_tennis()
    plain = engine.grow(table)
    chosen = ID3().with_choice(engine.Choice(path=(), feature="wind"))
    growth = engine.grow(table, chosen)
    assert growth.tree.split(0).feature == table.feature_index("wind")
    marked = [c for c in growth.evidence(0) if c.chosen]
    assert [(c.feature, c.by_choice) for c in marked] == [("wind", True)]
    assert growth.tree.training_accuracy() == 1.0
    assert words(engine.grow(table, chosen.without_choice(()))) == words(plain)


def test_a_choice_deeper_down_holds_only_there() -> None:
    table = play_tennis()
    path = engine.grow(table).tree.path(5)
    growth = engine.grow(table, ID3().with_choice(engine.Choice(path=path, feature="temperature")))
    features = [table.features[growth.tree.split(n).feature].name for n in (0, 2, 5)]
    assert features == ["outlook", "wind", "temperature"]
    assert growth.tree.nodes.by_choice.tolist()[5] and growth.tree.nodes.by_choice.sum() == 1


@pytest.mark.parametrize("rows", [150, 1500])
def test_a_threshold_set_by_hand_need_not_be_a_midpoint(rows: int) -> None:
    table = iris().take(np.resize(np.arange(150), rows))
    choice = engine.Choice(path=(), feature="petal width (cm)", threshold=1.234)
    growth = engine.grow(table, ID3().with_choice(choice))
    assert (rows > SMALL) == (rows == 1500)
    assert growth.tree.split(0).threshold == 1.234
    assert [c.split.threshold for c in growth.evidence(0) if c.by_choice] == [1.234]
    below = growth.tree.condition(1)
    deeper = engine.Choice(path=(below,), feature="sepal width (cm)", threshold=3.01)
    again = engine.grow(table, growth.settings.with_choice(deeper))
    assert again.tree.split(1).threshold == 3.01


def test_a_choice_that_separates_nothing_is_passed_over() -> None:
    growth = engine.grow(iris(), ID3().with_choice(engine.Choice(path=(), feature="petal width (cm)", threshold=99.0)))
    assert not growth.tree.nodes.by_choice.any()


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"min_samples_leaf": 0}, "min_samples_leaf must be at least 1, got 0."),
        ({"max_depth": -1}, "max_depth must be at least 0, got -1."),
        ({"min_gain": float("nan")}, "min_gain must be a number of at least 0, got nan."),
        ({"criterion": "chi"}, "criterion must be one of entropy, gini, gain_ratio"),
        ({"min_samples_split": 2.5}, "min_samples_split must be a whole number, got 2.5."),
    ],
)
def test_bad_settings_say_what_is_allowed(wrong: dict[str, object], sentence: str) -> None:
    with pytest.raises(engine.SettingsError, match=r".*") as caught:
        engine.GrowthSettings(**wrong)
    assert str(caught.value).startswith(sentence)


def test_a_criterion_for_numbers_is_refused_for_classes() -> None:
    with pytest.raises(engine.SettingsError, match="not defined for classes"):
        engine.grow(play_tennis(), ID3(criterion="variance"))


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_invariants_of_any_growth(data: st.DataObject) -> None:
    table = data.draw(tables())
    growth = engine.grow(table, data.draw(settings_for(table)))
    tree, nodes = growth.tree, growth.tree.nodes
    assert sorted(np.concatenate([tree.rows(n) for n in range(len(nodes)) if nodes.feature[n] < 0])) == list(
        range(table.n_rows)
    )
    for node in range(len(nodes)):
        rows = tree.rows(node)
        assert nodes.counts[node].tolist() == np.bincount(table.target_values[rows], minlength=table.n_classes).tolist()
        children = tree.children(node)
        assert list(children) == sorted(children) and all(child > node for child in children)
        if len(children):
            assert nodes.counts[children].sum(axis=0).tolist() == nodes.counts[node].tolist()
        for c in growth.evidence(node):
            assert sum(p.n_rows for p in c.partitions) == len(rows)
            assert c.gain == pytest.approx(c.impurity - c.remainder)
            assert c.gain >= -1e-9
            weights = [p.n_rows / len(rows) * p.impurity for p in c.partitions]
            assert c.remainder == pytest.approx(sum(weights), abs=1e-12)
    accuracy = [step.tree.training_accuracy() for step in growth]
    assert accuracy == sorted(accuracy)
    assert growth[-1].tree.n_nodes == tree.n_nodes == len(nodes)
    assert not growth[-1].tree.is_open.any()


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_dense_evidence_is_that_of_each_feature_alone(data: st.DataObject) -> None:
    table = data.draw(tables())
    growth = engine.grow(table, data.draw(settings_for(table)))
    for node in np.flatnonzero(growth.tree.nodes.scored).tolist():
        for dense in growth.scores(node):
            alone = score_feature(growth.here(node), dense.feature)
            names = ["thresholds", "counts", "impurities", "remainder", "gain", "gain_ratio", "score"]
            for name in names if growth.rules.average_gain_filter else [*names, "rejected"]:
                np.testing.assert_allclose(getattr(dense, name), getattr(alone, name), atol=1e-12, err_msg=name)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_every_step_predicts_the_training_rows_as_its_leaves_say(data: st.DataObject) -> None:
    table = data.draw(tables(max_rows=15))
    growth = engine.grow(table, data.draw(settings_for(table)))
    frame = pd.DataFrame(
        {f.name: [table.value(i, row) for row in range(table.n_rows)] for i, f in enumerate(table.features)}
    )
    for step in growth:
        leaves = step.tree.leaf_of_training_row()
        assert step.tree.apply(frame).tolist() == leaves.tolist()
        expected = [step.tree.label(leaf) for leaf in leaves.tolist()]
        assert step.tree.predict(frame).tolist() == expected
        assert step.tree.predict_proba(frame).sum(axis=1) == pytest.approx(1.0)


def test_measure_is_the_hand_sum_of_tennis() -> None:
    rules = ID3().resolved(play_tennis())
    counts = np.array([[0, 2, 3], [4, 3, 2]])[:, :, None]
    measures = measure(rules, counts)
    assert measures.remainder[0] == pytest.approx(10 / 14 * 0.9709505944546686)
    assert measures.impurities[:, 0] == pytest.approx([0, 0.9709505944546686, 0.9709505944546686])


def sklearn_depths(table: engine.Table, criterion: str, **limits: int) -> DecisionTreeClassifier:
    matrix = np.stack(table.columns, axis=1).astype(np.float32)
    return DecisionTreeClassifier(criterion=criterion, random_state=0, **limits).fit(matrix, table.target_values)


@pytest.mark.parametrize("name", ["iris", "wine", "breast_cancer"])
@pytest.mark.parametrize("criterion", ["entropy", "gini"])
@pytest.mark.parametrize("limits", [{}, {"max_depth": 3}, {"min_samples_leaf": 7}, {"min_samples_split": 20}])
def test_scikit_learn_finds_no_better_split_at_any_node(name: str, criterion: str, limits: dict[str, int]) -> None:
    """Ties make trees differ; the impurity that a node's best split leaves does not."""
    table = engine.read_table(f"datasets/files/{name}.csv", target="target")
    growth = engine.grow(table, engine.GrowthSettings.cart(criterion=criterion, **limits))
    matrix = np.stack(table.columns, axis=1)
    for node in np.flatnonzero(growth.tree.nodes.scored).tolist():
        rows = growth.tree.rows(node)
        leaf = limits.get("min_samples_leaf", 1)
        stump = DecisionTreeClassifier(criterion=criterion, max_depth=1, min_samples_leaf=leaf, random_state=0)
        found = stump.fit(matrix[rows].astype(np.float32), table.target_values[rows]).tree_
        won = growth.scores(node).best_split
        if found.node_count == 1:
            assert won is None or won[1] < 1e-7
            continue
        weights = found.n_node_samples[1:] / found.n_node_samples[0]
        gain = found.impurity[0] - float(weights @ found.impurity[1:])
        assert won is not None and won[1] == pytest.approx(gain, abs=1e-9)


@pytest.mark.parametrize("criterion", ["entropy", "gini"])
def test_the_tree_of_tie_free_data_is_scikit_learns(criterion: str) -> None:
    rng = np.random.default_rng(5)
    columns = {f"x{i}": rng.normal(size=600).astype(np.float32).astype(float).tolist() for i in range(4)}
    table = make_table(columns, [f"k{k}" for k in rng.integers(0, 3, 600)])
    ours = engine.grow(table, engine.GrowthSettings.cart(criterion=criterion, max_depth=3)).tree
    theirs = sklearn_depths(table, criterion, max_depth=3).tree_
    assert ours.nodes.feature.tolist() == [f if f >= 0 else -1 for f in theirs.feature]
    split = ours.nodes.feature >= 0
    assert ours.nodes.threshold[split] == pytest.approx(theirs.threshold[split], abs=1e-6)
    assert ours.nodes.impurity == pytest.approx(theirs.impurity, abs=1e-9)


def test_a_gain_that_equals_the_minimum_is_enough() -> None:
    """8 of 20 rows are missed at the root, 7 after the split: 0.05, which rounds below itself."""
    table = make_table({"c": ["u"] * 19 + ["v"]}, ["n"] * 12 + ["y"] * 8)
    criterion = {"criterion": "misclassification"}
    gain = engine.grow(table, ID3(**criterion)).evidence(0)[0].gain
    assert gain == pytest.approx(0.05)
    assert engine.grow(table, ID3(**criterion, min_gain=0.05)).tree.n_leaves == 2
    assert engine.grow(table, ID3(**criterion, min_gain=0.0501)).tree.n_leaves == 1


def test_numbers_whose_squares_are_beyond_all_floats_are_refused_in_words() -> None:
    frame = pd.DataFrame({"x": [1, 2, 3], "y": [1e200, -1e200, 0.0]})
    with pytest.raises(engine.TableError, match="divide them by a power of ten"):
        engine.grow(engine.read_table(frame, target="y", task="number"), engine.GrowthSettings.cart())


def test_growths_of_the_same_rows_by_other_weights_or_settings_have_other_fingerprints() -> None:
    of = engine.read_table(pd.DataFrame({"x": [1, 2, 3, 4], "t": list("abab")}), target="t")
    settings = engine.GrowthSettings.cart()
    grown = [
        engine.grow(of, settings),
        engine.grow(of, settings, row_weights=[1, 2, 1, 1]),
        engine.grow(of, settings, row_weights=[1, 1, 2, 1]),
        engine.grow(of, engine.GrowthSettings.cart(max_depth=1)),
    ]
    assert len({growth.fingerprint for growth in grown}) == 4
    assert engine.grow(of, settings).fingerprint == grown[0].fingerprint
