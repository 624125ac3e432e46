"""Tree: what it predicts, finished or in a view, and how rows go down it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from engine.errors import QueryError
from engine.ingest import code_frame
from engine.nodes import SPLIT_KINDS, STOP_REASONS, Nodes, Parts
from engine.prepare import fill_value
from engine.settings import Missing
from engine.splits import Split, is_numeric
from engine.structure import Structure
from engine.table import AnyArray, BoolArray, FloatArray, IntArray, Table, TargetKind

__all__ = ["SPLIT_KINDS", "STOP_REASONS", "Nodes", "Parts", "Prediction", "Tree", "class_values"]

Arrival = tuple[int, IntArray, FloatArray, BoolArray]
"""A node, the rows that reach it, their weights, and which of them it answers for."""


@dataclass(frozen=True)
class Prediction:
    """What a tree says of one row, and the ids of the nodes on its path.

    `probabilities` is empty for a number. A row with a missing value that goes down every branch
    has all of its nodes in `path`, ascending.
    """

    prediction: str | float
    probabilities: dict[str, float]
    path: tuple[int, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Tree(Structure):
    """A tree, finished or as it stood after a step; a view that shares the arrays of its nodes.

    A node that is not yet decided predicts its majority, so every view is a usable model.
    """

    def leaf_of_training_row(self) -> IntArray:
        """The leaf, in this view, of each row that the tree was grown from, or of the greatest part of it."""
        leaf = self.nodes.leaf_of_row
        if self.step is None and not self.collapsed:
            return leaf
        target = np.arange(len(self.nodes))
        for node in range(1, len(self.nodes)):
            if not self.is_visible[node]:
                target[node] = target[self.nodes.parent[node]]
        return target[leaf]

    def training_accuracy(self) -> float:
        """Share of the training rows that this view gets right; for a number R², the share of variance explained."""
        return self._score(self._training_predictions(), self.table.target_values)

    def accuracy(self, table: Table) -> float:
        """The same over the rows of another table with the same features and target.

        Raises
        ------
        QueryError
            If the table has other features or another target.
        """
        self._require_same(table)
        if not table.n_rows:
            return float("nan")
        return self._score(self._answers(self.arrivals(self._columns(table), table.n_rows)), table.target_values)

    def holdout_costs(self, table: Table) -> tuple[FloatArray, FloatArray]:
        """What the rows of another table cost at each node, shape (n of all nodes,).

        Mistakes, or squared errors of a number: first if the node were a leaf, then if it were split
        once. A row in parts costs its part.
        """
        self._require_same(table)
        as_leaf, below = np.zeros((2, len(self.nodes)))
        for node, rows, weights, stays in self.arrivals(self._columns(table), table.n_rows):
            truth = table.target_values[rows]
            off = truth - self.nodes.prediction[node]
            cost = weights * (np.square(off) if self.is_number else off != 0)
            as_leaf[node] = cost.sum()
            below[node] += cost[stays].sum()
            if node:
                below[self.nodes.parent[node]] += as_leaf[node]
        return as_leaf, below

    def _score(self, answers: AnyArray, truth: AnyArray) -> float:
        if not self.is_number:
            return float(np.mean(answers == truth))
        spread = float(np.sum(np.square(truth - truth.mean())))
        return 1.0 - float(np.sum(np.square(answers - truth))) / spread if spread else 1.0

    def _training_predictions(self) -> AnyArray:
        if self.nodes.parts is None:
            return np.asarray(self.nodes.prediction[self.leaf_of_training_row()])
        return self._answers(self.arrivals(dict(enumerate(self.table.columns)), self.table.n_rows))

    def apply(self, frame: pd.DataFrame) -> IntArray:
        """The id of the node that answers for each row of `frame`; of several, the one of most weight."""
        arrivals = list(self.arrivals(self._coded(frame), len(frame)))
        answering = np.zeros(len(frame), dtype=np.int64)
        most = np.zeros(len(frame))
        for node, rows, weights, stays in arrivals:
            rows, weights = rows[stays], weights[stays]
            more = weights > most[rows] + 1e-12
            answering[rows[more]], most[rows[more]] = node, weights[more]
        return answering

    def predict(self, frame: pd.DataFrame) -> AnyArray:
        """The prediction for each row, shape (n_rows,): classes as objects, or numbers as float64.

        Raises
        ------
        QueryError
            If a feature that the tree tests is not a column of `frame`.
        """
        answers = self._answers(self.arrivals(self._coded(frame), len(frame)))
        if self.is_number:
            return answers
        return np.asarray(np.asarray(self.table.target.classes, dtype=object)[answers])

    def predict_proba(self, frame: pd.DataFrame) -> FloatArray:
        """The share of each class, shape (n_rows, n_classes), columns in the order of the classes.

        Raises
        ------
        QueryError
            If the target is a number, or a tested feature is not a column of `frame`.
        """
        if self.is_number:
            raise QueryError("the target is a number, which has no probabilities; use predict.")
        return self._mixed(self.arrivals(self._coded(frame), len(frame)))[0]

    def predictions(self, frame: pd.DataFrame) -> list[Prediction]:
        """For each row its prediction with probabilities, path, and notes on what was unknown."""
        columns = self._coded(frame)
        arrivals = list(self.arrivals(columns, len(frame)))
        shares, _ = self._mixed(arrivals)
        notes = self._notes(columns, arrivals)
        answers = self._answers(arrivals)
        classes = self.table.target.classes
        paths: list[list[int]] = [[] for _ in range(len(frame))]
        for node, rows, _, _ in arrivals:
            for row in rows.tolist():
                paths[row].append(node)
        return [
            Prediction(
                prediction=float(answers[row]) if self.is_number else classes[int(answers[row])],
                probabilities={} if self.is_number else dict(zip(classes, shares[row].tolist(), strict=True)),
                path=tuple(sorted(paths[row])),
                notes=tuple(notes.get(row, ())),
            )
            for row in range(len(frame))
        ]

    # ---- rows on their way down -------------------------------------------------------------

    def _coded(self, frame: pd.DataFrame) -> dict[int, AnyArray]:
        """The columns of a frame that the view tests, coded like the source's."""
        return code_frame(frame, self.source.features, sorted({int(f) for f in self.nodes.feature[self.is_split]}))

    def _columns(self, table: Table) -> dict[int, AnyArray]:
        """The columns of a table that has the source's features."""
        return {
            i: column if is_numeric(feature) else column.astype(np.int64)
            for i, (feature, column) in enumerate(zip(table.features, table.columns, strict=True))
        }

    def _require_same(self, table: Table) -> None:
        same = [(f.name, f.kind, f.levels) for f in table.features] == [
            (f.name, f.kind, f.levels) for f in self.source.features
        ]
        if not same or table.target != self.source.target:
            raise QueryError(
                f"the table {table.name!r} has other features, levels or classes than {self.source.name!r}, "
                "which the tree was grown from; give rows of the same table."
            )

    def _lacking(self, feature: int, values: AnyArray) -> BoolArray:
        spec = self.source.features[feature]
        return np.asarray(np.isnan(values) if is_numeric(spec) else values == len(spec.levels))

    def arrivals(self, columns: Mapping[int, AnyArray], n_rows: int) -> Iterator[Arrival]:
        """Follow rows down the view, depth-first: which rows reach each node, and with what weight.

        Yields the node, its rows, their weights (1 unless a missing value sent a row down every
        branch), and which of them it answers for: all at a leaf, at a split those that no branch takes.
        """
        stack = [(0, np.arange(n_rows), np.ones(n_rows))]
        while stack:
            node, rows, weights = stack.pop()
            if not self.is_split[node]:
                yield node, rows, weights, np.ones(len(rows), dtype=bool)
                continue
            split = self.split(node)
            assert split is not None
            values = columns[split.feature][rows]
            lacking = self._lacking(split.feature, values)
            if lacking.any() and self.missing is Missing.MOST_COMMON:
                values = values.copy()
                values[lacking] = self._fill(split.feature)
            branch = split.branch_of(values, self.table.features[split.feature])
            children = self.children(node)
            spread = lacking if self.missing is Missing.FRACTIONAL else np.zeros(len(rows), dtype=bool)
            yield node, rows, weights, (branch < 0) & ~spread
            sizes = self.nodes.size[children]
            some = spread.any()
            below = []
            for number, child in enumerate(children.tolist()):
                taken = branch == number
                if some and sizes[number] > 0:
                    share = np.where(spread, sizes[number] / sizes.sum(), 1.0)
                    taken = taken | spread
                    below.append((child, rows[taken], (weights * share)[taken]))
                elif taken.any():
                    below.append((child, rows[taken], weights[taken]))
            stack.extend(reversed(below))

    def _mixed(self, arrivals: Iterable[Arrival]) -> tuple[FloatArray, BoolArray]:
        """The answers of all nodes that share a row, by weight; and which rows a single node answers for whole.

        The first has shape (n_rows, n_classes), or (n_rows, 1) for a number.
        """
        arrivals = list(arrivals)
        n_rows = len(arrivals[0][1])
        mixed = np.zeros((n_rows, self.answers.shape[1]))
        whole = np.zeros(n_rows, dtype=bool)
        for node, rows, weights, stays in arrivals:
            own, weight = rows[stays], weights[stays]
            alone = weight == 1.0
            whole[own[alone]] = True
            mixed[own] += weight[:, None] * self.answers[node]
        return mixed, whole

    def _answers(self, arrivals: Iterable[Arrival]) -> AnyArray:
        """Class codes, or numbers; a row that one node answers for gets that node's prediction."""
        arrivals = list(arrivals)
        mixed, whole = self._mixed(arrivals)
        answers = mixed[:, 0] if self.is_number else (mixed >= mixed.max(axis=1, keepdims=True) - 1e-12).argmax(axis=1)
        for node, rows, _, stays in arrivals:
            own = rows[stays]
            own = own[whole[own]]
            answers[own] = self.nodes.prediction[node]
        return np.asarray(answers)

    def _notes(self, columns: Mapping[int, AnyArray], arrivals: Iterable[Arrival]) -> dict[int, list[str]]:
        """What was unknown on each row's way down."""
        notes: dict[int, list[str]] = {}
        for node, rows, _, stays in arrivals:
            split = self.split(node) if self.is_split[node] else None
            if split is None:
                continue
            lacking = self._lacking(split.feature, columns[split.feature][rows])
            if not lacking.any() and not stays.any():
                continue
            name = self.table.features[split.feature].name
            for row in rows[lacking].tolist():
                _note(notes, row, f"{name} is missing: {self._taken(split)}.")
            for row in rows[stays & ~lacking].tolist():
                _note(notes, row, f"{name} has a value that the table does not have: the node's majority answers.")
        return notes

    def _taken(self, split: Split) -> str:
        """What is done where the tested value of a query is missing."""
        has_branch = split.missing_branch or self.table.features[split.feature] != self.source.features[split.feature]
        match self.missing:
            case Missing.MOST_COMMON if split.threshold is not None:
                return "the training rows' median stands in"
            case Missing.MOST_COMMON:
                return "the training rows' most common value stands in"
            case Missing.FRACTIONAL:
                return "the row goes down every branch, by their shares of the rows"
            case Missing.OWN_BRANCH if has_branch:
                return "it has a branch of its own"
            case _:
                return "the node's mean answers" if self.is_number else "the node's majority answers"

    def _fill(self, feature: int) -> float:
        if feature not in self._fills:
            self._fills[feature] = fill_value(self.source, feature)
        return self._fills[feature]


def _note(notes: dict[int, list[str]], row: int, text: str) -> None:
    """Add a note once: a row in parts can meet the same test twice."""
    own = notes.setdefault(row, [])
    if text not in own:
        own.append(text)


def class_values(table: Table) -> Any:
    """The target column as written in the file: classes as text, or numbers."""
    if table.target.kind is TargetKind.CLASSES:
        return np.asarray(table.target.classes, dtype=object)[table.target_values]
    return table.target_values
