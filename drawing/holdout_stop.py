"""Why a split was not made: what it would cost on the rows set aside."""

from __future__ import annotations

from collections.abc import Sequence

from drawing.phrases import candidate_label
from drawing.theme import number, weight
from engine import Candidate, Growth


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
        return f"On the holdout {label} would have a squared error of {number(below)}, a leaf one of {number(as_leaf)}"
    return f"On the holdout {label} would make {mistakes(below)}, a leaf {weight(as_leaf)}"


def mistakes(count: float) -> str:
    """A number of mistakes; a row in parts errs in part.

    >>> mistakes(0), mistakes(1), mistakes(2.5)
    ('no mistakes', '1 mistake', '2.5 mistakes')
    """
    return "no mistakes" if not count else f"{weight(count)} mistake{'' if weight(count) == '1' else 's'}"
