"""Where a well-known program would say something else, in one line.

The facts are those of Weka 3.9 (J48), R's rpart 4.1 and scikit-learn 1.9, found by restating their
rules and matching their output.
"""

from __future__ import annotations

from drawing.theme import number, weight
from engine import Algorithm, Candidate, Criterion, Growth, SplitKind


def line(growth: Growth, node: int, candidate: Candidate) -> str:
    """What differs elsewhere for this candidate; empty where nothing worth a line does."""
    algorithm, threshold = growth.settings.algorithm, candidate.split.kind is SplitKind.THRESHOLD
    if candidate.unknown:
        return (
            "Weka's J48 shares out rows without a value in the same way; rpart asks a surrogate split instead, "
            "and scikit-learn sends them to the better side."
        )
    if algorithm is Algorithm.C45:
        return _j48(threshold)
    if algorithm in (Algorithm.CART, Algorithm.STUMP):
        return _cart(growth, node, candidate, threshold)
    if threshold:
        return (
            "Weka and scikit-learn send rows of value ≤ t to the first branch; here, as in rpart, it takes those < t."
        )
    return ""


def _j48(threshold: bool) -> str:
    if threshold:
        return (
            "Weka's J48 takes log₂(cuts) / rows off a numeric feature's gain, and admits only cuts with enough rows "
            "on both sides: a tenth of the rows a class, from 2 to 25. Its option -J turns the first off."
        )
    return (
        "Weka's J48 uses a feature of levels only where two branches have 2 rows or more, and prunes afterwards "
        "even where it is told not to."
    )


def _cart(growth: Growth, node: int, candidate: Candidate, threshold: bool) -> str:
    if not threshold:
        return "rpart groups levels in the same way; scikit-learn does not group them: it cuts their codes as numbers."
    if growth.rules.criterion is Criterion.GINI and growth.weights is None:
        size = float(growth.tree.nodes.size[node])
        return (
            f"rpart prints rows · gain, {weight(size)} · {number(candidate.gain)} = {number(size * candidate.gain)}, "
            "as improve; scikit-learn asks ≤ t at the same midpoint."
        )
    return "scikit-learn asks ≤ t at the same midpoint, of values rounded to 32 bits; rpart asks < t as here."
