"""Files and DataFrames -> Table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from engine.errors import QueryError
from engine.files import RawFrame, read_frame
from engine.table import AnyArray, Feature, FeatureKind, Table, Target, TargetKind, code_dtype, sorted_levels

MISSING = ("", "NA", "N/A", "NaN", "nan", "null", "?")


__all__ = ["MISSING", "RawFrame", "code_frame", "read_frame", "read_table"]


def read_table(
    source: Any,
    *,
    target: str,
    ignore: Sequence[str] = (),
    categorical: Sequence[str] = (),
    numeric: Sequence[str] = (),
    task: str | None = None,
    name: str | None = None,
    display: Mapping[str, Sequence[str]] | None = None,
) -> Table:
    raw = read_frame(source, name=name)
    frame = raw.frame
    features, columns = [], []
    for name in frame.columns:
        if name == target or name in ignore:
            continue
        values = frame[name].tolist()
        try:
            numbers = np.array([np.nan if v in MISSING else float(v) for v in values])
            features.append(Feature(name, FeatureKind.NUMERIC, n_missing=int(np.isnan(numbers).sum())))
            columns.append(numbers)
        except ValueError:
            levels = sorted_levels([v for v in values if v not in MISSING])
            code = {v: i for i, v in enumerate(levels)}
            codes = np.array([code.get(v, len(levels)) for v in values], dtype=code_dtype(len(levels)))
            features.append(Feature(name, FeatureKind.CATEGORICAL, levels, int((codes == len(levels)).sum())))
            columns.append(codes)
    classes = sorted_levels(frame[target].tolist())
    values = np.array([classes.index(v) for v in frame[target]], dtype=code_dtype(len(classes)))
    return Table(name=raw.name, features=tuple(features), target=Target(target, TargetKind.CLASSES, classes),
                 columns=tuple(columns), target_values=values, row_numbers=np.arange(len(values)))


def code_frame(frame: pd.DataFrame, features: Sequence[Feature], needed: Sequence[int]) -> dict[int, AnyArray]:
    """Columns of a frame, coded like the table: feature number -> values.

    Numeric: float64, NaN where missing. Categorical: int64 codes, ``len(levels)`` where missing and
    ``len(levels) + 1`` where the table does not have the level.
    """
    coded: dict[int, AnyArray] = {}
    for i in needed:
        feature = features[i]
        if feature.name not in frame.columns:
            raise QueryError(f"the query has no column {feature.name!r}.")
        values = frame[feature.name].tolist()
        if feature.kind is FeatureKind.NUMERIC:
            coded[i] = np.array([np.nan if str(v) in MISSING else float(v) for v in values])
        else:
            code = {v: k for k, v in enumerate(feature.levels)}
            n = len(feature.levels)
            coded[i] = np.array([n if str(v) in MISSING else code.get(str(v), n + 1) for v in values], dtype=np.int64)
    return coded
