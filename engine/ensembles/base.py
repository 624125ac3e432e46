"""What all members of an ensemble share: the rows, with missing values seen to once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pandas as pd

from engine.ensembles.routing import Rows
from engine.ensembles.settings import EnsembleMethod, EnsembleSettings
from engine.errors import TableError
from engine.frames import frame_of
from engine.growth import require_squares
from engine.ingest import code_frame
from engine.prepare import complete_rows, fill_value, prepare
from engine.settings import Missing
from engine.splits import is_numeric
from engine.table import AnyArray, BoolArray, IntArray, Table

RESIDUAL = "residual"
"""The name of the target of gradient boosting's members."""


@dataclass(frozen=True, eq=False)
class Base:
    """The rows that an ensemble is grown from.

    Attributes
    ----------
    source : Table
        As it was read.
    table : Table
        What samples are taken from: with `most_common` the missing values are those of all rows,
        filled in once; with `drop` the complete rows.
    prepared : Table
        `table` as the search sees it: with `own_branch`, with a level for missing values.
    missing : Missing
    kept : ndarray of int64, or None
        Positions in `source` of the rows of `table`; None where it has all.
    """

    source: Table
    table: Table
    prepared: Table
    missing: Missing
    kept: IntArray | None
    _fills: dict[int, float] = field(default_factory=dict, repr=False)

    @property
    def n_rows(self) -> int:
        """Rows that can be trained on."""
        return self.table.n_rows

    @cached_property
    def rows(self) -> Rows:
        """The rows of `table`, ready to go down trees."""
        return self.of_columns(dict(enumerate(self.table.columns)), self.table.n_rows)

    @cached_property
    def source_rows(self) -> Rows:
        """The rows of `source`, those too that were left out."""
        return self.rows if self.kept is None else self.of_table(self.source)

    def of_table(self, table: Table, features: frozenset[int] | None = None) -> Rows:
        """The rows of any table whose columns go by the same names.

        Raises
        ------
        QueryError
            If a column of `features` (all if not given) is missing or of another kind.
        """
        if [(f.name, f.kind, f.levels) for f in table.features] == [
            (f.name, f.kind, f.levels) for f in self.source.features
        ]:
            return self.of_columns(dict(enumerate(table.columns)), table.n_rows)
        return self.of_frame(frame_of(table), features)

    def of_frame(self, frame: pd.DataFrame, features: frozenset[int] | None = None) -> Rows:
        """The rows of a frame; see `of_table`."""
        needed = sorted(range(len(self.source.features)) if features is None else features)
        return self.of_columns(code_frame(frame, self.source.features, needed), len(frame))

    def of_columns(self, columns: Mapping[int, AnyArray], n_rows: int) -> Rows:
        """Rows from coded columns; missing values are filled in where that is what is done with them."""
        lacking = {i: self._lacking(i, column) for i, column in columns.items()}
        lacking = {i: missing for i, missing in lacking.items() if missing.any()}
        if self.missing is Missing.MOST_COMMON and lacking:
            columns = dict(columns)
            for i, missing in lacking.items():
                columns[i] = np.where(missing, np.asarray(self.fill(i), dtype=columns[i].dtype), columns[i])
            lacking = {}
        return Rows(columns, lacking, len(self.source.features), n_rows)

    def _lacking(self, feature: int, column: AnyArray) -> BoolArray:
        spec = self.source.features[feature]
        return np.asarray(np.isnan(column) if is_numeric(spec) else column == len(spec.levels))

    def fill(self, feature: int) -> float:
        """What stands in for a missing value of `feature`."""
        if feature not in self._fills:
            self._fills[feature] = fill_value(self.source, feature)
        return self._fills[feature]

    @property
    def fills(self) -> dict[int, float]:
        """`fill` of every feature, where missing values are filled in."""
        if self.missing is not Missing.MOST_COMMON:
            return {}
        return {i: self.fill(i) for i in range(len(self.source.features))}


def base_of(table: Table, settings: EnsembleSettings) -> Base:
    """Judge table and settings, and see to missing values.

    Raises
    ------
    TableError
        If the table has no rows or no features.
    SettingsError
        If a setting is not defined for the table.
    """
    if not table.n_rows:
        raise TableError("the table has no rows with a target; an ensemble needs at least one.")
    if not table.features:
        raise TableError("the table has no features; keep at least one column beside the target.")
    settings.check(table)
    if not table.n_classes:
        require_squares(table)
    grown = table
    if settings.method is EnsembleMethod.GRADIENT_BOOSTING:
        grown = table.with_target(RESIDUAL, np.zeros(table.n_rows))
    missing = settings.member_growth.resolved(grown).missing
    filled = missing in (Missing.MOST_COMMON, Missing.DROP)
    own = prepare(table, missing) if filled else table
    settings.check_draws(own.n_rows)
    _ = own.rank_matrix  # ranked once, for all samples
    kept = complete_rows(table, missing)
    return Base(source=table, table=own, prepared=prepare(own, missing), missing=missing, kept=kept)
