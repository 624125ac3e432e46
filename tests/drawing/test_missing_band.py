"""Rows without a value in the picture of regions, and rows of which only a part is there."""

from __future__ import annotations

import math

import numpy as np
import pytest

import datasets
from drawing.figures.missing_band import band, outline_sides
from drawing.figures.regions import regions_figure, regions_text
from drawing.theme import Mode
from engine import Growth, GrowthSettings, Missing, Op, grow
from engine.axes import feature_axis
from engine.regions import decision_regions
from tests.drawing.pictures import assert_plotly_accepts


def grown(name: str, missing: Missing, algorithm: str = "cart") -> Growth:
    return grow(datasets.load(name), GrowthSettings(algorithm=algorithm, missing=missing))


PARTS = grow(datasets.load("play_tennis_missing"), GrowthSettings.id3(missing="fractional"))
OWN = grown("labor", Missing.OWN_BRANCH)


def test_only_an_axis_with_missing_values_has_a_band() -> None:
    table = PARTS.tree.table
    assert band(PARTS.tree, feature_axis(table, "wind")) is None
    assert band(PARTS.tree, None) is None
    found = band(PARTS.tree, feature_axis(table, "outlook"))
    assert found is not None
    assert found.low > found.axis.high
    assert found.placed.coordinates(table.columns[0])[11] == found.centre


def test_a_row_of_which_a_part_is_here_is_a_ring_filled_in_proportion() -> None:
    figure = regions_figure(PARTS.tree, "outlook", "wind", node=1, mode=Mode.LIGHT)
    ring, inner = (trace for trace in figure.data if trace.name == "parts of rows")
    assert ring.marker.symbol.endswith("-open")
    assert ring.customdata[:, 0].tolist() == [11]
    assert float(inner.marker.size[0]) == pytest.approx(math.sqrt(3 / 13) * (ring.marker.size - 3))
    assert "part here: 0.231" in ring.hovertext[0]
    whole = [trace for trace in regions_figure(PARTS.tree, "outlook", "wind", node=0).data if trace.name == "rows"]
    assert sum(len(trace.x) for trace in whole) == 14


def test_a_band_answers_as_the_tree_does_for_a_missing_value() -> None:
    tree = PARTS.tree
    regions = decision_regions(tree, "outlook", "wind")
    figure = regions_figure(tree, "outlook", "wind", mode=Mode.LIGHT)
    marks = [t for t in figure.data if t.name == "regions" and "outlook is missing" in str(t.hovertemplate)]
    frame = datasets.frame("play_tennis_missing").iloc[[11, 12]].assign(outlook="", humidity="", temperature="")
    expected = [p.prediction for p in tree.predictions(frame)]
    assert [frame["wind"].tolist(), expected] == [["strong", "weak"], ["no", "yes"]]
    by_place = dict(zip(np.asarray(marks[0].y).tolist(), marks[0].text, strict=True))
    places = {
        level: float(regions.y.place_of[tree.table.features[3].levels.index(level)]) for level in ("strong", "weak")
    }
    assert [by_place[places["strong"]], by_place[places["weak"]]] == expected


def test_a_branch_of_its_own_is_outlined_in_the_band_alone() -> None:
    tree = OWN.tree
    node = next(n for n in range(len(tree.nodes)) if tree.path(n) and tree.path(n)[-1].op is Op.MISSING)
    lacking = tree.path(node)[-1].feature
    other = next(f.name for f in tree.table.features if not f.levels and f.name != lacking)
    regions = decision_regions(tree, lacking, other)
    bands = band(tree, regions.x), band(tree, regions.y)
    sides = outline_sides(tree, node, regions, bands)
    assert bands[0] is not None
    assert sides.shape[1] >= 1
    assert (sides[1] <= bands[0].high).all()


@pytest.mark.parametrize("missing", Missing)
@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("name", ["labor", "play_tennis_missing", "congress_votes", "airquality"])
def test_every_treatment_has_its_picture_and_its_words(name: str, missing: Missing, mode: Mode) -> None:
    if name == "labor" and missing is Missing.DROP:
        pytest.skip("one row is left")
    growth = grown(name, missing)
    names = [feature.name for feature in growth.table.features]
    for step in (0, len(growth) // 2, len(growth) - 1):
        tree = growth.tree.at(step)
        node = growth[step].node
        for x, y in ((names[0], names[1]), (names[1], names[2]), (names[2], None)):
            assert_plotly_accepts(regions_figure(tree, x, y, node=node, mode=mode))
            assert regions_text(tree, x, y, node=node)


def test_the_words_say_where_rows_without_a_value_are() -> None:
    words = regions_text(PARTS.tree, "outlook", "wind", node=1)
    assert "Rows without outlook stand in a band beside the axis." in words
    assert "only a part is here is a ring" in words
    assert "band" not in regions_text(PARTS.tree, "humidity", "wind", node=1)
