"""Why a split was not made: what it would cost on the rows set aside."""

from __future__ import annotations

from collections.abc import Sequence

from drawing.numbers import units
from drawing.phrases import candidate_label
from drawing.theme import weight
from engine import Candidate, Growth, StopReason


def costs(growth: Growth, node: int) -> tuple[float, float] | None:
    """What a node costs on the holdout as a leaf and after its split; None where growth did not stop by it."""
    if growth.holdout_costs is None:
        return None
    as_leaf, below = growth.holdout_costs
    return float(as_leaf[node]), float(below[node])


def stopped(growth: Growth, node: int, ranked: Sequence[Candidate]) -> str:
    """Why a node was not split, as a clause; `ranked` are its best candidates."""
    found = costs(growth, node)
    best = next((c for c in ranked if c.rejected is None), None)
    label = "the best split" if best is None else candidate_label(best)
    if found is None:
        return f"On the holdout {label} would make more mistakes than a leaf"
    as_leaf, below = found
    if growth.rules.is_number:
        return (
            f"On the holdout {label} would have a squared error of {cost(growth, below)}, "
            f"a leaf one of {cost(growth, as_leaf)}"
        )
    return f"On the holdout {label} would make {mistakes(below)}, a leaf {weight(as_leaf)}"


def verdict(growth: Growth, node: int) -> str:
    """Whether the node is split, and the rule."""
    if growth.tree.nodes.by_choice[node]:
        return "A split that you chose is made whatever the holdout says."
    if growth.tree.stop_reason(node) is StopReason.WORSE_ON_HOLDOUT:
        return "The split would be worse than a leaf on the rows set aside: it is not made."
    if growth.tree.split(node) is not None:
        return "The split is no worse than a leaf on the rows set aside: it is made."
    return "The node is a leaf for another reason."


def unit(growth: Growth) -> str:
    """What a cost is."""
    return "squared error" if growth.rules.is_number else "mistakes"


def cost(growth: Growth, value: float) -> str:
    """A cost as a number."""
    return units(growth.tree).square(value) if growth.rules.is_number else weight(value)


def mistakes(count: float) -> str:
    """A number of mistakes; a row in parts errs in part.

    >>> mistakes(0), mistakes(1), mistakes(2.5)
    ('no mistakes', '1 mistake', '2.5 mistakes')
    """
    return "no mistakes" if not count else f"{weight(count)} mistake{'' if weight(count) == '1' else 's'}"
