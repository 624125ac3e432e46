"""What the Compare page knows besides the session: the second side, and the rows of each."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from engine import Criterion, GrowthSettings
from engine.comparison_rows import RowChoice
from engine.table import TargetKind
from widgets.stage.view import View

if TYPE_CHECKING:
    from widgets.current import CurrentData

_OTHER = {
    TargetKind.CLASSES: (Criterion.GINI, Criterion.ENTROPY),
    TargetKind.NUMBER: (Criterion.SQUARED_ERROR, Criterion.VARIANCE),
}
"""The criterion that the second side begins with, and the one where the first side has that already."""


@dataclass(frozen=True, eq=False)
class Versus:
    """The second side and what both sides are grown from. The first side is the session's own tree.

    Attributes
    ----------
    settings, good_settings : GrowthSettings or None
        The second side's, and the last under which a tree could be grown; None until they are made
        from the first side's.
    data : CurrentData or None
        The second side's data where they are other than the first side's.
    rows, rows_b : RowChoice
        What each side is grown from.
    row_keys : tuple of str or None
        The data that `rows` and `rows_b` speak of; None where a link has just been read.
    step : int
        The step that is shown.
    goto : int
        Counts the jumps asked for in Python; the stage follows when it changes.
    selected : tuple of int or None
        The node of each tree that was selected in Python last.
    pointed : int
        Counts such selections.
    view : View
        How the trees are looked at.
    duel : str
        Name of the built-in duel that was opened last; "" once it was changed.
    """

    settings: GrowthSettings | None = None
    good_settings: GrowthSettings | None = None
    data: CurrentData | None = None
    rows: RowChoice = field(default_factory=RowChoice)
    rows_b: RowChoice = field(default_factory=RowChoice)
    row_keys: tuple[str, str] | None = None
    step: int = 0
    goto: int = 0
    selected: tuple[int | None, int | None] = (None, None)
    pointed: int = 0
    view: View = field(default_factory=View)
    duel: str = ""


def other_criterion(first: GrowthSettings, criterion: Criterion, kind: TargetKind) -> GrowthSettings:
    """Settings like the first side's, by Gini; by entropy where the first side is by Gini.

    `criterion` is the one that the first side's tree is grown by.
    """
    usual, else_ = _OTHER[kind]
    return replace(first, criterion=else_ if criterion is usual else usual, choices=())
