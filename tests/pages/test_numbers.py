"""Grow and Data with a target that is a number, without a browser."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import datasets
from widgets.state import Key

PAGES = Path(__file__).parents[2] / "pages"
NUMBERS = [entry.name for entry in datasets.catalogue() if not entry.n_classes]
UPLOAD = b"size,colour,price\n1,red,10.5\n2,green,12\n3,green,11\n4,red,20.25\n5,red,\n"
TABS = ("Your turn", "Number line", "Predict", "Rules", "Importance", "Take away")


def opened(query: Mapping[str, str] | None = None, tab: str = "") -> AppTest:
    app = AppTest.from_string("import app; app.main()", default_timeout=60)
    for name, value in (query or {}).items():
        app.query_params[name] = value
    app.run()
    if tab:
        app.session_state[Key.MORE] = tab
        app.run()
    assert not app.exception
    return app


def data_page(section: str, **query: str) -> AppTest:
    app = opened(query)
    app.switch_page(str(PAGES / "data.py")).run()
    app.session_state[Key.SECTION] = section
    app.run()
    assert not app.exception
    return app


def said(app: AppTest) -> str:
    return " ".join(text.value for text in [*app.markdown, *app.caption, *app.warning, *app.error, *app.info])


def tables(app: AppTest) -> str:
    return " ".join(str(element.proto.body) for element in app.get("html"))


@pytest.mark.parametrize("algorithm", ["id3", "cart", "stump"])
@pytest.mark.parametrize("name", NUMBERS)
def test_every_number_dataset_is_grown_and_scored(name: str, algorithm: str) -> None:
    app = opened({"dataset": name, "algorithm": algorithm, "max_depth": "3", "step": "1"})
    assert "Evidence · Step 1 of" in said(app)
    assert "training R² 0.000" in said(app)
    assert "accuracy" not in said(app)
    assert not app.error


@pytest.mark.parametrize("tab", TABS)
@pytest.mark.parametrize("name", NUMBERS)
def test_every_panel_stands_with_every_number_dataset(name: str, tab: str) -> None:
    app = opened({"dataset": name, "algorithm": "cart", "max_depth": "3", "step": "2"}, tab)
    assert not app.error


def test_the_root_of_the_bike_rentals_shows_the_printed_table() -> None:
    shown = tables(opened({"dataset": "bike_rentals", "step": "1"}))
    for printed in ("2,692", "2,472,533⅓", "3,040,000", "2,100", "1,379,331⅓", "4,026,346⅔", "1,077,280", "2,551,813⅓"):
        assert printed in shown
    for part in ("D1", "D6", "1, 2, 3", "3, 5, 6, 8, 9, 12"):
        assert part in shown


def test_one_feature_alone_can_be_shown() -> None:
    app = opened({"dataset": "bike_rentals", "step": "1"})
    choice = next(c for c in app.segmented_control if c.value == "All features")
    choice.set_value("This feature").run()
    shown = tables(app)
    assert "D4" in shown
    assert "D5" not in shown


def test_a_leaf_lists_its_rows_with_their_residuals() -> None:
    shown = tables(opened({"dataset": "bike_rentals", "step": "5"}))
    assert "residual" in shown
    assert "2,910" in shown
    assert "−15" in shown


def test_a_prediction_names_the_mean_and_the_rows_behind_it() -> None:
    app = opened({"dataset": "bike_rentals", "step": "5"}, "Predict")
    assert "rentals is 813" in said(app)
    assert "probability" not in tables(app)


def test_an_own_split_is_compared_by_r_squared_and_squared_error() -> None:
    app = opened({"dataset": "bike_rentals", "choices": '[[[],"work_day",null,null]]', "step": "1"})
    shown = tables(app)
    assert "training R²" in shown
    assert "training mean squared error" in shown
    assert "You chose work_day: reduction 1,017,777." in said(app)


def test_a_holdout_is_scored_beside_the_training_rows() -> None:
    app = opened({"dataset": "mtcars", "holdout": "0.3", "step": "4"})
    assert "holdout R²" in said(app)


def test_guessing_first_hides_the_evidence_and_the_number_line() -> None:
    app = opened({"dataset": "mtcars", "guess_first": "1", "step": "1"}, "Number line")
    assert sum("Guess first" in text.value for text in app.info) == 2


def test_the_number_line_can_run_along_the_target_itself() -> None:
    app = opened({"dataset": "bike_rentals", "step": "1"}, "Number line")
    along = next(box for box in app.selectbox if box.label == "Along")
    assert along.options == ["rentals, the target itself"]


def test_c45_says_that_it_is_for_classes_and_names_cart() -> None:
    app = opened({"dataset": "mtcars", "algorithm": "c45"})
    assert "CART" in said(app) or "cart" in said(app)
    assert "classes" in said(app)


def test_a_criterion_of_classes_is_let_go_with_data_that_predict_a_number() -> None:
    app = opened({"dataset": "iris", "criterion": "gini", "step": "1"})
    app.selectbox(key="setting_dataset").select("mtcars").run()
    assert not app.exception
    assert not app.error
    assert "Evidence · Step 0 of" in said(app)


@pytest.mark.parametrize("section", ["Rows", "Columns", "Pictures", "Holdout"])
@pytest.mark.parametrize("name", NUMBERS)
def test_the_data_page_stands_with_every_number_dataset(name: str, section: str) -> None:
    app = data_page(section, dataset=name)
    assert not app.error
    assert "median" in tables(app)


def test_the_holdout_of_a_number_is_told_by_r_squared_and_five_numbers() -> None:
    app = data_page("Holdout", dataset="mtcars", holdout="0.3")
    assert [metric.label for metric in app.metric] == ["Training R²", "Test R²"]
    assert app.metric[0].value == "1.000"
    shown = tables(app)
    assert "held out" in shown
    assert "quartile 3" in shown
    assert "mean squared error" in said(app)


def test_an_uploaded_number_is_predicted_as_such() -> None:
    app = data_page("Rows")
    app.file_uploader(key=Key.UPLOADER).set_value(("prices.csv", UPLOAD, "text/csv")).run()
    app.segmented_control(key=Key.TASK).set_value("a number").run()
    assert not app.exception
    app.switch_page(str(PAGES / "grow.py")).run()
    assert not app.exception
    assert not app.error
    assert "training R²" in said(app)
