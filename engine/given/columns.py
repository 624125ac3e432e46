"""The columns of a given tree: those of its training rows, or an empty table that the plan describes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.cells import listed, quoted
from engine.errors import TreeError
from engine.given.plan import Plan
from engine.settings import Missing
from engine.table import (
    MISSING_WORD,
    Feature,
    FeatureKind,
    Table,
    Target,
    TargetKind,
    code_dtype,
    sorted_levels,
)


def empty_table(plan: Plan, features: tuple[Feature, ...]) -> Table:
    """A table without rows that has the plan's columns."""
    target = _target(plan)
    columns = tuple(
        np.empty(0) if f.kind is FeatureKind.NUMERIC else np.empty(0, dtype=code_dtype(len(f.levels))) for f in features
    )
    dtype = np.dtype(np.float64) if target.kind is TargetKind.NUMBER else code_dtype(len(target.classes))
    return Table(plan.name, features, target, columns, np.empty(0, dtype=dtype), np.empty(0, dtype=np.int64))


def asks_for_missing(plan: Plan) -> bool:
    """Whether missing is a level of its own, as `own_branch` makes it."""
    splits = [node.split for node in plan.nodes if node.split is not None]
    return plan.missing is Missing.OWN_BRANCH and any((MISSING_WORD,) in split.groups for split in splits)


def with_missing_level(feature: Feature) -> Feature:
    """A categorical feature with missing as its last level."""
    if feature.kind is FeatureKind.NUMERIC:
        return feature
    return replace(feature, levels=(*feature.levels, MISSING_WORD))


def features_of(plan: Plan) -> list[Feature]:
    """The features that the file names, then those that the tree tests beside them, in its order."""
    levels: dict[str, list[str] | None] = {
        name: None if given is None else list(given) for name, given in plan.features.items()
    }
    for node in plan.nodes:
        if node.split is None:
            continue
        name, asked = node.split.feature, [level for group in node.split.groups for level in group]
        said = name in plan.features
        known = levels.setdefault(name, None if node.split.threshold is not None else [])
        if (known is None) != (node.split.threshold is not None):
            raise TreeError(
                f"{quoted(name)} is asked for by a threshold in one place and by levels in another ({node.where}); "
                "a feature is numeric or categorical throughout."
            )
        if plan.missing is Missing.OWN_BRANCH:
            asked = [level for level in asked if level != MISSING_WORD]
        new = [level for level in asked if known is not None and level not in known]
        if new and said:
            raise TreeError(
                f"{node.where} asks whether {quoted(name)} is {quoted(new[0])}, none of its levels; add it there."
            )
        if known is not None:
            known.extend(new)
    return [
        Feature(name, FeatureKind.NUMERIC)
        if known is None
        else Feature(name, FeatureKind.CATEGORICAL, tuple(known) if name in plan.features else sorted_levels(known))
        for name, known in levels.items()
    ]


def _target(plan: Plan) -> Target:
    numbers = [node for node in plan.nodes if isinstance(node.prediction, float)]
    if plan.classes == () or (plan.classes is None and numbers):
        return Target(plan.target, TargetKind.NUMBER)
    if plan.classes is not None:
        return Target(plan.target, TargetKind.CLASSES, plan.classes)
    said = [node.prediction for node in plan.nodes if isinstance(node.prediction, str)]
    said += [name for node in plan.nodes for name in node.counts or {}]
    return Target(plan.target, TargetKind.CLASSES, sorted_levels(said))


def checked_table(plan: Plan, table: Table) -> Table:
    """The table, if the tree can ask its questions of it."""
    if plan.target != table.target.name:
        raise TreeError(
            f"the tree predicts {quoted(plan.target)}, and the table's target is {quoted(table.target.name)}."
        )
    kinds = {feature.name: feature for feature in table.features}
    for node in plan.nodes:
        if node.split is None:
            continue
        feature = kinds.get(node.split.feature)
        if feature is None:
            raise TreeError(
                f"{node.where} asks for {quoted(node.split.feature)}, which is no feature of the table; they are "
                f"{listed(list(kinds))}."
            )
        if (feature.kind is FeatureKind.NUMERIC) != (node.split.threshold is not None):
            test = "a threshold" if feature.kind is FeatureKind.NUMERIC else "its levels"
            raise TreeError(f"{node.where} must ask for {quoted(feature.name)}, {feature.kind.value}, by {test}.")
        for level in (level for group in node.split.groups for level in group):
            if level not in feature.levels:
                raise TreeError(
                    f"{node.where} asks whether {quoted(feature.name)} is {quoted(level)}; the table's levels are "
                    f"{listed(feature.levels)}."
                )
    return table
