"""The growing of a tree as pseudo-code, and the line that each step of a growth stands on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from drawing.phrases import score_measure
from engine import Algorithm, Event, FeatureKind, Growth, Missing, StopReason


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

    With its filter it is that of Quinlan (1993); where splits are binary that of Breiman et al.
    (1984): no feature is ever used up.
    """
    if growth.rules.average_gain_filter:
        return _c45(growth)
    lines = _multiway(growth) if growth.rules.once_on_a_path else _binary(growth)
    return Pseudocode(lines, called=0, no_rows=1, pure=2, stopped=3, no_features=4, scored=5, too_poor=6, split=7)


def _multiway(growth: Growth) -> tuple[str, ...]:
    return (
        "ID3(rows, features)",
        *_stops(growth, "no features left"),
        f"  for each feature: its {score_measure(growth.rules).name}",
        _too_poor(growth, "none good enough"),
        "  split the rows by the best feature",
        *_shared(growth),
        "  for each branch:",
        f"    ID3(its rows, {_left(growth)})",
    )


def _binary(growth: Growth) -> tuple[str, ...]:
    name = "CART" if growth.settings.algorithm is Algorithm.CART else "grow"
    third = growth.rules.missing is Missing.OWN_BRANCH and any(
        f.n_missing and f.kind is FeatureKind.NUMERIC for f in growth.table.features
    )
    return (
        f"{name}(rows)",
        *_stops(growth, "no features"),
        f"  for each way to cut a feature in two: its {score_measure(growth.rules).name}",
        _too_poor(growth, "none good enough"),
        "  split the rows in two by the best cut",
        *_shared(growth),
        f"  {name}(rows of the first part)",
        f"  {name}(rows of the second part)",
        *((f"  {name}(rows whose value is missing)",) if third else ()),
    )


def _c45(growth: Growth) -> Pseudocode:
    """C4.5 chooses twice: by gain which features count, and among those by gain ratio."""
    lines = (
        "C4.5(rows, features)",
        *_stops(growth, "no features left"),
        "  for each feature: its split of greatest gain",
        f"  if at least of average gain: its {score_measure(growth.rules).name}",
        _too_poor(growth, "none gains anything"),
        "  split the rows by the best feature",
        *_shared(growth),
        "  for each branch:",
        f"    C4.5(its rows, {_left(growth)})",
    )
    return Pseudocode(lines, called=0, no_rows=1, pure=2, stopped=3, no_features=4, scored=6, too_poor=7, split=8)


def _stops(growth: Growth, nothing_left: str) -> tuple[str, ...]:
    most, alike = ("mean", "value") if growth.rules.is_number else ("majority", "class")
    return (
        f"  no rows? a leaf: the parent's {most}",
        f"  all rows of one {alike}? a leaf: that {alike}",
        f"  a stopping rule holds? a leaf: the {most}",
        f"  {nothing_left}? a leaf: the {most}",
    )


def _too_poor(growth: Growth, poor: str) -> str:
    rules = growth.rules
    tests = {"not significant": rules.significance is not None, "worse on the holdout": rules.holdout_stop}
    said = " or ".join([poor, *(words for words, asked in tests.items() if asked)])
    return f"  {said}? a leaf: the {'mean' if rules.is_number else 'majority'}"


def _shared(growth: Growth) -> tuple[str, ...]:
    """Where the rows go whose value is missing, if they go down every branch."""
    missing = growth.rules.missing is Missing.FRACTIONAL and any(f.n_missing for f in growth.table.features)
    return ("  a row whose value is missing: into every branch, in parts",) if missing else ()


def _left(growth: Growth) -> str:
    """The features of the calls below: only a split by levels uses its feature up."""
    uses_up = growth.rules.once_on_a_path and all(f.levels for f in growth.table.features)
    return "features without the best" if uses_up else "features left"
