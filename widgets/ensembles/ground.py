"""Where the ensemble says what: the regions, or the curve, of a sum of members or of one alone, cached."""

from __future__ import annotations

from dataclasses import dataclass

from drawing.figures.ensembles_alone import alone_figure, alone_text
from drawing.figures.ensembles_regions import ensemble_regions_figure, ensemble_regions_text
from drawing.figures.ensembles_staircase import alone_curve_figure, curve_words, sum_curve_figure
from drawing.theme import Mode
from engine.ensembles import Ensemble, EnsembleMap, EnsembleRegions
from engine.splits import is_numeric
from widgets.cached import Cached
from widgets.chart import Picture, picture
from widgets.ensembles.building import HASHES, Built
from widgets.session import CurrentData

HEIGHT = 300


@dataclass(frozen=True)
class Part:
    """What is shown: the first `step` members together, or the member of the step alone.

    Attributes
    ----------
    step : int
    alone : bool
    x : str
    y : str or None
    """

    step: int
    alone: bool
    x: str
    y: str | None


@dataclass(frozen=True, eq=False)
class Ground:
    """A picture, the same in words, and what must be said of it.

    Attributes
    ----------
    picture : Picture
    words : str
    exact : bool
        Whether every threshold is drawn.
    hidden : tuple of str
        Features that members test and that are not shown.
    """

    picture: Picture
    words: str
    exact: bool
    hidden: tuple[str, ...]


def _map(_: CurrentData, found: Built, x: str, y: str | None) -> EnsembleMap:
    return EnsembleMap(found.ensemble, x, y)


def _single(_: CurrentData, found: Built, index: int, x: str, y: str | None) -> EnsembleRegions:
    """The regions of one member, as an ensemble of its own."""
    whole = found.ensemble
    alone = Ensemble(whole.base, whole.settings, whole.rule, (whole.members[index],))
    return EnsembleMap(alone, x, y).regions()


def _ground(_: CurrentData, found: Built, part: Part, mode: Mode) -> Ground:
    ensemble, step = found.ensemble, part.step
    made = regions(found, part)
    if is_curve(ensemble, part.x, part.y):
        if part.alone:
            figure = alone_curve_figure(ensemble, made, step, mode=mode, height=HEIGHT)
        else:
            before = regions(found, Part(step - 1, False, part.x, part.y)) if step else None
            figure = sum_curve_figure(ensemble, made, before, step, mode=mode, height=HEIGHT)
        words = curve_words(ensemble, made, step, alone=part.alone)
    elif part.alone:
        figure = alone_figure(ensemble, made, step, mode=mode, height=HEIGHT)
        words = alone_text(ensemble, made, step)
    else:
        figure = ensemble_regions_figure(ensemble, made, step, mode=mode, height=HEIGHT)
        words = ensemble_regions_text(ensemble, made, step)
    return Ground(picture(figure), words, made.exact, made.hidden)


_maps = Cached(_map, shared=16, own=2, hashes=HASHES)
_singles = Cached(_single, shared=48, own=6, hashes=HASHES)
_grounds = Cached(_ground, shared=256, own=32, hashes=HASHES)


def is_curve(ensemble: Ensemble, x: str, y: str | None) -> bool:
    """Whether the answer is a curve: a number over one numeric feature."""
    if ensemble.rule.n_classes or y is not None:
        return False
    return any(feature.name == x and is_numeric(feature) for feature in ensemble.table.features)


def regions(found: Built, part: Part) -> EnsembleRegions:
    """The regions of a part of the ensemble."""
    if part.alone:
        return _singles(found.data, found, part.step - 1, part.x, part.y)
    return _maps(found.data, found, part.x, part.y).regions(part.step)


def ground(found: Built, part: Part, mode: Mode) -> Ground:
    """The picture of a part of the ensemble; at step 0 there is no member alone."""
    return _grounds(found.data, found, part, mode)
