"""Two printed tables of boosting, to be replayed with the draws and the groups that were printed.

Both are about rentals of bikes on ten days by temperature: boosting of a class (low, high) in three
rounds, and gradient boosting of a count.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.criteria import Criterion
from engine.ensembles.ensemble import Ensemble
from engine.ensembles.growing import grow_ensemble
from engine.ensembles.settings import EnsembleMethod, EnsembleSettings
from engine.errors import TableError
from engine.settings import Choice, GrowthSettings
from engine.splits import is_numeric
from engine.table import Feature, FeatureKind, Table, code_dtype, sorted_levels

FREQUENCIES = (
    (2, 1, 0, 1, 1, 1, 1, 1, 2, 0),
    (0, 1, 1, 2, 0, 0, 1, 1, 3, 1),
    (2, 1, 3, 0, 0, 0, 0, 1, 1, 2),
)
"""How often each of the ten days was drawn into the replicated training set of each member."""

GROUPS = ((4, 5, 6, 7), (2, 3, 4, 5, 6, 7, 8), (5, 6))
"""The days (counted from 0) that each weak learner raises; it lowers the others."""

TEMPERATURE = "temp"
N_DAYS = 10


def boosting_as_printed(table: Table) -> Ensemble:
    """AdaBoost of entropy stumps on the printed draws: errors .2, .1875, .1923, confidences .6931, .7332, .7175.

    Raises
    ------
    TableError
        If the table has not the ten days of the printed one.
    """
    _require(table)
    draws = tuple(tuple(np.repeat(np.arange(N_DAYS), times).tolist()) for times in FREQUENCIES)
    settings = EnsembleSettings(
        method=EnsembleMethod.ADABOOST,
        n_members=len(draws),
        growth=GrowthSettings.cart(criterion=Criterion.ENTROPY, max_depth=1),
        resample=True,
        draws=draws,
    )
    return grow_ensemble(table, settings)


def boosting_by_weights(table: Table) -> Ensemble:
    """The same from the weights themselves, by stumps of least weighted error: the same answers.

    Raises
    ------
    TableError
        If the table has not the ten days of the printed one.
    """
    _require(table)
    settings = EnsembleSettings(
        method=EnsembleMethod.ADABOOST, n_members=len(FREQUENCIES), growth=GrowthSettings.stump()
    )
    return grow_ensemble(table, settings)


def gradient_boosting_as_printed(table: Table) -> Ensemble:
    """Gradient boosting with the printed groups of days, each a group of temperatures, added in full.

    The printed groups are intervals of the temperature, which no single threshold makes: they follow
    from thresholds on the rentals themselves. Here the temperatures are levels, and a member's split
    is the printed group of them.

    Raises
    ------
    TableError
        If the table has not the ten days of the printed one.
    """
    _require(table)
    levels = by_level(table, table.feature_index(TEMPERATURE))
    place = levels.feature_index(TEMPERATURE)
    groups = [tuple(str(levels.value(place, row)) for row in rows) for rows in GROUPS]
    splits = tuple((Choice((), TEMPERATURE, first_group=group),) for group in groups)
    return grow_ensemble(levels, replace(_IN_FULL, splits=splits))


def gradient_boosting_as_computed(table: Table) -> Ensemble:
    """Gradient boosting by stumps with one threshold of the temperature: cuts at 9.5, 30 and 15.

    Raises
    ------
    TableError
        If the table has not the ten days of the printed one.
    """
    _require(table)
    return grow_ensemble(table, _IN_FULL)


_IN_FULL = EnsembleSettings(
    method=EnsembleMethod.GRADIENT_BOOSTING,
    n_members=len(GROUPS),
    growth=GrowthSettings.cart(max_depth=1),
    learning_rate=1.0,
)


def by_level(table: Table, feature: int) -> Table:
    """The table with a numeric feature as a categorical one, each value a level."""
    spec, column = table.features[feature], table.columns[feature]
    if not is_numeric(spec):
        return table
    text = [f"{value:g}" for value in column.tolist()]
    levels = sorted_levels(text)
    codes = np.array([levels.index(value) for value in text], dtype=code_dtype(len(levels)))
    features = list(table.features)
    features[feature] = Feature(spec.name, FeatureKind.CATEGORICAL, levels)
    columns = list(table.columns)
    columns[feature] = codes
    return replace(table, features=tuple(features), columns=tuple(columns))


def _require(table: Table) -> None:
    if table.n_rows != N_DAYS or TEMPERATURE not in [feature.name for feature in table.features]:
        raise TableError(
            f"the printed table is about {N_DAYS} days by the feature {TEMPERATURE!r}, and {table.name!r} has "
            f"{table.n_rows} rows; choose the bike demand dataset."
        )
