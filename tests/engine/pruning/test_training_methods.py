"""The methods that need no validation rows: pessimistic, chi-square, minimum description length."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as profile
from scipy.stats import beta, chi2_contingency

import engine
from engine import SettingsError, prune
from engine.estimates import pessimistic_errors
from engine.pruning import Reason
from engine.pruning.minimum_description_length import exception_bits
from engine.tree import Tree
from tests.engine.pruning.cases import grown, noisy, post_order, settings
from tests.engine.tables import make_table, play_tennis

# Pessimistic


def tree_of(*leaves: dict[str, int]) -> Tree:
    """One split over leaves of these counts."""
    branches = {f"l{i}": {"counts": counts} for i, counts in enumerate(leaves)}
    return engine.read_tree({"target": "y", "tree": {"split": "f", "branches": branches}})


@pytest.mark.parametrize(
    ("binomial", "expected"), [(False, [1.2378, 2.4757, 6.7611]), (True, [1.2378, 2.5538, 6.7692])]
)
def test_estimates_are_those_of_c45_and_of_the_book(binomial: bool, expected: list[float]) -> None:
    tree = tree_of({"a": 6}, {"a": 15, "b": 1}, {"a": 9, "b": 5})
    found = prune(tree, settings("pessimistic", binomial=binomial))
    (decision,) = found.decisions
    assert [term.cost for term in found.terms(0)] == pytest.approx(expected, abs=5e-5)
    assert decision.kept_cost == pytest.approx(sum(expected), abs=2e-4)
    assert decision.pruned_cost == pessimistic_errors(36, 6, 0.25, binomial)
    assert decision.is_pruned


def test_the_exact_limit_is_that_of_clopper_and_pearson() -> None:
    for n, e in ((6, 0), (16, 1), (14, 5), (3, 3), (100, 40)):
        exact = n if e == n else n * beta.ppf(0.75, e + 1, n - e)
        assert pessimistic_errors(n, e, 0.25, True) == pytest.approx(exact)


def test_quinlans_example_becomes_a_leaf() -> None:
    """Quinlan 1993, section 4.2: leaves (6, 0), (9, 0), (1, 0) expect 3.273 errors, the leaf (16, 1) 2.512."""
    found = prune(tree_of({"d": 6}, {"d": 9}, {"r": 1}), settings("pessimistic", binomial=True))
    (decision,) = found.decisions
    assert (decision.kept_cost, decision.pruned_cost) == pytest.approx((3.273, 2.5538), abs=5e-3)
    assert decision.is_pruned


@given(grown())
def test_pessimistic_decides_like_the_recursion_of_the_book(case) -> None:
    growth, _ = case
    tree = growth.tree

    def estimate(node: int) -> float:
        counts = tree.nodes.counts[node]
        errors = counts.sum() - counts[tree.nodes.prediction[node]]
        return float(pessimistic_errors(counts.sum(), errors)) if counts.sum() else 0.0

    cut = []

    def cost(node: int) -> float:
        children = tree.children(node).tolist()
        if not children:
            return estimate(node)
        kept = sum(cost(child) for child in children)
        if estimate(node) <= kept + 1e-9:
            cut.append(node)
            return estimate(node)
        return kept

    cost(0)
    assert list(prune(growth, settings("pessimistic")).pruned_nodes) == cut


def test_the_less_the_confidence_the_smaller_the_tree() -> None:
    growth = engine.grow(noisy(300, 3))
    sizes = [prune(growth, settings("pessimistic", confidence=c)).tree.n_leaves for c in (0.9, 0.5, 0.25, 0.05, 0.001)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > sizes[-1]


def test_an_empty_leaf_expects_no_errors() -> None:
    table = engine.read_table("datasets/files/vegetation.csv", target="vegetation", ignore=("id",))
    growth = engine.grow(table)
    found = prune(growth, settings("pessimistic"))
    assert any(term.n_rows == 0 and term.cost == 0 for d in found.decisions for term in found.terms(d.index))


# Chi-square


def test_the_root_of_play_tennis_is_not_significant_and_falls_with_those_below() -> None:
    found = prune(engine.grow(play_tennis()), settings("chi_square"))
    by_node = {d.node: d for d in found.decisions}
    assert [d.node for d in found.decisions] == [2, 5]  # both stay, so the root is not in question
    assert by_node[2].statistic == pytest.approx(5)
    assert (by_node[2].degrees_of_freedom, by_node[2].reason) == (1, Reason.SIGNIFICANT)
    found = prune(engine.grow(play_tennis()), settings("chi_square", significance=0.02))
    last = found.decisions[-1]
    assert (last.node, last.degrees_of_freedom, last.reason) == (0, 2, Reason.NOT_SIGNIFICANT)
    assert last.statistic == pytest.approx(3.5467, abs=5e-5)
    assert found.tree.n_leaves == 1


@given(grown())
def test_each_test_is_scipys_over_splits_above_leaves(case) -> None:
    growth, _ = case
    found = prune(growth, settings("chi_square", significance=0.3))
    for d in found.decisions:
        before = found.tree_after(d.index)
        children = growth.tree.children(d.node)
        assert not before.is_split[children].any()
        table = growth.tree.nodes.counts[children]
        table = table[table.any(axis=1)][:, table.any(axis=0)]
        if min(table.shape) < 2:
            assert (d.p_value, d.degrees_of_freedom) == (1.0, 0)
        else:
            oracle = chi2_contingency(table, correction=False)
            assert (d.statistic, d.p_value) == pytest.approx((oracle.statistic, oracle.pvalue))
            assert d.degrees_of_freedom == oracle.dof
        assert (d.kept_cost, d.pruned_cost, d.is_pruned) == (d.p_value, 0.3, d.p_value > 0.3)
    left = found.tree
    decided = {d.node for d in found.decisions}
    for node in np.flatnonzero(left.is_split).tolist():
        assert node in decided or left.is_split[left.children(node)].any()


# Minimum description length


def test_bits_of_play_tennis_by_hand() -> None:
    """Rain: 5 rows, no and yes; wind is one of 3 features left. A leaf is 2 bits and log2(n + 1)."""
    found = prune(engine.grow(play_tennis()), settings("minimum_description_length"))
    rain = next(d for d in found.decisions if d.node == 2)
    assert rain.kept_bits.tree == pytest.approx(1 + math.log2(3) + 2 * 2)
    assert rain.kept_bits.exceptions == pytest.approx(math.log2(3) + math.log2(4))
    assert rain.pruned_bits.tree == 2
    assert rain.pruned_bits.exceptions == pytest.approx(math.log2(6) + math.log2(10))
    assert (rain.kept_cost, rain.pruned_cost) == (rain.kept_bits.total, rain.pruned_bits.total)


@given(grown())
def test_description_lengths_are_those_of_the_definition(case) -> None:
    growth, _ = case
    tree = growth.tree
    n_classes = tree.table.n_classes

    def leaf(node: int) -> tuple[float, float]:
        counts = tree.nodes.counts[node]
        n, e = int(counts.sum()), int(counts.sum() - counts[tree.nodes.prediction[node]])
        listed = e * math.log2(n_classes - 1) if n_classes > 1 else 0.0
        return 1 + math.log2(n_classes), math.log2(n + 1) + math.log2(math.comb(n, e)) + listed

    def test(node: int) -> float:
        split = tree.split(node)
        bits = 1 + math.log2(len(growth.usable_features(node)))
        values = set(tree.table.columns[split.feature][tree.rows(node)].tolist())
        if split.threshold is not None:
            return bits + math.log2(len(values) - 1)
        return bits + (len(values) - 1 if split.kind is engine.SplitKind.SUBSET else 0)

    cost: dict[int, tuple[float, float]] = {node: leaf(node) for node in range(len(tree.nodes))}
    found = prune(growth, settings("minimum_description_length"))
    for d, node in zip(found.decisions, post_order(tree), strict=True):
        below = [cost[child] for child in tree.children(node).tolist()]
        kept = (test(node) + sum(t for t, _ in below), sum(e for _, e in below))
        assert (d.node, d.kept_bits.tree, d.kept_bits.exceptions) == (node, *map(pytest.approx, kept))
        assert (d.pruned_bits.tree, d.pruned_bits.exceptions) == pytest.approx(leaf(node))
        assert d.is_pruned == (d.pruned_cost <= d.kept_cost)
        assert sum(term.cost for term in found.terms(d.index)) == pytest.approx(d.kept_cost)
        if not d.is_pruned:
            cost[node] = kept


def test_exceptions_of_fractional_rows_lie_between_those_of_whole_ones() -> None:
    low, middle, high = exception_bits([10, 10.5, 11], [2, 2.5, 3], 2)
    assert low < middle < high


# Refusals


@pytest.mark.parametrize("method", ["pessimistic", "chi_square", "minimum_description_length"])
def test_a_method_for_classes_refuses_a_number_and_says_so(method: str) -> None:
    from tests.engine.pruning.cases import noisy_numbers

    with pytest.raises(SettingsError, match=f"{method} is defined for classes, and the target 'y' is a number"):
        prune(engine.grow(noisy_numbers(20)), settings(method))


@pytest.mark.parametrize("method", ["pessimistic", "chi_square", "minimum_description_length", "cost_complexity"])
def test_a_tree_without_rows_or_counts_is_refused_where_they_count(method: str) -> None:
    from tests.engine.pruning.cases import postoperative

    tree, rows = postoperative()
    with pytest.raises(SettingsError, match="counts training rows, and the tree has none; give the counts"):
        prune(tree, settings(method), rows)


@given(grown())
@profile(max_examples=30)
def test_numbers_are_finite_and_decisions_follow_from_them(case) -> None:
    growth, rows = case
    for method in ("pessimistic", "chi_square", "minimum_description_length"):
        for d in prune(growth, settings(method), rows).decisions:
            assert math.isfinite(d.kept_cost) and math.isfinite(d.pruned_cost)


def test_a_node_of_one_class_that_was_split_by_hand_is_pruned_by_every_method() -> None:
    table = make_table({"a": ["u", "v", "u", "v"]}, ["y", "y", "y", "y"])
    tree = engine.read_tree(
        {"target": "y", "classes": ["n", "y"], "tree": {"split": "a", "branches": {"u": "y", "v": "y"}}}, table
    )
    for method in ("pessimistic", "chi_square", "minimum_description_length"):
        assert prune(tree, settings(method)).tree.n_leaves == 1
