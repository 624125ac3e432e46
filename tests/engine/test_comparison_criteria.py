"""All criteria at one node, with the numbers that lecture notes and textbooks print."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import datasets
from engine import Choice, Criterion, GrowthSettings, Table, grow
from engine.comparison_criteria import criteria_at, criteria_for, scan_by, under
from tests.engine.tables import play_tennis, settings_for, tables

PUBLISHED = {
    entry["id"]: entry["exact"]
    for entry in json.loads((Path(__file__).parents[1] / "data" / "published-numbers.json").read_text())["entries"]
}
ENTROPY, RATIO, GINI, MISCLASSIFICATION = (
    Criterion.ENTROPY,
    Criterion.GAIN_RATIO,
    Criterion.GINI,
    Criterion.MISCLASSIFICATION,
)


def test_play_tennis_has_the_textbook_numbers_under_every_criterion() -> None:
    table = criteria_at(grow(play_tennis()), 0)
    expected = {
        "outlook": (0.246750, 0.156428, 0.116327, 0.071429),
        "temperature": (0.029223, 0.018773, 0.018707, 0.0),
        "humidity": (0.151836, 0.151836, 0.091837, 0.071429),
        "wind": (0.048127, 0.048849, 0.030612, 0.0),
    }
    for row in table.rows:
        scores = [row.best[c].score for c in (ENTROPY, RATIO, GINI, MISCLASSIFICATION)]
        assert scores == pytest.approx(expected[row.feature], abs=1e-6)
    assert table.winners[ENTROPY] == table.winners[RATIO] == table.winners[GINI] == ("outlook",)
    assert table.winners[MISCLASSIFICATION] == ("outlook", "humidity")
    assert table.agree


def test_vegetation_has_the_printed_numbers_and_its_criteria_disagree() -> None:
    table = criteria_at(grow(datasets.load("vegetation")), 0)
    scores = {row.feature: row.best for row in table.rows}
    for feature in ("stream", "slope", "elevation"):
        assert scores[feature][GINI].score == pytest.approx(PUBLISHED[f"veg.gini.gain.{feature}"], abs=1e-9)
    for feature in ("stream", "elevation"):
        assert scores[feature][ENTROPY].score == pytest.approx(PUBLISHED[f"veg.gr.ig.{feature}"], abs=1e-9)
    assert table.winners[ENTROPY] == table.winners[GINI] == ("elevation",)
    assert table.winners[RATIO] == ("slope",)
    assert not table.agree


def test_spam_has_the_printed_gains() -> None:
    scores = {row.feature: row.best for row in criteria_at(grow(datasets.load("spam_emails")), 0).rows}
    for feature in ("suspicious_words", "unknown_sender"):
        assert scores[feature][ENTROPY].gain == pytest.approx(PUBLISHED[f"spam.ig.{feature}"], abs=1e-9)


def test_misclassification_sees_no_feature_of_x2_and_x5() -> None:
    table = criteria_at(grow(datasets.load("derived_boolean_x2_and_x5")), 0)
    assert all(abs(row.best[MISCLASSIFICATION].score) < 1e-12 for row in table.rows)
    assert table.winners[ENTROPY] == ("x2", "x5")
    assert len(table.winners[MISCLASSIFICATION]) == 5


def test_where_nothing_may_be_chosen_no_criterion_has_a_winner() -> None:
    growth = grow(datasets.load("xo_accuracy_fails_reconstructed"), GrowthSettings.cart(criterion="misclassification"))
    table = criteria_at(growth, 0)
    assert table.winners[MISCLASSIFICATION] == ()
    assert table.winners[ENTROPY] == ("x1",)


def test_a_leaf_that_scored_nothing_has_no_rows() -> None:
    growth = grow(play_tennis(), GrowthSettings.id3(max_depth=0))
    assert criteria_at(growth, 0).rows == ()


@given(tables(max_rows=25, min_rows=2), st.data())
def test_each_column_is_what_a_tree_by_that_criterion_would_score(table: Table, data: st.DataObject) -> None:
    settings = replace(data.draw(settings_for(table)), max_features=None)
    growth = grow(table, settings)
    for criterion in criteria_for(growth):
        other = grow(table, GrowthSettings(**{**vars(settings), "criterion": criterion}))
        if not growth.tree.nodes.scored[0]:
            continue
        found = {row.feature: row.best[criterion].score for row in criteria_at(growth, 0).rows}
        assert found == pytest.approx({c.feature: c.score for c in other.best_candidates(0)}, abs=1e-12)


@given(tables(max_rows=25, min_rows=2), st.data())
def test_every_criterion_scores_the_features_that_were_drawn(table: Table, data: st.DataObject) -> None:
    settings = replace(data.draw(settings_for(table)), max_features=1)
    growth = grow(table, settings)
    drawn = [table.features[feature].name for feature in growth.scores(0).usable]
    for row in criteria_at(growth, 0).rows:
        assert row.feature in drawn
        assert set(row.best) == set(criteria_for(growth))


def test_a_split_by_hand_does_not_hide_its_features_best_threshold() -> None:
    table = datasets.load("iris")
    own = Choice((), "petal length (cm)", threshold=4.75)
    growth = grow(table, GrowthSettings.id3(choices=(own,)))
    best = next(row for row in criteria_at(growth, 0).rows if row.feature == "petal length (cm)").best
    assert best[ENTROPY].split.threshold == 2.45
    assert under(growth, GINI).tree.split(0).threshold == 4.75


def test_the_curves_of_all_criteria_stand_over_the_same_thresholds() -> None:
    curves = scan_by(grow(datasets.load("iris")), 0, "petal width (cm)")
    thresholds = [scores.thresholds.tolist() for scores in curves.values()]
    assert all(each == thresholds[0] for each in thresholds)
    assert list(curves) == [ENTROPY, RATIO, GINI, MISCLASSIFICATION]


def test_class_weights_count_under_every_criterion() -> None:
    growth = grow(play_tennis(), GrowthSettings.id3(class_weights="balanced"))
    found = {row.feature: row.best[ENTROPY].score for row in criteria_at(growth, 0).rows}
    assert found == pytest.approx({c.feature: c.score for c in growth.best_candidates(0)}, abs=1e-12)
