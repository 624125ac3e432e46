"""A pruning as a document for other programs: the JSON of the format ``espalier/1``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.errors import SettingsError
from engine.interchange import FORMAT, Document, EvidenceScope, growth_document, table_document, tree_nodes
from engine.pruning.decisions import ChiSquareDecision, CurvePoint, DescriptionDecision, PruningDecision
from engine.pruning.pruning import Pruning
from engine.pruning.settings import PruningMethod, PruningSettings
from engine.trace import StopReason
from engine.tree import Tree


def pruning_document(pruning: Pruning, evidence: EvidenceScope | str = EvidenceScope.NONE) -> Document:
    """The document of `grow` for the full tree, then the pruning's settings, decisions, curve and result.

    Raises
    ------
    SettingsError
        As for `growth_document`; or if evidence is asked for of a tree that was given, not grown.
    """
    grown = _given(pruning, evidence) if pruning.growth is None else growth_document(pruning.growth, evidence)
    validation = pruning.validation
    return {
        "format": FORMAT,
        "command": "prune",
        **{name: value for name, value in grown.items() if name not in ("format", "command")},
        "pruning": _settings(pruning.settings),
        "validation": None
        if validation is None
        else {"name": validation.name, "n_rows": validation.n_rows, "rows": validation.row_numbers.tolist()},
        "decisions": [_decision(decision) for decision in pruning.decisions],
        "curve": [_point(point) for point in pruning.curve],
        "chosen": pruning.chosen,
        "pruned_nodes": list(pruning.pruned_nodes),
        "pruned": {"nodes": _renumbered(grown["nodes"], pruning.tree)},
    }


def _given(pruning: Pruning, evidence: EvidenceScope | str) -> Document:
    """The same keys for a tree that was given: it has nodes, but no settings and no steps."""
    if evidence != EvidenceScope.NONE:
        raise SettingsError("a tree that was given, not grown, has no evidence; choose --evidence none.")
    return {
        "format": FORMAT,
        "table": table_document(pruning.full.source),
        "settings": None,
        "nodes": list(tree_nodes(pruning.full)),
        "steps": [],
    }


def _settings(settings: PruningSettings) -> Document:
    """Everything that the method followed, by the names of the command line; what it does not use is null."""
    method = settings.method
    cost_complexity = method is PruningMethod.COST_COMPLEXITY
    choosing = cost_complexity and settings.alpha is None
    crossed = choosing and not settings.needs_validation
    pessimistic = method is PruningMethod.PESSIMISTIC
    return {
        "method": method.value,
        "alpha": settings.alpha if cost_complexity else None,
        "risk": settings.risk.value if cost_complexity else None,
        "selection": settings.selection.value if choosing else None,
        "folds": settings.folds if crossed else None,
        "standard_errors": settings.standard_errors if crossed else None,
        "confidence": settings.confidence if pessimistic else None,
        "binomial": settings.binomial if pessimistic else None,
        "significance": settings.significance if method is PruningMethod.CHI_SQUARE else None,
    }


def _decision(decision: PruningDecision) -> Document:
    found: Document = {
        "index": decision.index,
        "node": decision.node,
        "decision": decision.verdict.value,
        "kept_cost": decision.kept_cost,
        "pruned_cost": decision.pruned_cost,
        "alpha": decision.alpha,
        "reason": decision.reason.value,
        "n_leaves": decision.n_leaves,
        "n_rows": decision.n_rows,
    }
    if isinstance(decision, ChiSquareDecision):
        found["statistic"] = decision.statistic
        found["degrees_of_freedom"] = decision.degrees_of_freedom
        found["p_value"] = decision.p_value
    if isinstance(decision, DescriptionDecision):
        kept, pruned = decision.kept_bits, decision.pruned_bits
        found["tree_bits"] = {"kept": kept.tree, "pruned": pruned.tree}
        found["exception_bits"] = {"kept": kept.exceptions, "pruned": pruned.exceptions}
    return found


def _point(point: CurvePoint) -> Document:
    found: Document = {
        "index": point.index,
        "n_leaves": point.n_leaves,
        "train_error": point.train_error,
        "validation_error": point.validation_error,
        "alpha": point.alpha,
    }
    if point.cross_validation_error is not None:
        found["cross_validation_error"] = point.cross_validation_error
        found["standard_error"] = point.standard_error
    return found


def _renumbered(nodes: Sequence[Document], tree: Tree) -> list[Document]:
    """The nodes that are left, with new ids; a split that went is a leaf, and none of its candidates is chosen."""
    left = np.flatnonzero(tree.is_visible).tolist()
    new = {old: number for number, old in enumerate(left)}
    found = []
    for old in left:
        node: dict[str, Any] = {**nodes[old], "id": new[old]}
        node["parent"] = None if node["parent"] is None else new[node["parent"]]
        if tree.is_split[old]:
            branches = [{**branch, "node": new[branch["node"]]} for branch in node["split"]["branches"]]
            node["split"] = {**node["split"], "branches": branches}
        elif node["split"] is not None:
            node["split"], node["stop_reason"] = None, StopReason.PRUNED.value
            node["candidates"] = [{**candidate, "chosen": False} for candidate in node["candidates"]]
        found.append(node)
    return found
