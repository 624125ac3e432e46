"""Many members at once: in this process, or in worker processes by joblib.

joblib's backend decides where the workers are: ``with joblib.parallel_config(backend="dask")`` (or
Ray's) sends them to other machines. What comes back does not depend on it, for every random number
of a member is drawn from the ensemble's seed and the member's place.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence

import joblib

from engine.ensembles.base import Base
from engine.ensembles.members import Grown, Plan, can_grow_together, grow_member, grow_together
from engine.table import Table

WORTH_A_PROCESS = 3_000_000
"""Values (rows · features · members) from which worker processes save more time than they take to start."""

_BATCHES_A_WORKER = 8
_ROWS_AT_ONCE = 100_000


def grow_members(base: Base, plans: Sequence[Plan], n_jobs: int | None = None) -> Iterator[Grown]:
    """Grow members that do not depend on each other, in order; stop asking, and no more are grown.

    `n_jobs` is the number of processes; None takes one for little work, else one a core.
    """
    jobs = n_workers(base.table, len(plans)) if n_jobs is None else int(joblib.effective_n_jobs(n_jobs))
    if jobs < 2 or len(plans) < 2:
        for start in range(0, len(plans), at_once(base.table)):
            yield from grow_batch(base, plans[start : start + at_once(base.table)])
        return
    size = max(1, min(at_once(base.table), len(plans) // (jobs * _BATCHES_A_WORKER)))
    batches = [plans[start : start + size] for start in range(0, len(plans), size)]
    grown = joblib.Parallel(n_jobs=jobs, return_as="generator")(
        joblib.delayed(grow_batch)(base, batch) for batch in batches
    )
    try:
        for batch in grown:
            yield from batch
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that work was cancelled is what was asked for
            grown.close()


def n_workers(table: Table, n_members: int) -> int:
    """Processes that are worth starting for so many members."""
    work = table.n_rows * len(table.features) * n_members
    return 1 if work < WORTH_A_PROCESS else int(joblib.effective_n_jobs(-1))


def at_once(table: Table) -> int:
    """Members that are grown together."""
    return max(1, _ROWS_AT_ONCE // max(table.n_rows, 1))


def grow_batch(base: Base, plans: Sequence[Plan]) -> list[Grown]:
    """The members of one batch: level by level together where they can be."""
    if len(plans) > 1 and can_grow_together(base, plans):
        return grow_together(base, plans)
    return [grow_member(base, plan) for plan in plans]
