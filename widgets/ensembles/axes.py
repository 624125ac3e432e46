"""The two features along the axes of an ensemble's regions."""

from __future__ import annotations

import numpy as np

from engine.ensembles import Ensemble
from widgets.axes import axes_of as chosen
from widgets.axes import pick_axes


def axes_of(ensemble: Ensemble) -> tuple[str, str | None]:
    """The features along the axes, the second None for one alone."""
    return chosen(_names(ensemble), *_tested_most(ensemble))


def axes(ensemble: Ensemble) -> tuple[str, str | None]:
    """Draw the two pickers; none where there is one feature only."""
    if len(_names(ensemble)) == 1:
        return axes_of(ensemble)
    return pick_axes(_names(ensemble), *_tested_most(ensemble))


def _names(ensemble: Ensemble) -> list[str]:
    return [feature.name for feature in ensemble.table.features]


def _tested_most(ensemble: Ensemble) -> tuple[str, str | None]:
    """The features that the members test most often, then the others."""
    names = _names(ensemble)
    counts = np.zeros(len(names))
    for member in ensemble.members:
        tested = member.model.nodes.feature
        counts += np.bincount(tested[tested >= 0], minlength=len(names)) / max(len(tested), 1)
    order = np.argsort(-counts, kind="stable").tolist()
    return names[order[0]], names[order[1]] if len(order) > 1 else None
