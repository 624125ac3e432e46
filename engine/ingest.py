"""Files and DataFrames -> Table: kinds, levels and missing values.

Cells become text first (`engine.files`); here a column is found to be numeric or categorical.
What was guessed, changed or left out stands in the table's notes.
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from engine.cells import (
    MISSING,
    as_text,
    cell_text,
    column_name,
    factor,
    is_missing,
    listed,
    parse_numbers,
    quoted,
    to_numbers,
)
from engine.errors import QueryError, TableError
from engine.files import RawFrame, read_columns, read_frame
from engine.table import (
    AnyArray,
    Feature,
    FeatureKind,
    FloatArray,
    IntArray,
    Table,
    Target,
    TargetKind,
    code_dtype,
    sorted_levels,
)

__all__ = ["MISSING", "RawFrame", "code_frame", "read_frame", "read_table"]

MAX_CLASS_NUMBERS = 10
"""A numeric target with more distinct values is a number, with as many or fewer a class."""

_FEW_ROWS = 4
"""In so few rows it means nothing that every value is distinct."""


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
    r"""Read a table from a file or a DataFrame.

    A column whose every value is a number is numeric, any other is categorical. A numeric target
    with more than 10 distinct values is a number, any other target has classes. Missing are cells
    that are empty, ``NA``, ``N/A``, ``NaN``, ``nan``, ``null`` or ``?``. Rows without a target and
    features without any value are left out, with a note.

    Parameters
    ----------
    source : path, bytes, buffer, DataFrame or RawFrame
        See `engine.files.read_frame` for the kinds of files.
    target : str
        The column to predict.
    ignore : sequence of str
        Columns to leave out.
    categorical, numeric : sequence of str
        Features whose kind is not left to inference.
    task : {"classes", "number"}, optional
        Kind of the target, not left to inference.
    name : str, optional
        In place of the file's name.
    display : mapping of str to sequence of str, optional
        Feature -> its levels in the order that a person expects.

    Raises
    ------
    TableError
        If the source, a column's name or a value does not fit; the message says what does.

    Examples
    --------
    >>> table = read_table(b"size,colour,ripe\n1.5,red,yes\n2,green,no\n", target="ripe", name="fruit")
    >>> [(feature.name, feature.kind.value) for feature in table.features]
    [('size', 'numeric'), ('colour', 'categorical')]
    """
    raw = read_columns(source, name=name)
    request = _Request(target, _names(ignore), _names(categorical), _names(numeric), task)
    request.check([str(column) for column in raw.frame.columns])
    notes = list(raw.notes)

    frame = _with_target(raw.frame, target, notes)
    read_target, target_values = _read_target(frame[target], request, notes)

    features, columns = [], []
    for column in frame.columns:
        if column == target or column in request.ignore:
            continue
        feature, values = _read_feature(frame[column], request, (display or {}).get(column, ()), notes)
        if feature.n_missing == len(frame):
            notes.append(f"{quoted(column)} has no values and is left out.")
            continue
        features.append(feature)
        columns.append(values)
    if not features:
        raise TableError(
            f"there is no feature beside the target {quoted(target)}; give the table more columns (separated by "
            "commas, semicolons or tabs), or ignore fewer."
        )
    identifiers = _identifiers(features, columns, request, notes)
    rows = frame.index.to_numpy(dtype=np.int64, copy=True)
    return Table(raw.name, tuple(features), read_target, tuple(columns), target_values, rows, tuple(notes), identifiers)


def code_frame(frame: pd.DataFrame, features: Sequence[Feature], needed: Sequence[int]) -> dict[int, AnyArray]:
    """Columns of a frame, coded like the table: feature number -> values.

    Levels are compared as text: a whole number is spelled without a point (1.0 is ``1``), a
    boolean ``true`` or ``false``. Where that matches no level, a number matches the level of the
    same value (7 the level ``007``) and a boolean one of another case (``TRUE``).

    Parameters
    ----------
    frame : pandas.DataFrame
        Rows to predict, text or typed; columns that are not needed may be missing.
    features : sequence of Feature
    needed : sequence of int
        Numbers of the features to code.

    Returns
    -------
    dict of int to ndarray of shape (n_rows,)
        Numeric: float64, NaN where missing. Categorical: int64 codes, ``len(levels)`` where
        missing and ``len(levels) + 1`` where the table does not have the level.

    Raises
    ------
    QueryError
        If a needed column is not there, or a numeric one holds a word or an infinite number.

    Examples
    --------
    >>> size = Feature("size", FeatureKind.CATEGORICAL, ("1", "2"))
    >>> code_frame(pd.DataFrame({"size": [2.0, None, 3.0]}), [size], [0])
    {0: array([1, 2, 3])}
    """
    if not isinstance(frame, pd.DataFrame):
        raise QueryError(f"rows to predict are a DataFrame, not {type(frame).__name__}.")
    names = [column_name(column).strip() for column in frame.columns]
    coded: dict[int, AnyArray] = {}
    for i in needed:
        feature = features[i]
        places = [place for place, name in enumerate(names) if name == feature.name]
        if len(places) != 1:
            problem = "several columns" if places else "no column"
            raise QueryError(f"the query has {problem} {quoted(feature.name)}; its columns are {listed(names)}.")
        cells = frame.iloc[:, places[0]].reset_index(drop=True)
        coded[i] = (
            _query_numbers(cells, feature) if feature.kind is FeatureKind.NUMERIC else _query_codes(cells, feature)
        )
    return coded


@dataclass(frozen=True)
class _Request:
    """What the caller wants of the columns."""

    target: str
    ignore: tuple[str, ...]
    categorical: tuple[str, ...]
    numeric: tuple[str, ...]
    task: str | None

    def check(self, columns: Sequence[str]) -> None:
        """Refuse names that are not there and wishes that contradict each other."""
        for role, names in (
            ("the target", (self.target,)),
            ("a column to ignore", self.ignore),
            ("a categorical feature", self.categorical),
            ("a numeric feature", self.numeric),
        ):
            for name in names:
                if name not in columns:
                    raise TableError(_unknown(role, name, columns))
        if self.target in self.ignore:
            raise TableError(f"{quoted(self.target)} is the target and cannot be ignored; choose one of the two.")
        if self.target in self.categorical + self.numeric:
            raise TableError(
                f"{quoted(self.target)} is the target, not a feature; its kind is set by the task (classes or number)."
            )
        for name in self.categorical:
            if name in self.numeric:
                raise TableError(f"{quoted(name)} cannot be both categorical and numeric; choose one of the two.")
        if self.task not in (None, *TargetKind):
            raise TableError(f"the task must be 'classes' or 'number', got {quoted(str(self.task))}.")


def _names(names: Sequence[str]) -> tuple[str, ...]:
    """A single name is a sequence of one, not of its letters."""
    return (names,) if isinstance(names, str) else tuple(map(str, names))


def _unknown(role: str, name: str, columns: Sequence[str]) -> str:
    near = [column for column in columns if column.casefold() == name.casefold()]
    near = near or difflib.get_close_matches(name, columns, n=1)
    hint = f"did you mean {quoted(near[0])}? " if near else ""
    return f"{role} {quoted(name)} is not in the table; {hint}its columns are {listed(columns)}."


def _with_target(frame: pd.DataFrame, target: str, notes: list[str]) -> pd.DataFrame:
    """The rows that have a target; the index keeps their numbers."""
    missing = is_missing(frame[target])
    if missing.all():
        raise TableError(f"the target {quoted(target)} has no value in any row; choose another target.")
    if not missing.any():
        return frame
    count = int(missing.sum())
    notes.append(f"{count} {'row' if count == 1 else 'rows'} without a value of {quoted(target)} left out.")
    return frame[~missing]


def _read_target(cells: pd.Series[Any], request: _Request, notes: list[str]) -> tuple[Target, AnyArray]:
    name = request.target
    if request.task != TargetKind.CLASSES and not _is_categorical(cells):
        numbers, text_at = to_numbers(cells)
        if text_at is not None and request.task == TargetKind.NUMBER:
            raise TableError(_not_a_number(f"the target {quoted(name)} cannot be a number", cells, text_at))
        if request.task == TargetKind.NUMBER or (text_at is None and len(np.unique(numbers)) > MAX_CLASS_NUMBERS):
            _require_finite(numbers, cells)
            return Target(name, TargetKind.NUMBER), numbers
    classes, codes = _coded(cells)
    if len(classes) == 1:
        notes.append(f"Every row has the same {quoted(name)}, {quoted(classes[0])}: the tree is a single leaf.")
    return Target(name, TargetKind.CLASSES, classes), codes


def _read_feature(
    cells: pd.Series[Any], request: _Request, display: Sequence[str], notes: list[str]
) -> tuple[Feature, AnyArray]:
    name = str(cells.name)
    if name in request.numeric or not (name in request.categorical or _is_categorical(cells)):
        numbers, text_at = to_numbers(cells)
        if text_at is None:
            _require_finite(numbers, cells)
            return Feature(name, FeatureKind.NUMERIC, n_missing=int(np.isnan(numbers).sum())), numbers
        if name in request.numeric:
            raise TableError(_not_a_number(f"{quoted(name)} cannot be numeric", cells, text_at))
        if np.count_nonzero(~np.isnan(numbers)) > len(numbers) / 2:
            found = f"row {cells.index[text_at] + 1} has {quoted(cell_text(cells.iloc[text_at]))}"
            notes.append(f"{quoted(name)} is mostly numbers, but {found}, so it is read as categorical.")
    levels, codes = _coded(cells)
    n_missing = int(np.count_nonzero(codes == len(levels)))
    return Feature(name, FeatureKind.CATEGORICAL, levels, n_missing, _display(levels, display)), codes


def _is_categorical(cells: pd.Series[Any]) -> bool:
    """Whether a DataFrame's type of a column says that its values are categories."""
    return isinstance(cells.dtype, pd.CategoricalDtype)


