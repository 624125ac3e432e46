"""The mean of a number on either side of a threshold, as lines among the rows below the gain curve."""

from __future__ import annotations

import numpy as np

from drawing.figures.base import Trace, compact
from drawing.theme import PALETTES, Mode
from engine.scores import Scores
from engine.table import FloatArray


def part_means(scores: Scores, index: int) -> list[float | None]:
    """The mean below candidate `index` of a numeric feature and the mean from it on; None of no rows."""
    sums = scores.counts[:, :2, index]
    return [scores.centre + float(first / n) if n else None for n, first in zip(sums[0], sums[1], strict=True)]


def mean_lines(scores: Scores, index: int, values: FloatArray, mode: Mode) -> list[Trace]:
    """A line from the least value to the threshold and one from there to the greatest, on ``y2``."""
    below, above = part_means(scores, index)
    if not len(values) or below is None or above is None:
        return []
    cut = float(scores.thresholds[index])
    gap = np.nan
    return [
        {
            "type": "scatter",
            "mode": "lines",
            "x": compact(np.array([min(float(values.min()), cut), cut, gap, cut, max(float(values.max()), cut)])),
            "y": compact(np.array([below, below, gap, above, above])),
            "yaxis": "y2",
            "line": {"width": 2.5, "color": PALETTES[mode].ink},
            "hoverinfo": "skip",
            "showlegend": False,
            "name": "means",
        }
    ]
