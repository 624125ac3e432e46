"""Gradient boosting: each member is fitted to what the sum of those before it leaves unexplained.

Sources: Friedman 2001 (algorithms 2, 5 and 6) and 2002 (subsamples).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from engine.ensembles.base import Base
from engine.ensembles.draws import generator, plan_member, subsample
from engine.ensembles.members import Member, Plan, grow_member
from engine.ensembles.polls import Poll, Rule, probabilities
from engine.ensembles.settings import EnsembleSettings
from engine.nodes import Nodes, Parts
from engine.table import FloatArray, IntArray, Table

_LEAST_SHARE = float(np.finfo(np.float64).eps)
_NO_SLOPE = 1e-150


def initial(table: Table) -> tuple[float, ...]:
    """Where F starts: the mean; for two classes the log odds of the second; else of every class.

    The log odds of several classes are ln p less the mean of all ln p (Friedman 2001, equation 29).

    >>> import engine
    >>> table = engine.read_table("datasets/files/play_tennis.csv", target="play")
    >>> [round(start, 4) for start in initial(table)]
    [0.5878]
    """
    if not table.n_classes:
        return (float(table.target_values.mean()),)
    shares = np.bincount(table.target_values, minlength=table.n_classes) / table.n_rows
    logs = np.log(np.clip(shares, _LEAST_SHARE, 1 - _LEAST_SHARE))
    if table.n_classes == 2:
        second = float(np.clip(shares[1], _LEAST_SHARE, 1 - _LEAST_SHARE))
        return (float(np.log(second / (1 - second))),)
    return tuple((logs - logs.mean()).tolist())


def boost_gradient(base: Base, settings: EnsembleSettings, rule: Rule) -> Iterator[Member]:
    """The members, in order: one a round, or for more than two classes one a class and round."""
    poll, n_trees = Poll(rule, base.n_rows), rule.n_totals
    for number in range(settings.n_members):
        rng = generator(settings, number)
        sample = subsample(rng, base.n_rows, settings.subsample)
        unexplained = residuals(base.table, poll.totals)
        members = []
        for column in range(n_trees):
            index = number * n_trees + column
            own = unexplained[:, column]
            plan = plan_member(settings, base.table, index, rng, sample=sample, residuals=own)
            grown = grow_member(base, plan, _leaf_values(plan, rule))
            of_class = column if n_trees > 1 else None
            members.append(Member(grown.nodes, grown.answers, index, base, plan, round=number, of_class=of_class))
        for member in members:
            poll.add(member.answers, of_class=member.of_class)
            yield member


def residuals(table: Table, totals: FloatArray) -> FloatArray:
    """What F leaves unexplained, shape (n_rows, n_totals): y − F, or y − p where y is 1 for the class, else 0."""
    if not table.n_classes:
        return np.asarray(table.target_values[:, None] - totals)
    truth = np.eye(table.n_classes)[table.target_values]
    left = truth - probabilities(totals)
    return left[:, 1:] if totals.shape[1] == 1 else left


def _leaf_values(plan: Plan, rule: Rule) -> Callable[[Nodes], FloatArray] | None:
    """How the leaves' values are replaced: for a number they stay the means that were fitted."""
    own = plan.residuals
    if not rule.n_classes or own is None:
        return None
    left = own if plan.sample is None else own[plan.sample]
    factor = (rule.n_classes - 1) / rule.n_classes if rule.n_totals > 1 else 1.0
    return lambda nodes: newton_values(nodes, left, factor)


def newton_values(nodes: Nodes, residuals: FloatArray, factor: float = 1.0) -> FloatArray:
    """What each node adds: one Newton step of the log loss, Σ r / Σ |r|(1 − |r|), times (K − 1)/K for K > 2 classes.

    Parameters
    ----------
    nodes : Nodes
    residuals : ndarray of float64, shape (n_rows,)
        y − p of the rows that the tree was grown from.
    factor : float

    Returns
    -------
    ndarray of shape (n_nodes,)
        An empty node has its parent's.
    """
    parts = nodes.parts or Parts(np.arange(len(nodes.leaf_of_row)), nodes.leaf_of_row, None)
    weight = np.ones(len(parts.row)) if parts.fraction is None else parts.fraction
    left = residuals[parts.row]
    size = np.abs(left)
    above = _sums_of_nodes(nodes, parts.leaf, weight * left)
    below = _sums_of_nodes(nodes, parts.leaf, weight * size * (1 - size))
    values = np.divide(factor * above, below, out=np.zeros(len(nodes)), where=np.abs(below) > _NO_SLOPE)
    return np.asarray(values[nodes.informed_by])


def _sums_of_nodes(nodes: Nodes, leaf: IntArray, terms: FloatArray) -> FloatArray:
    """Terms of the rows added up at their leaves, and from there up to the root."""
    sums = np.bincount(leaf, terms, minlength=len(nodes))
    for depth in range(int(nodes.depth.max()), 0, -1):
        here = np.flatnonzero(nodes.depth == depth)
        np.add.at(sums, nodes.parent[here], sums[here])
    return np.asarray(sums)
