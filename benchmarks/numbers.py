"""Medians and percentiles of measurements."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def percentile(values: Sequence[float], share: float) -> float:
    """The value that `share` per cent of the measurements do not exceed; NaN of none."""
    return float(np.percentile(values, share)) if len(values) else float("nan")
