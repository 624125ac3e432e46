"""The sums behind a decision of a pruning, worked with its own numbers: as plain text and as LaTeX.

The results are the engine's; what stands before them is how one works them by hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist

from drawing.formulas import Formula, escaped
from drawing.pruning import Words, p_value
from drawing.theme import number, quantity, weight
from engine.pruning import (
    ChiSquareDecision,
    DescriptionDecision,
    PruningDecision,
    PruningMethod,
    Term,
)

MOST_TERMS = 8
"""A longer sum is written with its first terms and how many more there are."""


def worked(words: Words, decision: PruningDecision) -> tuple[Formula, ...]:
    """The equations that lead to both sides of a decision, in the order in which one works them."""
    if isinstance(decision, ChiSquareDecision):
        return _chi_square(words, decision)
    if isinstance(decision, DescriptionDecision):
        return _description(words, decision)
    if words.method is PruningMethod.COST_COMPLEXITY:
        return _link(words, decision)
    if words.method is PruningMethod.PESSIMISTIC:
        return (*_estimates(words, decision), *_sides(words, decision))
    return _sides(words, decision)


def added(words: Words, decision: PruningDecision) -> str:
    """What the leaves of the subtree add up: `1 + 0 + 2`."""
    return _sum([words.cost(term.cost, unit=False) for term in words.pruning.terms(decision.index)])


def name_of(words: Words, term: Term) -> str:
    """A summand by its place in the tree."""
    said = words.title(term.node)
    return said if term.is_leaf else f"at {said} itself"


def _sides(words: Words, decision: PruningDecision) -> tuple[Formula, ...]:
    """The subtree as the sum of its leaves, the leaf in its place, and how they stand."""
    terms = [words.cost(term.cost, unit=False) for term in words.pruning.terms(decision.index)]
    if words.method is PruningMethod.REDUCED_ERROR_GREEDY:
        costs = words.pruning.costs
        assert costs is not None
        own = words.cost(float(costs.leaf[decision.node]), unit=False)
        kept, pruned = (words.cost(value, unit=False) for value in (decision.kept_cost, decision.pruned_cost))
        subtree = _sum(terms)
        body = f"{kept} − {_bracketed(subtree)} + {own}"
        return (
            _equation("whole tree", kept),
            _equation("without the split", f"{body} = {pruned}"),
            _verdict(decision, pruned, kept),
        )
    kept, pruned = (words.cost(value, unit=False) for value in (decision.kept_cost, decision.pruned_cost))
    return (
        _equation("subtree", f"{_sum(terms)} = {kept}" if len(terms) > 1 else kept),
        _equation("leaf", pruned),
        _verdict(decision, pruned, kept),
    )


def _link(words: Words, decision: PruningDecision) -> tuple[Formula, ...]:
    assert decision.alpha is not None
    kept, pruned, g = words.risk(decision.kept_cost), words.risk(decision.pruned_cost), words.alpha(decision.alpha)
    leaves = decision.n_leaves
    return (
        _equation("R(leaf)", pruned),
        _equation("R(subtree)", kept),
        Formula(
            f"g = ({pruned} − {kept}) / ({leaves} − 1) = {g}",
            f"g = \\frac{{{_maths(pruned)} - {_maths(kept)}}}{{{leaves} - 1}} = {_maths(g)}",
        ),
    )


def _estimates(words: Words, decision: PruningDecision) -> tuple[Formula, ...]:
    """The estimate of each leaf that differs, and of the leaf in the subtree's place."""
    pruning, nodes = words.pruning, words.tree.nodes
    places = [term.node for term in pruning.terms(decision.index)] + [decision.node]
    pairs: dict[tuple[float, float], float] = {}
    costs = pruning.costs
    assert costs is not None
    for node in places:
        rows = float(nodes.size[node])
        wrong = rows - float(nodes.counts[node][int(nodes.prediction[node])])
        if rows:
            pairs[(rows, wrong)] = float(costs.leaf[node])
    settings = pruning.settings
    return tuple(
        _estimate(rows, wrong, value, settings.confidence, settings.binomial)
        for (rows, wrong), value in list(pairs.items())[:MOST_TERMS]
    )


def _estimate(rows: float, wrong: float, value: float, confidence: float, binomial: bool) -> Formula:
    """C4.5's estimate: exact for no errors, else the normal approximation with a correction for continuity."""
    n, e, result, c = weight(rows), weight(wrong), number(value), quantity(confidence)
    head = f"U({e}, {n})"
    if binomial:
        said = f"{n} · q, where {e} errors or fewer have the chance {c}"
        return Formula(f"{head} = {said} = {result}", f"{head} = \\text{{{escaped(said)}}} = {result}")
    if wrong == 0:
        return Formula(
            f"{head} = {n} · (1 − {c}^(1/{n})) = {result}",
            f"{head} = {n} \\left(1 - {c}^{{1/{n}}}\\right) = {result}",
        )
    if wrong < 1 or wrong + 0.5 >= rows:
        return Formula(f"{head} = {result}", f"{head} = {result}")
    z = number(NormalDist().inv_cdf(1 - confidence))
    f = f"\\tfrac{{{quantity(wrong + 0.5)}}}{{{n}}}"
    z2 = f"\\tfrac{{z^2}}{{{quantity(4 * rows * rows)}}}"
    top = f"f + \\tfrac{{z^2}}{{{quantity(2 * rows)}}} + z\\sqrt{{\\tfrac{{f - f^2}}{{{n}}} + {z2}}}"
    return Formula(
        f"{head} = {n} · (f + z²/{quantity(2 * rows)} + z·√((f − f²)/{n} + z²/{quantity(4 * rows * rows)})) "
        f"/ (1 + z²/{n}) = {result}, with f = {quantity(wrong + 0.5)}/{n}, z = {z}",
        f"{head} = {n} \\cdot \\frac{{{top}}}{{1 + z^2/{n}}} = {result}, \\quad f = {f},\\ z = {_maths(z)}",
    )


