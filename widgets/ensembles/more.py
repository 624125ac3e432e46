"""Panels of the Ensembles page that are opened when wanted; a closed one costs nothing."""

from __future__ import annotations

from collections.abc import Callable

from widgets.ensembles.contest import compared
from widgets.ensembles.dimensions import dimensions
from widgets.ensembles.followed import followed
from widgets.ensembles.here import Here
from widgets.ensembles.importance import importance
from widgets.ensembles.keys import Own
from widgets.ensembles.margins import margins
from widgets.ensembles.variance import variance
from widgets.tabs import open_tab


def more(here: Here) -> None:
    """The tabs; a module each."""
    panels: dict[str, Callable[[Here], None]] = {
        "One row followed": followed,
        "Bagging or boosting?": compared,
        "Variance": variance,
        "Importance": importance,
        "Random features": dimensions,
    }
    if not here.words.is_number:
        panels["Margins"] = margins
    open_tab(panels, here, key=Own.MORE)
