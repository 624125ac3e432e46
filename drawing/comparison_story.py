"""A comparison as what the stage of two trees shows at each step: one dict beside the two storyboards.

docs/trace.md, section "Two traces side by side", is the schema.
"""

from __future__ import annotations

import hashlib
from itertools import accumulate
from typing import Any

from drawing.comparison_sentences import Telling
from drawing.storyboard import N_TOLD
from engine import Event
from engine.comparison import Comparison, PairedStep, Side

SIDES = {Side.FIRST: "a", Side.SECOND: "b"}
"""Keys of the two sides."""


def pair_story(comparison: Comparison, titles: tuple[str, str]) -> dict[str, Any]:
    """What the stage needs beside the storyboards of the two growths.

    Parameters
    ----------
    comparison : Comparison
    titles : tuple of str
        The line above each tree.

    Returns
    -------
    dict
        Plain texts and numbers, ready for JSON, no NaN.
    """
    telling = Telling(comparison)
    steps = list(comparison)
    differences = [comparison.step_of(pair) for pair in comparison.different]
    return {
        "key": _digest(comparison, titles),
        "titles": dict(zip(SIDES.values(), titles, strict=True)),
        "steps": [list(step) for step in comparison.steps],
        "sentences": [_sentence(telling, step) for step in steps],
        "together": [int(step.together) for step in steps],
        "marks": {key: [mark.value for mark in comparison.marks(side)] for side, key in SIDES.items()},
        "twins": {key: _twins(comparison, side) for side, key in SIDES.items()},
        "differences": differences,
        "granularity": {
            "node": [0, *(step.index for step in steps if _decides(step))],
            "level": _levels(comparison, steps),
            "difference": sorted({0, *differences, len(comparison) - 1}),
        },
        "words": {"untold": "This step is below the part of the trees that is drawn."},
    }


def _sentence(telling: Telling, step: PairedStep) -> str:
    return "" if max(step.first.node, step.second.node) >= N_TOLD else telling.sentence(step)


def _decides(step: PairedStep) -> bool:
    """Whether a node is decided in this step, and none that both have is only scored."""
    events = {side: own.event for side, own in zip(Side, (step.first, step.second), strict=True)}
    decided = [events[side] in (Event.SPLIT, Event.LEAF) for side in step.moved]
    return all(decided) if step.together else any(decided)


def _levels(comparison: Comparison, steps: list[PairedStep]) -> list[int]:
    """The steps at which one more level of both trees is complete."""
    depths = [comparison.growth(side).tree.nodes.depth for side in Side]
    last = [0] * (1 + max(int(depth.max()) for depth in depths))
    for step in steps:
        for own, depth in zip((step.first, step.second), depths, strict=True):
            if own.event in (Event.SPLIT, Event.LEAF):
                last[int(depth[own.node])] = step.index
    return sorted({0, *accumulate(last, max)})


def _twins(comparison: Comparison, side: Side) -> list[int]:
    """For each node the one of the other tree with the same path, -1 where it has none."""
    found = (comparison.counterpart(side, node) for node in range(len(comparison.growth(side).tree.nodes)))
    return [-1 if node is None else node for node in found]


def _digest(comparison: Comparison, titles: tuple[str, str]) -> str:
    content = [(g.source.fingerprint, g.source.name, g.settings) for g in (comparison.first, comparison.second)]
    return hashlib.blake2b(repr((content, titles)).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
