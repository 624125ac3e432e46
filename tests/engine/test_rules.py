"""A tree as rules, text, Python and DOT: exact wording, agreement with the tree, hostile names."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pygraphviz
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine import Choice, Condition, GrowthSettings, Op, Table, Tree
from engine.ingest import read_frame
from engine.rules import as_dot, as_python, as_rules, as_text, condition_words, python_lines

FILES = sorted((Path(__file__).parents[2] / "datasets" / "files").glob("*.csv"))
TENNIS = Path(__file__).parents[2] / "datasets" / "files" / "play_tennis.csv"
HOSTILE = [
    'a"]); raise SystemExit(#',
    "']\nimport os\n#",
    '"""',
    "\\",
    "</title><script>alert(1)</script>",
    "&lt;b&gt;",
    "\\N\\n{x|y}",
    "{0} %s",
    "مرحبا\u202e",
    "$x^2$",
]


def tennis() -> engine.Growth:
    return engine.grow(engine.read_table(TENNIS, target="play", ignore=("day",)))


def program(tree: Tree) -> Callable[[dict[str, Any]], str]:
    """The printed Python, run on its own."""
    space: dict[str, Any] = {}
    exec(compile(as_python(tree), "tree.py", "exec"), space)  # a test runs what it prints
    predict: Callable[[dict[str, Any]], str] = space["predict"]
    return predict


def assert_program_agrees(tree: Tree, frame: pd.DataFrame) -> None:
    predict = program(tree)
    assert [predict(row) for row in frame.to_dict("records")] == tree.predict(frame).tolist()


LEVELS = st.sampled_from(["red", "green", "blue", ""])
NUMBERS = st.sampled_from(["-1.5", "0", "0.1", "0.2", "3", "1e3", ""])
ROWS = st.lists(
    st.tuples(LEVELS, NUMBERS, st.sampled_from(["x", "y"]), NUMBERS, st.sampled_from(["no", "yes", "so so"])),
    min_size=1,
    max_size=30,
)
NAMES = ["colour", "size", "letter", "weight", "answer"]


def mixed(rows: list[tuple[str, ...]], missing: str = "most_common") -> tuple[Table, GrowthSettings]:
    """A table of two categorical and two numeric features with missing cells."""
    # A first full row, and a last one, keep every feature from being empty or of one value throughout.
    frame = pd.DataFrame([("red", "1", "x", "1", "no"), *rows, ("blue", "2", "y", "7", "yes")], columns=NAMES)
    table = engine.read_table(frame, target="answer", categorical=("colour", "letter"), numeric=("size", "weight"))
    return table, GrowthSettings.id3(missing=missing)


# Rules


def test_the_rules_of_play_tennis_are_one_a_leaf_in_depth_first_order() -> None:
    assert as_rules(tennis().tree).splitlines() == [
        "IF outlook is overcast THEN play is yes (4 rows, 4 right)",
        "IF outlook is rain AND wind is strong THEN play is no (2 rows, 2 right)",
        "IF outlook is rain AND wind is weak THEN play is yes (3 rows, 3 right)",
        "IF outlook is sunny AND humidity is high THEN play is no (3 rows, 3 right)",
        "IF outlook is sunny AND humidity is normal THEN play is yes (2 rows, 2 right)",
    ]


def test_the_rules_of_a_half_grown_tree_answer_with_the_majority_of_open_nodes() -> None:
    assert as_rules(tennis()[2].tree).splitlines() == [
        "IF outlook is overcast THEN play is yes (4 rows, 4 right)",
        "IF outlook is rain THEN play is yes (5 rows, 3 right)",
        "IF outlook is sunny THEN play is no (5 rows, 3 right)",
    ]


def test_the_rule_of_a_tree_that_is_one_leaf_has_the_condition_true() -> None:
    assert as_rules(tennis()[0].tree) == "IF true THEN play is yes (14 rows, 9 right)\n"


def test_the_rule_of_an_empty_branch_has_no_rows() -> None:
    file = TENNIS.with_name("vegetation.csv")
    tree = engine.grow(engine.read_table(file, target="vegetation", ignore=("id",))).tree
    rule = "IF elevation is high AND slope is moderate THEN vegetation is chaparral (0 rows, 0 right)"
    assert rule in as_rules(tree).splitlines()


def test_thresholds_in_rules_have_full_precision() -> None:
    frame = pd.DataFrame({"length": ["0.1", "0.30000000000000004"], "kind": ["a", "b"]})
    tree = engine.grow(engine.read_table(frame, target="kind")).tree
    assert as_rules(tree).splitlines() == [
        "IF length < 0.2 THEN kind is a (1 rows, 1 right)",
        "IF length >= 0.2 THEN kind is b (1 rows, 1 right)",
    ]


def test_a_group_of_levels_reads_red_or_blue() -> None:
    assert condition_words(Condition("colour", Op.IN, ("red", "blue"))) == "colour is red or blue"


def test_a_branch_for_missing_values_reads_is_missing() -> None:
    assert condition_words(Condition("colour", Op.MISSING, None)) == "colour is missing"


