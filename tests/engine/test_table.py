"""A table's rows, features and target exchanged: what was ranked once is not sorted for again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.table import Table, TargetKind
from tests.engine.tables import FILES, tables


def airquality() -> Table:
    return engine.read_table(FILES / "airquality.csv", target="Wind", task="number")


def same_ranks(one: Table, other: Table) -> bool:
    return (
        np.array_equal(one.rank_matrix, other.rank_matrix)
        and all(np.array_equal(a, b) for a, b in zip(one.distinct, other.distinct, strict=True))
        and all(np.array_equal(a, b) for a, b in zip(one.all_distinct, other.all_distinct, strict=True))
    )


@given(tables(), st.data())
def test_rows_taken_from_a_ranked_table_have_the_ranks_that_sorting_gives(table, data) -> None:
    rows = np.array(data.draw(st.lists(st.integers(0, table.n_rows - 1), min_size=1)))
    anew = replace(table).take(rows)
    table.rank_matrix  # noqa: B018
    assert same_ranks(table.take(rows), anew)


def test_missing_values_rank_last_among_the_rows_taken() -> None:
    table = airquality()
    rows = np.random.default_rng(0).integers(table.n_rows, size=table.n_rows // 2)
    anew = replace(table).take(rows)
    table.rank_matrix  # noqa: B018
    assert any(feature.n_missing for feature in table.features)
    assert same_ranks(table.take(rows), anew)


def test_some_features_keep_their_ranks() -> None:
    table = airquality()
    anew = replace(table).only([3, 1])
    table.rank_matrix  # noqa: B018
    assert [feature.name for feature in anew.features] == [table.features[3].name, table.features[1].name]
    assert same_ranks(table.only([3, 1]), anew)


def test_another_target_shares_the_ranks() -> None:
    table = airquality()
    ranks = table.rank_matrix
    other = table.with_target("residual", np.zeros(table.n_rows))
    assert other.rank_matrix is ranks
    assert (other.target.name, other.target.kind, other.n_classes) == ("residual", TargetKind.NUMBER, 0)
    assert table.target.name == "Wind"
