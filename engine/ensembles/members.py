"""A member of an ensemble: a tree with what it was grown from, and a growth that can be opened."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from engine.ensembles.base import RESIDUAL, Base
from engine.ensembles.routing import Rows, answers
from engine.growth import Growth, grow_nodes, row_weights_of
from engine.nodes import Nodes
from engine.prepare import prepare
from engine.search import is_searched, search_forest
from engine.settings import GrowthSettings
from engine.table import AnyArray, FloatArray, IntArray, Table
from engine.tree import Tree


@dataclass(frozen=True, eq=False)
class Plan:
    """What one member is to be grown from.

    Attributes
    ----------
    settings : GrowthSettings
    sample : ndarray of int64, or None
        Positions in the base's table, ascending, with repeats; None takes every row once.
    features : tuple of int, or None
        The features drawn for the member; None leaves it all.
    weights : ndarray of float64, shape (n_rows,), or None
        What each row counts.
    residuals : ndarray of float64, shape (n_rows,), or None
        What is fitted in place of the target.
    """

    settings: GrowthSettings
    sample: IntArray | None = None
    features: tuple[int, ...] | None = None
    weights: FloatArray | None = None
    residuals: FloatArray | None = None

    def table(self, base: Base) -> Table:
        """The rows that the member is grown from."""
        table = base.table if self.features is None else base.table.only(self.features)
        if self.residuals is not None:
            table = table.with_target(RESIDUAL, self.residuals)
        # A branch for missing values exists wherever the whole table lacks some.
        return table if self.sample is None else table.take(self.sample, recount=False)


@dataclass(frozen=True, eq=False)
class Grown:
    """A member's nodes, and what they say of every row of the base's table, shape (n_rows,)."""

    nodes: Nodes
    answers: AnyArray


@dataclass(frozen=True, eq=False)
class Member(Grown):
    """One tree of an ensemble.

    Attributes
    ----------
    nodes : Nodes
        Of the finished tree. Under gradient boosting `prediction` is what is added, before the
        learning rate: for log loss it is not the mean of the residuals, which `mean` keeps.
    answers : ndarray of shape (n_rows,)
        What the tree says of every row of the ensemble's table: class codes, or numbers.
    index : int
    base : Base
    plan : Plan
    weights : ndarray of float64, shape (n_rows,), or None
        AdaBoost: what each row counts, adding up to 1.
    error : float or None
        AdaBoost: ε, the weight of the mistakes. Bagging and forests: the member's own error on all
        rows, a share or a mean squared error.
    confidence : float or None
        AdaBoost: the weight of the member's vote.
    round : int or None
        Gradient boosting: the round, counted from 0.
    of_class : int or None
        Gradient boosting of several classes: the class that the tree speaks for.
    """

    index: int
    base: Base
    plan: Plan
    weights: FloatArray | None = None
    error: float | None = None
    confidence: float | None = None
    round: int | None = None
    of_class: int | None = None

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int((self.nodes.feature < 0).sum())

    @property
    def sample(self) -> IntArray | None:
        """Positions of the rows it was grown from, with repeats; None where it had every row once."""
        return self.plan.sample

    @property
    def features(self) -> tuple[int, ...] | None:
        """The features drawn for it; None where it could use all."""
        return self.plan.features

    @property
    def residuals(self) -> FloatArray | None:
        """What was fitted in place of the target, a number a row."""
        return self.plan.residuals

    @cached_property
    def times_drawn(self) -> IntArray | None:
        """How often each row is in the sample, shape (n_rows,)."""
        return None if self.sample is None else np.bincount(self.sample, minlength=self.base.n_rows)

    @cached_property
    def model(self) -> Tree:
        """The finished tree with features numbered as in the ensemble's table: what answers for rows."""
        return model_of(self.base, self.plan, self.nodes)

    @cached_property
    def growth(self) -> Growth:
        """The member as a growth of its own rows, to be opened and stepped."""
        plan, table = self.plan, self.plan.table(self.base)
        rules = plan.settings.resolved(table)
        weights = row_weights_of(table, plan.settings, plan.weights)
        prepared = prepare(table, rules.missing)
        tree = Tree(
            nodes=self.nodes,
            table=prepared,
            source=table,
            missing=rules.missing,
            weights=weights,
            _fills=self._fills,
        )
        return Growth(table, prepared, plan.settings, rules, tree, {}, weights)

    @property
    def _fills(self) -> dict[int, float]:
        fills, features = self.base.fills, self.plan.features
        return fills if features is None else {place: fills[f] for place, f in enumerate(features) if f in fills}

    def answer(self, rows: Rows) -> AnyArray:
        """What the tree says of any rows: class codes, or numbers, shape (n_rows,)."""
        return answers(self.model, rows)


def grow_member(base: Base, plan: Plan, values: Callable[[Nodes], FloatArray] | None = None) -> Grown:
    """Grow one member as `engine.grow` does, and let it answer for every row.

    `values`, of shape (n_nodes,), replace what the nodes say.
    """
    table = plan.table(base)
    nodes = grow_nodes(table, plan.settings, row_weights_of(table, plan.settings, plan.weights))
    if values is not None:
        nodes = replace(nodes, prediction=values(nodes))
    if plan.sample is None and nodes.parts is None:
        said = nodes.prediction[nodes.leaf_of_row]
    else:
        said = answers(model_of(base, plan, nodes), base.rows)
    return Grown(nodes, said if base.table.n_classes == 0 or plan.residuals is not None else _small(said, base))


def can_grow_together(base: Base, plans: Sequence[Plan]) -> bool:
    """Whether the members are trees of whole rows of one table by the same settings, but for the seed."""
    alike = {replace(plan.settings, seed=0) for plan in plans}
    settings = plans[0].settings
    return (
        len(alike) == 1
        and all(plan.sample is not None and plan.features is None and plan.weights is None for plan in plans)
        and all(plan.residuals is None for plan in plans)
        and settings.class_weights is None
        and settings.significance is None
        and not settings.holdout_stop
        and not settings.choices
        and not any(feature.n_missing for feature in base.table.features)
        and is_searched(base.table, settings.resolved(base.table))
    )


def grow_together(base: Base, plans: Sequence[Plan]) -> list[Grown]:
    """Grow the members of several samples level by level together; see `can_grow_together`."""
    samples = [plan.sample for plan in plans if plan.sample is not None]
    tree_of_row = np.repeat(np.arange(len(samples)), [len(sample) for sample in samples])
    table = base.table.take(np.concatenate(samples), recount=False)
    rules = plans[0].settings.resolved(base.table)
    grown = []
    seeds = [plan.settings.seed for plan in plans]
    for plan, nodes in zip(plans, search_forest(table, rules, tree_of_row, seeds), strict=True):
        said = answers(model_of(base, plan, nodes), base.rows)
        grown.append(Grown(nodes, said if base.table.n_classes == 0 else _small(said, base)))
    return grown


def model_of(base: Base, plan: Plan, nodes: Nodes) -> Tree:
    """The tree over all features of the base's table; see `Member.model`."""
    if plan.features is not None:
        number = np.array([*plan.features, -1])
        nodes = replace(nodes, feature=number[nodes.feature])
    table = base.prepared
    if plan.residuals is not None:
        table = table.with_target(RESIDUAL, plan.residuals)
    return Tree(nodes=nodes, table=table, source=base.table, missing=base.missing, _fills=base.fills)


def _small(codes: AnyArray, base: Base) -> AnyArray:
    """Class codes in as few bytes as they need."""
    return codes.astype(np.min_scalar_type(max(base.table.n_classes - 1, 0)))
