"""Seeded tables of any size for the measurements, drawn with NumPy alone.

`numeric`: ten features, three classes. Each class has two clusters with centres drawn from a normal
distribution in five informative features; the other five are noise. Two rows in a hundred get a
class at random, so that an unlimited tree has something to overfit.

`categorical`: ten features of four levels, three classes. The class is the third into which a sum
of level effects falls (six features count, four do not), plus noise.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from engine.table import AnyArray, Feature, FeatureKind, Table, Target, TargetKind

N_FEATURES, N_INFORMATIVE, N_CLASSES, N_LEVELS = 10, 5, 3, 4


def numeric(n_rows: int, seed: int = 0) -> Table:
    """Gaussian clusters among noise; float64 columns, all values distinct in practice."""
    rng = np.random.default_rng(seed)
    target = rng.integers(N_CLASSES, size=n_rows)
    cluster = 2 * target + rng.integers(2, size=n_rows)
    centres = rng.normal(scale=1.5, size=(2 * N_CLASSES, N_INFORMATIVE))
    columns = []
    for feature in range(N_FEATURES):
        column = rng.normal(size=n_rows)
        if feature < N_INFORMATIVE:
            column += centres[cluster, feature]
        columns.append(column)
    flipped = rng.random(n_rows) < 0.02
    target[flipped] = rng.integers(N_CLASSES, size=int(flipped.sum()))
    features = [Feature(f"x{i}", FeatureKind.NUMERIC) for i in range(N_FEATURES)]
    return _table(f"numeric {n_rows}", features, columns, target)


def categorical(n_rows: int, seed: int = 0) -> Table:
    """Codes of ten features with four levels each."""
    rng = np.random.default_rng(seed)
    columns = [rng.integers(N_LEVELS, size=n_rows, dtype=np.uint8) for _ in range(N_FEATURES)]
    score = rng.normal(scale=0.5, size=n_rows)
    for column in columns[:6]:
        score += rng.normal(size=N_LEVELS)[column]
    target = np.digitize(score, np.quantile(score, [1 / 3, 2 / 3]))
    levels = tuple("abcd")
    features = [Feature(f"c{i}", FeatureKind.CATEGORICAL, levels) for i in range(N_FEATURES)]
    return _table(f"categorical {n_rows}", features, columns, target)


def as_matrix(table: Table) -> npt.NDArray[np.float32]:
    """The columns as scikit-learn wants them, C-ordered float32; levels as their codes."""
    return np.ascontiguousarray(np.column_stack(table.columns), dtype=np.float32)


def _table(name: str, features: list[Feature], columns: Sequence[AnyArray], target: npt.NDArray[np.int64]) -> Table:
    return Table(
        name=name,
        features=tuple(features),
        target=Target("y", TargetKind.CLASSES, tuple("abc")),
        columns=tuple(columns),
        target_values=target.astype(np.uint8),
        row_numbers=np.arange(len(target)),
    )
