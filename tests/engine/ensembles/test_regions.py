"""Regions of an ensemble: every cell answers as the members do."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine import EnsembleMethod, GrowthSettings
from engine.ensembles import EnsembleMap, EnsembleRegions, boundaries, ensemble_regions
from tests.engine.ensembles.cases import grown, table
from tests.engine.tables import make_table, tables

LENGTH, WIDTH = "petal length (cm)", "petal width (cm)"


def centres(edges: np.ndarray) -> np.ndarray:
    return edges[:-1] / 2 + edges[1:] / 2


def petals() -> engine.Table:
    of = table("iris")
    return of.only([of.feature_index(LENGTH), of.feature_index(WIDTH)])


def at_centres(regions: EnsembleRegions) -> pd.DataFrame:
    x, y = np.meshgrid(centres(regions.x_edges), centres(regions.y_edges))
    return pd.DataFrame({LENGTH: x.ravel(), WIDTH: y.ravel()})


@pytest.mark.parametrize("method", list(EnsembleMethod))
def test_every_cell_answers_as_the_ensemble_does_at_its_centre(method: EnsembleMethod) -> None:
    ensemble = grown(petals(), method=method, n_members=8)
    regions = ensemble_regions(ensemble, LENGTH, WIDTH)
    assert regions.exact and not regions.hidden
    frame = at_centres(regions)
    names = np.array(ensemble.table.target.classes, dtype=object)
    assert names[regions.prediction].ravel().tolist() == ensemble.predict(frame).tolist()
    assert regions.shares.reshape(-1, 3) == pytest.approx(ensemble.predict_proba(frame), abs=1e-9)


def test_all_thresholds_of_all_members_are_sides_of_cells() -> None:
    ensemble = grown(petals(), n_members=8)
    regions = ensemble_regions(ensemble, LENGTH, WIDTH)
    for member in ensemble.members:
        for feature, edges in enumerate((regions.x_edges, regions.y_edges)):
            cuts = member.nodes.threshold[member.nodes.feature == feature]
            assert np.isin(cuts, edges).all()


def test_the_regions_of_a_step_are_those_of_its_sum() -> None:
    ensemble = grown(petals(), method="adaboost", n_members=6)
    shown = EnsembleMap(ensemble, LENGTH, WIDTH)
    for n_members in (0, 1, 4):
        regions = shown.regions(n_members)
        again = ensemble_regions(ensemble.at(n_members), LENGTH, WIDTH)
        assert np.array_equal(regions.prediction, again.prediction)
        assert np.array_equal(regions.x_edges, again.x_edges)
    assert shown.regions(0).prediction.tolist() == [[0]]


@pytest.mark.parametrize("method", ["bagging", "gradient_boosting"])
def test_one_numeric_feature_and_a_number_give_the_curve(method: str) -> None:
    of = make_table({"x": np.linspace(0, 9, 40).tolist()}, np.sin(np.linspace(0, 9, 40)).tolist())
    ensemble = grown(of, method=method, n_members=7)
    regions = ensemble_regions(ensemble, "x")
    assert (regions.y, regions.y_edges.tolist(), regions.shares.shape[2]) == (None, [0.0, 1.0], 0)
    expected = ensemble.predict(pd.DataFrame({"x": centres(regions.x_edges)}))
    assert regions.prediction[0] == pytest.approx(expected, abs=1e-9)


def test_levels_lie_in_the_order_of_the_screen() -> None:
    of = table("play_tennis")
    of = of.only([of.feature_index("outlook"), of.feature_index("humidity")])
    ensemble = grown(of, n_members=9)
    regions = ensemble_regions(ensemble, "outlook", "humidity")
    for i, outlook in enumerate(regions.x.levels):
        for j, humidity in enumerate(regions.y.levels if regions.y else ()):
            cell = regions.prediction[
                np.searchsorted(regions.y_edges, j, side="right") - 1,
                np.searchsorted(regions.x_edges, i, side="right") - 1,
            ]
            asked = pd.DataFrame({"outlook": [outlook], "humidity": [humidity]})
            assert of.target.classes[int(cell)] == ensemble.predict(asked)[0]


def test_features_that_are_not_shown_are_averaged_over_or_held() -> None:
    of = table("iris")
    ensemble = grown(of, n_members=6)
    shown = ensemble_regions(ensemble, LENGTH, WIDTH)
    assert shown.hidden == ("sepal length (cm)", "sepal width (cm)")
    assert shown.totals.sum(axis=2) == pytest.approx(6.0)
    held = {"sepal length (cm)": 5.8, "sepal width (cm)": 3.0}
    exact = ensemble_regions(ensemble, LENGTH, WIDTH, given=held)
    assert exact.hidden == ()
    frame = at_centres(exact).assign(**held)
    names = np.array(of.target.classes, dtype=object)
    assert names[exact.prediction].ravel().tolist() == ensemble.predict(frame).tolist()


def test_beyond_the_most_cells_pixels_answer_at_their_centres() -> None:
    ensemble = grown(petals(), n_members=10)
    regions = ensemble_regions(ensemble, LENGTH, WIDTH, pixels=(7, 5), most_cells=200)
    assert not regions.exact
    assert regions.prediction.shape == (5, 7)
    names = np.array(ensemble.table.target.classes, dtype=object)
    assert names[regions.prediction].ravel().tolist() == ensemble.predict(at_centres(regions)).tolist()


def test_features_drawn_for_a_member_lie_on_the_right_axis() -> None:
    ensemble = grown(petals(), method="forest", n_members=6, max_features=1, features_per="member")
    regions = ensemble_regions(ensemble, LENGTH, WIDTH)
    names = np.array(ensemble.table.target.classes, dtype=object)
    assert names[regions.prediction].ravel().tolist() == ensemble.predict(at_centres(regions)).tolist()


def test_a_missing_branch_is_no_part_of_the_picture() -> None:
    of = table("airquality")
    of = of.only([of.feature_index("Solar.R"), of.feature_index("Wind")])
    ensemble = grown(of, n_members=4, growth=GrowthSettings.cart(missing="own_branch", max_depth=3))
    regions = ensemble_regions(ensemble, "Solar.R", "Wind")
    x, y = np.meshgrid(centres(regions.x_edges), centres(regions.y_edges))
    expected = ensemble.predict(pd.DataFrame({"Solar.R": x.ravel(), "Wind": y.ravel()}))
    assert regions.prediction.ravel() == pytest.approx(expected)


def test_a_feature_shown_twice_is_refused() -> None:
    with pytest.raises(engine.TableError, match="two different features"):
        ensemble_regions(grown("iris", n_members=1), LENGTH, LENGTH)


@given(tables(numbers=True, min_rows=2), st.sampled_from(["bagging", "gradient_boosting"]))
def test_every_point_of_any_picture_has_one_answer_of_each_member(of, method: str) -> None:
    if of.n_classes == 1:
        return
    ensemble = grown(of, method=method, n_members=3, growth=GrowthSettings.cart(max_depth=2))
    names = [feature.name for feature in of.features]
    regions = ensemble_regions(ensemble, names[0], names[1] if len(names) > 1 else None)
    assert np.isfinite(regions.totals).all()
    if of.n_classes:
        votes = regions.totals if method == "bagging" else regions.shares
        assert np.allclose(votes.sum(axis=2), 3 if method == "bagging" else 1)


def test_a_boundary_stands_wherever_neighbouring_cells_differ_and_nowhere_else() -> None:
    regions = ensemble_regions(grown(petals(), method="forest", n_members=7), LENGTH, WIDTH)
    found = boundaries(regions)
    x, y, said = regions.x_edges, regions.y_edges, regions.prediction
    upright = found[:, found[0] == found[1]]
    level = found[:, found[2] == found[3]]
    assert upright.shape[1] + level.shape[1] == found.shape[1]
    # Their lengths add up to those of the sides between cells with other answers.
    assert np.sum(upright[3] - upright[2]) == pytest.approx((np.diff(y)[:, None] * (np.diff(said, axis=1) != 0)).sum())
    assert np.sum(level[1] - level[0]) == pytest.approx((np.diff(x) * (np.diff(said, axis=0) != 0)).sum())
    for x0, _, y0, y1 in upright.T.tolist():
        column, rows = np.searchsorted(x, x0), slice(*np.searchsorted(y, [y0, y1]))
        assert (said[rows, column - 1] != said[rows, column]).all()


def test_one_answer_everywhere_has_no_boundary() -> None:
    assert boundaries(ensemble_regions(grown("iris", n_members=1).at(0), LENGTH, WIDTH)).shape == (4, 0)
