"""Where the weights of rows come from, in words."""

from __future__ import annotations

from drawing.phrases import listed, plain
from drawing.theme import weight
from engine import Growth
from engine.settings import BALANCED

MOST_CLASSES = 6


def origin(growth: Growth) -> str:
    """What a row counts, and why; empty where every row counts 1."""
    if growth.weights is None:
        return ""
    of_class = growth.settings.weights_of_classes(growth.source)
    if of_class is None:
        return "Rows are counted by their weights."
    classes = growth.source.target.classes
    shown = [f"a row of {plain(name)} counts {weight(w)}" for name, w in zip(classes, of_class, strict=True)]
    more = [f"{len(shown) - MOST_CLASSES} more classes"] if len(shown) > MOST_CLASSES else []
    why = " (balanced: all rows / classes / rows of the class)" if growth.settings.class_weights == BALANCED else ""
    return f"Counts are weights: {listed([*shown[:MOST_CLASSES], *more])}{why}."
