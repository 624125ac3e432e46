"""What is done with missing values, in words: for a whole table, and for one candidate at a node."""

from __future__ import annotations

import numpy as np

from drawing.phrases import branch, listed, plain, rows
from drawing.theme import fraction, quantity, weight
from engine import Candidate, Criterion, Feature, Growth, Missing, SplitKind
from engine.prepare import fill_value
from engine.splits import is_numeric

MOST_SHARES = 6
"""Branches up to which the share of each is said."""

NAMES = {
    Missing.FRACTIONAL: "down every branch, in parts",
    Missing.OWN_BRANCH: "a branch of their own",
    Missing.MOST_COMMON: "the most common value",
    Missing.DROP: "leave the row out",
}
"""What the screen calls the treatments."""


def treatment(growth: Growth) -> str:
    """What was done with the table's missing values, as a sentence; empty where none is missing."""
    lacking = [feature for feature in growth.source.features if feature.n_missing]
    if not lacking:
        return ""
    cells = sum(feature.n_missing for feature in lacking)
    values = "1 value is" if cells == 1 else f"{cells:,} values are"
    match growth.rules.missing:
        case Missing.FRACTIONAL:
            return f"{values} missing: a row without a value goes down every branch of the test, in parts."
        case Missing.OWN_BRANCH:
            return f"{values} missing: rows without a value have a branch of their own."
        case Missing.MOST_COMMON:
            filled = [
                f"{plain(f.name)}: {_fill(growth, i)}" for i, f in enumerate(growth.source.features) if f.n_missing
            ]
            more = f" and {len(filled) - 3} more features" if len(filled) > 3 else ""
            shown = "; ".join(filled[:3])
            return f"{values} missing: the most common value (of numbers the median) stands in, {shown}{more}."
        case Missing.DROP:
            left = growth.source.n_rows - growth.table.n_rows
            verbs = "lacks a value and is" if left == 1 else "lack a value and are"
            return f"{left:,} of {growth.source.n_rows:,} rows {verbs} left out."


def of_candidate(growth: Growth, node: int, candidate: Candidate) -> str:
    """What missing values of the candidate's feature do to its evidence at a node; empty where they do nothing."""
    feature = candidate.split.feature
    spec = growth.source.features[feature]
    if not spec.n_missing:
        return ""
    name = plain(spec.name)
    match growth.rules.missing:
        case Missing.FRACTIONAL:
            return _shared_out(growth, name, candidate) if candidate.unknown else ""
        case Missing.OWN_BRANCH:
            lacking = int(growth.source.missing(feature)[growth.tree.rows(node)].sum())
            who = f"{rows(lacking).capitalize()} here {'lacks' if lacking in (0, 1) else 'lack'} {name}"
            if candidate.split.kind is SplitKind.SUBSET:
                return f"{who}: missing is a level like the others."
            return f"{who}: the branch for missing values counts like any other."
        case Missing.MOST_COMMON:
            filled = int(growth.source.missing(feature)[growth.tree.rows(node)].sum())
            if not filled:
                return ""
            return f"{rows(filled).capitalize()} here had no {name}: {_fill(growth, feature)} stands in."
        case Missing.DROP:
            return (
                f"{rows(spec.n_missing).capitalize()} without {name} {'is' if spec.n_missing == 1 else 'are'} left out."
            )


def _shared_out(growth: Growth, name: str, candidate: Candidate) -> str:
    """The share of the known rows, and where an unknown row goes."""
    known = sum(part.n_rows for part in candidate.partitions)
    lacking = rows(candidate.unknown)
    verb = "lacks" if lacking == "1 row" else "lack"
    ratio = growth.rules.criterion is Criterion.GAIN_RATIO
    words = [
        f"{lacking.capitalize()} here {verb} {name}. Impurities are those of the {weight(known)} known rows, and the "
        f"gain is scaled by their share, F = {fraction(known, known + candidate.unknown)}"
        + ("; the split information counts the unknown as one more subset." if ratio else ".")
    ]
    taking = [part for part in candidate.partitions if part.n_rows]
    if len(taking) <= MOST_SHARES:
        ways = [f"{fraction(part.n_rows, known)} to {branch(part.condition)}" for part in taking]
        words.append(f"Such a row goes down every branch: {listed(ways)}.")
    return " ".join(words)


def _fill(growth: Growth, feature: int) -> str:
    """The value that stands in for a missing one."""
    value = fill_value(growth.source, feature)
    spec: Feature = growth.source.features[feature]
    if not is_numeric(spec):
        return plain(spec.levels[int(value)])
    return quantity(value)


def absent(growth: Growth, node: int, candidate: Candidate) -> str:
    """Levels of the candidate's feature that no row of the node has, and where they go; empty where all are there."""
    feature = candidate.split.feature
    spec = growth.table.features[feature]
    if is_numeric(spec):
        return ""
    present = np.unique(growth.table.columns[feature][growth.tree.rows(node)])
    lacking = [plain(spec.levels[code]) for code in spec.display_order if code not in present]
    if not lacking:
        return ""
    shown = [*lacking[:MOST_SHARES], *([f"{len(lacking) - MOST_SHARES} more"] if len(lacking) > MOST_SHARES else [])]
    several = len(lacking) > 1
    if candidate.split.kind is SplitKind.SUBSET:
        return f"No row here has {listed(shown, 'or')}; {'they go' if several else 'it goes'} with the second group."
    return f"No row here has {listed(shown, 'or')}: {'those branches are' if several else 'that branch is'} empty."
