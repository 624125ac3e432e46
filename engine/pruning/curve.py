"""The curve of a pruning: size, training and validation error of the tree after each stage."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.metrics import Landing, leaf_costs, losses, resting_costs, training_landing
from engine.pruning.shrinking import Shrinking
from engine.pruning.task import Task
from engine.table import FloatArray, IntArray
from engine.tree import Tree

Stages = Sequence[Sequence[int]]
"""The splits that go in each stage, those below others first."""


def sizes(tree: Tree, stages: Stages) -> IntArray:
    """Leaves of the full tree and after each stage, shape (1 + n_stages,)."""
    state = Shrinking(tree, np.zeros(len(tree.nodes)))
    found = [int(state.n_leaves[0])]
    for stage in stages:
        _prune(state, stage)
        found.append(int(state.n_leaves[0]))
    return np.array(found)


def train_errors(task: Task, stages: Stages) -> FloatArray | None:
    """Training error of the full tree and after each stage; None where no training row is known."""
    tree = task.tree
    if tree.table.n_rows:
        return errors(tree, training_landing(tree), stages)
    total = float(task.size[0])
    return _totals(Shrinking(tree, task.errors), stages) / total if total else None


def errors(tree: Tree, landing: Landing, stages: Stages) -> FloatArray:
    """Error of the full tree and after each stage, on rows that were followed down, shape (1 + n_stages,)."""
    if landing.in_parts:
        return np.array([lost.mean() for lost in losses_along(tree, landing, stages)])
    rest = np.where(tree.is_split, resting_costs(tree, landing), 0.0)
    return _totals(Shrinking(tree, leaf_costs(tree, landing), rest), stages) / landing.n_rows


def losses_along(tree: Tree, landing: Landing, stages: Stages) -> Sequence[FloatArray]:
    """What each row costs, in the full tree and after each stage: arrays of shape (n_rows,)."""
    answers = np.arange(len(tree.nodes))
    found = [losses(tree, landing, answers)]
    for stage in stages:
        for node in stage:
            answers[node : tree.nodes.subtree_end[node]] = node
        found.append(losses(tree, landing, answers))
    return found


def _totals(state: Shrinking, stages: Stages) -> FloatArray:
    totals = [float(state.cost[0])]
    for stage in stages:
        _prune(state, stage)
        totals.append(float(state.cost[0]))
    return np.maximum(totals, 0.0)


def _prune(state: Shrinking, stage: Sequence[int]) -> None:
    for node in stage:
        state.prune(node)
