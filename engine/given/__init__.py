"""Trees that were not grown here: entered by hand, or read from JSON."""

from engine.given.build import GivenTree
from engine.given.reader import read_tree

__all__ = ["GivenTree", "read_tree"]
