"""What sentences are made of: names, numbers of rows, class counts, conditions, paths, criteria.

Plain text. Names of the user's file are cleaned (`plain`) but not escaped: who puts them into HTML,
SVG, markdown or LaTeX escapes them there.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import assert_never

from drawing.numbers import units
from drawing.theme import quantity, weight
from engine import Candidate, Condition, CostRule, Criterion, Op, Tree
from engine.settings import ResolvedSettings
from engine.splits import Path

NAME_LIMIT = 60
LISTED = 6


@dataclass(frozen=True)
class Measure:
    """What the screen calls a criterion: its score, the score in one word, the impurity, its symbol."""

    name: str
    short: str
    impurity: str
    symbol: str


def measure(criterion: Criterion) -> Measure:
    """The words for a criterion.

    >>> measure(Criterion.ENTROPY).name, measure(Criterion.GINI).impurity
    ('information gain', 'Gini')
    """
    match criterion:
        case Criterion.ENTROPY:
            return Measure("information gain", "gain", "entropy", "H")
        case Criterion.GINI:
            return Measure("Gini gain", "gain", "Gini", "G")
        case Criterion.GAIN_RATIO:
            return Measure("gain ratio", "gain ratio", "entropy", "H")
        case Criterion.MISCLASSIFICATION:
            return Measure("misclassification gain", "gain", "misclassification", "M")
        case Criterion.VARIANCE:
            return Measure("variance reduction", "reduction", "variance", "V")
        case Criterion.SQUARED_ERROR:
            return Measure("squared error reduction", "reduction", "squared error", "E")
    assert_never(criterion)


def score_measure(rules: ResolvedSettings) -> Measure:
    """The words for what a growth maximises: the criterion's score, by what a feature costs where any costs something.

    >>> from engine import GrowthSettings, read_table
    >>> table = read_table("datasets/files/play_tennis.csv", target="play", ignore=("day",))
    >>> score_measure(GrowthSettings.id3(costs={"wind": 2}).resolved(table)).name
    'information gain per cost'
    """
    names = measure(rules.criterion)
    if rules.costs is None:
        return names
    squared = "squared " if rules.cost_rule is CostRule.SQUARED_GAIN_OVER_COST else ""
    return replace(names, name=f"{squared}{names.name} per cost", short=f"{squared}{names.short} per cost")


@lru_cache(maxsize=4096)
def plain(text: str | float, limit: int | None = NAME_LIMIT) -> str:
    r"""A name from a file, fit for a sentence: no control characters, not too long, one direction.

    Right-to-left text is isolated, so that it does not turn the words around it.

    >>> plain("a\x00b\nc"), plain("x" * 100, 5)
    ('a�b c', 'xxxx…')
    """
    name = cleaned(str(text))
    if limit is not None and len(name) > limit:
        name = name[: limit - 1] + "…"
    turned = not name.isascii() and any(unicodedata.bidirectional(c) in ("R", "AL") for c in name)
    return f"\u2068{name}\u2069" if turned else name


def cleaned(text: str) -> str:
    """A text without control characters and without marks that turn its direction."""
    return text if text.isascii() and text.isprintable() else "".join(_printable(c) for c in text)


def listed(words: Sequence[str], last: str = "and") -> str:
    """Words as a list in a sentence.

    >>> listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"], "or")
    ('a', 'a and b', 'a, b or c')
    """
    return f" {last} ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def rows(n_rows: float) -> str:
    """A number of rows.

    >>> rows(0), rows(1), rows(14), rows(2.5), rows(5 / 13)
    ('no rows', '1 row', '14 rows', '2.5 rows', '0.385 rows')
    """
    if n_rows == 0:
        return "no rows"
    size = weight(n_rows)
    return f"{size} row" + ("" if size == "1" else "s")


def class_counts(counts: Sequence[float], classes: Sequence[str], last: str = "and") -> str:
    """Class counts in words, the most frequent first, absent ones left out.

    >>> class_counts([5, 9], ["no", "yes"]), class_counts([0, 4], ["no", "yes"]), class_counts([1, 0], ["no", "yes"])
    ('9 yes and 5 no', 'all yes', 'no')
    >>> class_counts([5, 9], ["no", "yes"], last=",")
    '9 yes, 5 no'
    """
    present = sorted((-count, code) for code, count in enumerate(counts) if count)
    if not present:
        return "none"
    if len(present) == 1:
        only = plain(classes[present[0][1]])
        return only if present[0][0] == -1 else f"all {only}"
    words = [f"{weight(-count)} {plain(classes[code])}" for count, code in present[:LISTED]]
    others = sum(-count for count, _ in present[LISTED:])
    if others:
        words.append(f"{weight(others)} of {len(present) - LISTED} other classes")
    return ", ".join(words) if last == "," else listed(words, last)


def held(tree: Tree, node: int, last: str = "and") -> str:
    """What a node's rows are: class counts as `class_counts` tells them, or the mean of a number."""
    if not tree.is_number:
        return class_counts(tree.nodes.counts[node].tolist(), tree.table.target.classes, last)
    if not tree.nodes.size[node]:
        return "none"
    write, spread = units(tree), tree.nodes.variance
    alike = spread is not None and write.square(float(spread[node])) == "0"
    how = ("" if tree.nodes.size[node] == 1 else "all ") if alike else "mean "
    return f"{how}{answer(tree, node)}"


