"""grow(): the whole tree at once, told depth-first as ID3's recursion would decide it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from engine.dense import SMALL
from engine.errors import TableError
from engine.evidence import (
    Decision,
    NodeScores,
    Scores,
    all_candidates,
    best_candidates,
    chosen_candidate,
    score_choice,
    score_feature,
)
from engine.prepare import prepare
from engine.recursion import grow_recursively
from engine.search import search_tree
from engine.settings import GrowthSettings, ResolvedSettings
from engine.splits import Candidate, is_numeric
from engine.table import Table
from engine.trace import Event, Step, Trace
from engine.tree import Tree

_KEPT = 64
"""Nodes of a large tree whose evidence is kept after it was asked for."""


@dataclass(frozen=True, eq=False)
class GrowthStep(Step):
    """A step of a growth; `tree` is the tree as it stood after it."""

    event: Event
    growth: Growth

    @property
    def tree(self) -> Tree:
        """The tree after this step: a view on the finished one."""
        return self.growth.tree.at(self.index)


class Growth(Trace[GrowthStep]):
    """A finished tree and the order in which its nodes were decided.

    Step 0 is the start; then, depth-first, every node is `scored` (unless it stopped before) and
    becomes a `split` or a `leaf`.

    Attributes
    ----------
    source : Table
        The table as it was read.
    table : Table
        The table as the search saw it, missing values treated; rows of nodes are positions in it.
    settings : GrowthSettings
    rules : ResolvedSettings
        The settings with the preset filled in.
    tree : Tree
    """

    def __init__(
        self,
        source: Table,
        table: Table,
        settings: GrowthSettings,
        rules: ResolvedSettings,
        tree: Tree,
        evidence: dict[int, NodeScores],
    ) -> None:
        self.source, self.table, self.settings, self.rules, self.tree = source, table, settings, rules, tree
        self._evidence = evidence
        self._asked = lru_cache(maxsize=_KEPT)(self._score)

    def __len__(self) -> int:
        return 1 + int(self.tree.nodes.decided_at[-1])

    def _step(self, index: int) -> GrowthStep:
        if index == 0:
            return GrowthStep(0, Event.STARTED, 0, self)
        nodes = self.tree.nodes
        node = int(np.searchsorted(nodes.decided_at, index))
        if index < nodes.decided_at[node]:
            return GrowthStep(index, Event.SCORED, node, self)
        event = Event.SPLIT if nodes.feature[node] >= 0 else Event.LEAF
        return GrowthStep(index, event, node, self)

    def step_of(self, node: int) -> int:
        """The step at which `node` was decided."""
        return int(self.tree.nodes.decided_at[node])

    def usable_features(self, node: int) -> tuple[int, ...]:
        """The features that may be tested at `node`, in column order."""
        used: set[int] = set()
        if self.rules.once_on_a_path:
            used = {int(self.tree.nodes.feature[n]) for n in self.tree.ancestors(node)[:-1]}
        return tuple(i for i, f in enumerate(self.table.features) if is_numeric(f) or i not in used)

    def scores(self, node: int) -> NodeScores:
        """The evidence of `node` as arrays: one `Scores` a usable feature; none where none was scored."""
        if node in self._evidence:
            return self._evidence[node]
        return self._asked(node)

    def _score(self, node: int) -> NodeScores:
        usable = self.usable_features(node) if self.tree.nodes.scored[node] else ()
        return NodeScores(self.table, self.rules, self.tree.rows(node), usable)

    def scan(self, node: int, feature: int) -> Scores:
        """All candidates of one feature at `node`: for a numeric one, its gain at every threshold."""
        return score_feature(self.table, self.rules, self.tree.rows(node), feature)

    def evidence(self, node: int) -> list[Candidate]:
        """The candidates of `node`, ranked by score.

        Returns
        -------
        list of Candidate
            Empty where the node stopped before its candidates were scored.
        """
        return sorted(self.candidates(node), key=_rank)

    def candidates(self, node: int) -> list[Candidate]:
        """The candidates of `node` by feature in column order, a numeric feature's by threshold."""
        scored = self.scores(node)
        found = all_candidates(self.table, scored, self._decision(node))
        own = self._choice(node)
        if own is None:
            return found
        made = chosen_candidate(self.table, own)
        same = [c.split == made.split for c in found]
        if any(same):
            return [made if is_it else c for c, is_it in zip(found, same, strict=True)]
        place = sum(
            1 for c in found if (c.split.feature, c.split.threshold or 0) < (own.feature, made.split.threshold or 0)
        )
        return [*found[:place], made, *found[place:]]

    def best_candidates(self, node: int) -> list[Candidate]:
        """The best candidate of each feature that has one, ranked; the chosen split stands for its feature."""
        found = best_candidates(self.table, self.scores(node), self._decision(node))
        own = self._choice(node)
        if own is not None:
            found = [c for c in found if c.split.feature != own.feature] + [chosen_candidate(self.table, own)]
        return sorted(found, key=lambda c: (c.rejected is not None, *_rank(c)))

    def _decision(self, node: int) -> Decision | None:
        """The candidate that the node was split on by the algorithm's own rule."""
        split = self.tree.split(node)
        if split is None or self.tree.nodes.by_choice[node]:
            return None
        index = self.scores(node).of(split.feature).index(split)
        return None if index is None else Decision(split.feature, index)

    def _choice(self, node: int) -> Scores | None:
        """The scores of the split that a person chose at `node`."""
        if not self.tree.nodes.by_choice[node]:
            return None
        path = self.tree.path(node)
        choice = next(c for c in self.settings.choices if c.path == path)
        return score_choice(self.table, self.rules, self.tree.rows(node), choice)


def grow(table: Table, settings: GrowthSettings | None = None) -> Growth:
    """Grow a tree.

    Parameters
    ----------
    table : Table
    settings : GrowthSettings, optional
        ID3's if not given.

    Returns
    -------
    Growth
        The finished tree with its trace. Evidence is computed when asked for.

    Raises
    ------
    TableError
        If the table has no rows or no features.
    SettingsError
        If a setting is not defined for the table.
    """
    settings = settings or GrowthSettings.id3()
    rules = settings.resolved(table)
    if not table.n_rows:
        raise TableError("the table has no rows with a target; a tree needs at least one.")
    if not table.features:
        raise TableError("the table has no features; keep at least one column beside the target.")
    prepared = prepare(table, rules.missing)
    if prepared.n_rows <= SMALL:
        nodes, evidence = grow_recursively(prepared, rules, settings.choices)
    else:
        nodes, evidence = search_tree(prepared, rules, settings.choices), {}
    tree = Tree(nodes=nodes, table=prepared, source=table, missing=rules.missing)
    return Growth(table, prepared, settings, rules, tree, evidence)


def _rank(candidate: Candidate) -> tuple[float, int]:
    """Best score first; scores that tie in the column order."""
    return (-round(candidate.score, 9), candidate.split.feature)
