"""Which nodes of a tree other trees of resampled rows have."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import datasets
from engine import Choice, GrowthSettings, Table, grow
from engine.comparison_stability import stability
from tests.engine.tables import make_table, play_tennis, settings_for, tables


def test_a_pure_table_gives_the_same_leaf_every_time() -> None:
    found = list(stability(grow(make_table({"x": [1, 2, 3]}, ["a", "a", "a"])), n_samples=4))[-1]
    assert (found.n_samples, found.survived.tolist(), found.roots) == (4, [4], ((None, 4),))
    assert found.n_leaves.tolist() == [1] * 4


def test_the_counts_are_those_of_growing_on_the_same_draws() -> None:
    table = play_tennis()
    growth = grow(table, GrowthSettings.id3())
    found = list(stability(growth, n_samples=20, seed=3))[-1]
    rng, roots = np.random.default_rng(3), []
    for _ in range(20):
        other = grow(table.take(rng.integers(14, size=14)), GrowthSettings.id3()).tree
        split = other.split(0)
        roots.append(None if split is None else other.table.features[split.feature].name)
    assert found.survived[0] == roots.count("outlook")
    assert dict(found.roots) == {name: roots.count(name) for name in roots}
    assert [times for _, times in found.roots] == sorted((times for _, times in found.roots), reverse=True)


@given(tables(max_rows=20, min_rows=2), st.data())
@settings(max_examples=40, deadline=None)
def test_a_node_survives_at_most_as_often_as_the_split_above_it(table: Table, data: st.DataObject) -> None:
    growth = grow(table, data.draw(settings_for(table)))
    *_, found = stability(growth, n_samples=4)
    nodes = growth.tree.nodes
    for node in range(1, len(nodes)):
        assert found.survived[node] <= found.survived[nodes.parent[node]] <= found.n_samples
    spans = [found.spread(node) for node in range(len(nodes))]
    for node, span in enumerate(spans):
        split = growth.tree.split(node)
        assert (span is not None) == (split is not None and split.threshold is not None and found.survived[node] > 0)


def test_a_threshold_may_move_and_its_range_is_told() -> None:
    growth = grow(datasets.load("iris"), GrowthSettings.cart(max_depth=2))
    *_, found = stability(growth, n_samples=30)
    spread = found.spread(0)
    assert spread is not None and spread[0] < spread[1]
    assert 0 < found.share(0) <= 1
    assert found.thresholds.shape == (30, len(growth.tree.nodes))


def test_splits_by_hand_are_left_to_the_algorithm() -> None:
    growth = grow(play_tennis(), GrowthSettings.id3(choices=(Choice((), "temperature"),)))
    *_, found = stability(growth, n_samples=10)
    assert found.survived[0] < 5


def test_a_leaf_of_a_number_survives_as_a_leaf() -> None:
    growth = grow(datasets.load("mtcars"), GrowthSettings.cart(max_depth=0))
    *_, found = stability(growth, n_samples=3)
    assert found.survived.tolist() == [3]


@pytest.mark.parametrize("name", ["iris", "titanic"])
def test_the_same_seed_gives_the_same_counts(name: str) -> None:
    growth = grow(datasets.load(name), GrowthSettings.cart(max_depth=3))
    first, second = (list(stability(growth, n_samples=5))[-1] for _ in range(2))
    assert first.survived.tolist() == second.survived.tolist()