def _chi_square(words: Words, decision: ChiSquareDecision) -> tuple[Formula, ...]:
    """Observed and expected counts of each branch and class, the sum, and its p value."""
    tree = words.tree
    children = [child for child in tree.children(decision.node).tolist() if tree.nodes.size[child]]
    counts = tree.nodes.counts[children]
    total, classes = counts.sum(), [c for c in range(counts.shape[1]) if counts[:, c].any()]
    plain, latex = [], []
    for row in counts:
        for code in classes:
            observed, expected = float(row[code]), float(row.sum() * counts[:, code].sum() / total)
            o, e = weight(observed), number(expected).rstrip("0").rstrip(".")
            plain.append(f"({o} − {e})²/{e}")
            latex.append(f"\\tfrac{{({o} - {e})^2}}{{{e}}}")
    result = number(decision.statistic)
    freedom = decision.degrees_of_freedom
    p, level = p_value(decision.p_value), quantity(decision.pruned_cost)
    sign = ">" if decision.is_pruned else "≤"
    return (
        Formula(f"χ² = {_joined(plain)} = {result}", f"\\chi^2 = {_joined(latex)} = {_maths(result)}"),
        Formula(
            f"degrees of freedom = ({len(children)} − 1)({len(classes)} − 1) = {freedom}",
            f"\\text{{degrees of freedom}} = ({len(children)} - 1)({len(classes)} - 1) = {freedom}",
        ),
        Formula(f"p = {p} {sign} {level}", f"p = {_maths(p)} {_maths(sign)} {level}"),
    )


def _description(words: Words, decision: DescriptionDecision) -> tuple[Formula, ...]:
    """Tree bits and exception bits of both sides."""
    tree, node = words.tree, decision.node
    n, k = float(tree.nodes.size[node]), tree.table.n_classes
    wrong = n - float(tree.nodes.counts[node][int(tree.nodes.prediction[node])])
    kept, pruned = decision.kept_bits, decision.pruned_bits
    rows, e = weight(n), weight(wrong)
    listed = f"log₂ {quantity(n + 1)} + log₂ C({rows}, {e}) + {e} · log₂ {max(k - 1, 1)}"
    listed_latex = f"\\log_2 {quantity(n + 1)} + \\log_2 \\tbinom{{{rows}}}{{{e}}} + {e} \\log_2 {max(k - 1, 1)}"
    return (
        Formula(
            f"subtree = {number(kept.tree)} for the tree + {number(kept.exceptions)} for exceptions "
            f"= {number(decision.kept_cost)} bits",
            f"\\text{{subtree}} = \\underbrace{{{number(kept.tree)}}}_{{\\text{{tree}}}} + "
            f"\\underbrace{{{number(kept.exceptions)}}}_{{\\text{{exceptions}}}} = {number(decision.kept_cost)}",
        ),
        Formula(
            f"leaf = 1 + log₂ {k} + {listed} = {number(pruned.tree)} + {number(pruned.exceptions)} "
            f"= {number(decision.pruned_cost)} bits",
            f"\\text{{leaf}} = \\underbrace{{1 + \\log_2 {k}}}_{{\\text{{tree}}}} + "
            f"\\underbrace{{{listed_latex}}}_{{\\text{{exceptions}}}} = {number(decision.pruned_cost)}",
        ),
        _verdict(decision, number(decision.pruned_cost), number(decision.kept_cost)),
    )


def _verdict(decision: PruningDecision, pruned: str, kept: str) -> Formula:
    """The inequality, and what follows."""
    sign = "≤" if decision.is_pruned else ">"
    word = "cut" if decision.is_pruned else "kept"
    return Formula(
        f"{pruned} {sign} {kept}: {word}", f"{_maths(pruned)} {_maths(sign)} {_maths(kept)}: \\text{{{word}}}"
    )


def _equation(name: str, body: str) -> Formula:
    return Formula(f"{name} = {body}", f"\\text{{{escaped(name)}}} = {_maths(body)}")


def _sum(terms: Sequence[str]) -> str:
    return _joined(terms) if terms else "0"


def _bracketed(text: str) -> str:
    return f"({text})" if "+" in text else text


def _joined(terms: Sequence[str]) -> str:
    shown = list(terms[:MOST_TERMS])
    if len(terms) > MOST_TERMS:
        shown.append(f"… ({len(terms) - MOST_TERMS} more)")
    return " + ".join(shown)


def _maths(text: str) -> str:
    """A plain number or sum in LaTeX's signs."""
    signs = {"−": "-", "≤": "\\le", "…": "\\ldots", "<0": "<\\,0", ",": "{,}", "more": "\\text{ more}", "%": "\\%"}
    for sign, latex in signs.items():
        text = text.replace(sign, latex)
    return text
