from __future__ import annotations

import pytest

from drawing import formulas
from engine import Criterion, GrowthSettings, grow
from tests.drawing.tables import HOSTILE, iris, tennis


def worked(criterion: Criterion) -> list[str]:
    growth = grow(tennis(), GrowthSettings.id3(criterion=criterion))
    outlook = next(c for c in growth.best_candidates(0) if c.feature == "outlook")
    return [formula.plain for formula in formulas.worked(outlook, criterion)]


def test_the_gain_of_outlook_is_worked_as_in_the_textbook() -> None:
    assert worked(Criterion.ENTROPY) == [
        "H = −9/14 log₂ 9/14 − 5/14 log₂ 5/14 = 0.940",
        "H(outlook is overcast) = −4/4 log₂ 4/4 = 0.000",
        "H(outlook is rain) = −3/5 log₂ 3/5 − 2/5 log₂ 2/5 = 0.971",
        "H(outlook is sunny) = −3/5 log₂ 3/5 − 2/5 log₂ 2/5 = 0.971",
        "remainder = 4/14 · 0 + 5/14 · 0.971 + 5/14 · 0.971 = 0.694",
        "gain = 0.940 − 0.694 = 0.247",
    ]


def test_gain_ratio_adds_split_information() -> None:
    assert worked(Criterion.GAIN_RATIO)[-2:] == [
        "split information = −4/14 log₂ 4/14 − 5/14 log₂ 5/14 − 5/14 log₂ 5/14 = 1.577",
        "gain ratio = 0.247 / 1.577 = 0.156",
    ]


def test_gini_is_one_less_the_squares() -> None:
    assert worked(Criterion.GINI)[0] == "G = 1 − (9/14)² − (5/14)² = 0.459"


def test_misclassification_is_one_less_the_greatest_share() -> None:
    assert worked(Criterion.MISCLASSIFICATION)[0] == "M = 1 − 9/14 = 0.357"


def test_latex_has_fractions_and_escaped_names() -> None:
    growth = grow(tennis())
    found = formulas.worked(growth.best_candidates(0)[0], Criterion.ENTROPY)
    assert found[4].latex == (
        r"\text{remainder} = \frac{4}{14} \cdot 0 + \frac{5}{14} \cdot 0.971 + \frac{5}{14} \cdot 0.971 = 0.694"
    )
    assert found[1].latex.startswith(r"H(\text{outlook is overcast}) = ")


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_is_a_latex_command(name: str) -> None:
    text = formulas.escaped(name)
    for known in (r"\textbackslash{}", r"\textasciicircum{}", r"\textasciitilde{}", *(f"\\{c}" for c in "{}$&#_%")):
        text = text.replace(known, "")
    assert not set(text) & set("\\{}$&#_%^~")


def test_a_threshold_is_named_in_its_parts() -> None:
    growth = grow(iris())
    found = formulas.worked(growth.best_candidates(0)[0], Criterion.ENTROPY)
    assert found[1].plain == "H(petal length (cm) < 2.45) = −50/50 log₂ 50/50 = 0.000"


def test_a_long_sum_says_how_many_terms_are_left_out() -> None:
    counts = [1] * 20
    plain = formulas.impurity(counts, 4.321928094887363, Criterion.ENTROPY).plain
    assert plain.endswith("… (12 more terms) = 4.322")
