"""The rows of a comparison's two sides: which a side is given, and which the sides share.

A tree is as good as its rows: leaving one out, or giving some a wrong target, shows how much a tree
depends on them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from engine.errors import SettingsError, TableError
from engine.table import AnyArray, BoolArray, FeatureKind, IntArray, Table, TargetKind


@dataclass(frozen=True, kw_only=True)
class RowChoice:
    """Which rows of a table a side is grown from, and how many of their targets are wrong.

    Attributes
    ----------
    only : tuple of int or None
        Numbers of the rows that are kept, as in the file, from 0; None keeps all.
    without : tuple of int
        Numbers of the rows that are left out.
    dropped : float
        Share of the rows, from 0 to below 1, that are left out besides, drawn at random.
    noise : float
        Share of the rows, from 0 to 1, whose target is wrong: another class, or another row's number.
    noise_seed : int
        For the draws: the same seed, the same rows and targets. A greater share keeps what a smaller one drew.
    """

    only: tuple[int, ...] | None = None
    without: tuple[int, ...] = ()
    dropped: float = 0.0
    noise: float = 0.0
    noise_seed: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.dropped < 1:
            raise SettingsError(f"the rows left out must be a share from 0 to below 1, got {self.dropped}.")
        if not 0 <= self.noise <= 1:
            raise SettingsError(f"the label noise must be a share from 0 to 1, got {self.noise}.")
        if self.noise_seed < 0:
            raise SettingsError(f"the seed of the label noise must be at least 0, got {self.noise_seed}.")

    @property
    def is_all(self) -> bool:
        """Whether the table is taken as it is."""
        return self.only is None and not (self.without or self.dropped or self.noise)

    def take(self, table: Table) -> Table:
        """The table of the chosen rows.

        Raises
        ------
        TableError
            If a row is named that the table does not have, or none is left.
        """
        if self.is_all:
            return table
        kept = np.ones(table.n_rows, dtype=bool)
        if self.only is not None:
            kept &= self._named(table, self.only)
        kept &= ~self._named(table, self.without)
        kept[self._fallen(table)] = False
        if not kept.any():
            raise TableError("no row is left; leave out fewer rows.")
        noisy = replace(table, target_values=self._drawn(table)) if self.noise else table
        return noisy if kept.all() else noisy.take(np.flatnonzero(kept))

    @staticmethod
    def _named(table: Table, numbers: tuple[int, ...]) -> BoolArray:
        unknown = sorted(set(numbers) - set(table.row_numbers.tolist()))
        if unknown:
            raise TableError(
                f"there is no row {unknown[0] + 1} to grow from; rows are numbered from 1 to "
                f"{int(table.row_numbers.max(initial=-1)) + 1}, and those of the holdout are left out."
            )
        return np.isin(table.row_numbers, numbers)

    def _fallen(self, table: Table) -> IntArray:
        """Positions of the rows that chance leaves out; another draw than that of the wrong targets."""
        rng = np.random.default_rng((self.noise_seed, 1))
        return rng.permutation(table.n_rows)[: round(self.dropped * table.n_rows)].astype(np.int64)

    def _drawn(self, table: Table) -> AnyArray:
        rng = np.random.default_rng(self.noise_seed)
        wrong = rng.permutation(table.n_rows)[: round(self.noise * table.n_rows)]
        values = table.target_values.copy()
        if table.target.kind is TargetKind.CLASSES:
            values[wrong] = (values[wrong] + rng.integers(1, max(table.n_classes, 2), len(wrong))) % table.n_classes
        else:
            values[wrong] = rng.permutation(values)[: len(wrong)]
        return values


@dataclass(frozen=True)
class Shared:
    """What two tables have in common.

    Attributes
    ----------
    same_target : bool
        Whether the targets have the same name, kind and classes.
    same_features : bool
        Whether the features have the same names and kinds, in the same order.
    first, second : ndarray of int64, shape (n_shared,)
        Positions of the rows that both have: of the same number, and equal in every feature of both.
    n_first, n_second : int
        Rows of each table.
    n_other_target : int
        Shared rows whose targets differ; 0 where the targets are not the same.
    """

    same_target: bool
    same_features: bool
    first: IntArray
    second: IntArray
    n_first: int
    n_second: int
    n_other_target: int

    @property
    def same_rows(self) -> bool:
        """Whether the features of all rows are the same."""
        return len(self.first) == self.n_first == self.n_second

    @property
    def same(self) -> bool:
        """Whether there is no difference at all."""
        return self.same_target and self.same_features and self.same_rows and not self.n_other_target


def shared(first: Table, second: Table) -> Shared:
    """Compare two tables row by row."""
    same_features = [(f.name, f.kind) for f in first.features] == [(f.name, f.kind) for f in second.features]
    one, other = first.target, second.target
    same_target = (one.name, one.kind) == (other.name, other.kind) and set(one.classes) == set(other.classes)
    _, left, right = np.intersect1d(first.row_numbers, second.row_numbers, assume_unique=True, return_indices=True)
    left, right = left.astype(np.int64), right.astype(np.int64)
    equal = _equal_features(first, second, left, right)
    left, right = left[equal], right[equal]
    wrong = int(np.count_nonzero(~_equal_targets(first, second, left, right))) if same_target else 0
    return Shared(same_target, same_features, left, right, first.n_rows, second.n_rows, wrong)


def _equal_features(first: Table, second: Table, left: IntArray, right: IntArray) -> BoolArray:
    """Which of the rows, put side by side, are equal in every feature that both tables have."""
    beside = {(f.name, f.kind): index for index, f in enumerate(second.features)}
    common = [(i, beside[f.name, f.kind]) for i, f in enumerate(first.features) if (f.name, f.kind) in beside]
    equal = np.full(len(left), bool(common))
    for one, other in common:
        feature = first.features[one]
        column, another = first.columns[one][left], second.columns[other][right]
        if feature.kind is FeatureKind.CATEGORICAL:
            another = _recoded(second.features[other].levels, feature.levels)[another]
            equal &= column == another
        else:
            equal &= (column == another) | (np.isnan(column) & np.isnan(another))
    return equal


def _equal_targets(first: Table, second: Table, left: IntArray, right: IntArray) -> BoolArray:
    one, other = first.target_values[left], second.target_values[right]
    if first.target.kind is TargetKind.CLASSES:
        other = _recoded(second.target.classes, first.target.classes)[other]
    return np.asarray(one == other)


def _recoded(levels: tuple[str, ...], known: tuple[str, ...]) -> IntArray:
    """For each code of `levels`, and for missing, the code among `known`; one that fits none where there is none."""
    place = {level: code for code, level in enumerate(known)}
    return np.array([*(place.get(level, -1) for level in levels), len(known)], dtype=np.int64)
