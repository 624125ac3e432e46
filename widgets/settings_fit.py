"""Settings on other data: what does not fit its features or its target is let go."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from drawing import wording
from engine import Algorithm, GrowthSettings, Table, TargetKind


def fitting(settings: GrowthSettings, table: Table, holdout: Table | None) -> tuple[GrowthSettings, tuple[str, ...]]:
    """The settings without costs, weights and criteria that `table` cannot have, and what to say of it.

    Costs and weights go without a word where their feature or class is gone; the rest is said.
    """
    notes: list[str] = []
    features = {feature.name for feature in table.features}
    changes: dict[str, Any] = {"costs": tuple(pair for pair in settings.costs if pair[0] in features)}
    if isinstance(settings.class_weights, tuple):
        changes["class_weights"] = (
            tuple(pair for pair in settings.class_weights if pair[0] in table.target.classes) or None
        )
    if settings.criterion is not None and settings.criterion.target_kind is not table.target.kind:
        changes["criterion"] = None
    if settings.holdout_stop and not (holdout is not None and holdout.n_rows):
        changes["holdout_stop"] = False
        notes.append("No rows are set aside any more, so growth no longer stops by the holdout.")
    if table.target.kind is TargetKind.NUMBER:
        changes |= {"class_weights": None, "significance": None}
        if settings.algorithm is Algorithm.C45:
            changes["algorithm"] = Algorithm.CART
            target = wording.plain(table.target.name)
            notes.append(f"C4.5 is defined for classes, and {target} is a number: CART is used.")
    return replace(settings, **changes), tuple(notes)
