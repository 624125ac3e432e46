"""All methods on one tree in words: who cuts what, where they part and why, sizes and errors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from drawing.pruning import METHODS, Words
from engine.pruning import Agreement

CUT, KEPT, NONE = "✂ cut", "kept", "–"


def grid(agreement: Agreement, words: Words, most: int) -> tuple[list[list[str]], list[int]]:
    """One line a split, a cell a method; disputed ones first, and where they stand among the lines.

    Parameters
    ----------
    agreement : Agreement
    words : Words
        Of any pruning of the same tree.
    most : int
        Lines that are shown.
    """
    disputed = agreement.disputed
    order = np.lexsort((agreement.nodes, ~disputed))[:most].tolist()
    usable = [opinion.pruning is not None for opinion in agreement.opinions]
    lines = [
        [
            words.place(int(agreement.nodes[row])),
            *(
                (CUT if agreement.cut[row, column] else KEPT) if usable[column] else NONE
                for column in range(len(agreement.opinions))
            ),
        ]
        for row in order
    ]
    return lines, [place for place, row in enumerate(order) if disputed[row]]


def totals(agreement: Agreement, words: Words, test: Sequence[float | None] | None) -> list[list[str]]:
    """Leaves and errors of the tree that each method leaves."""
    found = [["leaves left", *(NONE if o.n_leaves is None else str(o.n_leaves) for o in agreement.opinions)]]
    columns: list[tuple[str, Sequence[float | None]]] = [
        ("training error", [o.train_error for o in agreement.opinions]),
        ("validation error", [o.validation_error for o in agreement.opinions]),
    ]
    columns += [("test error", test)] if test is not None else []
    for name, values in columns:
        found.append([name, *(NONE if value is None else words.error(value) for value in values)])
    return found


def reasons(agreement: Agreement, row: int) -> list[list[str]]:
    """What each method says of one split: the inequality that settled it."""
    node = int(agreement.nodes[row])
    found = []
    for column, opinion in enumerate(agreement.opinions):
        name = METHODS[opinion.settings.method]
        if opinion.pruning is None:
            found.append([name, NONE, opinion.refusal or ""])
            continue
        words, decision = Words(opinion.pruning), agreement.decision(row, column)
        verdict = CUT if agreement.cut[row, column] else KEPT
        if decision is None:
            found.append([name, verdict, words.without(node)])
        elif decision.node == node:
            found.append([name, verdict, words.inequality(decision)])
        else:
            found.append([name, verdict, f"with the split above it, {words.place(decision.node)}"])
    return found


def refusals(agreement: Agreement) -> list[str]:
    """Why a method has no column here."""
    return [
        f"{METHODS[opinion.settings.method]}: {opinion.refusal}"
        for opinion in agreement.opinions
        if opinion.refusal is not None
    ]
