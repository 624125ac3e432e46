"""What is done about missing values before growing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.errors import TableError
from engine.settings import Missing
from engine.splits import is_numeric
from engine.table import MISSING_WORD, AnyArray, IntArray, Table, code_dtype


def prepare(table: Table, missing: Missing) -> Table:
    """The table that the search sees: missing values filled in, a level of their own, or their rows left out.

    What `fractional` and, for numbers, `own_branch` do with missing values is the search's work.

    Raises
    ------
    TableError
        If no row would be left.
    """
    lacking = [i for i, feature in enumerate(table.features) if feature.n_missing]
    if not lacking:
        return table
    if missing is Missing.DROP:
        incomplete = np.any([table.missing(i) for i in lacking], axis=0)
        if incomplete.all():
            raise TableError(
                "every row lacks a value, so leaving those rows out leaves none. "
                "Ignore the features that are mostly empty, or choose missing=most_common."
            )
        return table.take(np.flatnonzero(~incomplete))
    if missing is Missing.FRACTIONAL:
        return table
    if missing is Missing.OWN_BRANCH:
        return _with_missing_levels(table, lacking)
    columns = list(table.columns)
    for i in lacking:
        columns[i] = _filled(table, i)
    features = tuple(replace(feature, n_missing=0) for feature in table.features)
    return replace(table, columns=tuple(columns), features=features)


def complete_rows(table: Table, missing: Missing) -> IntArray | None:
    """Positions of the rows that `prepare` keeps; None where it keeps all."""
    lacking = [i for i, feature in enumerate(table.features) if feature.n_missing]
    if missing is not Missing.DROP or not lacking:
        return None
    return np.flatnonzero(~np.any([table.missing(i) for i in lacking], axis=0))


def _with_missing_levels(table: Table, lacking: list[int]) -> Table:
    """Missing made a level, last, of each categorical feature that lacks values: its code is already the next."""
    features, columns = list(table.features), list(table.columns)
    for i in lacking:
        feature = features[i]
        if not is_numeric(feature):
            display = (*feature.display, len(feature.levels)) if feature.display else ()
            features[i] = replace(feature, levels=(*feature.levels, MISSING_WORD), n_missing=0, display=display)
            columns[i] = columns[i].astype(code_dtype(len(feature.levels) + 1))
    return replace(table, features=tuple(features), columns=tuple(columns))


def fill_value(table: Table, feature: int) -> float:
    """The most common level's code (the first in order of equals), or the median of the numbers.

    NaN where no value is known at all.
    """
    known = table.columns[feature][~table.missing(feature)]
    if not len(known):
        return float("nan")
    if is_numeric(table.features[feature]):
        return float(np.median(known))
    return float(np.bincount(known).argmax())


def _filled(table: Table, feature: int) -> AnyArray:
    value = fill_value(table, feature)
    if np.isnan(value):
        name = table.features[feature].name
        raise TableError(f"the feature {name!r} has no value in any row; ignore it.")
    column = table.columns[feature].copy()
    column[table.missing(feature)] = value
    return column
