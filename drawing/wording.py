"""A sentence for every event, stop reason, rejection and candidate of a growth.

Plain text with the node's own numbers, all from the engine; phrases.py has what they are made of.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import assert_never

import numpy as np

from drawing import gain_filter, holdout_stop, number_sentences, significance
from drawing.numbers import units
from drawing.phrases import (
    LISTED,
    Measure,
    answer,
    branch,
    candidate_label,
    class_counts,
    condition,
    held,
    listed,
    measure,
    path,
    paths,
    plain,
    rows,
    score_measure,
)
from drawing.theme import number, quantity, weight
from engine import Candidate, Condition, Event, Growth, Rejection, StopReason, Tree
from engine.scores import REJECTIONS, Scores

__all__ = [
    "Measure",
    "answer",
    "branch",
    "candidate_label",
    "class_counts",
    "condition",
    "held",
    "listed",
    "measure",
    "nothing_to_choose",
    "outline",
    "path",
    "paths",
    "plain",
    "reason",
    "rejection",
    "rows",
    "score_measure",
    "scored",
    "scores_as",
    "sentence",
    "split",
    "started",
    "tag",
    "why_not",
]


def sentence(growth: Growth, step: int, *, where: str | None = None, ranked: Sequence[Candidate] | None = None) -> str:
    """What happens in a step of a growth, in plain words with numbers.

    Parameters
    ----------
    growth : Growth
    step : int
    where : str, optional
        The node's path in words, if the caller has it.
    ranked : sequence of Candidate, optional
        ``growth.best_candidates(node)``, if the caller has it.
    """
    entry = growth[step]
    node = entry.node
    where = path(growth.tree.path(node)) if where is None else where
    match entry.event:
        case Event.STARTED:
            return started(growth)
        case Event.SCORED:
            return scored(growth, node, where, growth.best_candidates(node) if ranked is None else ranked)
        case Event.SPLIT:
            return split(growth.tree, node)
        case Event.LEAF:
            return f"{_place(growth.tree, node, where)} {reason(growth, node, ranked)}"
    assert_never(entry.event)


def started(growth: Growth) -> str:
    """What the table is, before anything is decided."""
    tree = growth.tree
    question = "Which question first?" if tree.nodes.scored[0] else "Is there anything to ask?"
    if tree.is_number:
        return f"{number_sentences.started(growth)} {question}"
    size = rows(float(tree.nodes.size[0]))
    if growth.weights is not None:
        size = f"{rows(tree.table.n_rows)} that weigh {weight(float(tree.nodes.size[0]))}"
    return f"{size}: {held(tree, 0, ',')}. {question}"


def scored(growth: Growth, node: int, where: str, ranked: Sequence[Candidate]) -> str:
    """Which candidate of a node scores best, by how much, and whether it is taken."""
    place = _place(growth.tree, node, where)
    open_ = [c for c in ranked if c.rejected is None]
    chosen = next((c for c in ranked if c.chosen), None)
    if not open_:
        verdict = _all_rejected(growth, ranked)
        return f"{place} {verdict}" if chosen is None else f"{place} {verdict} You chose {candidate_label(chosen)}."
    if chosen is not None and chosen.by_choice:
        return f"{place} {_best(growth, open_[0], open_)} {_your_choice(growth, chosen, open_[0])}"
    best = chosen or open_[0]
    filtered = any(c.rejected is Rejection.BELOW_AVERAGE_GAIN for c in ranked)
    remark = gain_filter.remark(growth, node, ranked, best)
    return " ".join(part for part in (place, _best(growth, best, open_, filtered), remark) if part)


def split(tree: Tree, node: int) -> str:
    """Which test a node is split by, and how many rows go where."""
    test = tree.split(node)
    assert test is not None
    feature = tree.table.features[test.feature]
    sizes = tree.nodes.size[tree.children(node)].tolist()
    conditions = test.conditions(feature)
    words = [f"{branch(c)} ({rows(n)})" for c, n in zip(conditions[:LISTED], sizes[:LISTED], strict=True)]
    if len(conditions) > LISTED:
        words.append(f"and {len(conditions) - LISTED} more branches")
    yours = ", chosen by you" if tree.nodes.by_choice[node] else ""
    return f"Split on {plain(feature.name)}{yours}: {', '.join(words)}."


def reason(growth: Growth, node: int, ranked: Sequence[Candidate] | None = None) -> str:
    """Why a node is a leaf, and what it answers."""
    tree, rules = growth.tree, growth.rules
    if tree.is_number:
        if ranked is None:
            ranked = growth.best_candidates(node) if tree.nodes.scored[node] else ()
        return number_sentences.reason(growth, node, ranked)
    stop = tree.stop_reason(node)
    assert stop is not None
    match stop:
        case StopReason.PURE:
            return "A leaf: no more to ask."
        case StopReason.NO_ROWS:
            return f"A leaf: the parent's majority, {plain(tree.label(node))}, answers."
        case StopReason.NO_FEATURES:
            why = "No feature is left to ask"
        case StopReason.NO_USEFUL_SPLIT:
            why = _nothing_useful(growth, node, ranked)
        case StopReason.MAX_DEPTH:
            why = f"The depth limit of {rules.max_depth} is reached"
        case StopReason.MIN_SAMPLES_SPLIT:
            why = f"A node of fewer than {rules.min_samples_split} rows is not split"
        case StopReason.MIN_SAMPLES_LEAF:
            why = f"Every split would make a branch of fewer than {rows(rules.min_samples_leaf)}"
        case StopReason.MIN_GAIN:
            why = _too_little(growth, node, ranked)
        case StopReason.NOT_SIGNIFICANT:
            why = significance.stopped(growth, node, _ranked(growth, node, ranked))
        case StopReason.WORSE_ON_HOLDOUT:
            why = holdout_stop.stopped(growth, node, _ranked(growth, node, ranked))
        case StopReason.PRUNED:
            why = "Pruned"
        case _:
            assert_never(stop)
    return f"{why}. {_majority(tree, node)}"


def rejection(rejected: Rejection, min_samples_leaf: int, number: bool = False) -> str:
    """Why a candidate could not be chosen, as the end of a sentence; `number` is the kind of the target.

    >>> rejection(Rejection.MIN_SAMPLES_LEAF, 5)
    'would make a branch of fewer than 5 rows'
    """
    match rejected:
        case Rejection.MIN_SAMPLES_LEAF:
            return f"would make a branch of fewer than {rows(min_samples_leaf)}"
        case Rejection.SINGLE_PARTITION:
            return "would send all rows down one branch"
        case Rejection.BELOW_AVERAGE_GAIN:
            return "gains less than the average"
        case Rejection.NO_GAIN:
            return "lowers nothing" if number else "gains nothing"
    assert_never(rejected)


def tag(rejected: Rejection, min_samples_leaf: int, number: bool = False) -> str:
    """Why a candidate could not be chosen, in the few words that stand beside its name.

    The gain itself stands before them where there is a filter for it.

    >>> tag(Rejection.BELOW_AVERAGE_GAIN, 1)
    'below average'
    """
    if rejected is Rejection.BELOW_AVERAGE_GAIN:
        return "below average"
    return rejection(rejected, min_samples_leaf, number)


def why_not(candidate: Candidate, winner: Candidate, growth: Growth) -> str:
    """A candidate's number beside the winner's: the loser's gap, a tie, or why it was barred.

    `winner` is the split that was made, by the algorithm or by a person.
    """
    names, write = score_measure(growth.rules), scores_as(growth)
    label, score = candidate_label(candidate), write(candidate.score)
    if candidate.rejected is Rejection.BELOW_AVERAGE_GAIN and not candidate.chosen:
        return f"{label} {gain_filter.below(candidate, winner, names.name)}."
    if candidate.rejected is not None and not candidate.chosen:
        return f"{label} {rejection(candidate.rejected, growth.rules.min_samples_leaf, growth.rules.is_number)}."
    if candidate.chosen and candidate.by_choice:
        return f"You chose {label}: {names.short} {score}."
    said = _scores(growth, candidate)
    if candidate.split == winner.split:
        most = "of those of at least average gain" if growth.rules.average_gain_filter else "there is"
        return f"{said}; tied, and first in the table." if candidate.tied else f"{said}, the most {most}."
    other = plain(winner.feature) if winner.feature != candidate.feature else candidate_label(winner)
    if candidate.tied and winner.tied:
        return f"{said} as well; {other} comes first in the table."
    gap = winner.score - candidate.score
    yours = ", which you chose" if winner.by_choice else ""
    if write(gap) == write(0.0):
        nothing = 1e-9 * (winner.impurity if growth.rules.is_number else 1.0)
        how = "as much as" if abs(gap) <= nothing else "a trace less than" if gap > 0 else "a trace more than"
        return f"{said}, {how} {other}{yours}."
    return f"{said}, {write(abs(gap))} {'less' if gap > 0 else 'more'} than {other}{yours}."


def scores_as(growth: Growth) -> Callable[[float], str]:
    """How scores and impurities of a growth are written: bits and shares alike, squares by the target's spread."""
    return units(growth.tree).square if growth.rules.is_number else number


