"""Pictures of ensembles: the spread over resamples, members in pairs, and the sweep over the features drawn."""

from __future__ import annotations

import numpy as np
import pytest

import engine
from drawing.figures.ensembles_dimensions import dimensions_figure, dimensions_rows, dimensions_text
from drawing.figures.ensembles_followed import MOST_LINES as MOST_CLASSES
from drawing.figures.ensembles_followed import answer_figure, answer_text, leading_classes, vote_figure, vote_text
from drawing.figures.ensembles_importance import (
    MOST_CELLS,
    MOST_LINES,
    correlation_figure,
    correlation_text,
    leading,
    shares_figure,
    shares_text,
    sweep_figure,
    sweep_rows,
    sweep_text,
)
from drawing.figures.ensembles_spread import spread_figure, spread_text
from drawing.theme import Mode
from engine import EnsembleSettings, Table
from engine.ensembles import (
    EnsembleRegions,
    FeatureDraw,
    RandomPoint,
    boundaries,
    ensemble_regions,
    member_correlation,
)
from tests.drawing.pictures import assert_plotly_accepts, traces
from tests.drawing.tables import hostile
from tests.engine.ensembles.cases import grown, table

LENGTH, WIDTH = "petal length (cm)", "petal width (cm)"


def several(of: Table, x: str, y: str | None, n: int = 3) -> list[EnsembleRegions]:
    return [ensemble_regions(grown(of, n_members=2, seed=seed), x, y) for seed in range(n)]


def draw(number: int, importance: list[float], strength: float | None = 0.5) -> FeatureDraw:
    return FeatureDraw(number, np.array(importance), 0.25 * number, strength, 0.2, 0.1)


@pytest.mark.parametrize("mode", list(Mode))
def test_boundaries_of_all_resamples_are_thin_and_those_of_the_whole_strong(mode: Mode) -> None:
    of = table("iris")
    found = several(of, LENGTH, WIDTH)
    figure = spread_figure(of, found, found[0], mode=mode)
    assert_plotly_accepts(figure)
    (thin,), (strong,) = traces(figure, "each"), traces(figure, "whole")
    assert len(thin.x) == 3 * sum(boundaries(one).shape[1] for one in found)
    assert len(strong.x) == 3 * boundaries(found[0]).shape[1]
    assert strong.line.width > thin.line.width
    assert len(traces(figure, "rows")[0].x) <= of.n_rows
    assert {trace.name for trace in figure.data} >= {"setosa", "versicolor", "virginica"}


def test_one_feature_of_classes_is_a_strip_for_each_resample_above_that_of_the_whole() -> None:
    of = table("iris")
    found = several(of, LENGTH, None)
    figure = spread_figure(of, found, found[2])
    assert_plotly_accepts(figure)
    (strips,) = traces(figure, "each")
    assert strips.z.shape == (4, len(strips.x) - 1) and len(strips.y) == 5
    assert np.array_equal(strips.z[0], strips.z[1])  # the last resample stands right above
    assert list(figure.layout.yaxis.ticktext) == ["all rows", "3 resamples"]


def test_a_number_is_a_fan_of_curves() -> None:
    of = table("diabetes_progression")
    found = several(of, "bmi", None)
    figure = spread_figure(of, found, found[0])
    assert_plotly_accepts(figure)
    assert len(traces(figure, "each")) == 3 and len(traces(figure, "whole")) == 1
    curve = traces(figure, "each")[1]
    assert len(curve.x) == len(curve.y) == len(found[1].x_edges) and curve.line.shape == "hv"


def test_the_spread_of_levels_and_hostile_names_is_drawn() -> None:
    of = hostile()
    names = [feature.name for feature in of.features]
    found = several(of, names[0], names[1], 2)
    figure = spread_figure(of, found, found[0])
    assert_plotly_accepts(figure)
    assert "<script" not in figure.to_json()
    assert "\x00" not in spread_text(of, found, "trees")


def test_the_spread_in_words_is_the_agreement_of_pairs() -> None:
    of = table("iris")
    one = several(of, LENGTH, WIDTH, 1)[0]
    assert spread_text(of, [one, one], "trees") == (
        "Over petal length (cm) and petal width (cm), two of the 2 trees give the same answer on 100 % of the picture, "
        "on average."
    )
    number = table("diabetes_progression")
    curve = several(number, "bmi", None, 1)[0]
    said = spread_text(number, [curve, curve], "trees")
    assert said == "Over bmi, the answers of the 2 trees have a standard deviation of 0 on average, at most 0."


def test_two_members_share_a_cell_and_the_current_one_is_outlined() -> None:
    found = member_correlation(grown("wine", method="forest", n_members=5))
    figure = correlation_figure(found, current=1)
    assert_plotly_accepts(figure)
    (cells,) = traces(figure, "pairs")
    assert cells.z.shape == (5, 5) and np.isnan(np.diag(cells.z)).all()
    assert [shape.y0 for shape in figure.layout.shapes] == [1.5, 0.5]
    assert not correlation_figure(found).layout.shapes


def test_many_members_are_a_histogram_of_their_pairs() -> None:
    n = MOST_CELLS + 1
    figure = correlation_figure(np.eye(n))
    assert_plotly_accepts(figure)
    assert traces(figure, "pairs")[0].y.sum() == n * (n - 1) / 2


def test_correlation_in_words_has_the_mean_of_the_pairs() -> None:
    found = np.array([[1.0, 0.5, 0.1], [0.5, 1.0, 0.0], [0.1, 0.0, 1.0]])
    assert correlation_text(found) == (
        "Correlation of the answers of two members: mean 0.200 over 3 pairs, least 0.000, greatest 0.500."
    )
    assert correlation_text(np.eye(1)) == "One member has no pair to be compared with."


