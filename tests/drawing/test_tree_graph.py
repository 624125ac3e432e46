from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree

import graphviz
import pandas as pd
import pygraphviz
import pytest

from drawing.theme import PALETTES, Mode, class_colour
from drawing.tree_boxes import BOX_HEIGHT, boxes, class_letters, drawn_nodes
from drawing.tree_graph import quoted, tree_dot, tree_pdf, tree_png, tree_svg
from drawing.tree_layout import Orientation, line, place
from drawing.tree_svg import colours, contrast
from engine import Criterion, Growth, GrowthSettings, grow, read_table
from tests.drawing.tables import FILES, HOSTILE, hostile, iris, tennis

SVG = "{http://www.w3.org/2000/svg}"
NURSERY = read_table(FILES / "nursery.csv", target="class")


def nodes(svg: str) -> dict[int, ElementTree.Element]:
    return {int(g.get("data-node", "")): g for g in ElementTree.fromstring(svg).iter(f"{SVG}g") if g.get("data-node")}


def texts(group: ElementTree.Element, name: str) -> list[str | None]:
    return [t.text for part in group if part.get("class") == name for t in part.iter(f"{SVG}text")]


@pytest.mark.parametrize("orientation", Orientation)
def test_the_picture_agrees_with_predict(orientation: Orientation) -> None:
    growth = grow(tennis())
    found = nodes(tree_svg(growth.tree, Criterion.ENTROPY, orientation=orientation))
    frame = pd.read_csv(FILES / "play_tennis.csv", dtype=str)
    leaves = growth.tree.apply(frame)
    predicted = growth.tree.predict(frame)
    for leaf, answer in zip(leaves.tolist(), predicted.tolist(), strict=True):
        assert texts(found[leaf], "node-test") == [answer]
        assert found[leaf].get("data-kind") == "leaf"


def test_each_edge_says_its_condition() -> None:
    svg = ElementTree.fromstring(tree_svg(grow(iris()).tree))
    edges = [g for g in svg.iter(f"{SVG}g") if g.get("data-edge")]
    labels = {int(g.get("data-edge", "")): [t.text for t in g.iter(f"{SVG}text")] for g in edges}
    assert labels[1] == ["< 2.45"] and labels[2] == ["≥ 2.45"]


def test_a_half_grown_tree_has_open_nodes_and_no_hidden_ones() -> None:
    growth = grow(tennis())
    found = nodes(tree_svg(growth[2].tree))
    assert sorted(found) == [0, 1, 2, 5]
    assert [found[n].get("data-decided") for n in sorted(found)] == ["true", "false", "false", "false"]
    dot = pygraphviz.AGraph(string=tree_dot(growth[2].tree))
    assert sorted(dot.nodes()) == ["n0", "n1", "n2", "n5"]
    assert "dashed" in dot.get_node("n1").attr["style"]


@pytest.mark.parametrize("mode", Mode)
def test_a_file_has_real_colours_and_stands_alone(mode: Mode) -> None:
    svg = tree_svg(grow(tennis()).tree, mode=mode)
    assert "var(" not in svg and "url(" not in svg
    assert class_colour(0, mode) in svg and PALETTES[mode].background in svg


def boxes_of(growth: Growth, orientation: Orientation) -> list[tuple[float, float, float, float]]:
    drawn = boxes(growth.tree)
    layout = place(drawn, orientation)
    found = []
    for box in drawn:
        x, y = layout.centres[box.node]
        found.append((x - box.width / 2, x + box.width / 2, y - box.height / 2, y + box.height / 2))
        assert found[-1][0] >= 0 and found[-1][2] >= 0
        assert found[-1][1] <= layout.width and found[-1][3] <= layout.height
    return found


@pytest.mark.parametrize("orientation", Orientation)
@pytest.mark.parametrize(
    "growth",
    [grow(tennis()), grow(iris()), grow(NURSERY), grow(hostile())],
    ids=["tennis", "iris", "nursery", "hostile"],
)
def test_no_two_boxes_meet(growth: Growth, orientation: Orientation) -> None:
    rank = (2, 3) if orientation is Orientation.TOP_DOWN else (0, 1)
    across = (0, 1) if orientation is Orientation.TOP_DOWN else (2, 3)
    found = sorted(boxes_of(growth, orientation), key=lambda b: (b[rank[0]], b[across[0]]))
    for one, other in pairwise(found):
        assert one[rank[1]] <= other[rank[0]] or one[across[1]] < other[across[0]]


def test_a_parent_stands_between_its_first_and_last_child_and_midway_where_there_is_room() -> None:
    midway = {}
    for name, growth in (("tennis", grow(tennis())), ("iris", grow(iris()))):
        layout = place(boxes(growth.tree), Orientation.TOP_DOWN)
        x = {node: centre[0] for node, centre in layout.centres.items()}
        parents = [n for n in range(len(growth.tree.nodes)) if len(growth.tree.children(n))]
        ends = {n: (x[growth.tree.children(n)[0]], x[growth.tree.children(n)[-1]]) for n in parents}
        assert all(low <= x[n] <= high for n, (low, high) in ends.items())
        midway[name] = sum(x[n] == pytest.approx(sum(ends[n]) / 2) for n in parents) / len(parents)
    assert midway["tennis"] == 1.0
    assert midway["iris"] >= 0.75


