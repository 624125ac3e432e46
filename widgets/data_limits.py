"""What an upload may be at most, said before and after."""

from __future__ import annotations

import pandas as pd

from engine import Table, TableError

MAX_MEGABYTES = 10
MAX_ROWS = 200_000
MAX_COLUMNS = 500
MAX_CLASSES = 100
_MEGABYTE = 1024 * 1024

LIMITS = (
    f"CSV, TSV, Excel or Parquet, up to {MAX_MEGABYTES} MB, {MAX_ROWS:,} rows, {MAX_COLUMNS} columns, "
    f"{MAX_CLASSES} classes"
)


def check_size(n_bytes: int) -> None:
    """Refuse a file that is too large to be read.

    Raises
    ------
    TableError
        If it has more than `MAX_MEGABYTES` MB.

    Examples
    --------
    >>> check_size(11_000_000)
    Traceback (most recent call last):
    engine.errors.TableError: the file has 10.5 MB; at most 10 MB are read. Leave out rows or columns.
    """
    if n_bytes > MAX_MEGABYTES * _MEGABYTE:
        raise TableError(
            f"the file has {n_bytes / _MEGABYTE:.1f} MB; at most {MAX_MEGABYTES} MB are read. "
            "Leave out rows or columns."
        )


def check_shape(frame: pd.DataFrame) -> None:
    """Refuse a table that is too long or too wide.

    Raises
    ------
    TableError
        If there are more than `MAX_ROWS` rows or `MAX_COLUMNS` columns.
    """
    n_rows, n_columns = frame.shape
    if n_rows > MAX_ROWS:
        raise TableError(f"the file has {n_rows:,} rows; at most {MAX_ROWS:,} are read. Take a sample of the rows.")
    if n_columns > MAX_COLUMNS:
        raise TableError(f"the file has {n_columns:,} columns; at most {MAX_COLUMNS} are read. Leave some out.")


def check_classes(table: Table) -> None:
    """Refuse a target with too many classes to be told apart.

    Raises
    ------
    TableError
        If there are more than `MAX_CLASSES` classes.
    """
    if table.n_classes > MAX_CLASSES:
        raise TableError(
            f"the target {table.target.name!r} has {table.n_classes:,} classes; at most {MAX_CLASSES} can be told "
            "apart. Choose another target."
        )
