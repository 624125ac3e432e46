"""Seeded tables with two numeric features, x1 and x2, whose classes form a picture.

Noise goes from 0 (none) to 1. Where the class follows from a rule it is the share of rows whose
class is drawn anew at random; where points are scattered around a shape it is the spread.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from datasets.entry import Entry
from engine.errors import TableError

Points = npt.NDArray[np.float64]
Classes = npt.NDArray[np.int64]
Maker = Callable[[int, float, np.random.Generator], tuple[Points, Classes]]
"""(rows, noise, randomness) -> points of shape (rows, 2) and the number of each one's class."""
Writer = Callable[[Points], Mapping[str, list[str]]]
"""Points -> the cells of each feature as text."""


def decimals(points: Points) -> dict[str, list[str]]:
    """The features x1 and x2 with three decimals, no negative zero."""
    rounded = np.round(points, 3) + 0.0
    return {f"x{i + 1}": [f"{value:.3f}" for value in rounded[:, i]] for i in (0, 1)}


@dataclass(frozen=True)
class Generator:
    """How a dataset is drawn, and what may be asked of it.

    Attributes
    ----------
    name : str
    classes : tuple of str
    make : callable
    n_rows, noise, seed
        What is drawn where nothing else is asked for.
    rows_range, noise_range : tuple
        Least and greatest value.
    write : callable
        Points -> cells.
    """

    name: str
    classes: tuple[str, ...]
    make: Maker
    n_rows: int = 200
    noise: float = 0.1
    seed: int = 0
    rows_range: tuple[int, int] = (10, 5000)
    noise_range: tuple[float, float] = (0.0, 1.0)
    write: Writer = decimals

    def frame(self, n_rows: int | None = None, noise: float | None = None, seed: int | None = None) -> pd.DataFrame:
        """Draw a table as text: the features, and the class.

        The same numbers give the same table.

        Raises
        ------
        TableError
            If a number is out of its range.
        """
        n_rows = self.n_rows if n_rows is None else _whole("number of rows", n_rows, self.rows_range)
        seed = self.seed if seed is None else _whole("seed", seed, (0, 2**63 - 1))
        noise = self.noise if noise is None else noise
        if not self.noise_range[0] <= noise <= self.noise_range[1]:
            raise TableError(f"the noise must be from {self.noise_range[0]:g} to {self.noise_range[1]:g}, got {noise}.")
        points, classes = self.make(n_rows, float(noise), np.random.default_rng(seed))
        return pd.DataFrame({**self.write(points), "class": [self.classes[code] for code in classes]}, dtype="str")


def _whole(what: str, value: int, allowed: tuple[int, int]) -> int:
    if int(value) != value or not allowed[0] <= value <= allowed[1]:
        raise TableError(f"the {what} must be a whole number from {allowed[0]:,} to {allowed[1]:,}, got {value}.")
    return int(value)


def _blobs(n_rows: int, noise: float, rng: np.random.Generator) -> tuple[Points, Classes]:
    """Three round clouds at the corners of a triangle; noise 1 makes them as wide as their distance."""
    centres = np.array([[2.0, 2.0], [8.0, 3.0], [4.0, 8.0]])
    classes = np.arange(n_rows) % 3
    return centres[classes] + rng.normal(scale=0.4 + 5 * noise, size=(n_rows, 2)), classes


def _moons(n_rows: int, noise: float, rng: np.random.Generator) -> tuple[Points, Classes]:
    """Two interleaved half circles of radius 1."""
    classes = np.arange(n_rows) % 2
    angle = rng.uniform(0, np.pi, n_rows)
    upper = np.column_stack((np.cos(angle), np.sin(angle)))
    lower = np.column_stack((1 - np.cos(angle), 0.5 - np.sin(angle)))
    return np.where(classes[:, None] == 0, upper, lower) + _shaken(n_rows, noise, rng), classes


def _circles(n_rows: int, noise: float, rng: np.random.Generator) -> tuple[Points, Classes]:
    """A circle of radius 1/2 within one of radius 1."""
    classes = np.arange(n_rows) % 2
    angle = rng.uniform(0, 2 * np.pi, n_rows)
    radius = np.where(classes == 0, 0.5, 1.0)[:, None]
    return radius * np.column_stack((np.cos(angle), np.sin(angle))) + _shaken(n_rows, noise, rng), classes


