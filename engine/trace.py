"""Trace: the ordered steps in which the parts of a finished model were decided.

A step names an event and the node that it concerns; what the step shows is a view on the finished
model, so going back is choosing a smaller step. Growth, pruning and ensembles share this module.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar, overload


class Event(StrEnum):
    """What happens in a step of a growth."""

    STARTED = "started"
    SCORED = "scored"
    SPLIT = "split"
    LEAF = "leaf"


class StopReason(StrEnum):
    """Why a node is a leaf. A reason to stop is a value, never an exception."""

    PURE = "pure"
    NO_FEATURES = "no_features"
    NO_ROWS = "no_rows"
    NO_USEFUL_SPLIT = "no_useful_split"
    MAX_DEPTH = "max_depth"
    MIN_SAMPLES_SPLIT = "min_samples_split"
    MIN_SAMPLES_LEAF = "min_samples_leaf"
    MIN_GAIN = "min_gain"
    NOT_SIGNIFICANT = "not_significant"
    WORSE_ON_HOLDOUT = "worse_on_holdout"
    PRUNED = "pruned"


@dataclass(frozen=True)
class Step:
    """One entry of a trace: its place, its event, and the node that it concerns.

    Each trace has its own events; `Event` is a growth's.
    """

    index: int
    event: StrEnum
    node: int


S = TypeVar("S", bound=Step, covariant=True)


class Trace(Sequence[S]):
    """An immutable sequence of steps. Subclasses say how many there are and what each one is."""

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def _step(self, index: int) -> S:
        """The step at a valid, non-negative index."""

    @overload
    def __getitem__(self, index: int) -> S: ...
    @overload
    def __getitem__(self, index: slice) -> list[S]: ...
    def __getitem__(self, index: int | slice) -> S | list[S]:
        if isinstance(index, slice):
            return [self._step(i) for i in range(*index.indices(len(self)))]
        number = index + len(self) if index < 0 else index
        if not 0 <= number < len(self):
            raise IndexError(f"step must be from 0 to {len(self) - 1}, got {index}")
        return self._step(number)

    def __iter__(self) -> Iterator[S]:
        return (self._step(i) for i in range(len(self)))

    def clamp(self, index: int) -> int:
        """The nearest step that exists.

        A link may carry any number; the caller says on the screen when it was changed.
        """
        return min(max(index, 0), len(self) - 1)
