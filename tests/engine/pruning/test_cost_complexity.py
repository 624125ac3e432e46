"""Cost complexity: exact recomputation in fractions, scikit-learn's path, choice by rows and by folds."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as profile
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import engine
from engine import SettingsError, prune
from engine.pruning import Reason, Verdict
from engine.pruning.cross_validation import cross_validate, folds
from tests.engine.pruning.cases import as_numbers, grown, halves, noisy, noisy_numbers, settings, weakest_links
from tests.engine.tables import iris, make_table, play_tennis

MOST = 1e9


def errors_of(tree) -> dict[int, Fraction]:
    counts, answer = tree.nodes.counts, tree.nodes.prediction
    n = int(counts[0].sum())
    return {i: Fraction(int(row.sum() - row[answer[i]]), n) for i, row in enumerate(counts)}


def gini_of(tree) -> dict[int, Fraction]:
    n = int(tree.nodes.counts[0].sum())
    found = {}
    for i, row in enumerate(tree.nodes.counts.tolist()):
        here = sum(row)
        found[i] = Fraction(here * here - sum(c * c for c in row), here * n) if here else Fraction(0)
    return found


def stages_of(found) -> list[tuple[float, set[int]]]:
    return [(point.alpha, set(stage)) for point, stage in zip(found.curve[1:], found.stages, strict=True)]


@given(grown())
def test_the_sequence_is_that_of_an_exact_recomputation(case) -> None:
    growth, _ = case
    exact = weakest_links(growth.tree, errors_of(growth.tree))
    found = prune(growth, settings("cost_complexity", alpha=MOST))
    assert stages_of(found) == [(float(g), nodes) for g, nodes in exact]


@given(grown())
def test_with_gini_as_risk_equal_links_go_together_exactly(case) -> None:
    growth, _ = case
    growth = engine.grow(growth.source, engine.GrowthSettings.cart())
    exact = weakest_links(growth.tree, gini_of(growth.tree))
    found = prune(growth, settings("cost_complexity", alpha=MOST, risk="impurity"))
    assert [nodes for _, nodes in stages_of(found)] == [nodes for _, nodes in exact]
    assert [alpha for alpha, _ in stages_of(found)] == pytest.approx([float(g) for g, _ in exact], abs=1e-12)


@given(grown(numbers=True))
@profile(max_examples=60)
def test_for_a_number_the_sequence_is_that_of_an_exact_recomputation(case) -> None:
    growth, _ = case
    tree, values = growth.tree, growth.source.target_values
    risk = {}
    for node in range(len(tree.nodes)):
        y = [Fraction(int(v)) for v in values[tree.rows(node)]]
        risk[node] = sum(((v - sum(y) / len(y)) ** 2 for v in y), Fraction(0)) / len(values)
    exact = weakest_links(tree, risk)
    found = prune(growth, settings("cost_complexity", alpha=MOST))
    assert [nodes for _, nodes in stages_of(found)] == [nodes for _, nodes in exact]
    assert [alpha for alpha, _ in stages_of(found)] == pytest.approx([float(g) for g, _ in exact], abs=1e-9)


def as_document(model, n_features: int, classes: list[str] | None) -> dict:
    """scikit-learn's tree as a document, so that both prune the very same tree (x <= t is x < the next number)."""
    t = model.tree_
    nodes = []
    for i in range(t.node_count):
        split = None
        if t.children_left[i] >= 0:
            cut = float(np.nextafter(t.threshold[i], np.inf))
            sides = [{"op": "<", "value": cut, "node": int(t.children_left[i])}]
            sides.append({"op": ">=", "value": cut, "node": int(t.children_right[i])})
            split = {"feature": f"x{t.feature[i]}", "kind": "threshold", "threshold": cut, "branches": sides}
        n, value = int(t.n_node_samples[i]), t.value[i][0]
        node = {"id": i, "split": split, "n_rows": n, "impurity": float(t.impurity[i])}
        if classes:
            counts = np.rint(value * n).astype(int).tolist()
            node |= {"counts": dict(zip(classes, counts, strict=True)), "prediction": classes[int(np.argmax(counts))]}
        else:
            node |= {"variance": float(t.impurity[i]) * n / max(n - 1, 1), "prediction": float(value[0])}
        nodes.append(node)
    target = {"name": "y", "kind": "classes" if classes else "number", "classes": classes or []}
    features = [{"name": f"x{i}", "kind": "numeric", "levels": []} for i in range(n_features)]
    return {"table": {"features": features, "target": target}, "nodes": nodes}


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer], ids=lambda load: load.__name__)
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_the_path_of_scikit_learn_is_ours_with_impurity_as_risk(load, criterion: str) -> None:
    x, y = load(return_X_y=True)
    model = DecisionTreeClassifier(criterion=criterion, random_state=0).fit(x, y)
    path = model.cost_complexity_pruning_path(x, y)
    tree = engine.read_tree(as_document(model, x.shape[1], [f"k{i}" for i in range(int(y.max()) + 1)]))
    _matches(
        tree, path, lambda alpha: DecisionTreeClassifier(criterion=criterion, random_state=0, ccp_alpha=alpha).fit(x, y)
    )