def nothing_to_choose(growth: Growth, scores: Scores) -> str:
    """Why a feature has no candidate that could be chosen."""
    feature = plain(growth.table.features[scores.feature].name)
    if not len(scores):
        return f"{feature} has one value in these rows: nothing to split on."
    rules = growth.rules
    why = {rejection(REJECTIONS[code], rules.min_samples_leaf, rules.is_number) for code in scores.rejected.tolist()}
    return f"{feature} {listed(sorted(why), 'or')}."


def outline(tree: Tree, node: int, single: Condition | None) -> str:
    """One line of the nested list that tells the finished tree as text."""
    start = "" if single is None else f"{condition(single)}: "
    n_rows = float(tree.nodes.size[node])
    size = rows(n_rows)
    inside = f", {held(tree, node)}" if n_rows else ""
    test = tree.split(node)
    end = (
        f"answer {answer(tree, node)}" if test is None else f"split on {plain(tree.table.features[test.feature].name)}"
    )
    return f"{start}{size}{inside}: {end}"


def _place(tree: Tree, node: int, where: str) -> str:
    n_rows = float(tree.nodes.size[node])
    size = rows(n_rows)
    said = f"{size}, {held(tree, node)}" if n_rows else size
    return f"{said}." if node == 0 else f"{where}: {said}."


