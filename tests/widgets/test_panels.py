"""What the panels of the Grow page work out, without a page."""

from __future__ import annotations

import numpy as np

import datasets
from engine import grow
from engine.rules import python_lines
from widgets.axes import first_tested
from widgets.escape import plain
from widgets.panels.html import Cell, table
from widgets.panels.predict import marked
from widgets.panels.rows import MAX_ROWS, content, node_of, shown_rows

TENNIS = grow(datasets.load("play_tennis"))


def test_every_cell_of_a_table_is_escaped() -> None:
    made = table(["<b>"], [["<script>"], [Cell("<img>", 2)]], caption='"><i>')
    assert "<script>" not in made
    assert "<img>" not in made
    assert "<b>" not in made
    assert "<i>" not in made


def test_text_of_the_data_is_no_markdown() -> None:
    assert plain("[a](http://b)") == "\\[a\\](http:\u2060//b)"
    assert plain("min_samples_leaf") == "min_samples_leaf"
    assert plain("$x$ :red[y] `z`").count("\\") == 6


def test_a_row_stands_at_the_deepest_visible_node_on_its_path() -> None:
    assert node_of(TENNIS, 0, 0) == 0
    assert node_of(TENNIS, len(TENNIS) - 1, 0) == int(TENNIS.tree.nodes.leaf_of_row[0])


def test_rows_of_the_node_come_first_in_a_large_table() -> None:
    mine = np.arange(5_000, 5_010)
    shown = shown_rows(200_000, mine)
    assert shown[:10] == mine.tolist()
    assert len(shown) == MAX_ROWS


def test_the_rows_of_a_node_are_lit_and_no_others() -> None:
    made = content(None, TENNIS, 1, "#000000")  # type: ignore[arg-type]
    lit = [position for position, _, lit, _ in made["rows"] if lit]
    assert lit == TENNIS.tree.rows(1).tolist()
    assert [cells[0] for _, _, lit, cells in made["rows"] if lit] == ["overcast"] * 4


def test_regions_begin_with_the_features_that_are_tested_first() -> None:
    assert first_tested(TENNIS.tree) == ("outlook", "wind")


def test_the_program_marks_the_lines_that_a_row_runs() -> None:
    lines = python_lines(TENNIS.tree)
    text = marked(lines, (0, 1))
    taken = [line for line in text.splitlines() if line.endswith("# <-")]
    assert any("overcast" in line for line in taken)
    assert not any("rain" in line for line in taken)
