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
from engine.ensembles.members import Grown, Plan, grow_member
from engine.table import Table

WORTH_A_PROCESS = 3_000_000
"""Values (rows · features · members) from which worker processes save more time than they take to start."""

_BATCHES_A_WORKER = 8


def grow_members(base: Base, plans: Sequence[Plan], n_jobs: int | None = None) -> Iterator[Grown]:
    """Grow members that do not depend on each other, in order; stop asking, and no more are grown.

    `n_jobs` is the number of processes; None takes one for little work, else one a core.
    """
    jobs = n_workers(base.table, len(plans)) if n_jobs is None else int(joblib.effective_n_jobs(n_jobs))
    if jobs < 2 or len(plans) < 2:
        for plan in plans:
            yield grow_member(base, plan)
        return
    size = max(1, len(plans) // (jobs * _BATCHES_A_WORKER))
    batches = [plans[start : start + size] for start in range(0, len(plans), size)]
    grown = joblib.Parallel(n_jobs=jobs, return_as="generator")(
        joblib.delayed(_grow_batch)(base, batch) for batch in batches
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


def _grow_batch(base: Base, plans: Sequence[Plan]) -> list[Grown]:
    """The members of one batch: the place for a growth of many trees at once."""
    return [grow_member(base, plan) for plan in plans]