def _scores(growth: Growth, candidate: Candidate) -> str:
    names = score_measure(growth.rules)
    if growth.rules.is_number:
        return number_sentences.lowers(growth, candidate, units(growth.tree))
    label, score = candidate_label(candidate), number(candidate.score)
    return f"{label} gains {score}" if names.short == "gain" else f"{label} has {names.name} {score}"


def _best(growth: Growth, best: Candidate, open_: Sequence[Candidate], filtered: bool = False) -> str:
    """The winner with the runner-up, or with its equals; `filtered` tells whether others gain less than the average."""
    if growth.rules.is_number:
        return number_sentences.best(growth, best, open_)
    names = score_measure(growth.rules)
    label, score = candidate_label(best), number(best.score)
    equals = [candidate_label(c) for c in open_ if c.tied and c is not best]
    if best.tied and equals:
        shown = equals[:2] + ([f"{len(equals) - 2} more"] if len(equals) > 2 else [])
        return f"{listed([label, *shown])} tie at {score}; {plain(best.feature)} comes first in the table."
    others = [c for c in open_ if c is not best]
    if not others:
        alone = "no other feature gains the average" if filtered else "there is no other choice"
        return f"{_scores(growth, best)}; {alone}."
    verb = "gains most" if names.short == "gain" else f"has the greatest {names.name}"
    return f"{label} {verb}: {score} (next: {candidate_label(others[0])} {number(others[0].score)})."


def _your_choice(growth: Growth, chosen: Candidate, best: Candidate) -> str:
    if growth.rules.is_number:
        return number_sentences.your_choice(growth, chosen, best)
    gap = best.score - chosen.score
    if chosen.split == best.split or gap < 1e-9:
        return f"You chose {candidate_label(chosen)}: {number(chosen.score)}."
    return f"You chose {candidate_label(chosen)}: {number(chosen.score)}, {number(gap)} less."


def _nothing_useful(growth: Growth, node: int, ranked: Sequence[Candidate] | None) -> str:
    if growth.rules.must_gain:
        return "No split makes the branches purer"
    if any(c.rejected is Rejection.NO_GAIN for c in _ranked(growth, node, ranked)):
        return "No split gains anything"
    return "No feature separates these rows"


def _ranked(growth: Growth, node: int, ranked: Sequence[Candidate] | None) -> Sequence[Candidate]:
    return growth.best_candidates(node) if ranked is None else ranked


def _all_rejected(growth: Growth, ranked: Sequence[Candidate]) -> str:
    if not ranked:
        return "No feature separates these rows."
    if len({c.rejected for c in ranked}) == 1 and ranked[0].rejected is not None:
        return f"Every split {rejection(ranked[0].rejected, growth.rules.min_samples_leaf, growth.rules.is_number)}."
    return "No split can be chosen."


def _too_little(growth: Growth, node: int, ranked: Sequence[Candidate] | None) -> str:
    candidates = growth.best_candidates(node) if ranked is None else ranked
    best = next((c for c in candidates if c.rejected is None), None)
    gained = "The best split gains" if best is None else f"{candidate_label(best)} gains {number(best.gain)},"
    return f"{gained} less than the {quantity(growth.rules.min_gain)} asked for"


def _majority(tree: Tree, node: int) -> str:
    """What an impure leaf answers; a tie of its classes is said and resolved."""
    counts = tree.nodes.counts[node]
    answer = plain(tree.label(node))
    best = np.flatnonzero(counts == counts.max())
    if len(best) == 1:
        return f"A leaf: the majority, {answer}, answers."
    names = listed([plain(tree.table.target.classes[code]) for code in best.tolist()])
    parent = int(tree.nodes.parent[node])
    above = tree.nodes.counts[parent][best] if parent >= 0 else np.zeros(len(best))
    settled = np.count_nonzero(above == above.max()) == 1
    why = "is more frequent in the parent" if settled else "comes first in order"
    return f"A leaf: {names} tie; {answer} {why} and answers."
