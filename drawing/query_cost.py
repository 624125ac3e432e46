"""What it costs to answer a query: the features that its path asks for, each paid for once."""

from __future__ import annotations

from collections.abc import Sequence

from drawing.phrases import plain
from drawing.theme import quantity
from engine import Growth


def total(growth: Growth, path: Sequence[int]) -> str:
    """The sum over the features tested on a path, as a sentence; empty where features cost nothing special."""
    costs = growth.rules.costs
    if costs is None:
        return ""
    tested = dict.fromkeys(int(growth.tree.nodes.feature[node]) for node in path)
    paid = [feature for feature in tested if feature >= 0]
    if not paid:
        return "Cost: 0, for nothing is asked."
    terms = [f"{plain(growth.table.features[feature].name)} {quantity(costs[feature])}" for feature in paid]
    whole = quantity(sum(costs[feature] for feature in paid))
    return f"Cost: {' + '.join(terms)} = {whole}. A feature that is tested again costs nothing more."
