"""The methods of pruning as pseudo-code, in the words of the books, and the line that each step stands at."""

from __future__ import annotations

from engine.pruning import PruningEvent, PruningMethod

_BOTTOM_UP = (
    "Prune(subtree)",
    "  prune every branch first",
    "  kept ← {cost} of the branches together",
    "  pruned ← {cost} of a leaf here",
    "  pruned ≤ kept? the leaf takes the subtree's place",
    "  else the subtree stays",
)
_COSTS = {
    PruningMethod.REDUCED_ERROR: "validation errors",
    PruningMethod.PESSIMISTIC: "estimated errors",
    PruningMethod.MINIMUM_DESCRIPTION_LENGTH: "bits",
}
_OTHERS = {
    PruningMethod.REDUCED_ERROR_GREEDY: (
        "PruneGreedily(tree)",
        "  repeat",
        "    best ← the split without which the tree has the fewest validation errors",
        "    no more errors than now? best becomes a leaf",
        "    else stop",
    ),
    PruningMethod.COST_COMPLEXITY: (
        "WeakestLinks(tree)",
        "  repeat until the root is a leaf",
        "    g ← (R(leaf) − R(subtree)) / (leaves − 1) of every split",
        "    all splits with the least g become leaves; alpha ← g",
        "  choose one tree of the sequence",
    ),
    PruningMethod.CHI_SQUARE: (
        "Prune(subtree)",
        "  prune every branch first",
        "  all branches are leaves? p ← chi-square test of the split",
        "    p > significance? the split becomes a leaf",
        "    else the split stays",
    ),
}


def code(method: PruningMethod) -> tuple[tuple[str, ...], dict[PruningEvent, int]]:
    """The lines, leading spaces indenting, and the line of each event.

    >>> lines, at = code(PruningMethod.REDUCED_ERROR)
    >>> lines[at[PruningEvent.PRUNE]]
    "  pruned ≤ kept? the leaf takes the subtree's place"
    """
    lines = tuple(line.format(cost=_COSTS[method]) for line in _BOTTOM_UP) if method in _COSTS else _OTHERS[method]
    return lines, {PruningEvent.STARTED: 0, PruningEvent.PRUNE: len(lines) - 2, PruningEvent.KEEP: len(lines) - 1}
