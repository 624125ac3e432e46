"""What one member alone says over one or two features: its regions, or what it adds to a sum."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from drawing import phrases
from drawing.ensembles import Words, rough
from drawing.ensembles_wall import end_colour
from drawing.figures.base import Trace, axis_layout, key, label, make_figure
from drawing.figures.ensembles_regions import ensemble_regions_figure, ensemble_regions_text, ground, row_marks
from drawing.theme import PALETTES, Mode, mix
from engine.ensembles import Ensemble, EnsembleRegions
from engine.table import FloatArray

_STEPS = 12
"""Tints on either side of nothing."""
_STRENGTH = 0.6
MOST_LABELS = 14
"""Parts of the picture up to which each has its number."""
_LEAST_WIDE, _LEAST_HIGH = 0.16, 0.1


def alone_figure(
    ensemble: Ensemble, regions: EnsembleRegions, step: int, *, mode: Mode = Mode.LIGHT, height: int = 320
) -> go.Figure:
    """The regions of the member of a step alone, with the rows as it sees them.

    Parameters
    ----------
    ensemble : Ensemble
        The whole; its rows are sized as `row_sizes` says.
    regions : EnsembleRegions
        Those of an ensemble of this one member.
    step : int
        From 1 on.
    mode : Mode
    height : int
        Pixels.
    """
    if not ensemble.rule.is_sum:
        return ensemble_regions_figure(ensemble, regions, step, mode=mode, height=height)
    added = additions(ensemble, regions, step)
    most = float(np.abs(added).max(initial=0.0)) or 1.0
    colours, index = _grounds(ensemble, added / most, ensemble.members[step - 1].of_class or 0, mode)
    traces: list[Trace] = [
        ground(regions, colours, index),
        row_marks(ensemble, regions, step, mode),
    ]
    axes = [axis_layout(axis, mode) for axis in (regions.x, regions.y) if axis is not None]
    strip: dict[str, Any] = {"visible": False, "range": [0, 1], "fixedrange": True}
    name = f"{regions.x.name}|{regions.y.name if regions.y else ''}"
    return make_figure(
        [*traces, *_keys(ensemble, step, mode)],
        mode,
        height=height,
        keep=f"ensemble|{name}",
        xaxis=axes[0],
        yaxis=axes[1] if regions.y is not None else strip,
        annotations=_numbers(regions, added, mode),
    )


def alone_text(ensemble: Ensemble, regions: EnsembleRegions, step: int) -> str:
    """The same in words."""
    words, member = Words(ensemble), ensemble.members[step - 1]
    if not ensemble.rule.is_sum:
        said = ensemble_regions_text(ensemble, regions, 1)
        return said.replace("the first member", f"{words.name(member)} alone")
    added = additions(ensemble, regions, step)
    shown = phrases.plain(regions.x.name) + (f" and {phrases.plain(regions.y.name)}" if regions.y else "")
    low, high = float(added.min()), float(added.max())
    what = "the answer" if words.is_number else "F"
    return f"What {words.name(member)} adds to {what} over {shown}: from {rough(low)} to {rough(high)}."


def additions(ensemble: Ensemble, regions: EnsembleRegions, step: int) -> FloatArray:
    """What the member of a step adds to the sum in each cell of its own regions, shape (n_y, n_x)."""
    total = ensemble.members[step - 1].of_class or 0
    return np.asarray(regions.totals[..., total] - ensemble.rule.initial[total])


def _grounds(ensemble: Ensemble, share: FloatArray, total: int, mode: Mode) -> tuple[list[str], Any]:
    """Tints from what lowers over nothing to what raises, and the one of each cell."""
    background = PALETTES[mode].background
    lowers = [
        mix(end_colour(ensemble, mode, 0, total), background, _STRENGTH * k / _STEPS) for k in range(_STEPS, 0, -1)
    ]
    raises = [mix(end_colour(ensemble, mode, 1, total), background, _STRENGTH * k / _STEPS) for k in range(_STEPS + 1)]
    index = np.clip(np.round(share * _STEPS), -_STEPS, _STEPS).astype(np.int64) + _STEPS
    return [*lowers, *raises], index


def _keys(ensemble: Ensemble, step: int, mode: Mode) -> list[Trace]:
    """What the two sides mean."""
    member, classes = ensemble.members[step - 1], ensemble.table.target.classes
    if not classes:
        names = ("lowers", "raises")
    else:
        raised = label(classes[member.of_class if member.of_class is not None else 1], 14)
        other = label(classes[0], 14) if ensemble.rule.n_totals == 1 else f"against {raised}"
        names = (f"towards {other}" if ensemble.rule.n_totals == 1 else other, f"towards {raised}")
    signs = ("triangle-down", "triangle-up")
    return [
        key(name, {"color": end_colour(ensemble, mode, end, member.of_class or 0), "symbol": sign, "size": 11})
        for end, (name, sign) in enumerate(zip(names, signs, strict=True))
    ]


def _numbers(regions: EnsembleRegions, added: FloatArray, mode: Mode) -> list[dict[str, Any]]:
    """The number of each part of the picture that has room for it."""
    notes = []
    xs, ys = regions.x_edges, regions.y_edges
    parts = _parts(added)
    if len(parts) > MOST_LABELS:
        return []
    for top, bottom, left, right in parts:
        wide = (xs[right] - xs[left]) / (xs[-1] - xs[0])
        high = (ys[bottom] - ys[top]) / (ys[-1] - ys[0])
        if wide < _LEAST_WIDE or high < _LEAST_HIGH:
            continue
        value = float(added[top, left])
        text = rough(value) if value <= 0 else f"+{rough(value)}"
        notes.append(
            {
                "x": float(xs[left] / 2 + xs[right] / 2),
                "y": float(ys[top] / 2 + ys[bottom] / 2),
                "text": text,
                "showarrow": False,
                "font": {"size": 15, "color": PALETTES[mode].ink},
                "bgcolor": mix(PALETTES[mode].background, PALETTES[mode].surface, 0.7),
                "borderpad": 2,
                "opacity": 0.85,
            }
        )
    return notes


def _parts(values: FloatArray) -> list[tuple[int, int, int, int]]:
    """Rectangles of equal value that cover a grid: first row, row past the last, the same for columns.

    >>> _parts(np.array([[1.0, 1.0, 2.0], [1.0, 1.0, 3.0]]))
    [(0, 2, 0, 2), (0, 1, 2, 3), (1, 2, 2, 3)]
    """
    taken = np.zeros(values.shape, dtype=bool)
    found = []
    for top, left in np.ndindex(values.shape):
        if taken[top, left]:
            continue
        same = np.isclose(values, values[top, left], rtol=1e-9, atol=1e-12) & ~taken
        right = left + int(np.argmin(np.append(same[top, left:], False)))
        bottom = top + int(np.argmin(np.append(same[top:, left:right].all(axis=1), False)))
        taken[top:bottom, left:right] = True
        found.append((top, bottom, left, right))
        if len(found) > MOST_LABELS:
            break
    return found
