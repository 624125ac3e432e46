"""The wall of an ensemble: its members as small trees joined by "+"."""

from widgets.ensembles.wall.wall import Wall, build, wall

__all__ = ["Wall", "build", "wall"]
