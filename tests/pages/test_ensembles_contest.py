"""Bagging or boosting? on the Ensembles page: it runs when asked, can be stopped, and is kept."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.test_ensembles_page import opened, said, shown, tables

TAB = "Bagging or boosting?"


def at_the_tab(query: dict[str, str]) -> AppTest:
    app = opened(query)
    app.session_state["ensemble_more"] = TAB
    return app.run()


def start(app: AppTest) -> AppTest:
    next(button for button in app.button if button.label == "Grow them all").click()
    return app.run(timeout=120)


@pytest.mark.parametrize("dataset", ["play_tennis", "mtcars", "play_tennis_missing"])
def test_all_methods_are_compared_when_asked_for(dataset: str) -> None:
    app = at_the_tab({"dataset": dataset, "members": "3"})
    assert not app.exception
    assert "Single tree" not in tables(app)
    app.number_input(key="ensemble_contest_runs").set_value(2).run()
    start(app)
    assert not app.exception
    assert not said(app)
    for name in ("Single tree", "Bagging", "Random forest", "Gradient boosting"):
        assert name in tables(app)
    assert "One row through all methods" in shown(app)


def test_a_method_that_cannot_be_is_left_out_with_a_reason() -> None:
    app = at_the_tab({"dataset": "mtcars", "members": "2"})
    app.number_input(key="ensemble_contest_runs").set_value(1).run()
    start(app)
    assert "AdaBoost is left out" in shown(app)


def test_what_was_compared_is_there_again_without_growing_it() -> None:
    query = {"dataset": "weather_numeric", "members": "2"}
    app = at_the_tab(query)
    app.number_input(key="ensemble_contest_runs").set_value(1).run()
    start(app)
    again = at_the_tab(query)
    again.number_input(key="ensemble_contest_runs").set_value(1).run()
    assert "Single tree" in tables(again)


def test_another_row_is_followed_through_all_methods() -> None:
    app = at_the_tab({"dataset": "iris", "members": "2"})
    app.number_input(key="ensemble_contest_runs").set_value(1).run()
    start(app)
    app.number_input(key="ensemble_contest_row").set_value(150).run()
    assert "In truth: virginica" in shown(app)
    assert not app.exception
