"""How often each split of a tree survives where its rows are drawn anew: the instability of trees (Breiman 1996)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from engine.growth import Growth, grow
from engine.table import FloatArray, IntArray
from engine.tree import Tree

N_SAMPLES = 100


@dataclass(frozen=True, eq=False)
class Stability:
    """A tree beside those of resampled rows.

    A split survives where the other tree, by the same branches from the root on, comes to a split on the
    same feature; its threshold may be another. A leaf survives where the other tree has a leaf with the
    same answer there (for a number: any leaf).

    Attributes
    ----------
    n_samples : int
    survived : ndarray of int64, shape (n_nodes,)
        In how many of the trees each node survives.
    thresholds : ndarray of float64, shape (n_samples, n_nodes)
        Of the splits that survive by a threshold; NaN elsewhere.
    roots : tuple of (str or None, int)
        The features tested first, the most frequent first; None where a tree is a leaf.
    n_leaves : ndarray of int64, shape (n_samples,)
    """

    n_samples: int
    survived: IntArray
    thresholds: FloatArray
    roots: tuple[tuple[str | None, int], ...]
    n_leaves: IntArray

    def share(self, node: int) -> float:
        """The share of the trees in which a node survives."""
        return int(self.survived[node]) / self.n_samples

    def spread(self, node: int) -> tuple[float, float] | None:
        """The least and the greatest threshold at which a split survives; None without any."""
        found = self.thresholds[:, node]
        known = found[~np.isnan(found)]
        return (float(known.min()), float(known.max())) if len(known) else None


def stability(growth: Growth, *, n_samples: int = N_SAMPLES, seed: int = 0) -> Iterator[Stability]:
    """Grow trees from bootstrap samples (Efron 1979) of a growth's rows by its settings, and look for its nodes.

    Splits chosen by a person are left to the algorithm, in the trees that are grown anew.

    Parameters
    ----------
    growth : Growth
    n_samples : int
    seed : int

    Yields
    ------
    Stability
        After each sample, over all samples so far.
    """
    table, tree = growth.source, growth.tree
    names = [feature.name for feature in tree.table.features]
    rng = np.random.default_rng(seed)
    survived = np.zeros(len(tree.nodes), dtype=np.int64)
    thresholds: list[FloatArray] = []
    roots: dict[str | None, int] = {}
    sizes: list[int] = []
    for drawn in range(n_samples):
        sample = table.take(rng.integers(table.n_rows, size=table.n_rows))
        other = grow(sample, growth.settings.without_choice(())).tree
        found, cuts = _look(tree, other)
        survived += found
        thresholds.append(cuts)
        sizes.append(other.n_leaves)
        first = other.split(0)
        root = None if first is None else [f.name for f in other.table.features][first.feature]
        roots[root] = roots.get(root, 0) + 1
        order = {name: place for place, name in enumerate(names)}
        ranked = sorted(roots.items(), key=lambda item: (-item[1], order.get(item[0] or "", -1)))
        yield Stability(drawn + 1, survived.copy(), np.array(thresholds), tuple(ranked), np.array(sizes))


def _look(tree: Tree, other: Tree) -> tuple[IntArray, FloatArray]:
    """Which nodes of a tree another one has, 1 or 0, and its thresholds there."""
    found, cuts = np.zeros(len(tree.nodes), dtype=np.int64), np.full(len(tree.nodes), np.nan)
    waiting = [(0, 0)]
    while waiting:
        node, beside = waiting.pop()
        split, asked = tree.split(node), other.split(beside)
        if split is None or asked is None:
            found[node] = split is asked and (tree.is_number or tree.label(node) == other.label(beside))
            continue
        if tree.table.features[split.feature].name != other.table.features[asked.feature].name:
            continue
        found[node] = 1
        if split.threshold is not None and asked.threshold is not None:
            cuts[node] = asked.threshold
        elif split.groups != asked.groups:
            continue  # the same feature, but other branches
        waiting += zip(tree.children(node).tolist(), other.children(beside).tolist(), strict=False)
    return found, cuts
