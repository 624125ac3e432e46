"""What is said of all criteria at one node, and of how often two settings agree."""

from __future__ import annotations

from collections.abc import Callable

from drawing import wording
from drawing.comparison import criterion_name
from drawing.theme import number, percent
from engine import Criterion
from engine.comparison_criteria import CriteriaTable, FeatureScores
from engine.comparison_summary import Agreement, Level

_NUMBERS = {1: "One", 2: "Both", 3: "All three", 4: "All four"}


def winner_cell(
    row: FeatureScores, criterion: Criterion, table: CriteriaTable, write: Callable[[float], str] = number
) -> str:
    """A feature's best score under a criterion, with a check mark where it wins."""
    found = row.best.get(criterion)
    if found is None:
        return "–"
    return f"{'✓ ' if row.feature in table.winners[criterion] else ''}{write(found.score)}"


def agreement_words(table: CriteriaTable) -> str:
    """Which criteria take the same test: of features that tie the first in the table."""
    best = {row.feature: row.best for row in table.rows}
    by_test: dict[str, list[str]] = {}
    without = []
    for criterion in table.criteria:
        winners = table.winners[criterion]
        said = criterion_name(criterion)
        if winners:
            by_test.setdefault(wording.candidate_label(best[winners[0]][criterion]), []).append(said)
        else:
            without.append(said)
    if len(by_test) == 1 and not without:
        return f"{_NUMBERS[len(table.criteria)]} criteria take {next(iter(by_test))}."
    parts = [f"{wording.listed(names)} {_verb(names, 'take')} {test}" for test, names in by_test.items()]
    if without:
        parts.append(f"{wording.listed(without)} {'have' if len(without) > 1 else 'has'} nothing to choose")
    said = "; ".join(parts) + "."
    return said[:1].upper() + said[1:]


def _verb(names: list[str], verb: str) -> str:
    return verb if len(names) > 1 else f"{verb}s"


def agreement_sentence(found: Agreement) -> str:
    """How often two settings agreed over resampled tables."""
    nodes = (
        f"{percent(found.n_equal / found.n_pairs)} of the nodes that both trees have" if found.n_pairs else "no node"
    )
    return (
        f"On {found.n_samples} resampled tables: the same first question {found.n_same_first} times, "
        f"the same tree {found.n_same_tree} times; {nodes} were decided alike."
    )


def level_words(level: Level, most: int = 4) -> str:
    """The features of a level.

    >>> level_words(Level((("wind", 2), ("humidity", 1)), 3))
    'wind ×2, humidity; 3 leaves'
    """
    named = [
        f"{wording.plain(name, 24)} ×{n}" if n > 1 else wording.plain(name, 24) for name, n in level.features[:most]
    ]
    if len(level.features) > most:
        named.append(f"{len(level.features) - most} more")
    leaves = f"{level.n_leaves} {'leaf' if level.n_leaves == 1 else 'leaves'}" if level.n_leaves else ""
    return "; ".join(part for part in (", ".join(named), leaves) if part)