def holds(condition: str, row: dict[str, Any]) -> bool:
    name, test, value = condition.split(" ", 2)
    if test == "is":
        return str(row[name]) in value.split(" or ")
    return row[name] < float(value) if test == "<" else row[name] >= float(value)


@given(rows=ROWS, missing=st.sampled_from(["most_common", "drop"]))
def test_exactly_one_rule_covers_each_row_and_its_counts_are_right(rows: list[tuple[str, ...]], missing: str) -> None:
    tree = engine.grow(*mixed(rows, missing)).tree
    table = tree.table
    numbers = {rule: [0, 0] for rule in as_rules(tree).splitlines()}
    for row in range(table.n_rows):
        cells = {feature.name: table.value(i, row) for i, feature in enumerate(table.features)}
        covering = []
        for rule in numbers:
            conditions = re.fullmatch(r"IF (.*) THEN answer is .*", rule)
            assert conditions
            if conditions[1] == "true" or all(holds(c, cells) for c in conditions[1].split(" AND ")):
                covering.append(rule)
        assert len(covering) == 1
        numbers[covering[0]][0] += 1
        numbers[covering[0]][1] += f" THEN answer is {table.target_value(row)} (" in covering[0]
    for rule, (n_rows, n_right) in numbers.items():
        assert rule.endswith(f" ({n_rows} rows, {n_right} right)")


# Text and DOT


def test_the_text_of_play_tennis_is_an_indented_outline() -> None:
    assert as_text(tennis().tree).splitlines() == [
        "play (14 rows: 5 no, 9 yes)",
        "|-- outlook is overcast: play is yes (4 rows, 4 right)",
        "|-- outlook is rain",
        "|   |-- wind is strong: play is no (2 rows, 2 right)",
        "|   |-- wind is weak: play is yes (3 rows, 3 right)",
        "|-- outlook is sunny",
        "|   |-- humidity is high: play is no (3 rows, 3 right)",
        "|   |-- humidity is normal: play is yes (2 rows, 2 right)",
    ]


def test_the_text_of_a_tree_that_is_one_leaf_is_its_answer() -> None:
    assert as_text(tennis()[0].tree) == "play is yes (14 rows, 9 right)\n"


def test_graphviz_reads_the_dot_of_play_tennis_with_every_node_and_branch() -> None:
    graph = pygraphviz.AGraph(string=as_dot(tennis().tree))
    assert sorted(graph.nodes()) == [f"n{i}" for i in range(8)]
    assert {(a, b): graph.get_edge(a, b).attr["label"] for a, b in graph.edges()} == {
        ("n0", "n1"): "is overcast",
        ("n0", "n2"): "is rain",
        ("n2", "n3"): "is strong",
        ("n2", "n4"): "is weak",
        ("n0", "n5"): "is sunny",
        ("n5", "n6"): "is high",
        ("n5", "n7"): "is normal",
    }
    assert graph.get_node("n0").attr["label"] == "outlook\\n5 no, 9 yes"
    assert graph.get_node("n1").attr["label"] == "play is yes\\n4 yes"


def test_the_dot_of_a_half_grown_tree_marks_open_nodes() -> None:
    graph = pygraphviz.AGraph(string=as_dot(tennis()[2].tree))
    assert graph.get_node("n2").attr["label"] == "?\\n2 no, 3 yes"
    assert len(graph.nodes()) == 4


# Python


def read(file: Path, ignore: tuple[str, ...] = ()) -> tuple[Table, pd.DataFrame]:
    """A dataset with its last column as classes, and its cells."""
    cells = read_frame(file).frame
    return engine.read_table(cells, target=str(cells.columns[-1]), task="classes", ignore=ignore), cells


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_printed_python_of_id3_agrees_on_every_row_of_every_dataset(file: Path) -> None:
    table, cells = read(file)
    assert_program_agrees(engine.grow(table).tree, cells)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_printed_python_of_cart_agrees_on_every_row_of_every_dataset(file: Path) -> None:
    table, _ = read(file)
    wide = tuple(feature.name for feature in table.features if len(feature.levels) > 2)
    if len(wide) == len(table.features):
        pytest.skip("every feature has three levels and more, which cart does not group yet")
    table, cells = read(file, ignore=wide)
    assert_program_agrees(engine.grow(table, GrowthSettings.cart(min_samples_leaf=2)).tree, cells)


@pytest.mark.parametrize("name", ["airquality", "congress_votes", "titanic"])
def test_the_printed_python_agrees_where_rows_with_missing_values_were_dropped(name: str) -> None:
    table, cells = read(TENNIS.with_name(f"{name}.csv"))
    settings = GrowthSettings.id3(criterion="gini", missing="drop", max_depth=5)
    assert_program_agrees(engine.grow(table, settings).tree, cells)


