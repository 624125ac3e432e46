"""Rows of another file, read with the features and the target of a table."""

from __future__ import annotations

from engine.ingest import RawFrame, read_table
from engine.table import FeatureKind, Table


def read_alike(table: Table, raw: RawFrame) -> Table:
    """The rows of another file with the features and the target of a table, whatever else it holds.

    Parameters
    ----------
    table : Table
    raw : RawFrame

    Returns
    -------
    Table
        With those features of the table that the file has; its other columns are left out.

    Raises
    ------
    TableError
        If the file cannot be read so.
    """
    columns = [str(column) for column in raw.frame.columns]
    kinds = {feature.name: feature.kind for feature in table.features if feature.name in set(columns)}
    return read_table(
        raw,
        target=table.target.name,
        ignore=[column for column in columns if column not in kinds and column != table.target.name],
        categorical=[name for name, kind in kinds.items() if kind is FeatureKind.CATEGORICAL],
        numeric=[name for name, kind in kinds.items() if kind is FeatureKind.NUMERIC],
        task=table.target.kind.value,
    )
