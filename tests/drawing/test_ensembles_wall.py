"""The wall of an ensemble, what a member alone says, and the curve over one feature."""

from __future__ import annotations

import json

import numpy as np
import pytest

import datasets
import engine
from drawing.ensembles_sums import heading, sum_of
from drawing.ensembles_wall import MOST_NODES, small_tree, wall
from drawing.figures.ensembles_alone import additions, alone_figure, alone_text
from drawing.figures.ensembles_staircase import alone_curve_figure, curve_words, sum_curve_figure
from drawing.theme import percent
from engine.ensembles import Ensemble, EnsembleMap, EnsembleMethod, EnsembleRegions, EnsembleSettings, grow_ensemble
from engine.ingest import read_table

EVERY = list(EnsembleMethod)


def ensemble_of(dataset: str, method: EnsembleMethod, n_members: int = 4) -> Ensemble:
    entry = next(entry for entry in datasets.catalogue() if entry.name == dataset)
    frame = datasets.frame(dataset, n_rows=None, noise=None, seed=None)
    table = read_table(frame, target=entry.target, ignore=entry.ignore, task=entry.task)
    return grow_ensemble(table, EnsembleSettings(method=method, n_members=n_members))


def alone(ensemble: Ensemble, step: int, x: str, y: str | None = None) -> EnsembleRegions:
    single = Ensemble(ensemble.base, ensemble.settings, ensemble.rule, (ensemble.members[step - 1],))
    return EnsembleMap(single, x, y).regions()


@pytest.mark.parametrize("method", EVERY)
def test_a_small_tree_has_every_leaf_of_its_member_in_the_colour_of_its_answer(method: EnsembleMethod) -> None:
    ensemble = ensemble_of("play_tennis", method)
    shown = wall(ensemble, "key")
    assert len(shown["thumbs"]) == len(ensemble.members)
    for thumb, member in zip(shown["thumbs"], ensemble.members, strict=True):
        x, depth, parent, look = thumb["tree"]
        assert len(x) == len(depth) == len(parent) == len(look) == len(member.nodes.feature)
        leaves = member.nodes.feature < 0
        assert [one >= 0 for one in look] == leaves.tolist()
        if not ensemble.rule.is_sum:
            assert [one for one in look if one >= 0] == member.nodes.prediction[leaves].tolist()
        assert max(look) < len(shown["looks"])


def test_a_large_tree_ends_in_wedges_of_its_majorities() -> None:
    member = ensemble_of("iris", EnsembleMethod.BAGGING).members[0]
    small = small_tree(member.nodes, member.nodes.prediction.astype(np.int64), 3)
    assert small.depth == [0, 1, 1]
    assert small.x == [500, 250, 750]
    assert small.parent == [-1, 0, 0]
    ends = np.flatnonzero(member.nodes.depth == 1)
    expected = [
        int(member.nodes.prediction[end]) if member.nodes.feature[end] < 0 else -2 - int(member.nodes.prediction[end])
        for end in ends
    ]
    assert small.look == [-1, *expected]


def test_a_split_stands_over_the_middle_of_its_outer_branches() -> None:
    member = ensemble_of("play_tennis", EnsembleMethod.BAGGING).members[0]
    small = small_tree(member.nodes, member.nodes.prediction.astype(np.int64), 99)
    for node in range(len(small.x)):
        below = [x for x, parent in zip(small.x, small.parent, strict=True) if parent == node]
        if below:
            assert abs(small.x[node] - (below[0] + below[-1]) / 2) <= 1


def test_a_wall_of_five_hundred_members_stays_small() -> None:
    shown = wall(ensemble_of("iris", EnsembleMethod.FOREST, 500), "key")
    assert len(shown["thumbs"]) == shown["total"] == 500
    assert sum(len(thumb["tree"][0]) for thumb in shown["thumbs"]) <= MOST_NODES


def test_the_weights_below_adaboosts_trees_are_their_confidences() -> None:
    ensemble = ensemble_of("bike_demand_level", EnsembleMethod.ADABOOST, 3)
    shown = wall(ensemble, "key")
    assert [thumb["weight"] for thumb in shown["thumbs"]][:1] == ["0.693"]
    assert max(thumb["share"] for thumb in shown["thumbs"]) == 1


@pytest.mark.parametrize("method", EVERY)
def test_every_sum_of_the_wall_is_said_and_is_json(method: EnsembleMethod) -> None:
    ensemble = ensemble_of("iris", method, 3)
    shown = wall(ensemble, "key")
    assert len(shown["sums"]) == len(ensemble)
    assert json.loads(json.dumps(shown, allow_nan=False))["total"] == len(ensemble.members)


