"""grow(): the whole tree at once, told depth-first as ID3's recursion would decide it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from engine.dense import SMALL
from engine.draws import first_draw, next_draw, node_scores
from engine.errors import SettingsError, TableError
from engine.evidence import (
    Decision,
    NodeScores,
    all_candidates,
    best_candidates,
    chosen_candidate,
)
from engine.prepare import complete_rows, prepare
from engine.recursion import grow_recursively
from engine.scores import Scores, score_choice, score_feature
from engine.search import is_searched, search_tree
from engine.settings import Choice, GrowthSettings, ResolvedSettings
from engine.significance import ChiSquare, chi_square
from engine.splits import Candidate, is_numeric
from engine.stops import kept_nodes, not_significant, stopped, worse_on_holdout
from engine.sums import NodeRows
from engine.table import FloatArray, Table
from engine.trace import Event, Step, StopReason, Trace
from engine.tree import Nodes, Tree

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
    weights : ndarray of float64, shape (n_rows,), or None
        What each row of `table` counts.
    holdout_costs : pair of ndarray of float64, shape (n_nodes,), or None
        Where splits were tried on a holdout: mistakes there (for a number, squared errors) of each
        node as a leaf, and after its split. At a leaf `worse_on_holdout` the split is the one that
        was not made.
    """

    def __init__(
        self,
        source: Table,
        table: Table,
        settings: GrowthSettings,
        rules: ResolvedSettings,
        tree: Tree,
        evidence: dict[int, NodeScores],
        weights: FloatArray | None = None,
        holdout_costs: tuple[FloatArray, FloatArray] | None = None,
    ) -> None:
        self.source, self.table, self.settings, self.rules, self.tree = source, table, settings, rules, tree
        self.weights, self.holdout_costs = weights, holdout_costs
        self._evidence = evidence
        self._asked = lru_cache(maxsize=_KEPT)(self._score)

    def __len__(self) -> int:
        return 1 + int(self.tree.nodes.decided_at[-1])

    @cached_property
    def fingerprint(self) -> str:
        """A digest of what it was grown from: rows, settings, weights, and what a holdout said."""
        digest = hashlib.blake2b(
            f"{self.source.fingerprint} {self.settings!r}".encode("utf-8", "surrogatepass"), digest_size=16
        )
        for column in (self.weights, *(self.holdout_costs or ())):
            digest.update(b"" if column is None else column.tobytes())
        return digest.hexdigest()

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
        return node_scores(self.here(node), usable, self._draw(node))

    def here(self, node: int) -> NodeRows:
        """The rows of `node`, with what each of them counts."""
        tree = self.tree
        return NodeRows(self.table, self.rules, tree.rows(node), tree.row_weights(node), tree.fractions(node))

    def _draw(self, node: int) -> int:
        draw = first_draw(self.rules.seed)
        for below in self.tree.ancestors(node)[1:]:
            draw = next_draw(draw, int(self.tree.nodes.branch[below]))
        return draw

    def scan(self, node: int, feature: int) -> Scores:
        """All candidates of one feature at `node`: for a numeric one, its gain at every threshold."""
        scored = self.scores(node)
        return scored.of(feature) if feature in scored.usable else score_feature(self.here(node), feature)

    def significance(self, node: int, candidate: Candidate) -> ChiSquare:
        """The chi-square test of a candidate's branches at `node`."""
        return chi_square(self.branch_counts(node, candidate))

    def branch_counts(self, node: int, candidate: Candidate) -> FloatArray:
        """Class counts of the branches, shape (n_classes, n_branches), with the rows that go down all of them.

        The partitions of a candidate hold the rows whose value is known; where a missing value sends
        a row down every branch, each receives its share.
        """
        known = np.array([part.counts for part in candidate.partitions], dtype=np.float64).T
        if not candidate.unknown:
            return known
        unknown = self.tree.nodes.counts[node] - known.sum(axis=1)
        return np.asarray(known + np.outer(unknown, known.sum(axis=0) / known.sum()))

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
        return score_choice(self.here(node), choice)


