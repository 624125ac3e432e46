"""Prunings in words, as sums, as curves and as what the stage shows."""

from __future__ import annotations

import json

import pytest

import datasets
import engine
from drawing.figures.base import clicked
from drawing.figures.pruning import curve_figure, curve_text
from drawing.figures.pruning_depth import depth_figure, depth_text
from drawing.figures.pruning_noise import noise_figure, noise_text
from drawing.pruning import METHODS, Words
from drawing.pruning_agreement import CUT, KEPT, grid, reasons, totals
from drawing.pruning_early import early_rows, early_svg, early_words
from drawing.pruning_formulas import worked
from drawing.pruning_story import pruning_story
from drawing.theme import Mode
from engine.holdout import split_three
from engine.pruning import NoisePoint, Pruning, PruningMethod, prune, prune_by_all, stop_early
from engine.pruning.depths import by_depth
from tests.drawing.pictures import assert_plotly_accepts
from tests.engine.pruning.cases import FOR_NUMBERS, halves, noisy, noisy_numbers, postoperative, settings
from tests.engine.pruning.cases import METHODS as ALL


def published() -> Pruning:
    tree, rows = postoperative()
    return prune(tree, settings("reduced_error"), rows)


def pruned(method: str, **others: object) -> Pruning:
    growth, validation = halves(noisy(120))
    return prune(growth, settings(method, **others), validation)


def test_the_published_decisions_are_inequalities_with_their_numbers() -> None:
    words = Words(published())
    assert [words.sentence(step) for step in range(4)] == [
        "The full tree: 4 leaves, validation error 33.3 %. Which subtrees do no better than a leaf?",
        "gender, where core_temp is low: 2 errors as a subtree, 0 as a leaf: cut. 3 leaves are left.",
        "stable_temp, where core_temp is high: 0 errors as a subtree, 2 as a leaf: kept.",
        "core_temp, at the root: 0 errors as a subtree, 1 as a leaf: kept.",
    ]


@pytest.mark.parametrize("method", ALL)
def test_every_decision_of_every_method_ends_in_its_verdict(method: PruningMethod) -> None:
    found = pruned(method)
    words = Words(found)
    for decision in found.decisions:
        said = words.inequality(decision)
        assert said.endswith("cut") if decision.is_pruned else "kept" in said
    assert set(METHODS) == set(ALL)


@pytest.mark.parametrize("method", FOR_NUMBERS)
def test_a_tree_for_a_number_is_told_in_squared_errors(method: PruningMethod) -> None:
    growth, validation = halves(noisy_numbers(80))
    found = prune(growth, settings(method), validation)
    story = pruning_story(found, "key")
    json.dumps(story, allow_nan=False)
    assert all("errors as" not in sentence for sentence in story["sentences"])


def test_the_sum_of_a_subtree_is_worked_leaf_by_leaf() -> None:
    found = published()
    first, second, last = worked(Words(found), found.decisions[0])
    assert (first.plain, second.plain, last.plain) == ("subtree = 0 + 2 = 2", "leaf = 0", "0 ≤ 2: cut")


def test_a_chi_square_is_worked_with_observed_and_expected_counts() -> None:
    table = datasets.load("play_tennis")
    found = prune(engine.grow(table), settings("chi_square", significance=0.0001))
    statistic, freedom, p = worked(Words(found), found.decisions[0])
    assert statistic.plain.startswith("χ² = (") and "²/" in statistic.plain
    assert freedom.plain.startswith("degrees of freedom = (2 − 1)(2 − 1) = 1")
    assert p.plain.startswith("p = ")


def test_an_estimate_is_worked_by_the_normal_approximation() -> None:
    found = pruned("pessimistic")
    sums = [formula.plain for decision in found.decisions for formula in worked(Words(found), decision)]
    assert any("(1 − 0.25^(1/" in text for text in sums)
    assert any("z = 0.674" in text for text in sums)


def test_a_link_is_what_each_leaf_saves() -> None:
    found = pruned("cost_complexity", alpha=1.0)
    words = Words(found)
    for decision in found.decisions:
        weakest = words.links(decision.index)[0]
        assert weakest[1] == pytest.approx(decision.alpha)
        assert decision.node in words.stage(decision.index)


def test_description_lengths_show_tree_and_exceptions_apart() -> None:
    found = pruned("minimum_description_length")
    story = pruning_story(found, "key")
    bars = story["why"][found.decisions[0].node]["bars"]
    assert all("for the tree" in bar["gain_text"] and "for exceptions" in bar["gain_text"] for bar in bars)


@pytest.mark.parametrize("method", ALL)
def test_a_story_hides_and_cuts_what_the_trace_does(method: PruningMethod) -> None:
    found = pruned(method)
    story = pruning_story(found, "key")
    json.dumps(story, allow_nan=False)
    nodes = story["nodes"]
    for step in range(len(found)):
        view = found.tree_after(step)
        gone = [not 0 <= at <= step for at in nodes["gone_at"]]
        cut = [0 <= at <= step for at in nodes["cut_at"]]
        assert gone == view.is_visible.tolist()
        assert all(not view.is_split[node] for node, is_cut in enumerate(cut) if is_cut)


@pytest.mark.parametrize("method", ALL)
def test_a_decision_has_a_sub_step_for_each_of_its_bars(method: PruningMethod) -> None:
    found = pruned(method)
    story = pruning_story(found, "key")
    fine = story["granularity"]["fine"]
    assert sorted(fine) == list(range(1, len(found)))
    for decision in found.decisions:
        bars = story["why"][decision.node]["bars"]
        entries = fine[decision.index + 1]
        assert [(entry["feature"], entry["value"]) for entry in entries] == [(b["feature"], b["value"]) for b in bars]
        assert all(entry["sentence"].endswith(".") for entry in entries)
        assert not any(word in entry["sentence"] for entry in entries for word in (": cut", ": kept"))


