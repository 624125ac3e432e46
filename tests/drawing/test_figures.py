"""Figures against the engine: what is drawn is what was computed, whatever the table holds."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import datasets
from drawing.figures.base import MOST_KEYS, clicked, escape, label
from drawing.figures.features import bin_edges, feature_figure, feature_text, level_counts, target_figure, target_text
from drawing.figures.gain_curve import gain_curve_figure, gain_curve_text, min_max_bins
from drawing.figures.partitions import display_order, partitions_figure, partitions_text
from drawing.figures.regions import regions_figure
from drawing.figures.scatter import scatter_figure, scatter_text
from drawing.theme import Mode, class_colour
from engine import GrowthSettings, Table, grow, read_table
from tests.drawing.pictures import assert_plotly_accepts, marked_rows, traces

LENGTH, WIDTH = "petal length (cm)", "petal width (cm)"
HOSTILE = "<script>alert(1)</script> $x^2$ %{y} <b>&amp;\x07"


@pytest.fixture(scope="module")
def iris():
    return grow(read_table("datasets/files/iris.csv", target="target"))


@pytest.fixture(scope="module")
def tennis():
    return grow(datasets.load("play_tennis"))


def strings(value) -> list[str]:
    if isinstance(value, dict):
        return [text for inner in value.values() for text in strings(inner)]
    if isinstance(value, list | tuple | np.ndarray):
        return [text for inner in value for text in strings(inner)]
    return [value] if isinstance(value, str) else []


# Gain curve


def test_the_curve_shows_every_threshold_with_its_gain(iris) -> None:
    figure = gain_curve_figure(iris, 0, LENGTH)
    scores = iris.scan(0, 2)
    (marks,) = traces(figure, "thresholds")
    assert marks.customdata[:, 0].tolist() == scores.thresholds.tolist()
    assert marks.y == pytest.approx(scores.gain)
    assert clicked({"customdata": marks.customdata[3].tolist()}).threshold == scores.thresholds[3]


def test_the_curve_steps_at_the_values_of_the_rows(iris) -> None:
    (curve,) = traces(gain_curve_figure(iris, 0, LENGTH), "curve")
    values = np.unique(iris.table.columns[2])
    assert curve.line.shape == "hv"  # level from each value to the next
    assert curve.x == pytest.approx(values)
    assert curve.y[:-1] == pytest.approx(iris.scan(0, 2).gain)


def test_the_best_threshold_and_the_one_set_by_hand_are_marked(iris) -> None:
    figure = gain_curve_figure(iris, 0, LENGTH, by_hand=5.0)
    assert [shape.x0 for shape in figure.layout.shapes] == [2.45, 5.0]
    best, yours = (note.text for note in figure.layout.annotations)
    assert "0.918" in best
    below = iris.table.columns[2] < 5
    assert below.sum() == 104  # 50 setosa, 48 versicolor and 6 virginica are below; the rest above
    assert "yours" in yours
    assert "petal length (cm) < 2.45 with 0.918" in gain_curve_text(iris, 0, LENGTH, by_hand=5.0)


def test_a_threshold_that_parts_nothing_is_not_marked(iris) -> None:
    figure = gain_curve_figure(iris, 0, LENGTH, by_hand=99.0)
    assert len(figure.layout.shapes) == 1


def test_barred_thresholds_are_hollow_and_say_why() -> None:
    growth = grow(read_table("datasets/files/iris.csv", target="target"), GrowthSettings.id3(min_samples_leaf=40))
    figure = gain_curve_figure(growth, 0, LENGTH)
    (barred,) = traces(figure, "barred thresholds")
    assert set(barred.text) == {"min samples leaf"}
    assert len(barred.x) + len(traces(figure, "thresholds")[0].x) == len(growth.scan(0, 2))


def test_a_constant_feature_has_no_curve_and_says_so() -> None:
    growth = grow(read_table(pd.DataFrame({"v": [1.5, 1.5], "w": [1, 2], "t": ["a", "b"]}), target="t"))
    figure = gain_curve_figure(growth, 0, "v")
    assert not traces(figure, "thresholds")
    assert [trace.x.tolist() for trace in traces(figure, "rows")] == [[1.5] * 3] * 2
    assert "no threshold" in gain_curve_text(growth, 0, "v")


def test_every_row_has_a_tick_on_its_classs_line_below_the_curve(iris) -> None:
    figure = gain_curve_figure(iris, 0, LENGTH)
    lines = dict(zip(figure.layout.yaxis2.ticktext, figure.layout.yaxis2.tickvals.tolist(), strict=True))
    assert list(lines) == ["setosa", "versicolor", "virginica"]
    for code, trace in enumerate(traces(figure, "rows")):
        assert trace.line.color == class_colour(code, Mode.LIGHT)
        values = iris.table.columns[2][iris.table.target_values == code]
        assert trace.x[::3] == pytest.approx(values)
        middle = (trace.y[::3] + trace.y[1::3]) / 2
        assert middle == pytest.approx(list(lines.values())[code])
        assert np.isnan(trace.y[2::3]).all()


def test_rows_of_a_number_stand_at_its_height_below_the_curve() -> None:
    growth = grow(datasets.load("bike_demand_count"))
    drawn = traces(gain_curve_figure(growth, 0, "temp"), "rows")
    found = {(x, y) for trace in drawn for x, y in zip(trace.x.tolist(), trace.y.tolist(), strict=True)}
    assert found == set(zip(growth.table.columns[0].tolist(), growth.table.target_values.tolist(), strict=True))
    assert "temp <" in gain_curve_text(growth, 0, "temp")


@pytest.mark.parametrize("missing", ["fractional", "own_branch"])
def test_rows_without_a_value_are_not_below_the_curve(missing) -> None:
    frame = pd.DataFrame({"v": ["1", "", "3", "4"], "t": list("abab")})
    growth = grow(read_table(frame, target="t"), GrowthSettings.id3(missing=missing))
    figure = gain_curve_figure(growth, 0, "v")
    assert sorted(x for trace in traces(figure, "rows") for x in trace.x[::3].tolist()) == [1, 3, 4]
    (curve,) = traces(figure, "curve")
    assert curve.x.tolist() == [1, 3, 4]
    assert len(curve.y) == 3


def test_thresholds_too_many_for_marks_still_answer_to_the_pointer() -> None:
    growth = grow(datasets.load("breast_cancer"), GrowthSettings.id3(max_depth=1))
    name = growth.best_candidates(0)[0].feature
    (marks,) = traces(gain_curve_figure(growth, 0, name), "thresholds")
    assert (marks.mode, marks.hoveron) == ("none", "points")
    assert marks.customdata[:, 0].tolist() == growth.scan(0, growth.table.feature_index(name)).thresholds.tolist()


def test_a_long_curve_keeps_its_outline() -> None:
    rng = np.random.default_rng(0)
    x, y = np.sort(rng.normal(size=100_000)), rng.random(100_000)
    y[70_123] = 5.0
    kept = min_max_bins(x, y)
    assert len(kept) <= 1000
    assert 70_123 in kept
    assert int(y.argmin()) in kept
    assert (np.diff(kept) > 0).all()


# Partitions


def test_the_bars_are_the_partitions_in_display_order() -> None:
    table = read_table(
        pd.DataFrame({"size": ["low", "high", "mid", "low"], "t": list("abca")}),
        target="t",
        display={"size": ("low", "mid", "high")},
    )
    (candidate,) = grow(table).best_candidates(0)
    assert [candidate.partitions[i].condition.value for i in display_order(candidate, table)] == [
        ("low",),
        ("mid",),
        ("high",),
    ]
    figure = partitions_figure(candidate, table)
    assert [text.split(" <")[0] for text in figure.layout.yaxis.ticktext] == ["D1 low", "D2 mid", "D3 high"]
    bars = {trace.name: trace.x.tolist() for trace in figure.data if trace.customdata is not None}
    assert bars == {"a": [2, 0, 0], "b": [0, 0, 1], "c": [0, 1, 0]}
    assert "D1 low: 2 a; D2 mid: 1 c" in partitions_text(candidate, table)


def test_five_thousand_levels_become_thirty_bars_and_one_for_the_rest() -> None:
    frame = pd.DataFrame({"level": [f"v{i:04d}" for i in range(5000)] * 2, "t": ["a", "b"] * 5000})
    growth = grow(read_table(frame, target="t"), GrowthSettings.id3(max_depth=0))
    figure = feature_figure(growth.table, "level")
    assert len(figure.layout.yaxis.ticktext) == 31
    assert "4970 more" in figure.layout.yaxis.ticktext[-1]
    assert_plotly_accepts(figure)


# Features and target


def test_level_bars_count_every_row_and_missing_ones_apart() -> None:
    table = read_table(pd.DataFrame({"c": ["p", "q", "", "p"], "d": list("xyzw"), "t": list("abab")}), target="t")
    names, counts = level_counts(table, 0)
    assert names == ["p", "q", "missing"]
    assert counts.tolist() == [[1, 1], [0, 1], [1, 0]]
    assert "1 value is missing" in feature_text(table, "c")


def test_a_histogram_counts_every_known_value_once() -> None:
    table = read_table(pd.DataFrame({"v": ["1", "2", "", "2.5", "9"], "t": list("abaab")}), target="t")
    figure = feature_figure(table, "v")
    assert sum(int(trace.y.sum()) for trace in figure.data if trace.x[0] is not None) == 4
    assert "1 value missing" in figure.layout.xaxis.title.text


@settings(max_examples=100, deadline=None)
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=50))
def test_bins_cover_all_values(values) -> None:
    array = np.array(values)
    edges = bin_edges(array)
    assert edges[0] <= array.min()
    assert array.max() <= edges[-1]
    assert 2 <= len(edges) <= 31


def test_the_target_alone_is_one_bar_a_class(iris) -> None:
    figure = target_figure(iris.table)
    assert sum(trace.x.sum() for trace in figure.data) == 150
    assert target_text(iris.table).startswith("target has 3 classes: ")


@pytest.mark.parametrize("feature", ["cyl", "wt", "kind"])
def test_a_number_as_target_has_pictures_too(feature) -> None:
    frame = pd.read_csv("datasets/files/mtcars.csv").assign(kind=["p", "q"] * 16)
    table = read_table(frame, target="mpg", categorical=("kind",), task="number")
    figure = feature_figure(table, feature)
    assert_plotly_accepts(figure)
    assert feature_text(table, feature).startswith(feature)
    if feature == "kind":
        group = table.target_values[table.columns[table.feature_index("kind")] == 0]
        (boxes,) = figure.data
        assert boxes.median[0] == pytest.approx(np.median(group))
    assert_plotly_accepts(target_figure(table))
    assert_plotly_accepts(scatter_figure(table, "cyl", "wt"))
    assert "on average" in target_text(table)


def test_a_scatter_leaves_out_and_counts_what_cannot_be_placed() -> None:
    table = read_table(pd.DataFrame({"v": ["1", "", "3"], "w": ["1", "2", "3"], "t": list("aba")}), target="t")
    assert list(marked_rows(scatter_figure(table, "v", "w"))) == [0, 2]
    assert scatter_text(table, "v", "w") == "2 rows over v and w. 1 more has no value to place."


# Whatever the table holds


def hostile_table() -> Table:
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {
            HOSTILE: rng.normal(size=60) * 1e300,
            HOSTILE + "2": [f"{HOSTILE}{i % 7}" for i in range(60)],
            "\u202eright to left": rng.normal(size=60),
            "target " + HOSTILE: [f"{HOSTILE}{i % 3}" for i in range(60)],
        }
    )
    return read_table(frame, target="target " + HOSTILE)


def all_figures(table: Table, mode: Mode) -> list[go.Figure]:
    names = [f.name for f in table.features]
    pairs = [(names[0], name) for name in (*names[1:3], None)]
    figures = [target_figure(table, mode=mode)]
    figures += [feature_figure(table, name, mode=mode) for name in names]
    figures += [scatter_figure(table, x, y, mode=mode) for x, y in pairs]
    if any(table.missing(i).all() for i in range(len(table.features))):
        return figures  # nothing can be grown from a column without a value, nor from no rows
    growth = grow(table, GrowthSettings.id3(max_depth=4))
    node = growth.tree.n_nodes - 1
    figures += [regions_figure(growth.tree, x, y, node=node, selected=[0], mode=mode) for x, y in pairs]
    figures += [gain_curve_figure(growth, 0, f.name, mode=mode) for f in table.features if not f.levels]
    figures += [partitions_figure(c, growth.table, mode=mode) for c in growth.best_candidates(0)]
    return figures


@pytest.mark.parametrize("mode", list(Mode))
def test_hostile_names_stay_text(mode) -> None:
    for figure in all_figures(hostile_table(), mode):
        assert_plotly_accepts(figure)
        shown = json.loads(figure.to_json())
        shown["layout"].pop("uirevision")  # compared, never shown
        for text in strings(shown):
            assert "<script" not in text
            assert "$" not in text
            assert "%{y} " not in text
            assert "\x07" not in text


def test_escaping_leaves_no_markup_template_formula_or_control_character() -> None:
    assert escape(HOSTILE) == ("&lt;script&gt;alert(1)&lt;/script&gt; &#36;x^2&#36; &#37;{y} &lt;b&gt;&amp;amp;\ufffd")
    assert label("n" * 50, 10) == "n" * 9 + "…"


@st.composite
def odd_tables(draw):
    n_rows = draw(st.integers(0, 12))
    cells = st.sampled_from(["", "1", "2.5", "-7", "1e308", "5e-324"])
    words = st.sampled_from(["", "a", "b", "<i>", "1"])
    frame = pd.DataFrame(
        {
            "v": [*draw(st.lists(cells, min_size=n_rows, max_size=n_rows)), "3"],
            "c": [*draw(st.lists(words, min_size=n_rows, max_size=n_rows)), "a"],
            "t": [*draw(st.lists(st.sampled_from("xyz"), min_size=n_rows, max_size=n_rows)), "x"],
        }
    )
    table = read_table(frame, target="t", numeric=("v",), categorical=("c",))
    return table.take(np.arange(table.n_rows - draw(st.integers(0, 1))))


@settings(max_examples=40, deadline=None)
@given(table=odd_tables())
def test_every_figure_of_every_odd_table_is_one_that_plotly_accepts(table) -> None:
    for figure in all_figures(table, Mode.LIGHT):
        assert_plotly_accepts(figure)
    for name in ("v", "c"):
        assert feature_text(table, name).endswith(".")


def test_a_hundred_classes_share_eight_keys_and_one_for_the_rest() -> None:
    frame = pd.DataFrame({"v": np.arange(300.0), "t": [f"c{i % 100:02d}" for i in range(300)]})
    table = read_table(frame, target="t")
    for figure in all_figures(table, Mode.DARK) if len(table.features) > 1 else [feature_figure(table, "v")]:
        assert_plotly_accepts(figure)
    shown = [trace for trace in scatter_figure(table, "v").data if trace.showlegend is None]
    assert [trace.name for trace in shown[-1:]] == ["92 more"]
    assert len(shown) == MOST_KEYS + 1
