"""The sums behind a candidate, worked with its own counts: as plain text and as LaTeX.

Exact fractions of rows stand beside decimals. Every result is the engine's, none is computed here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from drawing.phrases import condition, measure, plain
from drawing.theme import fraction, number, quantity
from engine import Candidate, CostRule, Criterion, Partition

MOST_TERMS = 8
"""A longer sum is written with its first terms and how many more there are."""


@dataclass(frozen=True)
class Formula:
    """One worked equation; `latex` is for KaTeX's maths mode, names in it escaped."""

    plain: str
    latex: str


def worked(candidate: Candidate, criterion: Criterion, cost_rule: CostRule | None = None) -> tuple[Formula, ...]:
    """The equations that lead to a candidate's score, in the order in which one works them.

    The impurity of the node, of each part that has rows, the remainder and the gain; for the gain
    ratio the split information and the ratio as well; with a rule for costs the score. Where values
    are missing and their rows go down every branch, impurities are those of the known rows.
    """
    parts = [part for part in candidate.partitions if part.n_rows]
    found = [
        node_impurity(candidate, criterion),
        *(partition_impurity(part, criterion) for part in parts[:MOST_TERMS]),
        remainder(candidate),
        gain(candidate),
    ]
    if criterion is Criterion.GAIN_RATIO:
        found += [split_information(candidate), gain_ratio(candidate)]
    if cost_rule is not None:
        found.append(score(candidate, criterion, cost_rule))
    return tuple(found)


def node_impurity(candidate: Candidate, criterion: Criterion) -> Formula:
    """The impurity of the node at which the candidate was considered, of the rows whose value is known."""
    counts = [sum(column) for column in zip(*(part.counts for part in candidate.partitions), strict=True)]
    of = f"{plain(candidate.feature)} is known" if candidate.unknown else ""
    return impurity(counts, candidate.impurity, criterion, of=of)


def partition_impurity(part: Partition, criterion: Criterion) -> Formula:
    """The impurity of one part, named by its condition."""
    return impurity(part.counts, part.impurity, criterion, of=condition(part.condition))


def impurity(counts: Sequence[float], value: float, criterion: Criterion, of: str = "") -> Formula:
    r"""An impurity of class counts, most frequent class first; `value` is the engine's result.

    >>> impurity([5, 9], 0.9402859586706311, Criterion.ENTROPY).plain
    'H = −9/14 log₂ 9/14 − 5/14 log₂ 5/14 = 0.940'
    >>> impurity([5, 9], 0.45918367346938777, Criterion.GINI).plain
    'G = 1 − (9/14)² − (5/14)² = 0.459'
    >>> impurity([5, 9], 0.35714285714285715, Criterion.MISCLASSIFICATION).latex
    'M = 1 - \\frac{9}{14} = 0.357'
    """
    symbol = measure(criterion).symbol
    head = Formula(f"{symbol}({of})", f"{symbol}(\\text{{{escaped(of)}}})") if of else Formula(symbol, symbol)
    present = sorted((count for count in counts if count), reverse=True)
    shares = [_share(count, sum(present)) for count in present]
    match criterion:
        case Criterion.ENTROPY | Criterion.GAIN_RATIO:
            body = _information(shares)
        case Criterion.GINI:
            squares = [Formula(f"({share.plain})²", f"\\left({share.latex}\\right)^2") for share in shares]
            body = joined([Formula("1", "1"), *squares], " − ", " - ")
        case Criterion.MISCLASSIFICATION:
            body = joined([Formula("1", "1"), *shares[:1]], " − ", " - ")
        case Criterion.VARIANCE | Criterion.SQUARED_ERROR:
            return _equation(head, value)
    return _equation(head, value, body) if shares else _equation(head, value)


def remainder(candidate: Candidate) -> Formula:
    """The impurity that is left after the split: each part's, weighted by its share of the rows."""
    total = sum(part.n_rows for part in candidate.partitions)
    terms = []
    for part in candidate.partitions:
        if part.n_rows:
            share, value = _share(part.n_rows, total), _short(part.impurity)
            terms.append(Formula(f"{share.plain} · {value}", f"{share.latex} \\cdot {maths(value)}"))
    return _equation(named("remainder"), candidate.remainder, joined(terms, " + ", " + "))


