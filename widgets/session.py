"""The values that a session holds: its data, its settings, and where it stands."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

import pandas as pd

from engine import GrowthSettings
from widgets.compare.versus import Versus
from widgets.current import CurrentData as CurrentData
from widgets.ensembles.maker import Maker
from widgets.prune.pruner import Pruner
from widgets.stage.view import Guess, View


@dataclass(frozen=True, eq=False)
class Editing:
    """Rows under the editor: it shows `base` while it lives, so that typing is not interrupted.

    `result` is the frame that its edits have made; another current frame means that the rows were
    changed elsewhere and the editor begins anew. `start` is the first row that is shown.
    """

    base: pd.DataFrame
    start: int
    result: pd.DataFrame
    generation: int = 0


class Beside(StrEnum):
    """Which panel stands beside the tree."""

    REGIONS = "regions"
    ROWS = "rows"


@dataclass(frozen=True, eq=False)
class Session:
    """Everything that a session knows.

    Attributes
    ----------
    data : CurrentData
    settings, good_settings : GrowthSettings
        How the tree is to be grown, and the last settings under which one could be.
    step : int
        The step of the trace that is shown.
    goto : int
        Counts the jumps asked for in Python; the stage follows when it changes.
    selected : int or None
        The node that was selected; None where the panels follow the step.
    pointed : int
        Counts the selections made outside the stage; the stage follows when it changes.
    lit : tuple of int
        The nodes of the path that a prediction takes.
    guess_first : bool
    guesses : tuple of Guess
        What was guessed in the tree that is shown.
    view : View
        How the stage shows the tree.
    x, y : str or None
        The features along the axes of the regions; None is the page's own choice, "" is none.
    beside : Beside
        The panel that stands beside the tree; the other one stands below.
    versus : Versus
        What the Compare page knows besides.
    pruner : Pruner
        What the Prune page knows besides.
    maker : Maker
        What the Ensembles page knows besides.
    notes : tuple of str
        Sentences for the next screen.
    """

    data: CurrentData
    settings: GrowthSettings = field(default_factory=GrowthSettings)
    good_settings: GrowthSettings = field(default_factory=GrowthSettings)
    step: int = 0
    goto: int = 0
    selected: int | None = None
    pointed: int = 0
    lit: tuple[int, ...] = ()
    guess_first: bool = False
    guesses: tuple[Guess, ...] = ()
    view: View = field(default_factory=View)
    x: str | None = None
    y: str | None = None
    beside: Beside = Beside.REGIONS
    versus: Versus = field(default_factory=Versus)
    pruner: Pruner = field(default_factory=Pruner)
    maker: Maker = field(default_factory=Maker)
    notes: tuple[str, ...] = ()
