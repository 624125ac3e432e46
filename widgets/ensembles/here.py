"""What the panels of the Ensembles page show: one value made at every step."""

from __future__ import annotations

from dataclasses import dataclass

from drawing.ensembles import Words
from drawing.theme import Mode
from engine.ensembles import Ensemble, Member
from widgets.ensembles.building import Built


@dataclass(frozen=True, eq=False)
class Here:
    """Where the page stands.

    Attributes
    ----------
    built : Built
    step : int
    mode : Mode
    """

    built: Built
    step: int
    mode: Mode

    @property
    def ensemble(self) -> Ensemble:
        """The ensemble."""
        return self.built.ensemble

    @property
    def words(self) -> Words:
        """Its words."""
        return Words(self.ensemble)

    @property
    def member(self) -> Member | None:
        """The member of the step; None at the start."""
        return self.ensemble[self.step].member
