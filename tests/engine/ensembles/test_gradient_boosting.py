"""Gradient boosting: starts, residuals, leaf values, shrinkage, subsamples."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine import GrowthSettings
from engine.ensembles.gradient_boosting import initial
from engine.ensembles.polls import probabilities
from engine.frames import frame_of
from tests.engine.ensembles.cases import grown, stumps, table
from tests.engine.tables import make_table, tables

NUMBERS = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0]
TARGETS = [5.56, 5.7, 5.91, 6.4, 6.8, 7.05, 8.9, 8.7, 9.0, 9.05]


def ten_points() -> engine.Table:
    """The worked example of references: ten points and stumps, each added in full."""
    return make_table({"x": NUMBERS}, TARGETS)


def test_the_ten_point_example_has_its_cuts_and_squared_errors() -> None:
    ensemble = grown(
        ten_points(), method="gradient_boosting", n_members=4, learning_rate=1, growth=GrowthSettings.stump()
    )
    assert [member.nodes.threshold[0] for member in ensemble.members] == [6.5, 3.5, 6.5, 4.5]
    first = ensemble.at(1).poll().predictions
    assert (round(first[0], 4), round(first[-1], 4)) == (6.2367, 8.9125)
    errors = ensemble.training_curve.errors[1:] * 10
    assert errors == pytest.approx([1.9300, 0.8007, 0.4780, 0.3056], abs=6e-5)


def test_two_classes_start_at_the_log_odds_of_the_second() -> None:
    assert initial(table("play_tennis")) == pytest.approx((math.log(9 / 5),))
    assert grown("play_tennis", method="gradient_boosting").initial == pytest.approx(math.log(9 / 5))


def test_several_classes_start_at_sums_whose_probabilities_are_their_shares() -> None:
    of = table("wine")
    starts = grown(of, method="gradient_boosting", n_members=1).initial
    assert isinstance(starts, tuple) and sum(starts) == pytest.approx(0, abs=1e-12)
    assert probabilities(np.array([starts]))[0] == pytest.approx(np.bincount(of.target_values) / of.n_rows)


def test_other_methods_have_no_start() -> None:
    assert grown("iris", n_members=1).initial is None


def test_residuals_are_what_the_sum_so_far_leaves() -> None:
    of = table("diabetes_progression")
    ensemble = grown(of, method="gradient_boosting", n_members=5)
    for number, member in enumerate(ensemble.members):
        left = of.target_values - ensemble.at(number).poll().predictions
        assert member.residuals == pytest.approx(left, abs=1e-9)


def test_trees_of_one_round_are_fitted_to_residuals_of_the_round_before() -> None:
    of = table("iris")
    ensemble = grown(of, method="gradient_boosting", n_members=3)
    assert [(member.round, member.of_class) for member in ensemble.members[:4]] == [(0, 0), (0, 1), (0, 2), (1, 0)]
    truth = np.eye(3)[of.target_values]
    for number in range(3):
        shares = ensemble.at(3 * number).poll().shares
        for code in range(3):
            assert ensemble.members[3 * number + code].residuals == pytest.approx(truth[:, code] - shares[:, code])


@pytest.mark.parametrize(("name", "factor"), [("breast_cancer", 1.0), ("iris", 2 / 3)])
def test_leaf_values_are_newton_steps_of_the_log_loss(name: str, factor: float) -> None:
    ensemble = grown(name, method="gradient_boosting", n_members=2)
    for member in ensemble.members:
        tree, left = member.growth.tree, member.residuals
        assert left is not None
        for node in range(len(tree.nodes)):
            own = left[tree.rows(node)]
            step = factor * own.sum() / (np.abs(own) * (1 - np.abs(own))).sum()
            assert tree.nodes.prediction[node] == pytest.approx(step)
            assert tree.nodes.mean is not None and tree.nodes.mean[node] == pytest.approx(own.mean())


def test_an_empty_leaf_adds_what_its_parent_would() -> None:
    growth = GrowthSettings.id3(max_depth=3)
    cells = {"c": list("aaabb"), "d": list("xyzxy")}
    for of in (make_table(cells, [1.0, 2.0, 3.0, 10.0, 20.0]), make_table(cells, ["no", "no", "no", "no", "yes"])):
        ensemble = grown(of, method="gradient_boosting", n_members=6, growth=growth)
        empty = [m for m in ensemble.members if (m.nodes.size == 0).any()]
        assert empty
        for member in empty:
            for node in np.flatnonzero(member.nodes.size == 0):
                assert member.nodes.prediction[node] == member.nodes.prediction[member.nodes.parent[node]]


def test_each_answer_is_added_times_the_learning_rate() -> None:
    of = table("diabetes_progression")
    full = grown(of, method="gradient_boosting", n_members=1, learning_rate=1.0)
    tenth = grown(of, method="gradient_boosting", n_members=1)
    step = full.poll().predictions - of.target_values.mean()
    assert tenth.poll().predictions - of.target_values.mean() == pytest.approx(step / 10)


def test_a_subsample_is_drawn_without_replacement_for_each_round() -> None:
    of = table("iris")
    ensemble = grown(of, method="gradient_boosting", n_members=3, subsample=0.5)
    samples = [member.sample for member in ensemble.members]
    for sample in samples:
        assert sample is not None and len(np.unique(sample)) == len(sample) == 75
    assert np.array_equal(samples[0], samples[2]) and not np.array_equal(samples[0], samples[3])
    member = ensemble.members[0]
    assert member.residuals is not None and len(member.residuals) == 150
    assert member.nodes.size[0] == 75
    assert ensemble.staged_errors(of) == pytest.approx(ensemble.training_curve.errors[1:])


def test_a_member_opens_as_a_growth_of_residuals() -> None:
    member = grown(
        "diabetes_progression", method="gradient_boosting", n_members=2, growth=stumps("squared_error")
    ).members[1]
    growth = member.growth
    assert growth.table.target.name == "residual"
    assert [step.event.value for step in growth][:3] == ["started", "scored", "split"]
    chosen = next(c for c in growth.evidence(0) if c.chosen)
    assert chosen.split.threshold == member.nodes.threshold[0]
    assert [part.mean for part in chosen.partitions] == pytest.approx(member.nodes.prediction[1:])


def test_the_training_loss_of_full_samples_never_rises() -> None:
    curve = grown("breast_cancer", method="gradient_boosting", n_members=15).training_curve
    assert curve.losses is not None and np.all(np.diff(curve.losses) < 0)
    errors = grown("diabetes_progression", method="gradient_boosting", n_members=15).training_curve.errors
    assert np.all(np.diff(errors) < 0)


def test_rows_that_are_all_of_one_class_give_finite_sums() -> None:
    of = make_table({"x": [1.0, 2.0, 3.0, 4.0]}, ["a", "b", "a", "b"]).take(np.array([0, 2]))
    ensemble = grown(of, method="gradient_boosting", n_members=5)
    assert np.isfinite(ensemble.poll().totals).all()
    assert set(ensemble.predictions) == {"a"}


def test_one_row_is_its_own_mean() -> None:
    ensemble = grown(make_table({"x": [1.0]}, [3.5]), method="gradient_boosting", n_members=2)
    assert ensemble.predictions.tolist() == [3.5]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"growth": GrowthSettings.c45()}, "c45 is defined for classes; choose cart, id3 or stump"),
        ({"growth": GrowthSettings.cart(class_weights="balanced")}, "class_weights is defined for trees of classes"),
        ({"growth": GrowthSettings.cart(significance=0.05)}, "significance is defined for trees of classes"),
        ({"growth": GrowthSettings.cart(criterion="gini")}, "choose one of variance, squared_error"),
    ],
)
def test_what_is_defined_for_classes_alone_is_refused(settings, words: str) -> None:
    with pytest.raises(engine.SettingsError, match=words):
        grown("iris", method="gradient_boosting", **settings)


def test_a_target_of_one_class_is_refused_in_words() -> None:
    with pytest.raises(engine.SettingsError, match="has only one"):
        grown(make_table({"x": [1.0, 2.0]}, ["a", "a"]), method="gradient_boosting")


@given(tables(numbers=True, missing=True, min_rows=2), st.data())
def test_any_table_can_be_boosted(of, data) -> None:
    if of.n_classes == 1:
        return
    growth = GrowthSettings(
        algorithm=data.draw(st.sampled_from(["cart", "id3", "stump"])),
        missing=data.draw(st.sampled_from(["fractional", "own_branch", "most_common"])),
    )
    share = data.draw(st.sampled_from([1.0, 0.6]))
    ensemble = grown(of, method="gradient_boosting", n_members=3, growth=growth, subsample=share)
    poll = ensemble.poll()
    assert np.isfinite(poll.totals).all()
    assert np.allclose(ensemble.staged_errors(of), ensemble.training_curve.errors[1:])
    frame = frame_of(of)
    for member in ensemble.members:
        assert np.allclose(member.growth.tree.predict(frame), member.answers, rtol=1e-9, atol=1e-9)
