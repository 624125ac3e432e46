"""Stopping rules that ask about the chosen split itself, and the numbers that they are shown with."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import datasets
from engine import Choice, GrowthSettings, StopReason, chi_square, grow, read_table, split_holdout
from engine.significance import expected_counts
from tests.drawing.tables import table

FRACTIONAL = grow(datasets.load("play_tennis_missing"), GrowthSettings.c45())


def test_an_unknown_outlook_scales_the_gain_and_is_a_subset_of_the_split_information() -> None:
    outlook = next(c for c in FRACTIONAL.best_candidates(0) if c.feature == "outlook")
    assert (outlook.unknown, outlook.gain, outlook.split_information, outlook.gain_ratio) == (
        1.0,
        pytest.approx(0.199041, abs=5e-7),
        pytest.approx(1.809200, abs=5e-7),
        pytest.approx(0.110016, abs=5e-7),
    )


def test_the_average_gain_is_the_mean_of_the_features_greatest_gains() -> None:
    growth = grow(datasets.load("play_tennis"), GrowthSettings.c45())
    scored = growth.scores(0)
    assert list(scored.best_gains.values()) == pytest.approx([0.246750, 0.029223, 0.151836, 0.048127], abs=5e-7)
    assert scored.average_gain == pytest.approx(sum(scored.best_gains.values()) / 4)


def test_a_barred_feature_does_not_count_in_the_average_gain() -> None:
    growth = grow(table(x="aabb", y="cccd", t="yynn"), GrowthSettings.c45(min_samples_leaf=2))
    assert growth.scores(0).best_gains == {0: pytest.approx(1.0)}


def test_branches_of_a_candidate_hold_the_shares_of_unknown_rows_as_the_children_do() -> None:
    for node in range(len(FRACTIONAL.tree.nodes)):
        chosen = next((c for c in FRACTIONAL.candidates(node) if c.chosen), None)
        if chosen is not None:
            children = FRACTIONAL.tree.children(node)
            assert pytest.approx(FRACTIONAL.tree.nodes.counts[children]) == FRACTIONAL.branch_counts(node, chosen).T


@pytest.mark.parametrize("name", ["play_tennis_missing", "labor", "congress_votes"])
@pytest.mark.parametrize("missing", ["fractional", "own_branch", "most_common"])
def test_a_leaf_that_is_not_significant_is_shown_with_the_p_value_that_stopped_it(name: str, missing: str) -> None:
    data = datasets.load(name)
    growth = grow(data, GrowthSettings.c45(missing=missing, significance=0.05))
    free = grow(data, GrowthSettings.c45(missing=missing))
    for node in range(len(growth.tree.nodes)):
        chosen = next((c for c in growth.candidates(node) if c.chosen), None)
        if chosen is not None:
            assert growth.significance(node, chosen).p_value <= 0.05
        elif growth.tree.stop_reason(node) is StopReason.NOT_SIGNIFICANT:
            best = next(c for c in growth.best_candidates(node) if c.rejected is None)
            assert growth.significance(node, best).p_value > 0.05
            same = next(n for n in range(len(free.tree.nodes)) if free.tree.path(n) == growth.tree.path(node))
            assert free.tree.split(same) == best.split


@given(st.lists(st.lists(st.integers(0, 20), min_size=2, max_size=2), min_size=2, max_size=5))
def test_expected_counts_have_the_observed_sums_and_give_the_statistic(counts: list[list[int]]) -> None:
    observed = np.array(counts).T
    expected = expected_counts(observed)
    assert expected.sum(axis=0) == pytest.approx(observed.sum(axis=0))
    assert expected.sum(axis=1) == pytest.approx(observed.sum(axis=1))
    off = np.square(observed - expected) / np.where(expected > 0, expected, 1)
    assert chi_square(observed).statistic == pytest.approx(off.sum())


def test_the_holdout_costs_of_a_growth_are_those_that_stopped_it() -> None:
    training, holdout = split_holdout(datasets.load("breast_cancer"), 0.3, 0)
    free = grow(training, GrowthSettings.id3())
    growth = grow(training, GrowthSettings.id3(holdout_stop=True), holdout=holdout)
    as_leaf, below = free.tree.holdout_costs(holdout)
    assert growth.holdout_costs is not None
    stopped = 0
    for node in range(len(growth.tree.nodes)):
        same = next(n for n in range(len(free.tree.nodes)) if free.tree.path(n) == growth.tree.path(node))
        assert [costs[node] for costs in growth.holdout_costs] == [as_leaf[same], below[same]]
        worse = growth.tree.stop_reason(node) is StopReason.WORSE_ON_HOLDOUT
        assert worse == (below[same] > as_leaf[same])
        stopped += worse
    assert stopped
    assert grow(training, GrowthSettings.id3()).holdout_costs is None


def test_a_split_by_hand_is_not_stopped_by_the_holdout() -> None:
    training, holdout = split_holdout(datasets.load("breast_cancer"), 0.3, 0)
    settings = GrowthSettings.id3(holdout_stop=True)
    stopped = grow(training, settings, holdout=holdout)
    leaf = next(n for n in range(len(stopped.tree.nodes)) if stopped.tree.stop_reason(n) is StopReason.WORSE_ON_HOLDOUT)
    best = stopped.best_candidates(leaf)[0]
    choice = Choice(stopped.tree.path(leaf), best.feature, threshold=best.split.threshold)
    again = grow(training, settings.with_choice(choice), holdout=holdout)
    assert again.tree.split(leaf) is not None
    assert again.holdout_costs is not None and stopped.holdout_costs is not None
    assert [c[leaf] for c in again.holdout_costs] == [c[leaf] for c in stopped.holdout_costs]


def test_the_chi_square_test_of_play_tennis() -> None:
    growth = grow(read_table("datasets/files/play_tennis.csv", target="play", ignore=("day",)))
    found = {c.feature: growth.significance(0, c) for c in growth.best_candidates(0)}
    assert {name: (round(t.statistic, 4), t.degrees_of_freedom) for name, t in found.items()} == {
        "outlook": (3.5467, 2),
        "humidity": (2.8, 1),
        "wind": (0.9333, 1),
        "temperature": (0.5704, 2),
    }
