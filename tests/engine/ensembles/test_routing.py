"""Rows down many trees at once: the same answers as one tree gives for a frame."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.ensembles.base import base_of
from engine.ensembles.routing import answers, resting_nodes
from engine.frames import frame_of
from tests.engine.ensembles.cases import table
from tests.engine.tables import settings_for, tables


@given(tables(numbers=True, missing=True, max_rows=30), st.data())
def test_rows_sent_down_at_once_answer_like_the_tree(of, data) -> None:
    settings = data.draw(settings_for(of))
    growth = engine.grow(of, settings)
    base = base_of(of, engine.EnsembleSettings(growth=settings))
    expected = growth.tree.predict(frame_of(of))
    said = answers(growth.tree, base.of_table(of))
    if of.n_classes:
        assert np.asarray(of.target.classes, dtype=object)[said].tolist() == expected.tolist()
    else:
        assert np.allclose(said, expected, rtol=1e-12, atol=1e-12)


def test_whole_rows_rest_where_the_training_rows_are() -> None:
    of = table("iris")
    tree = engine.grow(of, engine.GrowthSettings.cart()).tree
    base = base_of(of, engine.EnsembleSettings())
    assert np.array_equal(resting_nodes(tree, base.rows), tree.nodes.leaf_of_row)


def test_an_unseen_level_rests_at_the_split_that_asks_for_it() -> None:
    of = table("play_tennis")
    tree = engine.grow(of).tree
    base = base_of(of, engine.EnsembleSettings(growth=engine.GrowthSettings.id3()))
    frame = frame_of(of).astype(object).head(2)
    frame.loc[1, "outlook"] = "snow"
    rows = base.of_frame(frame)
    assert resting_nodes(tree, rows)[1] == 0
    assert tree.table.target.classes[answers(tree, rows)[1]] == "yes"


def test_a_missing_value_is_filled_in_with_that_of_all_rows() -> None:
    of = table("airquality")
    ensemble = engine.grow_ensemble(of, engine.EnsembleSettings(n_members=3))
    solar = of.feature_index("Solar.R")
    known = of.columns[solar][~np.isnan(of.columns[solar])]
    lacking = np.flatnonzero(np.isnan(of.columns[solar]))
    assert np.all(ensemble.table.columns[solar][lacking] == np.median(known))
    frame = frame_of(of).iloc[lacking].reset_index(drop=True)
    filled = frame.assign(**{"Solar.R": np.median(known)})
    assert np.array_equal(ensemble.predict(frame), ensemble.predict(filled))
    for member in ensemble.members:
        assert np.allclose(member.growth.tree.predict(frame), member.growth.tree.predict(filled))
