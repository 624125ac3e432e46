"""Which rows satisfy a condition, whatever table or frame they come from."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

from engine.errors import TableError
from engine.ingest import code_frame
from engine.prepare import fill_value
from engine.settings import Missing
from engine.splits import Condition, Op, Path, is_numeric
from engine.table import AnyArray, BoolArray, IntArray, Table
from engine.tree import Tree


class Rows:
    """Rows as the rules of a tree see them: columns coded like the tree's, each read when it is asked for.

    Where the tree fills missing values, they are filled. Otherwise a row without a value satisfies
    no condition on it but the one that asks for missing values (as in C4.5's program), and a row
    with a level that the tree does not know none at all.

    Attributes
    ----------
    n_rows : int
    """

    def __init__(self, tree: Tree, n_rows: int, read: Callable[[int], AnyArray]) -> None:
        self.n_rows = n_rows
        self._tree, self._read = tree, read
        self._columns: dict[int, tuple[AnyArray, BoolArray]] = {}

    @classmethod
    def of_table(cls, table: Table, tree: Tree) -> Rows:
        """The rows of a table, whose columns and levels are found by their names."""
        return cls(tree, table.n_rows, lambda feature: _column(table, tree, feature))

    @classmethod
    def of_frame(cls, frame: pd.DataFrame, tree: Tree) -> Rows:
        """The rows of a frame, read as those that a tree is to predict."""
        features = tree.source.features
        return cls(tree, len(frame), lambda feature: code_frame(frame, features, [feature])[feature])

    def satisfying(self, condition: Condition) -> BoolArray:
        """Which rows satisfy the condition, shape (n_rows,).

        Raises
        ------
        TableError, QueryError
            If the feature is not there, or is of another kind.
        """
        index = self._tree.table.feature_index(condition.feature)
        if index not in self._columns:
            self._columns[index] = self._filled(index)
        column, missing = self._columns[index]
        match condition.op, condition.value:
            case Op.MISSING, _:
                return missing
            case Op.IN, tuple(levels):
                known = self._tree.table.features[index].levels
                return np.array([*(level in levels for level in known), False, False])[column]
            case Op.LESS, value:
                return np.asarray(column < value)
            case _, value:
                return np.asarray(column >= value)

    def covered(self, conditions: Path) -> BoolArray:
        """Which rows satisfy all conditions, shape (n_rows,)."""
        inside = np.ones(self.n_rows, dtype=bool)
        for condition in conditions:
            inside &= self.satisfying(condition)
        return inside

    def _filled(self, index: int) -> tuple[AnyArray, BoolArray]:
        """The column, and where it lacks a value."""
        feature, column = self._tree.table.features[index], self._read(index)
        missing = np.isnan(column) if is_numeric(feature) else column == len(feature.levels)
        if missing.any() and self._tree.missing is Missing.MOST_COMMON:
            column = np.where(missing, fill_value(self._tree.source, index), column).astype(column.dtype)
            missing = np.zeros_like(missing)
        return column, missing


def target_codes(table: Table, tree: Tree) -> IntArray:
    """The target as the tree's class codes; −1 for a class that the tree does not know."""
    places = {name: code for code, name in enumerate(tree.table.target.classes)}
    codes = [places.get(name, -1) for name in table.target.classes]
    return np.array(codes, dtype=np.int64)[table.target_values]


def _column(table: Table, tree: Tree, index: int) -> AnyArray:
    """A column of `table`, coded as that feature of the tree's table.

    Where missing is a level of its own there, last, its code is that of a missing value here.
    """
    expected, read = tree.table.features[index], tree.source.features[index]
    place = table.feature_index(expected.name)
    feature, column = table.features[place], table.columns[place]
    if feature.kind is not expected.kind:
        raise TableError(
            f"the feature {feature.name!r} is {feature.kind} in these rows and {expected.kind} in those of the tree; "
            "read both tables alike."
        )
    if feature.levels in (expected.levels, read.levels):
        return column
    places = {level: code for code, level in enumerate(read.levels)}
    missing, unknown = len(read.levels), len(read.levels) + 1
    codes = [*(places.get(level, unknown) for level in feature.levels), missing]
    return np.array(codes, dtype=np.int64)[column]
