"""The feature lottery: which features were drawn at a node of a member, and what became of each."""

from __future__ import annotations

from dataclasses import dataclass

from drawing import phrases, wording
from engine import Candidate, Growth
from engine.ensembles import Ensemble, FeaturesPer, Member

NOT_DRAWN = "not drawn"
MOST_LINES = 20


@dataclass(frozen=True)
class Lottery:
    """What is said of the draw at a node.

    Attributes
    ----------
    sentence : str
    lines : tuple of (str, str)
        A feature's best split with its score, or why there is none: those drawn first, the best on top.
    chosen : int or None
        The line of the split that was made.
    n_drawn : int
        How many of the lines were drawn.
    left_out : int
        Features without a line.
    measure : str
        What the score is.
    """

    sentence: str
    lines: tuple[tuple[str, str], ...]
    chosen: int | None
    n_drawn: int
    left_out: int
    measure: str


def lottery(ensemble: Ensemble, member: Member, node: int) -> Lottery | None:
    """The draw at a node of the member's growth; None where all features compete, or none was scored."""
    settings, growth = ensemble.settings, member.growth
    n_drawn, n_features = settings.n_features_drawn(ensemble.table), len(ensemble.table.features)
    if n_drawn is None or not growth.tree.nodes.scored[node]:
        return None
    names = [feature.name for feature in growth.table.features]
    drawn, usable = growth.scores(node).usable, growth.usable_features(node)
    if settings.features_per is FeaturesPer.MEMBER:
        mine = set(member.features or ())
        others = [feature.name for place, feature in enumerate(ensemble.table.features) if place not in mine]
        said = f"{n_drawn} of {n_features} features were drawn for this tree; the others compete at none of its nodes."
    else:
        others = [names[f] for f in usable if f not in drawn]
        said = f"{len(drawn)} of {len(usable)} features were drawn at this node; the others do not compete here."
        if len(drawn) > n_drawn:
            said = f"{n_drawn} of {len(usable)} features are drawn at a node. {_further(len(drawn))}"
    lines = [*_drawn(growth, node, [names[f] for f in drawn]), *((_short(name), NOT_DRAWN) for name in others)]
    ranked = growth.best_candidates(node)
    return Lottery(
        sentence=said,
        lines=tuple(lines[:MOST_LINES]),
        chosen=next((place for place, one in enumerate(ranked) if one.chosen), None),
        n_drawn=min(len(lines) - len(others), MOST_LINES),
        left_out=max(len(lines) - MOST_LINES, 0),
        measure=wording.score_measure(growth.rules).short,
    )


def _further(n_drawn: int) -> str:
    return f"None of these separated the rows, so it was drawn on until one did: {n_drawn}."


def _drawn(growth: Growth, node: int, names: list[str]) -> list[tuple[str, str]]:
    """The drawn features, ranked."""
    ranked = growth.best_candidates(node)
    lines = [(phrases.plain(wording.candidate_label(one), 30), _score(growth, one)) for one in ranked]
    found = {candidate.feature for candidate in ranked}
    return lines + [(_short(name), "one value here") for name in names if name not in found]


def _score(growth: Growth, candidate: Candidate) -> str:
    if candidate.rejected is None:
        return wording.scores_as(growth)(candidate.score)
    return wording.tag(candidate.rejected, growth.rules.min_samples_leaf, growth.rules.is_number)


def _short(name: str) -> str:
    return phrases.plain(name, 30)
