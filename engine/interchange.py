"""Growth and predictions as documents for other programs: the JSON of the format ``espalier/1``.

The documents are plain dicts and lists. `to_json` writes them with one node, step or prediction a
line; the same document always gives the same bytes.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from enum import StrEnum
from typing import Any

import numpy as np
import pandas as pd

from engine.errors import SettingsError
from engine.growth import Growth
from engine.importance import impurity_importance
from engine.rules import branch_conditions, condition_words
from engine.settings import Choice, GrowthSettings, Missing, ResolvedSettings
from engine.splits import Candidate, Condition, Partition, Path, Split
from engine.table import Table
from engine.tree import Tree

FORMAT = "espalier/1"
MOST_CANDIDATES = 100_000
_MEASURES = ("remainder", "gain", "split_information", "gain_ratio", "score")

Document = dict[str, Any]


class EvidenceScope(StrEnum):
    """Whose evidence a document carries: of no candidate, of the chosen ones, of all."""

    NONE = "none"
    CHOSEN = "chosen"
    ALL = "all"


def growth_document(growth: Growth, evidence: EvidenceScope | str = EvidenceScope.ALL) -> Document:
    """A growth with its table, settings, nodes and steps.

    Raises
    ------
    SettingsError
        If `evidence` is none of its words, or is ``all`` where there are more than `MOST_CANDIDATES`.
    """
    if evidence not in list(EvidenceScope):
        raise SettingsError(f"evidence must be one of {', '.join(EvidenceScope)}, got {str(evidence)!r}.")
    scope = EvidenceScope(evidence)
    if scope is EvidenceScope.ALL:
        refuse_too_many_candidates(growth)
    return {
        **_heading(growth, "grow"),
        "nodes": list(node_documents(growth, scope)),
        "steps": [{"index": step.index, "event": step.event.value, "node": step.node} for step in growth],
        "importance": dict(
            zip([f.name for f in growth.table.features], impurity_importance(growth.tree).tolist(), strict=True)
        ),
    }


def predictions_document(growth: Growth, frame: pd.DataFrame) -> Document:
    """What the finished tree says of each row of `frame`.

    Raises
    ------
    QueryError
        If a feature that the tree tests is not a column of `frame`.
    """
    predictions = [
        {
            "prediction": found.prediction,
            "probabilities": None if growth.tree.is_number else found.probabilities,
            "path": list(found.path),
            "notes": list(found.notes),
        }
        for found in growth.tree.predictions(frame)
    ]
    return {**_heading(growth, "predict"), "predictions": predictions}


def to_json(document: Document) -> str:
    """The document as JSON in plain ASCII, ending in a new line; entries of its long lists a line each.

    >>> print(to_json({"format": "espalier/1", "steps": [{"index": 0}, {"index": 1}]}), end="")
    {"format": "espalier/1",
     "steps": [
      {"index": 0},
      {"index": 1}]}
    """
    parts = []
    for key, value in document.items():
        if isinstance(value, list) and value:
            text = "[\n  " + ",\n  ".join(json.dumps(entry, allow_nan=False) for entry in value) + "]"
        else:
            text = json.dumps(value, allow_nan=False)
        parts.append(f"{json.dumps(key)}: {text}")
    return "{" + ",\n ".join(parts) + "}\n"


def evidence_csv(growth: Growth, node: int) -> str:
    """The candidates of one node as CSV: a line for each partition, in the order of the columns.

    A text cell that a spreadsheet would run as a formula gets a leading apostrophe.
    """
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    number = growth.tree.is_number
    counts = ["mean", "variance"] if number else [_cell(f"rows of {name}") for name in growth.table.target.classes]
    writer.writerow(["feature", "partition", "rows", *counts, "impurity", *_MEASURES, "chosen", "tied", "rejected"])
    for candidate in growth.candidates(node):
        measures = [getattr(candidate, name) for name in _MEASURES]
        marks = [str(candidate.chosen).lower(), str(candidate.tied).lower(), candidate.rejected or ""]
        for part in candidate.partitions:
            name = [_cell(candidate.feature), _cell(condition_words(part.condition))]
            spread = (part.mean, part.variance) if number else part.counts
            writer.writerow([*name, part.n_rows, *spread, part.impurity, *measures, *marks])
    return buffer.getvalue()


def _heading(growth: Growth, command: str) -> Document:
    return {
        "format": FORMAT,
        "command": command,
        "table": table_document(growth.source),
        "settings": settings_document(growth.settings, growth.rules),
    }


def table_document(table: Table) -> Document:
    """The table's features and target, without its rows."""
    features = [
        {
            "name": feature.name,
            "kind": feature.kind.value,
            "levels": list(feature.levels),
            "n_missing": feature.n_missing,
        }
        for feature in table.features
    ]
    target = {"name": table.target.name, "kind": table.target.kind.value, "classes": list(table.target.classes)}
    return {
        "name": table.name,
        "n_rows": table.n_rows,
        "features": features,
        "target": target,
        "notes": list(table.notes),
    }


