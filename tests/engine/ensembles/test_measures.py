"""Margins, importance, correlation, one query followed, and the spread over resamples."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine import EnsembleMethod, EnsembleSettings, GrowthSettings
from engine.ensembles import (
    across_max_features,
    ensemble_importance,
    follow,
    margins,
    mean_correlation,
    member_correlation,
    numbers_to_draw,
    resampled,
    resampling,
    spread_of,
    sweeping,
)
from engine.ensembles.spread import variance_of_answers
from engine.frames import frame_of
from engine.importance import impurity_importance
from tests.engine.ensembles.cases import grown, table
from tests.engine.tables import make_table


def test_a_margin_of_adaboost_is_the_vote_for_the_truth_less_that_against_it() -> None:
    of = table("breast_cancer")
    ensemble = grown(of, method="adaboost", n_members=8)
    sign = 2.0 * of.target_values - 1
    votes = sum((m.confidence or 0) * sign * (2.0 * m.answers - 1) for m in ensemble.members)
    total = sum(m.confidence or 0 for m in ensemble.members)
    assert margins(ensemble) == pytest.approx(votes / total)
    assert margins(ensemble, of) == pytest.approx(margins(ensemble))


@pytest.mark.parametrize("method", list(EnsembleMethod))
def test_a_margin_is_positive_where_the_answer_is_right(method: EnsembleMethod) -> None:
    of = table("wine")
    ensemble = grown(of, method=method, n_members=7)
    right = ensemble.poll().predictions == of.target_values
    found = margins(ensemble)
    assert np.all(found[right] >= 0) and np.all(found[~right] <= 0)
    assert np.abs(found).max() <= 1 + 1e-12


def test_a_row_of_an_unknown_class_has_no_vote_for_it() -> None:
    of = table("play_tennis")
    frame = frame_of(of).astype(str).assign(play="maybe")
    found = margins(grown(of, n_members=3), engine.read_table(frame, target="play"))
    assert np.all(found < 0)


def test_a_number_has_no_margins() -> None:
    with pytest.raises(engine.QueryError, match="margins are defined for classes"):
        margins(grown("diabetes_progression", n_members=1))


def test_importance_is_the_mean_of_the_members() -> None:
    ensemble = grown("wine", n_members=6)
    alone = [impurity_importance(member.growth.tree) for member in ensemble.members]
    assert ensemble_importance(ensemble) == pytest.approx(np.mean(alone, axis=0))


def test_importance_finds_the_features_that_matter() -> None:
    rng = np.random.default_rng(0)
    noise = rng.normal(size=(3, 120))
    cells = {f"x{i}": noise[i].tolist() for i in range(3)}
    of = make_table(cells, ["yes" if value > 0 else "no" for value in noise[1]])
    for method in EnsembleMethod:
        found = ensemble_importance(grown(of, method=method, n_members=5))
        assert found.argmax() == 1 and found.sum() == pytest.approx(1)


def test_importance_of_features_drawn_for_a_member_goes_to_the_right_columns() -> None:
    ensemble = grown("wine", method="forest", n_members=1, features_per="member", max_features=2)
    drawn = ensemble.members[0].features or ()
    assert set(np.flatnonzero(ensemble_importance(ensemble))) <= set(drawn)


def test_an_ensemble_of_leaves_has_no_importance() -> None:
    ensemble = grown("iris", n_members=2, growth=GrowthSettings.cart(max_depth=0))
    assert ensemble_importance(ensemble).tolist() == [0, 0, 0, 0]


def test_correlation_of_two_classes_is_that_of_zeros_and_ones() -> None:
    ensemble = grown("breast_cancer", method="adaboost", n_members=5)
    said = np.array([member.answers for member in ensemble.members], dtype=float)
    assert member_correlation(ensemble) == pytest.approx(np.corrcoef(said))


def test_correlation_of_a_number_is_pearsons() -> None:
    of = table("diabetes_progression")
    ensemble = grown(of, n_members=4)
    found = member_correlation(ensemble, of)
    assert found == pytest.approx(np.corrcoef(np.array([member.answers for member in ensemble.members])))
    pairs = found[np.triu_indices(4, 1)]
    assert mean_correlation(ensemble, of) == pytest.approx(pairs.mean())


def test_a_member_that_never_changes_its_answer_is_correlated_with_none() -> None:
    ensemble = grown("iris", n_members=3, growth=GrowthSettings.cart(max_depth=0))
    assert member_correlation(ensemble).tolist() == np.eye(3).tolist()


def test_one_member_has_no_mean_correlation() -> None:
    assert mean_correlation(grown("iris", n_members=1)) is None
    assert member_correlation(grown("iris", n_members=1).at(0)).shape == (0, 0)


def test_fewer_features_make_the_members_less_alike() -> None:
    training, rest = engine.split_holdout(table("breast_cancer"), 0.3)
    few, all_ = across_max_features(training, EnsembleSettings(method="forest", n_members=12), (1, 30), rest)
    assert few.correlation is not None and all_.correlation is not None
    assert few.correlation < all_.correlation
    assert few.max_features == 1 and (few.importance > 0).sum() > (all_.importance > 0).sum()
    assert few.strength is not None and all_.strength is not None and few.strength < all_.strength
    assert few.error <= few.member_error


def test_a_sweep_is_told_after_every_member_and_ends_with_every_number() -> None:
    of = table("iris")
    told = list(sweeping(of, EnsembleSettings(method="forest", n_members=3), (1, 4), of))
    shares = [now.share for now in told]
    assert shares == sorted(shares) and shares[-1] == 1
    assert [len(now.draws) for now in told] == [0, 0, 0, 0, 1, 1, 1, 1, 1, 2]
    last = grown(of, method="forest", n_members=3, max_features=4)
    measured = told[-1].draws[1]
    assert measured.error == last.staged_errors(of)[-1]
    assert measured.member_error == pytest.approx(np.mean([m.answers != of.target_values for m in last.members]))
    assert measured.correlation == pytest.approx(mean_correlation(last, of))
    assert measured.strength == pytest.approx(margins(last).mean())


def test_a_sweep_of_a_number_has_squared_errors_and_no_strength() -> None:
    of = table("diabetes_progression")
    (found,) = across_max_features(of, EnsembleSettings(method="forest", n_members=2), (3,), of)
    assert found.strength is None and found.member_error > found.error > 0


@given(st.integers(1, 300), st.integers(2, 20))
def test_numbers_to_draw_go_from_one_to_all(n_features: int, most: int) -> None:
    found = numbers_to_draw(n_features, most)
    assert found[0] == 1 and found[-1] == n_features and list(found) == sorted(set(found))
    assert len(found) <= most + 1


@pytest.mark.parametrize("method", list(EnsembleMethod))
def test_a_row_followed_ends_with_the_ensembles_answer(method: EnsembleMethod) -> None:
    of = table("play_tennis")
    ensemble = grown(of, method=method, n_members=5)
    frame = frame_of(of).head(1)
    says = follow(ensemble, frame)
    assert [say.member for say in says] == list(range(len(ensemble.members)))
    assert says[-1].answer == ensemble.predict(frame)[0]
    for k, say in enumerate(says, start=1):
        assert list(say.shares.values()) == pytest.approx(ensemble.at(k).predict_proba(frame)[0])
        assert say.own.path[0] == 0
        assert say.totals == pytest.approx(ensemble.at(k).poll(ensemble.rows_of(frame)).totals[0])
    if method is EnsembleMethod.ADABOOST:
        assert [say.weight for say in says] == [member.confidence for member in ensemble.members]


def test_a_row_with_a_number_to_predict_adds_up() -> None:
    of = table("diabetes_progression")
    ensemble = grown(of, method="gradient_boosting", n_members=6)
    says = follow(ensemble, frame_of(of).iloc[[7]])
    reached = of.target_values.mean() + np.cumsum([say.weight * float(say.own.prediction) for say in says])
    assert [say.answer for say in says] == pytest.approx(reached)
    assert all(say.shares == {} for say in says)


def test_more_than_one_row_cannot_be_followed() -> None:
    with pytest.raises(engine.QueryError, match="one row is followed at a time, got 2"):
        follow(grown("play_tennis", n_members=1), frame_of(table("play_tennis")).head(2))


@pytest.mark.parametrize("name", ["iris", "airquality"])
def test_an_ensemble_changes_less_than_a_tree_from_one_resample_to_the_next(name: str) -> None:
    of = table(name)
    found = spread_of(resampled(of, EnsembleSettings(method="forest", n_members=15), 6), of)
    assert found.of_tree.shape == found.of_ensemble.shape == (6, of.n_rows)
    assert found.ensemble_variance.mean() < found.tree_variance.mean()


def test_resamples_are_those_of_the_seed_and_their_trees_can_be_opened() -> None:
    of, settings = table("play_tennis"), EnsembleSettings(n_members=2)
    first, again = list(resampled(of, settings, 3)), list(resampled(of, settings, 3))
    for one, other in zip(first, again, strict=True):
        assert np.array_equal(one.rows, other.rows)
        assert np.array_equal(one.ensemble.predictions, other.ensemble.predictions)
    assert not np.array_equal(first[0].rows, first[1].rows)
    assert len(first[0].growth) > 1


def test_resampling_is_told_after_every_member_of_the_whole_and_of_each_resample() -> None:
    of, settings = table("play_tennis"), EnsembleSettings(n_members=2)
    told = list(resampling(of, settings, 2))
    assert [now.share for now in told] == pytest.approx([n / 6 for n in (1, 2, 2, 3, 4, 4, 4, 5, 6, 6, 6)])
    assert [len(now.resamples) for now in told] == [0] * 6 + [1] * 4 + [2]
    assert told[-1].whole.predictions.tolist() == grown(of, n_members=2).predictions.tolist()


def test_the_one_tree_of_a_resample_is_grown_from_each_of_its_rows_with_all_features() -> None:
    of = table("wine")
    growth = GrowthSettings.cart(max_features=2, max_depth=3)
    one = next(resampled(of, EnsembleSettings(method="forest", n_members=2, growth=growth), 1))
    alone = engine.grow(of.take(one.rows), GrowthSettings.cart(max_depth=3))
    assert one.growth.tree.nodes.threshold == pytest.approx(alone.tree.nodes.threshold, nan_ok=True)
    assert one.ensemble.settings.n_features_drawn(of) == 2


def test_errors_of_a_spread_are_those_of_each_tree_and_each_ensemble() -> None:
    training, rest = engine.split_holdout(table("iris"), 0.3)
    resamples = list(resampled(training, EnsembleSettings(n_members=3), 3))
    found = spread_of(resamples, rest)
    assert found.ensemble_errors == pytest.approx([one.ensemble.staged_errors(rest)[-1] for one in resamples])
    assert found.tree_errors == pytest.approx([one.tree.staged_errors(rest)[-1] for one in resamples])
    number = table("diabetes_progression")
    resamples = list(resampled(number, EnsembleSettings(method="gradient_boosting", n_members=3), 2))
    found = spread_of(resamples, number)
    assert found.ensemble_errors == pytest.approx([one.ensemble.staged_errors(number)[-1] for one in resamples])


@pytest.mark.parametrize("missing", ["drop", "fractional", "own_branch", "most_common"])
def test_tables_that_lack_values_are_resampled(missing: str) -> None:
    of = table("airquality")
    settings = EnsembleSettings(n_members=2, growth=GrowthSettings.cart(missing=missing, max_depth=3))
    found = spread_of(resampled(of, settings, 2), of)
    assert np.isfinite(found.of_tree).all() and np.isfinite(found.of_ensemble).all()


def test_boosting_of_classes_is_resampled_beside_a_tree_of_classes() -> None:
    growth = GrowthSettings.cart(criterion="variance")
    settings = EnsembleSettings(method="gradient_boosting", n_members=2, growth=growth)
    found = spread_of(resampled(table("iris"), settings, 2), table("iris"))
    assert set(np.unique(found.of_tree).tolist()) == {0, 1, 2}


def test_variance_of_numbers_is_the_sample_variance_and_of_classes_the_share_of_pairs_that_disagree() -> None:
    assert variance_of_answers(np.array([[1.0], [3.0]]), 0).tolist() == [2.0]
    assert variance_of_answers(np.array([[1.0]]), 0).tolist() == [0.0]
    assert variance_of_answers(np.array([[0], [1], [2], [2]]), 3).tolist() == pytest.approx([5 / 6])
