"""Chi-square pruning: a split above leaves goes where its branches may differ by chance alone.

Source: Quinlan 1986, section 5, after growing; Kelleher, Mac Namee and D'Arcy 2015, section 4.4.4.
"""

from __future__ import annotations

import numpy as np

from engine.pruning.decisions import ChiSquareDecision, Reason, Verdict
from engine.pruning.shrinking import Shrinking, bottom_up
from engine.pruning.task import Task
from engine.significance import chi_squares


def decide(task: Task) -> list[ChiSquareDecision]:
    """Decisions over the splits whose branches are all leaves when their turn comes, bottom-up.

    `kept_cost` is the p value, `pruned_cost` the level of significance.
    """
    task.require_training_rows()
    nodes, level = task.tree.nodes, float(task.settings.significance)
    statistic, freedom, p_values = chi_squares(nodes.counts[1:], nodes.parent[1:], len(nodes))
    state = Shrinking(task.tree, np.zeros(len(nodes)))
    decisions: list[ChiSquareDecision] = []
    for node in bottom_up(task.tree):
        children = task.tree.children(node)
        if not state.is_leaf[children].all():
            continue
        p_value = float(p_values[node])
        prune = level < p_value
        decisions.append(
            ChiSquareDecision(
                index=len(decisions),
                node=node,
                verdict=Verdict.PRUNE if prune else Verdict.KEEP,
                kept_cost=p_value,
                pruned_cost=level,
                reason=Reason.NOT_SIGNIFICANT if prune else Reason.SIGNIFICANT,
                n_leaves=len(children),
                n_rows=float(task.size[node]),
                statistic=float(statistic[node]),
                degrees_of_freedom=int(freedom[node]),
                p_value=p_value,
            )
        )
        if prune:
            state.prune(node)
    return decisions
