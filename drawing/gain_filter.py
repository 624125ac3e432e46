"""C4.5's filter in words and sums: a feature must gain at least the average before its gain ratio counts.

Source: Quinlan 1993, section 2.2; the slack of 0.001 is that of his program (Release 8).
"""

from __future__ import annotations

from collections.abc import Sequence

from drawing.formulas import Formula, joined, maths, named
from drawing.phrases import candidate_label, listed, plain
from drawing.theme import number
from engine import Candidate, Growth, Rejection
from engine.evidence import AVERAGE_SLACK


def outdone(ranked: Sequence[Candidate], winner: Candidate) -> list[Candidate]:
    """The candidates below average gain whose gain ratio is greater than the winner's."""
    return [c for c in ranked if c.rejected is Rejection.BELOW_AVERAGE_GAIN and c.score > winner.score + 1e-9]


def remark(growth: Growth, node: int, ranked: Sequence[Candidate], winner: Candidate) -> str:
    """What the filter changed at a node, as a sentence; empty where it changed nothing."""
    found = outdone(ranked, winner)
    if not found:
        return ""
    average = number(growth.scores(node).average_gain)
    if len(found) == 1:
        only = found[0]
        return (
            f"{candidate_label(only)} has a greater one, {number(only.score)}, "
            f"but gains {number(only.gain)}, below the average of {average}."
        )
    return (
        f"{listed([plain(c.feature) for c in found])} have greater ones, but gain less than the average of {average}."
    )


def below(candidate: Candidate, winner: Candidate, ratio: str) -> str:
    """Why a candidate below average gain could not win, after its name; `ratio` is what the score is called."""
    score, gain = number(candidate.score), number(candidate.gain)
    if candidate.score > winner.score + 1e-9:
        return f"has the greater {ratio}, {score}, but gains {gain}, less than the average"
    return f"gains {gain}, less than the average; its {ratio} is {score}"


def average(growth: Growth, node: int) -> Formula | None:
    """The mean of the features' gains, worked; None where nothing was scored."""
    gains = growth.scores(node).best_gains
    if not gains:
        return None
    terms = [Formula(number(gain), maths(number(gain))) for gain in gains.values()]
    total = joined(terms, " + ", " + ")
    mean, n = number(growth.scores(node).average_gain), len(terms)
    return Formula(
        f"average gain = ({total.plain}) / {n} = {mean}",
        # Not a fraction: a browser breaks the line only where nothing stands above anything.
        f"{named('average gain').latex} = ({total.latex}) / {n} = {maths(mean)}",
    )


def rule(growth: Growth, node: int) -> str:
    """What the average is for, with what a feature must gain here."""
    least = number(growth.scores(node).average_gain - AVERAGE_SLACK)
    return (
        f"A feature whose best split gains less than the average cannot win, however great its gain ratio "
        f"(C4.5's program leaves {AVERAGE_SLACK:g} of slack: {least} is enough here)."
    )
