"""prune(): a finished tree taken back, one decision at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.errors import SettingsError
from engine.growth import Growth
from engine.metrics import land
from engine.pruning import (
    chi_square,
    cost_complexity,
    minimum_description_length,
    pessimistic,
    reduced_error,
    reduced_error_greedy,
)
from engine.pruning.cost_complexity import Stage
from engine.pruning.cross_validation import CrossValidation, cross_validate, smallest_of_least
from engine.pruning.curve import Course, course, stage_errors
from engine.pruning.decisions import CurvePoint, PruningDecision, PruningEvent, Term
from engine.pruning.endings import Endings, endings
from engine.pruning.settings import PruningMethod, PruningSettings, Selection
from engine.pruning.task import Costs, Rows, Task
from engine.table import IntArray, Table
from engine.trace import Step, Trace
from engine.tree import Tree


@dataclass(frozen=True, eq=False)
class PruningStep(Step):
    """A step of a pruning; `tree` is the tree as it stood after it."""

    event: PruningEvent
    pruning: Pruning

    @property
    def decision(self) -> PruningDecision | None:
        """What was decided; None at the start."""
        return self.pruning.decisions[self.index - 1] if self.index else None

    @property
    def tree(self) -> Tree:
        """The tree after this step: a view on the full one."""
        return self.pruning.tree_after(self.index)


class Pruning(Trace[PruningStep]):
    """A pruned tree and the decisions that led to it.

    Step 0 is the full tree, step i + 1 follows ``decisions[i]``.

    Attributes
    ----------
    growth : Growth or None
        None where the tree was given by hand.
    full : Tree
        The tree before.
    settings : PruningSettings
    validation : Table or None
    decisions : tuple of PruningDecision
    stages : tuple of tuple of int
        The splits that go together: one a stage, but for cost complexity all links with the same g;
        there the stages run on to the root.
    chosen : int
        The point of the curve, and the number of stages, of the tree that is left.
    """

    def __init__(self, task: Task, validation: Table | None) -> None:
        self._task = task
        self.growth, self.full, self.settings, self.validation = task.growth, task.tree, task.settings, validation
        self._sequence: list[Stage] = []
        self._cross_validation: CrossValidation | None = None
        if self.settings.method is PruningMethod.COST_COMPLEXITY:
            self._sequence = cost_complexity.stages(task)
            self.stages = tuple(stage.nodes for stage in self._sequence)
            self.chosen = self._choose()
            decided: Sequence[PruningDecision] = cost_complexity.decide(self._sequence, self.chosen, task.size)
        else:
            decided = _METHODS[self.settings.method](task)
            self.stages = tuple((decision.node,) for decision in decided if decision.is_pruned)
            self.chosen = len(self.stages)
        self.decisions = tuple(decided)

    def __len__(self) -> int:
        return 1 + len(self.decisions)

    def _step(self, index: int) -> PruningStep:
        if index == 0:
            return PruningStep(0, PruningEvent.STARTED, 0, self)
        decision = self.decisions[index - 1]
        return PruningStep(index, PruningEvent(decision.verdict.value), decision.node, self)

    @property
    def pruned_nodes(self) -> tuple[int, ...]:
        """The splits that went, in order; ids of the full tree."""
        return tuple(decision.node for decision in self.decisions if decision.is_pruned)

    @cached_property
    def tree(self) -> Tree:
        """The tree that is left: a view on the full one, whose ids it keeps."""
        return self.tree_after(len(self.decisions))

    @cached_property
    def endings(self) -> Endings:
        """When each node of the full tree ends, and the leaves after each step."""
        return endings(self.full, self.decisions)

    def tree_after(self, step: int) -> Tree:
        """The tree as it stood after a step."""
        return self._without([d.node for d in self.decisions[:step] if d.is_pruned])

    def tree_at(self, point: int) -> Tree:
        """The tree at a point of the curve, also beyond the one that was chosen."""
        return self._without([node for stage in self.stages[:point] for node in stage])

    def point_after(self, step: int) -> int:
        """The point of the curve that the tree has reached after a step; within a stage, the one before."""
        n_pruned = int(self._n_pruned[step])
        ends = np.cumsum([len(stage) for stage in self.stages])
        return int(np.searchsorted(ends, n_pruned, side="right"))

    @cached_property
    def curve(self) -> tuple[CurvePoint, ...]:
        """The full tree, then one point a stage; for cost complexity down to the root, whatever was chosen."""
        train, validation = self._course.train_error, self._course.validation_error
        crossed = self._cross_validation
        alphas = [0.0, *(stage.alpha for stage in self._sequence)] if self._is_sequence else None
        steps = self._step_of_point
        return tuple(
            CurvePoint(
                index=index,
                n_leaves=size,
                train_error=None if train is None else float(train[index]),
                validation_error=None if validation is None else float(validation[index]),
                alpha=None if alphas is None else alphas[index],
                step=steps.get(index),
                cross_validation_error=None if crossed is None else float(crossed.error[index]),
                standard_error=None if crossed is None else float(crossed.standard_error[index]),
            )
            for index, size in enumerate(self._course.n_leaves.tolist())
        )

    def errors(self, table: Table) -> tuple[float, ...]:
        """The error at each point of the curve on any rows, such as a test set.

        Raises
        ------
        QueryError
            If the table does not fit the tree.
        SettingsError
            If it has no rows.
        """
        landing = land(self.full, table)
        if not landing.n_rows:
            raise SettingsError(f"the table {table.name!r} has no rows to measure an error on; give at least one.")
        return tuple(stage_errors(self.full, landing, self.stages).tolist())

    @cached_property
    def costs(self) -> Costs | None:
        """Each node's cost as a leaf in the terms of the method, not divided by all rows; None for chi-square."""
        match self.settings.method:
            case PruningMethod.REDUCED_ERROR | PruningMethod.REDUCED_ERROR_GREEDY:
                return self._task.rows.validation_costs
            case PruningMethod.COST_COMPLEXITY:
                return cost_complexity.costs(self._task)
            case PruningMethod.PESSIMISTIC:
                return pessimistic.costs(self._task)
            case PruningMethod.MINIMUM_DESCRIPTION_LENGTH:
                return minimum_description_length.costs(self._task)
            case PruningMethod.CHI_SQUARE:
                return None

    def terms(self, index: int) -> tuple[Term, ...]:
        """What adds up to the cost of the subtree that decision `index` is about, depth-first.

        Costs are those of `costs`. For greedy pruning they are the node's own share of the whole
        tree's. None for chi-square.
        """
        costs, decision = self.costs, self.decisions[index]
        if costs is None:
            return ()
        tree = self._before(index)
        inside = np.arange(decision.node, tree.nodes.subtree_end[decision.node])
        here = inside[tree.is_visible[inside]]
        leaf = ~tree.is_split[here]
        shown = leaf | (costs.rest[here] != 0)
        return tuple(
            Term(node, is_leaf, float(costs.n_rows[node]), float((costs.leaf if is_leaf else costs.rest)[node]))
            for node, is_leaf in zip(here[shown].tolist(), leaf[shown].tolist(), strict=True)
        )

    def decision_of(self, node: int) -> PruningDecision | None:
        """The decision that settled a split: its own, or that of the split above it which took it along.

        None for a leaf, and for a split that was never in question and stayed.
        """
        index = int(self.endings.settled[node])
        return None if index < 0 else self.decisions[index]

    @property
    def _is_sequence(self) -> bool:
        return self.settings.method is PruningMethod.COST_COMPLEXITY

    @cached_property
    def _n_pruned(self) -> IntArray:
        """Splits that went, after each step."""
        return np.cumsum([0, *(decision.is_pruned for decision in self.decisions)])

    @cached_property
    def _course(self) -> Course:
        return course(self._task, self.stages)

    @cached_property
    def _step_of_point(self) -> dict[int, int]:
        found, waiting = {0: 0}, [len(stage) for stage in self.stages]
        for decision in self.decisions:
            if decision.is_pruned:
                waiting[len(found) - 1] -= 1
                if not waiting[len(found) - 1]:
                    found[len(found)] = decision.index + 1
        return found

    def _choose(self) -> int:
        settings = self.settings
        if settings.alpha is not None:
            return cost_complexity.n_stages_at(self._sequence, settings.alpha)
        if settings.selection is Selection.CROSS_VALIDATION:
            if self.growth is None:
                raise SettingsError(
                    "cross-validation grows trees anew, and this tree was given; choose by validation rows or an alpha."
                )
            self._cross_validation = cross_validate(self.growth, settings, self._sequence)
            return self._cross_validation.choose(settings.standard_errors)
        errors = self._course.validation_error
        assert errors is not None
        return smallest_of_least(errors)

    def _before(self, index: int) -> Tree:
        """The tree that a decision was made on: for cost complexity, as its stage found it."""
        if not self._is_sequence:
            return self.tree_after(index)
        gone, stage = 0, 0
        while stage < len(self.stages) and gone + len(self.stages[stage]) <= index:
            gone += len(self.stages[stage])
            stage += 1
        return self.tree_at(stage)

    def _without(self, nodes: list[int]) -> Tree:
        """The full tree without these splits; those below another of them are not named twice."""
        top: list[int] = []
        for node in sorted(nodes):
            if not top or node >= self.full.nodes.subtree_end[top[-1]]:
                top.append(node)
        return self.full.collapse(tuple(top))


