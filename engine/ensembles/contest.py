"""All methods and the single tree on the same rows: their errors, sizes and times, over several seeds.

Source of the question: Kelleher, Mac Namee and D'Arcy 2015, section 4.4.5 (bagging or boosting).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from engine.ensembles.ensemble import Ensemble
from engine.ensembles.growing import grow_stepwise
from engine.ensembles.polls import Poll
from engine.ensembles.settings import EnsembleMethod, EnsembleSettings
from engine.errors import SettingsError
from engine.growth import Growth, grow
from engine.metrics import error
from engine.table import FloatArray, Table

Clock = Callable[[], float]
"""Seconds since any moment; given, for the engine has none."""
Parts = Callable[[int], tuple[Table, Table]]
"""The rows to grow from and the holdout, by the number of the run."""


@dataclass(frozen=True, eq=False)
class Run:
    """One method on the rows of one run.

    Attributes
    ----------
    method : EnsembleMethod or None
        None for the single tree.
    number : int
        The run, counted from 0.
    training, holdout : ndarray of float64, shape (n_rounds + 1,)
        Errors with no member, with one, and so on; of the single tree one error, shape (1,).
    out_of_bag : ndarray of float64, shape (n_rounds + 1,), or None
    n_trees, n_leaves : int
        Trees, and the leaves of all of them.
    seconds : float
        Growing alone, in one process.
    ensemble : Ensemble or None
    tree : Growth or None
        What was grown in run 0; later runs keep their numbers alone.
    """

    method: EnsembleMethod | None
    number: int
    training: FloatArray
    holdout: FloatArray
    out_of_bag: FloatArray | None
    n_trees: int
    n_leaves: int
    seconds: float
    ensemble: Ensemble | None = None
    tree: Growth | None = None


@dataclass(frozen=True, eq=False)
class Contest:
    """How far it has come.

    Attributes
    ----------
    runs : tuple of Run
        Those that are over.
    left_out : dict of EnsembleMethod to str
        Methods that these rows or settings do not allow, and why.
    share : float
        The share of the work that is done.
    n_runs : int
        Runs of each method that there are to be.
    """

    runs: tuple[Run, ...] = ()
    left_out: dict[EnsembleMethod, str] = field(default_factory=dict)
    share: float = 0.0
    n_runs: int = 1

    @property
    def methods(self) -> tuple[EnsembleMethod | None, ...]:
        """Those with a run that is over, the single tree first."""
        return tuple(dict.fromkeys(run.method for run in self.runs))

    def of(self, method: EnsembleMethod | None) -> tuple[Run, ...]:
        """The runs of a method."""
        return tuple(run for run in self.runs if run.method == method)

    def first(self, method: EnsembleMethod | None) -> Run:
        """Run 0 of a method."""
        return self.of(method)[0]

    def errors(self, method: EnsembleMethod | None, kind: str) -> FloatArray | None:
        """The mean over the runs of the errors along the members; None where there are none of that kind.

        An ensemble that ended early keeps its last error. `kind` is ``training``, ``holdout`` or
        ``out_of_bag``.
        """
        curves = [curve for run in self.of(method) if (curve := getattr(run, kind)) is not None]
        if not curves:
            return None
        length = max(len(curve) for curve in curves)
        padded = [np.append(curve, np.full(length - len(curve), curve[-1])) for curve in curves]
        return np.asarray(np.mean(padded, axis=0))

    def last(self, method: EnsembleMethod | None, kind: str) -> FloatArray:
        """The error at the end of each run, shape (n_runs,); NaN where there is none."""
        curves = [getattr(run, kind) for run in self.of(method)]
        return np.array([np.nan if curve is None else curve[-1] for curve in curves])

    def seconds(self, method: EnsembleMethod | None) -> float:
        """The median time to grow."""
        return float(np.median([run.seconds for run in self.of(method)]))


def contest(settings: EnsembleSettings, parts: Parts, n_runs: int, clock: Clock) -> Iterator[Contest]:
    """Grow the single tree and every method, run after run, told after every member.

    Every run draws other rows for the holdout and has another seed. The method of `settings` keeps
    all of them; the others have their own depth, learning rate and number of features.

    Parameters
    ----------
    settings : EnsembleSettings
    parts : callable
    n_runs : int
    clock : callable

    Raises
    ------
    EngineError
        If no tree can be grown from the rows.

    Examples
    --------
    >>> import engine
    >>> from engine.holdout import split_holdout
    >>> table = engine.read_table("datasets/files/iris.csv", target="target")
    >>> settings = EnsembleSettings(n_members=3)
    >>> *_, last = contest(settings, lambda run: split_holdout(table, 0.3, run), 2, lambda: 0.0)
    >>> [len(last.of(method)) for method in last.methods], last.share
    ([2, 2, 2, 2, 2], 1.0)
    """
    found = Contest(n_runs=n_runs)
    total = n_runs * (1 + len(EnsembleMethod))
    for number in range(n_runs):
        training, held = parts(number)
        seed = settings.seeded + number
        found = _with(found, _single(settings, training, held, number, seed, clock), total)
        yield found
        for method in EnsembleMethod:
            if method in found.left_out:
                continue
            own = replace(_own(settings, method), seed=seed)
            try:
                for run, share in _grown(own, training, held, number, clock):
                    if run is None:
                        yield replace(found, share=(_over(found) + share) / total)
                    else:
                        found = _with(found, run, total)
            except SettingsError as problem:
                found = replace(found, left_out={**found.left_out, method: str(problem)})
            yield replace(found, share=_over(found) / total)


def _over(found: Contest) -> int:
    """Runs that are over, those that will not be made counted with the first."""
    return len(found.runs) + found.n_runs * len(found.left_out)


def _with(found: Contest, run: Run, total: int) -> Contest:
    more = replace(found, runs=(*found.runs, run))
    return replace(more, share=_over(more) / total)


def _own(settings: EnsembleSettings, method: EnsembleMethod) -> EnsembleSettings:
    """The settings for a method: as they are for their own, else with that method's usual values."""
    if method is settings.method:
        return replace(settings, draws=(), splits=())
    growth = replace(settings.growth, max_depth=None, max_features=None)
    return EnsembleSettings(method=method, n_members=settings.n_members, growth=growth)


