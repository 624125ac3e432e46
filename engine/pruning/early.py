"""Pre-pruning beside the full tree: which of its splits a stopping rule would not have made."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.comparison import Comparison
from engine.growth import Growth, grow
from engine.settings import GrowthSettings
from engine.table import Table
from engine.trace import StopReason


class EarlyMark(StrEnum):
    """What a stopping rule makes of a node of the full tree."""

    SAME = "same"
    STOPPED = "stopped"
    OTHER_SPLIT = "other_split"
    NOT_REACHED = "not_reached"


@dataclass(frozen=True, eq=False)
class EarlyStopping:
    """The full tree and the one that stopped early.

    Attributes
    ----------
    full, early : Growth
    marks : tuple of EarlyMark, one a node of the full tree
        Stopped: a split here, a leaf there. Other split: the rule barred this one (as
        `min_samples_leaf` can), and another took its place. Not reached: below either.
    reasons : dict of int to StopReason
        Why the growth stopped at each stopped node.
    counterparts : dict of int to int
        Nodes of the full tree that the early one has too, and their ids there.
    """

    full: Growth
    early: Growth
    marks: tuple[EarlyMark, ...]
    reasons: dict[int, StopReason]
    counterparts: dict[int, int]

    @property
    def stopped(self) -> tuple[int, ...]:
        """The splits of the full tree that are leaves of the early one."""
        return tuple(node for node, mark in enumerate(self.marks) if mark is EarlyMark.STOPPED)


def stop_early(growth: Growth, settings: GrowthSettings, holdout: Table | None = None) -> EarlyStopping:
    """Grow again under `settings`, and mark on the full tree what they would have stopped.

    Parameters
    ----------
    growth : Growth
        The full tree.
    settings : GrowthSettings
        Those of the full tree with a stopping rule changed.
    holdout : Table, optional
        For the rule that stops on a holdout.
    """
    early = grow(growth.source, settings, holdout=holdout)
    marks = [EarlyMark.NOT_REACHED] * len(growth.tree.nodes)
    reasons: dict[int, StopReason] = {}
    counterparts: dict[int, int] = {}
    for pair in Comparison(growth, early).pairs:
        counterparts[pair.first] = pair.second
        full_split, early_split = growth.tree.split(pair.first), early.tree.split(pair.second)
        if full_split is not None and early_split is None:
            marks[pair.first] = EarlyMark.STOPPED
            reason = early.tree.stop_reason(pair.second)
            assert reason is not None
            reasons[pair.first] = reason
        else:
            marks[pair.first] = EarlyMark.SAME if full_split == early_split else EarlyMark.OTHER_SPLIT
    return EarlyStopping(growth, early, tuple(marks), reasons, counterparts)
