"""Tables and ensembles of the tests."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import engine
from engine import Ensemble, EnsembleSettings, GrowthSettings, Table
from engine.table import FloatArray
from tests.engine.tables import FILES

TARGETS = {
    "iris": "target",
    "wine": "target",
    "breast_cancer": "target",
    "diabetes_progression": "target",
    "play_tennis": "play",
    "airquality": "Ozone",
    "congress_votes": "Class",
    "labor": "class",
    "bike_demand_level": "rentals",
    "bike_demand_count": "rentals",
}
IGNORED = {"play_tennis": ("day",), "bike_demand_level": ("id",), "bike_demand_count": ("id",)}


@cache
def table(name: str) -> Table:
    task = "number" if name == "bike_demand_count" else None
    return engine.read_table(FILES / f"{name}.csv", target=TARGETS[name], ignore=IGNORED.get(name, ()), task=task)


def grown(name: str | Table, **settings: Any) -> Ensemble:
    of = table(name) if isinstance(name, str) else name
    return engine.grow_ensemble(of, EnsembleSettings(**settings), n_jobs=1)


def stumps(criterion: str = "gini") -> GrowthSettings:
    return GrowthSettings.cart(max_depth=1, criterion=criterion)


def matrix(of: Table) -> FloatArray:
    """The numeric columns as scikit-learn takes them, shape (n_rows, n_features)."""
    return np.array(of.columns, dtype=np.float64).T
