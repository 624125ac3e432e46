"""Reduced error pruning, bottom-up: a subtree goes where a leaf makes no more errors on the validation rows.

Sources: Quinlan 1987; Kelleher, Mac Namee and D'Arcy 2015, section 4.4.4.
"""

from __future__ import annotations

from dataclasses import replace

from engine.pruning.decisions import PruningDecision, Reason
from engine.pruning.task import Task, decide_bottom_up


def decide(task: Task) -> list[PruningDecision]:
    """One decision a split; costs are validation errors at the node, or sums of squared errors."""
    return [
        decision if decision.n_rows else replace(decision, reason=Reason.NO_VALIDATION_ROWS)
        for decision in decide_bottom_up(task, task.rows.validation_costs)
    ]