@given(
    rows=ROWS,
    missing=st.sampled_from(["most_common", "drop"]),
    queries=st.lists(
        st.fixed_dictionaries(
            {
                "colour": st.sampled_from(["red", "blue", "purple", "", "?", "NA"]),
                "size": st.sampled_from(["-7", "0.15", "2", "", "null"]),
                "letter": st.sampled_from(["x", "y", "z", "N/A"]),
                "weight": st.sampled_from(["1", "6.99", "", "nan"]),
            }
        ),
        min_size=1,
        max_size=10,
    ),
)
def test_the_printed_python_agrees_on_unseen_levels_and_missing_values(
    rows: list[tuple[str, ...]], missing: str, queries: list[dict[str, str]]
) -> None:
    growth = engine.grow(*mixed(rows, missing))
    for step in range(0, len(growth), 3):
        assert_program_agrees(growth[step].tree, pd.DataFrame(queries))
    assert_program_agrees(growth.tree, pd.DataFrame(queries))


def test_the_printed_python_takes_numbers_and_booleans_as_they_are() -> None:
    frame = pd.DataFrame({"n": ["1", "2", "3"], "b": ["true", "false", "false"], "y": ["p", "q", "r"]})
    table = engine.read_table(frame, target="y", categorical=("n",))
    predict = program(engine.grow(table).tree)
    assert [predict({"n": n, "b": b}) for n, b in ((1, True), (2.0, False), (3, None))] == ["p", "q", "r"]
    predict = program(engine.grow(table, GrowthSettings.id3(choices=(Choice((), "b"),))).tree)
    assert predict({"n": None, "b": True}) == "p"


def chain(depth: int) -> engine.Growth:
    """A tree that splits off one row at each depth."""
    frame = pd.DataFrame({"x": range(depth + 1), "y": [f"class {i % 3}" for i in range(depth + 1)]})
    path: tuple[Condition, ...] = ()
    choices = []
    for i in range(depth):
        choices.append(Choice(path, "x", threshold=i + 0.5))
        path = (*path, Condition("x", Op.AT_LEAST, i + 0.5))
    return engine.grow(engine.read_table(frame, target="y", task="classes"), GrowthSettings.id3(choices=tuple(choices)))


@pytest.mark.parametrize("depth", [39, 40, 41, 99, 150])
def test_the_printed_python_of_a_deep_tree_runs(depth: int) -> None:
    growth = chain(depth)
    assert growth.tree.depth >= depth - 2
    assert_program_agrees(growth.tree, pd.DataFrame({"x": [i / 2 for i in range(-1, 2 * depth + 2)]}))


def test_the_printed_python_of_a_split_with_thousands_of_branches_runs() -> None:
    frame = pd.DataFrame({"x": [f"level {i}" for i in range(3000)], "y": ["a" if i % 2 else "b" for i in range(3000)]})
    tree = engine.grow(engine.read_table(frame, target="y")).tree
    assert tree.n_leaves == 3000
    assert_program_agrees(tree, frame[:100])


def test_hostile_names_and_levels_cannot_leave_their_quotes() -> None:
    columns = {f"{name} {i}": [HOSTILE[i], HOSTILE[(i + 1) % len(HOSTILE)], "x", "y"] for i, name in enumerate(HOSTILE)}
    target = HOSTILE[0] + HOSTILE[1]
    frame = pd.DataFrame({**columns, target: [*HOSTILE[:3], "z"]})
    table = engine.read_table(frame, target=target)
    for feature in table.features:
        growth = engine.grow(table, GrowthSettings.id3(choices=(Choice((), feature.name),)))
        space: dict[str, Any] = {}
        exec(as_python(growth.tree), space)
        assert set(space) - {"__builtins__"} == {"MISSING", "TESTED", "text", "cells", "predict"}
        coded = growth.tree.predict(frame).tolist()
        assert [space["predict"](row) for row in frame.to_dict("records")] == coded
        assert len(as_rules(growth.tree).splitlines()) == growth.tree.n_leaves
        assert len(as_text(growth.tree).splitlines()) == growth.tree.n_nodes
        graph = pygraphviz.AGraph(string=as_dot(growth.tree))
        assert len(graph.nodes()) == growth.tree.n_nodes
        assert len(graph.edges()) == growth.tree.n_nodes - 1
        graph.close()


@given(rows=ROWS, missing=st.sampled_from(["most_common", "drop"]))
def test_the_taken_lines_of_the_program_lead_to_one_answer_the_predicted_one(
    rows: list[tuple[str, ...]], missing: str
) -> None:
    growth = engine.grow(*mixed(rows, missing))
    queries = pd.DataFrame([*rows, ("purple", "", "z", "", "")], columns=NAMES)
    lines = python_lines(growth.tree)
    for found in growth.tree.predictions(queries):
        taken = [line for line in lines if line.taken(found.path)]
        returned = [line for line in taken if " return " in line.text]
        assert [line.text.strip() for line in returned] == [f"return {found.prediction!r}"]
        assert returned[0].node == found.path[-1]
        tested = [line.node for line in taken if line.text.strip().startswith(("if ", "else"))]
        assert tested == list(found.path[1:])