def test_the_published_subtree_is_added_up_leaf_by_leaf() -> None:
    fine = pruning_story(published(), "key")["granularity"]["fine"][1]
    assert [entry["sentence"] for entry in fine] == [
        "gender, where core_temp is low, as a subtree, leaf by leaf: 0 + 2 = 2 errors.",
        "As a leaf that answers icu: 0 errors.",
    ]


def test_a_cut_at_a_time_stops_where_the_curve_has_its_points() -> None:
    found = published()
    assert pruning_story(found, "key")["granularity"]["node"] == [0, 1, 3]
    sequence = pruned("cost_complexity")
    stops = pruning_story(sequence, "key")["granularity"]["node"]
    assert stops[1:] == [point.step for point in sequence.curve[1:] if point.step] + [len(sequence) - 1] * (
        sequence.decisions[-1].verdict.value == "keep"
    )


def test_a_box_has_what_a_split_answers_once_it_is_cut() -> None:
    story = pruning_story(published(), "key")
    assert story["svg"]["TB"].count("class='node-answer'") == 3


def test_a_hostile_name_is_escaped_in_the_picture() -> None:
    tree = engine.read_tree(
        {"target": "y", "tree": {"split": "<script>", "prediction": "<b>", "branches": {"u": "<b>", "v": "n"}}}
    )
    rows = datasets.load("play_tennis")
    assert rows is not None
    table = engine.read_table(_csv(), target="y")
    story = pruning_story(prune(tree, settings("reduced_error"), table), "key")
    assert "<script>" not in story["svg"]["TB"] and "<b>" not in story["svg"]["TB"]


def _csv():  # type: ignore[no-untyped-def]
    import pandas as pd

    return pd.DataFrame({"<script>": ["u", "v"], "y": ["<b>", "n"]})


@pytest.mark.parametrize("mode", Mode)
def test_every_point_of_the_curve_can_be_clicked(mode: Mode) -> None:
    found = pruned("reduced_error")
    words = Words(found)
    figure = curve_figure(words, found.point_after(len(found) - 1), mode=mode)
    steps = figure.data[0]["customdata"][:, 0].tolist()
    assert steps == [point.step for point in found.curve]
    assert "chosen" in curve_text(words, 0).lower()


def test_the_test_errors_are_on_the_curve_only_when_given() -> None:
    found = pruned("reduced_error")
    words = Words(found)
    assert "test" not in [trace["name"] for trace in curve_figure(words, 0).data]
    assert "test" in [trace["name"] for trace in curve_figure(words, 0, [0.1] * len(found.curve)).data]


def test_cross_validated_errors_have_bars_and_the_level_of_the_rule() -> None:
    growth, validation = halves(noisy(120))
    found = prune(growth, settings("cost_complexity", selection="cross_validation", folds=5), validation)
    figure = curve_figure(Words(found), 0)
    crossed = next(trace for trace in figure.data if trace["name"] == "cross-validated")
    assert len(crossed["error_y"]["array"]) == len(found.curve)
    assert any(shape["xref"] == "paper" for shape in figure.layout.shapes if shape["xref"])


def test_the_grid_lists_disputed_splits_first() -> None:
    growth, validation = halves(noisy(120))
    found = prune_by_all(growth, validation)
    words = Words(found.opinions[0].pruning)
    lines, disputed = grid(found, words, 50)
    assert disputed == list(range(int(found.disputed.sum())))
    assert {cell for line in lines for cell in line[1:]} <= {CUT, KEPT}
    assert [line[0] for line in totals(found, words, None)] == ["leaves left", "training error", "validation error"]
    assert len(reasons(found, 0)) == len(ALL)


def test_a_stopping_rule_is_marked_on_the_full_tree() -> None:
    table = split_three(datasets.load("congress_votes"), 0.3, 0.2).training
    found = stop_early(engine.grow(table), engine.GrowthSettings(max_depth=1))
    assert early_words(found).startswith("The rule stops at ")
    picture = early_svg(found, Mode.LIGHT)
    assert all(f"#n{node} .node-shape" in picture for node in found.stopped)
    assert len(early_rows(found)) == len(found.stopped)


def test_noise_is_drawn_with_its_means_and_told_in_words() -> None:
    points = [NoisePoint(share, seed, 0.2 + share, 0.1 + share, 9, 3, 1, 4) for share in (0.0, 0.4) for seed in (0, 1)]
    assert len(noise_figure(points).data) == 4
    assert "40 % flipped: full tree 60 % wrong, 9 leaves; pruned 50 % wrong, 3 leaves" in noise_text(points)


@pytest.mark.parametrize("mode", Mode)
def test_errors_at_every_depth_are_drawn_and_told(mode: Mode) -> None:
    growth = engine.grow(datasets.load("iris"), engine.GrowthSettings.cart())
    points = by_depth(growth.tree, [growth.source])
    figure = depth_figure(growth.tree, points, ["training"], 1, mode=mode)
    assert_plotly_accepts(figure)
    (line,) = figure.data
    assert list(line.y) == [point.errors[0] for point in points]
    assert [clicked({"customdata": list(place)}).row for place in line.customdata.tolist()] == list(range(len(points)))
    words = depth_text(growth.tree, points, ["training"], 1)
    assert "training error 66.7 % at depth 0" in words
    assert words.endswith("Depth 1: training 33.3 %.")
