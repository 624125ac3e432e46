"""Two growths in lock-step: aligned steps, marks, and the first difference against brute force."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import datasets
from engine import Growth, GrowthSettings, Table, grow
from engine.comparison import Comparison, Mark, Side
from engine.splits import Condition
from tests.engine.tables import make_table, play_tennis, settings_for, tables

Key = tuple[tuple[str, str, object], ...]


@st.composite
def comparisons(draw: st.DrawFn) -> Comparison:
    """Two settings on one table, or one of them on other rows of it."""
    table = draw(tables(max_rows=25))
    first, second = draw(settings_for(table)), draw(settings_for(table))
    other = table
    if table.n_rows > 1 and draw(st.booleans()):
        gone = draw(st.integers(0, table.n_rows - 1))
        other = table.take([row for row in range(table.n_rows) if row != gone])
    return Comparison(grow(table, first), grow(other, second))


def by_path(growth: Growth) -> dict[Key, int]:
    return {key(growth.tree.path(node)): node for node in range(growth.tree.n_nodes)}


def key(path: tuple[Condition, ...]) -> Key:
    return tuple((c.feature, c.op.value, c.value) for c in path)


def decision(growth: Growth, node: int) -> object:
    """What a node decides, written down: its branches' conditions, or its answer."""
    if growth.tree.split(node) is None:
        return growth.tree.label(node)
    return [key(growth.tree.path(child))[-1] for child in growth.tree.children(node).tolist()]


@given(comparisons())
def test_the_first_difference_is_that_of_a_comparison_by_brute_force(comparison: Comparison) -> None:
    first, second = by_path(comparison.first), by_path(comparison.second)
    shared = [path for path in first if path in second]  # depth-first, as ids are
    unlike = [
        path
        for path in shared
        if decision(comparison.first, first[path]) != decision(comparison.second, second[path])
        # Paths may meet again below a difference only by way of the same test above.
        and all(
            decision(comparison.first, first[path[:depth]]) == decision(comparison.second, second[path[:depth]])
            for depth in range(len(path))
        )
    ]
    found = comparison.first_difference
    assert (found is None) == (not unlike)
    if found is not None:
        assert (found.first, found.second) == (first[unlike[0]], second[unlike[0]])
        assert [(pair.first, pair.second) for pair in comparison.different] == [(first[p], second[p]) for p in unlike]


@given(comparisons())
def test_every_step_of_both_growths_comes_once_and_in_order(comparison: Comparison) -> None:
    for side, growth in ((0, comparison.first), (1, comparison.second)):
        seen = [step[side] for step in comparison.steps]
        assert list(dict.fromkeys(seen)) == list(range(len(growth)))
        assert seen == sorted(seen)
    assert comparison.steps[0] == (0, 0)
    assert all(comparison[index].moved for index in range(len(comparison)))


@given(comparisons())
def test_where_both_go_on_they_are_at_the_same_node_or_below_a_difference(comparison: Comparison) -> None:
    for step in comparison:
        paired = comparison.counterpart(Side.FIRST, step.first.node) is not None
        if len(step.moved) == 2:
            assert step.together == paired == (comparison.counterpart(Side.SECOND, step.second.node) is not None)


@given(comparisons())
def test_a_pair_is_decided_on_both_sides_at_its_step_and_not_before(comparison: Comparison) -> None:
    for pair in comparison.pairs:
        step = comparison[comparison.step_of(pair)]
        assert (step.first.node, step.second.node, step.together) == (pair.first, pair.second, True)
        assert step.first.index == comparison.first.step_of(pair.first)
        assert step.second.index == comparison.second.step_of(pair.second)


@given(comparisons())
def test_marks_say_equal_above_a_difference_and_alone_below_it(comparison: Comparison) -> None:
    for side in Side:
        nodes, marks = comparison.growth(side).tree.nodes, comparison.marks(side)
        for node in range(1, len(nodes)):
            assert (marks[node] is Mark.ALONE) == (marks[int(nodes.parent[node])] is not Mark.EQUAL)


