"""The Prune page without a browser: every method, given trees, links, parts, edge cases."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import datasets
from engine.pruning import PruningMethod

PAGES = Path(__file__).parents[2] / "pages"


def opened(query: Mapping[str, str] | None = None) -> AppTest:
    """The page as a link opens it."""
    app = AppTest.from_string("import app; app.main()", default_timeout=60)
    app.switch_page(str(PAGES / "prune.py"))
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


@pytest.mark.parametrize("method", PruningMethod)
def test_every_method_tells_its_decision_with_numbers(method: PruningMethod) -> None:
    app = opened({"dataset": "congress_votes", "method": method.value, "step": "1"})
    assert not app.exception
    assert not said(app)
    assert "Step 1 of" in shown(app)
    assert shown(app).count(": cut.") + shown(app).count(": kept.") + shown(app).count("no worse, cut.") >= 1
    assert parameters(app)["method"] == method.value


@pytest.mark.parametrize("name", [entry.name for entry in datasets.catalogue()])
def test_every_dataset_is_pruned_or_says_why_not(name: str) -> None:
    app = opened({"dataset": name, "step": "0"})
    assert not app.exception
    assert "Step 0 of" in shown(app) or said(app)


def test_the_published_example_replays_as_printed() -> None:
    app = opened({"dataset": "postoperative_validation", "step": "1"})
    assert "gender, where core_temp is low: 2 errors as a subtree, 0 as a leaf: cut." in shown(app)
    again = opened({"dataset": "postoperative_validation", "step": "2"})
    assert "stable_temp, where core_temp is high: 0 errors as a subtree, 2 as a leaf: kept." in shown(again)
    last = opened({"dataset": "postoperative_validation", "step": "3"})
    assert "core_temp, at the root: 0 errors as a subtree, 1 as a leaf: kept." in shown(last)


def test_the_published_example_is_one_click_away() -> None:
    app = opened({"dataset": "congress_votes", "method": "pessimistic"})
    next(button for button in app.button if button.label == "Show the published example").click().run()
    assert not app.exception
    assert "Step 0 of 3" in shown(app)
    assert "all of them, 6, judge it" in shown(app)
    assert parameters(app)["dataset"] == "postoperative_validation"
    assert not [button for button in app.button if button.label == "Show the published example"]


def test_the_rules_open_on_the_page_grow_over_the_same_data() -> None:
    app = opened({"dataset": "congress_votes"})
    app.session_state["prune_more"] = "Rules"
    app.run()
    next(button for button in app.button if "on the page Grow" in button.label).click().run()
    assert not app.exception
    assert app.session_state["more"] == "Rules"
    assert parameters(app)["dataset"] == "congress_votes"


def test_the_depth_is_told_with_its_rows_a_leaf() -> None:
    app = opened({"dataset": "iris"})
    app.session_state["prune_more"] = "Depth"
    app.run()
    app.slider(key="prune_depth").set_value(1).run()
    assert not app.exception
    assert "Depth 1: 2 leaves, 37.5 training rows each on average, 25 in the smallest." in shown(app)
    assert "twice the data" in shown(app)
    assert "The tree at every depth" in tables(app)
    assert ">test</th>" not in next(b.proto.body for b in app.get("html") if "The tree at every depth" in b.proto.body)


def test_the_parts_are_counted_and_the_test_error_is_hidden_until_asked_for() -> None:
    app = opened({"dataset": "congress_votes"})
    assert all(f'<td class="esp-number">{n}</td>' in tables(app) for n in (217, 131, 87))
    assert "Hidden: who chooses" in shown(app)
    assert "test error" not in tables(app)
    app.toggle(key="prune_reveal").set_value(True).run()
    assert "test error" in tables(app)
    assert parameters(app)["revealed"] == "1"


def test_a_link_restores_method_parts_and_step() -> None:
    asked = {
        "dataset": "congress_votes",
        "method": "cost_complexity",
        "selection": "cross_validation",
        "standard_errors": "0",
        "holdout": "0.2",
        "test": "0.1",
        "holdout_seed": "3",
        "step": "2",
    }
    found = parameters(opened(asked))
    assert {name: found.get(name) for name in asked} == {**asked, "standard_errors": "0"}


def test_the_significance_of_the_pruning_is_not_that_of_the_growth() -> None:
    app = opened({"method": "chi_square", "significance": "0.2", "stop_significance": "0.9"})
    assert not said(app)
    found = parameters(app)
    assert (found["significance"], found["stop_significance"]) == ("0.2", "0.9")


def test_a_link_that_makes_no_sense_is_told_and_clamped() -> None:
    app = opened({"method": "nonsense", "holdout": "7", "step": "99"})
    assert not app.exception
    assert all(words in said(app) for words in ("method must be one of", "at most 0.9", "step 99"))


def test_a_method_for_classes_refuses_a_number_in_words() -> None:
    app = opened({"dataset": "mtcars", "method": "pessimistic", "algorithm": "cart"})
    assert not app.exception
    assert "is defined for classes" in said(app)


def test_a_regression_tree_is_pruned_by_squared_errors() -> None:
    app = opened({"dataset": "mtcars", "algorithm": "cart", "step": "3"})
    assert not app.exception
    assert "squared error 22.210 as a subtree, 22.525 as a leaf: kept" in shown(app)


def test_no_validation_rows_are_told_and_how_to_mend_it() -> None:
    app = opened({"holdout": "0"})
    assert "decides on validation rows, and none were given" in said(app)
    app.selectbox(key="prune_method").select(PruningMethod.PESSIMISTIC).run()
    assert not said(app)
    assert "No rows are set aside for validation" in shown(app)


def test_a_single_leaf_has_nothing_to_prune() -> None:
    app = opened({"max_depth": "0"})
    assert not app.exception
    assert "a single leaf: there is nothing to prune" in shown(app)


def test_an_alpha_takes_the_tree_of_its_interval() -> None:
    app = opened({"dataset": "iris", "method": "cost_complexity"})
    app.selectbox(key="prune_choice").select("alpha").run()
    slider = app.select_slider(key="prune_subtree")
    assert slider.options[-1].endswith("and more")
    slider.set_value(2).run()
    assert not app.exception
    assert float(parameters(app)["alpha"]) > 0


def test_all_methods_stand_side_by_side() -> None:
    app = opened({"dataset": "congress_votes"})
    assert "They disagree on" in shown(app)
    assert "Cut or kept, by each method" in tables(app)


def test_a_tree_entered_by_hand_is_pruned_and_a_bad_one_is_told() -> None:
    app = opened({"dataset": "play_tennis", "tree": "own"})
    tree = '{"split": "wind", "prediction": "yes", "branches": {"strong": "no", "weak": "yes"}}'
    text = f'{{"target": "play", "tree": {tree}}}'
    app.text_area(key="prune_tree_text").set_value(text).run()
    assert not app.exception
    assert "Step 0 of 1" in shown(app)
    app.text_area(key="prune_tree_text").set_value('{"target": "play"}').run()
    assert not app.exception
    assert "the file has no tree" in said(app).lower()


def test_labels_are_flipped_only_when_asked() -> None:
    app = opened({"dataset": "congress_votes"})
    assert not [button for button in app.button if "Flip labels" in button.label]


def test_a_split_that_is_asked_about_is_selected_in_the_tree() -> None:
    app = opened({"dataset": "congress_votes", "step": "24"})
    asked = app.selectbox(key="prune_explained")
    node = next(option for option in asked.options if option.startswith("adoption-of-the-budget-resolution"))
    asked.select(node).run()
    assert not app.exception
    assert app.session_state["espalier"].pruner.selected == 2
    assert "adoption-of-the-budget-resolution, where" in shown(app)


def test_the_significance_slides_and_any_other_level_can_be_typed() -> None:
    app = opened({"dataset": "congress_votes", "method": "chi_square"})
    app.slider(key="prune_significance").set_value(0.2).run()
    assert not app.exception
    assert parameters(app)["significance"] == "0.2"
    typed = opened({"dataset": "congress_votes", "method": "chi_square", "significance": "0.001"})
    assert not typed.exception
    assert typed.number_input(key="prune_significance").value == 0.001
