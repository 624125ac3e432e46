"""What the panels of the Grow page show: one value made at every step."""

from __future__ import annotations

from dataclasses import dataclass

from drawing import wording
from drawing.theme import Mode
from engine import Growth
from widgets.session import CurrentData


@dataclass(frozen=True, eq=False)
class Here:
    """Where the page stands.

    Attributes
    ----------
    data : CurrentData
    growth : Growth
    step : int
        The entry of the trace that is shown.
    node : int
        The node that the panels are about: the selected one, else the step's.
    feature : str or None
        The candidate that was opened in the stage; None for the chosen one.
    hidden : bool
        Whether the student is still to guess here: numbers that give the winner away stay hidden.
    mode : Mode
    """

    data: CurrentData
    growth: Growth
    step: int
    node: int
    feature: str | None
    hidden: bool
    mode: Mode

    @property
    def is_scored(self) -> bool:
        """Whether the node's candidates have been scored by this step."""
        nodes = self.growth.tree.nodes
        return bool(nodes.scored[self.node]) and self.step >= int(nodes.decided_at[self.node]) - 1

    @property
    def is_decided(self) -> bool:
        """Whether the node has been split or become a leaf by this step."""
        return self.step >= self.growth.step_of(self.node)

    @property
    def place(self) -> str:
        """The node as its path in words."""
        return wording.path(self.growth.tree.path(self.node))

    @property
    def counts(self) -> str:
        """The node's rows in words, with their classes or their mean."""
        tree, node = self.growth.tree, self.node
        n_rows = float(tree.nodes.size[node])
        return f"{wording.rows(n_rows)}, {wording.held(tree, node)}" if n_rows else wording.rows(n_rows)
