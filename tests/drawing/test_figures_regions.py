"""Pictures of regions against the engine: areas, colours, rows, clicks."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import datasets
from drawing.figures.base import tints
from drawing.figures.places import MOST_MARKS, MOST_OTHERS, row_places
from drawing.figures.regions import regions_figure, regions_text
from drawing.theme import PALETTES, Mode, class_colour
from engine import GrowthSettings, grow, read_table
from engine.axes import feature_axis
from engine.regions import decision_regions
from tests.drawing.pictures import assert_plotly_accepts, marked_rows, traces

LENGTH, WIDTH = "petal length (cm)", "petal width (cm)"


@pytest.fixture(scope="module")
def iris():
    return grow(read_table("datasets/files/iris.csv", target="target"))


@pytest.fixture(scope="module")
def tennis():
    return grow(datasets.load("play_tennis"))


def polygon_area(x: np.ndarray, y: np.ndarray) -> float:
    """Area inside rectangles that are parted by NaN."""
    corners_x, corners_y = (np.r_[side, np.nan].reshape(-1, 6)[:, :5] for side in (x, y))
    return float((np.ptp(corners_x, axis=1) * np.ptp(corners_y, axis=1)).sum())


@pytest.mark.parametrize("step", [0, 2, 6, 100])
def test_the_area_of_each_colour_is_that_of_the_engines_regions(iris, step) -> None:
    tree = iris.tree.at(step)
    regions = decision_regions(tree, LENGTH, WIDTH)
    figure = regions_figure(tree, LENGTH, WIDTH)
    colours, index = tints(regions.probabilities, Mode.LIGHT)
    whole = (regions.x.high - regions.x.low) * (regions.y.high - regions.y.low)
    drawn = {trace.fillcolor: polygon_area(trace.x, trace.y) / whole for trace in traces(figure, "region")}
    expected = np.bincount(index, weights=regions.areas)
    assert drawn == pytest.approx(dict(zip(colours, expected, strict=True)), abs=1e-5)


def test_pure_regions_have_their_classes_tint_and_mixtures_another() -> None:
    colours, index = tints(np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5], [1.0, 0.0]]), Mode.LIGHT)
    assert len(colours) == 3
    assert index[0] == index[3]
    assert len({index[0], index[1], index[2]}) == 3


def test_the_nodes_rows_are_lit_in_their_classes_colours_and_the_others_grey(iris) -> None:
    node = 2
    figure = regions_figure(iris.tree, LENGTH, WIDTH, node=node)
    lit, grey = marked_rows(figure), marked_rows(figure, "other rows")
    rows = iris.tree.rows(node).tolist()
    assert list(lit) == rows
    assert sorted([*lit, *grey]) == list(range(iris.table.n_rows))
    colours = [class_colour(code, Mode.LIGHT) for code in iris.table.target_values[rows].tolist()]
    assert [colour for *_, colour in lit.values()] == colours
    assert [x for _, x, _, _ in lit.values()] == pytest.approx(iris.table.columns[2][rows])
    assert {colour for *_, colour in grey.values()} == {PALETTES[Mode.LIGHT].neutral}


def test_rows_of_more_classes_than_a_legend_names_share_a_trace_in_their_own_colours() -> None:
    frame = pd.DataFrame({"v": np.arange(20.0), "w": np.arange(20.0), "t": [f"c{i % 10}" for i in range(20)]})
    table = read_table(frame, target="t")
    figure = regions_figure(grow(table).tree, "v", "w", mode=Mode.DARK)
    (trace,) = traces(figure, "rows")
    assert len(set(trace.marker.symbol.tolist())) > 2
    found = [colour for *_, colour in marked_rows(figure).values()]
    assert found == [class_colour(i % 10, Mode.DARK) for i in range(20)]


def test_each_row_knows_the_leaf_that_answers_it(tennis) -> None:
    tree = tennis.tree.at(4)
    found = {row: leaf for row, (leaf, *_) in marked_rows(regions_figure(tree, "outlook", "wind")).items()}
    assert found == dict(enumerate(tree.leaf_of_training_row().tolist()))


@pytest.mark.parametrize(("x", "y"), [("outlook", "wind"), ("outlook", None), ("humidity", "temperature")])
def test_every_region_can_be_clicked_and_a_click_inside_finds_its_node(tennis, x, y) -> None:
    regions = decision_regions(tennis.tree, x, y)
    (marks,) = traces(regions_figure(tennis.tree, x, y), "regions")
    nodes = marks.customdata[:, 1]
    assert set(nodes.tolist()) == set(regions.node.tolist())
    assert (marks.customdata[:, 0] == -1).all()
    for px, py, node in zip(marks.x, marks.y, nodes, strict=True):
        inside = (regions.x0 <= px) & (px < regions.x1) & (regions.y0 <= py) & (py < regions.y1)
        assert regions.node[inside].tolist() == [node]


def test_small_regions_between_the_grids_marks_have_their_own() -> None:
    frame = pd.DataFrame({"v": [0.0, 1.0, 1.001, 2.0, 100.0], "w": [0.0, 1, 2, 3, 4], "t": list("ababa")})
    tree = grow(read_table(frame, target="t")).tree
    (marks,) = traces(regions_figure(tree, "v", "w"), "regions")
    assert set(marks.customdata[:, 1].tolist()) == set(decision_regions(tree, "v", "w").node.tolist())


def test_regions_with_room_name_their_answer_and_its_share_where_impure(tennis) -> None:
    notes = regions_figure(tennis.tree.at(2), "outlook", "wind").layout.annotations
    assert [note.text.replace("&#37;", "%") for note in notes] == ["yes", "yes 60 %", "no 60 %"]


def test_the_current_node_is_outlined_in_the_accent(iris) -> None:
    (outline,) = traces(regions_figure(iris.tree, LENGTH, WIDTH, node=1, mode=Mode.DARK), "current node")
    assert outline.line.color == PALETTES[Mode.DARK].accent
    assert outline.x.max() == pytest.approx(2.45)


def test_selected_rows_are_ringed(iris) -> None:
    (ring,) = traces(regions_figure(iris.tree, LENGTH, WIDTH, selected=[7, 10**6]), "selected rows")
    assert ring.customdata[:, 0].tolist() == [7]


def test_the_text_tells_hidden_features_and_the_nodes_rows(tennis) -> None:
    words = regions_text(tennis.tree, "outlook", "wind", node=0)
    assert "also tests humidity" in words
    assert "14 rows" in words


def test_very_many_regions_become_a_raster_of_the_same_colours() -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(2500, 2)), columns=["a", "b"])
    frame["t"] = np.where(rng.random(2500) < 0.5, "x", "y")
    tree = grow(read_table(frame, target="t")).tree
    figure = regions_figure(tree, "a", "b")
    (raster,) = traces(figure, "region")
    assert raster.type == "heatmap"
    regions = decision_regions(tree, "a", "b")
    colours, index = tints(regions.probabilities, Mode.LIGHT)
    scale = [colour for _, colour in raster.colorscale]
    for i, j in [(3, 5), (100, 80), (200, 150)]:
        x, y = raster.x[i], raster.y[j]
        piece = int(((regions.x0 <= x) & (x < regions.x1) & (regions.y0 <= y) & (y < regions.y1)).argmax())
        assert scale[raster.z[j, i]] == colours[index[piece]]
    assert_plotly_accepts(figure)


def test_zoom_is_kept_while_the_features_stay(iris) -> None:
    first, later = (regions_figure(iris.tree.at(k), LENGTH, WIDTH) for k in (0, 8))
    assert first.layout.uirevision == later.layout.uirevision
    assert first.layout.uirevision != regions_figure(iris.tree, WIDTH, LENGTH).layout.uirevision


# Places of rows


def test_rows_of_a_cell_of_two_categorical_axes_do_not_overlap(tennis) -> None:
    table = tennis.table
    x, y = feature_axis(table, "outlook"), feature_axis(table, "wind")
    xs, ys = row_places(table, x, y)
    assert len(set(zip(xs.tolist(), ys.tolist(), strict=True))) == table.n_rows
    assert np.round(xs).tolist() == x.coordinates(table.columns[x.feature]).tolist()
    assert np.round(ys).tolist() == y.coordinates(table.columns[y.feature]).tolist()


def test_rows_keep_their_places_whatever_the_step(tennis) -> None:
    early = marked_rows(regions_figure(tennis.tree.at(0), "outlook", "wind"))
    late = marked_rows(regions_figure(tennis.tree, "outlook", "wind"))
    assert {row: place for row, (_, *place) in early.items()} == {row: place for row, (_, *place) in late.items()}


def test_of_very_many_rows_a_sample_is_drawn_in_their_own_cells() -> None:
    table = datasets.load("nursery")
    figure = regions_figure(grow(table, GrowthSettings.id3(max_depth=2)).tree, "health", "parents", node=1)
    lit, grey = marked_rows(figure), marked_rows(figure, "other rows")
    assert 0 < len(lit) <= MOST_MARKS
    assert 0 < len(grey) <= MOST_OTHERS
    axis = feature_axis(table, "health")
    places = np.round([x for _, x, _, _ in lit.values()])
    assert places.tolist() == axis.coordinates(table.columns[axis.feature])[list(lit)].tolist()
