"""Rules in an order, with a default class; what they predict, beside the tree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from engine.frames import frame_of
from engine.rules import plain
from engine.rulesets.covering import Rows
from engine.rulesets.rules import Rule, rule_words
from engine.table import AnyArray, IntArray, Table
from engine.tree import Tree, class_values


@dataclass(frozen=True, eq=False)
class RuleList:
    """The first rule that covers a row answers; where none does, the default class.

    Attributes
    ----------
    tree : Tree
        The tree that the rules were made from.
    rules : tuple of Rule
    default : str
    """

    tree: Tree
    rules: tuple[Rule, ...]
    default: str

    def fired(self, table: Table) -> IntArray:
        """The place in `rules` of the rule that answers for each row, shape (n_rows,); −1 for the default."""
        return self._fired(Rows.of_table(table, self.tree))

    def answers(self, fired: IntArray) -> AnyArray:
        """What these rules answer, an object array of classes of the same shape."""
        return np.array([*(rule.answer for rule in self.rules), self.default], dtype=object)[fired]

    def predict(self, frame: pd.DataFrame) -> AnyArray:
        """The predicted class of each row, an object array of shape (n_rows,).

        Raises
        ------
        QueryError
            If a feature that a rule asks for is not a column of `frame`.
        """
        return self.answers(self._fired(Rows.of_frame(frame, self.tree)))

    def _fired(self, rows: Rows) -> IntArray:
        fired = np.full(rows.n_rows, -1)
        for place, rule in enumerate(self.rules):
            fired[(fired < 0) & rows.covered(rule.conditions)] = place
        return fired


@dataclass(frozen=True, eq=False)
class Agreement:
    """A list of rules beside its tree, on the same rows.

    Attributes
    ----------
    n_rows : int
    tree_errors, list_errors : int
        Rows that each gets wrong.
    fired : ndarray of int64, shape (n_rows,)
        The rule that answers, −1 for the default.
    tree_answers, list_answers, truth : ndarray of object, shape (n_rows,)
    """

    fired: IntArray
    tree_answers: AnyArray
    list_answers: AnyArray
    truth: AnyArray

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.truth)

    @property
    def tree_errors(self) -> int:
        """Rows that the tree gets wrong."""
        return int((self.tree_answers != self.truth).sum())

    @property
    def list_errors(self) -> int:
        """Rows that the list gets wrong."""
        return int((self.list_answers != self.truth).sum())

    @property
    def different(self) -> IntArray:
        """Positions of the rows on which the two differ, ascending."""
        return np.flatnonzero(self.tree_answers != self.list_answers)


def beside_tree(rules: RuleList, table: Table) -> Agreement:
    """What the rules and their tree answer for the rows of `table`: training rows, or rows set aside."""
    fired = rules.fired(table)
    return Agreement(fired, rules.tree.predict(frame_of(table)), rules.answers(fired), class_values(table))


def list_text(rules: RuleList) -> str:
    """The rules one a line, in the order in which they are asked, with their training rows and estimates."""
    target = rules.tree.table.target.name
    lines = [_line(rule, target) for rule in rules.rules]
    return "".join(f"{line}\n" for line in [*lines, f"ELSE {plain(f'{target} is {rules.default}')}"])


def _line(rule: Rule, target: str) -> str:
    rows, right = (f"{value:.10g}" for value in (rule.n_rows, rule.n_rows - rule.errors))
    return f"{rule_words(rule, target)} ({rows} rows, {right} right, estimated accuracy {rule.estimate or 0.0:.3f})"
