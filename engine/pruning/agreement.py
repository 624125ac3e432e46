"""All methods on one tree: what each would cut, and where they part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.errors import EngineError
from engine.growth import Growth
from engine.metrics import land
from engine.pruning.decisions import PruningDecision
from engine.pruning.pruning import Pruning, prune_over
from engine.pruning.settings import PruningMethod, PruningSettings
from engine.pruning.task import Rows
from engine.table import BoolArray, IntArray, Table
from engine.tree import Tree


@dataclass(frozen=True, eq=False)
class Opinion:
    """One method on the tree.

    Attributes
    ----------
    settings : PruningSettings
    pruning : Pruning or None
        None where the method cannot be used here.
    refusal : str or None
        Then why not, in a sentence.
    """

    settings: PruningSettings
    pruning: Pruning | None
    refusal: str | None

    @property
    def n_leaves(self) -> int | None:
        """Leaves of the tree that is left."""
        return None if self.pruning is None else self.pruning.tree.n_leaves

    @property
    def train_error(self) -> float | None:
        """Its error on the training rows."""
        return None if self.pruning is None else self.pruning.curve[self.pruning.chosen].train_error

    @property
    def validation_error(self) -> float | None:
        """Its error on the validation rows."""
        return None if self.pruning is None else self.pruning.curve[self.pruning.chosen].validation_error

    def error(self, table: Table) -> float | None:
        """Its error on other rows, such as a test set."""
        return None if self.pruning is None else self.pruning.errors(table)[self.pruning.chosen]


@dataclass(frozen=True, eq=False)
class Agreement:
    """The opinions of several methods on the splits of one tree.

    Attributes
    ----------
    nodes : ndarray of int64, shape (n_splits,)
        The splits of the full tree.
    opinions : tuple of Opinion
    cut : ndarray of bool, shape (n_splits, n_opinions)
        Whether the split is gone; False throughout for a method that cannot be used.
    """

    nodes: IntArray
    opinions: tuple[Opinion, ...]
    cut: BoolArray

    @property
    def disputed(self) -> BoolArray:
        """On which splits the methods that can be used disagree, shape (n_splits,)."""
        said = self.cut[:, [opinion.pruning is not None for opinion in self.opinions]]
        return np.asarray(said.any(axis=1) & ~said.all(axis=1))

    def decision(self, row: int, column: int) -> PruningDecision | None:
        """The decision that settled a split under a method: its own, or the one that took it along."""
        pruning = self.opinions[column].pruning
        return None if pruning is None else pruning.decision_of(int(self.nodes[row]))


def prune_by_all(
    growth: Growth | Tree,
    validation: Table | None = None,
    settings: Sequence[PruningSettings] | None = None,
) -> Agreement:
    """Prune one tree by every method.

    Parameters
    ----------
    growth : Growth or Tree
    validation : Table, optional
    settings : sequence of PruningSettings, optional
        One a column; every method with its defaults if not given.

    Returns
    -------
    Agreement
        A method that cannot be used here, such as chi-square for a number, says why and has no other
        consequence.

    Raises
    ------
    QueryError
        If the validation rows do not fit the tree.
    """
    tree = growth if isinstance(growth, Tree) else growth.tree
    wanted = settings or [PruningSettings(method=method) for method in PruningMethod]
    rows = Rows(tree, None if validation is None else land(tree, validation))
    opinions = tuple(_opinion(growth, one, validation, rows) for one in wanted)
    nodes = np.flatnonzero(tree.is_split)
    cut = np.zeros((len(nodes), len(opinions)), dtype=bool)
    for column, opinion in enumerate(opinions):
        if opinion.pruning is not None:
            cut[:, column] = ~opinion.pruning.tree.is_split[nodes]
    return Agreement(nodes, opinions, cut)


def _opinion(growth: Growth | Tree, settings: PruningSettings, validation: Table | None, rows: Rows) -> Opinion:
    try:
        return Opinion(settings, prune_over(growth, settings, validation, rows), None)
    except EngineError as error:
        return Opinion(settings, None, str(error))
