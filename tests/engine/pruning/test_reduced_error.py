"""Reduced error pruning: the published example, brute force over all prunings, rows that never arrive."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import settings as profile

import engine
from engine import prune
from engine.pruning import Reason, Verdict
from tests.engine.pruning.cases import (
    all_prunings,
    grown,
    halves,
    n_prunings,
    noisy_numbers,
    post_order,
    postoperative,
    settings,
    validation_cost,
)
from tests.engine.tables import make_table

BOTTOM_UP, GREEDY = settings("reduced_error"), settings("reduced_error_greedy")


def test_the_published_iterations_are_replayed() -> None:
    tree, rows = postoperative()
    found = prune(tree, BOTTOM_UP, rows)
    asked = [tree.table.features[int(tree.nodes.feature[d.node])].name for d in found.decisions]
    costs = [(d.kept_cost, d.pruned_cost, d.verdict.value) for d in found.decisions]
    assert asked == ["gender", "stable_temp", "core_temp"]
    assert costs == [(2, 0, "prune"), (0, 2, "keep"), (0, 1, "keep")]
    assert [point.validation_error for point in found.curve] == [2 / 6, 0]
    assert [(step.event.value, step.tree.n_leaves) for step in found] == [
        ("started", 4), ("prune", 3), ("keep", 3), ("keep", 3),
    ]  # fmt: skip


def test_the_published_tree_under_the_greedy_variant_stops_where_the_best_cut_harms() -> None:
    tree, rows = postoperative()
    found = prune(tree, GREEDY, rows)
    assert [(d.kept_cost, d.pruned_cost, d.verdict) for d in found.decisions] == [
        (2, 0, Verdict.PRUNE),
        (0, 1, Verdict.KEEP),
    ]
    assert found.pruned_nodes == (1,)


def test_the_terms_of_a_decision_are_the_leaves_that_it_adds_up() -> None:
    tree, rows = postoperative()
    found = prune(tree, BOTTOM_UP, rows)
    terms = found.terms(2)
    assert [(t.node, t.is_leaf, t.n_rows, t.cost) for t in terms] == [(1, True, 3, 0), (5, True, 1, 0), (6, True, 2, 0)]


@given(grown())
def test_bottom_up_leaves_the_least_error_of_all_prunings_in_the_fewest_leaves(case) -> None:
    growth, rows = case
    tree = growth.tree
    assume(n_prunings(tree) <= 300)
    found = prune(growth, BOTTOM_UP, rows).tree
    ways = [tree.collapse(way) for way in all_prunings(tree)]
    costs = [validation_cost(way, rows) for way in ways]
    least = min(costs)
    assert validation_cost(found, rows) == least
    assert found.n_leaves == min(way.n_leaves for way, cost in zip(ways, costs, strict=True) if cost == least)


@given(grown(numbers=True))
@profile(max_examples=40)
def test_bottom_up_leaves_the_least_squared_error_of_all_prunings(case) -> None:
    growth, rows = case
    tree = growth.tree
    assume(n_prunings(tree) <= 100)
    found = prune(growth, BOTTOM_UP, rows).tree
    least = min(validation_cost(tree.collapse(way), rows) for way in all_prunings(tree))
    assert validation_cost(found, rows) == pytest.approx(least, rel=1e-8, abs=1e-9)


@given(grown())
def test_every_split_is_decided_once_after_those_below_it(case) -> None:
    growth, rows = case
    found = prune(growth, BOTTOM_UP, rows)
    assert [d.node for d in found.decisions] == list(post_order(growth.tree))


@given(grown())
@profile(max_examples=60)
def test_costs_are_the_errors_of_the_tree_with_and_without_the_subtree(case) -> None:
    growth, rows = case
    found = prune(growth, BOTTOM_UP, rows)
    for d in found.decisions:
        before = found.tree_after(d.index)
        after = before.collapse((*before.collapsed, d.node))
        whole = validation_cost(before, rows), validation_cost(after, rows)
        assert whole[1] - whole[0] == d.pruned_cost - d.kept_cost
        assert d.is_pruned == (d.pruned_cost <= d.kept_cost)
        assert sum(term.cost for term in found.terms(d.index)) == d.kept_cost


@given(grown())
@profile(max_examples=60)
def test_greedy_takes_the_best_cut_each_time_and_of_equals_the_lowest_id(case) -> None:
    growth, rows = case
    found = prune(growth, GREEDY, rows)
    view = growth.tree
    for d in found.decisions:
        now = validation_cost(view, rows)
        open_splits = np.flatnonzero(view.is_split).tolist()
        then = {node: validation_cost(view.collapse((*view.collapsed, node)), rows) for node in open_splits}
        best = min(then.values())
        assert (d.kept_cost, d.pruned_cost) == (now, best)
        assert d.node == min(node for node, cost in then.items() if cost == best)
        assert d.is_pruned == (best <= now)
        if d.is_pruned:
            view = found.tree_after(d.index + 1)
    assert not view.is_split.any() or not found.decisions[-1].is_pruned


@pytest.mark.parametrize("method", [BOTTOM_UP, GREEDY], ids=lambda s: s.method.value)
@given(case=grown())
@profile(max_examples=40)
def test_validation_error_never_rises_while_pruning(method, case) -> None:
    growth, rows = case
    errors = [point.validation_error for point in prune(growth, method, rows).curve]
    assert all(later <= earlier for earlier, later in itertools.pairwise(errors))


def test_greedy_leaves_no_less_error_than_bottom_up() -> None:
    for seed in range(5):
        growth, rows = halves(noisy_numbers(120, seed))
        greedy, bottom_up = (validation_cost(prune(growth, how, rows).tree, rows) for how in (GREEDY, BOTTOM_UP))
        assert greedy >= bottom_up - 1e-9


def test_a_subtree_that_no_validation_row_reaches_goes_and_says_so() -> None:
    table = make_table({"a": ["u", "u", "v", "v"], "b": ["s", "t", "s", "t"]}, ["n", "y", "y", "n"])
    growth = engine.grow(table)
    found = prune(growth, BOTTOM_UP, table.take(np.array([0, 1])))
    reasons = {d.node: (d.reason, d.n_rows) for d in found.decisions}
    assert reasons[4] == (Reason.NO_VALIDATION_ROWS, 0)
    assert reasons[1] == (Reason.MORE_COST, 2)


def test_validation_rows_without_one_of_the_classes_prune_to_the_other() -> None:
    growth = engine.grow(make_table({"x": [1.0, 2.0, 3.0]}, ["n", "y", "y"]))
    rows = make_table({"x": [1.0, 2.5]}, ["y", "y"])
    found = prune(growth, BOTTOM_UP, rows)
    assert (found.tree.n_leaves, found.tree.label(0)) == (1, "y")


def test_a_class_that_the_tree_does_not_know_is_always_wrong() -> None:
    growth = engine.grow(make_table({"x": [1.0, 2.0, 3.0]}, ["n", "y", "y"]))
    rows = make_table({"x": [1.0, 2.0, 3.0]}, ["n", "other", "y"])
    assert [(d.kept_cost, d.pruned_cost) for d in prune(growth, BOTTOM_UP, rows).decisions] == [(1, 2)]


def test_rows_whose_level_has_no_branch_count_at_the_split_that_answers_for_them() -> None:
    growth = engine.grow(make_table({"a": ["u", "u", "v"]}, ["y", "y", "n"]))
    rows = make_table({"a": ["new", "new", "v"]}, ["n", "y", "n"])
    found = prune(growth, BOTTOM_UP, rows)
    assert [(d.kept_cost, d.pruned_cost, d.n_rows) for d in found.decisions] == [(1, 2, 3)]
    assert [(term.node, term.is_leaf, term.cost) for term in found.terms(0)] == [
        (0, False, 1),
        (1, True, 0),
        (2, True, 0),
    ]


def test_validation_rows_need_only_the_columns_that_the_tree_asks_for_in_any_order() -> None:
    growth = engine.grow(make_table({"a": ["u", "v"], "b": ["s", "s"]}, ["n", "y"]))
    rows = make_table({"z": ["q", "q"], "a": ["v", "u"]}, ["y", "y"])
    assert prune(growth, BOTTOM_UP, rows).curve[0].validation_error == 0.5
