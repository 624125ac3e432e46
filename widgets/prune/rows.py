"""The rows of the Prune page: the three parts, and validation rows of the student's own."""

from __future__ import annotations

from dataclasses import replace

from engine import Table
from engine.holdout import ThreeWaySplit, split_three
from engine.ingest import RawFrame
from engine.pruning.alike import read_alike
from widgets import cached, state
from widgets.cached import Cached
from widgets.prune import state as page
from widgets.prune.pruner import Origin, Pruner
from widgets.session import CurrentData


def _split(data: CurrentData, validation: float, test: float, seed: int) -> ThreeWaySplit:
    return split_three(cached.table(data), validation, test, seed)


def _read(_: CurrentData, key: str, _raw: RawFrame, table: Table) -> Table:  # noqa: ARG001 - the key names the rows
    return read_alike(table, _raw)


split = Cached(_split, shared=48, own=4)
"""The rows in three parts."""
_uploaded = Cached(_read, shared=2, own=2)


def held(now: Pruner, parts: ThreeWaySplit) -> Table:
    """The validation rows: those of the split, or uploaded ones, read like the table.

    Raises
    ------
    EngineError
        If the uploaded rows cannot be read so.
    """
    if now.rows is None:
        return parts.validation
    data = private(now)
    return _uploaded(data, now.rows_key, now.rows, cached.table(data))


def private(now: Pruner) -> CurrentData:
    """The data, as the session's own where the tree or the validation rows are."""
    return replace(state.data(), edited=True) if now.private else state.data()


def shares(now: Pruner) -> tuple[float, float, int]:
    """Of validation and test rows, and the seed; nothing is set aside for validation where rows were uploaded."""
    return (now.validation if now.rows is None else 0.0, now.test, now.seed)


def all_validate(now: Pruner) -> bool:
    """Whether the tree was not made of these rows, so that every one of them can judge it."""
    return now.rows is None and not (page.origin() is Origin.GROWN or (page.origin() is Origin.OWN and now.counted))
