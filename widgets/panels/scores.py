"""How well a tree does: accuracy of classes; R² and mean squared error of a number."""

from __future__ import annotations

from drawing.numbers import units
from drawing.theme import number, percent
from engine import Growth
from engine.metrics import answering, error, losses, training_landing
from widgets import cached
from widgets.session import CurrentData


def scores(data: CurrentData, growth: Growth, step: int) -> list[tuple[str, str]]:
    """Names and values: of the training rows, and of the holdout where rows are set aside."""
    tree = growth.tree.at(step)
    held = cached.holdout_accuracy(data, growth, step)
    if not tree.is_number:
        found = [("training accuracy", percent(tree.training_accuracy()))]
        return found if held is None else [*found, ("holdout accuracy", percent(held))]
    write = units(growth.tree)
    squares = float(losses(growth.tree, training_landing(growth.tree), answering(tree)).mean())
    found = [
        ("training R²", number(tree.training_accuracy())),
        ("training mean squared error", write.square(squares)),
    ]
    rows = cached.parts(data)[1]
    if held is not None and rows is not None:
        found += [("holdout R²", number(held)), ("holdout mean squared error", write.square(error(tree, rows)))]
    return found
