"""What the rows of each node of a level add up to: class counts, or mean and squares of a number.

The search (search.py) keeps one of the two; both know rows with weights.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.criteria import Counts, Criterion, impurity
from engine.scores import TOLERANCE
from engine.settings import ResolvedSettings
from engine.table import AnyArray, BoolArray, FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Totals:
    """The sums of n nodes.

    Attributes
    ----------
    counts : ndarray of shape (n, n_classes)
        No columns for a number.
    size : ndarray of shape (n,)
        Rows, or their weight.
    rows : ndarray of shape (n,)
        Rows, whatever they weigh; parts of rows are added up.
    entries : ndarray of int64, shape (n,)
        Rows, each part of a row counted as one.
    pure : ndarray of bool, shape (n,)
    mean, squares : ndarray of float64, shape (n,), or None
        Of a number: its mean and Σ w (y − mean)².
    """

    counts: Counts
    size: AnyArray
    rows: AnyArray
    entries: IntArray
    pure: BoolArray
    mean: FloatArray | None = None
    squares: FloatArray | None = None

    def take(self, nodes: IntArray) -> Totals:
        """The totals of some of the nodes."""
        return Totals(
            counts=self.counts[nodes],
            size=self.size[nodes],
            rows=self.rows[nodes],
            entries=self.entries[nodes],
            pure=self.pure[nodes],
            mean=None if self.mean is None else self.mean[nodes],
            squares=None if self.squares is None else self.squares[nodes],
        )

    def impurity(self, criterion: Criterion, logs: FloatArray | None) -> FloatArray:
        """The impurity of each node."""
        if self.squares is None:
            return impurity(criterion, np.ascontiguousarray(self.counts.T), logs)
        sums = np.stack([np.asarray(self.size, dtype=np.float64), np.zeros(len(self.size)), self.squares])
        return impurity(criterion, sums)


def totals(
    rules: ResolvedSettings,
    n_classes: int,
    values: AnyArray,
    weights: FloatArray | None,
    node: IntArray,
    n_nodes: int,
    parts: FloatArray | None = None,
) -> Totals:
    """Add up the rows of each node.

    Parameters
    ----------
    rules : ResolvedSettings
    n_classes : int
    values : ndarray of shape (n,)
        The target of each row: class codes (int64), or numbers.
    weights : ndarray of shape (n,), or None
        What each row counts.
    node : ndarray of int64, shape (n,)
        The node of each row.
    n_nodes : int
    parts : ndarray of shape (n,), optional
        Which part of a row each is; whole rows if not given. `weights` contain it.
    """
    if rules.is_number:
        return _of_numbers(values, weights, node, n_nodes, parts)
    counts = np.bincount(node * n_classes + values, weights, minlength=n_nodes * n_classes)
    counts = counts.reshape(n_nodes, n_classes)
    by_class = np.ascontiguousarray(counts.T)
    size = by_class.sum(axis=0)
    if weights is None:
        return Totals(
            counts=counts, size=size, rows=size, entries=size, pure=(by_class.max(axis=0) == size) & (size > 0)
        )
    entries = np.bincount(node, minlength=n_nodes)
    return Totals(
        counts=counts,
        size=size,
        rows=_rows(entries, parts, node),
        entries=entries,
        pure=np.count_nonzero(by_class, axis=0) == 1,
    )


def _rows(entries: IntArray, parts: FloatArray | None, node: IntArray) -> AnyArray:
    return entries if parts is None else np.bincount(node, parts, minlength=len(entries))


def _of_numbers(
    values: FloatArray, weights: FloatArray | None, node: IntArray, n_nodes: int, parts: FloatArray | None
) -> Totals:
    entries = np.bincount(node, minlength=n_nodes)
    some_value = np.zeros(n_nodes)
    some_value[node] = values  # any value of the node: sums are taken from it, so that no digits are lost
    off = values - some_value.take(node)
    size = entries if weights is None else np.bincount(node, weights, minlength=n_nodes)
    shift = np.bincount(node, off if weights is None else off * weights, minlength=n_nodes) / np.maximum(size, 1e-300)
    mean = some_value + shift
    spread = np.square(values - mean.take(node))
    squares = np.bincount(node, spread if weights is None else spread * weights, minlength=n_nodes)
    differ = np.bincount(node, off != 0, minlength=n_nodes)
    return Totals(
        counts=np.zeros((n_nodes, 0), dtype=np.int64),
        size=np.asarray(size, dtype=np.float64),
        rows=_rows(entries, parts, node),
        entries=entries,
        pure=(differ == 0) & (entries > 0),
        mean=mean,
        squares=np.asarray(squares, dtype=np.float64),
    )


def majorities(counts: Counts, parent_counts: Counts | None) -> IntArray:
    """The most frequent class of each node; a tie goes to the class more frequent in the parent, then the first.

    Parameters
    ----------
    counts : ndarray of shape (n, n_classes)
    parent_counts : ndarray of shape (n, n_classes), or None at the root
    """
    by_class = np.ascontiguousarray(counts.T)
    best = by_class >= _nearly(by_class.max(axis=0))
    prediction: IntArray = best.argmax(axis=0)
    tied = np.flatnonzero(best.sum(axis=0) > 1)
    if len(tied) and parent_counts is not None:
        above = np.where(best[:, tied].T, parent_counts[tied], -1)
        prediction[tied] = (above >= _nearly(above.max(axis=1))[:, None]).argmax(axis=1)
    return prediction


def _nearly(most: AnyArray) -> AnyArray:
    """Whole counts as they are; weights a little less, so that rounding breaks no tie."""
    return most if most.dtype.kind in "iu" else most * (1 - TOLERANCE)
