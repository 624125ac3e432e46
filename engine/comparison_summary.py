"""What two finished trees have come to, and how often their settings agree over resampled rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from engine.comparison import Comparison, same_answer
from engine.comparison_rows import Shared, shared
from engine.growth import GrowthStep, grow
from engine.settings import GrowthSettings
from engine.table import Table
from engine.tree import Tree

N_BOOTSTRAPS = 100


@dataclass(frozen=True)
class Level:
    """The nodes at one depth: how often each feature is tested, the most frequent first, and the leaves."""

    features: tuple[tuple[str, int], ...]
    n_leaves: int


def levels(tree: Tree) -> tuple[Level, ...]:
    """The features that a finished tree tests at each depth, from the root on."""
    nodes = tree.nodes
    found = []
    for depth in range(int(nodes.depth.max()) + 1):
        tested = nodes.feature[nodes.depth == depth]
        counts = np.bincount(tested[tested >= 0], minlength=len(tree.table.features))
        order = [int(f) for f in np.argsort(-counts, kind="stable") if counts[f]]
        named = tuple((tree.table.features[f].name, int(counts[f])) for f in order)
        found.append(Level(named, int(np.count_nonzero(tested < 0))))
    return tuple(found)


@dataclass(frozen=True)
class Agreement:
    """How often two settings agree, over the resampled tables so far.

    Attributes
    ----------
    n_samples : int
        Resampled tables on which both trees were grown.
    n_same_first : int
        Of these, how many with the same test (or none) at the root.
    n_same_tree : int
        Of these, how many with no difference at all.
    n_pairs, n_equal : int
        Nodes that both trees have, over all tables, and how many are decided alike.
    """

    n_samples: int = 0
    n_same_first: int = 0
    n_same_tree: int = 0
    n_pairs: int = 0
    n_equal: int = 0

    def and_of(self, comparison: Comparison) -> Agreement:
        """The same with one more table."""
        pairs = comparison.pairs
        n_different = len(comparison.different)
        return Agreement(
            n_samples=self.n_samples + 1,
            n_same_first=self.n_same_first + pairs[0].equal,
            n_same_tree=self.n_same_tree + (n_different == 0),
            n_pairs=self.n_pairs + len(pairs),
            n_equal=self.n_equal + len(pairs) - n_different,
        )


def agreement(
    first: Table,
    first_settings: GrowthSettings,
    second: Table,
    second_settings: GrowthSettings,
    *,
    n_samples: int = N_BOOTSTRAPS,
    seed: int = 0,
) -> Iterator[Agreement]:
    """Grow both trees on bootstrap samples (Efron 1979) of the rows that both tables have.

    Both sides draw the same rows. Splits chosen by a person are left out: their nodes may be gone.

    Yields
    ------
    Agreement
        After each sample, over all samples so far.

    Raises
    ------
    SettingsError
        If a setting is not defined for its table.
    """
    common: Shared = shared(first, second)
    rng = np.random.default_rng(seed)
    total = Agreement()
    for _ in range(n_samples if len(common.first) else 0):
        drawn = rng.integers(len(common.first), size=len(common.first))
        one = grow(first.take(common.first[drawn]), first_settings.without_choice(()))
        other = grow(second.take(common.second[drawn]), second_settings.without_choice(()))
        total = total.and_of(Comparison(one, other))
        yield total


@dataclass(frozen=True)
class Apart:
    """A row that two trees answer differently: its position in each source table, and both answers."""

    first: int
    second: int
    answer: str | float
    answer_b: str | float


def answered_apart(comparison: Comparison, step: int, common: Shared) -> list[Apart]:
    """The rows of both tables that the two trees, as they stood after `step`, answer differently.

    A row that goes down several branches is answered by the leaf that holds its greatest part; rows
    that a growth dropped for a missing value are not asked.
    """
    shown = comparison[step]
    one, other = _answers(shown.first), _answers(shown.second)
    found = []
    for first, second in zip(common.first.tolist(), common.second.tolist(), strict=True):
        if first in one and second in other and not same_answer(one[first], other[second]):
            found.append(Apart(first, second, one[first], other[second]))
    return found


def _answers(step: GrowthStep) -> dict[int, str | float]:
    """What the tree at a step answers for each row of its source table, by position."""
    growth, tree = step.growth, step.tree
    leaves = tree.leaf_of_training_row().tolist()
    labels = {node: tree.label(node) for node in set(leaves)}
    place = {number: i for i, number in enumerate(growth.source.row_numbers.tolist())}
    return {place[number]: labels[leaf] for number, leaf in zip(growth.table.row_numbers.tolist(), leaves, strict=True)}
