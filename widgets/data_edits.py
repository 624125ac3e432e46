"""Changes to the rows of a table, as functions from cells to cells."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

WINDOW = 1000
"""Rows that the page shows, and lets one edit, at a time."""

NOISY_EXAMPLES: dict[str, Mapping[str, str]] = {
    "play_tennis": {
        "day": "15",
        "outlook": "sunny",
        "temperature": "hot",
        "humidity": "normal",
        "wind": "strong",
        "play": "no",
    },
}
"""A row that contradicts its table's rule (Mitchell 1997, section 3.7), by the table's name."""


def window_of(frame: pd.DataFrame, start: int) -> pd.DataFrame:
    """The rows from `start` on that fit the page.

    >>> frame = pd.DataFrame({"a": [str(i) for i in range(1500)]})
    >>> len(window_of(frame, 0)), len(window_of(frame, 1000))
    (1000, 500)
    """
    return frame.iloc[start : start + WINDOW].reset_index(drop=True)


def put_back(frame: pd.DataFrame, edited: pd.DataFrame, start: int, n_shown: int) -> pd.DataFrame:
    """`frame` with its rows ``start … start + n_shown - 1`` replaced by those of `edited`, as text.

    The edited rows may be more or fewer than were shown; what a person left empty is an empty cell.

    >>> frame = pd.DataFrame({"a": ["1", "2", "3"]})
    >>> put_back(frame, pd.DataFrame({"a": ["2", None, "x"]}), 1, 1)["a"].tolist()
    ['1', '2', '', 'x', '3']
    """
    columns = list(frame.columns)
    cells = edited.set_axis(columns, axis=1).astype(object)
    cells = cells.where(cells.notna(), "").astype(str)
    parts = (frame.iloc[:start], cells, frame.iloc[start + n_shown :])
    return pd.concat([part for part in parts if len(part)] or [frame.iloc[:0]], ignore_index=True)


def with_row(frame: pd.DataFrame, row: Mapping[str, str]) -> pd.DataFrame:
    """`frame` with one more row at its end; columns that `row` does not name stay empty there.

    >>> with_row(pd.DataFrame({"day": ["1"], "wind": ["weak"]}), {"wind": "strong"}).iloc[-1].tolist()
    ['', 'strong']
    """
    cells = [row.get(str(name), "") for name in frame.columns]
    return put_back(frame, pd.DataFrame([cells]), len(frame), 0)


def noisy_example(name: str, frame: pd.DataFrame) -> Mapping[str, str] | None:
    """The noisy example of the table called `name`, if it has one and its columns are all there."""
    row = NOISY_EXAMPLES.get(name)
    return row if row is not None and set(row) <= set(frame.columns) else None
