"""What the stage keeps besides the step: how the student looks at the tree, and what was guessed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Self

from drawing.tree_layout import Orientation

SPEEDS = (0.5, 1.0, 2.0, 8.0)
"""How many times faster than the ordinary pace `play` may go."""


class Granularity(StrEnum):
    """How far one press goes: a level of the tree, a node, an entry of the trace, a part of an entry.

    Two trees are also stepped from difference to difference.
    """

    LEVEL = "level"
    NODE = "node"
    STEP = "step"
    DETAIL = "detail"
    DIFFERENCE = "difference"


class NodePart(StrEnum):
    """What a drawn node shows besides its test; the values are the stage's names."""

    COUNTS = "counts"
    IMPURITY = "impurity"
    SHARES = "bar"


@dataclass(frozen=True)
class View:
    """How the tree is looked at.

    Attributes
    ----------
    orientation : Orientation
    granularity : Granularity
    hidden : tuple of NodePart
        Parts of the nodes that are switched off.
    outline : bool
        Whether the finished tree shows faintly from the first step on.
    levels : int or None
        Levels below the root that are shown; None shows all.
    speed : float
        Of `play`, one of `SPEEDS`.
    """

    orientation: Orientation = Orientation.TOP_DOWN
    granularity: Granularity = Granularity.STEP
    hidden: tuple[NodePart, ...] = ()
    outline: bool = False
    levels: int | None = None
    speed: float = 1.0

    def told(self) -> dict[str, Any]:
        """The view as the browser is told it."""
        return {
            "orientation": self.orientation.value,
            "granularity": self.granularity.value,
            "hidden": [part.value for part in self.hidden],
            "outline": self.outline,
            "levels": self.levels,
            "speed": self.speed,
        }

    @classmethod
    def reported(cls, report: object) -> Self | None:
        """The view that the browser reports; None where that is none, for a report is a stranger's word."""
        if not isinstance(report, Mapping):
            return None
        levels, speed = report.get("levels"), report.get("speed")
        whole = isinstance(levels, int) and not isinstance(levels, bool) and levels >= 0
        try:
            return cls(
                orientation=Orientation(str(report.get("orientation"))),
                granularity=Granularity(str(report.get("granularity"))),
                hidden=tuple(part for part in NodePart if part.value in (report.get("hidden") or ())),
                outline=report.get("outline") is True,
                levels=levels if whole else None,
                speed=SPEEDS[SPEEDS.index(speed)] if isinstance(speed, int | float) else 1.0,
            )
        except (ValueError, TypeError):
            return None


@dataclass(frozen=True)
class Guess:
    """What a student said before the gains were shown; `feature` and `right` are None where it was skipped."""

    node: int
    feature: str | None
    right: bool | None = None

    @classmethod
    def reported(cls, entry: object) -> Self | None:
        """A guess as the browser reports it; None where that is none."""
        match entry:
            case [int(node), (str() | None) as feature, (bool() | None) as right]:
                return cls(node, feature, right)
            case _:
                return None
