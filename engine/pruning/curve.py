"""The curve of a pruning: size, training and validation error of the tree after each stage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.metrics import Landing, losses
from engine.pruning.shrinking import Shrinking
from engine.pruning.task import Costs, Rows, Task
from engine.table import FloatArray, IntArray
from engine.tree import Tree

Stages = Sequence[Sequence[int]]
"""The splits that go in each stage, those below others first."""


@dataclass(frozen=True, eq=False)
class Course:
    """The full tree and the tree after each stage, shape (1 + n_stages,); errors are None without rows."""

    n_leaves: IntArray
    train_error: FloatArray | None
    validation_error: FloatArray | None


def course(task: Task, stages: Stages) -> Course:
    """Sizes and errors along the stages."""
    tree, rows = task.tree, task.rows
    training, validation = rows.training, rows.validation
    if validation is not None and not validation.n_rows:
        validation = None
    nothing = np.zeros(len(tree.nodes))
    known = Costs(task.errors, nothing, task.size) if training is None else rows.training_costs
    unseen = Costs(nothing, nothing, nothing) if validation is None else rows.validation_costs
    n_leaves, totals = _replay(tree, stages, [known, unseen])
    if training is not None:
        train: FloatArray | None = _errors(tree, training, stages, totals[0])
    else:
        train = totals[0] / task.size[0] if task.size[0] else None
    return Course(n_leaves, train, None if validation is None else _errors(tree, validation, stages, totals[1]))


def stage_errors(tree: Tree, landing: Landing, stages: Stages) -> FloatArray:
    """Errors along the stages of rows that were followed down, shape (1 + n_stages,)."""
    costs = Rows(tree, landing).validation_costs
    return _errors(tree, landing, stages, _replay(tree, stages, [costs])[1][0])


def losses_along(tree: Tree, landing: Landing, stages: Stages) -> Sequence[FloatArray]:
    """What each row costs, in the full tree and after each stage: arrays of shape (n_rows,)."""
    answers = np.arange(len(tree.nodes))
    found = [losses(tree, landing, answers)]
    for stage in stages:
        for node in stage:
            answers[node : tree.nodes.subtree_end[node]] = node
        found.append(losses(tree, landing, answers))
    return found


def _errors(tree: Tree, landing: Landing, stages: Stages, totals: FloatArray) -> FloatArray:
    """Costs add up over the leaves; but the predictions of rows in parts are mixed from several."""
    if landing.in_parts:
        return np.array([lost.mean() for lost in losses_along(tree, landing, stages)])
    return totals / landing.n_rows


def _replay(tree: Tree, stages: Stages, costs: Sequence[Costs]) -> tuple[IntArray, FloatArray]:
    """Leaves, shape (1 + n_stages,), and costs of each kind, shape (n_kinds, 1 + n_stages), along the stages."""
    state = Shrinking(tree, np.array([kind.leaf for kind in costs]), np.array([kind.rest for kind in costs]))
    sizes, totals = [state.n_leaves[0]], [state.cost[:, 0].copy()]
    for stage in stages:
        for node in stage:
            state.prune(node)
        sizes.append(state.n_leaves[0])
        totals.append(state.cost[:, 0].copy())
    return np.array(sizes), np.maximum(np.array(totals).T, 0.0)
