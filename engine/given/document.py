"""A tree in the format ``espalier/1``, as the commands `grow` and `prune` print it."""

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
from engine.settings import Missing
from engine.splits import Op, SplitKind
from engine.table import FeatureKind, TargetKind


def plan_of(document: dict[str, Json]) -> Plan:
    """Read the nodes of a document; for `prune` those of the full tree.

    Raises
    ------
    TreeError
        If it is none; the message says where and what.
    """
    table = members(document.get("table"), "table")
    target = members(table.get("target"), "the table's target")
    plan = Plan(
        name=text(table.get("name", "given tree"), "the table's name"), target=text(target.get("name"), "target")
    )
    for entry in entries(table.get("features"), "the table's features"):
        feature = members(entry, "each feature")
        name = text(feature.get("name"), "the name of a feature")
        numeric = feature.get("kind") == FeatureKind.NUMERIC
        plan.features[name] = None if numeric else texts(feature.get("levels"), f"the levels of {quoted(name)}")
    plan.missing = _missing(document.get("settings"))
    is_number = target.get("kind") == TargetKind.NUMBER
    plan.classes = () if is_number else texts(target.get("classes"), "the target's classes")
    nodes = entries(document.get("nodes"), "nodes")
    if not nodes:
        raise TreeError("nodes must have at least the root, got an empty list.")
    open_branches: list[tuple[int, int, int]] = [(-1, 0, 0)]
    for place, entry in enumerate(nodes):
        given = members(entry, f"node {place}")
        if given.get("id", place) != place or isinstance(given.get("id"), bool):
            raise TreeError(f"the nodes must stand in the order of their ids, got {shown(given['id'])} at {place}.")
        if not open_branches:
            raise TreeError(f"node {place} is no branch of a node before it; ids are those of a depth-first walk.")
        parent, branch, depth = open_branches.pop()
        if place and given.get("parent", parent) != parent:
            raise TreeError(
                f"node {place} must have the parent {parent}, for ids are those of a depth-first walk, "
                f"got {shown(given['parent'])}."
            )
        node = PlannedNode(f"node {place}", parent, branch, depth)
        plan.add(node)
        n_branches = _fill(node, given, place, is_number)
        open_branches.extend((place, number_, depth + 1) for number_ in reversed(range(n_branches)))
    if open_branches:
        raise TreeError(f"node {open_branches[-1][0]} has a branch that leads to no node; the list ends before.")
    return plan


def _missing(settings: Json) -> Missing:
    """How the tree treats a missing value; what stood in for it in training is not in the document."""
    said = settings.get("missing") if isinstance(settings, dict) else None
    return next((rule for rule in (Missing.FRACTIONAL, Missing.OWN_BRANCH) if rule == said), Missing.DROP)


def _fill(node: PlannedNode, given: dict[str, Json], place: int, is_number: bool) -> int:
    """Fill in one node; return the number of its branches."""
    node.prediction = answer(given.get("prediction"), f"the prediction of node {place}")
    if is_number:
        node.n_rows = number(given.get("n_rows", 0), f"n_rows of node {place}", least=0)
        node.variance = number(given.get("variance") or 0, f"the variance of node {place}", least=0)
    else:
        node.counts = counts(given.get("counts"), f"the counts of node {place}")
    if given.get("impurity") is not None:
        node.impurity = number(given["impurity"], f"the impurity of node {place}", least=0)
    reason = given.get("stop_reason")
    node.stop_reason = None if reason is None else text(reason, f"the stop_reason of node {place}")
    if given.get("split") is None:
        return 0
    split = members(given["split"], f"the split of node {place}")
    feature = text(split.get("feature"), f"the feature of node {place}")
    branches = [
        members(branch, f"each branch of node {place}")
        for branch in entries(split.get("branches"), f"the branches of node {place}")
    ]
    ops = [branch.get("op") for branch in branches]
    missing = bool(ops) and ops[-1] == Op.MISSING
    known = ops[:-1] if missing else ops
    if known == [Op.LESS, Op.AT_LEAST]:
        threshold = number(split.get("threshold"), f"the threshold of node {place}")
        node.split = PlannedSplit(feature, threshold=threshold, missing_branch=missing)
    elif known and not missing and set(known) == {Op.IN}:
        groups = tuple(texts(branch.get("value"), f"the levels of a branch of node {place}") for branch in branches)
        node.split = PlannedSplit(feature, groups=groups, is_subset=split.get("kind") == SplitKind.SUBSET)
    else:
        raise TreeError(
            f"the branches of node {place} must be < and >=, or all in, got "
            f"{', '.join(quoted(whole(str(op))) for op in ops[:5]) or 'none'}."
        )
    return len(branches)
