"""The data that a session is about."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from datasets import Entry


@dataclass(frozen=True, eq=False)
class CurrentData:
    """The data of the session: its cells as text, and how they are read.

    Attributes
    ----------
    name : str
        The catalogue's name of the dataset, or the file name of an upload.
    title : str
    frame : DataFrame of str
        The cells as they are now, edits included. Never changed in place.
    frame_key : str
        Names the content of `frame`: equal keys, equal cells.
    entry : Entry or None
        The catalogue's entry; None for an upload.
    n_rows, noise, seed : int, float, int or None
        What a generator was asked for; None is its default.
    uploaded_frame : DataFrame of str or None
        The cells of an upload as they came, for a reset.
    """

    name: str
    title: str
    frame: pd.DataFrame
    frame_key: str
    target: str
    uploaded: bool = False
    edited: bool = False
    entry: Entry | None = None
    task: str | None = None
    ignore: tuple[str, ...] = ()
    categorical: tuple[str, ...] = ()
    numeric: tuple[str, ...] = ()
    n_rows: int | None = None
    noise: float | None = None
    seed: int | None = None
    holdout_share: float = 0.0
    holdout_seed: int = 0
    notes: tuple[str, ...] = ()
    uploaded_frame: pd.DataFrame | None = None

    @property
    def private(self) -> bool:
        """Whether the cells belong to this session alone and must not be shared or linked."""
        return self.uploaded or self.edited

    @property
    def key(self) -> str:
        """Names everything that the table depends on."""
        parts = (self.name, self.frame_key, self.target, self.task, self.ignore, self.categorical, self.numeric)
        return repr((*parts, self.holdout_share, self.holdout_seed))
