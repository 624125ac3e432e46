"""Parts and weights of rows in the table of rows."""

from __future__ import annotations

import pytest

import datasets
from engine import Growth, GrowthSettings, grow
from widgets.panels.rows import content


def cells(growth: Growth, node: int) -> tuple[list[str], dict[str, list[str]]]:
    """Headings, and the cells of each row by its number in the file."""
    made = content(None, growth, node, "#000000")  # type: ignore[arg-type]
    return made["headings"], {number: values for _, number, _, values in made["rows"]}


def test_a_row_that_goes_down_every_branch_says_which_part_of_it_is_here() -> None:
    growth = grow(datasets.load("play_tennis_missing"), GrowthSettings.id3(missing="fractional"))
    headings, rows = cells(growth, 1)
    assert headings[0] == "part here"
    assert rows["3"][0] == "1"
    assert rows["12"][:2] == ["0.231", "?"]  # 3/13
    assert rows["1"][0] == ""


def test_a_row_says_what_it_weighs() -> None:
    growth = grow(datasets.load("play_tennis_missing"), GrowthSettings.c45(class_weights={"no": 2.5}))
    headings, rows = cells(growth, 0)
    assert headings[:2] == ["part here", "weight"]
    assert rows["1"][:2] == ["1", "2.5"]
    assert rows["12"][:2] == ["1", "1"]


@pytest.mark.parametrize("missing", ["most_common", "own_branch", "drop"])
def test_whole_rows_of_weight_one_need_no_more_columns(missing: str) -> None:
    headings, _ = cells(grow(datasets.load("play_tennis_missing"), GrowthSettings.c45(missing=missing)), 0)
    assert headings[0] == "outlook"
