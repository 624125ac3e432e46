from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from drawing.pseudocode import pseudocode
from drawing.storyboard import N_BARS, storyboard
from engine import Choice, Criterion, Event, Growth, GrowthSettings, StopReason, grow
from tests.drawing.tables import FILES, hostile, iris, table, tennis

SVG = "{http://www.w3.org/2000/svg}"


def groups(svg: str, attribute: str) -> list[int]:
    return [int(g.get(attribute, "")) for g in ElementTree.fromstring(svg).iter(f"{SVG}g") if g.get(attribute)]


def check(growth: Growth) -> dict[str, Any]:
    """What must hold of any storyboard; returns it as the browser reads it."""
    made = storyboard(growth)
    text = json.dumps(made, allow_nan=False)
    board: dict[str, Any] = json.loads(text)
    n_steps, n_nodes = len(growth), len(growth.tree.nodes)
    assert board["steps"] == [[step.event.value, step.node] for step in growth]
    assert len(board["sentences"]) == len(board["line_of_step"]) == n_steps
    assert all(sentence for sentence in board["sentences"])
    assert all(0 <= line < len(board["lines"]) for line in board["line_of_step"])
    assert all(len(column) == n_nodes for column in board["nodes"].values())
    drawn = set(board["nodes"]["drawn_as"])
    for svg in board["svg"].values():
        assert groups(svg, "data-node") == sorted(drawn)
        assert groups(svg, "data-edge") == sorted(drawn - {0})
    assert set(board["why"]) == {str(n) for n in np.flatnonzero(growth.tree.nodes.scored)}
    for stops in (board["granularity"]["node"], board["granularity"]["level"]):
        assert stops == sorted(set(stops)) and stops[0] == 0 and stops[-1] == n_steps - 1
    return board


def state(board: dict[str, Any], node: int, step: int) -> str:
    """The rule of docs/trace.md, but for `current`."""
    nodes = board["nodes"]
    if step < nodes["shown_at"][node]:
        return "hidden"
    if step < nodes["decided_at"][node]:
        return "open"
    return "split" if nodes["split"][node] else "leaf"


@pytest.mark.parametrize("criterion", ["entropy", "gini", "gain_ratio", "misclassification"])
def test_states_are_those_of_the_tree_at_each_step(criterion: str) -> None:
    growth = grow(tennis(), GrowthSettings.id3(criterion=Criterion(criterion)))
    board = check(growth)
    for step in growth:
        tree = step.tree
        for node in range(len(tree.nodes)):
            expected = (
                "hidden" if not tree.is_visible[node]
                else "open" if tree.is_open[node]
                else "split" if tree.is_split[node] else "leaf"
            )  # fmt: skip
            assert state(board, node, step.index) == expected


def test_the_same_trace_gives_the_same_bytes() -> None:
    assert json.dumps(storyboard(grow(tennis()))) == json.dumps(storyboard(grow(tennis())))


def test_the_key_changes_with_the_trace() -> None:
    chosen = GrowthSettings.id3(choices=(Choice((), "wind"),))
    keys = {storyboard(growth)["key"] for growth in (grow(tennis()), grow(iris()), grow(tennis(), chosen))}
    assert len(keys) == 3


def test_the_winner_leads_the_bars_and_losers_say_why_not() -> None:
    bars = check(grow(tennis()))["why"]["0"]["bars"]
    assert [bar["feature"] for bar in bars] == ["outlook", "humidity", "wind", "temperature"]
    assert bars[0]["chosen"] and not any(bar.get("chosen") for bar in bars[1:])
    assert [bar["text"] for bar in bars] == ["0.247", "0.152", "0.048", "0.029"]
    assert bars[1]["note"] == "humidity gains 0.152, 0.095 less than outlook."


def test_a_chosen_split_is_marked_in_bars_and_nodes() -> None:
    board = check(grow(tennis(), GrowthSettings.id3(choices=(Choice((), "wind"),))))
    assert board["nodes"]["by_choice"][0]
    assert [bar["feature"] for bar in board["why"]["0"]["bars"] if bar.get("by_choice")] == ["wind"]


def test_at_most_twenty_features_have_bars() -> None:
    growth = grow(engine.read_table(FILES / "breast_cancer.csv", target="target"), GrowthSettings.cart(max_depth=2))
    why = check(growth)["why"]["0"]
    assert len(why["bars"]) == N_BARS and why["more"] == 10


def test_categorical_features_are_used_up_and_numeric_ones_are_not() -> None:
    board = check(grow(tennis()))
    assert [board["features"][f] for f in board["nodes"]["uses"] if f >= 0] == ["outlook", "wind", "humidity"]
    assert set(check(grow(iris()))["nodes"]["uses"]) == {-1}


def test_levels_complete_one_by_one() -> None:
    assert check(grow(tennis()))["granularity"]["level"] == [0, 2, 9, 11]


def test_the_scan_of_a_numeric_feature_has_every_threshold_and_the_records() -> None:
    growth = grow(iris())
    fine = check(growth)["granularity"]["fine"]["1"]
    petal = fine[2]
    scan = growth.scan(0, 2)
    assert petal["thresholds"][:2] == ["1.05", "1.15"] and len(petal["thresholds"]) == len(scan)
    assert petal["gains"] == [round(g, 3) for g in scan.score.tolist()]
    best = [max(scan.score[: place + 1]) for place in petal["records"]]
    assert best == [scan.score[place] for place in petal["records"]] == sorted(best)
    assert petal["sentence"] == "petal length (cm): best at 2.45, gain 0.918."


