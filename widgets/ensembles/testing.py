"""The rows that a tab grows from, and those that it tests on: the page's holdout, or one for the tab alone."""

from __future__ import annotations

from dataclasses import dataclass

from drawing.theme import percent
from engine import Table
from engine.ensembles import Ensemble
from engine.holdout import split_holdout

SHARE = 0.3
FEW = 20
"""Rows below which none are held out for a tab alone."""


@dataclass(frozen=True, eq=False)
class Parts:
    """Rows to grow from, rows to test on, and what these are, in words."""

    training: Table
    tested: Table
    words: str


def parts(ensemble: Ensemble) -> Parts:
    """The rows that the ensemble was grown from and its holdout; without one, a part of them is held out."""
    source, held = ensemble.source, ensemble.validation
    if held is not None:
        return Parts(source, held, f"the {held.n_rows:,} rows held out")
    if source.n_rows < FEW:
        return Parts(source, source, f"the {source.n_rows:,} rows themselves")
    training, tested = split_holdout(source, SHARE, ensemble.settings.seeded)
    return Parts(training, tested, f"{tested.n_rows:,} rows ({percent(SHARE)} of all, held out for this alone)")