def test_branches_keep_their_order() -> None:
    growth = grow(NURSERY)
    for orientation, axis in ((Orientation.TOP_DOWN, 0), (Orientation.LEFT_RIGHT, 1)):
        layout = place(boxes(growth.tree), orientation)
        for node in layout.centres:
            places = [layout.centres[c][axis] for c in growth.tree.children(node).tolist() if c in layout.centres]
            assert places == sorted(places)


def test_an_edge_runs_straight_through_its_label() -> None:
    drawn = boxes(grow(tennis()).tree)
    layout = place(drawn, Orientation.TOP_DOWN)
    edge = line(drawn[0], drawn[1], layout)
    (x, y), (end_x, end_y) = edge.points[-2:]
    assert x == end_x == edge.label_x and y < edge.label_y < end_y
    assert end_y == layout.centres[1][1] - BOX_HEIGHT / 2


def test_all_edges_to_a_depth_are_straight_where_its_labels_are() -> None:
    drawn = boxes(grow(hostile(), GrowthSettings.id3(max_depth=1)).tree)
    layout = place(drawn, Orientation.LEFT_RIGHT)
    edges = [line(drawn[0], box, layout) for box in drawn[1:]]
    assert len({edge.points[3][0] for edge in edges}) == 1
    for box, edge in zip(drawn[1:], edges, strict=True):
        assert edge.points[3][0] <= edge.label_x - box.label_width


def test_the_drawing_is_cut_at_the_depth_that_fits() -> None:
    tree = grow(NURSERY).tree
    ids, cut = drawn_nodes(tree, 500)
    assert len(ids) <= 500 and len(ids) + sum(cut.values()) == tree.n_nodes
    few, all_below = drawn_nodes(tree, 1)
    assert few.tolist() == [0] and all_below == {0: tree.n_nodes - 1}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_dot_label_says_just_the_text(name: str) -> None:
    growth = grow(read_table(pd.DataFrame({"x": [name, "other"] * 2, name: ["p", "q"] * 2}), target=name))
    graph = pygraphviz.AGraph(string=tree_dot(growth.tree))
    assert sorted(graph.nodes()) == ["n0", "n1", "n2"]
    said = {edge.attr["label"].replace("\\\\", "\\").replace("&amp;", "&") for edge in graph.edges()}
    assert said == {box.label for box in boxes(growth.tree)[1:]}
    assert isinstance(quoted(name), graphviz.quoting.NoHtml)


def test_hostile_names_make_xml_without_markup_of_theirs() -> None:
    svg = tree_svg(grow(hostile()).tree)
    tags = {element.tag.removeprefix(SVG) for element in ElementTree.fromstring(svg).iter()}
    assert tags <= {"svg", "style", "rect", "g", "path", "text", "title"}
    assert "<script" not in svg and "<B>" not in svg


def test_hostile_names_make_pictures() -> None:
    tree = grow(hostile(), GrowthSettings.id3(max_depth=1)).tree
    assert tree_png(tree).startswith(b"\x89PNG")
    assert tree_pdf(tree).startswith(b"%PDF")


@pytest.mark.parametrize("orientation", Orientation)
def test_png_and_pdf_are_drawn_either_way(orientation: Orientation) -> None:
    tree = grow(tennis()).tree
    assert tree_png(tree, Criterion.ENTROPY, orientation=orientation, mode=Mode.DARK).startswith(b"\x89PNG")
    assert tree_pdf(tree, Criterion.ENTROPY, orientation=orientation).startswith(b"%PDF")


def test_long_names_are_shortened_in_the_picture_and_whole_in_the_title() -> None:
    name = "a very long name of a feature indeed, " * 4
    growth = grow(read_table(pd.DataFrame({name: ["p", "q"], "t": ["y", "n"]}), target="t"))
    root = nodes(tree_svg(growth.tree))[0]
    (shown,) = texts(root, "node-test")
    assert shown is not None and shown.endswith("…") and len(shown) < 40
    assert float(root.get("data-w", "0")) <= 220


def test_letters_tell_classes_apart() -> None:
    assert len(set(class_letters(HOSTILE))) == len(HOSTILE)
    assert class_letters(["a", "A", "ab"]) == ("1", "2", "3")


@pytest.mark.parametrize("mode", Mode)
def test_letters_can_be_read_on_their_class_colour(mode: Mode) -> None:
    palette = colours(mode)
    for index in range(len(PALETTES[mode].classes)):
        assert contrast(palette[f"--class-{index}"], palette[f"--class-{index}-ink"]) >= 4.0
        assert contrast(palette[f"--class-{index}-tint"], palette["--ink"]) >= 7.0


def test_edges_are_wider_the_more_rows_take_them() -> None:
    svg = tree_svg(grow(iris()).tree)
    widths = [float(width) for width in re.findall(r"stroke-width='([\d.]+)' d='M", svg)]
    assert widths[1] > widths[0]