def test_the_path_of_scikit_learn_is_ours_for_a_number_under_either_risk() -> None:
    x, y = load_diabetes(return_X_y=True)
    model = DecisionTreeRegressor(random_state=0, min_samples_leaf=5).fit(x, y)
    path = model.cost_complexity_pruning_path(x, y)
    tree = engine.read_tree(as_document(model, x.shape[1], None))
    again = lambda alpha: DecisionTreeRegressor(random_state=0, min_samples_leaf=5, ccp_alpha=alpha).fit(x, y)  # noqa: E731
    _matches(tree, path, again)
    _matches(tree, path, again, risk="error")


def _matches(tree, path, fit, risk: str = "impurity") -> None:
    found = prune(tree, settings("cost_complexity", alpha=MOST, risk=risk))
    theirs = path.ccp_alphas[1:]
    distinct = theirs[np.append(True, np.diff(theirs) > 1e-9 * theirs[1:] + 1e-12)]
    assert [point.alpha for point in found.curve[1:]] == pytest.approx(distinct.tolist(), rel=1e-9, abs=1e-12)
    for point in found.curve[1 :: max(1, len(found.curve) // 6)]:
        assert point.n_leaves == fit(point.alpha * (1 + 1e-9)).get_n_leaves()


def test_play_tennis_by_hand() -> None:
    """Errors of 14: root 5, rain 2, sunny 2. g: rain and sunny 2/14, root (5 − 0)/14/4."""
    found = prune(engine.grow(play_tennis()), settings("cost_complexity", alpha=MOST))
    assert [(p.n_leaves, p.alpha) for p in found.curve] == [(5, 0.0), (1, 5 / 56)]
    assert [(d.node, d.kept_cost, d.pruned_cost, d.alpha) for d in found.decisions] == [(0, 0, 5 / 14, 5 / 56)]


@given(grown())
@profile(max_examples=60)
def test_the_curve_is_monotone_and_runs_to_the_root(case) -> None:
    growth, rows = case
    for alpha in (0.0, 0.05, MOST):
        curve = prune(growth, settings("cost_complexity", alpha=alpha), rows).curve
        assert (curve[0].n_leaves, curve[0].alpha, curve[-1].n_leaves) == (growth.tree.n_leaves, 0.0, 1)
        for earlier, later in itertools.pairwise(curve):
            assert later.n_leaves < earlier.n_leaves
            assert later.train_error >= earlier.train_error
            assert later.alpha >= earlier.alpha


def test_an_alpha_prunes_every_link_of_at_most_that_g_and_the_next_stay() -> None:
    growth, _ = halves(noisy(200))
    whole = prune(growth, settings("cost_complexity", alpha=MOST))
    alphas = [point.alpha for point in whole.curve]
    for k in (1, 2, len(alphas) - 2):
        found = prune(growth, settings("cost_complexity", alpha=alphas[k]))
        assert found.chosen == max(i for i, alpha in enumerate(alphas) if alpha <= alphas[k])
        assert {d.node for d in found.decisions if d.is_pruned} == {
            n for stage in whole.stages[: found.chosen] for n in stage
        }
        stay = [d for d in found.decisions if d.verdict is Verdict.KEEP]
        assert {d.node for d in stay} == set(whole.stages[found.chosen])
        assert all(d.reason is Reason.STRONG_LINK and d.alpha > alphas[k] for d in stay)
        assert found.tree.n_leaves == found.curve[found.chosen].n_leaves


def test_a_decision_is_its_inequality() -> None:
    growth, rows = halves(noisy(150, seed=2))
    found = prune(growth, settings("cost_complexity"), rows)
    n = growth.source.n_rows
    for d in found.decisions:
        assert (d.pruned_cost - d.kept_cost) / (d.n_leaves - 1) == pytest.approx(d.alpha)
        assert sum(term.cost for term in found.terms(d.index)) / n == pytest.approx(d.kept_cost)
        assert len(found.terms(d.index)) == d.n_leaves


def test_validation_rows_choose_the_least_error_and_of_equals_the_smallest_tree() -> None:
    for seed in range(5):
        growth, rows = halves(noisy(200, seed))
        found = prune(growth, settings("cost_complexity"), rows)
        errors = [point.validation_error for point in found.curve]
        assert found.chosen == max(i for i, error in enumerate(errors) if error == min(errors))
        assert found.tree.n_leaves == found.curve[found.chosen].n_leaves


def test_steps_and_points_of_the_curve_know_each_other() -> None:
    growth, rows = halves(noisy(200, 1, n_classes=3))
    found = prune(growth, settings("cost_complexity"), rows)
    assert [found.point_after(k) for k in range(len(found))] == sorted(found.point_after(k) for k in range(len(found)))
    for point in found.curve:
        assert (point.step is None) == (point.index > found.chosen)
        assert found.tree_at(point.index).n_leaves == point.n_leaves
        if point.step is not None:
            assert found[point.step].tree.n_leaves == point.n_leaves
            assert found.point_after(point.step) == point.index


def test_cross_validation_judges_each_tree_by_rows_that_did_not_grow_it() -> None:
    growth = engine.grow(noisy(200, 4))
    how = settings("cost_complexity", selection="cross_validation", folds=5, standard_errors=0.0)
    found = prune(growth, how)
    errors = np.array([point.cross_validation_error for point in found.curve])
    spread = np.array([point.standard_error for point in found.curve])
    assert found.chosen == max(np.flatnonzero(errors == errors.min()))
    assert spread == pytest.approx(np.sqrt(errors * (1 - errors) / 200))
    assert errors[0] > errors.min()  # the full tree has learnt the noise
    root = np.bincount(growth.source.target_values).max()
    assert errors[-1] == pytest.approx(1 - root / 200, abs=0.05)


def test_the_rule_of_one_standard_error_takes_the_smallest_tree_within_it() -> None:
    growth = engine.grow(noisy(200, 4))
    found = prune(growth, settings("cost_complexity", selection="cross_validation", folds=5))
    errors = [point.cross_validation_error for point in found.curve]
    best = max(i for i, error in enumerate(errors) if error == min(errors))
    limit = errors[best] + found.curve[best].standard_error
    assert found.chosen == max(i for i, error in enumerate(errors) if error <= limit)
    assert found.tree.n_leaves == 2  # the signal is one threshold


def test_cross_validation_works_for_a_number() -> None:
    found = prune(engine.grow(noisy_numbers(150)), settings("cost_complexity", selection="cross_validation", folds=4))
    assert 1 < found.tree.n_leaves < found.full.n_leaves / 3


def test_folds_are_even_in_size_and_classes() -> None:
    part = folds(iris(), 10, 0)
    assert np.bincount(part).tolist() == [15] * 10
    assert all(np.bincount(iris().target_values[part == k]).tolist() == [5, 5, 5] for k in range(10))
    assert (folds(iris(), 10, 0) == part).all() and (folds(iris(), 10, 1) != part).any()


def test_more_folds_than_rows_are_refused() -> None:
    growth = engine.grow(play_tennis())
    with pytest.raises(SettingsError, match="folds must be at most the number of training rows, 14, got 15"):
        cross_validate(growth, settings("cost_complexity", selection="cross_validation", folds=15), [])


def test_equal_links_go_in_one_step_whatever_their_size() -> None:
    """Three splits save one error in ten a leaf: two of two leaves, and one of three that saves two."""

    def branch(most: str, **others: int) -> dict:
        leaves = {name: {"counts": {name: count}} for name, count in {most: 2, **others}.items()}
        return {"split": "b", "branches": leaves}

    branches = {"u": branch("k", y=1), "v": branch("l", y=1, z=1), "w": branch("m", y=1)}
    tree = engine.read_tree({"target": "c", "tree": {"split": "a", "branches": branches}})
    found = prune(tree, settings("cost_complexity", alpha=0.1))
    assert stages_of(found)[0] == (0.1, {1, 4, 8})
    assert stages_of(found) == [(float(g), nodes) for g, nodes in weakest_links(tree, errors_of(tree))]
    assert (found.pruned_nodes, found.tree.n_leaves) == ((1, 4, 8), 3)
    assert [step.tree.n_leaves for step in found] == [7, 6, 4, 3, 3]
    assert (found.decisions[-1].node, found.decisions[-1].alpha) == (0, pytest.approx(0.15))


def test_weights_that_are_no_whole_numbers_are_compared_within_rounding() -> None:
    table = make_table({"x": [1.0, 2.0, 3.0, 4.0], "z": [0.0, 0.0, 1.0, 1.0]}, ["n", "y", "n", "y"])
    growth = engine.grow(table, row_weights=[0.1, 0.2, 0.1, 0.2])
    found = prune(growth, settings("cost_complexity", alpha=MOST))
    assert found.tree.n_leaves == 1
    assert all(alpha >= 0 for alpha, _ in stages_of(found))


def test_zero_gain_links_go_with_alpha_zero() -> None:
    table = as_numbers(make_table({"a": list("uuvv"), "b": list("stst")}, ["k"] * 4), np.array([0.1, 0.3, 0.3, 0.1]))
    growth = engine.grow(table, engine.GrowthSettings.id3(criterion="squared_error"))
    assert growth.tree.n_leaves == 4
    found = prune(growth, settings("cost_complexity", alpha=0.0))
    assert [(point.n_leaves, point.alpha) for point in found.curve] == [(4, 0.0), (1, pytest.approx(0.01 / 3))]


def test_a_given_tree_whose_answers_are_no_majorities_keeps_its_negative_g_and_alphas_from_0() -> None:
    leaves = {"u": {"prediction": "n", "counts": {"y": 2}}, "v": {"counts": {"y": 3}}}
    tree = engine.read_tree({"target": "c", "classes": ["n", "y"], "tree": {"split": "a", "branches": leaves}})
    found = prune(tree, settings("cost_complexity", alpha=0.0))
    assert [(d.alpha, d.is_pruned) for d in found.decisions] == [(-0.4, True)]
    assert [(p.alpha, p.train_error) for p in found.curve] == [(0.0, 0.4), (0.0, 0.0)]


def test_rows_keep_their_weights_in_the_folds() -> None:
    table = noisy(60, 1)
    how = settings("cost_complexity", selection="cross_validation", folds=5)
    plain, doubled = (prune(engine.grow(table, row_weights=np.full(60, weight)), how) for weight in (1.0, 2.0))
    assert plain.stages == doubled.stages
    assert [p.cross_validation_error for p in plain.curve] == [p.cross_validation_error for p in doubled.curve]
    balanced = engine.grow(table, engine.GrowthSettings.id3(class_weights="balanced"))
    assert prune(balanced, how).curve[-1].cross_validation_error > 0
