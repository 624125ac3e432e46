"""The sums of a step of an ensemble, worked with its own numbers, as plain text and as LaTeX."""

from __future__ import annotations

import numpy as np

from drawing.ensembles import Words, factors, mistakes, rough
from drawing.formulas import Formula
from drawing.theme import number, quantity
from engine.ensembles import Ensemble, EnsembleMethod, Member
from engine.table import FloatArray

_MOST_TERMS = 4
"""Different weights up to which a sum of them is written out."""


def worked(ensemble: Ensemble, member: Member | None) -> tuple[Formula, ...]:
    """The equations of a member, or of the start, in the order in which one works them."""
    method = ensemble.settings.method
    if method is EnsembleMethod.ADABOOST:
        return _boosting(ensemble, member)
    if method is EnsembleMethod.GRADIENT_BOOSTING:
        return _gradient(ensemble, member)
    return ()


def _boosting(ensemble: Ensemble, member: Member | None) -> tuple[Formula, ...]:
    n = ensemble.base.n_rows
    if member is None or member.weights is None or member.error is None or member.confidence is None:
        first = number(1 / n)
        return (Formula(f"w = 1/{n} = {first}", f"w = \\frac{{1}}{{{n}}} = {first}"),)
    epsilon, confidence = number(member.error), number(member.confidence)
    wrong = mistakes(ensemble, member)
    found = [_error(member.weights[wrong], epsilon)]
    more, more_latex, classes = "", "", ensemble.table.n_classes
    if classes > 2:
        more, more_latex = f" + ½ ln {classes - 1}", f" + \\tfrac12 \\ln {classes - 1}"
    rate = ensemble.settings.rate
    times = "" if rate == 1 else f"{rough(rate)} · "
    left, right = ("(", ")") if times and more else ("", "")
    found.append(
        Formula(
            f"confidence = {times}{left}½ ln((1 − {epsilon})/{epsilon}){more}{right} = {confidence}",
            f"\\alpha = {times.replace('·', chr(92) + 'cdot')}{left}\\tfrac12 \\ln\\frac{{1 - {epsilon}}}{{{epsilon}}}"
            f"{more_latex}{right} = {confidence}",
        )
    )
    for name, factor, formula in zip(("wrong", "right"), factors(ensemble, member), _factors(classes), strict=True):
        if factor is not None and rate == 1:
            plain, latex = (text.replace("ε", epsilon) for text in formula)
            found.append(Formula(f"{name}: w × {plain} = w × {number(factor)}", _times(name, latex, number(factor))))
    return tuple(found)


def _error(weights: FloatArray, epsilon: str) -> Formula:
    """ε as the sum of the weights of the wrong rows, equal ones together where there are few."""
    n = len(weights)
    values, counts = np.unique([rough(weight) for weight in weights.tolist()], return_counts=True)
    if not n or len(values) > _MOST_TERMS:
        latex = f"\\varepsilon = \\sum_{{\\text{{{n} wrong}}}} w = {epsilon}"
        return Formula(f"ε = Σ w of {n} wrong rows = {epsilon}", latex)
    pairs = list(zip(counts.tolist(), values.tolist(), strict=True))
    plain = " + ".join(value if count == 1 else f"{count} · {value}" for count, value in pairs)
    latex = " + ".join(value if count == 1 else f"{count} \\cdot {value}" for count, value in pairs)
    return Formula(f"ε = {plain} = {epsilon}", f"\\varepsilon = {latex} = {epsilon}")


def _times(name: str, latex: str, factor: str) -> str:
    return f"w_{{\\text{{{name}}}}} \\times {latex} = w \\times {factor}"


def _factors(n_classes: int) -> tuple[tuple[str, str], tuple[str, str]]:
    """What a wrong and a right row's weight is multiplied by, with ε in place of its value."""
    if n_classes <= 2:
        return ("1/(2 · ε)", "\\frac{1}{2 \\cdot ε}"), ("1/(2 · (1 − ε))", "\\frac{1}{2 \\cdot (1 - ε)}")
    up, k = n_classes - 1, n_classes
    return (
        (f"{up}/({k} · ε)", f"\\frac{{{up}}}{{{k} \\cdot ε}}"),
        (f"1/({k} · (1 − ε))", f"\\frac{{1}}{{{k} \\cdot (1 - ε)}}"),
    )


def _gradient(ensemble: Ensemble, member: Member | None) -> tuple[Formula, ...]:
    table, start = ensemble.table, ensemble.initial
    if member is None or member.residuals is None:
        if isinstance(start, tuple) or start is None:
            return ()
        if not table.n_classes:
            value, n = quantity(start), table.n_rows
            return (Formula(f"M₀ = Σ y / {n} = {value}", f"M_0 = \\frac{{\\sum y}}{{{n}}} = {value}"),)
        p = float(np.mean(table.target_values == 1))
        odds = f"{number(p)}/{number(1 - p)}"
        latex = f"F_0 = \\ln\\frac{{{number(p)}}}{{{number(1 - p)}}} = {number(start)}"
        return (Formula(f"F₀ = ln({odds}) = {number(start)}", latex),)
    rate, step = rough(ensemble.rule.rate), (member.round or 0) + 1
    square = rough(float(np.square(member.residuals).mean()))
    what = "y - F" if not table.n_classes else "y - p"
    found = [
        Formula(
            f"residual = {what.replace('-', '−')}; mean square {square}",
            f"r = {what}, \\quad \\tfrac1n \\sum r^2 = {square}",
        ),
        Formula(
            f"F{step} = F{step - 1} + {rate} × tree",
            f"F_{{{step}}} = F_{{{step - 1}}} + {rate} \\cdot \\text{{tree}}_{{{step}}}",
        ),
    ]
    if table.n_classes:
        found.insert(1, Formula("leaf = Σ r / Σ |r|(1 − |r|)", _leaf(table.n_classes)))
    errors, words = ensemble.training_curve.errors, Words(ensemble)
    if not table.n_classes and step < len(errors):
        said = f"{words.error(float(errors[step - 1]))} → {words.error(float(errors[step]))}"
        latex = said.replace("→", "\\to")
        found.append(Formula(f"mean squared error: {said}", f"\\text{{mean squared error: }} {latex}"))
    return tuple(found)


def _leaf(n_classes: int) -> str:
    factor = f"\\frac{{{n_classes - 1}}}{{{n_classes}}} \\cdot " if n_classes > 2 else ""
    return f"\\text{{leaf}} = {factor}\\frac{{\\sum r}}{{\\sum |r|(1 - |r|)}}"
