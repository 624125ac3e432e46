"""Trees read from JSON: both forms, their order, their counts, and everything that can be wrong with a file."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as profile
from hypothesis import strategies as st

import datasets
import engine
from engine import EngineError, GrowthSettings, StopReason, TreeError, prune, read_tree
from engine.frames import frame_of
from engine.given.plan import MOST_DEPTH
from engine.interchange import growth_document, to_json
from tests.engine.pruning.cases import TREE, grown, noisy_numbers, postoperative, settings
from tests.engine.tables import iris, make_table, play_tennis

LEAVES = {"u": "n", "v": "y"}
SMALL = {"target": "y", "tree": {"split": "a", "prediction": "n", "branches": LEAVES}}


def test_a_file_its_content_and_the_parsed_object_are_read_alike() -> None:
    content = TREE.read_bytes()
    for source in (TREE, content, content.decode(), json.loads(content), b"\xef\xbb\xbf" + content):
        tree = read_tree(source)
        assert (tree.n_leaves, tree.source.name, tree.source.target.name) == (4, "postoperative_tree", "decision")


def test_branches_keep_the_order_of_the_file() -> None:
    tree, rows = postoperative()
    assert [c.value for c in (tree.condition(1), tree.condition(4))] == [("low",), ("high",)]
    assert tree.source.features[0].levels == ("high", "low")
    assert tree.predict(frame_of(rows)).tolist() == ["gen", "gen", "icu", "icu", "gen", "icu"]


def test_a_tree_without_counts_is_sure_of_its_answers() -> None:
    tree, rows = postoperative()
    assert tree.probabilities(0) == {"gen": 0.0, "icu": 1.0}
    assert tree.predict_proba(frame_of(rows)).sum(axis=1).tolist() == [1] * 6
    assert tree.collapse((1,)).predictions(frame_of(rows))[1].prediction == "icu"


def test_counts_of_leaves_add_up_and_give_the_answers() -> None:
    tree = read_tree(
        {
            "target": "y",
            "tree": {"split": "a", "branches": {"u": {"counts": {"n": 2}}, "v": {"counts": {"n": 1, "y": 2}}}},
        }
    )
    assert tree.nodes.counts.tolist() == [[3, 2], [2, 0], [1, 2]]
    assert tree.nodes.counts.dtype.kind == "i"
    assert [tree.label(node) for node in range(3)] == ["n", "n", "y"]
    assert tree.probabilities(2) == {"n": 1 / 3, "y": 2 / 3}


def test_the_rows_of_a_table_are_counted_where_they_fall() -> None:
    table = make_table({"a": ["u", "u", "v", "w"], "b": ["s", "t", "s", "t"]}, ["n", "y", "y", "y"])
    tree = read_tree(
        {
            "target": "y",
            "tree": {"split": "a", "branches": {"v": "y", "u": {"split": "b", "branches": {"t": "y", "s": "n"}}}},
        },
        table,
    )
    assert tree.nodes.counts.tolist() == [[1, 3], [0, 1], [1, 1], [0, 1], [1, 0]]
    assert [tree.rows(node).tolist() for node in range(5)] == [[0, 1, 2, 3], [2], [0, 1], [1], [0]]
    assert tree.label(0) == "y"  # the row with level w rests at the root
    found = prune(tree, settings("pessimistic"))
    assert found.curve[0].train_error == 0


def test_thresholds_groups_and_numbers_are_read() -> None:
    tree = read_tree(
        {
            "target": "price",
            "features": {"size": "numeric", "colour": ["red", "green", "blue"]},
            "tree": {
                "split": "size",
                "threshold": 2.5,
                "prediction": 10,
                "branches": {
                    "<": {"prediction": 7.5, "n_rows": 3, "variance": 1},
                    ">=": {
                        "split": "colour",
                        "prediction": 12,
                        "branches": [{"in": ["red", "blue"], "then": 11}, {"in": ["green"], "then": 14}],
                    },
                },
            },
        }
    )
    assert tree.is_number
    frame = frame_of(make_table({"size": [1.0, 3.0, 3.0], "colour": ["red", "blue", "green"]}, ["x", "x", "x"]))
    assert tree.predict(frame).tolist() == [7.5, 11, 14]
    assert tree.split(2).kind is engine.SplitKind.SUBSET


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("play_tennis", GrowthSettings.id3()),
        ("titanic", GrowthSettings.cart(max_depth=4)),
        ("wine", GrowthSettings.cart()),
        ("bike_rentals", GrowthSettings.id3()),
        ("mtcars", GrowthSettings.cart()),
        ("congress_votes", GrowthSettings.c45()),
        ("congress_votes", GrowthSettings.id3(missing="own_branch")),
        ("airquality", GrowthSettings.cart(missing="own_branch", max_depth=3)),
    ],
    ids=lambda value: value if isinstance(value, str) else value.algorithm.value,
)
def test_a_document_of_grow_gives_the_tree_back(name: str, how: GrowthSettings) -> None:
    growth = engine.grow(datasets.load(name), how)
    tree = read_tree(to_json(growth_document(growth, "none")))
    frame = frame_of(growth.source)
    own, again = growth.tree.predict(frame), tree.predict(frame)
    assert (own == again).all() if not tree.is_number else own == pytest.approx(again)
    for node in range(len(tree.nodes)):
        assert tree.label(node) == growth.tree.label(node)
        assert tree.split(node) == growth.tree.split(node)
        assert tree.stop_reason(node) == growth.tree.stop_reason(node)
    for risk in ("error", "impurity"):
        how_to = settings("cost_complexity", alpha=0.01, risk=risk)
        assert prune(tree, how_to).pruned_nodes == prune(growth, how_to).pruned_nodes


@given(grown())
@profile(max_examples=40)
def test_a_tree_read_back_is_pruned_like_the_one_that_was_grown(case) -> None:
    growth, rows = case
    tree = read_tree(growth_document(growth, "none"))
    over = read_tree(growth_document(growth, "none"), growth.source)
    for method in ("reduced_error", "reduced_error_greedy", "cost_complexity", "pessimistic", "chi_square"):
        expected = prune(growth, settings(method), rows)
        found = prune(tree, settings(method), rows)
        assert found.decisions == expected.decisions
        assert [p.train_error for p in found.curve] == pytest.approx([p.train_error for p in expected.curve])
        assert prune(over, settings(method), rows).decisions == expected.decisions
    bits = settings("minimum_description_length")
    assert prune(over, bits).pruned_nodes == prune(growth, bits).pruned_nodes


def test_a_table_for_a_number_gives_means_and_squared_errors() -> None:
    table = noisy_numbers(30)
    growth = engine.grow(table, GrowthSettings.cart(max_depth=2))
    tree = read_tree(growth_document(growth, "none"), table)
    assert tree.nodes.variance == pytest.approx(growth.tree.nodes.variance)
    how = settings("cost_complexity", alpha=0.0)
    assert [p.train_error for p in prune(tree, how).curve] == pytest.approx(
        [p.train_error for p in prune(growth, how).curve]
    )
    small = {"target": "y", "tree": {"split": "x0", "threshold": 0.0, "branches": [{}, {}]}}
    assert read_tree(small, table).label(0) == pytest.approx(table.target_values.mean())


def test_an_empty_leaf_of_a_table_has_its_parents_answer() -> None:
    table = make_table({"a": ["u", "u", "v"]}, ["n", "n", "y"])
    tree = read_tree(
        {
            "target": "y",
            "tree": {"split": "a", "branches": {"u": {}, "v": {"split": "a", "branches": {"u": {}, "v": {}}}}},
        },
        table,
    )
    assert (tree.label(3), tree.stop_reason(3)) == ("y", StopReason.NO_ROWS)


def test_the_deepest_tree_that_is_read_is_pruned() -> None:
    value: object = "y"
    for level in range(MOST_DEPTH // 2):
        value = {"split": f"f{level}", "prediction": "n", "branches": {"u": "n", "v": value}}
    tree = read_tree({"target": "y", "tree": value})
    assert tree.n_leaves == MOST_DEPTH // 2 + 1


def changed(path: tuple, value: object) -> dict:
    """The small tree with one thing replaced (or left out, for ...)."""
    document = copy.deepcopy(SMALL)
    place: dict = document
    for key in path[:-1]:
        place = place[key]
    if value is ...:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return document


HOSTILE = {
    "no object": ("[1, 2]", "the tree file must be an object with names and values, got a list"),
    "no JSON": ("{", "the tree file is no JSON: expecting property name"),
    "no text": (b"\xff\xfe\x00", "the tree file is not text; save it as JSON in UTF-8"),
    "no tree": ("{}", 'the file has no tree; it needs "tree"'),
    "twice": (
        '{"target": "y", "tree": {"split": "a", "branches": {"u": "n", "u": "y"}}}',
        "has 'u' twice in one object",
    ),
    "not a number": ('{"target": "y", "tree": {"prediction": NaN}}', "holds NaN, which is no number"),
    "too large a number": (
        '{"target": "y", "tree": {"prediction": ' + "9" * 400 + "}}",
        "must be a number, got a number beyond",
    ),
    "nested too deep": ("[" * 100_000, "nested too deep"),
    "no target": (changed(("target",), ...), 'lacks "target", the name of the column'),
    "target no text": (changed(("target",), 5), "target must be a text in double quotes, got 5"),
    "unknown key": (changed(("tree", "colour"), 1), "the root has 'colour', which is none of branches, counts"),
    "null": (changed(("tree", "branches", "u"), None), "a is u must be an object with names and values, got null"),
    "true": (changed(("tree", "branches", "u"), True), "got true"),
    "no branches": (changed(("tree", "branches"), ...), "needs its branches, one a level, or a threshold, got null"),
    "one branch": (
        changed(("tree", "branches"), {"u": "n"}),
        "the root needs at least two branches to be a split, got 1",
    ),
    "no split": (changed(("tree", "split"), ...), 'the root has branches but no "split"'),
    "three sides": (changed(("tree", "threshold"), 3), 'needs two branches, {"<": …, ">=": …}, got an object'),
    "threshold no number": (changed(("tree", "threshold"), "3"), "the threshold at the root must be a number, got '3'"),
    "no prediction": (changed(("tree", "prediction"), ...), 'the root needs a "prediction" or counts'),
    "negative count": (changed(("tree", "branches", "u"), {"counts": {"n": -1}}), "must be at least 0, got -1"),
    "some counts": (
        changed(("tree", "branches", "u"), {"counts": {"n": 1}}),
        "a is v has no counts, and other leaves have",
    ),
    "unknown class": ({**SMALL, "classes": ["n", "z"]}, "a is v predicts 'y'; the classes are 'n', 'z'"),
    "class twice": ({**SMALL, "classes": ["n", "n"]}, "classes must differ, got 'n' twice"),
    "unknown level": ({**SMALL, "features": {"a": ["u", "w"]}}, "the root asks whether 'a' is 'v', none of its levels"),
    "numeric by level": (
        {**SMALL, "features": {"a": "numeric"}},
        "by a threshold in one place and by levels in another",
    ),
    "mixed answers": (changed(("tree", "branches", "u"), 3), "predicts 'n', and the target is a number"),
    "a level twice": (
        changed(("tree", "branches"), [{"in": ["u"], "then": "n"}, {"in": ["u"], "then": "y"}]),
        "the branches of the root must differ, got a level of 'a' in two",
    ),
    "a branch without levels": (changed(("tree", "branches"), [{"in": [], "then": "n"}]), "needs at least one level"),
    "a branch of another form": (changed(("tree", "branches"), [{"if": 1}]), '"in" (its levels) and "then" (its tree)'),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_what_is_wrong_with_a_file_is_said_in_a_sentence(case: str) -> None:
    source, words = HOSTILE[case]
    with pytest.raises(TreeError) as caught:
        read_tree(source)
    assert words in str(caught.value)
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)


DOCUMENT = growth_document(engine.grow(play_tennis()), "none")


def wrong(change) -> dict:
    document = json.loads(json.dumps(DOCUMENT))
    change(document)
    return document


DAMAGED = {
    "no table": (lambda d: d.pop("table"), "table must be an object"),
    "no nodes": (lambda d: d.update(nodes=[]), "nodes must have at least the root"),
    "another order": (lambda d: d["nodes"].reverse(), "must stand in the order of their ids, got 7 at 0"),
    "cut short": (lambda d: d["nodes"].pop(), "node 5 has a branch that leads to no node"),
    "too long": (lambda d: d["nodes"].append({**d["nodes"][1], "id": 8}), "node 8 is no branch of a node before it"),
    "another parent": (lambda d: d["nodes"][3].update(parent=0), "node 3 must have the parent 2"),
    "a loop": (lambda d: d["nodes"][1].update(parent=1), "node 1 must have the parent 0"),
    "unknown class": (lambda d: d["nodes"][1].update(prediction="maybe"), "node 1 predicts 'maybe'; the classes are"),
    "counts of another class": (lambda d: d["nodes"][1].update(counts={"maybe": 1}), "counts rows of 'maybe'"),
    "counts that do not add up": (
        lambda d: d["nodes"][2].update(counts={"no": 1, "yes": 1}),
        "the counts at node 2 must be",
    ),
    "no counts": (lambda d: d["nodes"][2].pop("counts"), "the counts of node 2 must be an object"),
    "unknown op": (
        lambda d: d["nodes"][2]["split"]["branches"][0].update(op="~"),
        "must be < and >=, or all in, got '~'",
    ),
    "unknown level": (
        lambda d: d["nodes"][2]["split"]["branches"][0].update(value=["calm"]),
        "'wind' is 'calm', none of its",
    ),
    "no threshold": (
        lambda d: d["nodes"][2]["split"].update(branches=[{"op": "<"}, {"op": ">="}]),
        "the threshold of node 2 must be a number, got null",
    ),
    "levels no list": (
        lambda d: d["table"]["features"][0].update(levels="rain"),
        "the levels of 'outlook' must be a list",
    ),
    "classes of numbers": (
        lambda d: d["table"]["target"].update(classes=[1]),
        "each of the target's classes must be a text",
    ),
}


@pytest.mark.parametrize("case", DAMAGED)
def test_what_is_wrong_with_a_document_is_said_in_a_sentence(case: str) -> None:
    change, words = DAMAGED[case]
    with pytest.raises(TreeError) as caught:
        read_tree(wrong(change))
    assert words in str(caught.value)


def test_a_tree_that_does_not_fit_its_table_is_refused() -> None:
    with pytest.raises(TreeError, match="predicts 'y', and the table's target is 'play'"):
        read_tree(SMALL, play_tennis())
    with pytest.raises(TreeError, match="asks for 'a', which is no feature of the table; they are 'outlook'"):
        read_tree({**SMALL, "target": "play"}, play_tennis())
    with pytest.raises(TreeError, match="'calm'; the table's levels are 'strong', 'weak'"):
        read_tree(
            {"target": "play", "tree": {"split": "wind", "branches": {"weak": "no", "calm": "yes"}}}, play_tennis()
        )
    with pytest.raises(TreeError, match="must ask for 'petal length', numeric, by a threshold"):
        read_tree({"target": "target", "tree": {"split": "petal length", "branches": LEAVES}}, iris_named())


def iris_named() -> engine.Table:
    table = iris()
    frame = frame_of(table).set_axis(["sepal length", "sepal width", "petal length", "petal width"], axis=1)
    frame["target"] = [table.target_value(row) for row in range(table.n_rows)]
    return engine.read_table(frame, target="target")


def test_files_that_are_too_large_are_refused_before_they_are_parsed(tmp_path: Path) -> None:
    large = tmp_path / "tree.json"
    large.write_bytes(b" " * 10_000_001)
    for source in (large, large.read_bytes()):
        with pytest.raises(TreeError, match="larger than 10 MB"):
            read_tree(source)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3) | st.sampled_from(["n", "y", "u"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["split", "branches", "prediction", "counts", "threshold", "in", "then", "u", "v", "<", ">="]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(JSON, st.sampled_from(["tree", "nodes", "features", "classes", "table"]))
@profile(max_examples=300)
def test_any_json_is_a_tree_or_an_error_in_words(value: object, place: str) -> None:
    for source in (value, {**SMALL, place: value}, {**DOCUMENT, place: value}):
        if not isinstance(source, dict):
            continue
        try:
            tree = read_tree(source)
            assert tree.n_leaves >= 1
            np.testing.assert_array_less(-1e-9, tree.answers if not tree.is_number else np.zeros(1))
        except EngineError as error:
            assert str(error).endswith(".")
