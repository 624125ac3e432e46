"""Text files with separators (CSV, TSV): bytes -> text -> rows of cells."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Iterator, Sequence

import pyarrow as pa
import pyarrow.csv

from engine.cells import check_width, quoted, whole
from engine.errors import TableError

SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs"}

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def decode(data: bytes) -> tuple[str, str]:
    """Bytes as text and the name of the encoding that fits them.

    A byte order mark decides; without one, zero bytes at every second place are UTF-16, else
    UTF-8 where it is valid, else Windows-1252 (Latin-1 with letters in its gaps).

    Raises
    ------
    TableError
        If the bytes are no text.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _decode_as(data, encoding).removeprefix("\ufeff"), encoding
    if b"\0" in data:
        return _decode_without_mark(data)
    if _is_binary(data):
        raise _not_text()
    for encoding in ("utf-8", "windows-1252"):
        try:
            return data.decode(encoding), encoding
        except UnicodeDecodeError:
            continue
    return data.decode("latin-1"), "latin-1"


def separator_of(text: str) -> str:
    r"""The separator that gives the most equal rows, then the most columns, judged by the first 100 rows.

    >>> separator_of("name;height;y\nann;1,5;no\nbob;1,7;yes\n")
    ';'
    """
    best, best_rank = ",", (0.0, 0)
    for separator in SEPARATORS:
        widths = [len(row) for row in _first_rows(text, separator)]
        if widths and widths[0] > 1:
            rank = (sum(width == widths[0] for width in widths) / len(widths), widths[0])
            if rank > best_rank:
                best, best_rank = separator, rank
    return best


def parse(text: str, separator: str) -> tuple[list[str], list[pa.Array]]:
    """Header and columns of a text; blank lines are left out.

    Raises
    ------
    TableError
        If a quote is never closed or a row is longer or shorter than the header; the message
        has the line.
    """
    rows = _rows(text, separator)
    header = next(rows, (0, []))[1]
    check_width(len(header))
    if '"' not in text:
        plain = _parse_plain(text, len(header), separator)
        if plain is not None:
            return header, plain
    cells = []
    for line, row in rows:
        if len(row) != len(header):
            raise TableError(_ragged(line, row, header, separator))
        cells.append(row)
    columns = zip(*cells, strict=True) if cells else ([] for _ in header)
    return header, [pa.array(column, type=pa.large_string()) for column in columns]


def _decode_as(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise TableError(
            f"the file says that it is {encoding.upper()}, but byte {error.start + 1} does not fit; "
            "save it again as UTF-8."
        ) from None


def _decode_without_mark(data: bytes) -> tuple[str, str]:
    """UTF-16 without a mark: in western text every second byte is zero."""
    even, odd = data[0::2].count(0), data[1::2].count(0)
    zeros, half = max(even, odd), max(len(data) // 2, 1)
    if zeros < 0.4 * half or min(even, odd) > 0.05 * half:
        raise _not_text()
    encoding = "utf-16-le" if odd > even else "utf-16-be"
    return _decode_as(data, encoding), "utf-16"


def _is_binary(data: bytes) -> bool:
    """More than three in ten of the first bytes are control characters other than white space."""
    head = data[:4096]
    controls = sum(byte < 32 and byte not in b"\t\n\v\f\r" for byte in head)
    return controls > 0.3 * len(head)


def _not_text() -> TableError:
    return TableError(
        "the file is not text, Excel or Parquet; save the table as CSV (UTF-8), .xlsx or .parquet and try again."
    )


def _rows(text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Rows that are not blank, with the number of the line in which each one ends."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, skipinitialspace=True, strict=True)
    try:
        for row in reader:
            if len(row) > 1 or (row and row[0].strip()):
                yield reader.line_num, row
    except csv.Error as error:
        raise TableError(_broken(str(error), reader.line_num)) from None


def _first_rows(text: str, separator: str) -> list[list[str]]:
    """Up to 100 rows of the beginning; fewer where a quote is broken."""
    rows: list[list[str]] = []
    try:
        for _, row in _rows(text[:100_000], separator):
            rows.append(row)
            if len(rows) == 100:
                return rows
    except TableError:
        return rows
    return rows[:-1] if len(text) > 100_000 and len(rows) > 1 else rows


def _parse_plain(text: str, n_columns: int, separator: str) -> list[pa.Array] | None:
    """Without quotes a row is a line cut at the separators, which Arrow does fast; None where it cannot."""
    text = text.lstrip("\r\n")
    if next(_rows(text, separator))[0] != 1:  # a line of spaces stands above the header
        return None
    names = [str(i) for i in range(n_columns)]
    try:
        table = pyarrow.csv.read_csv(
            io.BytesIO(text.encode()),
            read_options=pyarrow.csv.ReadOptions(column_names=names, skip_rows=1, block_size=1 << 24),
            parse_options=pyarrow.csv.ParseOptions(delimiter=separator, quote_char=False),
            convert_options=pyarrow.csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.large_string()), strings_can_be_null=False
            ),
        )
    except pa.ArrowException:  # too few or too many cells somewhere: the slow way finds the line
        return None
    return [column.combine_chunks() for column in table.columns]


def _ragged(line: int, row: Sequence[str], header: Sequence[str], separator: str) -> str:
    cells = "1 cell" if len(row) == 1 else f"{len(row)} cells"
    names = "1 name" if len(header) == 1 else f"{len(header)} names"
    return (
        f"line {line} has {cells}, but the header has {names} (separated by {SEPARATORS[separator]}); "
        "give every row as many cells as the header, and put cells that contain the separator in double quotes."
    )


def _broken(reason: str, line: int) -> str:
    if "expected after" in reason:
        return f'line {line} goes on after a closing quote; write a quote inside a quoted cell twice ("").'
    if "unexpected end" in reason:
        return "a double quote is opened but never closed; close it, or remove it."
    if "field limit" in reason:
        return (
            f"a cell that ends in line {line} is longer than 131,072 characters; close its double quote, or shorten it."
        )
    return f"line {line} cannot be read as CSV: {quoted(whole(reason))}."
