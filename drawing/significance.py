"""The chi-square test of a split in words and sums: counts observed and expected, statistic, p value."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from drawing.formulas import Formula, joined, maths
from drawing.phrases import candidate_label
from drawing.theme import number, quantity, weight
from engine import Candidate, ChiSquare, Growth
from engine.significance import expected_counts

MOST_CELLS = 6
"""Terms of the statistic that are written out."""


def probability(p_value: float) -> str:
    """A p value with three decimals, and what is less as such.

    >>> probability(0.1698), probability(0.00001)
    ('= 0.170', '< 0.001')
    """
    return f"= {number(p_value)}" if p_value >= 0.0005 else "< 0.001"


def freedom(degrees: int) -> str:
    """Degrees of freedom in words.

    >>> freedom(1), freedom(2)
    ('1 degree of freedom', '2 degrees of freedom')
    """
    return f"{degrees} degree{'' if degrees == 1 else 's'} of freedom"


def verdict(test: ChiSquare, level: float | None) -> str:
    """Whether the split passes, as a sentence; without a level what p means."""
    p = f"p {probability(test.p_value)}"
    if level is None:
        return f"{p}: the chance of branches that differ at least so much if feature and class were independent."
    if test.p_value > level:
        return f"{p}, above {quantity(level)}: not significant, so the node is not split on it."
    return f"{p}, at most {quantity(level)}: significant."


def stopped(growth: Growth, node: int, ranked: Sequence[Candidate]) -> str:
    """Why a node was not split, as a clause; `ranked` are its best candidates."""
    best = next((c for c in ranked if c.rejected is None), None)
    if best is None or growth.rules.significance is None:
        return "The best split could well be chance"
    test = growth.significance(node, best)
    level = quantity(growth.rules.significance)
    return (
        f"{candidate_label(best)} could well be chance: χ² = {number(test.statistic)}, "
        f"{freedom(test.degrees_of_freedom)}, p {probability(test.p_value)}, above {level}"
    )


def cells(growth: Growth, node: int, candidate: Candidate) -> list[list[tuple[str, str]]]:
    """For each branch, in order, the rows of each class: observed and expected."""
    observed = growth.branch_counts(node, candidate)
    expected = expected_counts(observed)
    return [
        [(weight(o), number(e)) for o, e in zip(own, others, strict=True)]
        for own, others in zip(observed.T.tolist(), expected.T.tolist(), strict=True)
    ]


def worked(growth: Growth, node: int, candidate: Candidate) -> tuple[Formula, ...]:
    """The statistic with its terms, and its degrees of freedom. Empty branches and absent classes are left out."""
    test = growth.significance(node, candidate)
    observed = growth.branch_counts(node, candidate)
    expected = expected_counts(observed)
    terms = [
        Formula(f"({o} − {e})² / {e}", f"\\frac{{({maths(o)} - {maths(e)})^2}}{{{maths(e)}}}")
        for o, e in _pairs(observed.T, expected.T)
    ]
    total = joined(terms, " + ", " + ", MOST_CELLS)
    statistic = number(test.statistic)
    branches = int(np.count_nonzero(observed.sum(axis=0)))
    classes = int(np.count_nonzero(observed.sum(axis=1)))
    degrees = test.degrees_of_freedom
    return (
        Formula(f"χ² = {total.plain} = {statistic}", f"\\chi^2 = {total.latex} = {maths(statistic)}"),
        Formula(
            f"degrees of freedom = ({branches} − 1) · ({classes} − 1) = {degrees}",
            f"\\text{{degrees of freedom}} = ({branches} - 1) \\cdot ({classes} - 1) = {degrees}",
        ),
    )


def _pairs(observed: np.ndarray, expected: np.ndarray) -> list[tuple[str, str]]:
    there = expected > 0
    return [(weight(o), number(e)) for o, e in zip(observed[there].tolist(), expected[there].tolist(), strict=True)]
