"""Pre-pruning beside the full tree: a picture with what a stopping rule would have stopped, and the same in words."""

from __future__ import annotations

from drawing import phrases
from drawing.theme import PALETTES, Mode
from drawing.tree_graph import tree_svg
from engine import StopReason, Tree
from engine.pruning import EarlyMark, EarlyStopping

_REASONS = {
    StopReason.PURE: "pure",
    StopReason.NO_FEATURES: "no features left",
    StopReason.NO_ROWS: "no rows",
    StopReason.NO_USEFUL_SPLIT: "no useful split",
    StopReason.MAX_DEPTH: "the greatest depth",
    StopReason.MIN_SAMPLES_SPLIT: "too few rows to split",
    StopReason.MIN_SAMPLES_LEAF: "a branch would have too few rows",
    StopReason.MIN_GAIN: "too little gain",
    StopReason.NOT_SIGNIFICANT: "not significant",
    StopReason.WORSE_ON_HOLDOUT: "worse on the validation rows",
    StopReason.PRUNED: "pruned",
}


def early_svg(found: EarlyStopping, mode: Mode) -> str:
    """The full tree; where the rule stops is ringed, and what it never makes is faint."""
    accent = PALETTES[mode].accent
    faint = [node for node, mark in enumerate(found.marks) if mark is EarlyMark.NOT_REACHED]
    other = [node for node, mark in enumerate(found.marks) if mark is EarlyMark.OTHER_SPLIT]
    rules = [
        *(f"#n{node} .node-shape{{stroke:{accent};stroke-width:5px}}" for node in found.stopped),
        *(f"#n{node} .node-shape{{stroke:{accent};stroke-width:3px;stroke-dasharray:6 5}}" for node in other),
        *(f"#n{node},[data-edge='{node}']{{opacity:.28}}" for node in faint),
    ]
    picture = tree_svg(found.full.tree, found.full.rules.criterion, mode=mode)
    head, end, rest = picture.partition("</style>")
    return f"{head}{''.join(rules)}{end}{rest}"


def early_words(found: EarlyStopping) -> str:
    """How many splits the rule stops, and what is left."""
    full, early = found.full.tree.n_leaves, found.early.tree.n_leaves
    n = len(found.stopped)
    other = sum(mark is EarlyMark.OTHER_SPLIT for mark in found.marks)
    if not n and not other:
        return f"The rule stops nothing here: both trees have {_leaves(full)}."
    stops = f"The rule stops at {n} {'split' if n == 1 else 'splits'} of the full tree: ringed."
    others = f" At {other} it makes another split in its place: dashed." if other else ""
    return f"{stops}{others} {_leaves(early)} in place of {full}."


def early_rows(found: EarlyStopping) -> list[list[str]]:
    """One line for each split that is stopped: its place, its rows, and why."""
    return [
        [
            _place(found.full.tree, node),
            phrases.rows(float(found.full.tree.nodes.size[node])),
            _REASONS[found.reasons[node]],
        ]
        for node in found.stopped
    ]


def _place(tree: Tree, node: int) -> str:
    split = tree.split(node)
    assert split is not None
    question = phrases.plain(tree.table.features[split.feature].name)
    return f"{question}, at the root" if not node else f"{question}, where {phrases.path(tree.path(node))}"


def _leaves(n: int) -> str:
    return "1 leaf" if n == 1 else f"{n} leaves"
