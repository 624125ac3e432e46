"""What a tree file says, as a list of nodes: the common ground of its forms."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from engine.cells import quoted, whole
from engine.errors import TreeError
from engine.settings import Missing

MOST_NODES = 20_000
MOST_DEPTH = 500

Answer = str | float
Json = Any


@dataclass(frozen=True)
class PlannedSplit:
    """A test: by a threshold, or one group of levels a branch; `is_subset` where groups of one level are meant so."""

    feature: str
    threshold: float | None = None
    groups: tuple[tuple[str, ...], ...] = ()
    missing_branch: bool = False
    is_subset: bool = False


@dataclass
class PlannedNode:
    """One node, in depth-first order; what the file leaves out is None.

    `counts` are rows of each class, `n_rows` and `variance` those of a number; `impurity` is by
    whatever criterion the tree was grown.
    """

    where: str
    parent: int
    branch: int
    depth: int
    prediction: Answer | None = None
    counts: dict[str, float] | None = None
    n_rows: float | None = None
    variance: float | None = None
    impurity: float | None = None
    split: PlannedSplit | None = None
    stop_reason: str | None = None


@dataclass
class Plan:
    """A whole tree, with what the file says of its columns.

    Attributes
    ----------
    name, target : str
    nodes : list of PlannedNode
    features : dict of str to tuple of str or None
        The levels of categorical features in order, None for a numeric one; as far as they are said.
    classes : tuple of str or None
        None where they are not said; () where the target is a number.
    missing : Missing
        What the tree does with a query's missing value.
    """

    name: str
    target: str
    nodes: list[PlannedNode] = field(default_factory=list)
    features: dict[str, tuple[str, ...] | None] = field(default_factory=dict)
    classes: tuple[str, ...] | None = None
    missing: Missing = Missing.DROP

    def add(self, node: PlannedNode) -> int:
        """Add the next node; return its id."""
        if len(self.nodes) >= MOST_NODES:
            raise TreeError(f"the tree has more than the {MOST_NODES:,} nodes that are read; prune it first.")
        if node.depth > MOST_DEPTH:
            raise TreeError(f"the tree is deeper than the {MOST_DEPTH} levels that are read; prune it first.")
        self.nodes.append(node)
        return len(self.nodes) - 1


def members(value: Json, where: str) -> dict[str, Json]:
    """A JSON object."""
    if not isinstance(value, dict):
        raise TreeError(f"{where} must be an object with names and values, got {shown(value)}.")
    return value


def entries(value: Json, where: str) -> list[Json]:
    """A JSON list."""
    if not isinstance(value, list):
        raise TreeError(f"{where} must be a list, got {shown(value)}.")
    return value


def text(value: Json, where: str) -> str:
    """A JSON string, without what no file can hold."""
    if not isinstance(value, str):
        raise TreeError(f"{where} must be a text in double quotes, got {shown(value)}.")
    return whole(value)


def number(value: Json, where: str, *, least: float = -math.inf) -> float:
    """A finite JSON number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not _is_finite(value):
        raise TreeError(f"{where} must be a number, got {shown(value)}.")
    if value < least:
        raise TreeError(f"{where} must be at least {least:g}, got {value:g}.")
    return float(value)


def texts(value: Json, where: str) -> tuple[str, ...]:
    """A JSON list of different strings."""
    found = tuple(text(entry, f"each of {where}") for entry in entries(value, where))
    for place, entry in enumerate(found):
        if entry in found[:place]:
            raise TreeError(f"{where} must differ, got {quoted(entry)} twice.")
    return found


def counts(value: Json, where: str) -> dict[str, float]:
    """Rows of each class."""
    return {
        text(name, where): number(count, f"{where} of {quoted(whole(name))}", least=0)
        for name, count in members(value, where).items()
    }


def answer(value: Json, where: str) -> Answer:
    """A class or a number."""
    return text(value, where) if isinstance(value, str) else number(value, where)


def shown(value: Json) -> str:
    """A value of the file for a message, cut short."""
    match value:
        case dict():
            return "an object"
        case list():
            return "a list"
        case str():
            return quoted(whole(value))
        case None | bool():
            return {None: "null", True: "true", False: "false"}[value]
        case _:
            spelled = repr(value) if _is_finite(value) else "a number beyond all bounds"
            return spelled if len(spelled) <= 30 else f"{spelled[:30]}…"


def _is_finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:
        return False
