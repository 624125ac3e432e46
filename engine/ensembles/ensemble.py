"""grow_ensemble(): trees that answer together, told one member at a time."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np
import pandas as pd

from engine.ensembles.adaboost import boost
from engine.ensembles.bagging import bag
from engine.ensembles.base import Base, base_of
from engine.ensembles.curves import Curve, Heard, curve_of
from engine.ensembles.endings import Ending, EndReason
from engine.ensembles.gradient_boosting import boost_gradient, initial
from engine.ensembles.members import Member
from engine.ensembles.polls import Poll, Rule
from engine.ensembles.routing import Rows
from engine.ensembles.settings import EnsembleMethod, EnsembleSettings
from engine.errors import QueryError
from engine.metrics import truth_codes
from engine.table import AnyArray, FloatArray, Table
from engine.trace import Step, Trace

Progress = Callable[[int, int], bool | None]
"""Told how many members, or rounds, are done, and how many there are to be; False stops."""


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


def grow_ensemble(
    table: Table,
    settings: EnsembleSettings | None = None,
    *,
    validation: Table | None = None,
    progress: Progress | None = None,
    n_jobs: int | None = None,
) -> Ensemble:
    """Grow an ensemble.

    Parameters
    ----------
    table : Table
    settings : EnsembleSettings, optional
        Bagging of ten trees if not given.
    validation : Table, optional
        Rows that it is not grown from.
    progress : callable, optional
        Called after every member (round of gradient boosting) with the number that are done and the
        number that there are to be. If it returns False, the ensemble ends there.
    n_jobs : int, optional
        Processes for bagging and forests; by default one where the work is little, else one a core.

    Returns
    -------
    Ensemble
        The same for the same table and settings, whatever `n_jobs` is.

    Raises
    ------
    TableError
        If the table has no rows or no features.
    SettingsError
        If a setting is not defined for the table.

    Examples
    --------
    >>> import engine
    >>> table = engine.read_table("datasets/files/bike_demand_level.csv", target="rentals", ignore=("id",))
    >>> settings = EnsembleSettings(method=EnsembleMethod.ADABOOST, n_members=3, growth=engine.GrowthSettings.stump())
    >>> ensemble = grow_ensemble(table, settings)
    >>> [round(member.confidence, 4) for member in ensemble.members], ensemble.staged_errors(table).tolist()
    ([0.6931, 0.7332, 0.7175], [0.2, 0.3, 0.0])
    """
    settings = settings or EnsembleSettings()
    base = base_of(table, settings)
    rule = _rule(base, settings)
    n_trees = rule.n_totals if rule.is_sum else 1
    members: list[Member] = []
    growing, ending = _growing(base, settings, rule, n_jobs), None
    try:
        while True:
            members.append(next(growing))
            done = len(members) // n_trees
            whole = len(members) % n_trees == 0
            if whole and progress is not None and progress(done, settings.n_members) is False:
                ending = Ending(EndReason.STOPPED) if done < settings.n_members else None
                break
    except StopIteration as finished:
        ending = finished.value
    finally:
        growing.close()
    return Ensemble(base, settings, rule, tuple(members), validation, ending)


def grow_stepwise(
    table: Table,
    settings: EnsembleSettings | None = None,
    *,
    validation: Table | None = None,
    n_jobs: int | None = None,
) -> Iterator[Ensemble]:
    """As `grow_ensemble`, told after every member (round of gradient boosting): who stops asking stops the growth.

    Each ensemble has one member more than the last; the final one has the ending, if there is one.

    Raises
    ------
    TableError
        If the table has no rows or no features.
    SettingsError
        If a setting is not defined for the table.

    Examples
    --------
    >>> import engine
    >>> table = engine.read_table("datasets/files/play_tennis.csv", target="play", ignore=("day",))
    >>> [len(ensemble.members) for ensemble in grow_stepwise(table, EnsembleSettings(n_members=3))]
    [1, 2, 3, 3]
    """
    settings = settings or EnsembleSettings()
    base = base_of(table, settings)
    rule = _rule(base, settings)
    n_trees = rule.n_totals if rule.is_sum else 1
    members: list[Member] = []
    growing = _growing(base, settings, rule, n_jobs)
    while True:
        try:
            members.append(next(growing))
        except StopIteration as finished:
            yield Ensemble(base, settings, rule, tuple(members), validation, finished.value)
            return
        if len(members) % n_trees == 0:
            yield Ensemble(base, settings, rule, tuple(members), validation)


def _growing(
    base: Base, settings: EnsembleSettings, rule: Rule, n_jobs: int | None
) -> Generator[Member, None, Ending | None]:
    """The members, in order; returns why there are fewer than were asked for."""
    match settings.method:
        case EnsembleMethod.ADABOOST:
            return (yield from boost(base, settings))
        case EnsembleMethod.GRADIENT_BOOSTING:
            yield from boost_gradient(base, settings, rule)
        case _:
            yield from bag(base, settings, n_jobs)
    return None


def _rule(base: Base, settings: EnsembleSettings) -> Rule:
    target, n_classes = base.table.target_values, base.table.n_classes
    return Rule(
        method=settings.method,
        n_classes=n_classes,
        fallback=float(np.bincount(target, minlength=n_classes).argmax()) if n_classes else float(target.mean()),
        initial=initial(base.table) if settings.method is EnsembleMethod.GRADIENT_BOOSTING else (),
        rate=settings.rate,
    )
