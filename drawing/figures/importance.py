"""How much a tree owes to each feature, as bars: of the impurity removed, or of the score lost."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from drawing.figures.base import Trace, label, make_figure, plain_axis, see_through
from drawing.theme import PALETTES, Mode, number
from engine.importance import Permutation
from engine.table import FloatArray, IntArray

MOST_BARS = 20
"""Features that get a bar."""
_BAR = 30


def importance_order(shares: FloatArray, unused: Sequence[int]) -> IntArray:
    """The features that are tested, the most important first, of equals in column order; at most twenty.

    >>> importance_order(np.array([0.2, 0.0, 0.5, 0.3]), [1])
    array([2, 3, 0])
    """
    order = np.argsort(-np.round(shares, 12), kind="stable")
    return np.asarray(order[~np.isin(order, unused)][:MOST_BARS])


def impurity_figure(names: Sequence[str], shares: FloatArray, *, mode: Mode = Mode.LIGHT) -> go.Figure:
    """One bar a feature, the first on top: its share of the impurity that the splits remove.

    Parameters
    ----------
    names : sequence of str
        Unescaped.
    shares : ndarray of shape (n_features,)
    mode : Mode
    """
    return _bars(names, shares, [number(share) for share in shares.tolist()], None, mode)


def permutation_figure(
    names: Sequence[str], means: FloatArray, deviations: FloatArray, *, mode: Mode = Mode.LIGHT
) -> go.Figure:
    """One bar a feature, in the order given: the mean loss, with its standard deviation as a whisker."""
    words = [_mean(m, d) for m, d in zip(means.tolist(), deviations.tolist(), strict=True)]
    return _bars(names, means, words, deviations, mode)


def impurity_text(names: Sequence[str], shares: FloatArray) -> str:
    """The same in words."""
    if not names:
        return "No feature is tested yet."
    parts = [f"{name} {number(share)}" for name, share in zip(names, shares.tolist(), strict=True)]
    return f"Shares of the impurity that the splits remove: {', '.join(parts)}."


def permutation_text(names: Sequence[str], found: Permutation, order: IntArray) -> str:
    """The same in words."""
    if not names:
        return "No feature is tested yet."
    means, deviations = found.mean[order].tolist(), found.deviation[order].tolist()
    parts = [f"{name} {_mean(m, d)}" for name, m, d in zip(names, means, deviations, strict=True)]
    return f"Lost when a feature's values are shuffled: {', '.join(parts)}."


def _mean(mean: float, deviation: float) -> str:
    return f"{number(mean)} ± {number(deviation)}"


def _bars(
    names: Sequence[str], lengths: FloatArray, words: Sequence[str], deviations: FloatArray | None, mode: Mode
) -> go.Figure:
    palette = PALETTES[mode]
    places = np.arange(len(names))
    reach = lengths if deviations is None else lengths + deviations
    most = max(float(reach.max(initial=0.0)), 1e-6)
    least = min(float(lengths.min(initial=0.0)), 0.0)
    traces: list[Trace] = [
        {
            "type": "bar",
            "orientation": "h",
            "x": lengths,
            "y": places,
            "width": 0.62,
            "marker": {"color": palette.accent},
            "hoverinfo": "skip",
            "showlegend": False,
        },
    ]
    if deviations is not None:
        traces[0]["error_x"] = {
            "type": "data",
            "array": deviations,
            "color": palette.ink,
            "thickness": 1.5,
            "width": 5,
        }
    wide = 8 * max((len(word) for word in words), default=0) + 20
    labels = [label(name, 18) for name in names]
    # The numbers stand in one column, clear of bars and whiskers.
    numbers = [
        {"text": word, "x": 1, "xref": "paper", "xanchor": "left", "y": place, "showarrow": False, "font": {"size": 14}}
        for place, word in enumerate(words)
    ]
    left = max([40, *(18 + 8 * min(len(name), 18) for name in names)])
    return make_figure(
        traces,
        mode,
        height=_BAR * max(len(names), 1) + 16,
        keep="importance",
        margin={"l": left, "r": wide, "t": 4, "b": 8, "autoexpand": False},
        xaxis={
            **plain_axis(mode),
            "visible": True,
            "showticklabels": False,
            "ticks": "",
            "showline": False,
            "zeroline": True,
            "zerolinecolor": see_through(palette.quiet, 0.7),
            "range": [least * 1.05, most * 1.02],
            "fixedrange": True,
        },
        yaxis={
            **plain_axis(mode),
            "tickvals": places,
            "ticktext": labels,
            "tickfont": {"size": 14, "color": palette.ink},
            "range": [len(names) - 0.5, -0.5],
            "showline": False,
            "ticklen": 4,
            "tickcolor": "rgba(0,0,0,0)",
            "automargin": False,
            "fixedrange": True,
        },
        annotations=numbers,
        dragmode=False,
    )