@given(tables(max_rows=25), st.data())
def test_the_same_settings_on_the_same_rows_differ_nowhere(table: Table, data: st.DataObject) -> None:
    settings = data.draw(settings_for(table))
    comparison = Comparison(grow(table, settings), grow(table, settings))
    assert comparison.first_difference is None
    assert comparison.steps == [(k, k) for k in range(len(comparison.first))]
    assert set(comparison.marks(Side.FIRST)) == {Mark.EQUAL}


def test_entropy_and_gini_part_at_the_root_of_wine() -> None:
    table = datasets.load("wine")
    comparison = Comparison(grow(table, GrowthSettings.id3()), grow(table, GrowthSettings.id3(criterion="gini")))
    found = comparison.first_difference
    assert found is not None and (found.first, found.second) == (0, 0)
    assert comparison.step_of(found) == 2
    features = [g.table.features[g.tree.split(0).feature].name for g in (comparison.first, comparison.second)]
    assert features == ["flavanoids", "proline"]


def test_vegetation_starts_with_elevation_by_gain_and_with_slope_by_gain_ratio() -> None:
    table = datasets.load("vegetation")
    by_gain, by_ratio = (grow(table, GrowthSettings.id3(criterion=c)) for c in ("entropy", "gain_ratio"))
    assert Comparison(by_gain, by_ratio).first_difference is not None
    assert by_gain.best_candidates(0)[0].feature == "elevation"
    assert by_ratio.best_candidates(0)[0].feature == "slope"


def test_a_tree_that_stops_waits_while_the_other_goes_on() -> None:
    table = play_tennis()
    comparison = Comparison(grow(table, GrowthSettings.id3(max_depth=0)), grow(table, GrowthSettings.id3()))
    assert comparison.steps[:4] == [(0, 0), (1, 1), (1, 2), (1, 3)]
    assert comparison[1].together and comparison[2].moved == {Side.SECOND}
    assert comparison[3].moved == {Side.SECOND}
    assert not comparison[3].together
    assert comparison.marks(Side.SECOND) == (Mark.DIFFERENT, *[Mark.ALONE] * 7)


def test_a_level_that_one_table_lacks_is_a_branch_of_the_other_alone() -> None:
    rows = {"x": ["a", "b", "c", "a", "b", "c"], "z": ["u", "v", "u", "v", "u", "v"]}
    whole = make_table(rows, ["n", "y", "n", "n", "y", "n"])
    fewer = make_table({name: values[::3] + values[2::3] for name, values in rows.items()}, ["n", "n", "y", "n"])
    comparison = Comparison(grow(whole), grow(fewer))
    assert comparison.pairs[0].equal
    assert comparison.marks(Side.FIRST) == (Mark.EQUAL, Mark.EQUAL, Mark.ALONE, Mark.DIFFERENT)


def test_a_branch_a_level_and_two_groups_of_one_level_are_the_same_test() -> None:
    table = make_table({"x": ["a", "b", "a", "b"]}, ["n", "y", "n", "y"])
    comparison = Comparison(grow(table, GrowthSettings.id3()), grow(table, GrowthSettings.cart()))
    assert comparison.first_difference is None


def test_other_answers_are_a_difference_only_where_the_target_is_the_same() -> None:
    table = make_table({"x": ["a", "a"]}, ["n", "n"])
    other = make_table({"x": ["a", "a"]}, ["y", "y"])
    assert Comparison(grow(table), grow(other)).first_difference is not None
    renamed = replace(other, target=replace(other.target, name="another"))
    assert Comparison(grow(table), grow(renamed)).first_difference is None


def test_a_step_beyond_the_last_is_no_step() -> None:
    comparison = Comparison(grow(play_tennis()), grow(play_tennis()))
    with pytest.raises(IndexError, match="step must be from 0 to 11, got 12"):
        comparison[12]
    assert comparison[-1].index == 11
