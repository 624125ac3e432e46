"""The panels Rules and Importance of the Grow page, without a browser."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

import datasets
from engine import Estimate, grow
from tests.pages.test_grow_page import opened
from widgets import state
from widgets.panels.importance import shuffled
from widgets.panels.rules import simplified


def with_panel(name: str, **query: str) -> AppTest:
    app = opened(query)
    app.session_state["more"] = name
    return app.run()


def html(app: AppTest) -> str:
    return " ".join(str(block.proto.body) for block in app.get("html"))


def told(app: AppTest) -> str:
    return " ".join(text.value for text in [*app.markdown, *app.caption, *app.info]).replace("\\", "")


def test_a_closed_panel_draws_nothing() -> None:
    app = opened({"step": "11"})
    assert not [box for box in app.selectbox if box.key == "rules_estimate"]
    assert "Impurity decrease" not in told(app)


def test_tree_and_rules_stand_beside_each_other_on_the_same_rows() -> None:
    app = with_panel("Rules", step="11")
    assert not app.exception
    assert "5 rules, 9 conditions" in html(app)
    assert "5 rules, 8 conditions" in html(app)
    assert "1 of 14 wrong" in html(app)
    assert "The training rows on which they differ" in told(app)


def test_rows_set_aside_are_compared_and_can_judge() -> None:
    app = with_panel("Rules", dataset="iris", holdout="0.3", step="100")
    assert "rows set aside" in html(app)
    app.selectbox(key="rules_estimate").select(Estimate.VALIDATION).run()
    assert not app.exception
    assert "have chosen these rules" in told(app)
    assert not [field for field in app.number_input if field.key == "rules_confidence"]


def test_rows_set_aside_can_be_taken_back_while_they_judge() -> None:
    app = with_panel("Rules", dataset="iris", holdout="0.3", step="100")
    app.selectbox(key="rules_estimate").select(Estimate.VALIDATION).run()
    app.selectbox(key="setting_dataset").select("play_tennis").run()
    assert not app.exception


def test_the_rules_are_those_of_the_step() -> None:
    assert "3 rules, 3 conditions" in html(with_panel("Rules", step="2"))


def test_before_a_guess_rules_and_importance_stay_hidden() -> None:
    for panel in ("Rules", "Importance"):
        app = with_panel(panel, step="1", guess_first="1")
        assert "Guess first" in told(app)
        assert "of 14 wrong" not in html(app)


def test_a_large_tree_is_a_table_of_its_rules() -> None:
    app = with_panel("Rules", dataset="nursery", step="9999")
    assert not app.exception
    assert "up to 120 are simplified" in told(app)
    assert "If " in html(app)


@pytest.mark.parametrize("holdout", ["", "0.3"])
def test_importance_lists_the_features_that_are_never_tested(holdout: str) -> None:
    query = {"holdout": holdout} if holdout else {}
    app = with_panel("Importance", step="11", **query)
    assert not app.exception
    assert "Impurity decrease" in told(app)
    assert "Never tested at this step, so 0: temperature." in told(app) or holdout
    assert ("No rows are set aside" in told(app)) == (not holdout)


def test_before_the_first_split_nothing_is_important() -> None:
    assert "No feature is tested yet" in told(with_panel("Importance", step="1"))


def of_a_number() -> None:
    """The two panels over a tree for a number, on a page of their own."""
    from datasets import load
    from drawing.theme import Mode
    from engine import GrowthSettings, grow
    from widgets import state
    from widgets.panels.here import Here
    from widgets.panels.importance import importance
    from widgets.panels.rules import rules

    growth = grow(load("bike_demand_count"), GrowthSettings.cart(max_depth=2))
    here = Here(
        data=state.ready("bike_demand_count"),
        growth=growth,
        step=len(growth) - 1,
        node=0,
        feature=None,
        hidden=False,
        mode=Mode.LIGHT,
    )
    rules(here)
    importance(here)


def test_rules_for_a_number_answer_with_a_mean() -> None:
    app = AppTest.from_function(of_a_number, default_timeout=60).run()
    assert not app.exception
    assert "Rules for a number answer with a mean" in told(app)
    assert "mean squared error" in html(app)
    assert "Impurity decrease" in told(app)


def test_the_simplification_is_sent_as_one_text() -> None:
    growth = grow(datasets.load("play_tennis"))
    data = state.ready("play_tennis")
    found, sent = simplified(data, growth, 11, Estimate.PESSIMISTIC, 0.25)
    assert len(found) == 8
    assert sent["key"] == simplified(data, growth, 11, Estimate.PESSIMISTIC, 0.25)[1]["key"]
    assert sent["key"] != simplified(data, growth, 2, Estimate.PESSIMISTIC, 0.25)[1]["key"]


def test_many_rows_set_aside_are_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("widgets.panels.importance.MOST_ROWS", 3)
    table = datasets.load("play_tennis")
    monkeypatch.setattr("widgets.cached.parts", lambda data: (table, table))
    assert shuffled(state.ready("play_tennis"), grow(table), 11, state.Mode.LIGHT).n_rows == 3