def settings_document(settings: GrowthSettings, rules: ResolvedSettings) -> Document:
    """Everything that a growth follows, by the names of the command line."""
    return {
        "algorithm": settings.algorithm.value,
        "criterion": rules.criterion.value,
        "categorical_splits": rules.categorical_splits.value,
        "max_depth": rules.max_depth,
        "min_samples_split": rules.min_samples_split,
        "min_samples_leaf": rules.min_samples_leaf,
        "min_gain": rules.min_gain,
        "significance": rules.significance,
        "holdout_stop": rules.holdout_stop,
        "missing": rules.missing.value,
        "costs": dict(settings.costs),
        "cost_rule": rules.cost_rule.value,
        "class_weights": _class_weights(settings),
        "max_features": rules.max_features,
        "seed": settings.seed,
        "choices": [_choice(choice) for choice in settings.choices],
    }


def _class_weights(settings: GrowthSettings) -> Document | str | None:
    weights = settings.class_weights
    return weights if weights is None or isinstance(weights, str) else dict(weights)


def _choice(choice: Choice) -> Document:
    return {
        "path": _path(choice.path),
        "feature": choice.feature,
        "threshold": choice.threshold,
        "first_group": None if choice.first_group is None else list(choice.first_group),
    }


def node_documents(growth: Growth, scope: EvidenceScope) -> Iterator[Document]:
    """The nodes of a growth, depth-first, with the evidence that is asked for."""
    for node, told in enumerate(tree_nodes(growth.tree)):
        yield told | {"candidates": [_candidate(growth, candidate) for candidate in _evidence(growth, node, scope)]}


def tree_nodes(tree: Tree) -> Iterator[Document]:
    """The nodes of a finished tree, depth-first, without evidence: also of one that was given, not grown."""
    nodes = tree.nodes
    conditions = branch_conditions(tree)
    paths: list[list[Any]] = []
    for node in range(len(nodes)):
        parent = int(nodes.parent[node])
        paths.append([*paths[parent], _condition(conditions[node])] if node else [])
        split, reason = tree.split(node), tree.stop_reason(node)
        yield {
            "id": node,
            "parent": parent if node else None,
            "path": paths[node],
            "depth": int(nodes.depth[node]),
            "n_rows": _n_rows(tree, nodes.size[node].item()),
            **_rows(tree, node),
            **_spread(tree, node),
            "impurity": float(nodes.impurity[node]),
            "prediction": tree.label(node),
            "split": None if split is None else _split(tree, split, tree.children(node).tolist()),
            "stop_reason": None if reason is None else reason.value,
            "candidates": [],
        }


def _split(tree: Tree, split: Split, children: list[int]) -> Document:
    feature = tree.table.features[split.feature]
    branches = zip(split.conditions(feature), children, strict=True)
    return {
        "feature": feature.name,
        "kind": split.kind.value,
        "threshold": split.threshold,
        "branches": [{"op": c.op.value, "value": _value(c), "node": child} for c, child in branches],
    }