def _spiral(n_rows: int, noise: float, rng: np.random.Generator) -> tuple[Points, Classes]:
    """Two arms that wind around each other one and a half times."""
    classes = np.arange(n_rows) % 2
    turn = np.sqrt(rng.uniform(0.01, 1, n_rows))
    angle = 3 * np.pi * turn + np.pi * classes
    return turn[:, None] * np.column_stack((np.cos(angle), np.sin(angle))) + _shaken(n_rows, noise, rng), classes


def _xor(n_rows: int, noise: float, rng: np.random.Generator) -> tuple[Points, Classes]:
    """The class says whether the two features have the same sign."""
    points = _square(n_rows, rng) * 2 - 1
    return points, _noisy(((points[:, 0] < 0) != (points[:, 1] < 0)).astype(np.int64), 2, noise, rng)


def _diagonal(n_rows: int, noise: float, rng: np.random.Generator) -> tuple[Points, Classes]:
    """The class says which feature is greater: a boundary that no threshold follows."""
    points = _square(n_rows, rng)
    return points, _noisy((points[:, 1] < points[:, 0]).astype(np.int64), 2, noise, rng)


def _checkerboard(n_rows: int, noise: float, rng: np.random.Generator) -> tuple[Points, Classes]:
    """Four by four squares."""
    points = np.round(_square(n_rows, rng) * 4, 3)
    return points, _noisy(np.floor(points).astype(np.int64).sum(axis=1) % 2, 2, noise, rng)


def _noisy_steps(n_rows: int, noise: float, rng: np.random.Generator) -> tuple[Points, Classes]:
    """Four steps along x1, at 2, 5 and 7; x2 has nothing to do with them."""
    points = np.round(_square(n_rows, rng) * 10, 3)
    return points, _noisy(np.searchsorted([2.0, 5.0, 7.0], points[:, 0], side="right").astype(np.int64), 4, noise, rng)


def _square(n_rows: int, rng: np.random.Generator) -> Points:
    """Points of the unit square with the decimals that will be written, so that rules hold exactly."""
    return np.round(rng.uniform(size=(n_rows, 2)), 3)


def _shaken(n_rows: int, noise: float, rng: np.random.Generator) -> Points:
    return rng.normal(scale=noise / 2, size=(n_rows, 2))


def _noisy(classes: Classes, n_classes: int, noise: float, rng: np.random.Generator) -> Classes:
    """Draw the class of a share of rows anew."""
    drawn = rng.integers(n_classes, size=len(classes))
    return np.where(rng.uniform(size=len(classes)) < noise, drawn, classes)


GENERATORS: dict[str, Generator] = {
    generator.name: generator
    for generator in (
        Generator("blobs", ("a", "b", "c"), _blobs),
        Generator("moons", ("upper", "lower"), _moons, noise=0.2),
        Generator("circles", ("inner", "outer"), _circles),
        Generator("xor", ("same", "different"), _xor, noise=0.0),
        Generator("spiral", ("a", "b"), _spiral, n_rows=400, noise=0.05),
        Generator("diagonal", ("above", "below"), _diagonal, noise=0.0),
        Generator("checkerboard", ("black", "white"), _checkerboard, n_rows=400, noise=0.0),
        Generator("noisy_steps", ("step 1", "step 2", "step 3", "step 4"), _noisy_steps, noise=0.2),
    )
}

_CARDS = {
    "blobs": ("Blobs", "Three clouds: two thresholds nearly separate them, until they overlap."),
    "moons": ("Moons", "Curved classes: rectangles follow a curve in steps."),
    "circles": ("Circles", "A ring around a disc: the tree needs a box."),
    "xor": ("Exclusive or, with numbers", "No first threshold helps, three together are perfect."),
    "spiral": ("Spiral", "Two wound arms: many small rectangles, and a deep tree."),
    "diagonal": ("Diagonal boundary", "One slanted line costs a tree a staircase of splits."),
    "checkerboard": ("Checkerboard", "Sixteen squares: a greedy search is blind at first."),
    "noisy_steps": ("Noisy steps", "Four steps with wrong labels: where does fitting become overfitting?"),
}

GENERATED: tuple[Entry, ...] = tuple(
    Entry(
        name=generator.name,
        title=_CARDS[generator.name][0],
        teaches=_CARDS[generator.name][1],
        source="Drawn by Espalier from a formula",
        licence="free",
        target="class",
        n_rows=generator.n_rows,
        n_features=2,
        n_classes=len(generator.classes),
        kind="generator",
    )
    for generator in GENERATORS.values()
)
