"""What the panels of the Compare page show: the two trees, and where the page stands."""

from __future__ import annotations

from dataclasses import dataclass

from drawing.theme import Mode
from engine import Growth
from engine.comparison import Comparison, PairedStep, Side
from widgets.compare.state import Grown
from widgets.session import CurrentData


@dataclass(frozen=True, eq=False)
class Trees:
    """The two trees of the page.

    Attributes
    ----------
    sides : tuple of Grown
    both : Comparison
    """

    sides: tuple[Grown, Grown]
    both: Comparison

    @property
    def data(self) -> CurrentData:
        """The first side's data, the key of what is cached of both."""
        return self.sides[0].data

    def data_of(self, side: Side) -> CurrentData:
        """The data of one side."""
        return self.sides[0 if side is Side.FIRST else 1].data

    def growth(self, side: Side) -> Growth:
        """The growth on one side."""
        return self.both.growth(side)


@dataclass(frozen=True, eq=False)
class Screen(Trees):
    """Where the page stands.

    Attributes
    ----------
    step : PairedStep
    nodes : tuple of int
        The node of each tree that the panels are about: the selected one, else the step's.
    mode : Mode
    """

    step: PairedStep
    nodes: tuple[int, int]
    mode: Mode

    def node(self, side: Side) -> int:
        """The node on one side."""
        return self.nodes[0 if side is Side.FIRST else 1]

    def own_step(self, side: Side) -> int:
        """The step of one growth."""
        return (self.step.first if side is Side.FIRST else self.step.second).index

    @property
    def same_node(self) -> bool:
        """Whether both sides are at the same node."""
        return self.both.counterpart(Side.FIRST, self.nodes[0]) == self.nodes[1]
