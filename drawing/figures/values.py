"""The values of a number in pictures: colours of rows and regions, and the bar that explains them."""

from __future__ import annotations

from typing import Any

import numpy as np

from drawing.figures.base import Trace, label
from drawing.numbers import Range
from drawing.theme import PALETTES, SCALE_STEPS, SCALES, Mode, mix, quantity, step_colour
from engine.table import AnyArray, FloatArray, IntArray

GROUND = {Mode.LIGHT: 0.55, Mode.DARK: 0.5}
"""How much of a value's colour is in the ground of its region: the rows upon it stay visible."""
BAR_ROOM = 46
"""Pixels above the picture for the colour bar."""


def steps(values: FloatArray, within: Range) -> IntArray:
    """Which step of the scale stands for each value, as `theme.scale_step` says it of one.

    >>> steps(np.array([0.0, 4.0, 8.0]), Range(0.0, 8.0)).tolist()
    [0, 8, 15]
    """
    if not within.high > within.low:
        return np.full(len(values), SCALE_STEPS // 2)
    span = within.high / 2 - within.low / 2
    share = np.clip((values / 2 - within.low / 2) / span, 0.0, 1.0)
    return np.asarray(np.minimum((share * SCALE_STEPS).astype(np.int64), SCALE_STEPS - 1))


def grounds(values: FloatArray, within: Range, mode: Mode) -> tuple[list[str], IntArray]:
    """Colours of the regions that answer with these values.

    Returns
    -------
    colours : list of str
        The distinct ones.
    index : ndarray of int64, shape (n,)
        Which of them each value has.
    """
    present, index = np.unique(steps(values, within), return_inverse=True)
    return [ground(step, mode) for step in present.tolist()], index


def ground(step: int, mode: Mode) -> str:
    """The ground of a region whose value is at this step of the scale."""
    return mix(step_colour(step, mode), PALETTES[mode].background, GROUND[mode])


def row_look(step: int, mode: Mode) -> dict[str, Any]:
    """Marker settings of a row whose value is at this step, outlined so that it stands out from its region."""
    return {"color": step_colour(step, mode), "symbol": "circle"}


def by_step(rows: IntArray, values: AnyArray, within: Range) -> list[tuple[IntArray, int]]:
    """The rows at each step of the scale, with the step: marks that look alike are drawn in one go."""
    at = steps(values[rows], within)
    return [(rows[at == step], step) for step in np.unique(at).tolist()]


def colour_bar(within: Range, name: str, mode: Mode) -> Trace:
    """The scale as a flat bar above the picture, named by the target."""
    palette, anchors = PALETTES[mode], SCALES[mode]
    low, high = (within.low, within.high) if within.high > within.low else (within.low - 0.5, within.low + 0.5)
    ends = [low, low / 2 + high / 2, high]
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [None],
        "y": [None],
        "name": label(name, 18),
        "showlegend": False,
        "hoverinfo": "skip",
        "marker": {
            "color": [low],
            "cmin": low,
            "cmax": high,
            "colorscale": [[place / (len(anchors) - 1), colour] for place, colour in enumerate(anchors)],
            "showscale": True,
            "colorbar": {
                "orientation": "h",
                "x": 0,
                "xanchor": "left",
                "xpad": 0,
                "y": 1.0,
                "yanchor": "bottom",
                "ypad": 16,
                "len": 0.62,
                "lenmode": "fraction",
                "thickness": 9,
                "outlinewidth": 0,
                "tickvals": ends,
                "ticktext": [quantity(float(f"{end:.4g}")) for end in ends],
                "ticks": "",
                "ticklabelposition": "outside top",
                "tickfont": {"size": 13, "color": palette.quiet},
                "title": {"text": label(name, 24), "side": "right", "font": {"size": 13, "color": palette.quiet}},
            },
        },
    }
