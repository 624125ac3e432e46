"""Cost-complexity pruning: the weakest links go first, and the whole sequence down to the root is known.

The risk R of a tree is what its leaves get wrong of all training rows. A link is a split; its
g = (R(leaf) − R(subtree)) / (leaves − 1) is what each leaf of its subtree saves. All links with the
least g go at once; then the sizes and risks above them are other ones, and it begins again.

Source: Breiman, Friedman, Olshen and Stone 1984, section 3.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from engine.criteria import Criterion
from engine.pruning.decisions import PruningDecision, Reason, Verdict
from engine.pruning.settings import Risk
from engine.pruning.shrinking import CLOSE, Shrinking, bottom_up
from engine.pruning.task import Costs, Task
from engine.table import FloatArray, IntArray

_NOTHING = 1e-12
"""Differences below this share of the root's risk come from rounding."""


@dataclass(frozen=True)
class Link:
    """A split of the sequence, as its subtree stood when the step began: its risks, as shares of all rows."""

    node: int
    kept_cost: float
    pruned_cost: float
    n_leaves: int


@dataclass(frozen=True)
class Stage:
    """One step of the sequence: the links with the least g, each after those below it.

    Attributes
    ----------
    g : float
        Theirs. Never less than in the step before, unless the answers of a given tree are no majorities.
    alpha : float
        The least alpha that takes them away: the greatest g so far, and at least 0.
    links : tuple of Link
    """

    g: float
    alpha: float
    links: tuple[Link, ...]

    @property
    def nodes(self) -> tuple[int, ...]:
        """The splits that go."""
        return tuple(link.node for link in self.links)


def costs(task: Task) -> Costs:
    """The risk of each node as a leaf, in rows (times impurity, or squared error), not yet divided by all rows."""
    task.require_training_rows()
    risk = task.impurities if task.settings.risk is Risk.IMPURITY else task.errors
    return Costs(risk, np.zeros(len(risk)), task.size)


def stages(task: Task) -> list[Stage]:
    """The whole sequence, from the full tree to the root."""
    leaf, n = costs(task).leaf, float(task.size[0])
    state = Shrinking(task.tree, leaf)
    exact = _exact_risks(task)
    place = {node: index for index, node in enumerate(bottom_up(task.tree))}
    slack = 0.0 if exact is not None and exact.is_whole else _NOTHING * float(leaf[0])
    found: list[Stage] = []
    last = 0.0
    while len(splits := np.flatnonzero(state.is_split)):
        fewer = state.n_leaves[splits] - 1
        saved = (leaf[splits] - state.cost[splits]) / (fewer * n)
        least = float(saved.min())
        close = CLOSE * abs(least) if slack else 0.0
        weakest = splits[saved <= least + close + slack / n]
        if exact is not None and not exact.is_whole and len(weakest) > 1:
            weakest = exact.least(weakest, state)
        rounded = last - close - slack / n <= least < last
        last, g = max(least, last), last if rounded else least
        found.append(Stage(g, last, _prune(state, sorted(weakest.tolist(), key=place.__getitem__), n)))
    return found


def decide(found: Sequence[Stage], n_pruned: int, n_rows: FloatArray) -> list[PruningDecision]:
    """The decisions: the links of the first stages go, and those of the next stay, as does all that is stronger."""
    decisions: list[PruningDecision] = []
    for number, stage in enumerate(found[: n_pruned + 1]):
        weak = number < n_pruned
        for link in stage.links:
            decisions.append(
                PruningDecision(
                    index=len(decisions),
                    node=link.node,
                    verdict=Verdict.PRUNE if weak else Verdict.KEEP,
                    kept_cost=link.kept_cost,
                    pruned_cost=link.pruned_cost,
                    reason=Reason.WEAK_LINK if weak else Reason.STRONG_LINK,
                    n_leaves=link.n_leaves,
                    n_rows=float(n_rows[link.node]),
                    alpha=stage.g,
                )
            )
    return decisions


def n_stages_at(found: Sequence[Stage], alpha: float) -> int:
    """How many stages have links of at most this g: what `alpha` prunes."""
    return next((number for number, stage in enumerate(found) if stage.alpha > alpha), len(found))


def _prune(state: Shrinking, nodes: list[int], n: float) -> tuple[Link, ...]:
    links = tuple(
        Link(node, float(state.cost[node]) / n, float(state.leaf[node]) / n, int(state.n_leaves[node]))
        for node in nodes
    )
    for node in nodes:
        state.prune(node)
    return links


class _ExactRisks:
    """Risks without rounding, for the links that floats cannot tell apart.

    Errors are whole numbers, whose quotients as floats are equal just where they are equal. Gini
    times rows, n − Σ c² / n, is a fraction.
    """

    def __init__(self, counts: IntArray, *, is_whole: bool) -> None:
        self.counts, self.is_whole = counts, is_whole
        self._known: dict[int, Fraction] = {}

    def risk(self, node: int) -> Fraction:
        """Rows times Gini of one node."""
        if node not in self._known:
            counts = self.counts[node].tolist()
            n = sum(counts)
            self._known[node] = n - Fraction(sum(count * count for count in counts), n) if n else Fraction(0)
        return self._known[node]

    def least(self, nodes: IntArray, state: Shrinking) -> IntArray:
        """Those of the links whose g is the least."""
        saved = []
        for node in nodes.tolist():
            leaves = node + np.flatnonzero(state.is_leaf[node : state.end[node]])
            subtree = sum((self.risk(leaf) for leaf in leaves.tolist()), Fraction(0))
            saved.append((self.risk(node) - subtree) / (len(leaves) - 1))
        least = min(saved)
        return nodes[[value == least for value in saved]]


def _exact_risks(task: Task) -> _ExactRisks | None:
    """None where risks are no fractions: entropy, numbers, weights."""
    tree = task.tree
    if tree.is_number or tree.nodes.counts.dtype.kind not in "iu":
        return None
    if task.settings.risk is Risk.ERROR:
        return _ExactRisks(tree.nodes.counts, is_whole=True)
    criterion = task.growth.rules.criterion if task.growth is not None else None
    return _ExactRisks(tree.nodes.counts, is_whole=False) if criterion is Criterion.GINI else None
