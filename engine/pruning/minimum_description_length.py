"""Pruning by description length: a subtree goes where a leaf, with its exceptions listed, takes no more bits.

Tree and exceptions would let a receiver who has the features of the training rows write down their
classes. Source: Quinlan and Rivest 1989.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engine.pruning.decisions import Bits, DescriptionDecision
from engine.pruning.task import Costs, Task, decide_bottom_up
from engine.splits import SplitKind, is_numeric
from engine.table import FloatArray


def exception_bits(n: npt.ArrayLike, exceptions: npt.ArrayLike, n_classes: int) -> FloatArray:
    """Bits to say how many of `n` rows are exceptions to a leaf's class, which, and of what classes.

    log2(n + 1) + log2 C(n, e) + e · log2(K − 1).

    Of 14 rows 5: log2 15 + log2 2002.

    >>> exception_bits(14, 5, 2).round(4)
    np.float64(14.8741)
    >>> exception_bits([0, 3, 3], [0, 0, 2], 3).round(4)
    array([0.   , 2.   , 5.585])
    """
    from scipy.special import gammaln  # slow to load, and few need it

    rows, wrong = np.asarray(n, dtype=np.float64), np.asarray(exceptions, dtype=np.float64)
    which = (gammaln(rows + 1) - gammaln(wrong + 1) - gammaln(rows - wrong + 1)) / np.log(2)
    classes = wrong * np.log2(max(n_classes - 1, 1))
    return np.asarray(np.log2(rows + 1) + np.maximum(which, 0.0) + classes)[()]


@dataclass(frozen=True, eq=False)
class Description:
    """Bits of each node, shape (n_nodes,): as a leaf, its exceptions there, and as a split."""

    leaf: float
    exceptions: FloatArray
    split: FloatArray

    @property
    def total(self) -> FloatArray:
        """Of each node as a leaf, with its exceptions."""
        return self.leaf + self.exceptions


def describe(task: Task) -> Description:
    """The parts of the description length: 1 bit a node, then the class of a leaf or the test of a split."""
    task.require_training_rows()
    n_classes = task.tree.table.n_classes
    split = np.zeros(len(task.size))
    for node in np.flatnonzero(task.tree.is_split).tolist():
        split[node] = 1.0 + np.log2(max(task.n_usable[node], 1)) + _cut_bits(task, node)
    exceptions = exception_bits(task.size, task.errors, n_classes)
    return Description(1.0 + float(np.log2(n_classes)), exceptions, split)


def costs(task: Task) -> Costs:
    """Bits of each node as a leaf, and of its test as a split."""
    described = describe(task)
    return Costs(described.total, described.split, task.size)


def decide(task: Task) -> list[DescriptionDecision]:
    """One decision a split, with the bits of tree and exceptions on both sides."""
    described = describe(task)
    exceptions: list[float] = described.exceptions.tolist()
    decisions = []
    for found in decide_bottom_up(task, Costs(described.total, described.split, task.size)):
        own = exceptions[found.node]
        below = sum(exceptions[child] for child in task.tree.children(found.node).tolist())
        kept, pruned = Bits(found.kept_cost - below, below), Bits(described.leaf, own)
        decisions.append(DescriptionDecision(**vars(found), kept_bits=kept, pruned_bits=pruned))
        if not found.is_pruned:
            exceptions[found.node] = below
    return decisions


def _cut_bits(task: Task, node: int) -> float:
    """Bits to name one of the thresholds or groupings that the node's rows allow; none for a branch a level."""
    tree = task.tree
    split = tree.split(node)
    assert split is not None
    if split.kind is SplitKind.MULTIWAY:
        return 0.0
    values = tree.table.columns[split.feature][tree.rows(node)]
    spec = tree.table.features[split.feature]
    if is_numeric(spec):
        distinct = len(np.unique(values[~np.isnan(values)]))
        return float(np.log2(max(distinct - 1, 1)))
    return float(max(len(np.unique(values[values < len(spec.levels)])) - 1, 0))
