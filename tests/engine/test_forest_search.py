"""Trees grown together are the trees that grow alone."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.recursion import grow_recursively
from engine.search import search_forest
from tests.engine.tables import make_table, settings_for, tables
from tests.engine.test_search import assert_equal


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_trees_grown_together_are_those_grown_alone(data: st.DataObject) -> None:
    table = data.draw(tables(numbers=True, max_levels=10, min_rows=2))
    chosen = data.draw(settings_for(table))
    rows = st.lists(st.integers(0, table.n_rows - 1), min_size=1, max_size=30)
    samples = [np.array(sample) for sample in data.draw(st.lists(rows, min_size=1, max_size=4))]
    tree_of_row = np.repeat(np.arange(len(samples)), [len(sample) for sample in samples])
    joined = table.take(np.concatenate(samples))
    found = search_forest(joined, chosen.resolved(table), tree_of_row, range(len(samples)))
    for seed, (sample, nodes) in enumerate(zip(samples, found, strict=True)):
        rules = engine.GrowthSettings(
            **{f.name: getattr(chosen, f.name) for f in fields(chosen) if f.name != "seed"}, seed=seed
        )
        assert_equal(nodes, grow_recursively(table.take(sample), rules.resolved(table))[0])


@pytest.mark.parametrize("number", [False, True])
def test_many_trees_of_a_large_table_grow_together(number: bool) -> None:
    rng = np.random.default_rng(0)
    columns = {"x": rng.normal(size=300).tolist(), "c": [f"l{k}" for k in rng.integers(0, 5, 300)]}
    target = rng.normal(size=300).tolist() if number else [f"k{k}" for k in rng.integers(0, 3, 300)]
    table = make_table(columns, target)
    samples = rng.integers(0, 300, (20, 300))
    rules = engine.GrowthSettings.cart(max_features=1).resolved(table)
    found = search_forest(table.take(samples.ravel()), rules, np.repeat(np.arange(20), 300), range(20))
    for seed, nodes in enumerate(found):
        alone = engine.GrowthSettings.cart(max_features=1, seed=seed).resolved(table)
        assert_equal(nodes, grow_recursively(table.take(samples[seed]), alone)[0])