def test_nodes_of_more_than_200_rows_have_no_sub_steps() -> None:
    growth = grow(engine.read_table(FILES / "titanic.csv", target="Survived"))
    board = check(growth)
    sizes = growth.tree.nodes.counts.sum(axis=1)
    told = {board["steps"][int(step)][1] for step in board["granularity"]["fine"]}
    assert told == {n for n in range(len(sizes)) if growth.tree.nodes.scored[n] and sizes[n] <= 200}


def test_a_tree_of_more_than_500_nodes_is_cut_at_a_depth() -> None:
    growth = grow(engine.read_table(FILES / "nursery.csv", target="class"))
    board = check(growth)
    nodes = board["nodes"]
    drawn = sorted(set(nodes["drawn_as"]))
    assert len(nodes["parent"]) > 500 >= len(drawn)
    assert len(drawn) + sum(board["cut"].values()) == len(nodes["parent"])
    deepest = max(nodes["depth"][n] for n in drawn)
    assert sum(depth <= deepest + 1 for depth in nodes["depth"]) > 500
    node, hidden = next(iter(board["cut"].items()))
    assert f">+ {hidden} node" in board["svg"]["TB"] and nodes["drawn_as"][int(node) + 1] == int(node)


def test_a_root_with_too_many_children_stands_alone() -> None:
    n = 600
    frame = pd.DataFrame({"id": [f"r{i}" for i in range(n)], "t": ["yn"[i % 2] for i in range(n)]})
    board = check(grow(engine.read_table(frame, target="t")))
    assert board["cut"] == {"0": n} and groups(board["svg"]["LR"], "data-node") == [0]
    assert f"+ {n} nodes" in board["svg"]["LR"]


def test_steps_far_below_a_very_large_tree_are_left_to_the_page() -> None:
    n = 2500
    frame = pd.DataFrame({"id": [f"r{i}" for i in range(n)], "t": ["yn"[i % 2] for i in range(n)]})
    board = storyboard(grow(engine.read_table(frame, target="t")))
    assert board["sentences"][-1] == "" and board["sentences"][100]
    assert board["words"]["untold"]


def test_hostile_names_stay_text() -> None:
    board = check(grow(hostile()))
    for svg in board["svg"].values():
        tags = {element.tag for element in ElementTree.fromstring(svg).iter()}
        assert tags <= {f"{SVG}{name}" for name in ("svg", "g", "rect", "path", "text")}
    assert "<" not in board["style"].replace("</", "<")


def test_an_empty_branch_has_no_bar_and_says_so() -> None:
    board = check(grow(table(x="aaabbbccc", z="ppqpqqppp", t="yynynyyyy")))
    empty = board["nodes"]["rows"].index("no rows")
    assert board["nodes"]["answer"][empty] == "n"
    node = next(g for g in ElementTree.fromstring(board["svg"]["TB"]).iter(f"{SVG}g") if g.get("id") == f"n{empty}")
    assert [t.text for t in node.iter(f"{SVG}text")] == ["n", "?", "no rows", "parent's majority"]


@pytest.mark.parametrize("preset", [GrowthSettings.id3, GrowthSettings.cart])
def test_every_event_and_reason_has_a_line_of_the_pseudocode(preset: Any) -> None:
    code = pseudocode(grow(iris(), preset()))
    lines = {code.line(event, StopReason.PURE) for event in Event} | {code.line(Event.LEAF, r) for r in StopReason}
    assert lines == set(range(8))
    assert "majority" in code.lines[code.line(Event.LEAF, StopReason.NO_ROWS)]
    assert "one class" in code.lines[code.line(Event.LEAF, StopReason.PURE)]


@st.composite
def small_tables(draw: st.DrawFn) -> engine.Table:
    n = draw(st.integers(1, 12))
    numbers = st.one_of(st.integers(-3, 3).map(float), st.floats(-1e9, 1e9, allow_nan=False))
    frame = pd.DataFrame(
        {
            "word": draw(st.lists(st.sampled_from(["a", "b", "c"]), min_size=n, max_size=n)),
            "number": [repr(v) for v in draw(st.lists(numbers, min_size=n, max_size=n))],
            "other": draw(st.lists(st.sampled_from(["<p>", '"q"']), min_size=n, max_size=n)),
            "target": draw(st.lists(st.sampled_from(["x", "y", "z"]), min_size=n, max_size=n)),
        }
    )
    return engine.read_table(frame, target="target", categorical=("word", "other"), numeric=("number",))


@settings(max_examples=40, deadline=None)
@given(
    small_tables(),
    st.sampled_from(["entropy", "gini", "gain_ratio", "misclassification"]),
    st.integers(1, 3),
    st.sampled_from([0.0, 0.2]),
)
def test_any_small_table_can_be_told(found: engine.Table, criterion: str, least: int, gain: float) -> None:
    check(grow(found, GrowthSettings.id3(criterion=Criterion(criterion), min_samples_leaf=least, min_gain=gain)))
