"""C4.5's pessimistic error estimate: how many errors a leaf or a rule may make on rows not seen.

Its errors among its training rows are taken for draws from a binomial distribution, and the upper
limit of a one-sided confidence interval for the error rate stands for the rate on new rows.

Source: Quinlan 1993, section 4.2; the normal approximation is that of his program, and of Weka's J48.
"""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from engine.errors import SettingsError
from engine.table import FloatArray

CONFIDENCE = 0.25
"""C4.5's own: the smaller it is, the more pessimistic the estimate."""


def pessimistic_errors(
    n: npt.ArrayLike, errors: npt.ArrayLike, confidence: float = CONFIDENCE, binomial: bool = False
) -> FloatArray:
    """Errors to expect among as many new rows as a leaf or a rule has in training.

    Parameters
    ----------
    n : array_like
        Rows, or their weight.
    errors : array_like
        Those of them that are wrong, from 0 to `n`; broadcast against `n`.
    confidence : float
        Chance, between 0 and 1, that the error rate is above the limit.
    binomial : bool
        Whether to take the exact binomial limit (Clopper and Pearson 1934) and not C4.5's
        approximation: normal with a correction for continuity from one error on, exact for none,
        linear between none and one.

    Returns
    -------
    ndarray of float64
        In rows, from `errors` to `n` (of less than one row C4.5's may be more); 0 where there are no rows.

    Raises
    ------
    SettingsError
        If the confidence is not between 0 and 1.

    >>> pessimistic_errors([6, 16, 14], [0, 1, 5]).round(4)
    array([1.2378, 2.4757, 6.7611])
    >>> pessimistic_errors([6, 16, 14], [0, 1, 5], binomial=True).round(4)
    array([1.2378, 2.5538, 6.7692])
    >>> pessimistic_errors(16, 0.5).round(4), pessimistic_errors(0, 0)
    (np.float64(1.9018), np.float64(0.0))
    """
    if isinstance(confidence, bool) or not 0 < confidence < 1:
        raise SettingsError(f"confidence must be between 0 and 1, got {confidence}.")
    rows, wrong = np.broadcast_arrays(np.asarray(n, dtype=np.float64), np.asarray(errors, dtype=np.float64))
    limit = _binomial(rows, wrong, confidence) if binomial else _approximate(rows, wrong, confidence)
    return np.asarray(np.where(rows > 0, limit, 0.0))[()]


def _binomial(n: FloatArray, errors: FloatArray, confidence: float) -> FloatArray:
    """N times the error rate under which so few errors have the chance `confidence`."""
    from scipy.special import betaincinv  # a third of a second that a start need not wait for

    some = np.where(errors < n, n - errors, 1.0)
    return np.asarray(np.where(errors < n, n * betaincinv(errors + 1, some, 1 - confidence), n))


def _approximate(n: FloatArray, errors: FloatArray, confidence: float) -> FloatArray:
    rows = np.maximum(n, 1e-9)
    none = rows * -np.expm1(np.log(confidence) / rows)  # n (1 − confidence^(1/n))
    fewer_than_one = none + errors * (_normal(rows, 1.0, confidence) - none)
    return np.where(errors < 1, fewer_than_one, _normal(rows, errors, confidence))


def _normal(n: FloatArray, errors: FloatArray | float, confidence: float) -> FloatArray:
    """The limit of Wilson's interval for errors + ½; all rows, or more errors, where that is beyond n."""
    z2 = NormalDist().inv_cdf(1 - confidence) ** 2
    z = np.sign(0.5 - confidence) * np.sqrt(z2)
    rate = np.minimum((errors + 0.5) / n, 1.0)
    spread = z * np.sqrt(rate / n - rate**2 / n + z2 / (4 * n**2))
    limit = n * (rate + z2 / (2 * n) + spread) / (1 + z2 / n)
    return np.asarray(np.where(errors + 0.5 >= n, np.maximum(n, errors), limit))