def _single(settings: EnsembleSettings, training: Table, held: Table, number: int, seed: int, clock: Clock) -> Run:
    growth = replace(settings.growth, max_depth=None, max_features=None, seed=seed, choices=())
    grown = grow(training, growth)
    # Timed as the members are grown: small tables are searched in another way where all evidence is kept.
    everyone = tuple(range(grown.table.n_rows))
    alone = EnsembleSettings(n_members=1, growth=growth, draws=(everyone,))
    _ = training.rank_matrix  # ranked once for all methods
    start = clock()
    for _ in grow_stepwise(training, alone, n_jobs=1):
        pass
    seconds = clock() - start
    return Run(
        method=None,
        number=number,
        training=np.array([error(grown.tree, training)]),
        holdout=np.array([error(grown.tree, held)]),
        out_of_bag=None,
        n_trees=1,
        n_leaves=grown.tree.n_leaves,
        seconds=seconds,
        tree=None if number else grown,
    )


def _grown(
    settings: EnsembleSettings, training: Table, held: Table, number: int, clock: Clock
) -> Iterator[tuple[Run | None, float]]:
    """The share of an ensemble that is grown, after every member; last the run itself."""
    growing = grow_stepwise(training, settings, validation=held, n_jobs=1)
    seconds, ensemble = 0.0, None
    while True:
        start = clock()
        try:
            ensemble = next(growing)
        except StopIteration:
            break
        finally:
            seconds += clock() - start
        yield None, ensemble.n_rounds / settings.n_members
    assert ensemble is not None
    outside = ensemble.out_of_bag_curve
    yield (
        Run(
            method=settings.method,
            number=number,
            training=ensemble.training_curve.errors,
            holdout=ensemble.curve(held).errors,
            out_of_bag=None if outside is None else outside.errors,
            n_trees=len(ensemble.members),
            n_leaves=sum(member.n_leaves for member in ensemble.members),
            seconds=seconds,
            ensemble=None if number else ensemble,
        ),
        1.0,
    )


def course(ensemble: Ensemble, row: Table) -> FloatArray:
    """What the ensemble says of one row with no member, with one, and so on.

    Parameters
    ----------
    ensemble : Ensemble
    row : Table
        Of one row.

    Returns
    -------
    ndarray of float64, shape (n_rounds + 1, n_classes)
        The share of each class; of a number the answer, shape (n_rounds + 1, 1).
    """
    poll = Poll(ensemble.rule, 1)
    said: list[Sequence[float]] = [_say(poll)]
    for number, heard in enumerate(ensemble.hear(ensemble.rows_of(row)), start=1):
        heard.tell(poll)
        if number % ensemble.n_trees_a_round == 0:
            said.append(_say(poll))
    return np.array(said, dtype=np.float64)


def _say(poll: Poll) -> list[float]:
    return poll.shares[0].tolist() if poll.rule.n_classes else [float(poll.predictions[0])]
