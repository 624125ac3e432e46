"""Reduced error pruning, greedy: each time the split goes whose going leaves the least validation error.

It stops where even the best would leave more than there is. Source: Mitchell 1997, section 3.7.1.1.
"""

from __future__ import annotations

import numpy as np

from engine.pruning.decisions import PruningDecision, Reason, Verdict
from engine.pruning.shrinking import CLOSE, Shrinking, near
from engine.pruning.task import Task, compared


def decide(task: Task) -> list[PruningDecision]:
    """Decisions in the order of pruning, and a last one to keep the best of the splits that must stay.

    Costs are validation errors (squared errors of a number) of the whole tree; of equals the lowest
    id goes.
    """
    costs = task.rows.validation_costs
    state = Shrinking(task.tree, costs.leaf, costs.rest)
    decisions: list[PruningDecision] = []
    while len(splits := np.flatnonzero(state.is_split)):
        gain = state.cost[splits] - costs.leaf[splits]
        now = float(state.cost[0])
        node = int(splits[(gain >= gain.max() - CLOSE * now).argmax()])
        then = near(now, now - float(state.cost[node] - costs.leaf[node]))
        verdict = Verdict.PRUNE if then <= now else Verdict.KEEP
        reason = compared(now, then) if costs.n_rows[node] else Reason.NO_VALIDATION_ROWS
        decisions.append(
            PruningDecision(
                index=len(decisions),
                node=node,
                verdict=verdict,
                kept_cost=now,
                pruned_cost=then,
                reason=reason,
                n_leaves=int(state.n_leaves[node]),
                n_rows=float(costs.n_rows[node]),
            )
        )
        if verdict is Verdict.KEEP:
            break
        state.prune(node)
    return decisions
