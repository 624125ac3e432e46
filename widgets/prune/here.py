"""What the panels of the Prune page show: one value made at every step."""

from __future__ import annotations

from dataclasses import dataclass

from drawing.pruning import Words
from drawing.theme import Mode
from engine import Tree
from engine.pruning import Pruning, PruningDecision
from widgets.prune.building import Built, Pruned


@dataclass(frozen=True, eq=False)
class Here:
    """Where the page stands.

    Attributes
    ----------
    pruned : Pruned
    step : int
    node : int
        The node that the panels are about: the selected one, else the step's.
    revealed : bool
        Whether the test rows' errors are shown.
    mode : Mode
    """

    pruned: Pruned
    step: int
    node: int
    revealed: bool
    mode: Mode

    @property
    def built(self) -> Built:
        """The tree and the rows."""
        return self.pruned.built

    @property
    def pruning(self) -> Pruning:
        """The pruning."""
        return self.pruned.pruning

    @property
    def words(self) -> Words:
        """Its words."""
        return self.pruned.words

    @property
    def tree(self) -> Tree:
        """The tree as it stands after the step."""
        return self.pruning.tree_after(self.step)

    @property
    def point(self) -> int:
        """The point of the curve that the step has reached."""
        return self.pruning.point_after(self.step)

    @property
    def decision(self) -> PruningDecision | None:
        """What was decided of the node by this step."""
        return next((d for d in self.pruning.decisions[: self.step] if d.node == self.node), None)
