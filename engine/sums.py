"""What is added up over the rows of a node: for the whole, for every threshold, for every level.

The sums are those of criteria.py, along the first axis: a count a class, or for a number n,
Σ(y − c) and Σ(y − c)², where c is the node's mean, so that no digits are lost on large values.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.criteria import Counts, impurity, sizes_of
from engine.settings import Missing, ResolvedSettings
from engine.splits import midpoints
from engine.table import FloatArray, IntArray, Table


@dataclass(frozen=True, eq=False)
class Branches:
    """The sums behind P candidates of one feature.

    Attributes
    ----------
    sums : ndarray of shape (n_sums, n_branches, P)
    unknown : float
        Weight of the rows whose value is missing and which go down every branch (fractional).
    rows : ndarray of shape (n_branches, P), or None
        Rows of each branch, where they are not what `sums` adds up to: rows with weights.
    """

    sums: Counts
    unknown: float = 0.0
    rows: Counts | None = None


class NodeRows:
    """The rows that reach a node, with what each of them counts.

    Parameters
    ----------
    table : Table
        Prepared: missing values are treated, or left for `fractional` and `own_branch`.
    rules : ResolvedSettings
    rows : ndarray of int64, shape (n,)
        Positions in the table.
    weights : ndarray of shape (n,), optional
        What each row counts here; 1 each if not given.
    fractions : ndarray of shape (n,), optional
        The part of each row that arrives here; whole rows if not given. `weights` contain it.
    """

    def __init__(
        self,
        table: Table,
        rules: ResolvedSettings,
        rows: IntArray,
        weights: FloatArray | None = None,
        fractions: FloatArray | None = None,
    ) -> None:
        self.table, self.rules, self.rows = table, rules, rows
        self.weights, self.fractions = weights, fractions

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def target(self) -> Counts:
        """Class codes, or numbers less their mean."""
        values = self.table.target_values[self.rows]
        return values - self.centre if self.rules.is_number else values

    @cached_property
    def centre(self) -> float:
        """The mean of a number; 0 for classes."""
        if not self.rules.is_number or not len(self.rows):
            return 0.0
        return float(np.average(self.table.target_values[self.rows], weights=self.weights))

    @cached_property
    def total(self) -> Counts:
        """The sums of all rows, shape (n_sums,)."""
        if not self.rules.is_number:
            return np.bincount(self.target, self.weights, minlength=self.table.n_classes)
        return self._by_code(np.zeros(len(self), dtype=np.int64), 1)[:, 0]

    @cached_property
    def impurity(self) -> float:
        """The criterion's impurity of the node."""
        return float(impurity(self.rules.criterion, self.total))

    @cached_property
    def n_rows(self) -> float:
        """How many rows arrive, parts of rows added up: what the stopping rules count."""
        return float(len(self)) if self.fractions is None else float(self.fractions.sum())

    @property
    def counts_rows_apart(self) -> bool:
        """Whether `min_samples_leaf` counts something else than the sums do."""
        return self.rules.min_samples_leaf > 1 and self.weights is not None

    def by_threshold(self, feature: int) -> tuple[FloatArray, Branches]:
        """All thresholds of a numeric feature, ascending, with the sums on either side of each."""
        place = self.table.numeric.index(feature)
        distinct = self.table.distinct[place]
        ranks = self.table.rank_matrix[place][self.rows]
        order = self._order(ranks)
        rank = ranks[order]
        n_known = int(np.searchsorted(rank, len(distinct))) if self.table.features[feature].n_missing else len(rank)
        order, missing, rank = order[:n_known], order[n_known:], rank[:n_known]
        cuts = np.flatnonzero(rank[1:] != rank[:-1])
        below_and_all = np.stack([self._running(term, order, cuts) for term in self._terms(order)])
        sums = np.stack([below_and_all[:, :-1], below_and_all[:, -1:] - below_and_all[:, :-1]], axis=1)
        thresholds = midpoints(distinct[rank[cuts]], distinct[rank[cuts + 1]])
        rows = None
        if self.counts_rows_apart:
            running = self._running(self._parts[order], order, cuts)
            rows = np.stack([running[:-1], running[-1] - running[:-1]])
        return thresholds, self._with_missing(feature, sums, rows, missing)

    def below_threshold(self, feature: int, threshold: float) -> Branches:
        """The sums on either side of one threshold, P = 1."""
        column = self.table.columns[feature][self.rows]
        missing = np.flatnonzero(np.isnan(column))
        code = np.where(column < threshold, 0, 1)
        code[missing] = 2
        rows = None if not self.counts_rows_apart else np.bincount(code, self._parts, minlength=3)[:2, None]
        return self._with_missing(feature, self._by_code(code, 3)[:, :2, None], rows, missing)

    def by_level(self, feature: int) -> tuple[Counts, Counts, float]:
        """The sums of each level, shape (n_sums, n_levels), the rows of each, and the weight of the unknown."""
        n_levels = len(self.table.features[feature].levels)
        code = self.table.columns[feature][self.rows].astype(np.int64)
        sums = self._by_code(code, n_levels + 1)
        sizes = sizes_of(self.rules.criterion, sums)
        rows = np.bincount(code, self._parts, minlength=n_levels + 1) if self.counts_rows_apart else sizes
        return sums[:, :n_levels], rows[:n_levels], float(sizes[n_levels])

    @cached_property
    def _parts(self) -> FloatArray:
        return np.ones(len(self)) if self.fractions is None else self.fractions

    def _order(self, ranks: IntArray) -> IntArray:
        """Places in ascending order of rank; of equal ranks in the order of the rows."""
        shift = max(len(ranks) - 1, 1).bit_length()
        keys = (ranks.astype(np.int64) << shift) | np.arange(len(ranks))
        keys.sort()
        return np.asarray(keys & ((1 << shift) - 1))

    def _terms(self, order: IntArray) -> Iterator[Counts]:
        """What each row adds to each sum, rows in the given order."""
        target = self.target[order]
        weights = None if self.weights is None else self.weights[order]
        if self.rules.is_number:
            ones = np.ones(len(order)) if weights is None else weights
            yield from (ones, ones * target, ones * target * target)
            return
        for code in range(self.table.n_classes):
            yield target == code if weights is None else np.where(target == code, weights, 0.0)

    def _running(self, term: Counts, order: IntArray, cuts: IntArray) -> Counts:
        """The sum up to each cut, and last the sum of all."""
        if not len(order):
            return np.zeros(1, dtype=np.int64 if term.dtype == bool else np.float64)
        running = np.cumsum(term, dtype=np.int64 if term.dtype == bool else np.float64)
        return np.append(running[cuts], running[-1])

    def _by_code(self, code: IntArray, n_codes: int) -> Counts:
        """The sums of the rows of each code, shape (n_sums, n_codes)."""
        if self.rules.is_number:
            ones = np.ones(len(self)) if self.weights is None else self.weights
            terms = (ones, ones * self.target, ones * self.target * self.target)
            return np.stack([np.bincount(code, term, minlength=n_codes) for term in terms])
        n_classes = self.table.n_classes
        tally = np.bincount(code * n_classes + self.target, self.weights, minlength=n_codes * n_classes)
        return np.asarray(tally.reshape(n_codes, n_classes).T)

    def _with_missing(self, feature: int, sums: Counts, rows: Counts | None, missing: IntArray) -> Branches:
        """What becomes of the rows without a value: a third branch, or weight that goes down every branch."""
        if not self.table.features[feature].n_missing:
            return Branches(sums, rows=rows)
        here = [term.sum(dtype=sums.dtype) for term in self._terms(missing)]
        if self.rules.missing is not Missing.OWN_BRANCH:
            return Branches(sums, float(sizes_of(self.rules.criterion, np.array(here))), rows)
        third = np.broadcast_to(np.array(here, dtype=sums.dtype)[:, None, None], (len(sums), 1, sums.shape[2]))
        if rows is not None:
            lacking = np.full((1, rows.shape[1]), self._parts[missing].sum())
            rows = np.concatenate([rows, lacking])
        return Branches(np.concatenate([sums, third], axis=1), rows=rows)
