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
from engine.pruning.shrinking import bottom_up, near, subtree_sums
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
class Rows:
    """Where training and validation rows rest in a tree, and what they cost at each node; for any method.

    Attributes
    ----------
    tree : Tree
        Finished.
    validation : Landing or None
    """

    tree: Tree
    validation: Landing | None

    @cached_property
    def training(self) -> Landing | None:
        """None where the tree was given without its rows."""
        return training_landing(self.tree) if self.tree.table.n_rows else None

    @cached_property
    def training_costs(self) -> Costs:
        """Errors (squared errors) of the training rows, one a row whatever its weight."""
        assert self.training is not None
        return self._costs(self.training)

    @cached_property
    def validation_costs(self) -> Costs:
        """Errors (squared errors) of the validation rows; those that no branch of a split takes cost at the split."""
        assert self.validation is not None
        return self._costs(self.validation)

    def _costs(self, landing: Landing) -> Costs:
        arriving = subtree_sums(self.tree.nodes, resting_weight(self.tree, landing))
        rest = np.where(self.tree.is_split, resting_costs(self.tree, landing), 0.0)
        return Costs(leaf_costs(self.tree, landing), rest, arriving)


@dataclass(frozen=True, eq=False)
class Task:
    """One tree to prune by one method.

    Attributes
    ----------
    rows : Rows
    settings : PruningSettings
    growth : Growth or None
        None where the tree was given by hand.
    """

    rows: Rows
    settings: PruningSettings
    growth: Growth | None

    @property
    def tree(self) -> Tree:
        """The full tree."""
        return self.rows.tree

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
        landing = self.rows.training
        if landing is not None:
            if self.tree.weights is None:
                return self.rows.training_costs.leaf
            weight = landing.weight * self.tree.weights[landing.row]
            return leaf_costs(self.tree, Landing(landing.row, landing.node, weight, landing.truth))
        assert nodes.variance is not None
        return np.asarray(nodes.variance * np.maximum(nodes.size - 1, 0), dtype=np.float64)

    @cached_property
    def impurities(self) -> FloatArray:
        """Impurity of each node times its rows."""
        return np.asarray(self.tree.nodes.impurity * self.size, dtype=np.float64)

    def require_training_rows(self) -> None:
        """Refuse a tree of which only the answers are known."""
        if not self.size[0] > 0:
            raise SettingsError(
                f"the method {self.settings.method} counts training rows, and the tree has none; give the counts of "
                "its leaves, or the table that it was grown from, or choose reduced_error."
            )

    @cached_property
    def n_usable(self) -> list[int]:
        """How many features may be tested at each node; in a given tree a branch a level uses its feature up."""
        nodes, features = self.tree.nodes, self.tree.table.features
        uses_up = nodes.kind == SPLIT_KINDS.index(SplitKind.MULTIWAY)
        if self.growth is not None:
            uses_up = np.full(len(nodes), self.growth.rules.once_on_a_path)
        used: list[frozenset[int]] = [frozenset()]
        for parent in nodes.parent[1:].tolist():
            feature = int(nodes.feature[parent])
            spent = uses_up[parent] and not is_numeric(features[feature])
            used.append(used[parent] | {feature} if spent else used[parent])
        return [len(features) - len(gone) for gone in used]


def decide_bottom_up(task: Task, costs: Costs) -> list[PruningDecision]:
    """One decision a split, after all splits below it: pruned where a leaf costs no more."""
    cost: list[float] = costs.leaf.tolist()
    n_leaves = [1] * len(cost)
    decisions = []
    for index, node in enumerate(bottom_up(task.tree)):
        children = task.tree.children(node).tolist()
        kept = sum((cost[child] for child in children), float(costs.rest[node]))
        pruned = near(kept, cost[node])
        verdict = Verdict.PRUNE if pruned <= kept else Verdict.KEEP
        size = sum(n_leaves[child] for child in children)
        decisions.append(
            PruningDecision(
                index=index,
                node=node,
                verdict=verdict,
                kept_cost=kept,
                pruned_cost=pruned,
                reason=compared(kept, pruned),
                n_leaves=size,
                n_rows=float(costs.n_rows[node]),
            )
        )
        if verdict is Verdict.KEEP:
            cost[node], n_leaves[node] = kept, size
    return decisions


def compared(kept: float, pruned: float) -> Reason:
    """How the cost of a leaf stands to that of the subtree."""
    if pruned == kept:
        return Reason.EQUAL_COST
    return Reason.LESS_COST if pruned < kept else Reason.MORE_COST
