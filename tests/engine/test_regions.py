"""Decision regions against the tree's own predictions, point by point and at every step."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Choice, GrowthSettings, TableError, Tree, grow, read_table
from engine.axes import feature_axis
from engine.regions import Regions, decision_regions, node_region
from engine.splits import is_numeric

IRIS = "datasets/files/iris.csv"
LENGTH, WIDTH = "petal length (cm)", "petal width (cm)"


def tennis():
    return grow(read_table("datasets/files/play_tennis.csv", target="play", ignore=("day",)))


def answer(tree: Tree, known: dict[str, str | float], node: int = 0) -> np.ndarray:
    """Class shares when only `known` is known: hidden tests go all ways, by their rows. The plain way."""
    if not tree.is_split[node]:
        counts = tree.nodes.counts[tree.nodes.informed_by[node]]
        return counts / counts.sum()
    split, children = tree.split(node), tree.children(node)
    feature = tree.table.features[split.feature]
    if feature.name in known:
        value = known[feature.name]
        if split.threshold is not None:
            branch = int(value >= split.threshold)
        else:
            branch = next(i for i, group in enumerate(split.groups) if feature.levels.index(value) in group)
        return answer(tree, known, int(children[branch]))
    sizes = tree.nodes.counts[children].sum(axis=1)
    return sum(
        size / sizes.sum() * answer(tree, known, int(child)) for size, child in zip(sizes, children, strict=True)
    )


def probes(regions: Regions, tree: Tree, axis) -> list[tuple[str | float, float]]:
    """Values worth asking on an axis, with their coordinates: levels, or values, thresholds and between."""
    if axis is None:
        return [(None, 0.5)]
    if not axis.is_numeric:
        return [(level, float(place)) for place, level in enumerate(axis.levels)]
    thresholds = tree.nodes.threshold[tree.nodes.feature == axis.feature]
    values = np.unique(np.r_[tree.table.columns[axis.feature], thresholds, axis.low])
    inside = np.unique(np.r_[values, values[:-1] / 2 + values[1:] / 2])
    return [(float(v), float(v)) for v in inside if axis.low <= v < axis.high]


def assert_answers_agree(tree: Tree, x: str, y: str | None, fixed: dict[str, str | float] | None = None) -> None:
    fixed = fixed or {}
    regions = decision_regions(tree, x, y, given=fixed)
    assert regions.areas.sum() == pytest.approx(1)
    for (x_value, px), (y_value, py) in itertools.product(
        probes(regions, tree, regions.x), probes(regions, tree, regions.y)
    ):
        inside = (regions.x0 <= px) & (px < regions.x1) & (regions.y0 <= py) & (py < regions.y1)
        assert inside.sum() == 1, "rectangles cover every point once"
        piece = int(inside.argmax())
        known = {x: x_value, **fixed} | ({y: y_value} if y is not None else {})
        expected = answer(tree, known)
        assert regions.probabilities[piece] == pytest.approx(expected, abs=1e-9)
        if not regions.blended[piece]:
            frame = pd.DataFrame(
                [{f.name: known.get(f.name, f.levels[0] if f.levels else 0.0) for f in tree.table.features}]
            )
            assert regions.node[piece] == tree.apply(frame)[0]
            assert tree.table.target.classes[regions.prediction[piece]] == tree.predict(frame)[0]


@st.composite
def small_tables(draw):
    n_rows = draw(st.integers(2, 14))
    columns = {}
    for number, kind in enumerate(draw(st.lists(st.sampled_from(["few", "many", "numeric"]), min_size=2, max_size=4))):
        if kind == "numeric":
            cells = st.integers(-3, 4).map(lambda v: str(v / 2))
        else:
            cells = st.sampled_from("pq" if kind == "few" else "pqrs")
        columns[f"{kind}{number}"] = draw(st.lists(cells, min_size=n_rows, max_size=n_rows))
    columns["t"] = draw(st.lists(st.sampled_from("abc"), min_size=n_rows, max_size=n_rows))
    return read_table(pd.DataFrame(columns), target="t", numeric=[c for c in columns if "numeric" in c])


@settings(max_examples=60, deadline=None)
@given(table=small_tables(), data=st.data())
def test_every_point_gets_the_answer_of_the_tree_at_every_step(table, data) -> None:
    growth = grow(table, GrowthSettings.id3())
    step = data.draw(st.integers(0, len(growth) - 1))
    names = data.draw(st.permutations([f.name for f in table.features]))
    y = data.draw(st.sampled_from([names[1], None]))
    assert_answers_agree(growth.tree.at(step), names[0], y)


@settings(max_examples=40, deadline=None)
@given(table=small_tables(), data=st.data())
def test_given_values_hold_hidden_features_fast(table, data) -> None:
    names = data.draw(st.permutations([f.name for f in table.features]))
    fixed = {}
    for name in names[2:]:
        feature = table.features[table.feature_index(name)]
        fixed[name] = 0.25 if is_numeric(feature) else data.draw(st.sampled_from(feature.levels))
    tree = grow(table, GrowthSettings.id3()).tree
    assert decision_regions(tree, names[0], names[1], given=fixed).exact
    assert_answers_agree(tree, names[0], names[1], fixed)


def test_two_levels_split_into_groups_are_cells_too() -> None:
    frame = pd.DataFrame({"a": list("pqpqpq"), "b": list("uvvuuv"), "t": list("abbabb")})
    tree = grow(read_table(frame, target="t"), GrowthSettings.cart()).tree
    assert_answers_agree(tree, "a", "b")
    assert_answers_agree(tree, "b", None)


def test_iris_after_its_first_split_is_two_rectangles() -> None:
    tree = grow(read_table(IRIS, target="target")).tree.at(2)
    regions = decision_regions(tree, LENGTH, WIDTH, limits=((0.0, 7.0), (0.0, 3.0)))
    assert regions.exact
    assert sorted(zip(regions.x0, regions.x1, regions.y0, regions.y1, strict=True)) == [
        (0, 2.45, 0, 3),
        (2.45, 7, 0, 3),
    ]
    assert regions.areas == pytest.approx([0.35, 0.65])


def test_a_tree_that_tests_a_hidden_feature_says_so() -> None:
    tree = tennis().tree
    regions = decision_regions(tree, "outlook", "wind")
    assert not regions.exact
    assert regions.hidden == ("humidity",)
    sunny = regions.blended
    assert regions.node[sunny].tolist() == [tree.nodes.children[tree.nodes.first_child[0] + 2]]
    assert regions.probabilities[sunny] == pytest.approx(np.array([[0.6, 0.4]]))


def test_levels_lie_in_display_order() -> None:
    table = read_table(
        pd.DataFrame({"size": ["low", "high", "mid", "low"], "t": list("abca")}),
        target="t",
        display={"size": ("low", "mid", "high")},
    )
    axis = feature_axis(table, "size")
    assert axis.levels == ("low", "mid", "high")
    assert axis.coordinates(table.columns[0]).tolist() == [0, 2, 1, 0]
    regions = decision_regions(grow(table).tree, "size")
    order = np.argsort(regions.x0)
    assert [table.target.classes[c] for c in regions.prediction[order]] == ["a", "c", "b"]


def test_a_level_set_with_a_gap_is_two_rectangles_of_one_node() -> None:
    table = read_table(
        pd.DataFrame({"size": ["low", "high", "mid"] * 3, "c": ["1", "2", "1"] * 3, "t": list("aba") * 3}),
        target="t",
        display={"size": ("low", "high", "mid")},
    )
    choice = Choice((), "size", first_group=("low", "mid"))
    tree = grow(table, GrowthSettings.id3().with_choice(choice)).tree
    first = int(tree.children(0)[0])
    assert node_region(tree, first, "size").tolist() == [[-0.5, 0.5, 0, 1], [1.5, 2.5, 0, 1]]
    assert_answers_agree(tree, "size", "c")


def test_the_root_covers_the_picture_and_children_part_it() -> None:
    growth = grow(read_table(IRIS, target="target"))
    tree = growth.tree
    (root,) = node_region(tree, 0, LENGTH, WIDTH).tolist()
    boxes = [node_region(tree, int(child), LENGTH, WIDTH)[0].tolist() for child in tree.children(0)]
    assert boxes[0][:2] == [root[0], 2.45]
    assert boxes[1][:2] == [2.45, root[1]]
    assert all(box[2:] == root[2:] for box in boxes)


def test_every_training_row_lies_in_the_region_of_each_node_on_its_path() -> None:
    growth = tennis()
    tree, table = growth.tree, growth.table
    axes = [feature_axis(table, name) for name in ("outlook", "wind")]
    points = np.stack([axis.coordinates(table.columns[axis.feature]) for axis in axes], axis=1)
    for node in range(len(tree.nodes)):
        boxes = node_region(tree, node, "outlook", "wind")
        for x, y in points[tree.rows(node)]:
            assert any(x0 <= x < x1 and y0 <= y < y1 for x0, x1, y0, y1 in boxes)


@pytest.mark.parametrize("values", [[1.0, 1.0], [1e308, -1e308], [1e-300, 2e-300], [float("nan"), 3.0], [-5.0, -5.0]])
def test_an_axis_is_finite_and_holds_its_values(values) -> None:
    table = read_table(pd.DataFrame({"v": values, "w": [1.0, 2.0], "t": ["a", "b"]}), target="t")
    axis = feature_axis(table, "v")
    assert np.isfinite([axis.low, axis.high]).all()
    finite = [v for v in values if np.isfinite(v)]
    assert axis.low < min(finite) <= max(finite) < axis.high


def test_shares_of_the_area_survive_the_largest_numbers() -> None:
    table = read_table(pd.DataFrame({"v": [1.5e308, -1.5e308, 0.0], "t": ["a", "b", "a"]}), target="t")
    regions = decision_regions(grow(table).tree, "v")
    assert regions.areas.sum() == pytest.approx(1)


def test_blended_cells_beyond_the_limit_become_a_mesh_that_still_covers(monkeypatch) -> None:
    monkeypatch.setattr("engine.regions.MAX_BLENDED_CELLS", 60)
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(80, 3)), columns=["a", "b", "c"])
    frame["t"] = np.where((frame.a > 0) ^ (frame.b > 0) ^ (frame.c > 0), "x", "y")
    regions = decision_regions(grow(read_table(frame, target="t")).tree, "a", "b")
    assert not regions.exact
    assert regions.areas.sum() == pytest.approx(1)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("wind", "wind"), "two different features"),
        (("wind", "rain"), "no feature 'rain'"),
    ],
)
def test_wrong_features_get_a_sentence(arguments, words) -> None:
    with pytest.raises(TableError, match=words):
        decision_regions(tennis().tree, *arguments)


@pytest.mark.parametrize(
    ("fixed", "words"),
    [({"wind": "weak"}, "is shown"), ({"humidity": "wet"}, "no level 'wet'"), ({"rain": 1}, "no feature 'rain'")],
)
def test_wrong_given_values_get_a_sentence(fixed, words) -> None:
    with pytest.raises(TableError, match=words):
        decision_regions(tennis().tree, "outlook", "wind", given=fixed)
