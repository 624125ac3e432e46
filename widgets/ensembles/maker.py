"""What the Ensembles page knows besides the session: the method, the members, and where it stands."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from engine import GrowthSettings
from engine.ensembles import EnsembleSettings
from widgets.stage.view import View


class Published(StrEnum):
    """A printed table that is replayed; the values are those of the link."""

    BOOSTING = "boosting"
    BOOSTING_BY_WEIGHTS = "boosting_by_weights"
    GRADIENT = "gradient"
    GRADIENT_BY_STUMPS = "gradient_by_stumps"

    @property
    def dataset(self) -> str:
        """The rows of the table."""
        boosting = self in (Published.BOOSTING, Published.BOOSTING_BY_WEIGHTS)
        return "bike_demand_level" if boosting else "bike_demand_count"


@dataclass(frozen=True, eq=False)
class Maker:
    """The state of the page. The data are the session's own.

    Attributes
    ----------
    settings : EnsembleSettings
    published : Published or None
        A printed table in place of the settings.
    step, goto : int
        The step that is shown; counts the jumps asked for in Python.
    selected : int or None
    opened : int or None
        The member whose own growth is stepped.
    inside, into : int
        The step of that growth; counts the jumps to it.
    alone : bool
        Whether the member of the step is chosen on the wall, and not the sum so far.
    curve : bool
        Whether the curve of errors stands beside the tree, and not the regions of what is chosen.
    followed : int
        The row that is followed through the members.
    stopped : tuple of (str, int)
        An ensemble whose growth was stopped, and after how many rounds.
    view : View
    about : str
        The data and settings that `step` speaks of; "" where a link has just been read.
    """

    settings: EnsembleSettings = field(default_factory=lambda: EnsembleSettings(growth=GrowthSettings.cart()))
    published: Published | None = None
    step: int = 0
    goto: int = 0
    selected: int | None = None
    opened: int | None = None
    inside: int = 0
    into: int = 0
    alone: bool = False
    curve: bool = False
    followed: int = 0
    stopped: tuple[str, int] = ("", 0)
    view: View = field(default_factory=View)
    about: str = ""
