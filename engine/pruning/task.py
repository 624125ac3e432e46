"""What a method works on: the full tree, the settings, and where training and validation rows rest in it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.errors import SettingsError
from engine.growth import Growth
from engine.metrics import Landing, leaf_costs, resting_costs, resting_weight, training_landing
from engine.nodes import SPLIT_KINDS
from engine.pruning.decisions import PruningDecision, Reason, Verdict
from engine.pruning.settings import PruningSettings
from engine.pruning.shrinking import Shrinking, bottom_up, near, subtree_sums
from engine.splits import SplitKind, is_numeric
from engine.table import FloatArray
from engine.tree import Tree


@dataclass(frozen=True, eq=False)
class Costs:
    """What a method compares: each node's cost as a leaf, and what it keeps as a split; shapes (n_nodes,)."""

    leaf: FloatArray
    rest: FloatArray
    n_rows: FloatArray


@dataclass(frozen=True, eq=False)
class Task:
    """One tree to prune.

    Attributes
    ----------
    tree : Tree
        Finished.
    settings : PruningSettings
    growth : Growth or None
        None where the tree was given by hand.
    validation : Landing or None
        Where the validation rows rest in the tree.
    """

    tree: Tree
    settings: PruningSettings
    growth: Growth | None
    validation: Landing | None

    @cached_property
    def size(self) -> FloatArray:
        """Training rows of each node, or their weight."""
        return np.asarray(self.tree.nodes.size, dtype=np.float64)

    @cached_property
    def errors(self) -> FloatArray:
        """Training errors of each node as a leaf, by weight; squared errors of a number."""
        nodes = self.tree.nodes
        if not self.tree.is_number:
            right = nodes.counts[np.arange(len(nodes)), nodes.prediction]
            return np.asarray(nodes.size - right, dtype=np.float64)
        if self.tree.table.n_rows:
            landing = training_landing(self.tree)
            if self.tree.weights is None:
                return leaf_costs(self.tree, landing)
            weighted = Landing(
                landing.row, landing.node, landing.weight * self.tree.weights[landing.row], landing.truth
            )
            return leaf_costs(self.tree, weighted)
        assert nodes.variance is not None
        return np.asarray(nodes.variance * np.maximum(nodes.size - 1, 0), dtype=np.float64)

    @cached_property
    def impurities(self) -> FloatArray:
        """Impurity of each node times its rows."""
        return np.asarray(self.tree.nodes.impurity * self.size, dtype=np.float64)

    @cached_property
    def validation_costs(self) -> Costs:
        """Validation errors of each node as a leaf, and those of rows that no branch of a split takes."""
        assert self.validation is not None
        tree = self.tree
        arriving = subtree_sums(tree.nodes, resting_weight(tree, self.validation))
        rest = np.where(tree.is_split, resting_costs(tree, self.validation), 0.0)
        return Costs(leaf_costs(tree, self.validation), rest, arriving)

    def require_training_rows(self) -> None:
        """Refuse a tree of which only the answers are known."""
        if not self.size[0] > 0:
            raise SettingsError(
                f"the method {self.settings.method} counts training rows, and the tree has none; give the counts of "
                "its leaves, or the table that it was grown from, or choose reduced_error."
            )

    def usable_features(self, node: int) -> tuple[int, ...]:
        """The features that may be tested at a node; in a given tree a branch a level uses its feature up."""
        if self.growth is not None:
            return self.growth.usable_features(node)
        tree = self.tree
        multiway = SPLIT_KINDS.index(SplitKind.MULTIWAY)
        above = tree.ancestors(node)[:-1]
        used = {int(tree.nodes.feature[n]) for n in above if tree.nodes.kind[n] == multiway}
        return tuple(i for i, f in enumerate(tree.table.features) if is_numeric(f) or i not in used)


def decide_bottom_up(task: Task, costs: Costs) -> list[PruningDecision]:
    """One decision a split, after all splits below it: pruned where a leaf costs no more."""
    state = Shrinking(task.tree, costs.leaf, costs.rest)
    decisions = []
    for index, node in enumerate(bottom_up(task.tree)):
        kept = float(state.cost[node])
        pruned = near(kept, float(costs.leaf[node]))
        verdict = Verdict.PRUNE if pruned <= kept else Verdict.KEEP
        decisions.append(
            PruningDecision(
                index=index,
                node=node,
                verdict=verdict,
                kept_cost=kept,
                pruned_cost=pruned,
                reason=compared(kept, pruned),
                n_leaves=int(state.n_leaves[node]),
                n_rows=float(costs.n_rows[node]),
            )
        )
        if verdict is Verdict.PRUNE:
            state.prune(node)
    return decisions


def compared(kept: float, pruned: float) -> Reason:
    """How the cost of a leaf stands to that of the subtree."""
    if pruned == kept:
        return Reason.EQUAL_COST
    return Reason.LESS_COST if pruned < kept else Reason.MORE_COST