@pytest.mark.parametrize("strength", [0.5, None])
def test_a_sweep_has_errors_above_and_correlation_below(strength: float | None) -> None:
    draws = [draw(1, [0.5, 0.5], strength), draw(2, [1.0, 0.0], strength)]
    figure = sweep_figure(draws, 1)
    assert_plotly_accepts(figure)
    upper = {trace.name for trace in figure.data if trace.yaxis == "y"}
    lower = {trace.name for trace in figure.data if trace.yaxis == "y2"}
    assert upper == {"error of a member", "error of the forest"}
    assert lower == ({"correlation"} if strength is None else {"correlation", "strength"})
    assert figure.layout.shapes[0].x0 == 1 and not sweep_figure(draws, None).layout.shapes


def test_a_sweep_in_words_and_as_a_table_has_every_number() -> None:
    draws = [draw(1, [0.5, 0.5]), draw(2, [1.0, 0.0])]
    assert sweep_text(draws[:1]) == (
        "1 drawn: error of the forest 10 %, of a member 20 %, correlation 0.250, strength 0.500."
    )
    assert sweep_rows(draws) == [["1", "10 %", "20 %", "0.250", "0.500"], ["2", "10 %", "20 %", "0.500", "0.500"]]
    assert sweep_rows([draw(3, [1.0], None)]) == [["3", "0.1", "0.2", "0.750"]]


def test_the_most_important_features_have_a_line_each() -> None:
    names = [f"<b>{place}</b>" for place in range(9)]
    draws = [draw(1, [place / 36 for place in range(9)]), draw(9, [0.0] * 8 + [1.0])]
    assert leading(draws) == [8, 7, 6, 5, 4, 3] and len(leading(draws)) == MOST_LINES
    figure = shares_figure(names, draws)
    assert_plotly_accepts(figure)
    assert figure.data[0].name == "&lt;b&gt;8&lt;/b&gt;"
    assert shares_text(names, draws).startswith("Importance: <b>8</b> 0.222 with 1 drawn, 1.000 with 9;")


def test_a_sweep_of_real_rows_is_drawn() -> None:
    training, rest = engine.split_holdout(table("iris"), 0.3)
    found = engine.ensembles.across_max_features(training, EnsembleSettings(method="forest", n_members=2), (1, 4), rest)
    for figure in (sweep_figure(found, 2, mode=Mode.DARK), shares_figure(["a", "b", "c", "d"], found)):
        assert_plotly_accepts(figure)


def runs() -> list[RandomPoint]:
    return [
        RandomPoint(number, seed, tree_error=0.1 + 0.1 * seed, ensemble_error=0.1, tree_share=0, ensemble_share=0.5)
        for seed in range(2)
        for number in (0, 10)
    ]


@pytest.mark.parametrize("is_number", [False, True])
def test_random_features_have_a_mark_a_run_and_a_line_of_means(is_number: bool) -> None:
    figure = dimensions_figure(runs(), "a <b>forest</b>", is_number=is_number)
    assert_plotly_accepts(figure)
    assert [len(trace.x) for trace in traces(figure, "runs")] == [4, 4]
    (tree,) = traces(figure, "a tree")
    assert tree.y.tolist() == pytest.approx([0.15, 0.15])
    assert list(figure.layout.xaxis.ticktext) == ["0", "10"]
    assert "<b>" not in figure.to_json()


def test_random_features_in_words_and_as_a_table_are_means_over_the_seeds() -> None:
    assert dimensions_rows(runs(), is_number=False)[1] == ["10", "15 %", "10 %", "0 %", "50 %"]
    assert dimensions_text(runs(), "a forest", is_number=True) == (
        "Mean test error with random features. 0 added: a tree 0.15, a forest 0.1; 10 added: a tree 0.15, a forest 0.1."
    )


def test_a_vote_forms_as_a_line_for_each_class_with_the_step_marked() -> None:
    shares = np.array([[0.0, 1.0], [1.0, 0.0], [0.5, 0.5]])
    figure = vote_figure(shares, ["<b>no</b>", "yes"], 1, name="probability")
    assert_plotly_accepts(figure)
    assert [trace.name for trace in figure.data] == ["&lt;b&gt;no&lt;/b&gt;", "yes"]
    assert figure.data[0].y.tolist() == [0, 1, 0.5]
    assert figure.data[0].customdata.tolist() == [[0, -1], [1, -1], [2, -1]]
    assert figure.layout.shapes[0].x0 == 1 and figure.layout.yaxis.title.text == "probability"
    assert vote_text(shares, ["no", "yes"], 1) == (
        "Shares of the classes after step 1: no 100 % and yes 0 %. At the end: no 50 % and yes 50 %."
    )


def test_of_many_classes_those_that_ever_lead_have_a_line() -> None:
    shares = np.zeros((2, 9))
    shares[0, 8], shares[1, 0] = 1.0, 1.0
    found = leading_classes(shares)
    assert len(found) == MOST_CLASSES and {0, 8} <= set(found) and found == sorted(found)
    assert_plotly_accepts(vote_figure(shares, list("abcdefghi"), 0))


def test_an_answer_nears_the_truth() -> None:
    figure = answer_figure(np.linspace(1, 2, 60), 3.0, "mpg", 59, mode=Mode.DARK)
    assert_plotly_accepts(figure)
    assert {trace.name for trace in figure.data} == {"answer", "truth"}
    assert answer_text(np.array([1.0, 2.0]), 3.0, 0) == "The answer after step 0: 1. At the end: 2. In truth: 3."
