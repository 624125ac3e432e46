"""The Ensembles page without a browser: every method, printed tables, links, edge cases, stopping."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import datasets
from engine import GrowthSettings
from engine.ensembles import EnsembleSettings
from widgets.ensembles import building, growing

PAGES = Path(__file__).parents[2] / "pages"
METHODS = ("bagging", "forest", "adaboost", "gradient_boosting")


def opened(query: Mapping[str, str] | None = None) -> AppTest:
    """The page as a link opens it."""
    app = AppTest.from_string("import app; app.main()", default_timeout=60)
    app.switch_page(str(PAGES / "ensembles.py"))
    for name, value in (query or {}).items():
        app.query_params[name] = value
    return app.run()


def shown(app: AppTest) -> str:
    words = [text.value for text in [*app.markdown, *app.caption, *app.info]]
    return " ".join(words).replace("\u2060", "").replace("\\", "")


def said(app: AppTest) -> str:
    return " ".join(text.value for text in [*app.warning, *app.error]).replace("\u2060", "").replace("\\", "")


def tables(app: AppTest) -> str:
    return " ".join(block.proto.body for block in app.get("html"))


def parameters(app: AppTest) -> dict[str, str]:
    return {name: value[-1] if isinstance(value, list) else value for name, value in app.query_params.items()}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("dataset", ["play_tennis", "iris"])
def test_every_method_is_shown_for_classes(method: str, dataset: str) -> None:
    app = opened({"method": method, "dataset": dataset, "members": "4", "step": "2"})
    assert not app.exception
    assert not said(app)
    assert "Step 2 of" in shown(app)


@pytest.mark.parametrize("method", ["bagging", "forest", "gradient_boosting"])
def test_every_method_but_adaboost_is_shown_for_a_number(method: str) -> None:
    app = opened({"method": method, "dataset": "mtcars", "members": "3", "step": "3"})
    assert not app.exception
    assert not said(app)
    assert "Step 3 of 3" in shown(app)


@pytest.mark.parametrize("name", [entry.name for entry in datasets.catalogue()])
def test_every_dataset_is_bagged(name: str) -> None:
    app = opened({"dataset": name, "members": "2", "step": "1"})
    assert not app.exception
    assert not said(app)


def test_adaboost_of_a_number_says_what_to_choose() -> None:
    app = opened({"method": "adaboost", "dataset": "mtcars"})
    assert not app.exception
    assert "choose gradient_boosting, bagging or forest" in said(app)


@pytest.mark.parametrize("name", ["boosting", "boosting_by_weights", "gradient", "gradient_by_stumps"])
def test_a_printed_table_brings_its_own_rows(name: str) -> None:
    app = opened()
    app.selectbox(key="ensemble_published").select(name).run()
    assert not app.exception
    assert not said(app)
    assert "Step 0 of 3" in shown(app)
    assert parameters(app)["published"] == name
    assert parameters(app)["dataset"].startswith("bike_demand")


def test_the_printed_weights_of_boosting_are_on_the_page() -> None:
    app = opened({"published": "boosting", "dataset": "bike_demand_level", "step": "1"})
    assert "0.100" in tables(app)
    assert "0.250" in tables(app)
    assert any("0.693" in formula.value for formula in app.latex)


def test_the_link_restores_the_page() -> None:
    query = {
        "dataset": "iris", "method": "gradient_boosting", "members": "3", "learning_rate": "0.5",
        "max_depth": "2", "seed": "7", "step": "4", "algorithm": "cart",
    }  # fmt: skip
    app = opened(query)
    assert parameters(app) == query
    assert tables(opened(parameters(app))) == tables(app)


def test_a_step_beyond_the_last_member_is_clamped_with_a_note() -> None:
    assert "steps here go from 0 to 10, so step 10 is shown" in said(opened({"step": "99"}))


def test_a_member_is_opened_and_left() -> None:
    app = opened({"member": "1"})
    assert "Evidence · Step 0 of" in shown(app)
    next(button for button in app.button if button.label == "Back to the ensemble").click().run()
    assert "Step 0 of 10" in shown(app)


def test_one_member_is_an_ensemble() -> None:
    app = opened({"members": "1", "step": "1"})
    assert not app.exception
    assert "Step 1 of 1" in shown(app)


def test_too_many_members_for_the_page_are_refused_in_words() -> None:
    assert "at most 500 on this page" in said(opened({"members": "501"}))


def test_settings_of_the_members_leave_the_tree_of_the_other_pages_alone() -> None:
    app = opened({"algorithm": "stump"})
    app.switch_page(str(PAGES / "grow.py")).run()
    assert parameters(app)["algorithm"] == "id3"


@pytest.mark.parametrize("method", METHODS)
def test_a_member_is_shown_alone_beside_the_sum(method: str) -> None:
    app = opened({"method": method, "dataset": "moons", "members": "3", "step": "2", "alone": "1"})
    assert not app.exception
    assert "##### Member 2 alone" in shown(app)
    assert "What this member adds" in shown(app)
    assert parameters(app)["alone"] == "1"


def test_the_sum_so_far_is_chosen_at_first() -> None:
    app = opened({"method": "forest", "dataset": "moons", "members": "3", "step": "2"})
    assert "##### Vote of 2 members" in shown(app)
    assert "alone" not in parameters(app)


def test_before_the_first_member_there_is_none_alone() -> None:
    app = opened({"dataset": "moons", "alone": "1"})
    assert not app.exception
    assert "##### No member yet" in shown(app)


def test_one_feature_and_a_number_make_a_curve() -> None:
    app = opened({"dataset": "bike_demand_count", "method": "gradient_boosting", "members": "3", "step": "2"})
    assert not app.exception
    assert "+ tree 2, × 0.1" in shown(app)
    assert "The thin lines are the residuals" in shown(app)


def test_the_curve_of_errors_takes_the_place_beside_the_tree() -> None:
    app = opened({"dataset": "moons", "members": "3", "step": "2"})
    app.button(key="ensemble_swap").click().run()
    assert not app.exception
    assert "##### Vote of 2 members" not in shown(app)
    assert shown(app).count("##### Errors") == 1


def test_a_choice_on_the_wall_that_is_no_choice_is_passed_over() -> None:
    app = opened({"dataset": "moons", "alone": "perhaps"})
    assert not app.exception
    assert "alone" in said(app)


def test_an_ensemble_that_takes_a_while_shows_its_progress_and_then_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growing, "AT_ONCE", -1.0)
    app = opened({"dataset": "iris", "members": "7", "seed": "4321", "step": "7"})
    assert not app.exception
    assert "Step 7 of 7" in shown(app)


def test_what_was_grown_before_a_stop_is_an_ensemble_and_can_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growing, "AT_ONCE", -1.0)
    settings = EnsembleSettings(n_members=7, growth=GrowthSettings.cart(seed=8765))
    app = opened()
    session = app.session_state["espalier"]
    run = building.run(session.data, settings)
    maker = replace(session.maker, settings=settings, stopped=(run.key, 3))
    app.session_state["espalier"] = replace(session, maker=maker)
    app.run()
    assert not app.exception
    assert "Step 0 of 3" in shown(app)
    next(button for button in app.button if button.label == "Go on").click().run()
    assert "Step 0 of 7" in shown(app)
