"""Rules in words, and their simplification as what the browser steps through.

Everything is plain text; who puts it on a page escapes it there.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist
from typing import Any, assert_never

from drawing import wording
from drawing.theme import Mode, class_colour, number, percent, quantity
from engine import Estimate, Rule, Simplification, SimplificationSettings, Tree
from engine.rulesets import Agreement, RuleEvent, RuleStep, Tally

_WORDS = {
    "if": "If ",
    "and": " and ",
    "then": ", then ",
    "always": "Always: ",
    "else": "Else ",
    "heading": "Rule {rule} without one of its conditions",
    "whole": "nothing",
    "dropped": "dropped",
    "duplicate": "the same as an earlier rule",
    "emptied": "no condition left",
}


def estimate_name(estimate: Estimate) -> str:
    """What the screen calls a way to estimate accuracy."""
    match estimate:
        case Estimate.PESSIMISTIC:
            return "C4.5's pessimistic estimate"
        case Estimate.BINOMIAL:
            return "Pessimistic, exact binomial limit"
        case Estimate.VALIDATION:
            return "Accuracy on the rows set aside"
    assert_never(estimate)


def rule_cells(rule: Rule, tree: Tree) -> list[str]:
    """A rule of a tree as cells: its sentence, rows, and the share of them that is right.

    For a number the last one is the mean squared error.
    """
    words = f"{_if(rule)}{wording.plain(tree.table.target.name)} is {answer_words(rule.answer)}"
    if isinstance(rule.answer, str):
        last = "–" if rule.accuracy is None else percent(rule.accuracy)
    else:
        last = "–" if rule.mean_squared_error is None else number(rule.mean_squared_error)
    return [words, quantity(rule.n_rows), last]


def answer_words(answer: str | float) -> str:
    """A class, or a mean."""
    return wording.plain(answer) if isinstance(answer, str) else quantity(answer)


def sentence(found: Simplification, index: int) -> str:
    """What happens in a step of a simplification, with its numbers."""
    step = found[index]
    match step.event:
        case RuleEvent.STARTED:
            return _started(found)
        case RuleEvent.DROPPED:
            return f"Rule {_place(step)} {_dropped(step)}"
        case RuleEvent.KEPT:
            return f"Rule {_place(step)} is done: {_best_left(step)}"
        case RuleEvent.DUPLICATE:
            return f"Rule {_place(step)} now says the same as rule {_twin(found, step)}. It goes."
        case RuleEvent.EMPTIED:
            return f"Rule {_place(step)} has no condition left. It goes; the default class answers in its place."
        case RuleEvent.ORDERED:
            return _ordered(found)
    assert_never(step.event)


def worked(tally: Tally, settings: SimplificationSettings) -> str:
    """How an estimated accuracy comes about, with its numbers.

    >>> worked(Tally(2, 0, 0.5), SimplificationSettings())
    'none of 2 rows wrong: 0.25^(1/2) = 0.500'
    >>> worked(Tally(7, 1, 6 / 7), SimplificationSettings(estimate=Estimate.VALIDATION))
    '6 of 7 rows right: 0.857'
    """
    n, wrong = quantity(tally.n_rows), quantity(tally.errors)
    result = number(tally.estimate)
    share = quantity(settings.confidence)
    if not tally.n_rows:
        return f"no row is covered: {result}"
    if settings.estimate is Estimate.VALIDATION:
        return f"{quantity(tally.n_rows - tally.errors)} of {n} rows right: {result}"
    if not tally.errors:
        return f"none of {n} rows wrong: {share}^(1/{n}) = {result}"
    said = f"{wrong} of {n} rows wrong"
    if settings.estimate is Estimate.BINOMIAL:
        chance = percent(settings.confidence)
        limit = number(1 - tally.estimate)
        return f"{said}: at an error rate of {limit} so few have a chance of {chance}; 1 − {limit} = {result}"
    if tally.errors < 1 or tally.errors + 0.5 >= tally.n_rows:
        return f"{said}: {result}"
    z = number(NormalDist().inv_cdf(1 - settings.confidence))
    rate = f"f = {quantity(tally.errors + 0.5)}/{n}, z = {z}"
    limit = f"(f + z²/{quantity(2 * tally.n_rows)} + z·√(f/{n} − f²/{n} + z²/{quantity(4 * tally.n_rows**2)}))"
    return f"{said}: {rate}; 1 − {limit} / (1 + z²/{n}) = {result}"


def rules_story(found: Simplification) -> dict[str, Any]:
    """A simplification as one JSON document with all that the browser shows at any step.

    Returns
    -------
    dict
        `words` are fixed. `sentences`, `worked` and `rule` have one entry a step; `rows` are the lines
        of a step's table: the condition's place in the rule (−1: as it is), rows, wrong, estimate in
        words and as a number. `rules` are the initial ones, each with its conditions, the step at which each was
        dropped (null: never), its numbers after so many drops, and how it ended. `order` has the
        numbers of the rules in their order at the end.
    """
    classes = found.tree.table.target.classes
    steps: list[RuleStep] = list(found)
    rules = [
        _told(rule, [step for step in steps if step.rule == number], classes.index(str(rule.answer)))
        for number, rule in enumerate(found.initial)
    ]
    target = wording.plain(found.tree.table.target.name)
    return {
        "words": _WORDS,
        "target": target,
        "default": f"{target} is {wording.plain(found.result.default)}",
        "default_colour": _colour(classes.index(found.result.default)),
        "sentences": [sentence(found, index) for index in range(len(steps))],
        "rule": [step.rule for step in steps],
        "worked": [_worked(step, found.settings) for step in steps],
        "rows": [_lines(step, found.initial) for step in steps],
        "rules": rules,
        "order": [
            [rule_number, wording.path(rule.conditions)]
            for rule_number, rule in zip(found.numbers, found.result.rules, strict=True)
        ],
    }


def agreement_cells(agreement: Agreement) -> list[str]:
    """Errors of the tree, errors of the rules, and the rows on which both agree."""
    n = quantity(agreement.n_rows)
    same = agreement.n_rows - len(agreement.different)
    return [f"{wrong} of {n} wrong" for wrong in (agreement.tree_errors, agreement.list_errors)] + [f"{same} of {n}"]


def size_cells(found: Simplification) -> list[str]:
    """How many rules and conditions the tree has, and the list."""
    return [_size(found.initial), _size(found.result.rules), ""]


def _if(rule: Rule) -> str:
    words = wording.path(rule.conditions)
    return f"{_WORDS['if']}{words}{_WORDS['then']}" if rule.conditions else _WORDS["always"]


def _size(rules: Sequence[Rule]) -> str:
    return f"{_n(len(rules), 'rule')}, {_n(sum(len(rule.conditions) for rule in rules), 'condition')}"


def _n(count: int, one: str) -> str:
    return f"{count} {one}" + ("" if count == 1 else "s")


def _place(step: RuleStep) -> int:
    return 0 if step.rule is None else step.rule + 1


def _started(found: Simplification) -> str:
    n = len(found.initial)
    first = "The tree is one rule." if n == 1 else f"The tree is {n} rules, one for each leaf with rows."
    return f"{first} Is a rule as good without one of its conditions?"


def _dropped(step: RuleStep) -> str:
    assert step.dropped is not None and step.tally is not None
    without, before = step.dropped.without, step.tally
    start = f"without “{wording.condition(step.dropped.condition)}”"
    if (without.n_rows, without.errors) == (before.n_rows, before.errors):
        return f"{start}: the same rows. Dropped."
    wrong = quantity(without.errors) if without.errors else "none"
    change = f"{number(before.estimate)} → {number(without.estimate)}"
    return f"{start}: {wording.rows(without.n_rows)}, {wrong} wrong. Estimated accuracy {change}: dropped."


def _best_left(step: RuleStep) -> str:
    assert step.tally is not None
    best = max(step.deletions, key=lambda deletion: deletion.without.estimate)
    gone, now, then = wording.condition(best.condition), number(step.tally.estimate), number(best.without.estimate)
    if len(step.deletions) == 1:
        return f"dropping “{gone}” would lower its estimated accuracy from {now} to {then}."
    return f"every drop would lower its estimated accuracy of {now}, that of “{gone}” the least, to {then}."


def _twin(found: Simplification, step: RuleStep) -> int:
    """The number of the rule that a duplicate repeats."""
    answer = found.initial[step.rule or 0].answer
    return next(
        _place(other)
        for other in found
        if other.event is RuleEvent.KEPT
        and set(other.after) == set(step.after)
        and found.initial[other.rule or 0].answer == answer
    )


def _ordered(found: Simplification) -> str:
    n, default = len(found.result.rules), wording.plain(found.result.default)
    left = int((found.result.fired(found.tree.table) < 0).sum())
    why = f"most frequent of the {wording.rows(left)} that no rule covers" if left else "most frequent of all rows"
    if not n:
        return f"No rule is left: the answer is always “{default}”, the {why}."
    first = (
        "1 rule is left." if n == 1 else f"{n} rules are left, the best estimate first. The first that fits answers;"
    )
    return f"{first} {'Where it does not fit' if n == 1 else 'where none does'}: “{default}”, the {why}."


def _worked(step: RuleStep, settings: SimplificationSettings) -> str:
    tally = step.tally if step.dropped is None else step.dropped.without
    if tally is None or step.event not in (RuleEvent.DROPPED, RuleEvent.KEPT):
        return ""
    return worked(tally, settings)


def _lines(step: RuleStep, initial: Sequence[Rule]) -> list[list[Any]]:
    if step.rule is None or step.tally is None:
        return []
    conditions = initial[step.rule].conditions
    tallies = [(-1, step.tally), *((conditions.index(d.condition), d.without) for d in step.deletions)]
    return [
        [place, quantity(t.n_rows), quantity(t.errors), number(t.estimate), round(t.estimate, 4)]
        for place, t in tallies
    ]


def _told(rule: Rule, steps: Sequence[RuleStep], code: int) -> dict[str, Any]:
    gone = {step.dropped.condition: step.index for step in steps if step.dropped is not None}
    return {
        "answer": answer_words(rule.answer),
        "colour": _colour(code),
        "conditions": [wording.condition(condition) for condition in rule.conditions],
        "dropped": [gone.get(condition) for condition in rule.conditions],
        "numbers": [_numbers(step.tally) for step in steps if step.tally is not None],
        "first": steps[0].index,
        "last": steps[-1].index,
        "end": steps[-1].event.value,
    }


def _numbers(tally: Tally) -> list[str]:
    right = percent(1 - tally.errors / tally.n_rows) if tally.n_rows else "–"
    return [quantity(tally.n_rows), right, number(tally.estimate)]


def _colour(code: int) -> str:
    return f"light-dark({class_colour(code, Mode.LIGHT)}, {class_colour(code, Mode.DARK)})"
