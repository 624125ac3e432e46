"""One node under every criterion: what each would choose among the same candidates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from engine.criteria import Criterion
from engine.evidence import NodeScores, best_candidates
from engine.growth import Growth
from engine.scores import TOLERANCE, Scores
from engine.splits import Candidate
from engine.table import TargetKind

CRITERIA = {
    TargetKind.CLASSES: (Criterion.ENTROPY, Criterion.GAIN_RATIO, Criterion.GINI, Criterion.MISCLASSIFICATION),
    TargetKind.NUMBER: (Criterion.VARIANCE, Criterion.SQUARED_ERROR),
}
"""The criteria that are defined for each kind of target."""


@dataclass(frozen=True)
class FeatureScores:
    """A feature at one node: its best candidate under each criterion, none where it has no candidate."""

    feature: str
    best: Mapping[Criterion, Candidate]


@dataclass(frozen=True)
class CriteriaTable:
    """All criteria at one node.

    Attributes
    ----------
    criteria : tuple of Criterion
        Those that are defined for the target.
    rows : tuple of FeatureScores
        In column order.
    winners : mapping of Criterion to tuple of str
        The features that each criterion ranks first, more than one where they tie; none where no
        candidate may be chosen.
    """

    criteria: tuple[Criterion, ...]
    rows: tuple[FeatureScores, ...]
    winners: Mapping[Criterion, tuple[str, ...]]

    @property
    def agree(self) -> bool:
        """Whether all criteria take the same feature: of those that tie, the first in the table."""
        return len({names[:1] for names in self.winners.values()}) == 1


def criteria_for(growth: Growth) -> tuple[Criterion, ...]:
    """The criteria that are defined for the growth's target."""
    return CRITERIA[growth.source.target.kind]


def under(growth: Growth, criterion: Criterion) -> Growth:
    """The same tree with its evidence scored by another criterion.

    C4.5's bar for features below the average gain belongs to the gain ratio alone.
    """
    settings = replace(growth.settings, criterion=criterion)
    barred = growth.rules.average_gain_filter and criterion is Criterion.GAIN_RATIO
    rules = replace(growth.rules, criterion=criterion, average_gain_filter=barred)
    return Growth(growth.source, growth.table, settings, rules, growth.tree, {}, growth.weights, growth.holdout_costs)


def criteria_at(growth: Growth, node: int) -> CriteriaTable:
    """Score the candidates of `node` by every criterion, under the growth's other rules.

    With `max_features` these are the candidates of the features that the growth itself drew.

    Returns
    -------
    CriteriaTable
        Without rows where the node stopped before its candidates were scored.
    """
    criteria = criteria_for(growth)
    drawn = growth.scores(node).usable
    # Without the tree's own decision, so that each criterion has its best threshold.
    ranked = {c: best_candidates(growth.table, NodeScores(under(growth, c).here(node), drawn), None) for c in criteria}
    names = [feature.name for feature in growth.table.features]
    rows = [
        FeatureScores(name, {c: found for c in criteria for found in ranked[c] if found.feature == name})
        for name in names
    ]
    return CriteriaTable(
        criteria=criteria,
        rows=tuple(row for row in rows if row.best),
        winners={c: _winners(ranked[c], names) for c in criteria},
    )


def scan_by(growth: Growth, node: int, feature: str) -> dict[Criterion, Scores]:
    """All candidates of one feature at `node` under every criterion."""
    index = growth.table.feature_index(feature)
    return {criterion: under(growth, criterion).scan(node, index) for criterion in criteria_for(growth)}


def _winners(ranked: list[Candidate], names: list[str]) -> tuple[str, ...]:
    open_ = [candidate for candidate in ranked if candidate.rejected is None]
    greatest = max((candidate.score for candidate in open_), default=0.0)
    equal = {candidate.feature for candidate in open_ if candidate.score >= greatest - TOLERANCE}
    return tuple(name for name in names if name in equal)
