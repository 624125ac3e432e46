"""AdaBoost: weights, errors, confidences, and why it ends."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine import GrowthSettings
from engine.ensembles import EndReason
from engine.ensembles.adaboost import confidence, reweighted
from engine.frames import frame_of
from tests.engine.ensembles.cases import grown, stumps, table
from tests.engine.tables import make_table, tables


@pytest.mark.parametrize("n_classes", [2, 3, 5])
@pytest.mark.parametrize("error", [0.05, 0.2, 0.45])
def test_the_update_is_that_of_the_textbook(n_classes: int, error: float) -> None:
    weights = np.array([error / 2, error / 2, (1 - error) / 2, (1 - error) / 2])
    after = reweighted(weights, np.array([True, True, False, False]), confidence(error, n_classes))
    factor = (n_classes - 1) / (n_classes * error), 1 / (n_classes * (1 - error))
    assert after == pytest.approx(weights * np.array([factor[0], factor[0], factor[1], factor[1]]), abs=1e-15)


def test_after_the_update_two_classes_have_half_the_weight_on_the_mistakes() -> None:
    ensemble = grown("breast_cancer", method="adaboost", n_members=5)
    for one, after in zip(ensemble.members, ensemble.members[1:], strict=False):
        wrong = one.answers != ensemble.table.target_values
        assert after.weights is not None
        assert after.weights[wrong].sum() == pytest.approx(0.5, abs=1e-12)


def test_a_confidence_is_half_of_samme_and_scaled_by_the_learning_rate() -> None:
    assert confidence(0.2, 3) == pytest.approx((math.log(4) + math.log(2)) / 2)
    assert confidence(0.2, 3, 0.5) == pytest.approx(confidence(0.2, 3) / 2)


def test_errors_and_weights_are_those_of_the_members_answers() -> None:
    ensemble = grown("iris", method="adaboost", n_members=12)
    weights = np.full(150, 1 / 150)
    for member in ensemble.members:
        assert member.weights == pytest.approx(weights, abs=1e-15)
        wrong = member.answers != ensemble.table.target_values
        assert member.error == pytest.approx(weights[wrong].sum(), abs=1e-14)
        assert member.confidence == pytest.approx(confidence(member.error, 3))
        weights = reweighted(weights, wrong, member.confidence)


def test_a_member_is_the_growth_of_its_weights() -> None:
    of = table("wine")
    for member in grown(of, method="adaboost", n_members=4).members:
        alone = engine.grow(of, stumps(), row_weights=member.weights)
        assert np.array_equal(alone.tree.nodes.threshold, member.growth.tree.nodes.threshold, equal_nan=True)
        assert np.array_equal(alone.tree.nodes.counts, member.growth.tree.nodes.counts)
        assert [c.gain for c in alone.evidence(0)] == [c.gain for c in member.growth.evidence(0)]


def test_a_member_without_mistakes_is_kept_and_is_the_last() -> None:
    of = make_table({"x": [1.0, 2.0, 3.0, 4.0]}, ["no", "no", "yes", "yes"])
    ensemble = grown(of, method="adaboost", n_members=10)
    assert [member.error for member in ensemble.members] == [0.0]
    assert ensemble.members[0].confidence == pytest.approx(0.5 * math.log((1 - 1e-10) / 1e-10))
    assert ensemble.ending is not None and ensemble.ending.reason is EndReason.NO_MISTAKES
    assert ensemble.notes == ("Member 1 makes no mistake, so it is the last: 1 of 10 members.",)


def test_a_last_member_without_mistakes_ends_nothing_early() -> None:
    of = make_table({"x": [1.0, 2.0, 3.0, 4.0]}, ["no", "no", "yes", "yes"])
    assert grown(of, method="adaboost", n_members=1).notes == ()


def test_it_ends_before_a_member_that_is_no_better_than_guessing() -> None:
    of = make_table({"c": ["a", "b"] * 4}, ["no", "yes", "no", "yes", "no", "yes", "yes", "no"])
    ensemble = grown(of, method="adaboost", n_members=10)
    assert [member.error for member in ensemble.members] == [0.25]
    ending = ensemble.ending
    assert ending is not None and ending.reason is EndReason.NO_BETTER_THAN_GUESSING
    assert ending.rejected is not None and ending.rejected.error == pytest.approx(0.5)
    assert "no better than guessing among 2 classes (0.500): 1 of 10 members." in ensemble.notes[0]


def test_without_a_member_the_most_frequent_class_is_predicted_and_a_note_says_why() -> None:
    of = make_table({"c": ["a"] * 10}, ["yes"] * 5 + ["no"] * 5)
    ensemble = grown(of, method="adaboost", n_members=3)
    assert (ensemble.members, ensemble.staged_errors(of).tolist()) == ((), [])
    assert set(ensemble.predictions) == {"no"}
    assert "there is no member, and the most frequent class is predicted." in ensemble.notes[0]
    assert ensemble.predict_proba(frame_of(of)).tolist() == [[1.0, 0.0]] * 10


def test_a_tree_of_one_class_makes_no_mistake() -> None:
    ensemble = grown(make_table({"x": [1.0, 2.0]}, ["only", "only"]), method="adaboost")
    assert [member.error for member in ensemble.members] == [0.0]
    assert math.isfinite(ensemble.members[0].confidence or math.inf)


def test_resampling_draws_by_weight_and_keeps_the_weights_of_all_rows() -> None:
    of = table("breast_cancer")
    ensemble = grown(of, method="adaboost", n_members=6, resample=True)
    for member in ensemble.members:
        assert member.sample is not None and len(member.sample) == of.n_rows
        assert member.weights is not None and member.weights.sum() == pytest.approx(1)
        wrong = member.answers != of.target_values
        assert member.error == pytest.approx(member.weights[wrong].sum())
        alone = engine.grow(of.take(member.sample), stumps())
        assert alone.tree.nodes.threshold[0] == member.nodes.threshold[0]
    heavy = ensemble.members[1].weights
    assert heavy is not None
    hard = heavy > np.median(heavy) * 2
    drawn = ensemble.members[1].times_drawn
    assert drawn is not None and drawn[hard].mean() > 2 * drawn[~hard].mean()


def test_resampling_stands_a_sample_of_one_class() -> None:
    of = make_table({"x": [1.0, 2.0, 3.0]}, ["a", "a", "b"])
    member = grown(of, method="adaboost", n_members=3, resample=True, draws=((0, 0, 1),)).members[0]
    assert (member.n_leaves, round(member.error or 0, 3)) == (1, 0.333)


def test_class_weights_are_where_the_weights_start() -> None:
    of = table("play_tennis")
    weights = {"no": 9.0, "yes": 5.0}
    ensemble = grown(of, method="adaboost", growth=GrowthSettings.cart(class_weights=weights), n_members=1)
    first = ensemble.members[0].weights
    assert first is not None
    assert first[of.target_values == 0].sum() == pytest.approx(0.5)
    assert ensemble.members[0].growth.weights == pytest.approx(first)


@given(tables(min_rows=2), st.sampled_from([0.5, 1.0, 2.0]), st.booleans())
def test_errors_stay_below_guessing_and_weights_add_up_to_one(of, rate: float, resample: bool) -> None:
    ensemble = grown(of, method="adaboost", n_members=5, learning_rate=rate, resample=resample)
    for member in ensemble.members:
        assert member.weights is not None and member.weights.sum() == pytest.approx(1)
        assert member.error is not None and (member.error == 0 or member.error < 1 - 1 / of.n_classes)
        assert member.confidence is not None and 0 < member.confidence < math.inf
    assert len(ensemble.members) == 5 or ensemble.notes


def test_a_number_is_refused_with_what_to_choose_instead() -> None:
    with pytest.raises(engine.SettingsError, match="choose gradient_boosting, bagging or forest"):
        grown("diabetes_progression", method="adaboost")