_METHODS: dict[PruningMethod, Callable[[Task], Sequence[PruningDecision]]] = {
    PruningMethod.REDUCED_ERROR: reduced_error.decide,
    PruningMethod.REDUCED_ERROR_GREEDY: reduced_error_greedy.decide,
    PruningMethod.PESSIMISTIC: pessimistic.decide,
    PruningMethod.CHI_SQUARE: chi_square.decide,
    PruningMethod.MINIMUM_DESCRIPTION_LENGTH: minimum_description_length.decide,
}


def prune(growth: Growth | Tree, settings: PruningSettings, validation: Table | None = None) -> Pruning:
    """Take a tree back.

    Parameters
    ----------
    growth : Growth or Tree
        A finished growth, or a tree that was entered by hand or read from a file.
    settings : PruningSettings
    validation : Table, optional
        Rows that the tree was not grown from; the errors of the curve are measured on them whatever
        the method.

    Returns
    -------
    Pruning
        The pruned tree with its trace.

    Raises
    ------
    SettingsError
        If the method is not defined for the target, or needs rows that are not there.
    QueryError
        If the validation rows do not fit the tree.
    """
    tree = growth if isinstance(growth, Tree) else growth.tree
    return prune_over(growth, settings, validation, Rows(tree, None if validation is None else land(tree, validation)))


def prune_over(growth: Growth | Tree, settings: PruningSettings, validation: Table | None, rows: Rows) -> Pruning:
    """prune(), where the rows were followed down before: for several prunings of one tree."""
    settings.check(rows.tree.source.target)
    if settings.needs_validation and (validation is None or not validation.n_rows):
        got = "none were given" if validation is None else f"the table {validation.name!r} has none"
        other = "give an alpha" if settings.method is PruningMethod.COST_COMPLEXITY else "choose another method"
        raise SettingsError(
            f"the method {settings.method} decides on validation rows, and {got}; "
            f"set some aside before growing, or {other}."
        )
    return Pruning(Task(rows, settings, None if isinstance(growth, Tree) else growth), validation)
