"""A table's rows as cells again, for functions that read cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from engine.table import MISSING_WORD, FeatureKind, IntArray, Table


def frame_of(table: Table, features: Sequence[int] | None = None) -> pd.DataFrame:
    """The features, or those of these numbers, as a frame.

    Levels are pandas' categories, numbers float64. What is missing there is missing here, and so is
    a level that was made of missing values.
    """
    cells: dict[str, pd.Series[Any]] = {}
    for index in range(len(table.features)) if features is None else features:
        feature, column = table.features[index], table.columns[index]
        if feature.kind is FeatureKind.CATEGORICAL:
            levels = [level for level in feature.levels if level != MISSING_WORD]
            codes = [levels.index(level) if level != MISSING_WORD else -1 for level in feature.levels]
            known: IntArray = np.array([*codes, -1], dtype=np.int64)[column]
            cells[feature.name] = pd.Series(pd.Categorical.from_codes(known, pd.Index(levels, dtype=object)))
        else:
            cells[feature.name] = pd.Series(column)
    return pd.DataFrame(cells, index=pd.RangeIndex(table.n_rows))
