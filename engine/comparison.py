"""Two growths in lock-step over the same paths: where they decide alike, and where they first part.

A node of one tree is that of the other where both have the same path. Such nodes are visited at the
same time; below a difference each tree goes on by itself, one step each, until both are done there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from engine.growth import Growth, GrowthStep
from engine.splits import Split
from engine.trace import Step, Trace

_SAME_NUMBER = 1e-9


class Mark(StrEnum):
    """How a node stands to the other tree."""

    EQUAL = "equal"
    DIFFERENT = "different"
    ALONE = "alone"


class Side(StrEnum):
    """The two trees of a comparison."""

    FIRST = "first"
    SECOND = "second"


@dataclass(frozen=True)
class Pair:
    """A node that both trees have: its id in each, and whether both decide it alike.

    Alike are two splits by the same test, and two leaves with the same answer.
    """

    first: int
    second: int
    equal: bool


@dataclass(frozen=True, eq=False)
class PairedStep(Step):
    """A step of both growths; one that waits stays at the step where it was.

    Attributes
    ----------
    event, node
        Those of the first growth.
    first, second : GrowthStep
    moved : frozenset of Side
        Which of the growths goes on in this step; both at the start.
    together : bool
        Whether both are at the same node.
    """

    first: GrowthStep
    second: GrowthStep
    moved: frozenset[Side]
    together: bool


class Comparison(Trace[PairedStep]):
    """Two growths, told in lock-step.

    Attributes
    ----------
    first, second : Growth
    same_target : bool
        Whether both predict the same column, of the same kind; if not, answers are not compared.
    """

    def __init__(self, first: Growth, second: Growth) -> None:
        self.first, self.second = first, second
        one, other = first.source.target, second.source.target
        self.same_target = (one.name, one.kind) == (other.name, other.kind)

    def __len__(self) -> int:
        return len(self.steps)

    def _step(self, index: int) -> PairedStep:
        k, m = self.steps[index]
        before = self.steps[index - 1] if index else (-1, -1)
        one, other = self.first[k], self.second[m]
        moved = frozenset(side for side, now, was in zip(Side, (k, m), before, strict=True) if now != was)
        together = self.counterpart(Side.FIRST, one.node) == other.node
        return PairedStep(index, one.event, one.node, one, other, moved, together)

    def growth(self, side: Side) -> Growth:
        """The growth on one side."""
        return self.first if side is Side.FIRST else self.second

    @property
    def steps(self) -> Sequence[tuple[int, int]]:
        """The steps of the first and the second growth that are shown at the same time."""
        return self._aligned[0]

    @property
    def pairs(self) -> Sequence[Pair]:
        """The nodes that both trees have, depth-first."""
        return self._aligned[1]

    @property
    def different(self) -> tuple[Pair, ...]:
        """The nodes that both trees have and decide otherwise, depth-first."""
        return tuple(pair for pair in self.pairs if not pair.equal)

    @property
    def first_difference(self) -> Pair | None:
        """The first of them; None where the trees are the same."""
        return next((pair for pair in self.pairs if not pair.equal), None)

    def step_of(self, pair: Pair) -> int:
        """The step at which a pair is decided on both sides."""
        return self._aligned[2][pair.first]

    def marks(self, side: Side) -> tuple[Mark, ...]:
        """How each node of one tree stands to the other tree, by id."""
        found = [Mark.ALONE] * len(self.growth(side).tree.nodes)
        for pair in self.pairs:
            node = pair.first if side is Side.FIRST else pair.second
            found[node] = Mark.EQUAL if pair.equal else Mark.DIFFERENT
        return tuple(found)

    def counterpart(self, side: Side, node: int) -> int | None:
        """The node of the other tree with the same path; None where it has none."""
        return self._counterparts[side].get(node)

    @cached_property
    def _counterparts(self) -> dict[Side, dict[int, int]]:
        return {
            Side.FIRST: {pair.first: pair.second for pair in self.pairs},
            Side.SECOND: {pair.second: pair.first for pair in self.pairs},
        }

    @cached_property
    def _aligned(self) -> tuple[list[tuple[int, int]], list[Pair], dict[int, int]]:
        """The steps, the pairs, and the step at which the first tree's node of each pair is decided."""
        steps: list[tuple[int, int]] = [(0, 0)]
        pairs: list[Pair] = []
        decided: dict[int, int] = {}
        waiting: list[tuple[int | None, int | None]] = [(0, 0)]
        while waiting:
            one, other = waiting.pop()
            if one is None or other is None:
                _go_on(steps, self._subtree(Side.FIRST, one), self._subtree(Side.SECOND, other))
                continue
            pair = Pair(one, other, self._alike(one, other))
            pairs.append(pair)
            self._decide(steps, one, other)
            decided[one] = len(steps) - 1
            if pair.equal:
                waiting.extend(reversed(self._children(one, other)))
            else:
                _go_on(steps, self._subtree(Side.FIRST, one, own=False), self._subtree(Side.SECOND, other, own=False))
        return steps, pairs, decided

    def _decide(self, steps: list[tuple[int, int]], one: int, other: int) -> None:
        """Score on both sides, then decide on both; a side that scores nothing decides at once."""
        k, m = self.first.step_of(one), self.second.step_of(other)
        scored = int(self.first.tree.nodes.scored[one]), int(self.second.tree.nodes.scored[other])
        if any(scored):
            steps.append((k - scored[0], m - scored[1]))
        steps.append((k, m))

    def _subtree(self, side: Side, node: int | None, *, own: bool = True) -> range:
        """The steps of a node and all below it, or only of those below."""
        if node is None:
            return range(0)
        growth = self.growth(side)
        begin = growth.step_of(node) + 1
        if own:
            begin -= 2 if growth.tree.nodes.scored[node] else 1
        return range(begin, growth.step_of(int(growth.tree.nodes.subtree_end[node]) - 1) + 1)

    def _alike(self, one: int, other: int) -> bool:
        first, second = self.first.tree, self.second.tree
        split, beside = first.split(one), second.split(other)
        if split is None or beside is None:
            return split is beside and (not self.same_target or same_answer(first.label(one), second.label(other)))
        return _same_test(split, self.first, beside, self.second)

    def _children(self, one: int, other: int) -> list[tuple[int | None, int | None]]:
        """The branches of two nodes that decide alike, in the order of both; of a level that one table lacks, one."""
        left, right = _branches(self.first, one), _branches(self.second, other)
        found: list[tuple[int | None, int | None]] = []
        waiting = list(right)
        for value, node in left.items():
            if value in right:
                place = waiting.index(value)
                found += [(None, right[alone]) for alone in waiting[:place]]
                waiting = waiting[place + 1 :]
            found.append((node, right.get(value)))
        return found + [(None, right[alone]) for alone in waiting]


