"""A tree as rules: one a leaf, with the rows that it covers and how often it is right."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.rules import condition_words, plain
from engine.splits import Condition, Op, Path
from engine.tree import Tree


@dataclass(frozen=True)
class Rule:
    """IF all conditions THEN the answer.

    Attributes
    ----------
    leaf : int
        The leaf that the rule was made from.
    conditions : tuple of Condition
        In the order of the tests; none is true of every row.
    answer : str or float
        A class, or a mean.
    n_rows : float
        Training rows that it covers, or their weight.
    errors : float
        Those of them that it gets wrong; for a number the sum of their squared errors.
    estimate : float or None
        The estimated accuracy on new rows, where one was asked for.
    """

    leaf: int
    conditions: Path
    answer: str | float
    n_rows: float
    errors: float
    estimate: float | None = None

    @property
    def accuracy(self) -> float | None:
        """Share of the covered rows that it gets right; None where it covers none."""
        return 1 - self.errors / self.n_rows if self.n_rows else None

    @property
    def mean_squared_error(self) -> float | None:
        """For a number, the mean of the squared errors; None where it covers no row."""
        return self.errors / self.n_rows if self.n_rows else None


def tree_rules(tree: Tree) -> tuple[Rule, ...]:
    """The tree as it stands in its view, one rule a leaf, depth-first.

    A node that is not yet decided counts as a leaf: it answers. Together the rules cover each
    training row once.
    """
    leaves = np.flatnonzero(tree.is_visible & ~tree.is_split).tolist()
    measure = _squared_errors if tree.is_number else _wrong
    return tuple(Rule(leaf, tree.path(leaf), tree.label(leaf), *measure(tree, leaf)) for leaf in leaves)


def merged(conditions: Path) -> Path:
    """The conditions without those that others imply: for each feature one interval, or one set of levels.

    >>> merged((Condition("x", Op.LESS, 5.0), Condition("y", Op.LESS, 1.0), Condition("x", Op.LESS, 3.0)))
    (Condition(feature='x', op=<Op.LESS: '<'>, value=3.0), Condition(feature='y', op=<Op.LESS: '<'>, value=1.0))
    """
    found: dict[tuple[str, Op], Condition] = {}
    for condition in conditions:
        key = (condition.feature, condition.op)
        found[key] = _narrower(found[key], condition) if key in found else condition
    return tuple(found.values())


def rule_words(rule: Rule, target: str) -> str:
    """A rule on one line, as a tree's rules are printed, redundant conditions merged.

    >>> rule_words(Rule(1, (Condition("outlook", Op.IN, ("overcast",)),), "yes", 4.0, 0.0), "play")
    'IF outlook is overcast THEN play is yes'
    """
    conditions = " AND ".join(condition_words(condition) for condition in merged(rule.conditions))
    return f"IF {conditions or 'true'} THEN {plain(f'{target} is {rule.answer}')}"


def _narrower(one: Condition, other: Condition) -> Condition:
    match one.value, other.value:
        case tuple(levels), tuple(others):
            return Condition(one.feature, one.op, tuple(level for level in levels if level in others))
        case float(first), float(second):
            return Condition(one.feature, one.op, (min if one.op is Op.LESS else max)(first, second))
    return one


def _wrong(tree: Tree, leaf: int) -> tuple[float, float]:
    size = float(tree.nodes.size[leaf])
    return size, size - float(tree.nodes.counts[leaf][int(tree.nodes.prediction[leaf])])


def _squared_errors(tree: Tree, leaf: int) -> tuple[float, float]:
    squares = np.square(tree.table.target_values[tree.rows(leaf)] - float(tree.nodes.prediction[leaf]))
    weights = tree.row_weights(leaf)
    return float(tree.nodes.size[leaf]), float((squares if weights is None else squares * weights).sum())
