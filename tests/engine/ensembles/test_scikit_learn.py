"""scikit-learn as an oracle: the same members, weights and errors where nothing ties."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.tree import DecisionTreeClassifier

import engine
from engine import Ensemble, GrowthSettings
from engine.ensembles import ensemble_importance
from tests.engine.ensembles.cases import grown, matrix, stumps, table

ROUNDS = 20


@pytest.mark.parametrize("rate", [1.0, 0.5])
@pytest.mark.parametrize("name", ["breast_cancer", "wine", "iris"])
def test_adaboost_is_samme_of_gini_stumps(name: str, rate: float) -> None:
    of = table(name)
    ours = grown(of, method="adaboost", n_members=ROUNDS, learning_rate=rate, growth=stumps())
    theirs = AdaBoostClassifier(
        DecisionTreeClassifier(max_depth=1), n_estimators=ROUNDS, learning_rate=rate, random_state=0
    ).fit(matrix(of), of.target_values)
    assert [m.error for m in ours.members] == pytest.approx(theirs.estimator_errors_, abs=1e-9)
    assert [2 * m.confidence for m in ours.members] == pytest.approx(theirs.estimator_weights_, abs=1e-9)
    staged = [1 - score for score in theirs.staged_score(matrix(of), of.target_values)]
    assert ours.staged_errors(of) == pytest.approx(staged, abs=1e-9)
    if name != "iris":  # where two features split the same rows, either may be asked
        assert ensemble_importance(ours) == pytest.approx(theirs.feature_importances_, abs=1e-9)


def gradient_boosting(name: str, depth: int, rounds: int = ROUNDS):
    """Both programs' gradient boosting of a table."""
    of = table(name)
    ours = grown(of, method="gradient_boosting", n_members=rounds, growth=GrowthSettings.cart(max_depth=depth))
    program = GradientBoostingClassifier if of.n_classes else GradientBoostingRegressor
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = program(n_estimators=rounds, max_depth=depth, random_state=0).fit(matrix(of), of.target_values)
    return of, ours, theirs


@pytest.mark.parametrize(
    ("name", "depth"), [("diabetes_progression", 3), ("breast_cancer", 3), ("wine", 3), ("wine", 2)]
)
def test_gradient_boosting_makes_the_same_errors_at_every_stage(name: str, depth: int) -> None:
    of, ours, theirs = gradient_boosting(name, depth)
    if of.n_classes:
        staged = [np.mean(said != of.target_values) for said in theirs.staged_predict(matrix(of))]
    else:
        staged = [np.mean(np.square(said - of.target_values)) for said in theirs.staged_predict(matrix(of))]
    assert ours.staged_errors(of) == pytest.approx(staged, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(
    ("name", "depth"), [("diabetes_progression", 2), ("diabetes_progression", 3), ("breast_cancer", 3)]
)
def test_gradient_boosting_adds_up_to_the_same_sums(name: str, depth: int) -> None:
    of, ours, theirs = gradient_boosting(name, depth)
    stages = theirs.staged_decision_function(matrix(of)) if of.n_classes else theirs.staged_predict(matrix(of))
    for stage, totals in enumerate(stages, start=1):
        assert ours.at(stage).poll().totals[:, 0] == pytest.approx(np.ravel(totals), rel=1e-9, abs=1e-9)


def test_importance_of_gradient_boosting_is_what_its_splits_remove() -> None:
    _, ours, theirs = gradient_boosting("diabetes_progression", 2)
    assert ensemble_importance(ours) == pytest.approx(theirs.feature_importances_, abs=1e-9)


def test_log_loss_of_two_classes_is_half_of_what_scikit_learn_reports() -> None:
    _, ours, theirs = gradient_boosting("breast_cancer", 3)
    assert ours.training_curve.losses is not None
    assert 2 * ours.training_curve.losses[1:] == pytest.approx(theirs.train_score_, abs=1e-9)


def test_several_classes_start_and_first_step_like_scikit_learn() -> None:
    of, ours, theirs = gradient_boosting("iris", 1, rounds=1)
    first = next(theirs.staged_decision_function(matrix(of)))
    assert ours.poll().totals == pytest.approx(first, abs=1e-9)


@pytest.mark.parametrize(
    ("name", "program"), [("wine", RandomForestClassifier), ("breast_cancer", RandomForestClassifier)]
)
def test_a_forest_is_as_good_out_of_bag_as_scikit_learns(name: str, program: type) -> None:
    of = table(name)
    ours = [grown(of, method="forest", n_members=40, seed=seed).out_of_bag_error for seed in range(2)]
    theirs = [
        1 - program(n_estimators=40, oob_score=True, random_state=seed).fit(matrix(of), of.target_values).oob_score_
        for seed in range(5)
    ]
    assert np.mean(ours) == pytest.approx(np.mean(theirs), abs=0.025)


def test_a_forest_for_a_number_explains_as_much_out_of_bag() -> None:
    of = table("diabetes_progression")
    ours = grown(of, method="forest", n_members=40, growth=GrowthSettings.cart(min_samples_leaf=5)).out_of_bag_error
    theirs = [
        RandomForestRegressor(n_estimators=40, oob_score=True, max_features=3, min_samples_leaf=5, random_state=seed)
        .fit(matrix(of), of.target_values)
        .oob_score_
        for seed in range(5)
    ]
    assert ours is not None
    assert 1 - ours / of.target_values.var() == pytest.approx(np.mean(theirs), abs=0.06)


def test_bagged_trees_have_as_many_leaves() -> None:
    of = table("wine")
    ours = np.mean([member.n_leaves for member in grown(of, method="bagging", n_members=40).members])
    theirs = BaggingClassifier(DecisionTreeClassifier(), n_estimators=40, random_state=0).fit(
        matrix(of), of.target_values
    )
    assert ours == pytest.approx(np.mean([tree.get_n_leaves() for tree in theirs.estimators_]), rel=0.15)


def test_members_of_a_forest_ask_about_different_features_first() -> None:
    def firsts(ensemble: Ensemble) -> set[int]:
        return {int(member.nodes.feature[0]) for member in ensemble.members}

    of: engine.Table = table("breast_cancer")
    assert len(firsts(grown(of, method="forest", n_members=20))) > len(firsts(grown(of, n_members=20)))


@pytest.mark.parametrize(("name", "depth"), [("wine", 2), ("breast_cancer", 2)])
def test_the_first_tree_that_answers_otherwise_has_a_split_that_ties(name: str, depth: int) -> None:
    of, ours, theirs = gradient_boosting(name, depth)
    trees = theirs.estimators_.ravel()
    other = next(
        member
        for member, tree in zip(ours.members, trees, strict=True)
        if not np.allclose(member.answers, tree.predict(matrix(of)), atol=1e-9)
    )
    splits = [node for node in range(len(other.nodes)) if other.nodes.feature[node] >= 0]
    assert any(candidate.chosen and candidate.tied for node in splits for candidate in other.growth.evidence(node))
