"""Why a split was not made: what it would cost on the rows set aside."""

from __future__ import annotations

from drawing.theme import number, weight
from engine import Growth


def costs(growth: Growth, node: int) -> tuple[str, str] | None:
    """Mistakes (squared errors) on the holdout of a node as a leaf and after its split; None without a holdout stop."""
    if growth.holdout_costs is None:
        return None
    as_leaf, below = (float(cost[node]) for cost in growth.holdout_costs)
    return _cost(growth, as_leaf), _cost(growth, below)


def stopped(growth: Growth, node: int) -> str:
    """Why a node was not split, as a clause.

    `growth` stopped by its holdout.
    """
    found = costs(growth, node)
    if found is None:
        return "The best split would make more mistakes on the holdout"
    return f"On the holdout the best split would make {found[1]}, the leaf makes {found[0]}"


def _cost(growth: Growth, cost: float) -> str:
    if growth.rules.is_number:
        return f"a squared error of {number(cost)}"
    return f"{weight(cost)} mistake{'' if weight(cost) == '1' else 's'}"
