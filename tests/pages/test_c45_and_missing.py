"""C4.5, missing values, costs, weights and stopping rules on the Grow page."""

from __future__ import annotations

import pytest

from tests.pages.test_grow_page import headings, opened, parameter, said


@pytest.mark.parametrize("missing", ["fractional", "own_branch", "most_common", "drop"])
@pytest.mark.parametrize("algorithm", ["id3", "c45", "cart", "stump"])
def test_every_preset_and_treatment_of_missing_values_is_shown(algorithm: str, missing: str) -> None:
    app = opened({"dataset": "play_tennis_missing", "algorithm": algorithm, "missing": missing, "step": "1"})
    assert not app.exception
    assert not said(app)
    assert "Evidence · Step 1 of" in headings(app)


@pytest.mark.parametrize("missing", ["fractional", "own_branch", "most_common", "drop"])
@pytest.mark.parametrize(
    ("dataset", "algorithm"),
    [("labor", "c45"), ("labor", "cart"), ("congress_votes", "c45"), ("airquality", "cart"), ("airquality", "id3")],
)
def test_real_tables_with_gaps_are_shown_under_every_treatment(dataset: str, algorithm: str, missing: str) -> None:
    app = opened({"dataset": dataset, "algorithm": algorithm, "missing": missing, "step": "1", "max_depth": "3"})
    app.session_state["more"] = "Missing values"
    app.run()
    assert not app.exception
    assert not said(app)
    for name in ("Predict", "Rules", "Your turn"):
        app.session_state["more"] = name
        app.run()
        assert not app.exception, name


def test_all_groupings_are_listed_up_to_eight_levels_and_the_cuts_of_an_order_beyond() -> None:
    app = opened({"dataset": "nursery", "algorithm": "cart", "max_depth": "1", "step": "1"})
    app.session_state["groupings"] = True
    app.run()
    assert not app.exception
    assert any("3 levels are here: all 3 groupings in two." in caption.value for caption in app.caption)


def test_the_four_treatments_stand_side_by_side_and_one_click_takes_one() -> None:
    app = opened({"dataset": "play_tennis_missing"})
    app.session_state["more"] = "Missing values"
    app.run()
    assert not app.exception
    app.button(key="missing_drop").click().run()
    assert not app.exception
    assert parameter(app, "missing") == "drop"


def test_a_link_restores_costs_weights_significance_and_drawn_features() -> None:
    query = {
        "dataset": "play_tennis_missing",
        "algorithm": "c45",
        "significance": "0.05",
        "costs": "outlook=2",
        "cost_rule": "squared_gain_over_cost",
        "class_weights": "no=2",
        "max_features": "3",
        "seed": "4",
        "step": "1",
    }
    app = opened(query)
    assert not app.exception
    assert not said(app)
    assert {name: parameter(app, name) for name in query} == query


def test_a_cost_of_0_and_a_significance_of_2_get_the_sentence_that_mends_them() -> None:
    app = opened({"step": "1"})
    app.number_input(key="setting_cost_0").set_value(0.0).run()
    assert "must be a number above 0" in said(app)
    app.number_input(key="setting_significance").set_value(2.0).run()
    assert "must be a number between 0 and 1" in said(app)
    assert not app.exception


def test_a_query_says_what_it_costs() -> None:
    app = opened({"dataset": "play_tennis_missing", "algorithm": "c45", "costs": "humidity=3", "step": "1"})
    app.session_state["more"] = "Predict"
    app.run()
    assert not app.exception
    assert any(text.value.startswith("Cost: ") for text in app.caption)
