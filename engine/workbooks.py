"""Excel and Parquet files -> columns; whatever is wrong inside them becomes one sentence."""

from __future__ import annotations

import io
import warnings
import zipfile
from collections.abc import Iterable, Sequence
from typing import Any

import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet

from engine.cells import check_width, quoted
from engine.errors import TableError

MAX_UNPACKED = 250_000_000
"""Bytes that a packed file may unpack to; more is taken for an attack."""
MAX_CELLS = 50_000_000
"""Cells of a packed file."""
MAX_SHEET_ROWS = 1_048_576
"""Rows that Excel itself allows; a damaged or hostile sheet may claim any number of empty ones."""

_EXCEL_ERRORS = frozenset({"#DIV/0!", "#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!", "#GETTING_DATA"})


def read_excel(data: bytes) -> tuple[list[str], pd.DataFrame, list[str]]:
    """Header, cells and notes of the first sheet of an ``.xlsx`` file.

    Raises
    ------
    TableError
        If it is no workbook, is damaged, or unpacks to too much.
    """
    try:
        _check_unpacked_size(data)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # openpyxl warns of features that it does not draw
            return _read_first_sheet(data)
    except TableError:
        raise
    except Exception:  # openpyxl raises a dozen kinds on damaged files
        raise TableError(
            "the Excel file is damaged or is not a .xlsx workbook; save it again as .xlsx or CSV."
        ) from None


def read_parquet(data: bytes) -> tuple[list[str], pd.DataFrame, list[str]]:
    """Header, columns with their types, and (no) notes of a Parquet file.

    Raises
    ------
    TableError
        If it is damaged or unpacks to too much.
    """
    try:
        file = pyarrow.parquet.ParquetFile(io.BytesIO(data))
        _check_cells(file.metadata.num_rows, file.metadata.num_columns)
        text = [f.name for f in file.schema_arrow if pa.types.is_string(f.type) or pa.types.is_large_string(f.type)]
        packed = pyarrow.parquet.read_table(io.BytesIO(data), read_dictionary=text)
        _check_text_size(packed)
        frame = packed.to_pandas(ignore_metadata=True, strings_to_categorical=False)
        names = [str(name) for name in frame.columns]
        frame.columns = pd.RangeIndex(len(names))
    except TableError:
        raise
    except Exception:  # as above: pyarrow's errors, and Python's on odd types
        raise TableError("the Parquet file is damaged; write it again, or save the table as CSV.") from None
    return names, frame, []


def _check_unpacked_size(data: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        size = sum(member.file_size for member in archive.infolist())
    if size > MAX_UNPACKED:
        raise TableError(
            f"the Excel file unpacks to {size // 1_000_000:,} MB, more than the {MAX_UNPACKED // 1_000_000} MB "
            "allowed; save the table as CSV."
        )


def _check_cells(n_rows: int, n_columns: int) -> None:
    if n_rows * n_columns > MAX_CELLS:
        raise TableError(
            f"the file has {n_rows:,} rows of {n_columns:,} columns, more than the {MAX_CELLS:,} cells allowed; "
            "leave out rows or columns."
        )


def _check_text_size(table: pa.Table) -> None:
    """A dictionary lets a small file stand for any amount of text: add it up before unpacking."""
    size = 0
    for column in table.itercolumns():
        for chunk in column.chunks:
            if isinstance(chunk, pa.DictionaryArray) and pa.types.is_string(chunk.type.value_type):
                size += pc.sum(pc.binary_length(chunk.dictionary).take(chunk.indices)).as_py() or 0
    if size > MAX_UNPACKED:
        raise TableError(f"the Parquet file unpacks to {size // 1_000_000:,} MB of text; leave out columns.")


def _read_first_sheet(data: bytes) -> tuple[list[str], pd.DataFrame, list[str]]:
    book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    sheets = book.worksheets
    if not sheets:
        raise TableError("the Excel file has no sheet of cells; put the table on its first sheet.")
    sheets[0].reset_dimensions()  # a file may claim any size
    header, cells, n_errors = _sheet_cells(sheets[0].iter_rows(values_only=True))
    notes = []
    if len(sheets) > 1:
        notes.append(f"The first of {len(sheets)} sheets, {quoted(sheets[0].title)}, is read.")
    if n_errors:
        notes.append(f"{n_errors} cells that hold an Excel error such as #N/A are read as missing.")
    columns = zip(*cells, strict=True) if cells else ([] for _ in header)
    frame = pd.DataFrame({i: pd.Series(column, dtype=object) for i, column in enumerate(columns)})
    return ["" if name is None else str(name) for name in header], frame, notes


def _sheet_cells(rows: Iterable[Sequence[Any]]) -> tuple[list[Any], list[list[Any]], int]:
    """Header (the first row that is not empty), rows of its length, and the number of error cells."""
    header: list[Any] = []
    cells: list[list[Any]] = []
    n_errors = 0
    for number, values in enumerate(rows, start=1):
        if number > MAX_SHEET_ROWS:
            raise TableError(f"the sheet has more than {MAX_SHEET_ROWS:,} rows; save the table as CSV.")
        row = list(values)
        while row and (row[-1] is None or row[-1] == ""):
            row.pop()
        if not row:
            continue
        if not header:
            header = row
            check_width(len(header))
            continue
        if len(row) > len(header):
            raise TableError(
                f"row {number} of the sheet has {len(row)} cells, but the header has {len(header)} names; "
                "give every column a name, and put nothing beside the table."
            )
        bad = [i for i, cell in enumerate(row) if isinstance(cell, str) and cell in _EXCEL_ERRORS]
        n_errors += len(bad)
        for i in bad:
            row[i] = None
        cells.append(row + [None] * (len(header) - len(row)))
        _check_cells(len(cells), len(header))
    return header, cells, n_errors
