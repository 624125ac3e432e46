"""How much a tree owes to each feature: by the impurity that its splits remove, and by permutation.

Sources: Breiman et al. 1984, section 5.3.4 (here without surrogate splits, as scikit-learn's
`feature_importances_`), and Breiman 2001, section 10, for permutation.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.errors import SettingsError, TableError
from engine.frames import frame_of
from engine.table import AnyArray, FloatArray, IntArray, Table
from engine.tree import Tree, class_values

_MOST_AT_ONCE = 200_000
"""Rows predicted in one go."""


@dataclass(frozen=True, eq=False)
class Permutation:
    """What a tree's score loses when the values of one feature are shuffled among the rows.

    Attributes
    ----------
    score : float
        On the rows as they are: the accuracy, or for a number R².
    losses : ndarray of shape (n_features, n_repeats)
        The score less the score on shuffled rows; 0 for a feature that the tree does not test.
    """

    score: float
    losses: FloatArray

    @property
    def mean(self) -> FloatArray:
        """The mean loss of each feature, shape (n_features,)."""
        return np.asarray(self.losses.mean(axis=1))

    @property
    def deviation(self) -> FloatArray:
        """The standard deviation of the losses (with n), shape (n_features,)."""
        return np.asarray(self.losses.std(axis=1))


def impurity_importance(tree: Tree, *, normalize: bool = True) -> FloatArray:
    """What the splits on each feature remove of the impurity, as the tree stands in its view.

    A split counts |D|/|root| · (impurity(D) − Σ |Dᵥ|/|D| · impurity(Dᵥ)), by the criterion of the growth.

    Parameters
    ----------
    tree : Tree
    normalize : bool
        Whether to divide by the total, so that the importances add up to 1; where the total is 0
        they stay 0.

    Returns
    -------
    ndarray of shape (n_features,)

    >>> import engine
    >>> table = engine.read_table("datasets/files/play_tennis.csv", target="play", ignore=("day",))
    >>> impurity_importance(engine.grow(table).tree, normalize=False).round(3).tolist()
    [0.247, 0.0, 0.347, 0.347]
    """
    nodes, split = tree.nodes, np.flatnonzero(tree.is_split)
    weighted = nodes.size / nodes.size[0] * nodes.impurity
    removed = weighted.copy()
    np.subtract.at(removed, nodes.parent[1:], weighted[1:])
    found = np.bincount(nodes.feature[split], removed[split], minlength=len(tree.table.features))
    total = found.sum()
    return np.asarray(found / total if normalize and total > 0 else found)


def unused_features(tree: Tree) -> tuple[int, ...]:
    """The features that no split of the view tests, in column order."""
    tested = set(tree.nodes.feature[tree.is_split].tolist())
    return tuple(index for index in range(len(tree.table.features)) if index not in tested)


def permutation_importance(tree: Tree, table: Table, *, n_repeats: int = 10, seed: int = 0) -> Permutation:
    """How much worse the tree, as it stands in its view, predicts when a feature's values are shuffled.

    Parameters
    ----------
    tree : Tree
    table : Table
        Rows with their targets, best such that the tree has not seen; the features are found by name.
    n_repeats : int
        Shuffles of each feature; the same ones for all.
    seed : int

    Raises
    ------
    TableError
        If there are no rows.
    SettingsError
        If there are to be fewer than one repeat.
    QueryError
        If a feature that the tree tests is not in the table.
    """
    if not table.n_rows:
        raise TableError("permutation importance needs rows to predict; set some aside.")
    if n_repeats < 1:
        raise SettingsError(f"n_repeats must be at least 1, got {n_repeats}.")
    rng = np.random.default_rng(seed)
    orders = rng.permuted(np.tile(np.arange(table.n_rows), (n_repeats, 1)), axis=1)
    return permuted(tree, table, orders)


def permuted(tree: Tree, table: Table, orders: IntArray) -> Permutation:
    """Permutation importance by given shuffles.

    Parameters
    ----------
    tree : Tree
    table : Table
    orders : ndarray of int64, shape (n_repeats, n_rows)
        In each repeat, the row whose value each row gets.
    """
    truth = class_values(table)
    base = float(_scores(tree.predict(frame_of(table))[None], truth)[0])
    losses = np.zeros((len(tree.table.features), len(orders)))
    for feature in np.unique(tree.nodes.feature[tree.is_split]).tolist():
        losses[feature] = base - _shuffled(tree, table, feature, orders, truth)
    return Permutation(base, losses)


def _shuffled(tree: Tree, table: Table, feature: int, orders: IntArray, truth: AnyArray) -> FloatArray:
    """The score in each repeat, many of them predicted in one go."""
    name = tree.table.features[feature].name
    at_once = max(1, _MOST_AT_ONCE // table.n_rows)
    frame, found = frame_of(table), []
    for start in range(0, len(orders), at_once):
        some = orders[start : start + at_once]
        cells = frame.iloc[np.tile(np.arange(table.n_rows), len(some))].reset_index(drop=True)
        cells[name] = frame[name].iloc[some.ravel()].reset_index(drop=True)
        found.append(_scores(tree.predict(cells).reshape(some.shape), truth))
    return np.concatenate(found)


def _scores(predicted: AnyArray, truth: AnyArray) -> FloatArray:
    """The accuracy, or R², of each row of `predicted`, shape (n_repeats, n_rows)."""
    if truth.dtype == object:
        return np.asarray((predicted == truth).mean(axis=1), dtype=np.float64)
    errors = np.square(predicted.astype(np.float64) - truth).sum(axis=1)
    total = float(np.square(truth - truth.mean()).sum())
    # A target without variance is predicted rightly or not at all, as in scikit-learn.
    return 1 - errors / total if total else np.where(errors == 0, 1.0, 0.0)