def _coded(cells: pd.Series[Any]) -> tuple[tuple[str, ...], AnyArray]:
    """Sorted levels, and a code for each cell, ``len(levels)`` where missing."""
    codes, words = factor(as_text(cells))
    levels = sorted_levels(words)
    place = {level: i for i, level in enumerate(levels)}
    recode = np.array([*(place[word] for word in words), len(levels)], dtype=code_dtype(len(levels)))
    return levels, recode[codes]


def _display(levels: Sequence[str], wanted: Sequence[str]) -> tuple[int, ...]:
    """Numbers of the levels in the wanted order, then the others; () where that is the sorted order."""
    first = [levels.index(level) for level in wanted if level in levels]
    order = (*first, *(i for i in range(len(levels)) if i not in first))
    return () if order == tuple(range(len(levels))) else order


def _not_a_number(what: str, cells: pd.Series[Any], at: int) -> str:
    found = f"row {cells.index[at] + 1} has {quoted(cell_text(cells.iloc[at]))}"
    return f"{what}: {found}; write a number there or leave the cell empty."


def _require_finite(numbers: FloatArray, cells: pd.Series[Any]) -> None:
    infinite = np.flatnonzero(np.isinf(numbers))
    if len(infinite):
        at = int(infinite[0])
        raise TableError(
            f"{quoted(str(cells.name))} has {quoted(cell_text(cells.iloc[at]))} in row {cells.index[at] + 1}, which is "
            "not a finite number; write a number there, leave the cell empty, or ignore the column."
        )


