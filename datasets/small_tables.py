"""Small random tables with two categorical features and a numeric one: to be checked by hand.

The search for data on which two settings disagree goes through them, the smallest first.
"""

from __future__ import annotations

import numpy as np

from datasets.entry import Entry
from datasets.generators import Classes, Generator, Points

_COLOURS = ("red", "green", "blue")
_SIZES = ("small", "large")


def _rows(n_rows: int, noise: float, rng: np.random.Generator) -> tuple[Points, Classes]:
    """Any colour, size and weight; without noise the answer is yes for red, and from weight 6 on."""
    limits = ((0, len(_COLOURS)), (0, len(_SIZES)), (1, 10))
    points = np.column_stack([rng.integers(low, high, size=n_rows) for low, high in limits]).astype(np.float64)
    ruled = ((points[:, 0] == 0) | (points[:, 2] >= 6)).astype(np.int64)
    drawn = rng.integers(2, size=n_rows)
    return points, np.where(rng.uniform(size=n_rows) < noise, drawn, ruled)


def _words(points: Points) -> dict[str, list[str]]:
    colour, size, weight = points.astype(np.int64).T.tolist()
    return {
        "colour": [_COLOURS[code] for code in colour],
        "size": [_SIZES[code] for code in size],
        "weight": [str(value) for value in weight],
    }


SMALL = Generator("small_random", ("no", "yes"), _rows, n_rows=12, noise=1.0, rows_range=(3, 100), write=_words)
"""The generator of small tables."""

SMALL_ENTRY = Entry(
    name=SMALL.name,
    title="Small random table",
    teaches="A few rows drawn at random: every gain can be checked by hand.",
    source="Drawn by Espalier from a formula",
    licence="free",
    target="class",
    n_rows=SMALL.n_rows,
    n_features=3,
    n_classes=2,
    numeric=("weight",),
    kind="generator",
)
"""Its entry in the catalogue."""
