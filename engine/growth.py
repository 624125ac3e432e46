"""grow(): the whole tree at once, told depth-first as ID3's recursion would decide it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from engine.errors import TableError
from engine.evidence import (
    Decision,
    Scores,
    as_candidates,
    best_score,
    candidate,
    decide,
    score_choice,
    score_feature,
    score_node,
)
from engine.prepare import prepare
from engine.settings import GrowthSettings, ResolvedSettings
from engine.splits import Candidate, is_numeric
from engine.table import Table
from engine.trace import Event, Step, Trace
from engine.tree import Tree
from engine.search import search_tree


@dataclass(frozen=True, eq=False)
class GrowthStep(Step):
    """A step of a growth; `tree` is the tree as it stood after it."""

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

    def __init__(self, source: Table, table: Table, settings: GrowthSettings, rules: ResolvedSettings, tree: Tree) -> None:
        self.source, self.table, self.settings, self.rules, self.tree = source, table, settings, rules, tree
        self._kept: OrderedDict[int, list[Candidate]] = OrderedDict()

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

    def scores(self, node: int) -> list[Scores]:
        """The evidence of `node` as arrays, one `Scores` a usable feature; empty where none was scored."""
        if not self.tree.nodes.scored[node]:
            return []
        return score_node(self.table, self.rules, self.tree.rows(node), self.usable_features(node))

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
        return sorted(self.candidates(node), key=lambda c: -round(c.score, 9))

    def candidates(self, node: int) -> list[Candidate]:
        """The candidates of `node` by feature in column order, a numeric feature's by threshold."""
        if node not in self._kept:
            self._kept[node] = self._candidates(node, self.scores(node))
        self._kept.move_to_end(node)
        while len(self._kept) > 64:
            self._kept.popitem(last=False)
        return self._kept[node]

    def best_candidates(self, node: int) -> list[Candidate]:
        """The best candidate of each feature that has one, ranked; the chosen split stands for its feature."""
        scored = self.scores(node)
        won, own = self._won(node, scored)
        best = best_score(scored)
        level = np.inf if best is None else best - 1e-9
        equal = [(s.rejected < 0) & (s.score >= level) for s in scored]
        several = sum(int(e.sum()) for e in equal) > 1
        found = []
        for place, scores in enumerate(scored):
            if own is not None and own.feature == scores.feature and won is None:
                found.append(candidate(self.table, own, 0, chosen=True, by_choice=True))
                continue
            if not len(scores):
                continue
            if won is not None and won.scores == place:
                index = won.index
            else:
                open_ = scores.rejected < 0
                index = int(np.where(open_, scores.score, -np.inf).argmax() if open_.any() else scores.score.argmax())
            chosen = won == Decision(place, index)
            found.append(
                candidate(
                    self.table, scores, index, chosen=chosen, tied=several and bool(equal[place].any()),
                    by_choice=chosen and own is not None,
                )
            )
        return sorted(found, key=lambda c: (c.rejected is not None, -round(c.score, 9)))

    def _candidates(self, node: int, scored: list[Scores]) -> list[Candidate]:
        won, own = self._won(node, scored)
        found = as_candidates(self.table, scored, won, best_score(scored))
        if own is None:
            return found
        if won is not None:
            return [replace(c, by_choice=True) if c.chosen else c for c in found]
        place = sum(1 for c in found if c.split.feature <= own.feature)
        found.insert(place, candidate(self.table, own, 0, chosen=True, by_choice=True))
        return found

    def _won(self, node: int, scored: list[Scores]) -> tuple[Decision | None, Scores | None]:
        """The candidate that was split on, and the scores of a split that a person chose."""
        split = self.tree.split(node)
        if split is None or not scored:
            return None, None
        own = None
        if self.tree.nodes.by_choice[node]:
            path = self.tree.path(node)
            choice = next(c for c in self.settings.choices if c.path == path)
            own = score_choice(self.table, self.rules, self.tree.rows(node), choice)
        for place, scores in enumerate(scored):
            if scores.feature == split.feature:
                for index in range(len(scores)) if split.threshold is None else np.flatnonzero(scores.thresholds == split.threshold).tolist():
                    if scores.split(index) == split:
                        return Decision(place, index), own
        return (None, own) if own is not None else (decide(scored), None)


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
    nodes = search_tree(prepared, rules, settings.choices)
    tree = Tree(nodes=nodes, table=prepared, source=table, missing=rules.missing)
    return Growth(table, prepared, settings, rules, tree)
