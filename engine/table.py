"""Table: the rows, typed features and target that a tree is grown from."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.errors import TableError

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
AnyArray = npt.NDArray[Any]

MISSING_WORD = "(missing)"


class FeatureKind(StrEnum):
    """How a feature's values are compared: by equality or by size."""

    CATEGORICAL = "categorical"
    NUMERIC = "numeric"


class TargetKind(StrEnum):
    """What a tree predicts: one of several classes or a number."""

    CLASSES = "classes"
    NUMBER = "number"


@dataclass(frozen=True)
class Feature:
    """An input column.

    Attributes
    ----------
    name : str
    kind : FeatureKind
    levels : tuple of str
        The values of a categorical feature, sorted (numbers as numbers, else as text);
        empty for a numeric one.
    n_missing : int
        Rows of the table in which the value is missing.
    display : tuple of int
        The order in which a person expects the levels (low, medium, high): indices into
        `levels`. It orders tables and axes on the screen, never the branches of a tree.
    """

    name: str
    kind: FeatureKind
    levels: tuple[str, ...] = ()
    n_missing: int = 0
    display: tuple[int, ...] = ()

    @property
    def display_order(self) -> tuple[int, ...]:
        """Indices of all levels in the order of the screen."""
        return self.display or tuple(range(len(self.levels)))


@dataclass(frozen=True)
class Target:
    """The column to predict; `classes` are sorted like levels and empty for a number."""

    name: str
    kind: TargetKind
    classes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Table:
    """Typed, read-only columns.

    Attributes
    ----------
    columns : tuple of ndarray, one a feature, each of shape (n_rows,)
        Categorical: codes into `levels`, unsigned integers; ``len(levels)`` marks a missing
        value. Numeric: float64; NaN marks a missing value.
    target_values : ndarray of shape (n_rows,)
        Codes into the classes, or float64. Never missing.
    row_numbers : ndarray of int64, shape (n_rows,)
        Each row's 0-based number in the file it came from (rows without a target are left out).
    notes : tuple of str
        What was guessed or changed on the way in: sentences for the screen.
    identifiers : tuple of str
        Features whose every value is distinct: probably names of rows, not properties.
    """

    name: str
    features: tuple[Feature, ...]
    target: Target
    columns: tuple[AnyArray, ...]
    target_values: AnyArray
    row_numbers: IntArray
    notes: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for array in (*self.columns, self.target_values, self.row_numbers):
            if array.shape != (self.n_rows,):
                raise TableError(f"every column must have {self.n_rows} rows, got {array.shape}.")
            array.flags.writeable = False

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.target_values)

    @property
    def n_classes(self) -> int:
        """Number of classes; 0 where the target is a number."""
        return len(self.target.classes)

    def feature_index(self, name: str) -> int:
        """Column number of the feature called `name`.

        Raises
        ------
        TableError
            If there is no such feature.
        """
        for index, feature in enumerate(self.features):
            if feature.name == name:
                return index
        known = ", ".join(f.name for f in self.features[:20])
        raise TableError(f"there is no feature {name!r}; the features are {known}.")

    def missing(self, feature: int) -> BoolArray:
        """Which rows lack a value of `feature`, shape (n_rows,)."""
        spec, column = self.features[feature], self.columns[feature]
        if spec.kind is FeatureKind.CATEGORICAL:
            return np.asarray(column == len(spec.levels))
        return np.asarray(np.isnan(column))

    @cached_property
    def numeric(self) -> tuple[int, ...]:
        """Column numbers of the numeric features."""
        return tuple(i for i, f in enumerate(self.features) if f.kind is FeatureKind.NUMERIC)

    @cached_property
    def categorical(self) -> tuple[int, ...]:
        """Column numbers of the categorical features."""
        return tuple(i for i, f in enumerate(self.features) if f.kind is FeatureKind.CATEGORICAL)

    @cached_property
    def rank_matrix(self) -> npt.NDArray[np.int32]:
        """Dense ranks of the numeric features, shape (n_numeric, n_rows).

        The rank of a missing value is the number of distinct values. Ranks stand for the exact
        float64 values in the search, which then compares and sorts integers.
        """
        return self._ranked[0]

    @cached_property
    def distinct(self) -> tuple[FloatArray, ...]:
        """The sorted distinct values of each numeric feature, in the order of `numeric`."""
        return self._ranked[1]

    @cached_property
    def all_distinct(self) -> tuple[FloatArray, IntArray]:
        """`distinct` of all numeric features in one array, and where each feature's begin."""
        return self._ranked[2], self._ranked[3]

    @cached_property
    def _ranked(self) -> Ranks:
        matrix = np.empty((len(self.numeric), self.n_rows), dtype=np.int32)
        return _joined(matrix, [_rank(self.columns[i], matrix[place]) for place, i in enumerate(self.numeric)])

    def take(self, rows: AnyArray, *, recount: bool = True) -> Table:
        """The table of these rows only (positions, in the given order); known ranks are not sorted for again.

        `recount` says whether each feature's `n_missing` is that of the rows taken, or stays.
        """
        columns = tuple(column[rows] for column in self.columns)
        taken = replace(
            self,
            columns=columns,
            target_values=self.target_values[rows],
            row_numbers=self.row_numbers[rows],
        )
        if recount:
            features = tuple(
                replace(feature, n_missing=int(taken.missing(i).sum())) for i, feature in enumerate(self.features)
            )
            taken = replace(taken, features=features)
        if "_ranked" in vars(self):
            vars(taken)["_ranked"] = _ranks_of_rows(self._ranked, rows)
        return taken

    def only(self, features: Sequence[int]) -> Table:
        """The table with these features only (column numbers); known ranks are kept."""
        chosen = replace(
            self,
            features=tuple(self.features[i] for i in features),
            columns=tuple(self.columns[i] for i in features),
        )
        if "_ranked" in vars(self):
            places = [self.numeric.index(i) for i in features if i in self.numeric]
            vars(chosen)["_ranked"] = _joined(self.rank_matrix[places], [self.distinct[place] for place in places])
        return chosen

    def with_target(self, name: str, values: FloatArray) -> Table:
        """The same rows and features with a number to predict; known ranks are kept."""
        other = replace(self, target=Target(name, TargetKind.NUMBER), target_values=values)
        if "_ranked" in vars(self):
            vars(other)["_ranked"] = self._ranked
        return other

    def value(self, feature: int, row: int) -> str | float | None:
        """The value in one cell: a level, a number, or None where it is missing."""
        spec, column = self.features[feature], self.columns[feature]
        if spec.kind is FeatureKind.CATEGORICAL:
            code = int(column[row])
            return spec.levels[code] if code < len(spec.levels) else None
        number = float(column[row])
        return None if np.isnan(number) else number

    def target_value(self, row: int) -> str | float:
        """The target in one row: a class or a number."""
        if self.target.kind is TargetKind.CLASSES:
            return self.target.classes[int(self.target_values[row])]
        return float(self.target_values[row])

    @cached_property
    def fingerprint(self) -> str:
        """A digest of the content: equal tables have equal fingerprints, whatever their name."""
        digest = hashlib.blake2b(digest_size=16)
        for feature in self.features:
            digest.update(
                repr((feature.name, feature.kind.value, feature.levels, feature.display)).encode(
                    "utf-8", "surrogatepass"
                )
            )
        digest.update(
            repr((self.target.name, self.target.kind.value, self.target.classes)).encode("utf-8", "surrogatepass")
        )
        for column in (*self.columns, self.target_values, self.row_numbers):
            digest.update(column.dtype.str.encode())
            digest.update(np.ascontiguousarray(column).view(np.uint8).data)
        return digest.hexdigest()


