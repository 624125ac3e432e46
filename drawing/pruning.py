"""What is said of a pruning: methods, costs, and each decision as an inequality with its numbers.

Plain text; names of the user's file are cleaned, and escaped by who puts them on the page.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import assert_never

import numpy as np

from drawing import phrases
from drawing.numbers import units
from drawing.theme import number, percent, quantity, weight
from engine import Tree
from engine.pruning import (
    ChiSquareDecision,
    Pruning,
    PruningDecision,
    PruningMethod,
    Reason,
    Risk,
)

METHODS = {
    PruningMethod.REDUCED_ERROR: "Reduced error, bottom-up",
    PruningMethod.REDUCED_ERROR_GREEDY: "Reduced error, greedy",
    PruningMethod.COST_COMPLEXITY: "Cost complexity",
    PruningMethod.PESSIMISTIC: "Pessimistic",
    PruningMethod.CHI_SQUARE: "Chi-square",
    PruningMethod.MINIMUM_DESCRIPTION_LENGTH: "Description length",
}
"""What the screen calls the methods."""

SHORT = {
    PruningMethod.REDUCED_ERROR: "bottom-up",
    PruningMethod.REDUCED_ERROR_GREEDY: "greedy",
    PruningMethod.COST_COMPLEXITY: "cost complexity",
    PruningMethod.PESSIMISTIC: "pessimistic",
    PruningMethod.CHI_SQUARE: "chi-square",
    PruningMethod.MINIMUM_DESCRIPTION_LENGTH: "description length",
}
"""The same as the head of a column."""

ABOUT = {
    PruningMethod.REDUCED_ERROR: "From the bottom up: a subtree goes when a leaf in its place makes no more errors on "
    "the validation rows.",
    PruningMethod.REDUCED_ERROR_GREEDY: "Each time the cut goes that leaves the whole tree the fewest validation "
    "errors; it stops when the best cut would harm.",
    PruningMethod.COST_COMPLEXITY: "The split whose leaves save least goes first. This gives a sequence of trees, one "
    "for each range of alpha, down to the root.",
    PruningMethod.PESSIMISTIC: "C4.5's way, without validation rows: training errors are raised to what they may be "
    "on new rows.",
    PruningMethod.CHI_SQUARE: "A split above leaves goes when its branches may differ by chance alone.",
    PruningMethod.MINIMUM_DESCRIPTION_LENGTH: "A subtree goes when a leaf with its exceptions listed takes no more "
    "bits.",
}
"""What each method does, in a sentence."""


_LONGEST = 3
"""Tests that a sentence names on the way to a split; of more it names the last."""


@dataclass(frozen=True, eq=False)
class Words:
    """The words for one pruning."""

    pruning: Pruning

    @cached_property
    def titles(self) -> list[str]:
        """The path of each node of the full tree."""
        return [phrases.path(path) for path in phrases.paths(self.tree)]

    def title(self, node: int) -> str:
        """The path of one node, without those of all others."""
        return phrases.path(self.tree.path(node))

    @property
    def tree(self) -> Tree:
        """The full tree."""
        return self.pruning.full

    @property
    def method(self) -> PruningMethod:
        """The method."""
        return self.pruning.settings.method

    def place(self, node: int) -> str:
        """A split by its question and its place."""
        split = self.tree.split(node)
        assert split is not None
        question = phrases.plain(self.tree.table.features[split.feature].name)
        depth = int(self.tree.nodes.depth[node])
        if not depth:
            return f"{question}, at the root"
        if depth <= _LONGEST:
            return f"{question}, where {self.title(node)}"
        last = self.tree.condition(node)
        assert last is not None
        return f"{question}, {depth} tests down, where {phrases.condition(last)}"

    def cost(self, value: float, unit: bool = True) -> str:
        """A cost of the method in words; without its unit where that has just been said."""
        match self.method:
            case PruningMethod.REDUCED_ERROR | PruningMethod.REDUCED_ERROR_GREEDY:
                if self.tree.is_number:
                    said = units(self.tree).square(value)
                    return f"squared error {said}" if unit else said
                return f"{weight(value)} {'error' if weight(value) == '1' else 'errors'}" if unit else weight(value)
            case PruningMethod.COST_COMPLEXITY:
                return self.risk(value)
            case PruningMethod.PESSIMISTIC:
                return f"{number(value)} estimated errors" if unit else number(value)
            case PruningMethod.CHI_SQUARE:
                return p_value(value)
            case PruningMethod.MINIMUM_DESCRIPTION_LENGTH:
                return f"{number(value)} bits" if unit else number(value)
        assert_never(self.method)

    def risk(self, value: float) -> str:
        """A risk of cost complexity: errors as a fraction of all rows, mean squared error, or impurity."""
        n = float(self.tree.nodes.size[0])
        if self.tree.is_number:
            return _digits(value, 4)
        if self.pruning.settings.risk is Risk.IMPURITY:
            return number(value)
        return f"{weight(value * n)}/{weight(n)}"

    def alpha(self, value: float) -> str:
        """An alpha, or the g of a link."""
        if self.tree.is_number or 0 < value < 0.01:
            return _digits(value, 3)
        return number(value)

    def error(self, value: float) -> str:
        """An error of a whole tree: a share of rows, or the mean squared error."""
        return units(self.tree).square(value) if self.tree.is_number else percent(value)

    def sentence(self, step: int) -> str:
        """The sentence of a step."""
        if step == 0:
            return self._started()
        decision = self.pruning.decisions[step - 1]
        inequality = f"{self.place(decision.node)}: {self.inequality(decision)}"
        if not decision.is_pruned:
            return f"{inequality}."
        left = int(self.pruning.endings.n_leaves[step])
        return f"{inequality}. {_leaves(left)} {'is' if left == 1 else 'are'} left."

    def inequality(self, decision: PruningDecision) -> str:
        """A decision with its numbers: `2 errors as a subtree, 0 as a leaf: cut`."""
        kept, pruned = self.cost(decision.kept_cost), self.cost(decision.pruned_cost, unit=False)
        match decision.reason:
            case Reason.NO_VALIDATION_ROWS:
                return "no validation row arrives, so a leaf does no worse: cut"
            case Reason.WEAK_LINK:
                return f"{self.saves(decision)}, the least of all links: cut"
            case Reason.STRONG_LINK:
                return f"{self.saves(decision)}; the chosen tree keeps what saves so much: kept"
            case Reason.SIGNIFICANT | Reason.NOT_SIGNIFICANT:
                assert isinstance(decision, ChiSquareDecision)
                return _tested(decision)
            case Reason.LESS_COST | Reason.EQUAL_COST | Reason.MORE_COST:
                end = {Reason.LESS_COST: "cut", Reason.EQUAL_COST: "no worse, cut", Reason.MORE_COST: "kept"}
                if self.method is PruningMethod.REDUCED_ERROR_GREEDY:
                    return self._whole_tree(decision)
                return f"{kept} as a subtree, {pruned} as a leaf: {end[decision.reason]}"
        assert_never(decision.reason)

    def saves(self, decision: PruningDecision) -> str:
        """What each leaf of a link saves."""
        assert decision.alpha is not None
        kept, pruned = self.risk(decision.kept_cost), self.risk(decision.pruned_cost)
        return f"each leaf saves ({pruned} − {kept}) / ({decision.n_leaves} − 1) = {self.alpha(decision.alpha)}"

    def stage(self, index: int) -> tuple[int, ...]:
        """Cost complexity: the links that go together with that of a decision, or would."""
        stages, number = self.pruning.stages, self.pruning.point_after(index)
        return stages[number] if number < len(stages) else ()

    def links(self, index: int) -> list[tuple[int, float]]:
        """Cost complexity: every split as it stood when the stage of a decision began, and its g, weakest first."""
        costs = self.pruning.costs
        assert costs is not None
        view, end = self.pruning.tree_at(self.pruning.point_after(index)), self.tree.nodes.subtree_end
        is_leaf = view.is_visible & ~view.is_split
        risk = np.concatenate([[0.0], np.cumsum(np.where(is_leaf, costs.leaf, 0.0))])
        leaves = np.concatenate([[0], np.cumsum(is_leaf)])
        splits = np.flatnonzero(view.is_split)
        saved = costs.leaf[splits] - (risk[end[splits]] - risk[splits])
        g = saved / ((leaves[end[splits]] - leaves[splits] - 1) * float(costs.n_rows[0]))
        order = np.lexsort((splits, np.round(g, 12)))
        return list(zip(splits[order].tolist(), np.maximum(g[order], 0.0).tolist(), strict=True))

    def without(self, node: int) -> str:
        """Why a split that is not in question at any step is as it is."""
        decision = self.pruning.decision_of(node)
        if not self.tree.is_split[node]:
            return "A leaf of the full tree: there is nothing to cut."
        if decision is None:
            return _NEVER[self.method]
        if decision.node != node:
            return f"Not in question by itself: it goes with the split above it at step {decision.index + 1}."
        return f"It is decided at step {decision.index + 1}."

    def outcome(self, node: int) -> str:
        """What a node is once it was cut."""
        return f"Cut: a leaf that answers {phrases.answer(self.tree, node)}."

    def chosen(self) -> str:
        """Which tree is left, and why."""
        point = self.pruning.curve[self.pruning.chosen]
        return f"{_leaves(point.n_leaves)} of {self.tree.n_leaves}"

    def _whole_tree(self, decision: PruningDecision) -> str:
        kept, pruned = self.cost(decision.kept_cost), self.cost(decision.pruned_cost, unit=False)
        if decision.is_pruned:
            same = " and no cut leaves fewer" if decision.reason is Reason.EQUAL_COST else ", the fewest of all cuts"
            return f"the whole tree has {kept}, without this split {pruned}{same}: cut"
        return f"the whole tree has {kept}, and even this best cut would leave {pruned}: kept, and pruning ends"

    def _started(self) -> str:
        pruning, tree = self.pruning, self.tree
        start = f"The full tree: {_leaves(tree.n_leaves)}"
        point = pruning.curve[0]
        known = [("training", point.train_error), ("validation", point.validation_error)]
        said = [f"{name} error {self.error(value)}" for name, value in known if value is not None]
        start = f"{start}, {' and '.join(said)}." if said else f"{start}."
        if tree.n_leaves == 1:
            return f"{start} A single leaf: there is nothing to prune."
        return f"{start} {_FIRST[self.method]}"


def _digits(value: float, n: int) -> str:
    """A number with so many digits, one from a thousand on whole.

    >>> _digits(387900.4, 4), _digits(7.4261, 4), _digits(-0.00125, 3)
    ('387,900', '7.426', '−0.00125')
    """
    said = f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.{n}g}"
    return said.replace("-", "−")


def p_value(value: float) -> str:
    """A p value.

    >>> p_value(0.05), p_value(0.00002), p_value(0.5385)
    ('0.050', '<0.001', '0.538')
    """
    return "<0.001" if 0 < value < 0.0005 else number(value)


def _tested(decision: ChiSquareDecision) -> str:
    freedom = decision.degrees_of_freedom
    degrees = f"{freedom} degree{'' if freedom == 1 else 's'} of freedom"
    p, level = p_value(decision.p_value), quantity(decision.pruned_cost)
    test = f"χ² = {number(decision.statistic)} at {degrees}, p = {p}".replace("p = <", "p < ")
    if decision.is_pruned:
        return f"{test} > {level}, so its branches may differ by chance: cut"
    return f"{test} ≤ {level}: kept" if "<" not in p else f"{test}, within {level}: kept"


def _leaves(n: int) -> str:
    return "1 leaf" if n == 1 else f"{n} leaves"


_FIRST = {
    PruningMethod.REDUCED_ERROR: "Which subtrees do no better than a leaf?",
    PruningMethod.REDUCED_ERROR_GREEDY: "Which cut leaves the fewest errors?",
    PruningMethod.COST_COMPLEXITY: "Which split's leaves save least?",
    PruningMethod.PESSIMISTIC: "Which subtrees promise more errors on new rows than a leaf?",
    PruningMethod.CHI_SQUARE: "Which splits above leaves may be chance?",
    PruningMethod.MINIMUM_DESCRIPTION_LENGTH: "Which subtrees take more bits than a leaf and its exceptions?",
}

_NEVER = {
    PruningMethod.REDUCED_ERROR: "It stays.",
    PruningMethod.REDUCED_ERROR_GREEDY: "It stays: cutting it was never the best cut.",
    PruningMethod.COST_COMPLEXITY: "It stays: a stronger link than those of the chosen tree's alpha.",
    PruningMethod.PESSIMISTIC: "It stays.",
    PruningMethod.CHI_SQUARE: "It stays untested: a split below it is significant.",
    PruningMethod.MINIMUM_DESCRIPTION_LENGTH: "It stays.",
}
