"""What the Prune page knows besides the session: the parts of the rows, the method, and a tree of one's own."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from engine.ingest import RawFrame
from engine.pruning import PruningMethod, PruningSettings
from widgets.stage.view import View

PUBLISHED = "postoperative_validation"
"""The dataset that comes with a published tree."""


class Origin(StrEnum):
    """Where the tree comes from."""

    GROWN = "grown"
    PUBLISHED = "published"
    OWN = "own"


@dataclass(frozen=True, eq=False)
class Pruner:
    """The state of the page. The data and the growth are the session's own.

    Attributes
    ----------
    settings : PruningSettings
    validation, test : float
        Shares of the rows.
    seed : int
        Draws the parts.
    revealed : bool
        Whether the test rows' errors are shown.
    origin : Origin or None
        None is the dataset's own: its published tree where there is one, else a grown one.
    text : str
        A tree of one's own as JSON; it stays in the session.
    counted : bool
        Whether the training rows are counted at the nodes of a tree of one's own.
    rows : RawFrame or None
        Uploaded validation rows.
    rows_key : str
        Names their content.
    step, goto : int
        The step that is shown; counts the jumps asked for in Python.
    selected : int or None
    pointed : int
        Counts the nodes that were selected in Python.
    view : View
        Nodes that went stay visible as an outline.
    about : str
        The data and growth that `step` speaks of; "" where a link has just been read.
    """

    settings: PruningSettings = field(default_factory=lambda: PruningSettings(method=PruningMethod.REDUCED_ERROR))
    validation: float = 0.3
    test: float = 0.2
    seed: int = 0
    revealed: bool = False
    origin: Origin | None = None
    text: str = ""
    counted: bool = True
    rows: RawFrame | None = None
    rows_key: str = ""
    step: int = 0
    goto: int = 0
    selected: int | None = None
    pointed: int = 0
    view: View = field(default_factory=lambda: View(outline=True))
    about: str = ""

    @property
    def private(self) -> bool:
        """Whether it holds a tree or rows of the student's own."""
        return self.rows is not None or bool(self.text and self.origin is Origin.OWN)
