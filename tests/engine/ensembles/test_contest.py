"""All methods on the same rows: what is grown, what is measured, and what is told on the way."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import engine
from engine.ensembles import Contest, EnsembleMethod, EnsembleSettings, contest, course, grow_ensemble
from engine.frames import frame_of
from engine.holdout import split_holdout
from engine.metrics import error
from engine.table import Table

IRIS = "datasets/files/iris.csv"


@pytest.fixture(scope="module")
def iris() -> Table:
    return engine.read_table(IRIS, target="target")


def held(table: Table, settings: EnsembleSettings, n_runs: int = 2) -> list[Contest]:
    return list(contest(settings, lambda run: split_holdout(table, 0.3, run), n_runs, lambda: 0.0))


def test_every_method_and_the_single_tree_run_as_often_as_asked(iris: Table) -> None:
    last = held(iris, EnsembleSettings(n_members=3), 3)[-1]
    assert last.methods == (None, *EnsembleMethod)
    assert all(len(last.of(method)) == 3 for method in last.methods)
    assert last.share == 1


def test_the_share_of_the_work_never_falls(iris: Table) -> None:
    shares = [one.share for one in held(iris, EnsembleSettings(n_members=3))]
    assert all(a <= b + 1e-12 for a, b in itertools.pairwise(shares))
    assert shares[-1] == pytest.approx(1)


def test_the_first_run_of_the_own_method_is_the_ensemble_of_the_page(iris: Table) -> None:
    settings = EnsembleSettings(method=EnsembleMethod.FOREST, n_members=4)
    training, holdout = split_holdout(iris, 0.3, 0)
    own = grow_ensemble(training, settings, validation=holdout)
    run = held(iris, settings, 1)[-1].first(EnsembleMethod.FOREST)
    assert run.training.tolist() == own.training_curve.errors.tolist()
    assert own.validation_curve is not None
    assert run.holdout.tolist() == own.validation_curve.errors.tolist()
    assert run.n_leaves == sum(member.n_leaves for member in own.members)


def test_the_single_tree_is_the_one_that_is_grown_alone(iris: Table) -> None:
    training, holdout = split_holdout(iris, 0.3, 0)
    tree = engine.grow(training, engine.GrowthSettings.cart()).tree
    run = held(iris, EnsembleSettings(n_members=2), 1)[-1].first(None)
    assert run.n_leaves == tree.n_leaves
    assert run.training.tolist() == [error(tree, training)]
    assert run.holdout.tolist() == [error(tree, holdout)]


def test_a_method_that_the_target_does_not_allow_is_left_out_with_the_reason() -> None:
    table = engine.read_table("datasets/files/mtcars.csv", target="mpg", task="number")
    last = held(table, EnsembleSettings(n_members=2))[-1]
    assert EnsembleMethod.ADABOOST not in last.methods
    assert "classes" in last.left_out[EnsembleMethod.ADABOOST]
    assert last.share == pytest.approx(1)


def test_other_methods_have_their_own_depth(iris: Table) -> None:
    settings = EnsembleSettings(n_members=2, growth=engine.GrowthSettings.cart(max_depth=1))
    last = held(iris, settings, 1)[-1]
    assert last.first(EnsembleMethod.BAGGING).n_leaves == 4
    assert last.first(EnsembleMethod.FOREST).n_leaves > 4
    assert last.first(None).n_leaves > 2


def test_only_the_first_run_keeps_what_it_grew(iris: Table) -> None:
    last = held(iris, EnsembleSettings(n_members=2))[-1]
    assert all((run.ensemble is not None) == (run.number == 0) for run in last.runs if run.method is not None)


def test_an_ensemble_that_ended_early_keeps_its_last_error_in_the_mean() -> None:
    table = engine.read_table("datasets/files/play_tennis.csv", target="play", ignore=("day",))
    settings = EnsembleSettings(
        method=EnsembleMethod.ADABOOST, n_members=20, growth=engine.GrowthSettings.cart(max_depth=6)
    )
    last = held(table, settings, 3)[-1]
    runs = last.of(EnsembleMethod.ADABOOST)
    mean = last.errors(EnsembleMethod.ADABOOST, "holdout")
    assert mean is not None
    assert len(mean) == max(len(run.holdout) for run in runs)
    assert mean[-1] == pytest.approx(np.mean([run.holdout[-1] for run in runs]))


@pytest.mark.parametrize("method", list(EnsembleMethod))
def test_the_course_of_a_row_ends_with_what_the_ensemble_says_of_it(iris: Table, method: EnsembleMethod) -> None:
    ensemble = grow_ensemble(iris, EnsembleSettings(method=method, n_members=3))
    row = iris.take(np.array([70]), recount=False)
    said = course(ensemble, row)
    assert said.shape == (ensemble.n_rounds + 1, 3)
    assert said[-1] == pytest.approx(ensemble.predict_proba(frame_of(row))[0])
    assert said.sum(axis=1) == pytest.approx(1)
