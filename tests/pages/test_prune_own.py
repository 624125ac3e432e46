"""The Prune page with what a student brings: validation rows and trees, good ones and hostile ones."""

from __future__ import annotations

import json

import pytest
from streamlit.testing.v1 import AppTest

import datasets
import engine
from engine.interchange import growth_document, to_json
from tests.engine.hostile_files import HOSTILE, Hostile
from tests.engine.pruning.test_given_trees import HOSTILE as HOSTILE_TREES
from tests.pages.test_prune_page import PAGES, opened, parameters, said, shown, tables

ROWS = "outlook,temperature,humidity,wind,play\nsunny,hot,high,weak,no\nrain,mild,high,strong,no\n"


def with_rows(app: AppTest, content: str | bytes, name: str = "rows.csv") -> AppTest:
    data = content.encode() if isinstance(content, str) else content
    app.file_uploader(key="prune_rows_file").upload(name, data, "text/csv").run()
    assert not app.exception
    return app


def with_tree(app: AppTest, content: str | bytes) -> AppTest:
    data = content.encode() if isinstance(content, str) else content
    app.file_uploader(key="prune_tree_file").upload("tree.json", data, "application/json").run()
    assert not app.exception
    return app


def counts(app: AppTest) -> str:
    """The table of the parts."""
    return next(block.proto.body for block in app.get("html") if "Rows of each part" in block.proto.body)


# Validation rows


def test_uploaded_rows_take_the_place_of_the_validation_rows() -> None:
    app = with_rows(opened(), ROWS)
    assert not said(app)
    assert "Validated on rows, 2 rows." in shown(app)
    numbers = [f'<td class="esp-number">{n}</td>' for n in (11, 2, 3)]
    assert "".join(numbers) in counts(app)
    assert not [slider for slider in app.slider if slider.key == "prune_validation"]
    app.toggle(key="prune_reveal").set_value(True).run()
    assert not app.exception


def test_the_rows_of_the_split_come_back() -> None:
    app = with_rows(opened(), ROWS)
    next(button for button in app.button if button.label.startswith("Back to the rows")).click().run()
    assert not app.exception
    assert "".join(f'<td class="esp-number">{n}</td>' for n in (7, 4, 3)) in counts(app)
    assert [slider for slider in app.slider if slider.key == "prune_validation"]


def test_other_columns_and_another_order_do_not_matter() -> None:
    lines = "note,play,wind,humidity,temperature,outlook\na,no,weak,high,hot,sunny\nb,yes,weak,normal,cool,rain\n"
    app = with_rows(opened(), lines)
    assert not said(app)
    assert "Validated on rows, 2 rows." in shown(app)


def test_a_class_or_a_level_that_the_tree_has_not_seen_is_no_fault() -> None:
    app = with_rows(opened({"step": "1"}), "outlook,temperature,humidity,wind,play\nfoggy,hot,high,weak,perhaps\n")
    assert not said(app)
    assert "No validation row has the class no or yes" in shown(app)


def test_rows_without_one_class_are_told() -> None:
    app = with_rows(opened({"step": "1"}), "outlook,temperature,humidity,wind,play\nsunny,hot,high,weak,no\n")
    assert "No validation row has the class yes: what the tree makes of it cannot be judged" in shown(app)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("outlook,temperature,humidity,wind\nsunny,hot,high,weak\n", "play"),
        ("play\nno\n", "no feature beside the target"),
        ("outlook,temperature,humidity,wind,play\n", "no rows"),
        (b"", "empty"),
    ],
    ids=["no target", "no features", "no rows", "empty"],
)
def test_rows_that_do_not_fit_are_a_sentence(content: str | bytes, words: str) -> None:
    app = with_rows(opened(), content)
    assert words in said(app)


@pytest.fixture(scope="module")
def visitor() -> AppTest:
    """One session that meets all hostile files, as if a person tried them in turn."""
    return opened()