def code_dtype(n_codes: int) -> np.dtype[Any]:
    """The smallest unsigned type that holds codes 0 … n_codes (the last one marks missing).

    >>> code_dtype(3), code_dtype(300)
    (dtype('uint8'), dtype('uint16'))
    """
    return np.dtype(np.min_scalar_type(max(n_codes, 1)))


def sorted_levels(values: Sequence[str]) -> tuple[str, ...]:
    """Distinct values in the order of the contract: numbers as numbers, else as text.

    >>> sorted_levels(["10", "9", "9", "1"])
    ('1', '9', '10')
    >>> sorted_levels(["b", "10", "a"])
    ('10', 'a', 'b')
    """
    distinct = sorted(set(values))
    try:
        numbers = {value: float(value) for value in distinct}
    except ValueError:
        return tuple(distinct)
    if any(number != number for number in numbers.values()):
        return tuple(distinct)
    return tuple(sorted(distinct, key=lambda value: (numbers[value], value)))


Ranks = tuple[npt.NDArray[np.int32], tuple[FloatArray, ...], FloatArray, IntArray]
"""The rank matrix; the distinct values of each feature; all of them together, and where each feature's begin."""


def _joined(matrix: npt.NDArray[np.int32], distinct: Sequence[FloatArray]) -> Ranks:
    together = np.concatenate([*distinct, np.empty(0)])
    begin = np.cumsum([0, *map(len, distinct)])
    together.flags.writeable = matrix.flags.writeable = False
    return matrix, tuple(together[a:b] for a, b in pairwise(begin)), together, begin[:-1]


def _ranks_of_rows(ranks: Ranks, rows: AnyArray) -> Ranks:
    """The dense ranks of some rows, from those of all: values that are not among them are skipped."""
    matrix, distinct = ranks[0][:, rows], []
    for place, values in enumerate(ranks[1]):
        present = np.bincount(matrix[place], minlength=len(values) + 1) > 0
        distinct.append(values[present[:-1]])
        dense = np.cumsum(present, dtype=np.int32) - 1
        dense[-1] = len(distinct[-1])
        matrix[place] = dense[matrix[place]]
    return _joined(matrix, distinct)


def _rank(column: FloatArray, ranks: npt.NDArray[np.int32]) -> FloatArray:
    """Write the dense ranks of `column` into `ranks`; return its sorted distinct values."""
    order = np.argsort(column, kind="stable")
    ordered = column[order]
    known = int(np.count_nonzero(~np.isnan(column)))
    first = np.ones(len(column), dtype=bool)
    first[1:] = ordered[1:] != ordered[:-1]
    first[known + 1 :] = False
    ranks[order] = np.cumsum(first, dtype=np.int32) - 1
    distinct: FloatArray = ordered[:known][first[:known]] + 0.0
    return distinct
