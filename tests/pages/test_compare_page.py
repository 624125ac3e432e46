"""The Compare page without a browser: every dataset, every duel, links, rows, targets, the search."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import datasets
from widgets.compare.duels import DUELS

PAGES = Path(__file__).parents[2] / "pages"


def opened(query: Mapping[str, str] | None = None) -> AppTest:
    """The page as a link opens it."""
    app = AppTest.from_string("import app; app.main()", default_timeout=60)
    app.switch_page(str(PAGES / "compare.py"))
    for name, value in (query or {}).items():
        app.query_params[name] = value
    return app.run()


def shown(app: AppTest) -> str:
    """All words of the page but those of its tables and of the stage."""
    words = [text.value for text in [*app.markdown, *app.caption, *app.info]]
    return " ".join(words).replace("\u2060", "").replace("\\", "")


def said(app: AppTest) -> str:
    return " ".join(text.value for text in [*app.warning, *app.error]).replace("\u2060", "").replace("\\", "")


def tables(app: AppTest) -> str:
    return " ".join(block.proto.body for block in app.get("html"))


def parameters(app: AppTest) -> dict[str, str]:
    return {name: value[-1] if isinstance(value, list) else value for name, value in app.query_params.items()}


def test_the_first_visit_compares_entropy_with_gini() -> None:
    app = opened()
    assert not app.exception
    assert "Step 0 of 11" in shown(app)
    found = parameters(app)
    assert (found["algorithm"], found["algorithm_b"], found["criterion_b"]) == ("id3", "id3", "gini")
    assert "Information gain and Gini gain are not in the same unit" in shown(app)


@pytest.mark.parametrize("name", [entry.name for entry in datasets.catalogue()])
def test_every_dataset_is_compared(name: str) -> None:
    app = opened({"dataset": name, "step": "2"})
    assert not app.exception
    assert not said(app)
    assert "Step 2 of" in shown(app)


@pytest.mark.parametrize("name", DUELS)
def test_every_duel_opens_at_its_start_and_says_what_to_look_for(name: str) -> None:
    app = opened()
    app.selectbox(key="setting_duel").select(name).run()
    assert not app.exception
    assert not said(app)
    assert DUELS[name].watch in shown(app)
    assert "Step 0 of" in shown(app)
    assert parameters(app)["dataset"] == DUELS[name].dataset


@pytest.mark.parametrize("name", DUELS)
def test_the_link_of_a_duel_restores_both_sides(name: str) -> None:
    app = opened()
    app.selectbox(key="setting_duel").select(name).run()
    again = opened(parameters(app))
    assert not said(again)
    assert parameters(again) == parameters(app)
    assert tables(again) == tables(app)


def test_a_link_restores_both_sides_and_the_step() -> None:
    query = {
        "dataset": "iris",
        "algorithm": "cart",
        "max_depth": "3",
        "without_rows": "3,150",
        "algorithm_b": "id3",
        "criterion_b": "misclassification",
        "min_samples_leaf_b": "2",
        "label_noise_b": "0.1",
        "label_noise_seed_b": "4",
        "step": "5",
    }
    app = opened(query)
    assert not app.exception
    assert not said(app)
    assert parameters(app) == query
    assert "Step 5 of" in shown(app)
    assert app.text_input(key="setting_without_rows").value == "3, 150"
    assert app.slider(key="setting_label_noise_b").value == 10
    assert app.selectbox(key="setting_criterion_b").value == "misclassification"


def test_the_second_side_may_have_another_dataset_and_another_target() -> None:
    query = {"dataset": "play_tennis", "algorithm": "id3", "algorithm_b": "id3", "step": "0"}
    other = opened({**query, "dataset_b": "play_tennis_noisy"})
    assert "A has 14 rows, B 15 rows, 14 of them the same" in shown(other)
    assert parameters(other)["dataset_b"] == "play_tennis_noisy"
    target = opened({**query, "target_b": "wind"})
    assert not target.exception
    assert "A predicts play, B predicts wind" in shown(target)
    assert "their answers cannot be compared" in shown(target)
    assert parameters(target)["target_b"] == "wind"


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"step": "999"}, "asks for step 999"),
        ({"step": "two"}, "must be a whole number"),
        ({"criterion_b": "beauty"}, "For B: The link cannot be followed in full: criterion must be one of"),
        ({"criterion_b": "variance"}, "B: The criterion variance"),
        ({"max_depth_b": "deep"}, "For B: The link's max_depth must be a whole number"),
        ({"dataset_b": "nothing"}, "there is no dataset 'nothing'"),
        ({"target_b": "nothing"}, "nothing"),
        ({"without_rows_b": "0"}, "numbers of rows, counted from 1"),
        ({"without_rows": "many"}, "numbers of rows, counted from 1"),
        ({"without_rows": "99"}, "there is no row 99"),
        ({"only_rows": "3", "without_rows": "3"}, "no row is left"),
        ({"label_noise": "7"}, "from 0 to 1, got 7"),
        ({"label_noise_seed_b": "-1"}, "at least 0"),
        ({"duel": "chess"}, "no duel 'chess'"),
        ({"dataset": "upload"}, "does not travel"),
    ],
)
def test_what_a_link_gets_wrong_is_said(query: dict[str, str], sentence: str) -> None:
    app = opened(query)
    assert not app.exception
    assert sentence.lower() in said(app).lower()


def test_the_second_sides_parameters_stand_on_this_page_alone() -> None:
    app = opened({"dataset": "iris", "criterion_b": "misclassification", "step": "4"})
    app.switch_page(str(PAGES / "grow.py")).run()
    assert not any(name.endswith("_b") for name in parameters(app))
    assert parameters(app)["step"] == "0"
    app.switch_page(str(PAGES / "compare.py")).run()
    assert parameters(app)["criterion_b"] == "misclassification"
    assert parameters(app)["step"] == "4"


def test_settings_of_one_side_leave_the_other_as_it_is() -> None:
    app = opened()
    app.number_input(key="setting_max_depth_b").set_value(1).run()
    found = parameters(app)
    assert (found["max_depth_b"], "max_depth" in found) == ("1", False)
    app.selectbox(key="setting_criterion").select("misclassification").run()
    found = parameters(app)
    assert (found["criterion"], found["criterion_b"], found["max_depth_b"]) == ("misclassification", "gini", "1")


def test_the_sides_change_places() -> None:
    app = opened({"criterion": "misclassification", "criterion_b": "gain_ratio", "without_rows_b": "1"})
    app.button(key="setting_swap").click().run()
    found = parameters(app)
    assert (found["criterion"], found["criterion_b"]) == ("gain_ratio", "misclassification")
    assert (found["without_rows"], "without_rows_b" in found) == ("1", False)


def test_rows_are_left_out_by_their_numbers_and_nonsense_is_said() -> None:
    app = opened()
    app.text_input(key="setting_without_rows_b").set_value("14, 1-2").run()
    assert parameters(app)["without_rows_b"] == "1,2,14"
    assert "A has 14 rows, B 11 rows" in shown(app)
    app.text_input(key="setting_without_rows_b").set_value("all").run()
    assert "must be numbers such as 14 or 3, 7-9, got all" in said(app)
    app.text_input(key="setting_without_rows_b").set_value("15").run()
    assert "there is no row 15" in said(app).lower()
    assert parameters(app)["without_rows_b"] == "1,2,14"


def test_other_data_take_all_rows_again() -> None:
    app = opened({"without_rows": "14", "label_noise_b": "0.2", "step": "3"})
    app.selectbox(key="setting_dataset").select("iris").run()
    found = parameters(app)
    assert not app.exception and not said(app)
    assert not {"without_rows", "label_noise_b"} & set(found)
    assert found["step"] == "0"


def test_settings_that_cannot_be_leave_the_last_tree_on_the_screen() -> None:
    app = opened({"dataset": "vegetation", "step": "1"})
    app.selectbox(key="setting_dataset").select("bike_rentals").run()
    app.segmented_control(key="setting_algorithm_b").select("c45").run()
    assert not app.exception
    assert "B: " in said(app) and "c45" in said(app)
    assert "Tree B below is the last one that could be grown." in shown(app)


def test_all_criteria_stand_in_one_table_with_their_winners_marked() -> None:
    app = opened({"dataset": "vegetation", "step": "1"})
    table = next(block.proto.body for block in app.get("html") if "under each criterion" in block.proto.body)
    for text in ("entropy A", "gain ratio", "Gini B", "misclassification", "✓ 0.877", "✓ 0.503", "✓ 0.320", "0.253"):
        assert f">{text}<" in table
    assert "Entropy and Gini take elevation; gain ratio and misclassification take slope." in shown(app)


def test_the_summary_has_levels_sizes_errors_and_time() -> None:
    app = opened({"dataset": "iris", "holdout": "0.3", "criterion_b": "gini", "max_depth_b": "1"})
    body = tables(app)
    for text in ("nodes", "leaves", "depth", "training error", "holdout error", "time to grow, as a ratio", "A tests"):
        assert f">{text}<" in body


def test_agreement_is_measured_over_a_hundred_bootstraps() -> None:
    app = opened({"dataset": "play_tennis"})
    app.button(key="bootstraps_start").click().run()
    assert "On 100 resampled tables: the same first question" in shown(app)


def test_the_search_finds_a_table_opens_it_at_the_difference_and_leads_back() -> None:
    app = opened({"dataset": "play_tennis", "criterion_b": "misclassification", "step": "3"})
    app.session_state["compare_more"] = "Find data where they disagree"
    app.run()
    app.button(key="hunt_start").click().run()
    found = parameters(app)
    assert found["dataset"] == "small_random"
    assert int(found["rows"]) <= 8
    assert int(found["step"]) > 0
    again = opened(found)
    assert not said(again)
    assert parameters(again) == found
    next(button for button in app.button if button.label.startswith("Back")).click().run()
    assert parameters(app)["dataset"] == "play_tennis"
    assert parameters(app)["step"] == "3"


def test_a_search_that_finds_nothing_says_so_and_leaves_the_data() -> None:
    app = opened({"dataset": "spam_emails", "criterion_b": "entropy"})
    app.session_state["compare_more"] = "Find data where they disagree"
    app.run()
    app.radio(key="hunt_place").set_value("parts of these rows").run()
    app.button(key="hunt_start").click().run()
    assert "42 tables tried, now of 6 rows: the trees are the same." in shown(app)
    assert parameters(app)["dataset"] == "spam_emails"


def test_parts_of_the_rows_are_searched_where_the_target_is_a_number() -> None:
    app = opened({"dataset": "bike_rentals"})
    app.session_state["compare_more"] = "Find data where they disagree"
    app.run()
    assert not app.exception
    assert app.radio(key="hunt_place").options == ["parts of these rows"]


def test_stability_counts_each_split_over_a_hundred_trees() -> None:
    app = opened({"dataset": "iris", "algorithm": "cart", "algorithm_b": "cart", "max_depth": "2"})
    app.session_state["compare_more"] = "Stability"
    app.run()
    assert "Tested first" not in shown(app)
    next(button for button in app.button if "trees of resampled rows" in button.label).click().run()
    assert not app.exception
    assert "100 of 100 trees." in shown(app)
    assert "How often each split survives" in tables(app)


def test_rows_left_out_at_random_stand_in_the_heading_and_in_the_link() -> None:
    app = opened({"dataset": "iris"})
    app.slider(key="setting_dropped_rows_b").set_value(10).run()
    assert not app.exception
    assert parameters(app)["dropped_rows_b"] == "0.1"
    assert "150 rows, B 135 rows, 135 of them the same" in shown(app)
    app.button(key="setting_label_noise_seed_b").click().run()
    assert parameters(app)["label_noise_seed_b"] == "1"


def test_how_much_of_a_survives_in_b_is_said() -> None:
    assert "of A's" in shown(opened({"dataset": "wine"}))
    assert "The two trees are the same." in shown(opened({"dataset": "play_tennis"}))


def test_the_view_of_the_trees_is_in_the_link_and_the_page_grow_keeps_its_own() -> None:
    asked = {"orientation": "left_right", "granularity": "difference", "hide": "counts", "levels": "2"}
    app = opened({"dataset": "wine", **asked})
    assert not said(app)
    assert {name: parameters(app).get(name) for name in asked} == asked
    app.switch_page(str(PAGES / "grow.py")).run()
    assert not {*asked} & {*parameters(app)}


def test_a_granularity_that_the_page_has_not_is_told() -> None:
    assert "granularity must be one of" in said(opened({"granularity": "detail"}))
