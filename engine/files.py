"""Files of any kind, buffers and DataFrames -> columns of cells with names."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from engine.cells import (
    MISSING_SET,
    as_text,
    check_width,
    column_name,
    is_missing,
    listed,
    parse_numbers,
    quoted,
    stripped,
    whole,
)
from engine.delimited import decode, parse, separator_of
from engine.errors import TableError
from engine.workbooks import read_excel, read_parquet

_FOREIGN = {
    b"\xd0\xcf\x11\xe0": "an old Excel file (.xls); save it as .xlsx or CSV",
    b"%PDF": "a PDF; copy the table into a spreadsheet and save it as CSV",
    b"\x1f\x8b": "packed (gzip); unpack it first",
    b"\x89PNG": "a picture; type the table into a spreadsheet and save it as CSV",
    b"\xff\xd8\xff": "a picture; type the table into a spreadsheet and save it as CSV",
}


@dataclass(frozen=True, eq=False)
class RawFrame:
    """A file's cells as they were written.

    Attributes
    ----------
    frame : pandas.DataFrame
        Every cell is text without spaces around it; an empty cell is "".
    name : str
        The file's name without its ending.
    notes : tuple of str
        What was guessed or changed on the way in: sentences for the screen.
    """

    frame: pd.DataFrame
    name: str
    notes: tuple[str, ...] = ()


def read_frame(source: Any, *, name: str | None = None) -> RawFrame:
    """Cells as text, nothing interpreted: `true`, `007` and `NA` stay what they are.

    Parameters
    ----------
    source : path, bytes, buffer, DataFrame or RawFrame
        CSV (comma, semicolon or tab; UTF-8, UTF-16 or Latin-1), TSV, Excel (.xlsx, its first
        sheet) or Parquet; told apart by their content, not by their names.
    name : str, optional
        In place of the file's name.

    Raises
    ------
    TableError
        If there is no table in it; the message says what to change.
    """
    raw = read_columns(source, name=name)
    cells = _text_frame([as_text(column) for _, column in raw.frame.items()])
    return RawFrame(cells.set_axis(raw.frame.columns, axis=1), raw.name, raw.notes)


def read_columns(source: Any, *, name: str | None = None) -> RawFrame:
    """Like `read_frame`, but columns of Parquet files and DataFrames keep their types."""
    if isinstance(source, RawFrame):
        return RawFrame(source.frame.reset_index(drop=True), name or source.name, source.notes)
    if isinstance(source, pd.DataFrame):
        frame = source.set_axis(range(source.shape[1]), axis=1).reset_index(drop=True)
        return _named([column_name(column) for column in source.columns], frame, name or "table", [])
    content, stem = _content(source)
    header, frame, notes = _read_content(content)
    return _named(header, frame, name or stem, notes)


def _content(source: Any) -> tuple[bytes | str, str]:
    """What is in a path or a buffer, and the file's name without its ending."""
    if isinstance(source, bytes | bytearray | memoryview):
        return bytes(source), "table"
    if isinstance(source, str | os.PathLike):
        return _file_bytes(Path(os.fspath(source))), Path(os.fspath(source)).stem
    if not hasattr(source, "read"):
        raise TableError(
            f"a table is read from a path, bytes, a buffer or a DataFrame, not from {type(source).__name__}."
        )
    if hasattr(source, "seek"):
        source.seek(0)  # an upload may have been read before
    file_name = getattr(source, "name", None)
    return source.read(), Path(file_name).stem if isinstance(file_name, str) else "table"


def _file_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise TableError(f"there is no file {quoted(str(path))}.") from None
    except IsADirectoryError:
        raise TableError(f"{quoted(str(path))} is a folder; name a file in it.") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "not a file name"
        raise TableError(f"{quoted(str(path))} cannot be read: {reason.lower()}.") from None


def _read_content(content: bytes | str) -> tuple[list[str], pd.DataFrame, list[str]]:
    if isinstance(content, bytes):
        for magic, what in _FOREIGN.items():
            if content.startswith(magic):
                raise TableError(f"the file is {what}.")
        if content.startswith(b"PK\x03\x04"):
            return read_excel(content)
        if content.startswith(b"PAR1"):
            return read_parquet(content)
    return _read_text(content)


