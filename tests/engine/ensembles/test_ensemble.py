"""An ensemble as a trace: steps, sums so far, errors, determinism, progress, and tables at the edge."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import BrokenExecutor
from pathlib import Path

import joblib
import numpy as np
import pytest

import engine
from engine import EnsembleEvent, EnsembleMethod, EnsembleSettings, GrowthSettings
from engine.ensembles import EndReason
from engine.ensembles.workers import n_workers
from engine.frames import frame_of
from tests.engine.ensembles.cases import grown, table
from tests.engine.tables import make_table

METHODS = list(EnsembleMethod)


def thresholds(ensemble: engine.Ensemble) -> list[list[float]]:
    return [np.nan_to_num(member.nodes.threshold).tolist() for member in ensemble.members]


@pytest.mark.parametrize("method", METHODS)
def test_step_0_is_the_start_and_each_step_after_it_adds_a_member(method: EnsembleMethod) -> None:
    ensemble = grown("iris", method=method, n_members=3)
    assert len(ensemble) == 1 + len(ensemble.members)
    assert (ensemble[0].event, ensemble[0].member) == (EnsembleEvent.STARTED, None)
    for number, member in enumerate(ensemble.members):
        step = ensemble[number + 1]
        assert (step.index, step.event, step.node) == (number + 1, EnsembleEvent.MEMBER, number)
        assert step.member is member and member.index == number
        assert step.sum.members == ensemble.members[: number + 1]
    assert ensemble[-1].sum is ensemble
    with pytest.raises(IndexError):
        ensemble[len(ensemble)]


@pytest.mark.parametrize("method", METHODS)
def test_the_sum_after_a_step_is_the_smaller_ensemble(method: EnsembleMethod) -> None:
    of = table("iris")
    ensemble = grown(of, method=method, n_members=4)
    smaller = grown(of, method=method, n_members=2)
    k = len(smaller.members)
    assert ensemble[k].sum.predict(frame_of(of)).tolist() == smaller.predict(frame_of(of)).tolist()
    assert ensemble.staged_errors(of)[: smaller.n_rounds].tolist() == smaller.staged_errors(of).tolist()


@pytest.mark.parametrize("method", METHODS)
def test_before_any_member_the_most_frequent_class_or_the_mean_is_predicted(method: EnsembleMethod) -> None:
    of = table("play_tennis")
    assert set(grown(of, method=method).at(0).predict(frame_of(of))) == {"yes"}
    if method is not EnsembleMethod.ADABOOST:
        number = table("diabetes_progression")
        start = grown(number, method=method, n_members=1).at(0)
        assert start.predict(frame_of(number)) == pytest.approx(number.target_values.mean())


@pytest.mark.parametrize("method", METHODS)
def test_the_same_seed_gives_the_same_members_and_another_seed_others(method: EnsembleMethod) -> None:
    settings = {"method": method, "n_members": 3, "resample": True, "subsample": 0.7}
    first, again = grown("wine", **settings), grown("wine", **settings)
    assert thresholds(first) == thresholds(again)
    assert thresholds(first) != thresholds(grown("wine", seed=1, **settings))
    by_growth = grown("wine", growth=GrowthSettings.cart(seed=1), **settings)
    assert thresholds(by_growth) == thresholds(grown("wine", seed=1, **settings))


@pytest.mark.parametrize("method", METHODS)
def test_a_member_does_not_depend_on_how_many_follow(method: EnsembleMethod) -> None:
    few, more = grown("iris", method=method, n_members=2), grown("iris", method=method, n_members=5)
    assert thresholds(few) == thresholds(more)[: len(few.members)]


def test_worker_processes_grow_the_same_members() -> None:
    of = table("airquality")
    settings = EnsembleSettings(method="forest", n_members=9)
    alone = engine.grow_ensemble(of, settings, n_jobs=1)
    together = engine.grow_ensemble(of, settings, n_jobs=2)
    assert thresholds(alone) == thresholds(together)
    assert np.array_equal(alone.predictions, together.predictions)
    assert together.members[3].growth.evidence(0)[0] == alone.members[3].growth.evidence(0)[0]


def test_joblibs_backend_decides_where_the_workers_are() -> None:
    of, settings = table("iris"), EnsembleSettings(n_members=4)
    with joblib.parallel_config(backend="threading"):
        threaded = engine.grow_ensemble(of, settings, n_jobs=2)
    assert thresholds(threaded) == thresholds(engine.grow_ensemble(of, settings, n_jobs=1))


def test_little_work_stays_in_this_process() -> None:
    of = table("iris")
    assert n_workers(of, 100) == 1
    assert n_workers(of, 10_000) == joblib.effective_n_jobs(-1)


def test_a_worker_that_is_killed_leaves_its_members_to_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: joblib.Parallel, tasks: object) -> None:
        raise BrokenExecutor("killed")

    monkeypatch.setattr(joblib.Parallel, "__call__", broken)
    of, settings = table("iris"), EnsembleSettings(n_members=4)
    ensemble = engine.grow_ensemble(of, settings, n_jobs=2)
    assert thresholds(ensemble) == thresholds(engine.grow_ensemble(of, settings, n_jobs=1))


def test_another_process_gives_the_same_ensembles() -> None:
    code = (
        "import engine; t = engine.read_table('datasets/files/iris.csv', target='target')\n"
        "for method in engine.EnsembleMethod:\n"
        "    s = engine.EnsembleSettings(method=method, n_members=3, seed=5, resample=True, subsample=0.5)\n"
        "    print([m.nodes.threshold.tolist() for m in engine.grow_ensemble(t, s).members])"
    )
    root = Path(__file__).parents[3]
    found = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    for method, said in zip(METHODS, found.stdout.splitlines(), strict=True):
        own = grown("iris", method=method, n_members=3, seed=5, resample=True, subsample=0.5)
        assert said == str([member.nodes.threshold.tolist() for member in own.members])


@pytest.mark.parametrize("method", METHODS)
def test_progress_is_told_after_every_member_and_can_stop(method: EnsembleMethod) -> None:
    told: list[tuple[int, int]] = []

    def stop_at_two(done: int, planned: int) -> bool:
        told.append((done, planned))
        return done < 2

    settings = EnsembleSettings(method=method, n_members=5)
    ensemble = engine.grow_ensemble(table("iris"), settings, progress=stop_at_two)
    assert told == [(1, 5), (2, 5)]
    assert ensemble.n_rounds == 2 and len(ensemble.members) == 2 * ensemble.n_trees_a_round
    assert ensemble.ending is not None and ensemble.ending.reason is EndReason.STOPPED
    assert ensemble.notes == ("Stopped: 2 of 5 members.",)


def test_stopping_ends_the_workers_too() -> None:
    settings = EnsembleSettings(n_members=40)
    ensemble = engine.grow_ensemble(table("iris"), settings, progress=lambda done, _: done < 3, n_jobs=2)
    assert len(ensemble.members) == 3


def test_progress_that_says_nothing_stops_nothing() -> None:
    settings = EnsembleSettings(n_members=3)
    assert len(engine.grow_ensemble(table("iris"), settings, progress=lambda *_: None).members) == 3


def test_errors_on_other_rows_find_columns_and_classes_by_name() -> None:
    of = table("play_tennis")
    ensemble = grown(of, n_members=5)
    frame = frame_of(of).astype(str).assign(play=[of.target_value(row) for row in range(14)])
    other = engine.read_table(frame.iloc[::-1, ::-1].head(6).reset_index(drop=True), target="play")
    expected = [
        np.mean(ensemble.at(k).predictions[8:] != [of.target_value(r) for r in range(8, 14)]) for k in range(1, 6)
    ]
    assert ensemble.staged_errors(other) == pytest.approx(expected)


def test_rows_of_an_unknown_class_are_always_wrong() -> None:
    of = table("play_tennis")
    frame = frame_of(of).astype(str).assign(play="maybe")
    assert grown(of, n_members=3).staged_errors(engine.read_table(frame, target="play")).tolist() == [1, 1, 1]


def test_rows_with_another_target_or_none_at_all_are_refused() -> None:
    ensemble = grown("iris", n_members=2)
    with pytest.raises(engine.QueryError, match="as their target"):
        ensemble.staged_errors(table("play_tennis"))
    with pytest.raises(engine.QueryError, match="no rows to measure an error on"):
        ensemble.staged_errors(table("iris").take(np.arange(0)))


def test_only_features_that_are_tested_must_be_there() -> None:
    of = table("iris")
    ensemble = grown(of, growth=GrowthSettings.stump(), n_members=3)
    names = [of.features[i].name for i in sorted(ensemble.tested)]
    assert len(names) < 4
    frame = frame_of(of)
    assert ensemble.predict(frame[names]).tolist() == ensemble.predict(frame).tolist()
    with pytest.raises(engine.QueryError, match="no column"):
        ensemble.predict(frame.drop(columns=names[0]))


def test_the_validation_curve_is_that_of_the_rows_set_aside() -> None:
    training, validation = engine.split_holdout(table("wine"), 0.3)
    ensemble = engine.grow_ensemble(training, EnsembleSettings(n_members=4), validation=validation)
    assert ensemble.validation_curve is not None
    assert ensemble.validation_curve.errors[1:] == pytest.approx(ensemble.staged_errors(validation))
    assert grown("wine", n_members=1).validation_curve is None


def test_rows_that_lack_a_value_can_be_left_out_and_are_still_predicted() -> None:
    of = table("airquality")
    ensemble = grown(of, n_members=3, growth=GrowthSettings.cart(missing="drop"))
    kept = ensemble.base.kept
    assert kept is not None and ensemble.table.n_rows == len(kept) < of.n_rows
    assert len(ensemble.predictions) == of.n_rows
    assert np.isfinite(ensemble.predictions).all()
    assert ensemble.notes == (f"{of.n_rows - len(kept)} of {of.n_rows} rows lack a value and were left out.",)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("missing", ["fractional", "own_branch", "most_common", "drop"])
def test_missing_values_of_categories_and_numbers_are_seen_to(method: EnsembleMethod, missing: str) -> None:
    of = table("congress_votes") if missing == "drop" else table("labor")
    ensemble = grown(of, method=method, n_members=4, growth=GrowthSettings.cart(missing=missing))
    assert len(ensemble.predictions) == of.n_rows
    assert ensemble.staged_errors(ensemble.table)[-1] <= 0.2


@pytest.mark.parametrize("method", METHODS)
def test_one_member_and_one_row_are_enough(method: EnsembleMethod) -> None:
    ensemble = grown(make_table({"x": [1.0], "c": ["a"]}, ["yes"]), method=EnsembleMethod.BAGGING, n_members=1)
    assert ensemble.predictions.tolist() == ["yes"]
    assert len(grown("iris", method=method, n_members=1).staged_errors(table("iris"))) == 1


@pytest.mark.parametrize("method", METHODS)
def test_five_hundred_members_are_told_one_by_one(method: EnsembleMethod) -> None:
    of = table("play_tennis")
    ensemble = grown(of, method=method, n_members=500, growth=GrowthSettings.cart(max_depth=1))
    assert len(ensemble.members) == 500 or ensemble.notes
    assert len(ensemble.staged_errors(of)) == ensemble.n_rounds
    assert np.isfinite(ensemble.poll().totals).all()


def test_an_empty_table_or_one_without_features_is_refused() -> None:
    of = table("iris")
    with pytest.raises(engine.TableError, match="no rows with a target"):
        grown(of.take(np.arange(0)))
    with pytest.raises(engine.TableError, match="no features"):
        grown(of.only([]))


@pytest.mark.parametrize("method", ["bagging", "forest", "gradient_boosting"])
def test_numbers_without_squares_are_refused(method: str) -> None:
    of = make_table({"x": [1.0, 2.0]}, [-1.5e200, 1.5e200])
    with pytest.raises(engine.TableError, match="so far apart that their squares have no number"):
        grown(of, method=method)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"method": "stacking"}, "method must be one of bagging, forest, adaboost, gradient_boosting, got 'stacking'"),
        ({"features_per": "tree"}, "features_per must be one of split, member"),
        ({"n_members": 0}, "n_members must be at least 1, got 0"),
        ({"n_members": 10**6}, "n_members must be at most 10,000, got 1,000,000"),
        ({"n_members": 2.5}, "n_members must be a whole number, got 2.5"),
        ({"max_features": 0}, "max_features must be at least 1"),
        ({"seed": -1}, "seed must be at least 0"),
        ({"learning_rate": 0}, "learning_rate must be a number above 0"),
        ({"learning_rate": float("nan")}, "learning_rate must be a number above 0"),
        ({"subsample": 1.5}, "subsample must be a number above 0, at most 1, got 1.5"),
        ({"growth": GrowthSettings.cart(holdout_stop=True)}, "holdout_stop is not defined for the members"),
        ({"growth": GrowthSettings.cart(criterion="variance")}, "variance is not defined for classes"),
    ],
)
def test_settings_out_of_range_are_refused_in_a_sentence(settings, words: str) -> None:
    with pytest.raises(engine.SettingsError, match=words):
        grown("iris", **settings)


def test_settings_can_be_the_key_of_a_cache() -> None:
    one = EnsembleSettings(draws=[[0, 1]], growth=GrowthSettings.cart())
    assert one == EnsembleSettings(draws=((0, 1),)) and hash(one) == hash(EnsembleSettings(draws=((0, 1),)))


@pytest.mark.parametrize(
    ("method", "growth", "depth"),
    [
        ("bagging", GrowthSettings.cart(), None),
        ("adaboost", GrowthSettings.cart(), 1),
        ("adaboost", GrowthSettings.cart(max_depth=2), 2),
        ("gradient_boosting", GrowthSettings.cart(), 3),
        ("gradient_boosting", GrowthSettings.stump(), None),
    ],
)
def test_a_depth_that_is_not_given_is_the_methods(method: str, growth: GrowthSettings, depth: int | None) -> None:
    assert EnsembleSettings(method=method, growth=growth).member_growth.max_depth == depth
