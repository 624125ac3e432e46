"""The tabs of the Ensembles page and the inside of a member, without a browser."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.test_ensembles_page import METHODS, opened, said, shown, tables

DATASETS = {"boosting": "bike_demand_level", "gradient": "bike_demand_count"}


def at(app: AppTest, tab: str) -> AppTest:
    """The page with a tab open."""
    app.session_state["ensemble_more"] = tab
    return app.run()


def pressed(app: AppTest, label: str) -> AppTest:
    return next(button for button in app.button if button.label.startswith(label)).click().run()


@pytest.mark.parametrize("tab", ["One row followed", "Variance", "Importance", "Random features", "Margins"])
@pytest.mark.parametrize("method", METHODS)
def test_every_tab_of_every_method_opens(method: str, tab: str) -> None:
    app = at(opened({"method": method, "dataset": "iris", "members": "3", "step": "1"}), tab)
    assert not app.exception
    assert not said(app)


@pytest.mark.parametrize("tab", ["One row followed", "Variance", "Importance", "Random features"])
def test_every_tab_opens_for_a_number(tab: str) -> None:
    app = at(opened({"method": "bagging", "dataset": "mtcars", "members": "3"}), tab)
    assert not app.exception
    assert not said(app)


def test_the_hardest_row_is_followed_with_its_path_through_each_member() -> None:
    app = at(opened({"method": "forest", "dataset": "wine", "members": "9", "holdout": "0.2"}), "One row followed")
    assert "In truth: class_0." in shown(app)
    app = pressed(app, "The hardest row")
    assert not app.exception
    row = app.number_input(key="ensemble_followed").value
    assert row is not None and row > 1
    assert "of 9 members" in shown(app)
    assert "because" in tables(app) and "left out" in tables(app)


@pytest.mark.parametrize("method", ["bagging", "gradient_boosting"])
def test_the_hardest_row_of_a_number_is_followed(method: str) -> None:
    app = at(opened({"method": method, "dataset": "airquality", "members": "3"}), "One row followed")
    app = pressed(app, "The hardest row")
    assert not app.exception
    assert "ensemble so far" in tables(app)


@pytest.mark.parametrize("name", ["boosting", "gradient"])
def test_a_row_of_a_printed_table_is_followed(name: str) -> None:
    app = at(opened({"published": name, "dataset": DATASETS[name]}), "One row followed")
    assert not app.exception
    assert not said(app)
    assert "ensemble so far" in tables(app)


def test_the_spread_over_resamples_is_measured_when_asked_for() -> None:
    app = at(opened({"method": "bagging", "dataset": "moons", "members": "5"}), "Variance")
    assert "disagree on" not in tables(app)
    app.number_input(key="ensemble_spread_n").set_value(3).run()
    app = pressed(app, "Draw 3 times")
    assert not app.exception
    assert not said(app)
    assert "two of them disagree on" in tables(app)
    assert "3 of 3 resamples" in shown(app)
    assert "two trees from different draws disagree on" in shown(app)


@pytest.mark.parametrize("dataset", ["play_tennis", "mtcars", "airquality", "bike_demand_count"])
def test_the_spread_is_shown_for_levels_numbers_and_missing_values(dataset: str) -> None:
    app = at(opened({"method": "forest", "dataset": dataset, "members": "2"}), "Variance")
    app.number_input(key="ensemble_spread_n").set_value(2).run()
    app = pressed(app, "Draw 2 times")
    assert not app.exception
    assert not said(app)
    assert "2 of 2 resamples" in shown(app)


def test_resamples_can_be_grown_from_the_shown_features_alone() -> None:
    app = at(opened({"method": "bagging", "dataset": "iris", "members": "2"}), "Variance")
    app.number_input(key="ensemble_spread_n").set_value(2).run()
    app.toggle(key="ensemble_spread_shown").set_value(True).run()
    app = pressed(app, "Draw 2 times")
    assert not app.exception
    assert "2 of 2 resamples" in shown(app)
    assert "Averaged over" not in shown(app)


def test_a_printed_table_is_resampled_by_its_settings_without_its_draws() -> None:
    app = at(opened({"published": "boosting", "dataset": "bike_demand_level"}), "Variance")
    app.number_input(key="ensemble_spread_n").set_value(2).run()
    app = pressed(app, "Draw 2 times")
    assert not app.exception
    assert "boosted ensembles of 3 trees" in shown(app)


def test_importance_follows_the_step_and_names_what_no_member_tests() -> None:
    first = at(opened({"method": "forest", "dataset": "wine", "members": "4", "step": "1"}), "Importance")
    assert "over the first member" in shown(first)
    assert "No member tests" in shown(first)
    assert "over the 4 members" in shown(at(opened({"dataset": "wine", "members": "4"}), "Importance"))


def test_members_are_compared_in_pairs() -> None:
    app = at(opened({"method": "forest", "dataset": "iris", "members": "4"}), "Importance")
    assert "over 6 pairs" in shown(app)
    alone = at(opened({"method": "forest", "dataset": "iris", "members": "1"}), "Importance")
    assert not alone.exception
    assert "no pair to be compared with" in shown(alone)


def test_the_sweep_over_the_features_drawn_is_run_when_asked_for() -> None:
    app = at(opened({"method": "forest", "dataset": "iris", "members": "3"}), "Importance")
    app.number_input(key="ensemble_sweep_n").set_value(3).run()
    app = pressed(app, "Grow 4 forests")
    assert not app.exception
    assert not said(app)
    assert "4 of 4 forests" in shown(app)
    assert "features drawn" in tables(app)


@pytest.mark.parametrize("dataset", ["play_tennis", "mtcars"])
def test_random_features_are_added_when_asked_for(dataset: str) -> None:
    app = at(opened({"method": "forest", "dataset": dataset, "members": "3"}), "Random features")
    app.selectbox(key="ensemble_random_most").select(10).run()
    app.number_input(key="ensemble_random_seeds").set_value(1).run()
    app = pressed(app, "Add random features")
    assert not app.exception
    assert not said(app)
    assert "5 of 5 runs" in shown(app)
    assert "importance: tree" in tables(app)


def test_boosting_says_that_nothing_is_drawn() -> None:
    app = at(opened({"method": "adaboost", "dataset": "iris", "members": "2"}), "Importance")
    assert "Choose one of them to compare numbers" in shown(app)


@pytest.mark.parametrize("per", ["split", "member"])
def test_an_opened_member_of_a_forest_has_a_feature_lottery(per: str) -> None:
    app = opened({"method": "forest", "dataset": "wine", "members": "3", "member": "1", "features_per": per})
    assert not app.exception
    assert "Feature lottery" in shown(app)
    assert "drawn when the node is scored" in shown(app)


@pytest.mark.parametrize("method", METHODS)
def test_a_member_of_every_method_opens_with_its_evidence(method: str) -> None:
    app = opened({"method": method, "dataset": "iris", "members": "3", "member": "2"})
    assert not app.exception
    assert not said(app)
    assert "Evidence · Step 0 of" in shown(app)