def _read_text(content: bytes | str) -> tuple[list[str], pd.DataFrame, list[str]]:
    text, encoding = decode(content) if isinstance(content, bytes) else (whole(content).removeprefix("\ufeff"), "utf-8")
    notes = [] if encoding == "utf-8" else [f"The file is read as {encoding.upper()}."]
    if not text.strip():
        raise TableError("the file is empty; it needs a header and at least one row.")
    first, _, rest = text.partition("\n")
    if first.strip().lower() in ("sep=,", "sep=;", "sep=\t", "sep="):  # Excel's hint, found out anyway
        text = rest
    separator = separator_of(text)
    header, written = parse(text, separator)
    columns = [stripped(column) for column in written]
    if any(not new.equals(old) for new, old in zip(columns, written, strict=True)):
        notes.append("Spaces around cells are left out.")
    if separator != ",":
        notes.append(f"The columns are separated by {'tabs' if separator == chr(9) else 'semicolons'}.")
        columns = _with_decimal_points(columns, header, notes)
    if any(_looks_like_number(cell) for cell in header):
        notes.append("Some column names are numbers; if the first line is a row of data, put a header above it.")
    return header, _text_frame(columns), notes


def _text_frame(columns: Sequence[pa.Array]) -> pd.DataFrame:
    """A frame of texts with the columns 0, 1, …."""
    frame: pd.DataFrame = pa.Table.from_arrays(columns, names=[str(i) for i in range(len(columns))]).to_pandas()
    return frame.set_axis(range(len(columns)), axis=1)


def _with_decimal_points(columns: list[pa.Array], header: Sequence[str], notes: list[str]) -> list[pa.Array]:
    """Where commas do not separate columns, ``3,5`` is a number: write it as ``3.5``."""
    changed = [_decimal_points(column) for column in columns]
    names = [cell.strip() for cell, column in zip(header, changed, strict=True) if column is not None]
    if names:
        notes.append(f"Decimal commas are read as points (3,5 as 3.5) in {listed(names)}.")
    return [old if new is None else new for old, new in zip(columns, changed, strict=True)]


def _decimal_points(cells: pa.Array) -> pa.Array | None:
    """The column with points, if it has decimal commas and nothing but numbers; else None."""
    if not pc.any(pc.match_substring(cells, ",")).as_py():
        return None
    missing = pc.is_in(cells, value_set=MISSING_SET)
    number = pc.match_substring_regex(cells, r"^[+-]?\d+(,\d+)?([eE][+-]?\d+)?$")
    return pc.replace_substring(cells, ",", ".") if pc.all(pc.or_(missing, number)).as_py() else None


def _looks_like_number(cell: str) -> bool:
    return not np.isnan(parse_numbers([cell.strip()])[0])


def _named(header: Sequence[str], frame: pd.DataFrame, name: str, notes: list[str]) -> RawFrame:
    """Put distinct, non-empty names on columns 0, 1, … and refuse a frame without cells."""
    check_width(len(header))
    if not len(frame):
        raise TableError("the table has a header but no rows; add at least one row.")
    header, frame = _without_nothing(header, frame, notes)
    names = _distinct_names(header, notes)
    return RawFrame(frame.set_axis(names, axis=1), whole(name), tuple(notes))


def _without_nothing(
    header: Sequence[str], frame: pd.DataFrame, notes: list[str]
) -> tuple[Sequence[str], pd.DataFrame]:
    """Leave out columns with neither a name nor a cell, such as a separator after every row gives."""
    kept = [i for i, cell in enumerate(header) if cell.strip() or not is_missing(frame.iloc[:, i]).all()]
    if len(kept) in (0, len(header)):
        return header, frame
    count = len(header) - len(kept)
    notes.append(f"{count} {'column' if count == 1 else 'columns'} without a name and without values left out.")
    return [header[i] for i in kept], frame.iloc[:, kept]


def _distinct_names(header: Sequence[str], notes: list[str]) -> list[str]:
    names = [cell.strip() for cell in header]
    unnamed = [i for i, cell in enumerate(names) if not cell]
    for i in unnamed:
        names[i] = f"column {i + 1}"
    if unnamed:
        notes.append(f"Columns without a name are called by their place: {listed([names[i] for i in unnamed])}.")
    repeated = [cell for cell, times in Counter(names).items() if times > 1]
    taken, seen = set(names), set[str]()
    next_number: Counter[str] = Counter()
    for i, cell in enumerate(names):
        if cell in seen:
            while f"{cell} ({next_number[cell] + 2})" in taken:
                next_number[cell] += 1
            names[i] = f"{cell} ({next_number[cell] + 2})"
            taken.add(names[i])
        seen.add(names[i])
    if repeated:
        notes.append(
            f"Several columns have the name {listed(repeated)}; the later ones are numbered, as in 'name (2)'."
        )
    return names
