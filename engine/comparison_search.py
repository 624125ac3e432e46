"""The search for data on which two settings grow different trees, the smallest first."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Generic, TypeVar

import numpy as np

from engine.comparison import Comparison
from engine.errors import EngineError
from engine.growth import grow
from engine.settings import GrowthSettings
from engine.table import AnyArray, FeatureKind, IntArray, Table, TargetKind, code_dtype

SMALLEST = 3
"""Rows of the smallest subset that is tried: two rows leave nothing to disagree about."""
PER_SIZE = 200
"""Subsets tried of each size."""

L = TypeVar("L")


@dataclass(frozen=True, eq=False)
class Tried(Generic[L]):
    """One table on which both trees were grown.

    Attributes
    ----------
    label
        Names the table for the caller.
    n_tried : int
        Tables so far, this one included.
    n_rows : int
    found : Comparison or None
        The two growths, where they differ.
    """

    label: L
    n_tried: int
    n_rows: int
    found: Comparison | None


def search(tables: Iterable[tuple[L, Table]], first: GrowthSettings, second: GrowthSettings) -> Iterator[Tried[L]]:
    """Grow both trees on each table, until they differ.

    Parameters
    ----------
    tables : iterable of (label, Table)
        In the order in which they are tried: the smallest first.
    first, second : GrowthSettings
        Splits chosen by a person are left out, for the tables are others.

    Yields
    ------
    Tried
        After each table, so that the caller can show progress and stop; the last one may have been
        `found`. A table on which a setting is not defined is passed over.
    """
    first, second = first.without_choice(()), second.without_choice(())
    for n_tried, (label, table) in enumerate(tables, start=1):
        try:
            comparison = Comparison(grow(table, first), grow(table, second))
        except EngineError:
            continue
        found = comparison if comparison.first_difference is not None else None
        yield Tried(label, n_tried, table.n_rows, found)
        if found is not None:
            return


def subsets(n_rows: int, *, smallest: int = SMALLEST, per_size: int = PER_SIZE, seed: int = 0) -> Iterator[IntArray]:
    """Sets of row positions, ascending, the smallest first.

    All of a size where there are at most `per_size`, else that many drawn at random without repeats;
    from 40 rows on not every size.

    >>> [rows.tolist() for rows in subsets(3, smallest=2)]
    [[0, 1], [0, 2], [1, 2], [0, 1, 2]]
    """
    for size in _sizes(min(smallest, n_rows), n_rows):
        if math.comb(n_rows, size) <= per_size:
            yield from (np.array(rows, dtype=np.int64) for rows in combinations(range(n_rows), size))
            continue
        rng = np.random.default_rng([seed, size])
        seen: set[bytes] = set()
        while len(seen) < per_size:
            drawn = np.sort(rng.choice(n_rows, size=size, replace=False))
            if drawn.tobytes() not in seen:
                seen.add(drawn.tobytes())
                yield drawn


def _sizes(smallest: int, n_rows: int) -> Iterator[int]:
    size = smallest
    while size < n_rows:
        yield size
        size += max(size // 20, 1)
    yield n_rows


def apart(table: Table, n_rows: int) -> Iterator[Table]:
    """The tables that lie one below the other in `table`, `n_rows` each, as if each had been read alone.

    Reading many small tables at once is much faster than one by one.
    """
    for start in range(0, table.n_rows, n_rows):
        yield _alone(table.take(np.arange(start, start + n_rows)))


def _alone(table: Table) -> Table:
    """The table without levels and classes that do not occur, its rows numbered anew."""
    features, columns = [], []
    for index, (feature, column) in enumerate(zip(table.features, table.columns, strict=True)):
        if feature.kind is FeatureKind.NUMERIC:
            features.append(feature)
            columns.append(column)
            continue
        levels, codes = _present(feature.levels, column[~table.missing(index)], column)
        features.append(replace(feature, levels=levels, display=()))
        columns.append(codes)
    target, values = table.target, table.target_values
    if target.kind is TargetKind.CLASSES:
        classes, values = _present(target.classes, values, values)
        target = replace(target, classes=classes)
    numbers = np.arange(table.n_rows)
    return replace(
        table,
        features=tuple(features),
        columns=tuple(columns),
        target=target,
        target_values=values,
        row_numbers=numbers,
    )


def _present(levels: tuple[str, ...], known: AnyArray, codes: AnyArray) -> tuple[tuple[str, ...], AnyArray]:
    """The levels that occur, and the codes among these; missing stays one past the last."""
    kept = np.unique(known).tolist()
    place = np.full(len(levels) + 1, len(kept), dtype=code_dtype(len(kept)))
    place[kept] = np.arange(len(kept))
    return tuple(levels[code] for code in kept), place[codes]
