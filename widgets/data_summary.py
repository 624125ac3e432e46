"""What can be said of each column before a tree is grown: plain functions of a table and its cells."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
import pandas as pd

from engine import FeatureKind, Table
from engine.ingest import MISSING
from engine.table import FloatArray


@dataclass(frozen=True)
class FiveNumbers:
    """Minimum, lower quartile, median, upper quartile and maximum (Tukey 1977)."""

    minimum: float
    lower: float
    median: float
    upper: float
    maximum: float


@dataclass(frozen=True)
class ColumnSummary:
    """One column of a table, the target left aside.

    Attributes
    ----------
    name : str
    used : bool
        False where the column is ignored.
    kind : FeatureKind or None
        None where the column is ignored: it is then not read.
    n_missing, n_distinct : int
        Rows without a value, and how many different values the others have.
    five : FiveNumbers or None
        Of a numeric feature that has a value.
    most_common : tuple of (str, int) or None
        The most frequent level of any other column and its rows; the first level of equals.
    advice : str
        A sentence on what to do about it, empty where there is nothing to say.
    """

    name: str
    used: bool
    kind: FeatureKind | None
    n_missing: int
    n_distinct: int
    five: FiveNumbers | None
    most_common: tuple[str, int] | None
    advice: str


@dataclass(frozen=True)
class ClassShare:
    """A class, its rows, and their share of all rows."""

    name: str
    rows: int
    share: float


def five_numbers(values: FloatArray) -> FiveNumbers | None:
    """The five-number summary of the values that are not NaN, quartiles by linear interpolation.

    Parameters
    ----------
    values : ndarray of float64, shape (n_rows,)

    Returns
    -------
    FiveNumbers or None
        None where every value is missing.

    Examples
    --------
    >>> five_numbers(np.array([1.0, 2.0, 3.0, 4.0, 9.0, np.nan]))
    FiveNumbers(minimum=1.0, lower=2.0, median=3.0, upper=4.0, maximum=9.0)
    """
    known = values[~np.isnan(values)]
    if not len(known):
        return None
    return FiveNumbers(*(float(q) for q in np.quantile(known, (0, 0.25, 0.5, 0.75, 1))))


def class_shares(table: Table) -> tuple[ClassShare, ...]:
    """Rows and share of each class, in the order of the classes; empty where the target is a number."""
    counts = np.bincount(table.target_values, minlength=table.n_classes) if table.n_classes else ()
    return tuple(
        ClassShare(name, int(rows), int(rows) / table.n_rows)
        for name, rows in zip(table.target.classes, counts, strict=True)
    )


def column_summaries(table: Table, frame: pd.DataFrame) -> tuple[ColumnSummary, ...]:
    """Every column but the target, in the order of the file.

    Parameters
    ----------
    table : Table
    frame : DataFrame of str
        The cells that `table` was read from, ignored columns included.
    """
    positions = {feature.name: i for i, feature in enumerate(table.features)}
    names = [str(name) for name in frame.columns if name != table.target.name]
    return tuple(_feature(table, positions[name]) if name in positions else _ignored(frame, name) for name in names)


def _feature(table: Table, index: int) -> ColumnSummary:
    feature, column = table.features[index], table.columns[index]
    five, most_common = None, None
    if feature.kind is FeatureKind.NUMERIC:
        n_distinct = len(np.unique(column[~np.isnan(column)]))
        five = five_numbers(column)
    else:
        counts = np.bincount(column, minlength=len(feature.levels) + 1)[: len(feature.levels)]
        n_distinct = int(np.count_nonzero(counts))
        if n_distinct:
            most_common = (feature.levels[int(counts.argmax())], int(counts.max()))
    identifier = feature.name in table.identifiers
    advice = _advice(identifier, n_distinct, feature.n_missing, table.n_rows)
    return ColumnSummary(feature.name, True, feature.kind, feature.n_missing, n_distinct, five, most_common, advice)


def _ignored(frame: pd.DataFrame, name: str) -> ColumnSummary:
    cells = [str(cell).strip() for cell in frame[name].tolist()]
    counts = Counter(cell for cell in cells if cell not in MISSING)
    most_common = counts.most_common(1)[0] if counts else None
    n_missing = len(cells) - counts.total()
    advice = "" if counts else "No value at all: nothing to split on."
    return ColumnSummary(name, False, None, n_missing, len(counts), None, most_common, advice)


def _advice(identifier: bool, n_distinct: int, n_missing: int, n_rows: int) -> str:
    if identifier:
        return "A different value in every row: it names the rows, so it says nothing about new ones. Leave it out."
    if n_distinct == 1 and not n_missing:
        return "The same value in every row: it can never split them."
    if 2 * n_missing > n_rows:
        return "More than half of the values are missing."
    return ""