def _go_on(steps: list[tuple[int, int]], one: range, other: range) -> None:
    """A step in each; the one that has come to its end waits there."""
    k, m = steps[-1]
    for index in range(max(len(one), len(other))):
        k = one[index] if index < len(one) else k
        m = other[index] if index < len(other) else m
        steps.append((k, m))


def _branches(growth: Growth, node: int) -> dict[object, int]:
    """The children of a node by what their condition asks, branches in order; none of a leaf."""
    split = growth.tree.split(node)
    if split is None:
        return {}
    return dict(zip(_asked(growth, split), growth.tree.children(node).tolist(), strict=True))


def _asked(growth: Growth, split: Split) -> list[object]:
    conditions = split.conditions(growth.table.features[split.feature])
    return [(c.op, frozenset(c.value) if isinstance(c.value, tuple) else c.value) for c in conditions]


def _same_test(one: Split, first: Growth, other: Split, second: Growth) -> bool:
    """Whether two splits ask the same: a branch a level is so whichever levels the tables have."""
    if first.table.features[one.feature].name != second.table.features[other.feature].name:
        return False
    left, right = _asked(first, one), _asked(second, other)
    if left == right:
        return True
    levels = all(len(group) == 1 for split in (one, other) for group in split.groups)
    if not levels or one.threshold is not None or other.threshold is not None:
        return False
    shared = [condition for condition in left if condition in right]
    return bool(shared) and shared == [condition for condition in right if condition in left]


def same_answer(one: str | float, other: str | float) -> bool:
    """Whether two leaves say the same: numbers up to the last digits.

    >>> same_answer("yes", "no"), same_answer(0.1 + 0.2, 0.3)
    (False, True)
    """
    if isinstance(one, str) or isinstance(other, str):
        return one == other
    return math.isclose(one, other, rel_tol=_SAME_NUMBER, abs_tol=_SAME_NUMBER)
