"""Ready datasets: files with their sources, and seeded generators.

>>> entry("play_tennis").target
'play'
>>> load("play_tennis").n_rows
14
>>> load("moons", n_rows=50, noise=0.1, seed=7).n_rows
50
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from datasets.catalogue import ENTRIES
from datasets.entry import Entry
from datasets.generators import GENERATORS, Generator
from datasets.small_tables import SMALL
from engine.errors import TableError
from engine.ingest import RawFrame, read_frame, read_table
from engine.table import Table

__all__ = ["Entry", "Generator", "catalogue", "entry", "frame", "generator", "load"]

FILES = Path(__file__).parent / "files"

_GENERATORS = {**GENERATORS, SMALL.name: SMALL}
_BY_NAME = {entry.name: entry for entry in ENTRIES}


def catalogue() -> tuple[Entry, ...]:
    """All ready datasets, in the order of the gallery."""
    return ENTRIES


def entry(name: str) -> Entry:
    """The entry called `name`.

    Raises
    ------
    TableError
        If there is none; the message lists those that exist.
    """
    if name not in _BY_NAME:
        raise TableError(f"there is no dataset {name!r}; there are {', '.join(_BY_NAME)}.")
    return _BY_NAME[name]


def generator(name: str) -> Generator:
    """The generator called `name`: its classes, defaults and ranges.

    Raises
    ------
    TableError
        If there is none; the message lists those that exist.
    """
    if name not in _GENERATORS:
        raise TableError(f"there is no generator {name!r}; there are {', '.join(_GENERATORS)}.")
    return _GENERATORS[name]


def frame(name: str, *, n_rows: int | None = None, noise: float | None = None, seed: int | None = None) -> pd.DataFrame:
    """Cells of a dataset as text, all columns.

    Parameters
    ----------
    name : str
    n_rows, noise, seed : optional
        What to ask of a generator (10 to 5,000 rows, noise from 0 to 1); a file has no choice.

    Raises
    ------
    TableError
        If there is no such dataset, or a number does not fit.
    """
    if entry(name).kind == "generator":
        return _GENERATORS[name].frame(n_rows, noise, seed)
    if (n_rows, noise, seed) != (None, None, None):
        raise TableError(f"the dataset {name!r} is a file: rows, noise and seed are for generators only.")
    return read_frame(FILES / f"{name}.csv").frame


def load(name: str, *, n_rows: int | None = None, noise: float | None = None, seed: int | None = None) -> Table:
    """Read a dataset as its entry says; the numbers are those of `frame`."""
    chosen = entry(name)
    return read_table(
        RawFrame(frame(name, n_rows=n_rows, noise=noise, seed=seed), name),
        target=chosen.target,
        task=chosen.task,
        ignore=chosen.ignore,
        categorical=chosen.categorical,
        numeric=chosen.numeric,
        display=chosen.display,
    )
