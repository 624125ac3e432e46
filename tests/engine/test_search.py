"""The level-by-level search grows the very tree of the recursion."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import engine
from engine import thresholds
from engine.prepare import prepare
from engine.recursion import grow_recursively
from engine.search import is_searched, search_tree
from engine.tree import Nodes, Parts
from tests.engine.tables import iris, make_table, play_tennis, row_weights, settings_for, tables


def assert_equal(found: Nodes, expected: Nodes) -> None:
    parents = expected.n_children > 0
    for field in fields(Nodes):
        one, other = getattr(found, field.name), getattr(expected, field.name)
        if field.name == "first_child":
            one, other = one[parents], other[parents]
        if field.name == "groups":
            assert one == other or not expected.by_choice.any()
        elif isinstance(one, Parts) and isinstance(other, Parts):
            assert one.row.tolist() == other.row.tolist()
            assert one.leaf.tolist() == other.leaf.tolist()
            np.testing.assert_allclose(one.fraction, other.fraction, atol=1e-9, rtol=1e-9)
        elif one is None or other is None:
            assert one is other
        else:
            np.testing.assert_allclose(one, other, atol=1e-9, rtol=1e-9, err_msg=field.name)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_levels_and_recursion_grow_the_same_tree(data: st.DataObject) -> None:
    table = data.draw(tables(numbers=True, max_levels=10))
    rules = data.draw(settings_for(table)).resolved(table)
    assume(is_searched(table, rules))
    weights = data.draw(st.none() | row_weights(table.n_rows))
    found = search_tree(table, rules, weights=weights)
    assert_equal(found, grow_recursively(table, rules, weights=weights)[0])


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_levels_and_recursion_share_out_rows_without_a_value_alike(data: st.DataObject) -> None:
    table = data.draw(tables(numbers=True, missing=True, max_levels=10))
    rules = data.draw(settings_for(table)).resolved(table)
    prepared = prepare(table, rules.missing)
    assume(is_searched(prepared, rules))
    weights = data.draw(st.none() | row_weights(table.n_rows))
    found = search_tree(prepared, rules, weights=weights)
    assert_equal(found, grow_recursively(prepared, rules, weights=weights)[0])


@given(st.data())
def test_squares_of_gains_tie_as_scores_do(data: st.DataObject) -> None:
    table = data.draw(tables(numbers=True, max_levels=4))
    costs = {feature.name: data.draw(st.sampled_from([1.0, 3.0, 1000.0])) for feature in table.features}
    asked = replace(data.draw(settings_for(table)), costs=costs, cost_rule="squared_gain_over_cost", min_gain=0.0)
    rules = asked.resolved(table)
    assume(is_searched(table, rules))
    assert_equal(search_tree(table, rules), grow_recursively(table, rules)[0])


@pytest.mark.parametrize("block", [1, 7, 64])
def test_blocks_do_not_change_the_tree(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thresholds, "_BLOCK", block)
    for table in (iris(), play_tennis()):
        for criterion in ("entropy", "gini", "gain_ratio", "misclassification"):
            rules = engine.GrowthSettings(criterion=criterion).resolved(table)
            assert_equal(search_tree(table, rules), grow_recursively(table, rules)[0])


@pytest.mark.parametrize("n_classes", [2, 3, 7, 40, 300])
def test_many_classes_share_the_counters_without_overflow(n_classes: int) -> None:
    rng = np.random.default_rng(n_classes)
    target = [f"k{k:03d}" for k in rng.integers(0, n_classes, 399)]
    table = make_table(
        {"x": rng.normal(size=399).tolist(), "z": rng.integers(0, 9, 399).astype(float).tolist()}, target
    )
    rules = engine.GrowthSettings.id3().resolved(table)
    assert_equal(search_tree(table, rules), grow_recursively(table, rules)[0])


def test_a_large_table_is_searched_by_levels_and_its_evidence_agrees() -> None:
    rng = np.random.default_rng(1)
    n = 3000
    columns = {
        "x": rng.normal(size=n).tolist(),
        "z": rng.integers(0, 30, n).astype(float).tolist(),
        "c": [f"l{k}" for k in rng.integers(0, 5, n)],
    }
    table = make_table(columns, [f"k{k}" for k in rng.integers(0, 3, n)])
    growth = engine.grow(table, engine.GrowthSettings.id3(max_depth=5))
    for node in np.flatnonzero(growth.tree.nodes.scored).tolist():
        split, won = growth.tree.split(node), growth.scores(node).best_split
        assert won is not None and split == won[0]
        chosen = [c for c in growth.candidates(node) if c.chosen]
        assert [c.split for c in chosen] == [split]
        assert chosen[0].score >= growth.evidence(node)[0].score - 1e-9
