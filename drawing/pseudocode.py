"""The growing of a tree as pseudo-code, and the line that each step of a growth stands on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from drawing.phrases import measure
from engine import Event, Growth, StopReason


@dataclass(frozen=True)
class Pseudocode:
    """The lines, and which of them an event or a stop reason is."""

    lines: tuple[str, ...]
    called: int
    no_rows: int
    pure: int
    stopped: int
    no_features: int
    scored: int
    too_poor: int
    split: int

    def line(self, event: Event, reason: StopReason | None = None) -> int:
        """The line of an event; of a leaf, the line of its reason."""
        match event:
            case Event.STARTED:
                return self.called
            case Event.SCORED:
                return self.scored
            case Event.SPLIT:
                return self.split
            case Event.LEAF:
                assert reason is not None
                return self._leaf(reason)
        assert_never(event)

    def _leaf(self, reason: StopReason) -> int:
        match reason:
            case StopReason.NO_ROWS:
                return self.no_rows
            case StopReason.PURE:
                return self.pure
            case StopReason.NO_FEATURES:
                return self.no_features
            case StopReason.MAX_DEPTH | StopReason.MIN_SAMPLES_SPLIT:
                return self.stopped
            case (
                StopReason.NO_USEFUL_SPLIT
                | StopReason.MIN_SAMPLES_LEAF
                | StopReason.MIN_GAIN
                | StopReason.NOT_SIGNIFICANT
                | StopReason.WORSE_ON_HOLDOUT
                | StopReason.PRUNED
            ):
                return self.too_poor
        assert_never(reason)


def pseudocode(growth: Growth) -> Pseudocode:
    """The recursion in the order and the words of Quinlan (1986) and Mitchell (1997, table 3.1).

    Where splits are binary it is that of Breiman et al. (1984): no feature is ever used up.
    """
    name = measure(growth.rules.criterion).name
    most, alike = ("mean", "value") if growth.rules.is_number else ("majority", "class")
    if growth.rules.once_on_a_path:
        lines = (
            "ID3(rows, features)",
            f"  no rows? a leaf: the parent's {most}",
            f"  all rows of one {alike}? a leaf: that {alike}",
            f"  a stopping rule holds? a leaf: the {most}",
            f"  no features left? a leaf: the {most}",
            f"  for each feature: its {name}",
            f"  none good enough? a leaf: the {most}",
            "  split the rows by the best feature",
            "  for each branch:",
            "    ID3(its rows, features without the best)",
        )
        if any(not f.levels for f in growth.table.features):
            lines = (*lines[:-1], "    ID3(its rows, features left)")
    else:
        lines = (
            "grow(rows)",
            f"  no rows? a leaf: the parent's {most}",
            f"  all rows of one {alike}? a leaf: that {alike}",
            f"  a stopping rule holds? a leaf: the {most}",
            f"  no features? a leaf: the {most}",
            f"  for each way to cut a feature in two: its {name}",
            f"  none good enough? a leaf: the {most}",
            "  split the rows in two by the best cut",
            "  grow(rows of the first part)",
            "  grow(rows of the second part)",
        )
    return Pseudocode(lines, called=0, no_rows=1, pure=2, stopped=3, no_features=4, scored=5, too_poor=6, split=7)
