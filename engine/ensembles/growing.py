"""grow_ensemble(): the members one after the other, or many at once, by the method."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator

import numpy as np

from engine.ensembles.adaboost import boost
from engine.ensembles.bagging import bag
from engine.ensembles.base import Base, base_of
from engine.ensembles.endings import Ending, EndReason
from engine.ensembles.ensemble import Ensemble
from engine.ensembles.gradient_boosting import boost_gradient, initial
from engine.ensembles.members import Member
from engine.ensembles.polls import Rule
from engine.ensembles.settings import EnsembleMethod, EnsembleSettings
from engine.table import Table

Progress = Callable[[int, int], bool | None]
"""Told how many members, or rounds, are done, and how many there are to be; False stops."""


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
    planned, told = settings.n_members, 0
    for ensemble in grow_stepwise(table, settings, validation=validation, n_jobs=n_jobs):
        if ensemble.n_rounds > told:
            told = ensemble.n_rounds
            if progress is not None and progress(told, planned) is False and told < planned:
                return Ensemble(
                    ensemble.base, settings, ensemble.rule, ensemble.members, validation, Ending(EndReason.STOPPED)
                )
    return ensemble


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
