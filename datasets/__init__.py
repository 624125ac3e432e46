"""Ready datasets: files with their sources, and seeded generators.

>>> entry("play_tennis").target
'play'
>>> load("play_tennis").n_rows
14
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from datasets.catalogue import ENTRIES
from datasets.entry import Entry
from engine.errors import TableError
from engine.ingest import RawFrame, read_frame, read_table
from engine.table import Table

__all__ = ["Entry", "catalogue", "entry", "frame", "load"]

FILES = Path(__file__).parent / "files"


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
    for candidate in ENTRIES:
        if candidate.name == name:
            return candidate
    raise TableError(f"there is no dataset {name!r}; there are {', '.join(e.name for e in ENTRIES)}.")


def frame(name: str, *, n_rows: int | None = None, noise: float | None = None, seed: int | None = None) -> pd.DataFrame:
    """Cells of a dataset as text, all columns; the numbers concern generators only."""
    return read_frame(FILES / f"{entry(name).name}.csv").frame


def load(name: str, *, n_rows: int | None = None, noise: float | None = None, seed: int | None = None) -> Table:
    """Read a dataset as its entry says."""
    chosen = entry(name)
    cells = frame(name, n_rows=n_rows, noise=noise, seed=seed)
    return read_table(
        RawFrame(cells, name),
        target=chosen.target,
        task=chosen.task,
        ignore=chosen.ignore,
        categorical=chosen.categorical,
        numeric=chosen.numeric,
        display=chosen.display,
    )