def _identifiers(
    features: Sequence[Feature], columns: Sequence[AnyArray], request: _Request, notes: list[str]
) -> tuple[str, ...]:
    """Features that have another value in every row, and so probably name the rows.

    Whoever says that a column is numeric has looked at it and means to measure by it.
    """
    found = tuple(
        feature.name
        for feature, column in zip(features, columns, strict=True)
        if feature.name not in request.numeric and _names_rows(feature, column)
    )
    if found:
        notes.append(f"Every row has another value of {listed(found)}; ignore what only names the rows.")
    return found


def _names_rows(feature: Feature, column: AnyArray) -> bool:
    if len(column) <= _FEW_ROWS or feature.n_missing:
        return False
    if feature.kind is FeatureKind.CATEGORICAL:
        return len(feature.levels) == len(column)
    return bool((column[:100] % 1 == 0).all() and (column % 1 == 0).all() and len(np.unique(column)) == len(column))


def _query_numbers(cells: pd.Series[Any], feature: Feature) -> FloatArray:
    numbers, text_at = to_numbers(cells)
    infinite = np.flatnonzero(np.isinf(numbers))
    at = text_at if text_at is not None else int(infinite[0]) if len(infinite) else None
    if at is not None:
        raise QueryError(
            f"row {at + 1} of the query has {quoted(cell_text(cells.iloc[at]))} for {quoted(feature.name)}, which is "
            "numeric; write a finite number or leave the cell empty."
        )
    return numbers


def _query_codes(cells: pd.Series[Any], feature: Feature) -> IntArray:
    codes, words = factor(as_text(cells))
    place = {level: i for i, level in enumerate(feature.levels)}
    n_levels = len(feature.levels)
    others = _other_spellings(cells, feature.levels)
    known = [place.get(word, others.get(_spelling(word), n_levels + 1)) for word in words]
    return np.array([*known, n_levels], dtype=np.int64)[codes]


def _other_spellings(cells: pd.Series[Any], levels: Sequence[str]) -> dict[object, int]:
    """For typed cells: what a level means as a number or a boolean, where only one level means it."""
    types = pd.api.types
    if not types.is_numeric_dtype(cells.dtype):  # includes booleans
        return {}
    meanings = [_spelling(level) for level in levels]
    times = Counter(meanings)
    return {meaning: i for i, meaning in enumerate(meanings) if times[meaning] == 1}


def _spelling(word: str) -> object:
    number = parse_numbers([word])[0]
    return word.casefold() if np.isnan(number) else float(number)
