"""Pessimistic pruning: C4.5's error-based pruning, by what the training errors may become on new rows.

Subtree replacement alone: no branch is raised. Source: Quinlan 1993, section 4.2.
"""

from __future__ import annotations

import numpy as np

from engine.estimates import pessimistic_errors
from engine.pruning.decisions import PruningDecision
from engine.pruning.task import Costs, Task, decide_bottom_up


def costs(task: Task) -> Costs:
    """The estimated errors of each node as a leaf; an empty one has none."""
    task.require_training_rows()
    settings = task.settings
    estimated = pessimistic_errors(task.size, task.errors, settings.confidence, settings.binomial)
    return Costs(np.asarray(estimated), np.zeros(len(task.size)), task.size)


def decide(task: Task) -> list[PruningDecision]:
    """One decision a split: the sum of its leaves' estimates against its own as a leaf."""
    return decide_bottom_up(task, costs(task))
