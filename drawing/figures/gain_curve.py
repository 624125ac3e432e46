"""Gain against the threshold of a numeric feature at a node, over the node's rows as marks by class."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from drawing.figures.base import (
    Trace,
    compact,
    label,
    make_figure,
    plain_axis,
    steady_margin,
    title,
    unseen_marks,
)
from drawing.figures.part_means import mean_lines
from drawing.figures.rows_below import rows_below
from drawing.theme import PALETTES, Mode, quantity
from drawing.wording import scores_as
from engine.criteria import Criterion
from engine.growth import Growth
from engine.scores import REJECTIONS, Scores, score_choice
from engine.settings import Choice
from engine.table import AnyArray, FloatArray, IntArray

MOST_BINS = 500
"""Bins along the axis, a least and a greatest value each, for more thresholds than twice as many."""


@dataclass(frozen=True)
class _Curve:
    """What is drawn: the scores of a feature at a node, and the rows whose values lie between its thresholds."""

    growth: Growth
    scores: Scores
    rows: IntArray
    values: FloatArray
    by_hand: Scores | None


def gain_curve_figure(
    growth: Growth,
    node: int,
    feature: str,
    *,
    by_hand: float | None = None,
    mode: Mode = Mode.LIGHT,
    height: int = 380,
) -> go.Figure:
    """The score of every threshold of `feature` at `node`.

    Parameters
    ----------
    growth : Growth
    node : int
    feature : str
        Name of a numeric feature.
    by_hand : float, optional
        A threshold set by a person, marked beside the best one where it separates the rows.
    mode : Mode
    height : int
        Pixels.

    Returns
    -------
    plotly.graph_objects.Figure
        Each threshold can be clicked: ``customdata`` is ``[threshold]``.
    """
    curve = _curve(growth, node, feature, by_hand)
    palette = PALETTES[mode]
    below = rows_below(growth.table, curve.values, curve.rows, mode)
    shapes: list[dict[str, Any]] = []
    notes: list[dict[str, Any]] = []
    best = best_threshold(curve.scores)
    write = scores_as(growth)
    if best is not None:
        _mark(shapes, notes, curve.scores, best, write, palette.accent, "solid", "best")
    if curve.by_hand is not None:
        _mark(shapes, notes, curve.by_hand, 0, write, palette.ink, "dash", "yours")
    means: list[Trace] = []
    if growth.rules.is_number and (best is not None or curve.by_hand is not None):
        shown, index = (curve.scores, best or 0) if curve.by_hand is None else (curve.by_hand, 0)
        means = mean_lines(shown, index, curve.values, mode)
    return make_figure(
        _steps(curve, mode) + below.traces + means,
        mode,
        height=height,
        keep=f"{node}|{feature}",
        margin={**steady_margin([], labels=below.names), "t": 56},
        xaxis={**plain_axis(mode), "title": title(feature), "anchor": "y2", "automargin": False},
        yaxis={
            **plain_axis(mode),
            "title": title(measure_word(growth) + (" (bits)" if growth.rules.criterion is Criterion.ENTROPY else "")),
            "domain": [below.share + 0.04, 1],
            "rangemode": "tozero",
            "showgrid": True,
            "gridcolor": palette.line,
            "nticks": 5,
            "automargin": False,
        },
        yaxis2={**below.axis, "domain": [0, below.share]},
        shapes=shapes,
        annotations=notes,
    )


def gain_curve_text(growth: Growth, node: int, feature: str, *, by_hand: float | None = None) -> str:
    """The curve in words: how many thresholds, the best one, and the one set by hand."""
    curve = _curve(growth, node, feature, by_hand)
    word = measure_word(growth)
    best = best_threshold(curve.scores)
    n = len(curve.scores)
    if not n:
        words = [f"{feature} has one value at this node, so no threshold separates its rows."]
    else:
        words = [f"{word.capitalize()} at {n} {'threshold' if n == 1 else 'thresholds'} of {feature}."]
    if best is not None:
        value, score = curve.scores.thresholds[best], curve.scores.score[best]
        words.append(f"The best is {feature} < {quantity(float(value))} with {scores_as(growth)(float(score))}.")
    elif n:
        words.append("None of them may be chosen.")
    if curve.by_hand is not None:
        value, score = curve.by_hand.thresholds[0], curve.by_hand.score[0]
        words.append(f"Yours is {feature} < {quantity(float(value))} with {scores_as(growth)(float(score))}.")
    return " ".join(words)


def measure_word(growth: Growth) -> str:
    """What the growth maximises, as the axis says it."""
    if growth.rules.is_number:
        return "reduction"
    return "gain ratio" if growth.rules.criterion is Criterion.GAIN_RATIO else "gain"


def best_threshold(scores: Scores) -> int | None:
    """The index of the best threshold that may be chosen, the lowest of equals; None if there is none."""
    return scores.best if scores.admissible.any() else None


def min_max_bins(x: AnyArray, y: AnyArray, n_bins: int = MOST_BINS) -> IntArray:
    """Indices of the least and the greatest `y` in each of `n_bins` equal bins of ascending `x`.

    The curve through them has the same outline as the whole one at that many pixels.

    >>> min_max_bins(np.arange(6.0), np.array([0, 5, 1, 2, 9, 3.0]), 2).tolist()
    [0, 1, 3, 4]
    """
    if len(x) <= 2 * n_bins:
        return np.arange(len(x))
    place = (x / 2 - x[0] / 2) / (x[-1] / 2 - x[0] / 2)
    bins = np.minimum((place * n_bins).astype(np.int64), n_bins - 1)
    order = np.lexsort((y, bins))
    ends = np.flatnonzero(np.r_[bins[order][1:] != bins[order][:-1], True])
    starts = np.r_[0, ends[:-1] + 1]
    return np.unique(np.concatenate([order[starts], order[ends]]))


def _curve(growth: Growth, node: int, feature: str, by_hand: float | None) -> _Curve:
    index = growth.table.feature_index(feature)
    rows = growth.tree.rows(node)
    choice = None if by_hand is None else Choice(growth.tree.path(node), feature, threshold=by_hand)
    hand = None if choice is None else score_choice(growth.here(node), choice)
    rows = rows[np.isfinite(growth.table.columns[index][rows])]
    return _Curve(growth, growth.scan(node, index), rows, growth.table.columns[index][rows], hand)


def _steps(curve: _Curve, mode: Mode) -> list[Trace]:
    """The score as the step function that it is (it changes at a value of the rows), and its marks."""
    palette, scores = PALETTES[mode], curve.scores
    if not len(scores):
        return []
    thresholds, score = scores.thresholds, scores.score
    shown = min_max_bins(thresholds, score)
    whole = len(shown) == len(scores)
    if whole:
        x, y = np.unique(curve.values), np.append(score, score[-1])
    else:
        x, y = thresholds[shown], score[shown]
    traces: list[Trace] = [
        {
            "type": "scatter",
            "mode": "lines",
            "x": compact(x),
            "y": compact(y),
            "line": {"width": 2.5, "color": palette.quiet, "shape": "hv" if whole else "linear"},
            "hoverinfo": "skip",
            "showlegend": False,
            "name": "curve",
        }
    ]
    rejected = scores.rejected[shown] >= 0
    for barred in (False, True):
        at = shown[rejected == barred]
        if len(at):
            traces.append(_threshold_marks(curve, at, barred, whole and len(at) <= 120, mode))
    return traces


def _threshold_marks(curve: _Curve, at: IntArray, barred: bool, visible: bool, mode: Mode) -> Trace:
    palette, scores = PALETTES[mode], curve.scores
    fill = palette.background if barred else palette.quiet
    words = "%{customdata[0]:.6~g}: " + measure_word(curve.growth) + " %{y:.3f}<extra></extra>"
    look = {"size": 8, "color": fill, "line": {"width": 1.5, "color": palette.quiet}}
    drawn: Trace = {"type": "scatter", "mode": "markers", "marker": look, "showlegend": False}
    trace: Trace = {
        **(drawn if visible else unseen_marks()),
        "x": compact(scores.thresholds[at]),
        "y": compact(scores.score[at]),
        "customdata": scores.thresholds[at][:, None],
        "hovertemplate": words,
        "name": "barred thresholds" if barred else "thresholds",
    }
    if barred:
        reasons = [REJECTIONS[code].value.replace("_", " ") for code in scores.rejected[at].tolist()]
        trace |= {"text": reasons, "hovertemplate": words.replace("<extra>", ", %{text}<extra>")}
    return trace


def _mark(
    shapes: list[dict[str, Any]],
    notes: list[dict[str, Any]],
    scores: Scores,
    index: int,
    write: Callable[[float], str],
    colour: str,
    dash: str,
    word: str,
) -> None:
    """A line across both parts at a threshold, with its score above."""
    threshold, score = float(scores.thresholds[index]), float(scores.score[index])
    line = {"color": colour, "width": 2.5, "dash": dash}
    ends = {"x0": threshold, "x1": threshold, "y0": 0, "y1": 1, "yref": "paper"}
    shapes.append({"type": "line", "line": line, **ends})
    notes.append(
        {
            "x": threshold,
            "y": 1,
            "yref": "paper",
            "yanchor": "bottom",
            # One above the other, so that neighbours can be read.
            "yshift": 18 * len(notes),
            "showarrow": False,
            "text": label(f"{word}: < {quantity(threshold)}, {write(score)}", 40),
            "font": {"color": colour, "size": 14},
        }
    )
