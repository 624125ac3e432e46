"""The component that steps in the browser."""

from widgets.stage.stage import StageState, Story, pack, read_guesses, stage
from widgets.stage.view import SPEEDS, Granularity, Guess, NodePart, View

__all__ = [
    "SPEEDS",
    "Granularity",
    "Guess",
    "NodePart",
    "StageState",
    "Story",
    "View",
    "pack",
    "read_guesses",
    "stage",
]