def answer(tree: Tree, node: int) -> str:
    """What a node answers: its class, or its mean as the target's spread calls for it."""
    said = tree.label(node)
    return plain(said) if isinstance(said, str) else units(tree).value(said)


def branch(condition: Condition) -> str:
    """What a branch says of its feature's value: `rain`, `red or blue`, `< 2.45`, `≥ 2.45`, `missing`.

    >>> branch(Condition("colour", Op.IN, ("red", "blue"))), branch(Condition("x", Op.AT_LEAST, 2.45))
    ('red or blue', '≥ 2.45')
    """
    value = condition.value
    match condition.op:
        case Op.IN:
            assert isinstance(value, tuple)
            return _levels(value)
        case Op.LESS:
            assert isinstance(value, float | int)
            return f"< {quantity(value)}"
        case Op.AT_LEAST:
            assert isinstance(value, float | int)
            return f"≥ {quantity(value)}"
        case Op.MISSING:
            return "missing"
    assert_never(condition.op)


def condition(single: Condition) -> str:
    """A condition as a clause.

    >>> condition(Condition("outlook", Op.IN, ("rain",))), condition(Condition("petal length", Op.LESS, 2.45))
    ('outlook is rain', 'petal length < 2.45')
    """
    verb = " is " if single.op in (Op.IN, Op.MISSING) else " "
    return f"{plain(single.feature)}{verb}{branch(single)}"


def path(conditions: Path) -> str:
    """A path as a clause: each feature once, where it first came, with all that is known of it.

    >>> path(())
    'all rows'
    >>> path((Condition("x", Op.AT_LEAST, 1.0), Condition("wind", Op.IN, ("weak",)), Condition("x", Op.LESS, 2.0)))
    '1 ≤ x < 2 and wind is weak'
    """
    if not conditions:
        return "all rows"
    by_feature: dict[str, list[Condition]] = {}
    for single in conditions:
        by_feature.setdefault(single.feature, []).append(single)
    return " and ".join(clause for group in by_feature.values() for clause in _merged(group))


def candidate_label(candidate: Candidate) -> str:
    """What a candidate asks: the feature, with its threshold or its first group of levels.

    A branch a level needs no more than the feature's name.
    """
    if candidate.split.threshold is not None:
        return f"{plain(candidate.feature)} < {quantity(candidate.split.threshold)}"
    if len(candidate.split.groups) == 2 and any(len(group) > 1 for group in candidate.split.groups):
        return condition(candidate.partitions[0].condition)
    return plain(candidate.feature)


def paths(tree: Tree, deepest: int | None = None) -> list[Path]:
    """The path of every node of the finished tree, in one pass; of those down to a depth, if that is given."""
    found: list[Path] = [()] * len(tree.nodes)
    for node, depth in enumerate(tree.nodes.depth.tolist()):
        if deepest is not None and depth >= deepest:
            continue
        split = tree.split(node)
        if split is None:
            continue
        conditions = split.conditions(tree.table.features[split.feature])
        for child, single in zip(tree.children(node).tolist(), conditions, strict=True):
            found[child] = (*found[node], single)
    return found


def _printable(character: str) -> str:
    if character in "\t\r\n\u2028\u2029":
        return " "
    return "\ufffd" if unicodedata.category(character) in ("Cc", "Cs") or character in _DIRECTION else character


_DIRECTION = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\ufeff\ufffe\uffff")


def _levels(levels: tuple[str, ...]) -> str:
    words = [plain(level) for level in levels[:LISTED]]
    if len(levels) > LISTED:
        words.append(f"{len(levels) - LISTED} other levels")
    return listed(words, "or")


def _merged(group: list[Condition]) -> list[str]:
    """All conditions on one feature as few clauses."""
    if len(group) == 1:
        return [condition(group[0])]
    feature = plain(group[0].feature)
    clauses = []
    sets = [c.value for c in group if c.op is Op.IN and isinstance(c.value, tuple)]
    if sets:
        common = tuple(level for level in sets[-1] if all(level in other for other in sets))
        clauses.append(f"{feature} is {_levels(common)}")
    low = max(
        (float(c.value) for c in group if c.op is Op.AT_LEAST and isinstance(c.value, float | int)), default=-math.inf
    )
    high = min(
        (float(c.value) for c in group if c.op is Op.LESS and isinstance(c.value, float | int)), default=math.inf
    )
    if math.isfinite(low) and math.isfinite(high):
        clauses.append(f"{quantity(low)} ≤ {feature} < {quantity(high)}")
    elif math.isfinite(low):
        clauses.append(f"{feature} ≥ {quantity(low)}")
    elif math.isfinite(high):
        clauses.append(f"{feature} < {quantity(high)}")
    if any(c.op is Op.MISSING for c in group):
        clauses.append(f"{feature} is missing")
    return clauses
