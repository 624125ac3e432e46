"""The sub-steps inside a decision of a pruning: the sides of its inequality worked out, one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from drawing import phrases
from drawing.pruning import Words
from drawing.pruning_formulas import added, worked
from engine.pruning import ChiSquareDecision, PruningDecision, PruningMethod

MOST_DECISIONS = 500
"""Decisions that have sub-steps; those of a larger pruning after them have none."""


def substeps(words: Words, decision: PruningDecision, bars: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """One entry a bar of the decision: what it is called, its number, and how it is worked out.

    Parameters
    ----------
    words : Words
    decision : PruningDecision
    bars : sequence of dict
        Those that the stage shows of the decision.

    Returns
    -------
    list of dict
        As docs/trace.md has it: ``feature``, ``kind``, ``sentence``, ``value`` and ``text``.
    """
    told = _sentences(words, decision, bars)
    return [
        {"feature": bar["feature"], "kind": "levels", "sentence": said, "value": bar["value"], "text": bar["text"]}
        for bar, said in zip(bars, told, strict=True)
    ]


def _sentences(words: Words, decision: PruningDecision, bars: Sequence[dict[str, Any]]) -> list[str]:
    if words.method is PruningMethod.COST_COMPLEXITY:
        return [f"{bar['feature']}: each of its leaves saves {bar['text']}." for bar in bars]
    sums = [formula.plain for formula in worked(words, decision)]
    if isinstance(decision, ChiSquareDecision):
        return [
            f"{sums[0]}. Where the branches differ by chance alone, it is as great with the chance {bars[0]['text']}.",
            f"Branches count as different where that chance is at most {bars[1]['text']}.",
        ]
    if words.method in (PruningMethod.REDUCED_ERROR_GREEDY, PruningMethod.MINIMUM_DESCRIPTION_LENGTH):
        return [f"{text[0].upper()}{text[1:]}." for text in sums[:2]]
    kept, pruned = bars[0]["text"], bars[1]["text"]
    unit = " estimated errors" if words.method is PruningMethod.PESSIMISTIC else ""
    sum_of = added(words, decision)
    leaves = f"{sum_of} = {kept}" if " + " in sum_of else kept
    return [
        f"{words.place(decision.node)}, as a subtree, leaf by leaf: {leaves}{unit}.",
        f"As a leaf that answers {phrases.answer(words.tree, decision.node)}: {pruned}{unit}.",
    ]
