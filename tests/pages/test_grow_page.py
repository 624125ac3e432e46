"""The Grow page without a browser: every dataset, every preset, links, holdout, choices, uploads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import datasets
from engine import EngineError, GrowthSettings, grow

PAGES = Path(__file__).parents[2] / "pages"
UPLOAD = b"size,colour,taste\nbig,red,good\nbig,green,bad\nsmall,red,good\nsmall,green,good\n"


def opened(query: Mapping[str, str] | None = None) -> AppTest:
    app = AppTest.from_string("import app; app.main()", default_timeout=60)
    for name, value in (query or {}).items():
        app.query_params[name] = value
    return app.run()


def headings(app: AppTest) -> str:
    return " ".join(text.value for text in app.markdown)


def said(app: AppTest) -> str:
    return " ".join(text.value for text in [*app.warning, *app.error])


def parameter(app: AppTest, name: str) -> str | None:
    """A query parameter as the page left it."""
    value = app.query_params.get(name)
    return value[-1] if isinstance(value, list) else value


def grows(name: str, algorithm: str) -> bool:
    try:
        grow(datasets.load(name), GrowthSettings(algorithm=algorithm))
    except EngineError:
        return False
    return True


@pytest.mark.parametrize("algorithm", ["id3", "cart", "stump"])
@pytest.mark.parametrize("name", [entry.name for entry in datasets.catalogue()])
def test_every_dataset_is_shown_under_every_preset(name: str, algorithm: str) -> None:
    app = opened({"dataset": name, "algorithm": algorithm, "step": "1"})
    assert not app.exception
    if grows(name, algorithm):
        assert "Evidence · Step 1 of" in headings(app)
        assert not app.error
    else:
        assert app.error


def test_a_link_restores_data_settings_and_step() -> None:
    query = {"dataset": "iris", "algorithm": "cart", "criterion": "entropy", "max_depth": "2", "step": "3"}
    app = opened(query)
    assert "Step 3 of 7" in headings(app)
    assert not said(app)
    assert {name: parameter(app, name) for name in query} == query
    assert app.selectbox(key="setting_criterion").value == "entropy"


def test_the_first_visit_shows_play_tennis_at_the_start() -> None:
    app = opened()
    assert "Step 0 of 11" in headings(app)
    assert parameter(app, "dataset") == "play_tennis"


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"step": "99"}, "asks for step 99"),
        ({"step": "-1"}, "asks for step -1"),
        ({"step": "two"}, "must be a whole number"),
        ({"dataset": "nothing"}, "there is no dataset 'nothing'"),
        ({"algorithm": "id4"}, "algorithm must be one of"),
        ({"max_depth": "deep"}, "max_depth must be a whole number"),
        ({"max_depth": "-3"}, "max_depth must be at least 0"),
        ({"min_gain": "nan"}, "min_gain must be a finite number"),
        ({"min_samples_leaf": "0"}, "min_samples_leaf must be at least 1"),
        ({"criterion": "variance"}, "variance"),
        ({"target": "nothing"}, "nothing"),
        ({"choices": "{"}, "choices must be a list of splits"),
        ({"choices": '[[[],"no such feature",null,null]]'}, "no such feature"),
        ({"guess_first": "maybe"}, "guess\\_first must be 0 or 1"),
        ({"holdout": "7"}, "holdout"),
        ({"dataset": "upload"}, "does not travel"),
        ({"edited": "1"}, "edited rows"),
        ({"orientation": "up"}, "orientation must be one of top_down, left_right"),
        ({"granularity": "leaf"}, "granularity must be one of"),
        ({"speed": "fast"}, "speed must be one of"),
        ({"levels": "-2"}, "levels must be at least 0"),
        ({"levels": "7"}, "the tree has 2, and all are shown"),
        ({"guesses": '[[0,"nothing"]]'}, "guesses name a node or a feature"),
        ({"guesses": '[[1,"wind"]]'}, "guesses name a node or a feature"),
        ({"beside": "nothing"}, "beside must be one of regions, rows"),
    ],
)
def test_what_a_link_gets_wrong_is_said(query: dict[str, str], sentence: str) -> None:
    app = opened(query)
    assert not app.exception
    assert sentence.replace("\\", "") in said(app).replace("\\", "").replace("\u2060", "")
    assert "Evidence · Step" in headings(app)


def test_a_link_restores_the_view_and_the_guesses() -> None:
    query = {
        "orientation": "left_right",
        "granularity": "level",
        "hide": "counts,shares",
        "levels": "1",
        "beside": "rows",
        "guess_first": "1",
        "guesses": '[[0,"wind"],[2,null]]',
    }
    app = opened(query)
    assert not said(app)
    assert {name: parameter(app, name) for name in query} == query


def test_regions_and_rows_change_places() -> None:
    app = opened()
    app.button(key="swap").click().run()
    assert not app.exception
    assert parameter(app, "beside") == "rows"
    app.button(key="swap").click().run()
    assert parameter(app, "beside") is None


def test_a_holdout_shows_its_accuracy_beside_the_training_accuracy() -> None:
    app = opened({"holdout": "0.3", "step": "4"})
    line = next(text.value for text in app.caption if "training " in text.value)
    assert ", holdout " in line


def test_an_own_split_stands_beside_the_algorithms_tree() -> None:
    app = opened({"choices": '[[[],"humidity",null,null]]', "step": "2"})
    assert not said(app)
    assert "chosen by you" in headings(app)
    assert "Your tree beside the algorithm's" in headings(app)
    assert "chosen by you" in app.selectbox(key="candidate").options[1]


def test_taking_a_split_puts_it_into_the_link_and_handing_it_back_takes_it_out() -> None:
    app = opened({"step": "2"})
    app.selectbox(key="turn_feature_0").select("wind").run()
    next(b for b in app.button if b.label == "Take this split").click().run()
    assert not app.exception
    assert "wind" in (parameter(app, "choices") or "")
    assert parameter(app, "step") == "2"
    next(b for b in app.button if b.label == "Hand it back to the algorithm").click().run()
    assert parameter(app, "choices") is None
    assert "Step 2 of 11" in headings(app)


def test_own_groups_of_levels_are_taken_and_travel_in_the_link() -> None:
    app = opened({"step": "2"})
    app.segmented_control(key="turn_branches_0_0").set_value("two groups of levels").run()
    app.pills(key="turn_group_0_0").set_value(["sunny", "overcast"]).run()
    assert any("outlook is overcast or sunny gains" in text.value for text in app.caption)
    next(b for b in app.button if b.label == "Take this split").click().run()
    assert not app.exception
    assert parameter(app, "choices") == '[[[],"outlook",null,["sunny","overcast"]]]'
    again = opened({"choices": '[[[],"outlook",null,["sunny","overcast"]]]', "step": "2"})
    assert not said(again)
    assert "chosen by you" in headings(again)


def test_a_group_without_a_level_cannot_be_taken() -> None:
    app = opened({"step": "2"})
    app.segmented_control(key="turn_branches_0_0").set_value("two groups of levels").run()
    for group in ([], ["sunny", "overcast", "rain"]):
        app.pills(key="turn_group_0_0").set_value(group).run()
        assert next(b for b in app.button if b.label == "Take this split").disabled
        assert any("at least one level" in text.value for text in app.caption)


def test_a_feature_that_was_used_can_be_asked_again_in_other_groups() -> None:
    app = opened({"choices": '[[[],"outlook",null,["sunny","overcast"]]]', "step": "3"})
    assert app.selectbox(key="turn_feature_1").options[-1] == "outlook"
    app.selectbox(key="turn_feature_1").select("outlook").run()
    next(b for b in app.button if b.label == "Take this split").click().run()
    assert not app.exception
    assert (parameter(app, "choices") or "").count("outlook") == 3


def test_with_guess_first_the_own_split_gives_nothing_away() -> None:
    app = opened({"step": "1", "guess_first": "1"})
    assert app.selectbox(key="turn_feature_0").options == ["outlook", "temperature", "humidity", "wind"]
    assert not any("gains" in text.value for text in app.caption)


def test_settings_that_cannot_be_leave_the_last_tree_on_the_screen() -> None:
    app = opened({"step": "2"})
    app.number_input(key="setting_max_depth").set_value(1).run()
    assert "Step 2 of 5" in headings(app)
    app.selectbox(key="setting_criterion").select("gini").run()
    app.session_state["espalier"] = replace(
        app.session_state["espalier"], settings=GrowthSettings(criterion="variance")
    )
    app.run()
    assert not app.exception
    assert "variance is not defined" in said(app)
    assert "Step 2 of 5" in headings(app)


def test_other_data_begin_at_the_start() -> None:
    app = opened({"step": "7"})
    app.selectbox(key="setting_dataset").select("iris").run()
    assert "Step 0 of" in headings(app)
    assert parameter(app, "dataset") == "iris"
    assert parameter(app, "step") == "0"


def test_settings_survive_a_page_switch() -> None:
    app = opened({"dataset": "iris", "max_depth": "2", "step": "3"})
    app.switch_page(str(PAGES / "data.py")).run()
    assert not app.exception
    app.switch_page(str(PAGES / "grow.py")).run()
    assert "Step 3 of" in headings(app)
    assert app.number_input(key="setting_max_depth").value == 2


def test_an_upload_is_the_data_of_every_page() -> None:
    app = opened()
    app.switch_page(str(PAGES / "data.py")).run()
    app.file_uploader[0].upload("fruit.csv", UPLOAD, "text/csv").run()
    assert not app.exception
    app.switch_page(str(PAGES / "grow.py")).run()
    assert not app.exception
    assert "Evidence · Step 0 of" in headings(app)
    assert parameter(app, "dataset") == "upload"
    assert any("fruit" in option for option in app.selectbox(key="setting_dataset").options)


def test_guessing_first_hides_the_evidence_of_a_split_that_is_still_to_come() -> None:
    app = opened({"step": "1", "guess_first": "1"})
    assert any("Guess first" in text.value for text in app.info)
    assert "outlook gains" not in headings(app)


def test_an_axis_that_is_no_feature_is_said() -> None:
    app = opened({"x": "nothing", "y": "wind"})
    assert "no such feature" in said(app)
    assert parameter(app, "x") is None
    assert parameter(app, "y") == "wind"


def test_a_threshold_set_by_hand_is_taken() -> None:
    app = opened({"dataset": "iris", "step": "2"})
    app.selectbox(key="turn_feature_0").select("sepal length (cm)").run()
    next(n for n in app.number_input if n.label == "Threshold" and "turn" in str(n.key)).set_value(5.0).run()
    next(b for b in app.button if b.label == "Take this split").click().run()
    assert not app.exception
    assert '"sepal length (cm)",5.0' in (parameter(app, "choices") or "")
    assert "chosen by you" in headings(app)
