"""The splits that a person chose, waiting for the search to come to their nodes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.active import ActiveRows
from engine.levels import Level
from engine.nodes import SPLIT_KINDS
from engine.scores import score_choice
from engine.settings import Choice
from engine.splits import Condition, Split, SplitKind
from engine.table import IntArray, Table


class WaitingChoices:
    """Which choices are for a node or for one below it; nodes by their number in the order of computing."""

    def __init__(self, choices: Sequence[Choice]) -> None:
        self.of_node: dict[int, list[Choice]] = {0: list(choices)} if choices else {}
        self.taken: dict[int, Split] = {}

    def take(self, active: ActiveRows, level: Level, frontier: IntArray, first: int, depth: int) -> dict[int, Split]:
        """Put the chosen splits in place of the search's; return them by their places in the frontier.

        `first` is the number of the level's first node.
        """
        self.taken = {}
        slot_of = _slots(frontier, first) if self.of_node else {}
        for node, choices in self.of_node.items():
            own = next((c for c in choices if len(c.path) == depth), None)
            if own is None or node not in slot_of:
                continue
            slot = slot_of[node]
            scores = score_choice(active.of(slot), own)
            if scores is None:
                continue
            split, place = scores.split(0), frontier[slot]
            level.stop[place], level.by_choice[place] = -1, True
            level.feature[place], level.kind[place] = split.feature, SPLIT_KINDS.index(split.kind)
            level.threshold[place] = np.nan if split.threshold is None else split.threshold
            self.taken[slot] = split
        return self.taken

    def hand_down(
        self, table: Table, level: Level, frontier: IntArray, first: int, depth: int, first_child: IntArray
    ) -> None:
        """Hand the choices on to the children; `first_child`, of shape (n_frontier,), numbers each node's first one."""
        if not self.of_node:
            return
        waiting: dict[int, list[Choice]] = {}
        slot_of = _slots(frontier, first)
        for node, choices in self.of_node.items():
            slot = slot_of.get(node)
            deeper = [c for c in choices if len(c.path) > depth]
            if slot is None or not deeper or level.feature[frontier[slot]] < 0:
                continue
            conditions = self._conditions(table, level, int(frontier[slot]), slot)
            for choice in deeper:
                if choice.path[depth] in conditions:
                    child = int(first_child[slot]) + conditions.index(choice.path[depth])
                    waiting.setdefault(child, []).append(choice)
        self.of_node = waiting

    def _conditions(self, table: Table, level: Level, node: int, slot: int) -> tuple[Condition, ...]:
        feature, threshold = int(level.feature[node]), float(level.threshold[node])
        spec = table.features[feature]
        if slot in self.taken:
            return self.taken[slot].conditions(spec)
        if np.isnan(threshold):
            groups = tuple((code,) for code in range(len(spec.levels)))
            return Split(feature, SplitKind.MULTIWAY, groups=groups).conditions(spec)
        return Split(feature, SplitKind.THRESHOLD, threshold=threshold).conditions(spec)


def _slots(frontier: IntArray, first: int) -> dict[int, int]:
    return {int(first + node): slot for slot, node in enumerate(frontier.tolist())}
