"""The sum before a step, the member, and the sum after it: what the three are called, by method."""

from __future__ import annotations

from dataclasses import dataclass

from drawing.ensembles import Words, rough
from drawing.figures.ensembles_staircase import subscript
from drawing.theme import number
from engine.ensembles import Ensemble, EnsembleMethod

SIZES = {
    EnsembleMethod.BAGGING: "Dots are as large as the row was drawn often; pale ones were left out.",
    EnsembleMethod.FOREST: "Dots are as large as the row was drawn often; pale ones were left out.",
    EnsembleMethod.ADABOOST: "Dots are as large as the weight with which the member was grown.",
    EnsembleMethod.GRADIENT_BOOSTING: "Dots are as large as the residual that the member was fitted to.",
}
JOINED = "The thin lines are the residuals: what the sum leaves over, and what the next tree is fitted to."


@dataclass(frozen=True)
class Sum:
    """Headings of a sum worked: `before` + `member` = `after`; short names for a narrow place."""

    before: str
    member: str
    after: str


def sum_of(ensemble: Ensemble, step: int) -> Sum:
    """What stands over the three pictures of a step from 1 on."""
    words, member = Words(ensemble), ensemble.members[step - 1]
    name = words.name(member)
    alone = f"{name[0].upper()}{name[1:]} alone"
    if ensemble.rule.is_sum:
        letter = "M" if words.is_number else "F"
        rate = "" if ensemble.rule.rate == 1 else f", × {rough(ensemble.rule.rate)}"
        if ensemble.n_trees_a_round > 1:
            return Sum(together(ensemble, step - 1), f"+ {name}{rate}", f"= {together(ensemble, step)}")
        return Sum(f"{letter}{subscript(step - 1)}", f"+ tree {step}{rate}", f"= {letter}{subscript(step)}")
    if member.confidence is not None:
        return Sum(
            together(ensemble, step - 1), f"+ {alone}, × {number(member.confidence)}", f"= {together(ensemble, step)}"
        )
    return Sum(together(ensemble, step - 1), f"+ {alone}", f"= {together(ensemble, step)}")


def together(ensemble: Ensemble, step: int) -> str:
    """What the first members together are called."""
    words = Words(ensemble)
    if step == 0:
        start = "M₀" if words.is_number else "F₀"
        return start if ensemble.rule.is_sum else "No member yet"
    if ensemble.rule.is_sum:
        return f"Sum of {step:,}" if step > 1 else "Sum of 1"
    what = "Mean" if words.is_number else "Vote"
    return f"{what} of {step:,}"


def heading(ensemble: Ensemble, step: int, *, alone: bool) -> str:
    """What stands over one picture: a member alone, or the sum so far."""
    if alone and step:
        name = Words(ensemble).name(ensemble.members[step - 1])
        return f"{name[0].upper()}{name[1:]} alone"
    said = together(ensemble, step)
    return f"{said} members" if step > 1 else f"{said} member" if step == 1 else said