def _candidate(growth: Growth, candidate: Candidate) -> Document:
    return {
        "feature": candidate.feature,
        "kind": candidate.split.kind.value,
        "threshold": candidate.split.threshold,
        "partitions": [_partition(growth, partition) for partition in candidate.partitions],
        **{name: getattr(candidate, name) for name in _MEASURES},
        "chosen": candidate.chosen,
        "tied": candidate.tied,
        "rejected": None if candidate.rejected is None else candidate.rejected.value,
    }


def _partition(growth: Growth, partition: Partition) -> Document:
    return {
        "op": partition.condition.op.value,
        "value": _value(partition.condition),
        "n_rows": _n_rows(growth.tree, partition.n_rows),
        **_partition_spread(growth, partition),
        "impurity": partition.impurity,
    }


def _weighted(tree: Tree) -> bool:
    """Whether rows count by weight, or may: fractional missing values say so even where none came apart."""
    return tree.weighted or tree.missing is Missing.FRACTIONAL


def _n_rows(tree: Tree, size: float) -> float:
    """A number of rows as it is; a weight as a float."""
    return float(size) if _weighted(tree) else int(size)


def _rows(tree: Tree, node: int) -> Document:
    """The node's rows by their numbers in the file, with what each counts where that is not 1."""
    rows, weights = tree.rows(node), tree.row_weights(node)
    order = np.argsort(tree.table.row_numbers[rows], kind="stable")
    found: Document = {"rows": tree.table.row_numbers[rows][order].tolist()}
    if _weighted(tree):
        found["row_weights"] = [1.0] * len(rows) if weights is None else weights[order].tolist()
    return found


def _spread(tree: Tree, node: int) -> Document:
    """Class counts, or the mean and the variance of a number."""
    nodes = tree.nodes
    if nodes.mean is None or nodes.variance is None:
        return {"counts": dict(zip(tree.table.target.classes, nodes.counts[node].tolist(), strict=True))}
    return {"mean": float(nodes.mean[node]), "variance": float(nodes.variance[node])}


def _partition_spread(growth: Growth, partition: Partition) -> Document:
    if growth.tree.is_number:
        return {"mean": partition.mean, "variance": partition.variance}
    return {"counts": dict(zip(growth.table.target.classes, partition.counts, strict=True))}


def _evidence(growth: Growth, node: int, scope: EvidenceScope) -> list[Candidate]:
    match scope:
        case EvidenceScope.NONE:
            return []
        case EvidenceScope.CHOSEN:
            return [candidate for candidate in growth.best_candidates(node) if candidate.chosen]
        case EvidenceScope.ALL:
            return growth.candidates(node)


def refuse_too_many_candidates(*growths: Growth) -> None:
    """Counted from the arrays, node by node, so that a huge table is refused before its evidence is built.

    Raises
    ------
    SettingsError
        If there are more than `MOST_CANDIDATES` in all.
    """
    total = 0
    for growth, node in ((g, n) for g in growths for n in np.flatnonzero(g.tree.nodes.scored).tolist()):
        total += sum(len(scores) for scores in growth.scores(node))
        if total > MOST_CANDIDATES:
            raise SettingsError(
                f"the evidence holds more than {MOST_CANDIDATES:,} candidates, which is the most that is written; "
                "choose --evidence chosen for the splits that were made, or --evidence none."
            )


def _path(path: Path) -> list[list[Any]]:
    return [_condition(condition) for condition in path]


def _condition(condition: Condition) -> list[Any]:
    return [condition.feature, condition.op.value, _value(condition)]


def _value(condition: Condition) -> list[str] | float | None:
    return list(condition.value) if isinstance(condition.value, tuple) else condition.value


def _cell(text: str) -> str:
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text
