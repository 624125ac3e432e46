"""From a plan to a tree: columns, codes, counts, and the arrays of nodes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from engine.cells import listed, quoted
from engine.criteria import Criterion, impurity
from engine.errors import TreeError
from engine.given.columns import asks_for_missing, checked_table, empty_table, features_of, with_missing_level
from engine.given.plan import Plan, PlannedNode, PlannedSplit
from engine.nodes import SPLIT_KINDS, STOP_REASONS, Nodes
from engine.settings import Missing
from engine.splits import Split, SplitKind
from engine.table import (
    AnyArray,
    FloatArray,
    Table,
    TargetKind,
)
from engine.trace import StopReason
from engine.tree import Tree

_SAME = 1e-6
_REASONS = {reason.value: index for index, reason in enumerate(STOP_REASONS)}


class GivenTree(Tree):
    """A tree that was not grown here. Where no counts are known, a node is sure of its answer."""

    @cached_property
    def answers(self) -> FloatArray:
        """What each node answers: class shares, (n_nodes, n_classes), or the mean as one column."""
        if self.is_number:
            return np.asarray(self.nodes.prediction, dtype=np.float64)[:, None]
        counts = np.asarray(self.nodes.counts[self.nodes.informed_by], dtype=np.float64)
        unknown = np.flatnonzero(counts.sum(axis=1) == 0)
        counts[unknown, self.nodes.prediction[unknown]] = 1.0
        return np.asarray(counts / counts.sum(axis=1, keepdims=True))


def built(plan: Plan, table: Table | None) -> GivenTree:
    """The tree of a plan, over its training rows if they are given.

    Raises
    ------
    TreeError
        If the plan contradicts itself or the table.
    """
    if table is not None:
        nodes = _Builder(plan, checked_table(plan, table), has_rows=True).nodes()
        return GivenTree(nodes=nodes, table=table, source=table, missing=Missing.DROP)
    source = empty_table(plan, tuple(features_of(plan)))
    seen = empty_table(plan, tuple(map(with_missing_level, source.features))) if asks_for_missing(plan) else source
    nodes = _Builder(plan, seen, has_rows=False).nodes()
    return GivenTree(nodes=nodes, table=seen, source=source, missing=plan.missing)


class _Builder:
    """The arrays of the nodes, one after another."""

    def __init__(self, plan: Plan, table: Table, has_rows: bool) -> None:
        self.plan, self.table, self.has_rows = plan, table, has_rows
        self.is_number = table.target.kind is TargetKind.NUMBER
        self.place = {feature.name: index for index, feature in enumerate(table.features)}
        self.code = {name: code for code, name in enumerate(table.target.classes)}
        self.splits = [self._coded(node.split, node.where) for node in plan.nodes]
        n = len(plan.nodes)
        self.parent = np.array([node.parent for node in plan.nodes])
        self.children: list[list[int]] = [[] for _ in range(n)]
        for node in range(1, n):
            self.children[int(self.parent[node])].append(node)
        self.end = np.arange(1, n + 1)
        for node in range(n - 1, 0, -1):
            self.end[self.parent[node]] = max(self.end[self.parent[node]], self.end[node])

    def nodes(self) -> Nodes:
        """Everything together."""
        plan, n = self.plan, len(self.plan.nodes)
        leaf_of_row = self._leaf_of_row()
        size, counts, variance = self._from_rows(leaf_of_row) if self.has_rows else self._from_file()
        prediction = self._predictions(counts, leaf_of_row)
        splits = self.splits
        threshold = np.array([np.nan if s is None or s.threshold is None else s.threshold for s in splits])
        n_children = np.array([len(below) for below in self.children])
        informed = np.arange(n)
        for node in np.flatnonzero(size == 0).tolist():
            if node:
                informed[node] = informed[self.parent[node]]
        return Nodes(
            parent=self.parent,
            branch=np.array([node.branch for node in plan.nodes]),
            depth=np.array([node.depth for node in plan.nodes]),
            feature=np.array([-1 if split is None else split.feature for split in splits]),
            kind=np.array([-1 if split is None else SPLIT_KINDS.index(split.kind) for split in splits]),
            threshold=threshold,
            groups={i: split.groups for i, split in enumerate(splits) if split is not None and split.groups},
            first_child=np.cumsum(n_children) - n_children,
            n_children=n_children,
            children=np.array([child for below in self.children for child in below], dtype=np.int64),
            counts=counts,
            size=size,
            impurity=self._impurity(size, counts, variance),
            prediction=prediction,
            informed_by=informed,
            stop=np.array([self._stop(node, size[i]) for i, node in enumerate(plan.nodes)]),
            scored=np.zeros(n, dtype=bool),
            by_choice=np.zeros(n, dtype=bool),
            subtree_end=self.end,
            leaf_of_row=leaf_of_row,
            mean=np.asarray(prediction, dtype=np.float64) if self.is_number else None,
            variance=variance if self.is_number else None,
        )

    def _impurity(self, size: AnyArray, counts: AnyArray, variance: FloatArray) -> FloatArray:
        """What the file says; else entropy, or the squared error of a number."""
        said = [node.impurity for node in self.plan.nodes]
        if not self.has_rows and None not in said:
            return np.array(said, dtype=np.float64)
        if self.is_number:
            return np.asarray(variance * np.maximum(size - 1, 0) / np.maximum(size, 1))
        return impurity(Criterion.ENTROPY, counts.T)

    def _coded(self, split: PlannedSplit | None, where: str) -> Split | None:
        if split is None:
            return None
        feature = self.place[split.feature]
        if split.threshold is not None:
            kind = SplitKind.THRESHOLD
            return Split(feature, kind, threshold=split.threshold, missing_branch=split.missing_branch)
        levels = self.table.features[feature].levels
        groups = tuple(tuple(levels.index(level) for level in group) for group in split.groups)
        codes = [code for group in groups for code in group]
        if len(set(codes)) != len(codes):
            raise TreeError(
                f"the branches of {where} must differ, got a level of {quoted(split.feature)} in two of them."
            )
        if len(groups) < 2:
            raise TreeError(f"{where} needs at least two branches to be a split, got {len(groups)}.")
        one_each = all(len(group) == 1 for group in groups) and not split.is_subset
        return Split(feature, SplitKind.MULTIWAY if one_each else SplitKind.SUBSET, groups=groups)

    def _leaf_of_row(self) -> AnyArray:
        """Where each training row rests: at a leaf, or at the split that has no branch for it."""
        home = np.zeros(self.table.n_rows, dtype=np.int64)
        for node, split in enumerate(self.splits):
            rows = np.flatnonzero(home == node)
            if split is None or not len(rows):
                continue
            values = self.table.columns[split.feature][rows]
            branch = split.branch_of(values, self.table.features[split.feature])
            fits = branch >= 0
            home[rows[fits]] = np.array(self.children[node])[branch[fits]]
        return home

    def _from_rows(self, home: AnyArray) -> tuple[AnyArray, AnyArray, FloatArray]:
        n, values = len(self.plan.nodes), self.table.target_values
        size = self._summed(np.bincount(home, minlength=n))
        if not self.is_number:
            keys = home * self.table.n_classes + values
            counts = np.bincount(keys, minlength=n * self.table.n_classes).reshape(n, -1)
            return size, self._summed(counts), np.zeros(n)
        variance = np.zeros(n)
        for node in range(n):
            inside = values[(home >= node) & (home < self.end[node])]
            variance[node] = inside.var(ddof=1) if len(inside) > 1 else 0.0
        return size, np.zeros((n, 0)), variance

    def _from_file(self) -> tuple[AnyArray, AnyArray, FloatArray]:
        planned = self.plan.nodes
        n = len(planned)
        if self.is_number:
            size = np.array([node.n_rows or 0.0 for node in planned])
            return _whole(size), np.zeros((n, 0)), np.array([node.variance or 0.0 for node in planned])
        leaves = [node for node, split in zip(planned, self.splits, strict=True) if split is None]
        known = [node for node in leaves if node.counts is not None]
        if known and len(known) < len(leaves):
            without = next(node for node in leaves if node.counts is None)
            raise TreeError(
                f"{without.where} has no counts, and other leaves have; give them for every leaf or for none."
            )
        own = np.zeros((n, len(self.code)))
        for i, node in enumerate(planned):
            for name, count in (node.counts or {}).items():
                if name not in self.code:
                    raise TreeError(f"{node.where} counts rows of {quoted(name)}, which is none of the classes.")
                own[i, self.code[name]] = count
        counts = self._summed(np.where([[split is None] for split in self.splits], own, 0.0))
        for i, node in enumerate(planned):
            if node.counts is not None and not np.allclose(own[i], counts[i], rtol=_SAME, atol=_SAME):
                raise TreeError(
                    f"the counts at {node.where} must be those of its branches together; mend one or the other."
                )
        return _whole(counts.sum(axis=1)), _whole(counts), np.zeros(n)

    def _summed(self, values: AnyArray) -> AnyArray:
        """The sum over each node and all below it."""
        sums = values.copy()
        for node in range(len(sums) - 1, 0, -1):
            sums[self.parent[node]] += sums[node]
        return sums

    def _predictions(self, counts: AnyArray, home: AnyArray) -> AnyArray:
        found: list[float] = []
        for i, node in enumerate(self.plan.nodes):
            said = node.prediction
            if said is None:
                found.append(self._usual(i, counts, home, found))
            elif self.is_number:
                if isinstance(said, str):
                    raise TreeError(f"{node.where} predicts {quoted(said)}, and the target is a number.")
                found.append(said)
            elif said not in self.code:
                spelled = quoted(said) if isinstance(said, str) else f"{said:g}"
                raise TreeError(
                    f"{node.where} predicts {spelled}; the classes are {listed(self.table.target.classes)}."
                )
            else:
                found.append(self.code[str(said)])
        return np.array(found, dtype=np.float64 if self.is_number else np.int64)

    def _usual(self, node: int, counts: AnyArray, home: AnyArray, above: Sequence[float]) -> float:
        """The majority or the mean, where the file does not say what a node predicts."""
        parent = int(self.parent[node])
        if self.is_number:
            inside = self.table.target_values[(home >= node) & (home < self.end[node])]
            if len(inside):
                return float(inside.mean())
        elif counts[node].any():
            best = counts[node] == counts[node].max()
            return int(np.where(best, counts[parent], -1).argmax()) if node else int(best.argmax())
        if self.has_rows and node:
            return above[parent]
        raise TreeError(
            f'{self.plan.nodes[node].where} needs a "prediction"'
            f"{'' if self.is_number else ' or counts'}, for there are no rows to take it from."
        )

    def _stop(self, node: PlannedNode, size: float) -> int:
        if node.split is not None:
            return -1
        if node.stop_reason in _REASONS:
            return _REASONS[node.stop_reason]
        return _REASONS[StopReason.NO_ROWS] if self.has_rows and not size else -1


def _whole(values: FloatArray) -> AnyArray:
    """Whole numbers as such, so that sums of them are exact."""
    return values.astype(np.int64) if np.all(values == np.floor(values)) and np.all(values < 2**53) else values
