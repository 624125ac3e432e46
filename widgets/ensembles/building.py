"""What the Ensembles page computes, each behind a bounded cache: the ensemble, its story and figures.

An ensemble that takes a while is grown a little at every run, so that it can be watched and stopped;
sessions that look at the same one share the work.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from drawing.ensembles_story import ensemble_story
from drawing.ensembles_wall import wall
from drawing.figures.ensembles import curve_figure, curve_text, margins_figure, margins_text
from drawing.theme import Mode
from engine import EngineError, SettingsError, Table
from engine.ensembles import Ensemble, EnsembleMethod, EnsembleSettings, grow_stepwise
from engine.ensembles.published import (
    boosting_as_printed,
    boosting_by_weights,
    gradient_boosting_as_computed,
    gradient_boosting_as_printed,
)
from widgets import cached
from widgets.cached import Cached
from widgets.chart import Picture, picture
from widgets.ensembles.maker import Maker, Published
from widgets.ensembles.wall import Wall, build
from widgets.session import CurrentData
from widgets.stage import Story, pack

SLICE = 0.3
"""Seconds of growing at a run."""
MOST_MEMBERS = 500
MOST_ANSWERS = 2_000_000
"""Trees times rows that the page grows."""
CURVE_HEIGHT = 300

_PUBLISHED = {
    Published.BOOSTING: boosting_as_printed,
    Published.BOOSTING_BY_WEIGHTS: boosting_by_weights,
    Published.GRADIENT: gradient_boosting_as_printed,
    Published.GRADIENT_BY_STUMPS: gradient_boosting_as_computed,
}


@dataclass(eq=False)
class Run:
    """An ensemble on its way.

    Attributes
    ----------
    key : str
        Names the ensemble.
    n_members : int
        Members, or rounds, that there are to be.
    latest : Ensemble or None
    done : bool
    """

    key: str
    n_members: int
    results: Iterator[Ensemble]
    latest: Ensemble | None = None
    done: bool = False
    error: EngineError | None = None
    _lock: Lock = field(default_factory=Lock)

    def advance(self, seconds: float = SLICE) -> None:
        """Grow for so long at most, one member at least.

        Raises
        ------
        EngineError
            If the ensemble cannot be.
        """
        end = time.monotonic() + seconds
        while not self.done:
            with self._lock:
                self._next()
            if self.error is not None:
                raise self.error
            if time.monotonic() >= end:
                return

    def _next(self) -> None:
        if self.done or self.error is not None:
            return
        try:
            self.latest = next(self.results)
        except StopIteration:
            self.done = True
        except EngineError as error:
            self.error = error

    @property
    def n_grown(self) -> int:
        """Members, or rounds, so far."""
        return 0 if self.latest is None else self.latest.n_rounds


@dataclass(frozen=True, eq=False)
class Built:
    """A finished or stopped ensemble; `key` names it."""

    data: CurrentData
    ensemble: Ensemble
    key: str


def _run(data: CurrentData, key: str, _settings: EnsembleSettings) -> Run:
    training, held = cached.parts(data)
    held = held if held is not None and held.n_rows else None
    return Run(key, _settings.n_members, grow_stepwise(training, _settings, validation=held))


def _replay(data: CurrentData, published: Published) -> Ensemble:
    return _PUBLISHED[published](cached.table(data))


def _story(_: CurrentData, found: Built) -> Story:
    return pack(ensemble_story(found.ensemble, found.key))


def _curve(_: CurrentData, found: Built, step: int, mode: Mode) -> tuple[Picture, str]:
    figure = curve_figure(found.ensemble, step, mode=mode, height=CURVE_HEIGHT)
    return picture(figure), curve_text(found.ensemble, step)


def _margins(_: CurrentData, found: Built, mode: Mode) -> tuple[Picture, str]:
    return picture(margins_figure(found.ensemble, mode=mode)), margins_text(found.ensemble)


def _wall(_: CurrentData, found: Built) -> Wall:
    return build(wall(found.ensemble, found.key))


HASHES: dict[type[Any], Callable[[Any], Any]] = {Built: lambda found: found.key}
"""What tells ensembles apart in a cache."""

_runs = Cached(_run, shared=12, own=2)
_replays = Cached(_replay, shared=8, own=2)
_stories = Cached(_story, shared=24, own=3, hashes=HASHES)
_curves = Cached(_curve, shared=256, own=32, hashes=HASHES)
_margin_plots = Cached(_margins, shared=32, own=4, hashes=HASHES)
_walls = Cached(_wall, shared=24, own=3, hashes=HASHES)


def run(data: CurrentData, settings: EnsembleSettings) -> Run:
    """The ensemble under some settings, as far as it has grown.

    Raises
    ------
    EngineError
        If it is too large for the page, or cannot be.
    """
    training, held = cached.parts(data)
    check_size(training, settings)
    about = "" if held is None else held.fingerprint
    return _runs(data, f"{training.fingerprint} {training.name} {settings!r} {about}", settings)


def check_size(table: Table, settings: EnsembleSettings) -> None:
    """Refuse what would take a server too long, or too much of its memory.

    Raises
    ------
    SettingsError
    """
    several = settings.method is EnsembleMethod.GRADIENT_BOOSTING and table.n_classes > 2
    trees = settings.n_members * (table.n_classes if several else 1)
    if settings.n_members > MOST_MEMBERS:
        raise SettingsError(
            f"members must be at most {MOST_MEMBERS} on this page, got {settings.n_members:,}; "
            "the command line takes more."
        )
    if trees * table.n_rows > MOST_ANSWERS:
        most = max(MOST_ANSWERS // table.n_rows // (trees // settings.n_members), 1)
        raise SettingsError(
            f"{trees:,} trees on {table.n_rows:,} rows are too many for this page, which grows trees × rows up to "
            f"{MOST_ANSWERS:,}; choose at most {most:,} members, or use the command line."
        )


def replay(data: CurrentData, published: Published) -> Built:
    """A printed table.

    Raises
    ------
    TableError
        If the rows are not those of the table.
    """
    ensemble = _replays(data, published)
    return Built(data, ensemble, f"{published} {ensemble.source.fingerprint}")


def built(data: CurrentData, made: Run, now: Maker) -> Built | None:
    """The ensemble to be shown; None while it grows."""
    if made.latest is not None and now.stopped[0] == made.key and now.stopped[1] < made.n_members:
        n = now.stopped[1]
        return Built(data, made.latest.at(n * made.latest.n_trees_a_round), f"{made.key} stopped {n}")
    return Built(data, made.latest, made.key) if made.done and made.latest is not None else None


def story(found: Built) -> Story:
    """What the stage shows of it, as the bytes that travel."""
    return _stories(found.data, found)


def curve(found: Built, step: int, mode: Mode) -> tuple[Picture, str]:
    """The errors against the members, and the same in words."""
    return _curves(found.data, found, step, mode)


def margins(found: Built, mode: Mode) -> tuple[Picture, str]:
    """The margins, and the same in words."""
    return _margin_plots(found.data, found, mode)


def thumbs(found: Built) -> Wall:
    """The members as small trees, as the bytes that travel."""
    return _walls(found.data, found)
