"""The search for data on which two settings differ."""

from __future__ import annotations

import math
from itertools import islice, pairwise

import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

import datasets
from engine import GrowthSettings, grow
from engine.comparison import Comparison
from engine.comparison_search import apart, search, subsets
from engine.ingest import RawFrame, read_table
from tests.engine.tables import make_table, play_tennis


@given(st.integers(0, 9), st.integers(1, 4), st.integers(1, 12))
def test_subsets_come_smallest_first_each_once(n_rows: int, smallest: int, per_size: int) -> None:
    found = [tuple(rows.tolist()) for rows in subsets(n_rows, smallest=smallest, per_size=per_size)]
    sizes = [len(rows) for rows in found]
    assert sizes == sorted(sizes)
    assert len(set(found)) == len(found)
    assert all(list(rows) == sorted(set(rows)) and set(rows) <= set(range(n_rows)) for rows in found)
    for size in range(min(smallest, n_rows), n_rows + 1):
        assert sizes.count(size) == min(math.comb(n_rows, size), per_size)


def test_the_same_seed_draws_the_same_subsets() -> None:
    one, other, another = (list(islice(subsets(40, seed=seed), 500)) for seed in (1, 1, 2))
    assert all((a == b).all() for a, b in zip(one, other, strict=True))
    assert any(len(a) != len(b) or (a != b).any() for a, b in zip(one, another, strict=True))


def test_large_tables_are_not_tried_at_every_size_but_whole_at_last() -> None:
    sizes = list(dict.fromkeys(len(rows) for rows in subsets(200, per_size=1)))
    assert sizes[:5] == [3, 4, 5, 6, 7]
    assert sizes[-1] == 200 and len(sizes) < 90
    assert all(b - a <= max(a // 20, 1) for a, b in pairwise(sizes))


def test_the_smallest_subset_that_parts_gain_and_gain_ratio_is_found() -> None:
    table = datasets.load("vegetation")
    settings = GrowthSettings.id3(), GrowthSettings.id3(criterion="gain_ratio")
    tried = list(search(((rows, table.take(rows)) for rows in subsets(7)), *settings))
    assert [entry.n_tried for entry in tried] == list(range(1, len(tried) + 1))
    assert all(entry.found is None for entry in tried[:-1])
    last = tried[-1]
    assert last.found is not None and last.n_rows == len(last.label)
    opened = Comparison(*(grow(table.take(last.label), each) for each in settings))
    assert opened.first_difference == last.found.first_difference
    smaller = (rows for rows in subsets(7, per_size=10**6) if len(rows) < last.n_rows)
    assert all(entry.found is None for entry in search(((rows, table.take(rows)) for rows in smaller), *settings))


def test_the_same_settings_are_tried_on_all_and_differ_on_none() -> None:
    table = play_tennis()
    tables = ((rows, table.take(rows)) for rows in subsets(6))
    assert [entry.found for entry in search(tables, GrowthSettings.id3(), GrowthSettings.id3())] == [None] * 42


def test_tables_on_which_a_setting_is_not_defined_are_passed_over() -> None:
    number = datasets.load("bike_demand_count")
    classes = make_table({"x": ["a", "b", "a"], "z": ["u", "u", "v"]}, ["y", "n", "n"])
    tried = list(search([(0, number), (1, classes)], GrowthSettings.id3(), GrowthSettings.id3(criterion="entropy")))
    assert [entry.label for entry in tried] in ([1], [0, 1])


def test_tables_read_at_once_are_those_read_one_by_one() -> None:
    frames = [datasets.frame("small_random", n_rows=3, seed=seed) for seed in range(20)]
    together = read_table(
        RawFrame(pd.concat(frames, ignore_index=True), "together"), target="class", numeric=("weight",)
    )
    one_by_one = [datasets.load("small_random", n_rows=3, seed=seed).fingerprint for seed in range(20)]
    assert [table.fingerprint for table in apart(together, 3)] == one_by_one


def test_a_missing_value_stays_missing_where_levels_are_left_out() -> None:
    rows = {"x": ["a", "b", "NA", "b", "c", "c"], "y": ["n", "y", "y", "y", "y", "y"]}
    table = read_table(RawFrame(pd.DataFrame(rows, dtype="str"), "t"), target="y")
    first, second = apart(table, 3)
    assert [first.value(0, row) for row in range(3)] == ["a", "b", None]
    assert second.features[0].levels == ("b", "c") and second.target.classes == ("y",)
