"""Random features added to a table: errors rise, most of a forest that draws few features at a split."""

from __future__ import annotations

import numpy as np
import pytest

import engine
from engine import EnsembleSettings, GrowthSettings
from engine.ensembles import RandomPoint, random_features
from engine.ensembles.dimensions import with_random_features
from tests.engine.ensembles.cases import table
from tests.engine.tables import make_table


def points(name: str, settings: EnsembleSettings, **others: object) -> tuple[RandomPoint, ...]:
    *_, last = random_features(table(name), settings, **others)
    return last.points


def test_without_random_features_the_errors_are_those_of_the_table() -> None:
    of, settings = table("iris"), EnsembleSettings(method="forest", n_members=4)
    (found,) = points("iris", settings, numbers=(0,), seeds=(3,))
    training, tested = engine.split_holdout(of, 0.3, 3)
    assert found.ensemble_error == engine.grow_ensemble(training, settings).staged_errors(tested)[-1]
    assert found.tree_error == pytest.approx(engine.metrics.error(engine.grow(training, settings.growth).tree, tested))
    assert (found.tree_share, found.ensemble_share) == (0, 0)


def test_random_features_mislead_a_forest_that_draws_them_more_than_a_tree() -> None:
    numbers = np.random.default_rng(0).random((2, 150))
    cells = {"x": numbers[0].tolist(), "y": numbers[1].tolist()}
    of = make_table(cells, ["above" if total > 1 else "below" for total in numbers.sum(axis=0)])
    *_, last = random_features(of, EnsembleSettings(method="forest", n_members=20), numbers=(0, 60), seeds=(0, 1, 2))
    few, many = ([p for p in last.points if p.n_added == number] for number in (0, 60))
    rise = {
        name: np.mean([getattr(p, name) for p in many]) - np.mean([getattr(p, name) for p in few])
        for name in ("tree_error", "ensemble_error")
    }
    assert 0 < rise["tree_error"] < rise["ensemble_error"]
    assert all(0 < p.tree_share < p.ensemble_share < 1 for p in many)


def test_it_is_told_after_every_member_and_comes_out_the_same_again() -> None:
    settings = EnsembleSettings(method="adaboost", n_members=2)
    told = list(random_features(table("play_tennis"), settings, numbers=(0, 3), seeds=(0,)))
    assert [now.share for now in told] == sorted(now.share for now in told) and told[-1].share == 1
    assert [now.n_runs for now in told] == [2] * len(told)
    again = list(random_features(table("play_tennis"), settings, numbers=(0, 3), seeds=(0,)))
    assert again[-1].points == told[-1].points


def test_the_columns_of_a_smaller_number_are_among_those_of_a_greater() -> None:
    of, drawn = table("iris"), np.random.default_rng(0).random((3, 150))
    few, many = with_random_features(of, drawn[:1]), with_random_features(of, drawn)
    assert np.array_equal(few.columns[4], many.columns[4])
    assert [feature.name for feature in many.features[4:]] == ["random 1", "random 2", "random 3"]


def test_a_feature_that_is_called_random_already_keeps_its_name() -> None:
    of = make_table({"random 1": [1.0, 2.0], "further random 7": [1.0, 2.0]}, ["a", "b"])
    names = [feature.name for feature in with_random_features(of, np.zeros((1, 2))).features]
    assert names == ["random 1", "further random 7", "further further random 1"]


def test_missing_values_and_printed_draws_are_no_hindrance() -> None:
    settings = EnsembleSettings(n_members=2, growth=GrowthSettings.cart(missing="fractional"), draws=((0, 1, 2),))
    assert np.isfinite(points("airquality", settings, numbers=(2,), seeds=(0,))[0].ensemble_error)


def test_what_cannot_be_is_refused_in_a_sentence() -> None:
    with pytest.raises(engine.SettingsError, match="got -1, give at least 0"):
        next(random_features(table("iris"), EnsembleSettings(), numbers=(-1,)))
    with pytest.raises(engine.SettingsError, match="leaves no test row"):
        next(random_features(make_table({"x": [1.0]}, ["a"]), EnsembleSettings(), numbers=(0,)))
