"""Bagging and random forests: every member is grown from a bootstrap sample, and all vote.

Sources: Breiman 1996; Ho 1998 (features drawn for a member); Breiman 2001 (at each split).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.ensembles.base import Base
from engine.ensembles.draws import bootstrap, generator, plan_member
from engine.ensembles.members import Member, Plan
from engine.ensembles.settings import EnsembleSettings
from engine.ensembles.workers import grow_members
from engine.table import AnyArray


def bag(base: Base, settings: EnsembleSettings, n_jobs: int | None) -> Iterator[Member]:
    """The members, in order."""
    plans = [_plan(base, settings, index) for index in range(settings.n_members)]
    for index, grown in enumerate(grow_members(base, plans, n_jobs)):
        error = own_error(base, grown.answers)
        yield Member(grown.nodes, grown.answers, index, base, plans[index], error=error)


def own_error(base: Base, answers: AnyArray) -> float:
    """The share of all rows that a member gets wrong; for a number its mean squared error."""
    truth = base.table.target_values
    off = answers != truth if base.table.n_classes else np.square(answers - truth)
    return float(off.mean())


def _plan(base: Base, settings: EnsembleSettings, index: int) -> Plan:
    rng = generator(settings, index)
    sample = bootstrap(rng, base.n_rows)
    if index < len(settings.draws):
        sample = np.sort(np.array(settings.draws[index], dtype=np.int64))
    return plan_member(settings, base.table, index, rng, sample=sample)