def gain(candidate: Candidate) -> Formula:
    """The impurity of the node less the remainder, times the share of rows whose value is known (F)."""
    left, right = _short(candidate.impurity), _short(candidate.remainder)
    body = Formula(f"{left} − {right}", f"{maths(left)} - {maths(right)}")
    if candidate.unknown:
        known = sum(part.n_rows for part in candidate.partitions)
        share = _share(known, known + candidate.unknown)
        body = Formula(f"{share.plain} · ({body.plain})", f"{share.latex} \\cdot ({body.latex})")
    return _equation(named("gain"), candidate.gain, body)


def split_information(candidate: Candidate) -> Formula:
    """The entropy of the sizes of the parts; the rows whose value is missing are one more."""
    sizes = [part.n_rows for part in candidate.partitions if part.n_rows]
    sizes += [candidate.unknown] if candidate.unknown else []
    body = _information([_share(size, sum(sizes)) for size in sizes])
    return _equation(named("split information"), candidate.split_information, body)


def gain_ratio(candidate: Candidate) -> Formula:
    """The gain divided by the split information."""
    top, bottom = _short(candidate.gain), _short(candidate.split_information)
    body = Formula(f"{top} / {bottom}", f"\\frac{{{maths(top)}}}{{{maths(bottom)}}}")
    if not candidate.split_information:
        return _equation(named("gain ratio"), candidate.gain_ratio)
    return _equation(named("gain ratio"), candidate.gain_ratio, body)


def score(candidate: Candidate, criterion: Criterion, rule: CostRule) -> Formula:
    """The gain (ratio), or its square, divided by what it costs to observe the feature."""
    top = _short(candidate.gain_ratio if criterion is Criterion.GAIN_RATIO else candidate.gain)
    cost = quantity(candidate.cost)
    square = rule is CostRule.SQUARED_GAIN_OVER_COST
    above = Formula(f"{top}²", f"{maths(top)}^2") if square else Formula(top, maths(top))
    body = Formula(f"{above.plain} / {cost}", f"\\frac{{{above.latex}}}{{{maths(cost)}}}")
    return _equation(named("score"), candidate.score, body)


def escaped(text: str) -> str:
    r"""A name inside ``\text{…}``: nothing in it is a command.

    >>> escaped("50% of $x_1$")
    '50\\% of \\$x\\_1\\$'
    """
    return "".join(_LATEX.get(character, character) for character in plain(text, None))


_LATEX = {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "≥": r"\(\geq\)",
    "≤": r"\(\leq\)",
    **{character: f"\\{character}" for character in "{}$&#_%"},
}


def _information(shares: Sequence[Formula]) -> Formula:
    terms = [Formula(f"{s.plain} log₂ {s.plain}", f"{s.latex} \\log_2 {s.latex}") for s in shares]
    body = joined(terms, " − ", " - ")
    return Formula(f"−{body.plain}", f"-{body.latex}")


def joined(terms: Sequence[Formula], plain_sign: str, latex_sign: str, most: int = MOST_TERMS) -> Formula:
    """Terms with signs between them; of many the first `most`."""
    more = len(terms) - most
    if more > 1:
        rest = Formula(f"… ({more} more terms)", f"\\dots \\text{{ ({more} more terms)}}")
        terms = [*terms[:most], rest]
    return Formula(plain_sign.join(t.plain for t in terms), latex_sign.join(t.latex for t in terms))


def _equation(head: Formula, value: float, body: Formula | None = None) -> Formula:
    result = number(value)
    middle = Formula(f" = {body.plain}", f" = {body.latex}") if body else Formula("", "")
    return Formula(f"{head.plain}{middle.plain} = {result}", f"{head.latex}{middle.latex} = {maths(result)}")


def named(words: str) -> Formula:
    """Words in an equation."""
    return Formula(words, f"\\text{{{words}}}")


def _share(count: float, total: float) -> Formula:
    text = fraction(count, total)
    top, slash, bottom = text.partition("/")
    return Formula(text, f"\\frac{{{top}}}{{{bottom}}}" if slash else maths(text))


def _short(value: float) -> str:
    """Three decimals, but a zero as 0."""
    return "0" if abs(value) < 1e-12 else number(value)


def maths(text: str) -> str:
    """A formatted number in maths mode: a real minus, and no space after the comma of thousands."""
    return text.replace("−", "-").replace(",", "{,}")
