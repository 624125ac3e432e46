"""Sentences for a target that is a number: what a split leaves of the variance, and what a leaf answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from drawing import holdout_stop
from drawing.numbers import Units, target_range, units
from drawing.phrases import answer, candidate_label, held, listed, measure, plain, rows, score_measure
from drawing.theme import quantity
from engine import Candidate, Growth, Rejection, StopReason

_MOST_EQUALS = 2


def started(growth: Growth) -> str:
    """The rows and the range of their values, before anything is decided."""
    tree = growth.tree
    within, write = target_range(tree), units(tree).value
    ends = f" from {write(within.low)} to {write(within.high)}" if within.high > within.low else ""
    size = rows(float(tree.nodes.size[0]))
    return f"{size}: {plain(tree.table.target.name)}{ends}, {held(tree, 0)}."


def best(growth: Growth, winner: Candidate, open_: Sequence[Candidate]) -> str:
    """The winner with the runner-up, or with its equals: what is left of the variance, and of how much."""
    names, write = score_measure(growth.rules), units(growth.tree)
    label = candidate_label(winner)
    equals = [candidate_label(c) for c in open_ if c.tied and c is not winner]
    if winner.tied and equals:
        shown = equals[:_MOST_EQUALS]
        if len(equals) > _MOST_EQUALS:
            shown = [*shown, f"{len(equals) - _MOST_EQUALS} more"]
        first = plain(winner.feature)
        return f"{listed([label, *shown])} tie at {_left(growth, winner)}; {first} comes first in the table."
    others = [c for c in open_ if c is not winner]
    if not by_remainder(growth, open_):
        score = f"{label} has the greatest {names.name}: {write.square(winner.score)}"
        return f"{score} (next: {_next(others[0], write.square(others[0].score))})." if others else f"{score}."
    if not others:
        return f"{label} leaves {_left(growth, winner)}; there is no other choice."
    left = f"{write.square(winner.remainder)} instead of {write.square(winner.impurity)}"
    runner_up = _next(others[0], write.square(others[0].remainder))
    return f"{label} leaves the least weighted {names.impurity}: {left} (next: {runner_up})."


def your_choice(growth: Growth, chosen: Candidate, best: Candidate) -> str:
    """The split that a person chose beside the best one."""
    write = units(growth.tree)
    label, gap = candidate_label(chosen), best.score - chosen.score
    shown = chosen.remainder if by_remainder(growth, [chosen, best]) else chosen.score
    said = f"You chose {label}: {write.square(shown)}"
    if chosen.split == best.split or write.square(gap) == "0":
        return f"{said}."
    return f"{said}, {write.square(gap)} {'more' if shown == chosen.remainder else 'less'}."


def lowers(growth: Growth, candidate: Candidate, write: Units) -> str:
    """By how much a candidate lowers the impurity; with costs its score."""
    names, label = score_measure(growth.rules), candidate_label(candidate)
    if growth.rules.costs is not None:
        return f"{label} has {names.name} {write.square(candidate.score)}"
    verb = "raises" if candidate.gain < 0 and write.square(candidate.gain) != "0" else "lowers"
    return f"{label} {verb} the {names.impurity} by {write.square(abs(candidate.gain))}"


def by_remainder(growth: Growth, candidates: Sequence[Candidate]) -> bool:
    """Whether the least remainder is the greatest score: not where features cost something or values are missing."""
    return growth.rules.costs is None and not any(c.unknown for c in candidates)


def reason(growth: Growth, node: int, ranked: Sequence[Candidate]) -> str:
    """Why a node is a leaf, and what it answers; `ranked` are its best candidates."""
    tree, rules = growth.tree, growth.rules
    stop = tree.stop_reason(node)
    assert stop is not None
    impurity = measure(rules.criterion).impurity
    match stop:
        case StopReason.PURE:
            return "A leaf: no more to ask."
        case StopReason.NO_ROWS:
            return f"A leaf: the parent's mean, {answer(tree, node)}, answers."
        case StopReason.NO_FEATURES:
            why = "No feature is left to ask"
        case StopReason.NO_USEFUL_SPLIT:
            why = _none_useful(ranked, impurity)
        case StopReason.MAX_DEPTH:
            why = f"The depth limit of {rules.max_depth} is reached"
        case StopReason.MIN_SAMPLES_SPLIT:
            why = f"A node of fewer than {rules.min_samples_split} rows is not split"
        case StopReason.MIN_SAMPLES_LEAF:
            why = f"Every split would make a branch of fewer than {rows(rules.min_samples_leaf)}"
        case StopReason.MIN_GAIN:
            why = too_little(growth, next((c for c in ranked if c.rejected is None), None))
        case StopReason.NOT_SIGNIFICANT:
            why = "The best split could well be chance"
        case StopReason.WORSE_ON_HOLDOUT:
            why = holdout_stop.stopped(growth, node, ranked)
        case StopReason.PRUNED:
            why = "Pruned"
        case _:
            assert_never(stop)
    return f"{why}. A leaf: the mean, {answer(tree, node)}, answers."


def too_little(growth: Growth, best: Candidate | None) -> str:
    """A reduction below the least one that was asked for, as the beginning of a sentence."""
    write, least = units(growth.tree), quantity(growth.rules.min_gain)
    lowered = "The best split lowers it by" if best is None else f"{lowers(growth, best, write)},"
    return f"{lowered} less than the {least} asked for"


def _none_useful(ranked: Sequence[Candidate], impurity: str) -> str:
    if any(c.rejected is Rejection.NO_GAIN for c in ranked):
        return f"No split lowers the {impurity}"
    return "No feature separates these rows"


def _left(growth: Growth, candidate: Candidate) -> str:
    """What a candidate leaves, and of how much."""
    names, write = score_measure(growth.rules), units(growth.tree)
    if not by_remainder(growth, [candidate]):
        return f"a {names.name} of {write.square(candidate.score)}"
    left, before = write.square(candidate.remainder), write.square(candidate.impurity)
    return f"a weighted {names.impurity} of {left} instead of {before}"


def _next(candidate: Candidate, number: str) -> str:
    return f"{candidate_label(candidate)} {number}"
