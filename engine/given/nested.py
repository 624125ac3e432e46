"""The simple form of a tree, as a person writes it: branches inside branches.

::

    {"target": "decision",
     "tree": {"split": "core_temp", "prediction": "icu", "branches": {
         "low": {"split": "gender", "prediction": "icu", "branches": {"male": "icu", "female": "gen"}},
         "high": {"split": "stable_temp", "prediction": "gen", "branches": {"true": "gen", "false": "icu"}}}}}

A leaf is its answer, or an object with ``prediction`` or ``counts`` (rows of each class; for a number
``n_rows`` and ``variance``). A numeric test has a ``threshold`` and two branches, ``<`` and ``>=``.
Several levels in one branch are a list: ``[{"in": ["a", "b"], "then": …}, …]``. ``features`` (name:
list of levels, or ``"numeric"``) and ``classes`` may give an order; else it is that of a table.
"""

from __future__ import annotations

from engine.cells import quoted, whole
from engine.errors import TreeError
from engine.given.plan import (
    Json,
    Plan,
    PlannedNode,
    PlannedSplit,
    answer,
    counts,
    entries,
    members,
    number,
    shown,
    text,
    texts,
)

NUMERIC = "numeric"
_KEYS = {"split", "threshold", "branches", "prediction", "counts", "n_rows", "variance"}
_BELOW, _AT_LEAST = "<", ">="


def plan_of(document: dict[str, Json]) -> Plan:
    """Read the nested form.

    Raises
    ------
    TreeError
        If it is none; the message says where and what.
    """
    if "target" not in document:
        raise TreeError('the tree file lacks "target", the name of the column that the tree predicts.')
    plan = Plan(name=text(document.get("name", "given tree"), "name"), target=text(document["target"], "target"))
    for name, levels in members(document.get("features", {}), "features").items():
        what = f"the feature {quoted(whole(name))}"
        plan.features[whole(name)] = None if levels == NUMERIC else texts(levels, f"the levels of {what}")
    if document.get("classes") is not None:
        plan.classes = texts(document["classes"], "classes")
    waiting: list[tuple[Json, str, int, int, int]] = [(document["tree"], "the root", -1, 0, 0)]
    while waiting:
        value, where, parent, branch, depth = waiting.pop()
        node = PlannedNode(where, parent, branch, depth)
        number_of_node = plan.add(node)
        below = _fill(node, value)
        waiting.extend(
            (child, words, number_of_node, place, depth + 1)
            for place, (child, words) in reversed(list(enumerate(below)))
        )
    return plan


def _fill(node: PlannedNode, value: Json) -> list[tuple[Json, str]]:
    """Fill in one node from its JSON; return its branches, each with words for where it is."""
    where = node.where
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        node.prediction = answer(value, where)
        return []
    given = members(value, where)
    for key in given:
        if key not in _KEYS:
            raise TreeError(f"{where} has {quoted(whole(key))}, which is none of {', '.join(sorted(_KEYS))}.")
    if given.get("prediction") is not None:
        node.prediction = answer(given["prediction"], f"the prediction at {where}")
    if given.get("counts") is not None:
        node.counts = counts(given["counts"], f"the counts at {where}")
    if given.get("n_rows") is not None:
        node.n_rows = number(given["n_rows"], f"n_rows at {where}", least=0)
    if given.get("variance") is not None:
        node.variance = number(given["variance"], f"the variance at {where}", least=0)
    if given.get("split") is None:
        if given.get("branches"):
            raise TreeError(f'{where} has branches but no "split", the feature that they ask for.')
        return []
    feature = text(given["split"], f"the split at {where}")
    branches = given.get("branches")
    if given.get("threshold") is not None:
        threshold = number(given["threshold"], f"the threshold at {where}")
        node.split = PlannedSplit(feature, threshold=threshold)
        return _sides(branches, where, feature, threshold)
    groups, below = _groups(branches, where, feature)
    node.split = PlannedSplit(feature, groups=groups)
    return below


def _sides(branches: Json, where: str, feature: str, threshold: float) -> list[tuple[Json, str]]:
    words = [f"{feature} {op} {threshold:g}" for op in (_BELOW, _AT_LEAST)]
    if isinstance(branches, dict) and set(branches) == {_BELOW, _AT_LEAST}:
        return [(branches[_BELOW], words[0]), (branches[_AT_LEAST], words[1])]
    if isinstance(branches, list) and len(branches) == 2:
        return list(zip(branches, words, strict=True))
    raise TreeError(f'the threshold at {where} needs two branches, {{"<": …, ">=": …}}, got {shown(branches)}.')


def _groups(branches: Json, where: str, feature: str) -> tuple[tuple[tuple[str, ...], ...], list[tuple[Json, str]]]:
    found: list[tuple[tuple[str, ...], Json]]
    if isinstance(branches, dict):
        found = [((whole(level),), child) for level, child in branches.items()]
    elif isinstance(branches, list):
        found = [_group(branch, where) for branch in entries(branches, where)]
    else:
        raise TreeError(f"the split at {where} needs its branches, one a level, or a threshold, got {shown(branches)}.")
    groups = tuple(group for group, _ in found)
    return groups, [(child, f"{feature} is {' or '.join(group)}") for group, child in found]


def _group(branch: Json, where: str) -> tuple[tuple[str, ...], Json]:
    given = members(branch, f"each branch at {where}")
    if set(given) != {"in", "then"}:
        raise TreeError(
            f'each branch at {where} must have "in" (its levels) and "then" (its tree), got {shown(branch)}.'
        )
    levels = texts(given["in"], f"the levels of a branch at {where}")
    if not levels:
        raise TreeError(f"each branch at {where} needs at least one level.")
    return levels, given["then"]