def grow(
    table: Table,
    settings: GrowthSettings | None = None,
    *,
    row_weights: npt.ArrayLike | None = None,
    holdout: Table | None = None,
) -> Growth:
    """Grow a tree.

    Parameters
    ----------
    table : Table
    settings : GrowthSettings, optional
        ID3's if not given.
    row_weights : array-like of shape (n_rows,), optional
        What each row counts, at least 0; a row of weight 0 is left out.
    holdout : Table, optional
        Rows set aside, for the stopping rule `holdout_stop`.

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
    if rules.is_number:
        require_squares(table)
    if rules.holdout_stop and (holdout is None or not holdout.n_rows):
        raise SettingsError("holdout_stop needs rows set aside; give a holdout, or leave it out.")
    weights = row_weights_of(table, settings, row_weights)
    if weights is not None and not weights.all():
        table, weights = table.take(np.flatnonzero(weights)), weights[weights > 0]
    prepared = prepare(table, rules.missing)
    complete = complete_rows(table, rules.missing)
    if weights is not None and complete is not None:
        weights = weights[complete]
    nodes, evidence = _grown(prepared, rules, settings.choices, weights)
    if rules.significance is not None:
        nodes, evidence = stopped(nodes, evidence, not_significant(nodes, rules), StopReason.NOT_SIGNIFICANT)
    tree = Tree(nodes=nodes, table=prepared, source=table, missing=rules.missing, weights=weights)
    costs = None
    if rules.holdout_stop and holdout is not None:
        as_leaf, below = tree.holdout_costs(holdout)
        worse = worse_on_holdout(nodes, as_leaf, below)
        kept = kept_nodes(nodes, worse)
        costs = as_leaf[kept], below[kept]
        nodes, evidence = stopped(nodes, evidence, worse, StopReason.WORSE_ON_HOLDOUT)
        tree = replace(tree, nodes=nodes)
    return Growth(table, prepared, settings, rules, tree, evidence, weights, costs)


def grow_nodes(table: Table, settings: GrowthSettings, weights: FloatArray | None = None) -> Nodes:
    """The nodes of the tree that `grow` grows, and nothing else: for ensembles, which grow many.

    Level by level also where the table is small, for no evidence is kept. `weights` are those of
    `row_weights_of`, none of them 0; the table has rows, features, and settings without a holdout.
    """
    rules = settings.resolved(table)
    prepared = prepare(table, rules.missing)
    if is_searched(prepared, rules):
        nodes = search_tree(prepared, rules, settings.choices, weights)
    else:
        nodes = grow_recursively(prepared, rules, settings.choices, weights)[0]
    if rules.significance is not None:
        nodes = stopped(nodes, {}, not_significant(nodes, rules), StopReason.NOT_SIGNIFICANT)[0]
    return nodes


def require_squares(table: Table) -> None:
    """Refuse numbers whose squared distances are beyond the largest float.

    Raises
    ------
    TableError
    """
    with np.errstate(over="ignore"):
        greatest = np.square(np.ptp(table.target_values)) * table.n_rows
    if not np.isfinite(greatest):
        raise TableError(
            f"the target {table.target.name!r} has values so far apart that their squares have no number; "
            "divide them by a power of ten."
        )


def row_weights_of(
    table: Table, settings: GrowthSettings, row_weights: npt.ArrayLike | None = None
) -> FloatArray | None:
    """What each row counts: its own weight times its class's; None where each counts 1.

    Raises
    ------
    SettingsError
        If there is not one finite weight of at least 0 a row, or all are 0.
    """
    of_class = settings.weights_of_classes(table)
    if of_class is None and row_weights is None:
        return None
    weights = np.ones(table.n_rows) if of_class is None else np.array(of_class)[table.target_values]
    if row_weights is not None:
        try:
            given = np.asarray(row_weights, dtype=np.float64)
        except (TypeError, ValueError):
            raise SettingsError("row_weights must be numbers, one a row.") from None
        if given.shape != (table.n_rows,):
            raise SettingsError(
                f"row_weights must hold one weight for each of the table's {table.n_rows} rows (rows without a target "
                f"are not in it), got an array of shape {given.shape}."
            )
        if not np.isfinite(given).all() or (given < 0).any() or not given.any():
            raise SettingsError("row_weights must be finite numbers of at least 0, not all of them 0.")
        weights = weights * given
    return None if (weights == 1.0).all() else weights


def _grown(
    prepared: Table, rules: ResolvedSettings, choices: Sequence[Choice], weights: FloatArray | None
) -> tuple[Nodes, dict[int, NodeScores]]:
    """A small table by recursion, with its evidence; a large one level by level."""
    if prepared.n_rows > SMALL and is_searched(prepared, rules):
        return search_tree(prepared, rules, choices, weights), {}
    return grow_recursively(prepared, rules, choices, weights)


def _rank(candidate: Candidate) -> tuple[float, int]:
    """Best score first; scores that tie in the column order."""
    return (-round(candidate.score, 9), candidate.split.feature)
