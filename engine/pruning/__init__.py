"""Pruning: a grown tree taken back, each decision an inequality with its numbers; one file a method.

>>> import engine
>>> table = engine.read_table("datasets/files/play_tennis_noisy.csv", target="play", ignore=("day",))
>>> found = prune(engine.grow(table), PruningSettings(method=PruningMethod.PESSIMISTIC))
>>> [(step.event.value, step.node, step.tree.n_leaves) for step in found][:4]
[('started', 0, 7), ('keep', 2, 7), ('keep', 8, 7), ('prune', 5, 4)]
"""

from engine.pruning.agreement import Agreement, Opinion, prune_by_all
from engine.pruning.decisions import (
    Bits,
    ChiSquareDecision,
    CurvePoint,
    DescriptionDecision,
    PruningDecision,
    PruningEvent,
    Reason,
    Term,
    Verdict,
)
from engine.pruning.early import EarlyMark, EarlyStopping, stop_early
from engine.pruning.noise import NoisePoint, flip_labels, noise_dampening
from engine.pruning.pruning import Pruning, PruningStep, prune
from engine.pruning.settings import PruningMethod, PruningSettings, Risk, Selection

__all__ = [
    "Agreement",
    "Bits",
    "ChiSquareDecision",
    "CurvePoint",
    "DescriptionDecision",
    "EarlyMark",
    "EarlyStopping",
    "NoisePoint",
    "Opinion",
    "Pruning",
    "PruningDecision",
    "PruningEvent",
    "PruningMethod",
    "PruningSettings",
    "PruningStep",
    "Reason",
    "Risk",
    "Selection",
    "Term",
    "Verdict",
    "flip_labels",
    "noise_dampening",
    "prune",
    "prune_by_all",
    "stop_early",
]
