"""Bagging and forests: samples, draws of features, votes, and what is out of bag."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine import FeaturesPer, GrowthSettings
from engine.ensembles.draws import bootstrap, generator
from engine.frames import frame_of
from tests.engine.ensembles.cases import grown, table
from tests.engine.tables import make_table, tables


def test_a_sample_has_as_many_rows_as_the_table_and_leaves_some_out() -> None:
    ensemble = grown("iris", n_members=50)
    for member in ensemble.members:
        assert member.sample is not None and len(member.sample) == 150
        assert np.all(np.diff(member.sample) >= 0)
    left_out = [np.mean(member.times_drawn == 0) for member in ensemble.members]
    assert np.mean(left_out) == pytest.approx(np.exp(-1), abs=0.02)


def test_a_member_is_the_growth_of_its_sample() -> None:
    of = table("wine")
    for member in grown(of, n_members=4).members:
        assert member.sample is not None
        alone = engine.grow(of.take(member.sample), member.plan.settings)
        assert np.array_equal(alone.tree.nodes.counts, member.growth.tree.nodes.counts)
        assert np.array_equal(alone.tree.nodes.feature, member.nodes.feature)
        assert len(alone) == len(member.growth)
        assert [step.event for step in alone] == [step.event for step in member.growth]


def test_counts_are_multiplicities_of_the_rows() -> None:
    member = grown("iris", n_members=1).members[0]
    assert member.nodes.counts[0].sum() == 150
    assert np.array_equal(np.sort(member.growth.table.row_numbers), member.sample)


def test_votes_and_their_errors_are_those_of_the_members() -> None:
    of = table("iris")
    ensemble = grown(of, n_members=15)
    votes = np.zeros((150, 3))
    for stage, member in enumerate(ensemble.members):
        said = member.growth.tree.predict(frame_of(of))
        votes += said[:, None] == np.array(of.target.classes, dtype=object)
        wrong = votes.argmax(axis=1) != of.target_values
        assert ensemble.staged_errors(of)[stage] == pytest.approx(wrong.mean())
    assert ensemble.predict_proba(frame_of(of)) == pytest.approx(votes / 15)
    assert ensemble.predict(frame_of(of)).tolist() == [of.target.classes[code] for code in votes.argmax(axis=1)]


def test_a_tied_vote_goes_to_the_first_class() -> None:
    of = make_table({"x": [1.0, 2.0, 3.0]}, ["b", "a", "b"])
    ensemble = grown(of, n_members=2, draws=((0, 0, 2), (1, 1, 1)))
    assert [member.n_leaves for member in ensemble.members] == [1, 1]
    assert ensemble.predictions.tolist() == ["a", "a", "a"]


def test_the_out_of_bag_error_is_that_of_members_which_did_not_see_the_row() -> None:
    of = table("iris")
    ensemble = grown(of, method="forest", n_members=12)
    curve = ensemble.out_of_bag_curve
    assert curve is not None
    for stage in range(1, 13):
        wrong = n_answered = 0
        for row in range(150):
            unseen = [m for m in ensemble.members[:stage] if m.times_drawn is not None and m.times_drawn[row] == 0]
            if unseen:
                votes = np.bincount([int(m.answers[row]) for m in unseen], minlength=3)
                n_answered += 1
                wrong += votes.argmax() != of.target_values[row]
        assert curve.n_answered[stage] == n_answered
        assert curve.errors[stage] == pytest.approx(wrong / n_answered)
    assert ensemble.out_of_bag_error == curve.errors[-1]


def test_the_out_of_bag_error_of_a_number_is_that_of_the_mean() -> None:
    of = table("airquality")
    ensemble = grown(of, n_members=10)
    asked = np.array([member.times_drawn == 0 for member in ensemble.members])
    said = np.array([member.answers for member in ensemble.members])
    some = asked.any(axis=0)
    means = (said * asked).sum(axis=0)[some] / asked.sum(axis=0)[some]
    assert ensemble.out_of_bag_error == pytest.approx(np.square(means - of.target_values[some]).mean())
    assert ensemble.predictions == pytest.approx(said.mean(axis=0))


def test_no_out_of_bag_error_where_every_row_was_drawn() -> None:
    of = make_table({"x": [1.0, 2.0]}, ["a", "b"])
    assert grown(of, n_members=1, draws=((0, 1),)).out_of_bag_error is None
    assert grown(of, n_members=1, draws=((0, 0),)).out_of_bag_error == 1.0
    assert grown(of, method="adaboost").out_of_bag_error is None


def test_bagging_and_a_forest_of_one_seed_have_the_same_samples() -> None:
    bagged, forest = grown("iris", n_members=3), grown("iris", method="forest", n_members=3)
    for one, other in zip(bagged.members, forest.members, strict=True):
        assert np.array_equal(one.sample, other.sample)


def test_a_forest_draws_the_root_of_the_number_of_features_at_each_split() -> None:
    ensemble = grown("wine", method="forest", n_members=2)
    growth = ensemble.members[0].growth
    assert growth.rules.max_features == 3
    listed = [{c.feature for c in growth.candidates(node)} for node in range(len(growth.tree.nodes))]
    assert all(len(features) >= 3 or not features for features in listed)
    assert len({frozenset(features) for features in listed if features}) > 1


def test_features_drawn_for_a_member_are_the_only_ones_it_asks() -> None:
    of = table("breast_cancer")
    ensemble = grown(of, method="forest", n_members=6, features_per="member", max_features=4)
    drawn = [member.features for member in ensemble.members]
    assert all(
        features is not None and len(features) == 4 and features == tuple(sorted(features)) for features in drawn
    )
    assert len(set(drawn)) > 1
    for member in ensemble.members:
        names = [of.features[i].name for i in member.features or ()]
        assert [feature.name for feature in member.growth.table.features] == names
        assert set(np.unique(member.model.nodes.feature).tolist()) <= {-1, *(member.features or ())}
        frame = frame_of(of)
        assert member.growth.tree.predict(frame[names]).tolist() == [of.target.classes[c] for c in member.answers]


def test_costs_of_features_that_a_member_does_not_have_are_left_out() -> None:
    growth = GrowthSettings.cart(costs={"outlook": 2.0, "wind": 3.0})
    ensemble = grown("play_tennis", growth=growth, max_features=1, features_per=FeaturesPer.MEMBER, n_members=6)
    assert len({member.features for member in ensemble.members}) > 1


def test_all_features_are_drawn_for_bagging_and_a_member_then_has_none_listed() -> None:
    assert all(member.features is None for member in grown("iris", n_members=2, features_per="member").members)


def test_a_sample_of_one_class_is_a_leaf() -> None:
    of = make_table({"x": [1.0, 2.0, 3.0]}, ["a", "b", "b"])
    ensemble = grown(of, n_members=2, draws=((1, 1, 2), (0, 0, 0)))
    assert [member.n_leaves for member in ensemble.members] == [1, 1]
    assert [member.error for member in ensemble.members] == pytest.approx([1 / 3, 2 / 3])


def test_empty_leaves_answer_with_their_parents_majority() -> None:
    ensemble = grown("play_tennis", growth=GrowthSettings.id3(), n_members=20)
    empty = [m for m in ensemble.members if (m.nodes.size == 0).any()]
    assert empty
    for member in empty:
        for node in np.flatnonzero(member.nodes.size == 0):
            assert member.nodes.prediction[node] == member.nodes.prediction[member.nodes.parent[node]]


def test_a_draw_of_rows_that_are_not_there_is_refused() -> None:
    with pytest.raises(engine.SettingsError, match="positions of rows, from 0 to 149, got row 150"):
        grown("iris", draws=((0, 150),))


@given(st.integers(0, 5), st.integers(1, 40))
def test_a_bootstrap_sample_is_drawn_from_all_rows(seed: int, n_rows: int) -> None:
    sample = bootstrap(generator(engine.EnsembleSettings(seed=seed), 3), n_rows)
    assert len(sample) == n_rows and sample.min() >= 0 and sample.max() < n_rows


@given(tables(numbers=True, missing=True), st.sampled_from(["bagging", "forest"]), st.data())
def test_any_table_can_be_bagged(of, method: str, data) -> None:
    missing = data.draw(st.sampled_from(["fractional", "own_branch", "most_common"]))
    algorithm = data.draw(st.sampled_from(["cart", "id3"] + (["c45"] if of.n_classes else [])))
    growth = GrowthSettings(algorithm=algorithm, missing=missing)
    ensemble = grown(of, method=method, n_members=4, growth=growth)
    said = np.array([member.answers for member in ensemble.members], dtype=np.float64)
    if of.n_classes:
        votes = np.stack([(said == code).sum(axis=0) for code in range(of.n_classes)])
        assert np.array_equal(ensemble.poll().predictions, votes.argmax(axis=0))
    else:
        assert np.allclose(ensemble.predictions, said.mean(axis=0))
    assert np.allclose(ensemble.staged_errors(of), ensemble.training_curve.errors[1:])
    frame = frame_of(of)
    for member in ensemble.members:
        alone = member.growth.tree.predict(frame)
        expected = [of.target.classes[c] for c in member.answers] if of.n_classes else member.answers
        assert np.array_equal(alone, expected) if of.n_classes else np.allclose(alone, expected)
