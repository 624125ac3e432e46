"""The sums behind a candidate where the target is a number, worked with the values of its rows.

Few values are written out, many are shortened to their first, second and last. Every result is the
engine's, none is computed here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from drawing.figures.partitions import display_order
from drawing.formulas import MOST_TERMS, Formula, escaped
from drawing.numbers import Units, units
from drawing.phrases import branch, condition, measure
from drawing.theme import fraction, quantity
from engine import Candidate, Criterion, Growth, Op, Partition
from engine.settings import CostRule

MOST_VALUES = 4
"""Values written out at most; three always are."""
MOST_LETTERS = 68
"""Letters of a line at most, where fewer values make it shorter."""

_LATEX = {
    "−": "-",
    ",": "{,}",
    "²": "^2",
    "⅓": r"\tfrac{1}{3}",
    "⅔": r"\tfrac{2}{3}",
    "⅙": r"\tfrac{1}{6}",
    "⅚": r"\tfrac{5}{6}",
}


@dataclass(frozen=True)
class _Rows:
    """The values of a node or a part, with what the engine says of them; no values where rows have weights."""

    values: Sequence[float]
    n_rows: float
    mean: float
    impurity: float


def worked(growth: Growth, node: int, candidate: Candidate) -> tuple[Formula, ...]:
    """The equations that lead to a candidate's score, in the order in which one works them.

    The variance (or squared error) of the node and of each part that has rows, the remainder, the
    reduction; with costs the score as well. Parts are in the display order of the levels.
    """
    criterion, write = growth.rules.criterion, units(growth.tree)
    order = display_order(candidate, growth.table)
    values = part_values(growth, node, candidate)
    whole = growth.table.target_values[growth.tree.rows(node)].tolist() if any(values) else []
    found = [spread(_whole(candidate, whole), criterion, write)]
    parts = [(candidate.partitions[place], values[place]) for place in order if candidate.partitions[place].n_rows]
    for part, own in parts[:MOST_TERMS]:
        rows = _Rows(own, part.n_rows, part.mean or 0.0, part.impurity)
        named = branch if part.condition.op is Op.IN else condition
        found.append(spread(rows, criterion, write, of=named(part.condition)))
    found += [remainder(candidate, [part for part, _ in parts], write), reduction(candidate, write)]
    if growth.rules.costs is not None:
        found.append(score(candidate, growth.rules.cost_rule, write))
    return tuple(found)


def part_values(growth: Growth, node: int, candidate: Candidate) -> list[list[float]]:
    """The target of each partition's rows, in the order of the rows; empty lists where rows have weights."""
    tree, parts = growth.tree, len(candidate.partitions)
    if tree.weighted or candidate.unknown:
        return [[] for _ in range(parts)]
    rows = tree.rows(node)
    feature = growth.table.features[candidate.split.feature]
    column = growth.table.columns[candidate.split.feature][rows]
    taken = candidate.split.branch_of(column.astype(np.int64) if feature.levels else column, feature)
    target = growth.table.target_values[rows]
    return [target[taken == number].tolist() for number in range(parts)]


def spread(rows: _Rows, criterion: Criterion, write: Units, of: str = "") -> Formula:
    """The sample variance, with n − 1, or the squared error, with n, of the rows."""
    symbol = measure(criterion).symbol
    head = Formula(f"{symbol}({of})", f"{symbol}(\\text{{{escaped(of)}}})") if of else Formula(symbol, symbol)
    result = write.square(rows.impurity)
    sample = criterion is Criterion.VARIANCE
    if sample and rows.n_rows <= 1:
        return Formula(f"{head.plain} = {result} (one row)", f"{head.latex} = {_tex(result)} \\text{{ (one row)}}")
    count = quantity(rows.n_rows)
    below = f"{count} − 1" if sample else count
    over = f"({below})" if sample else below
    squares = _squares(rows, write, MOST_LETTERS - len(f"{head.plain} =  = {result}"))
    plain = f"{head.plain} = {squares.plain} / {over} = {result}"
    return Formula(plain, f"{head.latex} = \\frac{{{squares.latex}}}{{{_tex(below)}}} = {_tex(result)}")


