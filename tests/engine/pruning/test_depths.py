"""A tree at every depth against trees that are grown with that limit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as profile

from engine import GrowthSettings, grow
from engine.metrics import error
from engine.pruning.depths import by_depth
from tests.engine.pruning.cases import grown, halves, noisy_numbers
from tests.engine.tables import iris, play_tennis


def test_play_tennis_by_hand() -> None:
    table = play_tennis()
    points = by_depth(grow(table, GrowthSettings.id3()).tree, [table])
    assert [(p.depth, p.n_leaves, p.least_rows) for p in points] == [(0, 1, 14), (1, 3, 4), (2, 5, 2)]
    assert [p.mean_rows for p in points] == pytest.approx([14, 14 / 3, 14 / 5])
    assert [p.errors for p in points] == [(pytest.approx(5 / 14),), (pytest.approx(4 / 14),), (0.0,)]


@given(case=grown())
@profile(max_examples=25)
def test_each_depth_is_the_tree_grown_with_that_limit(case) -> None:
    growth, rows = case
    for point in by_depth(growth.tree, [rows]):
        limited = grow(growth.source, GrowthSettings(**{**vars(growth.settings), "max_depth": point.depth})).tree
        assert point.n_leaves == limited.n_leaves
        assert point.errors[0] == pytest.approx(error(limited, rows), abs=1e-12)


def test_a_number_has_mean_squared_errors() -> None:
    growth, rows = halves(noisy_numbers(60))
    points = by_depth(growth.tree, [growth.source, rows])
    assert points[0].errors[0] == pytest.approx(float(np.var(growth.source.target_values)))
    assert points[-1].errors == pytest.approx((error(growth.tree, growth.source), error(growth.tree, rows)))


def test_training_error_falls_with_the_depth() -> None:
    table = iris()
    errors = [point.errors[0] for point in by_depth(grow(table, GrowthSettings.cart()).tree, [table])]
    assert errors == sorted(errors, reverse=True)
