"""What is written in a node whose tree predicts a number, and the mark of its rows on the target's range."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from drawing import phrases
from drawing.numbers import Place, target_range, units
from engine import Criterion, Tree

MOST_LISTED = 6
"""Rows up to which a leaf lists them by their numbers in the file."""


@dataclass(frozen=True)
class Content:
    """The texts of a node, and its place on the target's range."""

    answer: str
    counts: str
    impurity: str
    place: Place


def describer(tree: Tree, criterion: Criterion | None) -> Callable[[int], Content]:
    """A function from a node to what its box says: rows, mean, impurity; a small leaf lists its rows."""
    write, within = units(tree), target_range(tree)
    word = phrases.measure(criterion).impurity if criterion else "impurity"
    mean, variance = tree.nodes.mean, tree.nodes.variance
    assert mean is not None
    assert variance is not None

    def describe(node: int) -> Content:
        n_rows = float(tree.nodes.size[node])
        empty = not n_rows
        return Content(
            answer=write.value(float(mean[node])),
            counts=_counts(tree, node, n_rows),
            impurity="parent's mean" if empty else f"{word} {write.square(float(tree.nodes.impurity[node]))}",
            place=within.place(float(mean[node]), 0.0 if empty else float(variance[node])),
        )

    return describe


def instances(tree: Tree, node: int, most: int = MOST_LISTED) -> str:
    """The rows of a node by their numbers in the file, counted from 1; empty where they are more than `most`."""
    if tree.weighted or not 0 < tree.nodes.size[node] <= most:
        return ""
    return ", ".join(str(int(tree.table.row_numbers[row]) + 1) for row in tree.rows(node).tolist())


def _counts(tree: Tree, node: int, n_rows: float) -> str:
    size = phrases.rows(n_rows)
    if not n_rows:
        return size
    if tree.is_split[node]:
        return f"{size}, {phrases.held(tree, node)}"
    listed = instances(tree, node)
    return f"{size}: {listed}" if listed else size
