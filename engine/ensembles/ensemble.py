"""Ensemble: trees that answer together, told one member at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np
import pandas as pd

from engine.ensembles.base import Base
from engine.ensembles.curves import Curve, Heard, curve_of
from engine.ensembles.endings import Ending
from engine.ensembles.members import Member
from engine.ensembles.polls import Poll, Rule
from engine.ensembles.routing import Rows
from engine.ensembles.settings import EnsembleSettings
from engine.errors import QueryError
from engine.metrics import truth_codes
from engine.table import AnyArray, FloatArray, Table
from engine.trace import Step, Trace


class EnsembleEvent(StrEnum):
    """What happens in a step of an ensemble."""

    STARTED = "started"
    MEMBER = "member"


@dataclass(frozen=True, eq=False)
class EnsembleStep(Step):
    """A step of an ensemble; `node` is the number of the member that it adds."""

    event: EnsembleEvent
    ensemble: Ensemble

    @property
    def member(self) -> Member | None:
        """The member that was added; None at the start."""
        return self.ensemble.members[self.index - 1] if self.index else None

    @property
    def sum(self) -> Ensemble:
        """The ensemble as it stood after this step."""
        return self.ensemble.at(self.index)


class Ensemble(Trace[EnsembleStep]):
    """Trees that answer together, and the order in which they were grown.

    Step 0 is the start, step i + 1 adds ``members[i]``.

    Attributes
    ----------
    base : Base
        The rows that it was grown from.
    settings : EnsembleSettings
    rule : Rule
        How the members' answers become one.
    members : tuple of Member
    validation : Table or None
    ending : Ending or None
        Why there are fewer members than were asked for.
    """

    def __init__(
        self,
        base: Base,
        settings: EnsembleSettings,
        rule: Rule,
        members: tuple[Member, ...],
        validation: Table | None = None,
        ending: Ending | None = None,
    ) -> None:
        self.base, self.settings, self.rule, self.members = base, settings, rule, members
        self.validation, self.ending = validation, ending

    def __len__(self) -> int:
        return 1 + len(self.members)

    def _step(self, index: int) -> EnsembleStep:
        if index == 0:
            return EnsembleStep(0, EnsembleEvent.STARTED, 0, self)
        return EnsembleStep(index, EnsembleEvent.MEMBER, index - 1, self)

    @property
    def source(self) -> Table:
        """The table as it was read."""
        return self.base.source

    @property
    def table(self) -> Table:
        """The rows that members were grown from; positions in samples and weights are positions in it."""
        return self.base.table

    def at(self, n_members: int) -> Ensemble:
        """The ensemble of its first members."""
        if n_members >= len(self.members):
            return self
        return Ensemble(self.base, self.settings, self.rule, self.members[:n_members], self.validation)

    @property
    def n_trees_a_round(self) -> int:
        """Trees that `n_members` counts as one: one a class for gradient boosting of several classes."""
        return self.rule.n_totals if self.rule.is_sum else 1

    @property
    def n_rounds(self) -> int:
        """Members, or whole rounds of them."""
        return len(self.members) // self.n_trees_a_round

    @property
    def initial(self) -> float | tuple[float, ...] | None:
        """Gradient boosting: where the sum starts, for several classes one start a class."""
        start = self.rule.initial
        return None if not start else start[0] if len(start) == 1 else start

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know of it: why it ended early, and what rows were left out."""
        notes = []
        if self.base.kept is not None:
            left_out = self.source.n_rows - self.base.n_rows
            notes.append(f"{left_out} of {self.source.n_rows} rows lack a value and were left out.")
        if self.ending is not None:
            notes.append(self.ending.sentence(self.n_rounds, self.settings.n_members))
        return tuple(notes)

    # ---- answers ----------------------------------------------------------------------------

    def predict(self, frame: pd.DataFrame) -> AnyArray:
        """The prediction for each row, shape (n_rows,): classes as objects, or numbers as float64.

        Raises
        ------
        QueryError
            If a feature that a member tests is not a column of `frame`.
        """
        return self.named(self.poll(self.rows_of(frame)).predictions)

    def predict_proba(self, frame: pd.DataFrame) -> FloatArray:
        """The share of each class, shape (n_rows, n_classes), columns in the order of the classes.

        For bagging and forests the share of the votes, for AdaBoost of the weighted votes; for
        gradient boosting the probability by its sum.

        Raises
        ------
        QueryError
            If the target is a number, or a tested feature is not a column of `frame`.
        """
        if not self.rule.n_classes:
            raise QueryError("the target is a number, which has no probabilities; use predict.")
        return self.poll(self.rows_of(frame)).shares

    def poll(self, rows: Rows | None = None) -> Poll:
        """All members' say on some rows, added up; on the rows of `table` if none are given."""
        poll = Poll(self.rule, self.base.n_rows if rows is None else len(rows))
        for heard in self.hear(rows):
            heard.tell(poll)
        return poll

    def hear(self, rows: Rows | None = None) -> Iterator[Heard]:
        """Each member's answers for some rows, one after the other."""
        for member in self.members:
            yield Heard(member, member.answers if rows is None else member.answer(rows))

    def rows_of(self, data: pd.DataFrame | Table) -> Rows:
        """The rows of a frame or a table, ready for the members.

        Raises
        ------
        QueryError
            If a feature that a member tests is not there.
        """
        if isinstance(data, Table):
            return self.base.of_table(data, self.tested)
        return self.base.of_frame(data, self.tested)

    @cached_property
    def tested(self) -> frozenset[int]:
        """The features that some member tests."""
        return frozenset(f for member in self.members for f in np.unique(member.model.nodes.feature).tolist() if f >= 0)

    def named(self, predictions: AnyArray) -> AnyArray:
        """Predictions with class codes as the classes' names."""
        if not self.rule.n_classes:
            return predictions
        return np.asarray(np.asarray(self.table.target.classes, dtype=object)[predictions])

    @cached_property
    def predictions(self) -> AnyArray:
        """The prediction for each row of `source`."""
        return self.named(self.poll(None if self.base.kept is None else self.base.source_rows).predictions)

    # ---- errors -----------------------------------------------------------------------------

    def staged_errors(self, table: Table) -> FloatArray:
        """The error with one member (for gradient boosting: round), with two, and so on: shape (n_rounds,).

        The share of rows that are wrong, or the mean squared error of a number.

        Raises
        ------
        QueryError
            If the table has no rows, another target, or lacks a feature that a member tests.
        """
        return self.curve(table).errors[1:]

    def curve(self, table: Table | None = None) -> Curve:
        """Errors and losses on any rows, from no member on; on the rows it was grown from if none are given.

        Raises
        ------
        QueryError
            As for `staged_errors`.
        """
        if table is None:
            return self.training_curve
        if not table.n_rows:
            raise QueryError(f"the table {table.name!r} has no rows to measure an error on; give at least one.")
        truth = truth_codes(self.source, table)
        rows = self.rows_of(table)
        return curve_of(self.rule, self.hear(rows), len(rows), truth, self.n_trees_a_round)

    @cached_property
    def training_curve(self) -> Curve:
        """The curve of the rows that it was grown from."""
        truth = self.table.target_values
        return curve_of(self.rule, self.hear(), self.base.n_rows, truth, self.n_trees_a_round)

    @cached_property
    def validation_curve(self) -> Curve | None:
        """The curve of the validation rows; None without any."""
        return None if self.validation is None else self.curve(self.validation)

    @cached_property
    def out_of_bag_curve(self) -> Curve | None:
        """The curve where each row is answered for by the members that were not grown from it.

        None but for bagging and forests. An error is NaN where no row has an answer.
        """
        if not self.settings.method.is_parallel:
            return None
        truth = self.table.target_values
        return curve_of(self.rule, self.hear(), self.base.n_rows, truth, 1, out_of_bag=True)

    @property
    def out_of_bag_error(self) -> float | None:
        """The error over the rows with at least one vote from a member not grown from it; None if there is none."""
        curve = self.out_of_bag_curve
        return None if curve is None or np.isnan(curve.errors[-1]) else float(curve.errors[-1])
