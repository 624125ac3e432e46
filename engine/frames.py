"""A table's rows as cells again, for functions that read cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from engine.table import FeatureKind, IntArray, Table


def frame_of(table: Table, features: Sequence[int] | None = None) -> pd.DataFrame:
    """The features, or those of these numbers, as a frame.

    Levels are pandas' categories, numbers float64; what is missing there is missing here.
    """
    cells: dict[str, pd.Series[Any]] = {}
    for index in range(len(table.features)) if features is None else features:
        feature, column = table.features[index], table.columns[index]
        if feature.kind is FeatureKind.CATEGORICAL:
            known: IntArray = np.where(column == len(feature.levels), -1, column.astype(np.int64))
            cells[feature.name] = pd.Series(pd.Categorical.from_codes(known, pd.Index(feature.levels)))
        else:
            cells[feature.name] = pd.Series(column)
    return pd.DataFrame(cells, index=pd.RangeIndex(table.n_rows))
