"""The three parts of the rows as counts, and validation rows of one's own."""

from __future__ import annotations

import hashlib
from contextlib import suppress

import streamlit as st

from drawing import wording
from engine import EngineError, Table
from engine.ingest import RawFrame, read_frame
from engine.table import TargetKind
from widgets import cached
from widgets.data_limits import MAX_MEGABYTES, check_shape, check_size
from widgets.escape import plain
from widgets.guard import complain
from widgets.panels.html import show_table
from widgets.prune import state as page
from widgets.prune.keys import Own
from widgets.prune.pruner import Pruner
from widgets.prune.rows import all_validate, held, private, shares, split

_MOST_CLASSES = 8


def parts() -> None:
    """How many rows each part has, of each class, and a place for rows of one's own."""
    now = page.pruner()
    if all_validate(now):
        n = cached.table(private(now)).n_rows
        st.caption(f"This tree was not made of these rows, so all of them, {n:,}, judge it.")
    else:
        with suppress(EngineError):  # the page says what is wrong
            _table(now)
    _own(now)


def _table(now: Pruner) -> None:
    found = split(private(now), *shares(now))
    tables: tuple[Table, ...] = (found.training, held(now, found), found.test)
    show_table(
        ["", "train", "valid.", "test"],
        _counts(tables),
        numbers=(1, 2, 3),
        strong=(0,),
        caption="Rows of each part",
    )


def _own(now: Pruner) -> None:
    st.file_uploader(
        "Validation rows of your own",
        key=Own.ROWS_FILE,
        max_upload_size=MAX_MEGABYTES,
        help="A file with the same columns. It takes the place of the validation rows, and stays in this session.",
        on_change=_take,
    )
    if now.rows is not None:
        st.caption(plain(f"Validated on {wording.plain(now.rows.name)}, {wording.rows(len(now.rows.frame))}."))
        st.button("Back to the rows of the split", on_click=page.take_rows, args=(None, ""))
    elif st.session_state.get(Own.ROWS_FILE) is not None:
        read = _read()
        if isinstance(read, EngineError):
            complain(read)


def _counts(tables: tuple[Table, ...]) -> list[list[str]]:
    lines = [["rows", *(f"{table.n_rows:,}" for table in tables)]]
    target = tables[0].target
    if target.kind is TargetKind.CLASSES:
        for name in target.classes[:_MOST_CLASSES]:
            counted = [_of_class(table, name) for table in tables]
            lines.append([wording.plain(name, 14), *(f"{n:,}" for n in counted)])
    return lines


def _of_class(table: Table, name: str) -> int:
    """Rows of a class; uploaded rows may have other classes, in other places."""
    code = table.target.classes.index(name) if name in table.target.classes else -1
    return int((table.target_values == code).sum())


def _take() -> None:
    read = _read()
    if isinstance(read, RawFrame):
        key = hashlib.blake2b(read.frame.to_csv(index=False).encode("utf-8", "surrogatepass"), digest_size=12)
        page.take_rows(read, key.hexdigest())
    elif read is None:
        page.take_rows(None, "")


def _read() -> RawFrame | EngineError | None:
    """The cells of the file, or why they cannot be read."""
    file = st.session_state.get(Own.ROWS_FILE)
    if file is None:
        return None
    try:
        check_size(file.size)
        raw = read_frame(file)
        check_shape(raw.frame)
    except EngineError as error:
        return error
    return raw
