"""C4.5's pessimistic errors against the program's rule restated, and the exact limit against scipy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, norm

from engine import SettingsError
from engine.estimates import pessimistic_errors

rows = st.floats(0.05, 200.0)
shares = st.floats(0.0, 1.0)
confidences = st.floats(0.01, 0.5)


def added(n: float, errors: float, confidence: float) -> float:
    """What the program adds to the errors of a leaf, step by step."""
    if errors < 1:
        none = n * (1 - confidence ** (1 / n))
        return none if errors == 0 else none + errors * (added(n, 1, confidence) - none)
    if errors + 0.5 >= n:
        return max(n - errors, 0)
    z = float(norm.ppf(1 - confidence))
    f = (errors + 0.5) / n
    rate = (f + z * z / (2 * n) + z * math.sqrt(f / n - f * f / n + z * z / (4 * n * n))) / (1 + z * z / n)
    return rate * n - errors


@pytest.mark.parametrize(("n", "errors", "expected"), [(6, 0, 1.2378), (16, 1, 2.4757), (14, 5, 6.7611), (1, 0, 0.75)])
def test_the_approximation_gives_the_printed_numbers(n: int, errors: int, expected: float) -> None:
    assert pessimistic_errors(n, errors) == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize(("n", "errors", "expected"), [(16, 1, 2.5538), (14, 5, 6.7692)])
def test_the_exact_limit_gives_the_printed_numbers(n: int, errors: int, expected: float) -> None:
    assert pessimistic_errors(n, errors, binomial=True) == pytest.approx(expected, abs=5e-5)


@given(rows, shares, confidences)
def test_the_approximation_is_the_programs(n: float, share: float, confidence: float) -> None:
    errors = n * share
    expected = errors + added(n, errors, confidence)
    assert pessimistic_errors(n, errors, confidence) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@given(st.integers(1, 200), shares, confidences)
def test_the_exact_limit_is_a_quantile_of_the_beta_distribution(n: int, share: float, confidence: float) -> None:
    errors = round(share * n)
    expected = n * beta.ppf(1 - confidence, errors + 1, n - errors) if errors < n else n
    assert pessimistic_errors(n, errors, confidence, binomial=True) == pytest.approx(expected, rel=1e-9)


@given(st.floats(1.0, 200.0), shares, confidences, st.booleans())
def test_the_estimate_lies_between_the_errors_and_the_rows(
    n: float, share: float, confidence: float, exact: bool
) -> None:
    errors = min(n * share, n)
    estimate = float(pessimistic_errors(n, errors, confidence, binomial=exact))
    assert errors - 1e-9 <= estimate <= n + 1e-9


def test_no_rows_have_no_errors() -> None:
    assert pessimistic_errors(0, 0) == 0
    assert pessimistic_errors(0.0, 0.0, binomial=True) == 0


@pytest.mark.parametrize("exact", [False, True])
def test_many_at_once_are_the_same_as_one_by_one(exact: bool) -> None:
    n, errors = np.meshgrid(np.arange(1, 30), np.arange(0, 30))
    keep = errors <= n
    together = pessimistic_errors(n[keep], errors[keep], binomial=exact)
    alone = [pessimistic_errors(a, b, binomial=exact) for a, b in zip(n[keep], errors[keep], strict=True)]
    assert together == pytest.approx(alone, rel=1e-12)


@pytest.mark.parametrize("confidence", [0, 1, -0.1, 2, float("nan"), True])
def test_a_confidence_out_of_range_is_refused(confidence: float) -> None:
    with pytest.raises(SettingsError, match="confidence must be between 0 and 1"):
        pessimistic_errors(3, 1, confidence)