def test_the_sum_before_and_what_a_tree_adds_make_the_sum_after() -> None:
    ensemble = ensemble_of("moons", EnsembleMethod.GRADIENT_BOOSTING)
    x, y = (feature.name for feature in ensemble.table.features[:2])
    sums = EnsembleMap(ensemble, x, y)
    found = additions(ensemble, alone(ensemble, 3, x, y), 3)
    before, after, own = sums.regions(2), sums.regions(3), alone(ensemble, 3, x, y)
    for at_x, at_y in ((0.2, 0.3), (-0.9, 0.8), (1.7, -0.4)):

        def cell(regions: EnsembleRegions, at_x: float = at_x, at_y: float = at_y) -> tuple[int, int]:
            return (
                int(np.searchsorted(regions.y_edges, at_y, side="right")) - 1,
                int(np.searchsorted(regions.x_edges, at_x, side="right")) - 1,
            )

        total = before.totals[cell(before)][0] + found[cell(own)]
        assert total == pytest.approx(after.totals[cell(after)][0])


@pytest.mark.parametrize("method", EVERY)
def test_a_member_alone_is_drawn_and_said(method: EnsembleMethod) -> None:
    ensemble = ensemble_of("iris", method)
    x, y = (feature.name for feature in ensemble.table.features[2:4])
    regions = alone(ensemble, 2, x, y)
    figure = alone_figure(ensemble, regions, 2)
    assert figure.data[0].type == "heatmap"
    words = alone_text(ensemble, regions, 2)
    assert ("adds to F" if ensemble.rule.is_sum else "member 2 alone") in words


def test_the_curve_of_gradient_boosting_starts_at_the_mean_and_is_joined_to_the_rows() -> None:
    ensemble = ensemble_of("bike_demand_count", EnsembleMethod.GRADIENT_BOOSTING)
    x = ensemble.table.features[0].name
    sums = EnsembleMap(ensemble, x)
    start = sum_curve_figure(ensemble, sums.regions(0), None, 0)
    now = next(trace for trace in start.data if trace.name == "now")
    assert np.asarray(now.y) == pytest.approx(1287.1)
    after = sum_curve_figure(ensemble, sums.regions(1), sums.regions(0), 1)
    assert {"residuals", "before", "now", "rows"} <= {trace.name for trace in after.data}
    assert curve_words(ensemble, sums.regions(0), 0, alone=False).endswith("has 1 step, between 1287 and 1287.")


def test_what_a_tree_adds_is_the_learning_rate_times_the_tree() -> None:
    ensemble = ensemble_of("bike_demand_count", EnsembleMethod.GRADIENT_BOOSTING)
    figure = alone_curve_figure(ensemble, alone(ensemble, 1, ensemble.table.features[0].name), 1)
    by_name = {trace.name: np.asarray(trace.y) for trace in figure.data}
    assert by_name["added"] == pytest.approx(0.1 * by_name["tree"], rel=1e-5)


@pytest.mark.parametrize("method", EVERY)
def test_the_three_pictures_of_a_step_read_as_a_sum(method: EnsembleMethod) -> None:
    ensemble = ensemble_of("moons", method)
    names = sum_of(ensemble, 2)
    assert names.member.startswith("+")
    assert names.after.startswith("=")
    assert heading(ensemble, 2, alone=True) == "Member 2 alone"
    assert "2 members" in heading(ensemble, 2, alone=False)


def test_names_from_a_file_are_text_and_nothing_else() -> None:
    frame = datasets.frame("iris", n_rows=None, noise=None, seed=None).rename(columns={"target": "<b>$x$</b>"})
    frame["<b>$x$</b>"] = "<img src=x>" + frame["<b>$x$</b>"]
    ensemble = grow_ensemble(
        read_table(frame, target="<b>$x$</b>"),
        EnsembleSettings(method=EnsembleMethod.GRADIENT_BOOSTING, n_members=1, growth=engine.GrowthSettings.cart()),
    )
    x, y = (feature.name for feature in ensemble.table.features[2:4])
    figure = alone_figure(ensemble, alone(ensemble, 1, x, y), 1)
    assert not any("<img" in str(trace.name) for trace in figure.data)


def test_below_every_plus_stands_the_error_of_the_sum() -> None:
    ensemble = ensemble_of("play_tennis", EnsembleMethod.BAGGING)
    errors = ensemble.training_curve.errors
    assert wall(ensemble, "key")["errors"] == [percent(error).replace(" ", "") for error in errors.tolist()]
    several = ensemble_of("iris", EnsembleMethod.GRADIENT_BOOSTING, 2)
    assert [bool(text) for text in wall(several, "key")["errors"]] == [True, False, False, True, False, False, True]
