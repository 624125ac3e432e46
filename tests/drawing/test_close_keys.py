"""The small key above a picture: every class with its sign and colour, in few lines, escaped."""

from __future__ import annotations

import datasets
from drawing.figures.base import class_keys
from drawing.figures.close_keys import LETTERS, close_keys, is_close
from drawing.figures.regions import regions_figure
from drawing.theme import Mode, class_colour
from engine import GrowthSettings, grow

NURSERY = ("not_recom", "priority", "recommend", "spec_prior", "very_recom")


def test_short_names_keep_plotlys_legend() -> None:
    assert not is_close(class_keys(("no", "yes"), (5, 9), Mode.LIGHT))
    assert is_close(class_keys(NURSERY, (1, 1, 1, 1, 1), Mode.LIGHT))


def test_each_class_has_its_sign_in_its_colour() -> None:
    note, _ = close_keys(NURSERY, range(5), Mode.LIGHT)
    for code, (sign, name) in enumerate(zip("●◆■▲✚", NURSERY, strict=True)):
        assert f'{class_colour(code, Mode.LIGHT)};font-size:15px">{sign}</span> {name}' in note["text"]


def test_lines_are_as_long_as_the_narrowest_screen_allows_and_each_takes_its_height() -> None:
    note, above = close_keys(NURSERY, range(5), Mode.DARK)
    lines = note["text"].split("<br>")
    assert [line.count("</span>") for line in lines] == [3, 2]
    _, less = close_keys(NURSERY, range(3), Mode.DARK)
    assert above > less
    assert sum(len(name) + 4 for name in NURSERY[:3]) <= LETTERS


def test_hostile_names_are_text() -> None:
    note, _ = close_keys(("<b>bold</b>", "%{x}"), (0, 1), Mode.LIGHT)
    assert "<b>" not in note["text"]
    assert "%{" not in note["text"]


def test_classes_that_are_not_named_are_counted() -> None:
    note, _ = close_keys([f"c{code}" for code in range(12)], range(8), Mode.LIGHT)
    assert note["text"].endswith("4 more")


def test_a_picture_with_the_small_key_has_no_legend_entries() -> None:
    tree = grow(datasets.load("nursery"), GrowthSettings.cart(max_depth=1)).tree
    figure = regions_figure(tree, "health", "has_nurs")
    assert not [trace for trace in figure.data if trace.showlegend is not False]
    assert "very_recom" in figure.layout.annotations[-1].text
    assert list(figure.layout.xaxis.ticktext) == ["recomme…", "priority", "not_rec…"]
