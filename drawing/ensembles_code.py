"""The methods of ensembles as pseudo-code, in the words of the books, and the line that each step stands at."""

from __future__ import annotations

from engine.ensembles import EnsembleEvent, EnsembleMethod

_CODE = {
    EnsembleMethod.BAGGING: (
        "Bagging(rows, M)",
        "  repeat M times",
        "    sample ← as many rows, drawn with replacement",
        "    grow a tree from the sample",
        "  answer: the vote (a number: the mean)",
    ),
    EnsembleMethod.FOREST: (
        "RandomForest(rows, M)",
        "  repeat M times",
        "    sample ← as many rows, drawn with replacement",
        "    grow a tree from it; only drawn features compete at a split",
        "  answer: the vote (a number: the mean)",
    ),
    EnsembleMethod.ADABOOST: (
        "AdaBoost(rows of K classes, M)",
        "  every row weighs 1/n",
        "  repeat M times",
        "    grow a tree from the weighted rows",
        "    ε ← weight of its mistakes",
        "    confidence ← ½ ln((1 − ε)/ε) + ½ ln(K − 1)",
        "    wrong rows × (K − 1)/(Kε), right rows × 1/(K(1 − ε))",
        "  answer: the vote weighted by confidence",
    ),
    EnsembleMethod.GRADIENT_BOOSTING: (
        "GradientBoosting(rows, M)",
        "  F ← the mean (classes: the log odds)",
        "  repeat M times",
        "    residuals ← target − F (classes: y − p)",
        "    fit a small tree to the residuals",
        "    F ← F + learning rate × tree",
        "  answer: F (classes: the most probable)",
    ),
}
_MEMBER = {
    EnsembleMethod.BAGGING: 3,
    EnsembleMethod.FOREST: 3,
    EnsembleMethod.ADABOOST: 6,
    EnsembleMethod.GRADIENT_BOOSTING: 5,
}


def code(method: EnsembleMethod) -> tuple[tuple[str, ...], dict[EnsembleEvent, int]]:
    """The lines of a method, and the one of each event.

    >>> lines, line_of = code(EnsembleMethod.BAGGING)
    >>> lines[line_of[EnsembleEvent.MEMBER]].strip()
    'grow a tree from the sample'
    """
    return _CODE[method], {EnsembleEvent.STARTED: 0, EnsembleEvent.MEMBER: _MEMBER[method]}