def remainder(candidate: Candidate, parts: Sequence[Partition], write: Units) -> Formula:
    """What is left after the split: each part's, weighted by its share of the rows."""
    total = sum(part.n_rows for part in parts)
    terms = [_weighted(part, total, write) for part in parts[:MOST_TERMS]]
    if len(parts) > MOST_TERMS:
        more = f"({len(parts) - MOST_TERMS} more terms)"
        terms.append(Formula(f"… {more}", f"\\dots \\text{{ {more}}}"))
    result = write.square(candidate.remainder)
    return Formula(
        f"remainder = {' + '.join(t.plain for t in terms)} = {result}",
        f"\\text{{remainder}} = {' + '.join(t.latex for t in terms)} = {_tex(result)}",
    )


def reduction(candidate: Candidate, write: Units) -> Formula:
    """What the split takes away; where values are missing, times the share of rows whose value is known."""
    left, right = write.square(candidate.impurity), write.square(candidate.remainder)
    body = Formula(f"{left} − {right}", f"{_tex(left)} - {_tex(right)}")
    if candidate.unknown:
        known = sum(part.n_rows for part in candidate.partitions)
        share = fraction(known, known + candidate.unknown)
        body = Formula(f"{share} · ({body.plain})", f"{_fraction(share)} \\cdot ({body.latex})")
    result = write.square(candidate.gain)
    return Formula(f"reduction = {body.plain} = {result}", f"\\text{{reduction}} = {body.latex} = {_tex(result)}")


def score(candidate: Candidate, rule: CostRule, write: Units) -> Formula:
    """The reduction, or its square, divided by what it costs to observe the feature."""
    top, cost, result = write.square(candidate.gain), quantity(candidate.cost), write.square(candidate.score)
    square = rule is CostRule.SQUARED_GAIN_OVER_COST
    above = Formula(f"({top})²", f"({_tex(top)})^2") if square else Formula(top, _tex(top))
    return Formula(
        f"score = {above.plain} / {cost} = {result}",
        f"\\text{{score}} = \\frac{{{above.latex}}}{{{_tex(cost)}}} = {_tex(result)}",
    )


def _whole(candidate: Candidate, values: Sequence[float]) -> _Rows:
    n_rows = sum(part.n_rows for part in candidate.partitions)
    mean = sum(part.n_rows * (part.mean or 0.0) for part in candidate.partitions) / n_rows
    return _Rows(values, n_rows, mean, candidate.impurity)


def _squares(rows: _Rows, write: Units, room: int) -> Formula:
    """(800 − 842)² + (826 − 842)² + (900 − 842)², or a sum sign where the values are not at hand.

    All values where `room` letters hold them, else the first two and the last, else the first and the last.
    """
    mean = write.value(rows.mean)
    if not len(rows.values):
        return Formula(f"Σ w (y − {mean})²", f"\\sum w\\,(y - {_tex(mean)})^2")
    mean = f"({mean})" if mean.startswith("−") else mean
    last = len(rows.values) - 1
    ways = [tuple(range(last + 1))] if last < MOST_VALUES else []
    ways += [(0, 1, last)] if last > 2 else []
    ways += [(0, last)] if last > 1 else []
    written = [[f"({write.value(rows.values[place])} − {mean})²" for place in way] for way in ways]
    found = next((terms for terms in written if len(" + ".join(terms)) <= room or last < 3), written[-1])
    latex = [_tex(term) for term in found]
    if len(found) <= last:
        found, latex = [*found[:-1], "…", found[-1]], [*latex[:-1], "\\dots", latex[-1]]
    plain = " + ".join(found)
    return Formula(plain if len(found) == 1 else f"({plain})", " + ".join(latex))


def _weighted(part: Partition, total: float, write: Units) -> Formula:
    share, value = fraction(part.n_rows, total), write.square(part.impurity)
    return Formula(f"{share} · {value}", f"{_fraction(share)} \\cdot {_tex(value)}")


def _fraction(text: str) -> str:
    top, slash, bottom = text.partition("/")
    return f"\\tfrac{{{top}}}{{{bottom}}}" if slash else _tex(text)


def _tex(text: str) -> str:
    """A formatted number in maths mode."""
    return "".join(_LATEX.get(character, character) for character in text)
