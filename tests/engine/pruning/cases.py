"""Trees to prune, and slow restatements of what pruning decides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
from hypothesis import strategies as st

import engine
from engine import Growth, Table
from engine.frames import frame_of
from engine.table import Target, TargetKind
from engine.tree import Tree
from tests.engine.tables import FILES, make_table, tables

TREE = FILES / "postoperative_tree.json"
METHODS = tuple(engine.PruningMethod)
FOR_NUMBERS = tuple(method for method in METHODS if method.is_for_numbers)


def postoperative() -> tuple[Tree, Table]:
    """The published tree and its validation rows."""
    rows = engine.read_table(FILES / "postoperative_validation.csv", target="decision", ignore=("id",))
    return engine.read_tree(TREE), rows


def settings(method: str, **others: object) -> engine.PruningSettings:
    return engine.PruningSettings(method=method, **others)  # type: ignore[arg-type]


def noisy(n: int, seed: int = 0, n_features: int = 3, n_classes: int = 2, share: float = 0.2) -> Table:
    """Rows whose class follows from the first feature, but for a share of them; numbers without ties."""
    rng = np.random.default_rng(seed)
    columns = rng.normal(size=(n_features, n))
    codes = np.digitize(columns[0], np.linspace(-1, 1, n_classes + 1)[1:-1])
    wrong = rng.random(n) < share
    codes[wrong] = rng.integers(0, n_classes, int(wrong.sum()))
    return make_table({f"x{i}": list(column) for i, column in enumerate(columns)}, [f"k{code}" for code in codes])


def as_numbers(table: Table, values: np.ndarray) -> Table:
    """The same features with a number to predict."""
    return replace(table, target=Target("y", TargetKind.NUMBER), target_values=np.asarray(values, dtype=np.float64))


def noisy_numbers(n: int, seed: int = 0) -> Table:
    """A number that rises with the first feature, and noise."""
    table = noisy(n, seed)
    rng = np.random.default_rng(seed + 1)
    return as_numbers(table, np.round(table.columns[0]) + rng.normal(scale=0.5, size=n))


def halves(table: Table) -> tuple[Growth, Table]:
    """Grown from every other row; the others validate."""
    rows = np.arange(table.n_rows)
    return engine.grow(table.take(rows[rows % 2 == 0])), table.take(rows[rows % 2 == 1])


@st.composite
def grown(draw: st.DrawFn, *, numbers: bool = False) -> tuple[Growth, Table]:
    """A small tree of any shape, and validation rows; some of its nodes, or classes, may lack any."""
    table = draw(tables(min_rows=4, max_rows=40))
    if numbers:
        values = draw(st.lists(st.integers(-3, 3), min_size=table.n_rows, max_size=table.n_rows))
        table = as_numbers(table, np.array(values))
    mask = np.array(draw(st.lists(st.booleans(), min_size=table.n_rows, max_size=table.n_rows)))
    mask[:2] = (True, False)
    algorithm = draw(st.sampled_from(["id3", "cart"]))
    growth = engine.grow(table.take(np.flatnonzero(mask)), engine.GrowthSettings(algorithm=algorithm))
    return growth, table.take(np.flatnonzero(~mask))


def post_order(tree: Tree, node: int = 0) -> Iterator[int]:
    """The splits, each after all below it, branches in order."""
    for child in tree.children(node).tolist():
        yield from post_order(tree, child)
    if len(tree.children(node)):
        yield node


def validation_cost(tree: Tree, rows: Table) -> float:
    """Errors, or squared errors, of a view's own predictions."""
    if not rows.n_rows:
        return 0.0
    predicted = tree.predict(frame_of(rows))
    if tree.is_number:
        return float(np.sum((predicted - rows.target_values) ** 2))
    return float(np.sum(predicted != np.array(rows.target.classes, dtype=object)[rows.target_values]))


def all_prunings(tree: Tree, node: int = 0) -> list[tuple[int, ...]]:
    """Every way to take the tree back, as the splits that become leaves."""
    children = tree.children(node).tolist()
    if not children:
        return [()]
    ways: list[tuple[int, ...]] = [()]
    for child in children:
        ways = [way + more for way in ways for more in all_prunings(tree, child)]
    return [(node,), *ways]


def n_prunings(tree: Tree, node: int = 0) -> int:
    product = 1
    for child in tree.children(node).tolist():
        product *= n_prunings(tree, child)
    return product + 1 if len(tree.children(node)) else 1


def weakest_links(tree: Tree, risk: dict[int, Fraction]) -> list[tuple[Fraction, set[int]]]:
    """The sequence by definition: recompute everything, take all links of the least g, repeat."""
    cut: set[int] = set()
    found = []

    def leaves(node: int) -> list[int]:
        children = [] if node in cut else tree.children(node).tolist()
        return [leaf for child in children for leaf in leaves(child)] if children else [node]

    def splits(node: int) -> list[int]:
        children = [] if node in cut else tree.children(node).tolist()
        return [node, *(split for child in children for split in splits(child))] if children else []

    while links := splits(0):
        g = {}
        for node in links:
            below = leaves(node)
            g[node] = (risk[node] - sum(risk[leaf] for leaf in below)) / (len(below) - 1)
        least = min(g.values())
        weakest = {node for node in links if g[node] == least}
        found.append((least, weakest))
        cut |= weakest
    return found


def write(path: Path, table: Table) -> str:
    """The rows as a CSV file; its name."""
    frame = frame_of(table)
    frame[table.target.name] = [table.target_value(row) for row in range(table.n_rows)]
    frame.to_csv(path, index=False)
    return str(path)
