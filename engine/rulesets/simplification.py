"""C4.5's rules: each path of a tree made more general, one condition at a time.

What is followed: Quinlan 1993, chapter 5, as Mitchell 1997, section 3.7.1.2, tells it. Every path
to a leaf becomes a rule. While a rule has a condition without which its estimated accuracy does not
fall, the one is dropped without which it is greatest. The rules that are left are sorted by their
estimated accuracy and asked in this order. Where this leaves a choice:

- The rows that count are all training rows (or all validation rows) that the conditions cover, not
  only those of the leaf.
- Of conditions that are equally good to drop, the one tested first goes.
- A leaf without training rows makes no rule. An estimate from no rows is 0.
- Of rules with the same conditions and answer the first stays. A rule without conditions is left
  out: the default class answers in its place.
- Of rules with equal estimates the one that covers more rows comes first, then the one whose leaf does.
- The default is the most frequent class of the training rows that no rule covers; of equals the one
  more frequent among all rows, then the first.

Quinlan goes on to choose a subset of the rules for each class by description length; that is left
out, as Mitchell does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from engine.errors import SettingsError, TableError
from engine.rulesets.covering import Rows, target_codes
from engine.rulesets.judging import Deletion, Estimate, Judge, SimplificationSettings, Standing, Tally
from engine.rulesets.lists import RuleList
from engine.rulesets.rules import Rule, tree_rules
from engine.splits import Condition, Path
from engine.table import FloatArray, Table, TargetKind
from engine.trace import Step, Trace
from engine.tree import Tree


class RuleEvent(StrEnum):
    """What happens in a step: a condition goes, a rule is done with, or all are ordered."""

    STARTED = "started"
    DROPPED = "dropped"
    KEPT = "kept"
    DUPLICATE = "duplicate"
    EMPTIED = "emptied"
    ORDERED = "ordered"


@dataclass(frozen=True, eq=False)
class RuleStep(Step):
    """A step of a simplification; `node` is the leaf that the rule was made from, 0 for none.

    Attributes
    ----------
    event : RuleEvent
    rule : int or None
        Number of the rule among the initial ones; None at the start and the end.
    before, after : tuple of Condition
        The rule's conditions before and after the step.
    tally : Tally or None
        The rule before the step.
    deletions : tuple of Deletion
        The rule without each of the conditions before.
    dropped : Deletion or None
    """

    event: RuleEvent
    rule: int | None = None
    before: Path = ()
    after: Path = ()
    tally: Tally | None = None
    deletions: tuple[Deletion, ...] = ()
    dropped: Deletion | None = None


class Simplification(Trace[RuleStep]):
    """The rules of a tree, and how they were simplified.

    Step 0 is the start; then each rule loses its conditions one by one (`dropped`) until it is
    `kept`, a `duplicate` of an earlier one, or `emptied`; last, the rules are `ordered`.

    Attributes
    ----------
    tree : Tree
    settings : SimplificationSettings
    initial : tuple of Rule
        One for each leaf with rows, depth-first.
    numbers : tuple of int
        For each rule of the list, its number among the initial ones.
    result : RuleList
        The rules that are left; their `n_rows` and `errors` are those of all training rows that
        they cover, `estimate` is what they are sorted by.
    """

    def __init__(
        self,
        tree: Tree,
        settings: SimplificationSettings,
        initial: tuple[Rule, ...],
        steps: tuple[RuleStep, ...],
        numbers: tuple[int, ...],
        result: RuleList,
    ) -> None:
        self.tree, self.settings, self.initial = tree, settings, initial
        self.numbers, self.result = numbers, result
        self._steps = steps

    def __len__(self) -> int:
        return len(self._steps)

    def _step(self, index: int) -> RuleStep:
        return self._steps[index]


def simplify(
    tree: Tree, settings: SimplificationSettings | None = None, validation: Table | None = None
) -> Simplification:
    """Turn a tree, as it stands in its view, into a shorter list of rules.

    Parameters
    ----------
    tree : Tree
    settings : SimplificationSettings, optional
    validation : Table, optional
        The rows to judge by, where the settings ask for them.

    Raises
    ------
    SettingsError
        If the target is a number, or rows to judge by are asked for and not given.
    TableError
        If the rows to judge by are not like those of the tree.
    """
    settings = settings or SimplificationSettings()
    if tree.is_number:
        raise SettingsError(
            f"rules are simplified for classes, and the target {tree.table.target.name!r} is a number; "
            "read it as classes, or take the tree's own rules."
        )
    table = _judged_by(tree, settings, validation)
    rows = Rows.of_table(table, tree)
    weights = _weights(tree) if table is tree.table else np.ones(table.n_rows)
    codes, judge = target_codes(table, tree), Judge(weights, settings)
    initial = tuple(rule for rule in tree_rules(tree) if rule.n_rows)
    steps = [RuleStep(0, RuleEvent.STARTED, 0)]
    kept: dict[tuple[frozenset[Condition], str | float], RuleStep] = {}
    for number, rule in enumerate(initial):
        satisfied = np.array([rows.satisfying(c) for c in rule.conditions], dtype=bool).reshape(-1, rows.n_rows)
        standing = Standing(rule.conditions, satisfied, codes != int(tree.nodes.prediction[rule.leaf]))
        *drops, last = _simplified(rule.leaf, number, standing, judge, len(steps))
        name = (frozenset(last.after), rule.answer)
        if last.after and name in kept:
            last = replace(last, event=RuleEvent.DUPLICATE)
        elif last.after:
            kept[name] = last
        steps += [*drops, last]
    ordered = sorted(kept.values(), key=_rank)
    steps.append(RuleStep(len(steps), RuleEvent.ORDERED, 0))
    return Simplification(
        tree,
        settings,
        initial,
        tuple(steps),
        numbers=tuple(step.rule for step in ordered if step.rule is not None),
        result=_rule_list(tree, initial, ordered),
    )


def _judged_by(tree: Tree, settings: SimplificationSettings, validation: Table | None) -> Table:
    if settings.estimate is not Estimate.VALIDATION:
        return tree.table
    if validation is None or not validation.n_rows:
        raise SettingsError("the estimate validation needs rows to judge by; set some aside, or choose pessimistic.")
    if validation.target.kind is not TargetKind.CLASSES:
        raise TableError(
            f"the target {validation.target.name!r} of the rows to judge by is a number; it must be classes."
        )
    return validation


def _simplified(leaf: int, number: int, rule: Standing, judge: Judge, index: int) -> Iterator[RuleStep]:
    """The steps of one rule; after the last one nothing more can be dropped."""
    while True:
        before = rule.conditions
        tally, deletions = judge.deletions(rule)
        best = judge.best(tally, deletions)
        if best is None:
            event = RuleEvent.KEPT if before else RuleEvent.EMPTIED
            yield RuleStep(index, event, leaf, number, before, before, tally, deletions)
            return
        rule.drop(best)
        yield RuleStep(
            index, RuleEvent.DROPPED, leaf, number, before, rule.conditions, tally, deletions, deletions[best]
        )
        index += 1


def _rank(step: RuleStep) -> tuple[float, float]:
    """Greatest estimate first, then most rows."""
    assert step.tally is not None
    return (-round(step.tally.estimate, 9), -step.tally.n_rows)


def _rule_list(tree: Tree, initial: tuple[Rule, ...], ordered: list[RuleStep]) -> RuleList:
    """The rules with the training rows that they cover, and the default class."""
    table, weights = tree.table, _weights(tree)
    rows, codes = Rows.of_table(table, tree), target_codes(table, tree)
    left = np.ones(table.n_rows, dtype=bool)
    rules = []
    for step in ordered:
        assert step.rule is not None and step.tally is not None
        covered = rows.covered(step.after)
        left &= ~covered
        wrong = covered & (codes != int(tree.nodes.prediction[step.node]))
        rules.append(
            replace(
                initial[step.rule],
                conditions=step.after,
                n_rows=float(weights[covered].sum()),
                errors=float(weights[wrong].sum()),
                estimate=step.tally.estimate,
            )
        )
    overall = np.bincount(codes, weights, minlength=table.n_classes)
    uncovered = np.bincount(codes[left], weights[left], minlength=table.n_classes)
    best = np.where(uncovered == uncovered.max(), overall, -1.0)
    return RuleList(tree, tuple(rules), table.target.classes[int(best.argmax())])


def _weights(tree: Tree) -> FloatArray:
    """What each training row counts."""
    return np.ones(tree.table.n_rows) if tree.weights is None else tree.weights
