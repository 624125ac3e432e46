"""Cells of one column as text, as numbers and as codes: what counts as missing and as a number."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from engine.errors import TableError
from engine.table import BoolArray, FloatArray, IntArray

MISSING = ("", "NA", "N/A", "NaN", "nan", "null", "?")
"""Words for a missing value; any other word is a value."""
MISSING_SET = pa.array(MISSING, type=pa.large_string())

MAX_COLUMNS = 5_000

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?inf(inity)?", re.ASCII | re.IGNORECASE)


def quoted(text: str) -> str:
    """Text of a file for a message: on one line, in quotes, cut at 60 characters.

    >>> quoted("low")
    "'low'"
    """
    return repr(text if len(text) <= 60 else text[:59] + "…")


def listed(names: Sequence[str]) -> str:
    """Up to ten names for a message.

    >>> listed(["a", "b"])
    "'a', 'b'"
    """
    more = f" and {len(names) - 10} more" if len(names) > 10 else ""
    return ", ".join(quoted(name) for name in names[:10]) + more


def check_width(n_columns: int) -> None:
    """Refuse a table without columns or with more than `MAX_COLUMNS`, before any of it is built."""
    if not n_columns:
        raise TableError("the table has no columns; it needs a header and at least one row.")
    if n_columns > MAX_COLUMNS:
        raise TableError(f"the table has {n_columns:,} columns, more than the {MAX_COLUMNS:,} allowed; leave some out.")


def whole(text: str) -> str:
    """Text without lone surrogates, which no file can hold."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def number_text(number: float | np.floating[Any]) -> str:
    """Spell a number: whole ones without a point, others as short as they read back the same.

    >>> number_text(3.0), number_text(0.1), number_text(float("nan"))
    ('3', '0.1', '')
    """
    if number != number:
        return ""
    is_short_and_whole = float(number).is_integer() and abs(float(number)) < 1e16
    return str(int(number)) if is_short_and_whole else str(number)


def as_text(values: pd.Series[Any]) -> pa.Array:
    """Cells of any type as stripped text; "" where there is none.

    Booleans are ``true`` and ``false``, whole numbers have no point, times are ISO 8601.
    Arrow arrays, because pandas takes a millisecond for every small step on a column.
    """
    types = pd.api.types
    if isinstance(values.dtype, pd.StringDtype):
        return stripped(values.array)
    if isinstance(values.dtype, pd.CategoricalDtype):
        codes, distinct = values.cat.codes.to_numpy(), values.cat.categories
    elif types.is_numeric_dtype(values.dtype) and not types.is_complex_dtype(values.dtype):
        codes, distinct = pd.factorize(values)
    else:
        return pa.array([cell_text(value) for value in values], type=pa.large_string())
    return pa.array([*map(cell_text, np.asarray(distinct)), ""], type=pa.large_string()).take(
        codes % (len(distinct) + 1)
    )


def stripped(texts: Any) -> pa.Array:
    """Texts of an Arrow or pandas array without the white space around them, "" in place of None."""
    cells = pa.array(texts, type=pa.large_string(), from_pandas=True) if not isinstance(texts, pa.Array) else texts
    if isinstance(cells, pa.ChunkedArray):
        cells = cells.combine_chunks()
    return pc.utf8_trim_whitespace(pc.fill_null(cells, "") if cells.null_count else cells)


def factor(texts: pa.Array) -> tuple[IntArray, list[str]]:
    """Codes into the distinct texts in order of appearance; -1 where missing."""
    encoded = texts.dictionary_encode()
    words: list[str] = encoded.dictionary.to_numpy(zero_copy_only=False).tolist()
    known = np.array([word not in MISSING for word in words], dtype=bool)
    renumbered = np.where(known, np.cumsum(known) - 1, -1).astype(np.int64)
    codes = renumbered[encoded.indices.to_numpy()]
    return codes, [word for word, keep in zip(words, known, strict=True) if keep]


def parse_numbers(texts: Sequence[str]) -> FloatArray:
    """Numbers as they are written in data files; NaN where a text is none.

    Spellings that only a programming language knows (``1_000``, ``0x10``) and digits of other
    scripts are no numbers; ``inf`` and ``1e999`` are infinite.

    >>> parse_numbers(["007", "-.5", "1e2", "1_000", "0x10"])
    array([  7. ,  -0.5, 100. ,   nan,   nan])
    """
    return np.array([float(text) if _NUMBER.fullmatch(text) else np.nan for text in texts], dtype=np.float64)


def to_numbers(values: pd.Series[Any]) -> tuple[FloatArray, int | None]:
    """Cells of any type as numbers, NaN where missing.

    Returns
    -------
    numbers : ndarray of float64
    text_at : int or None
        Position of the first cell that is neither missing nor a number; None if there is none.
    """
    types = pd.api.types
    if types.is_numeric_dtype(values.dtype) and not (
        types.is_bool_dtype(values.dtype) or types.is_complex_dtype(values.dtype)
    ):
        return values.to_numpy(dtype=np.float64, na_value=np.nan, copy=True) + 0.0, None
    texts = as_text(values)
    fast = _all_numbers(texts)
    if fast is not None:
        return fast, None
    codes, distinct = factor(texts)
    numbers = np.append(parse_numbers(distinct), np.nan)[codes] + 0.0
    no_number = np.flatnonzero(np.isnan(numbers) & (codes >= 0))
    return numbers, int(no_number[0]) if len(no_number) else None


def is_missing(values: pd.Series[Any]) -> BoolArray:
    """Which cells of any type are missing."""
    if pd.api.types.is_numeric_dtype(values.dtype):
        return values.isna().to_numpy(dtype=bool)
    return np.asarray(pc.is_in(as_text(values), value_set=MISSING_SET))


def cell_text(value: Any) -> str:
    """One cell of any type as text; see `as_text`."""
    match value:
        case str():
            return whole(value).strip()
        case bool() | np.bool_():
            return "true" if value else "false"
        case int() | np.integer():
            return str(int(value))
        case float() | np.floating():
            return number_text(value)
        case None:
            return ""
        case dt.datetime():
            return _time_text(value)
        case bytes():
            return value.decode("utf-8", "replace").strip()
        case np.datetime64() | np.timedelta64() if np.isnat(value):
            return ""
    return "" if value is pd.NaT or value is pd.NA else whole(str(value)).strip()


def column_name(name: Any) -> str:
    """Name of a DataFrame's column as text: it may be any object, also a tuple of several levels.

    >>> column_name("size"), column_name(3), column_name(("size", "cm"))
    ('size', '3', 'size cm')
    """
    return " ".join(map(column_name, name)) if isinstance(name, tuple) else whole(str(name))


def _all_numbers(texts: pa.Array) -> FloatArray | None:
    """Arrow's parser reads exactly the spellings of `parse_numbers`, and many at once; None if a text is no number."""
    known = pc.if_else(pc.is_in(texts, value_set=MISSING_SET), None, texts)
    try:
        numbers = pc.cast(known, pa.float64())
    except pa.ArrowInvalid:
        return None
    if pc.any(pc.is_nan(numbers)).as_py():  # "NAN" and "-nan" are words to us
        return None
    return np.asarray(numbers.to_numpy(zero_copy_only=False), dtype=np.float64) + 0.0


def _time_text(moment: dt.datetime) -> str:
    if pd.isna(moment):
        return ""
    at_midnight = moment.time() == dt.time() and moment.tzinfo is None
    return moment.date().isoformat() if at_midnight else moment.isoformat(sep=" ")
