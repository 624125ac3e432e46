"""Groupings of levels in words: all of them ranked up to eight levels, beyond it an order and its cuts."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import datasets
from drawing import groupings
from engine import Growth, GrowthSettings, Table, grow, read_table


def many_levels(target: str) -> Growth:
    """Twelve levels; the share of the second class, and the mean, rise with the letter."""
    levels = "abcdefghijkl"
    rows = [(level, place, wrong) for place, level in enumerate(levels) for wrong in range(12)]
    columns = {
        "level": [row[0] for row in rows],
        "two": ["yes" if row[2] < row[1] else "no" for row in rows],
        "three": ["x" if row[2] < row[1] else "yz"[row[2] % 2] for row in rows],
        "number": [row[1] + row[2] / 100 for row in rows],
    }
    kept = pd.DataFrame({name: columns[name] for name in ("level", target)})
    return grow(read_table(kept, target=target, name="many"), GrowthSettings.cart(max_depth=1))


def of(table: Table, feature: str) -> tuple[Growth, int]:
    return grow(table, GrowthSettings.cart()), table.feature_index(feature)


def test_three_levels_have_three_groupings_the_best_first() -> None:
    growth, outlook = of(datasets.load("play_tennis"), "outlook")
    assert groupings.rule(growth, 0, outlook) == "3 levels are here: all 3 groupings in two."
    assert not groupings.is_ordered(growth, 0, outlook)
    found = groupings.groupings(growth, 0, growth.scan(0, outlook))
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    # Gini gain of overcast against the rest: 0.459184 - (10/14) * 0.5
    assert found[0].score == pytest.approx(0.459184 - 5 / 14, abs=1e-6)
    assert {found[0].first, found[0].second} == {"overcast", "rain or sunny"}
    assert found[0].rows in ("4/14, 10/14", "10/14, 4/14")


def test_two_levels_have_one_grouping() -> None:
    growth, wind = of(datasets.load("play_tennis"), "wind")
    assert groupings.rule(growth, 0, wind) == "2 levels are here: one grouping in two."


@pytest.mark.parametrize(
    ("target", "order", "by"),
    [
        ("two", "that of their share of yes (Breiman): the best grouping is among them.", "share of yes"),
        ("number", "that of their means (Breiman): the best grouping is among them.", "mean"),
        ("three", "which can miss the best grouping.", "classes"),
    ],
)
def test_beyond_eight_levels_the_order_is_told(target: str, order: str, by: str) -> None:
    growth = many_levels(target)
    assert groupings.is_ordered(growth, 0, 0)
    said = groupings.rule(growth, 0, 0)
    assert said.startswith("12 levels are here, more than 8: only the 11 cuts of an order are tried")
    assert said.endswith(order)
    assert groupings.ordered_by(growth) == by


@pytest.mark.parametrize("target", ["two", "number"])
def test_the_levels_stand_in_their_order_with_the_score_of_each_cut(target: str) -> None:
    growth = many_levels(target)
    scores = growth.scan(0, 0)
    found = groupings.order(growth, 0, scores)
    assert "".join(one.level for one in found) in ("abcdefghijkl", "lkjihgfedcba")
    assert found[-1].score is None
    cuts = [one.score for one in found[:-1] if one.score is not None]
    assert len(cuts) == 11
    assert max(cuts) == pytest.approx(float(np.max(scores.score)))
    values = [float(one.value) for one in found]
    assert values in (sorted(values), sorted(values, reverse=True))
