"""The score of every threshold of a feature under every criterion, each scaled to its own maximum."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go

from drawing.comparison import LETTERS, criterion_name
from drawing.figures.base import Trace, compact, label, make_figure, plain_axis, steady_margin, title
from drawing.figures.gain_curve import min_max_bins
from drawing.theme import PALETTES, Mode, number, quantity
from engine.criteria import Criterion
from engine.scores import Scores

_DASHES = ("dot", "dashdot", "longdash")
"""The looks of the criteria that neither side grows by."""


def scaled_curves_figure(
    curves: Mapping[Criterion, Scores],
    feature: str,
    sides: tuple[Criterion, Criterion],
    *,
    mode: Mode = Mode.LIGHT,
    height: int = 320,
) -> go.Figure:
    """One curve a criterion over the thresholds of a numeric feature, with its best threshold marked.

    Parameters
    ----------
    curves : mapping of Criterion to Scores
        All candidates of the feature at one node under each criterion.
    feature : str
    sides : tuple of Criterion
        Those of the two trees; their curves stand out.
    mode : Mode
    height : int
        Pixels.
    """
    palette = PALETTES[mode]
    others = iter(_DASHES * 2)
    traces: list[Trace] = []
    for criterion, scores in curves.items():
        if criterion is sides[0]:
            line = {"color": palette.accent, "width": 3.5, "dash": "solid"}
        elif criterion is sides[1]:
            line = {"color": palette.ink, "width": 3, "dash": "dash"}
        else:
            line = {"color": palette.quiet, "width": 1.8, "dash": next(others)}
        if len(scores):
            traces += _curve(scores, name(criterion, sides), line)
    axes: list[dict[str, Any]] = [
        {**plain_axis(mode), "title": title(feature)},
        {
            **plain_axis(mode),
            "title": title("score ÷ its maximum"),
            "range": [-0.06, 1.1],
            "showgrid": True,
            "gridcolor": palette.line,
            "nticks": 5,
        },
    ]
    keys = [trace["name"] for trace in traces if trace["mode"] == "lines"]
    return make_figure(
        traces,
        mode,
        height=height,
        keep=f"scaled|{feature}",
        margin=steady_margin(axes, keys=keys),
        xaxis=axes[0],
        yaxis=axes[1],
    )


def scaled_curves_text(curves: Mapping[Criterion, Scores], feature: str, sides: tuple[Criterion, Criterion]) -> str:
    """The curves in words: where each criterion has its best threshold."""
    if not any(len(scores) for scores in curves.values()):
        return f"{feature} has one value at this node, so no threshold separates its rows."
    said = [
        f"{name(criterion, sides)} is greatest at {feature} < {quantity(_best(scores))} with "
        f"{number(float(scores.score.max()))}"
        for criterion, scores in curves.items()
    ]
    return "; ".join(said) + "."


def name(criterion: Criterion, sides: tuple[Criterion, Criterion]) -> str:
    """A criterion, with the letters of the sides that grow by it.

    >>> name(Criterion.GINI, (Criterion.ENTROPY, Criterion.GINI))
    'Gini (B)'
    """
    letters = [letter for letter, side in zip(LETTERS.values(), sides, strict=True) if side is criterion]
    said = criterion_name(criterion)
    return f"{said} ({', '.join(letters)})" if letters else said


def _curve(scores: Scores, said: str, line: dict[str, Any]) -> list[Trace]:
    shown = min_max_bins(scores.thresholds, scores.score)
    greatest = float(scores.score.max())
    scaled = scores.score / greatest if greatest > 0 else np.zeros(len(scores))
    best = int(scaled.argmax())
    words = f"{label(said)}: %{{text}} at %{{x:.6~g}}<extra></extra>"
    return [
        {
            "type": "scatter",
            "mode": "lines",
            "x": compact(scores.thresholds[shown]),
            "y": scaled[shown].astype(np.float32),
            "text": [number(value) for value in scores.score[shown].tolist()],
            "hovertemplate": words,
            "line": line,
            "name": label(said, 34),
        },
        {
            "type": "scatter",
            "mode": "markers",
            "x": scores.thresholds[best : best + 1],
            "y": scaled[best : best + 1].astype(np.float32),
            "text": [number(greatest)],
            "hovertemplate": words,
            "marker": {"color": line["color"], "size": 11, "symbol": "circle"},
            "showlegend": False,
            "name": "best",
        },
    ]


def _best(scores: Scores) -> float:
    return float(scores.thresholds[int(scores.score.argmax())])
