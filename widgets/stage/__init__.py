"""The component that steps in the browser."""

from widgets.stage.stage import Guess, StageState, Story, pack, stage

__all__ = ["Guess", "StageState", "Story", "pack", "stage"]
