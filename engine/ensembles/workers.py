"""Many members at once: in this process, or in worker processes by joblib.

joblib's backend decides where the workers are: ``with joblib.parallel_config(backend="dask")`` (or
Ray's) sends them to other machines. What comes back does not depend on it, for every random number
of a member is drawn from the ensemble's seed and the member's place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import BrokenExecutor

import joblib

from engine.ensembles.base import Base
from engine.ensembles.members import Grown, Plan, can_grow_together, grow_member, grow_together
from engine.table import Table

WORTH_WORKERS = 2.0
"""Estimated seconds of work from which worker processes save more time than they take to start.

Measured on two cores that had other work, too: of less work two processes saved nothing. 0.3 s of it (1.0 s
alone) took them 2.7 s, and 14 s where they had yet to be started; 2 s of it (3.6 s alone) 1.7 to 3.1 s.
"""

_A_TREE, _A_VALUE = 1e-3, 5e-7
_WAVE = 0.5
_ROWS_AT_ONCE = 100_000


def grow_members(base: Base, plans: Sequence[Plan], n_jobs: int | None = None) -> Iterator[Grown]:
    """Grow members that do not depend on each other, in order; stop asking, and no more are grown.

    Workers are given one wave of members after the other, each about half a second's work. So a stop
    leaves nothing behind, and the workers, which others in this process may be using, are never
    interrupted.

    Parameters
    ----------
    base : Base
    plans : sequence of Plan
    n_jobs : int, optional
        Processes; by default one for little work, else one a core.
    """
    jobs = n_workers(base.table, len(plans)) if n_jobs is None else int(joblib.effective_n_jobs(n_jobs))
    if jobs < 2 or len(plans) < 2:
        size = at_once(base.table)
        for start in range(0, len(plans), size):
            yield from grow_batch(base, plans[start : start + size])
        return
    size = max(1, min(round(_WAVE / seconds(base.table, 1)), -(-len(plans) // jobs)))
    with joblib.Parallel(n_jobs=jobs, batch_size=1) as parallel:
        for start in range(0, len(plans), jobs * size):
            wave = plans[start : start + jobs * size]
            yield from _wave(parallel, base, [wave[first : first + size] for first in range(0, len(wave), size)])


def n_workers(table: Table, n_members: int) -> int:
    """Processes that are worth starting for so many members."""
    return 1 if seconds(table, n_members) < WORTH_WORKERS else int(joblib.effective_n_jobs(-1))


def seconds(table: Table, n_members: int) -> float:
    """About how long so many members of full depth take in one process."""
    return n_members * (_A_TREE + _A_VALUE * table.n_rows * len(table.features))


def _wave(parallel: joblib.Parallel, base: Base, batches: Sequence[Sequence[Plan]]) -> Iterator[Grown]:
    try:
        grown = parallel(joblib.delayed(grow_batch)(base, batch) for batch in batches)
    except BrokenExecutor:  # a worker was killed, perhaps for its memory
        grown = [grow_batch(base, batch) for batch in batches]
    for batch in grown:
        yield from batch


def at_once(table: Table) -> int:
    """Members that are grown together."""
    return max(1, _ROWS_AT_ONCE // max(table.n_rows, 1))


def grow_batch(base: Base, plans: Sequence[Plan]) -> list[Grown]:
    """The members of one batch: level by level together where they can be."""
    if len(plans) < 2 or not can_grow_together(base, plans):
        return [grow_member(base, plan) for plan in plans]
    size = at_once(base.table)
    parts = [plans[start : start + size] for start in range(0, len(plans), size)]
    return [grown for part in parts for grown in grow_together(base, part)]
