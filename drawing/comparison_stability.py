"""How often the splits of a tree survive on resampled rows: a picture of the tree, a table and words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from drawing import phrases
from drawing.theme import Mode, quantity
from drawing.tree_boxes import MAX_NODES, boxes, class_letters
from drawing.tree_layout import Orientation, place
from drawing.tree_svg import file_svg
from engine import Growth
from engine.comparison_stability import Stability

_FAINTEST = 0.25


def stability_svg(growth: Growth, found: Stability, mode: Mode, max_nodes: int = MAX_NODES) -> str:
    """The tree; each node says how often it survives, and is the fainter the less often."""
    drawn = boxes(growth.tree, growth.rules.criterion, max_nodes)
    told = [replace(box, impurity=f"in {found.survived[box.node]} of {found.n_samples}") for box in drawn]
    letters = class_letters(growth.tree.table.target.classes)
    picture = file_svg(told, place(told, Orientation.TOP_DOWN), letters, mode)
    rules = "".join(
        f"#n{box.node},[data-edge='{box.node}']{{opacity:{_FAINTEST + (1 - _FAINTEST) * found.share(box.node):.2f}}}"
        for box in drawn
    )
    head, end, rest = picture.partition("</style>")
    return f"{head}{rules}{end}{rest}"


def stability_rows(growth: Growth, found: Stability) -> list[list[str]]:
    """One line a split, from the root down level by level: its question, how often it survives, where it cuts."""
    tree = growth.tree
    splits = np.flatnonzero(tree.is_split)
    order = splits[np.argsort(tree.nodes.depth[splits], kind="stable")].tolist()
    return [[_place(growth, node), str(int(found.survived[node])), _cuts(growth, found, node)] for node in order]


def stability_words(growth: Growth, found: Stability) -> str:
    """The roots of the trees and the sizes, in a sentence each."""
    n = found.n_samples
    named = [f"{'a leaf' if name is None else phrases.plain(name)} {times}" for name, times in found.roots[:4]]
    if len(found.roots) > 4:
        named.append(f"{len(found.roots) - 4} others {sum(times for _, times in found.roots[4:])}")
    leaves = found.n_leaves
    whole = int(found.survived.min())
    size = f"{leaves.min()} to {leaves.max()} leaves, this one {growth.tree.n_leaves}"
    return (
        f"{n} {'tree' if n == 1 else 'trees'} of resampled rows. Tested first: {', '.join(named)}. "
        f"They have {size}. All of this tree is found in {whole} of {n}."
    )


def _place(growth: Growth, node: int) -> str:
    split = growth.tree.split(node)
    assert split is not None
    question = phrases.plain(growth.tree.table.features[split.feature].name)
    if split.threshold is not None:
        question = f"{question} < {quantity(split.threshold)}"
    return f"{question}, at the root" if not node else f"{question}, where {phrases.path(growth.tree.path(node))}"


def _cuts(growth: Growth, found: Stability, node: int) -> str:
    spread = found.spread(node)
    split = growth.tree.split(node)
    if spread is None or split is None or split.threshold is None:
        return ""
    low, high = (quantity(value) for value in spread)
    return f"at {low}" if low == high else f"{low} to {high}"