@pytest.mark.parametrize("case", HOSTILE, ids=lambda case: case.name)
def test_a_hostile_file_of_rows_is_a_sentence_on_the_page(visitor: AppTest, case: Hostile) -> None:
    with_rows(visitor, case.content, f"{case.name}.csv")
    assert said(visitor)


# Trees


def test_a_tree_that_grow_printed_is_pruned_like_the_grown_one() -> None:
    table = datasets.load("play_tennis")
    document = to_json(growth_document(engine.grow(table, engine.GrowthSettings.id3()), "none"))
    app = with_tree(opened({"tree": "own", "method": "pessimistic"}), document)
    assert "Step 0 of 3" in shown(app)
    assert not said(app)


def test_a_tree_without_the_training_rows_is_judged_by_all_rows() -> None:
    app = with_tree(
        opened({"tree": "own"}),
        '{"target": "play", "tree": {"split": "wind", "prediction": "yes", '
        '"branches": {"strong": "no", "weak": "yes"}}}',
    )
    app.toggle(key="prune_counted").set_value(False).run()
    assert not app.exception
    assert "all of them, 14, judge it" in shown(app)
    assert "14" in tables(app)
    app.selectbox(key="prune_method").select(engine.PruningMethod.PESSIMISTIC).run()
    assert "counts training rows, and the tree has none" in said(app)


@pytest.mark.parametrize("case", HOSTILE_TREES)
def test_a_hostile_tree_is_a_sentence_on_the_page(case: str) -> None:
    source, words = HOSTILE_TREES[case]
    content = json.dumps(source) if isinstance(source, dict) else source
    app = opened({"tree": "own"})
    app.toggle(key="prune_counted").set_value(False).run()
    with_tree(app, content)
    assert words.replace("\\", "").lower() in said(app).lower()


def test_a_tree_over_columns_that_the_data_lacks_is_a_sentence() -> None:
    tree = (
        '{"target": "play", "tree": {"split": "moon", "prediction": "yes", "branches": {"full": "no", "new": "yes"}}}'
    )
    app = with_tree(opened({"tree": "own"}), tree)
    assert "moon" in said(app)


def test_names_of_a_hostile_tree_run_nothing() -> None:
    tree = {"split": "wind", "prediction": "yes", "branches": {"strong": "no", "weak": "<img src=x onerror=alert(1)>"}}
    app = with_tree(opened({"tree": "own"}), json.dumps({"target": "play", "tree": tree}))
    app.toggle(key="prune_counted").set_value(False).run()
    assert not app.exception
    assert "<img" not in tables(app)
    assert all("<img" not in text.value.replace("\\<", "") for text in [*app.markdown, *app.caption])


# Where a page must not stumble


def test_the_view_of_the_tree_is_in_the_link() -> None:
    asked = {"orientation": "left_right", "granularity": "detail", "hide": "counts", "outline": "0", "speed": "2"}
    found = parameters(opened({"dataset": "congress_votes", "levels": "2", **asked}))
    assert {name: found.get(name) for name in asked} == asked
    assert found["levels"] == "2"


def test_another_page_keeps_a_view_of_its_own() -> None:
    app = opened({"orientation": "left_right"})
    app.switch_page(str(PAGES / "grow.py")).run()
    assert "orientation" not in parameters(app)


@pytest.mark.parametrize("dataset", ["play_tennis", "mtcars", "iris"])
@pytest.mark.parametrize(
    "query", [{"max_depth": "0"}, {"holdout": "0"}, {"test": "0"}, {"holdout": "0.9", "test": "0"}]
)
def test_empty_parts_and_single_leaves_are_told_in_words(dataset: str, query: dict[str, str]) -> None:
    for method in engine.PruningMethod:
        app = opened({"dataset": dataset, "algorithm": "cart", "method": method.value, **query})
        assert not app.exception
        assert "Step 0 of" in shown(app) or said(app)
