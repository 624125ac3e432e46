"""Files of any kind -> cells as text, with nothing interpreted."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd


@dataclass(frozen=True, eq=False)
class RawFrame:
    """A file's cells as they were written.

    Attributes
    ----------
    frame : pandas.DataFrame
        Every cell is text; an empty cell is "".
    name : str
        The file's name without its ending.
    notes : tuple of str
        What was guessed or changed on the way in: sentences for the screen.
    """

    frame: pd.DataFrame
    name: str
    notes: tuple[str, ...] = ()


def read_frame(source: Any, *, name: str | None = None) -> RawFrame:
    """Cells of a file, buffer, bytes or DataFrame as text."""
    if isinstance(source, RawFrame):
        return source
    if isinstance(source, pd.DataFrame):
        return RawFrame(source.astype("str").fillna(""), name or "table")
    stem = Path(source).stem if isinstance(source, str | Path) else Path(getattr(source, "name", "table")).stem
    return RawFrame(pd.read_csv(source, dtype=str, keep_default_na=False), name or stem)
