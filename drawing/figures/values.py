"""The values of a number in pictures: colours of rows and regions, and the bar that explains them."""

from __future__ import annotations

from typing import Any

import numpy as np

from drawing.figures.base import label
from drawing.numbers import Range
from drawing.theme import PALETTES, SCALE_STEPS, Mode, mix, quantity, step_colour
from drawing.tree_boxes import text_width
from engine.table import AnyArray, FloatArray, IntArray

GROUND = {Mode.LIGHT: 0.55, Mode.DARK: 0.5}
"""How much of a value's colour is in the ground of its region: the rows upon it stay visible."""
BAR_ROOM = 28
"""Pixels above the picture for the colour bar."""
_BAR_WIDTH, _BAR_TEXT = 96, 14


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


def colour_bar(within: Range, name: str, mode: Mode) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The scale above the picture, between the least and the greatest value: layout's shapes and annotations.

    Plotly's own bar moves the axes' titles where margins are given.
    """
    quiet = PALETTES[mode].quiet
    ends = [quantity(float(f"{end:.4g}")) for end in (within.low, within.high)]
    before = f"{label(name, 14)} {ends[0]}"
    left = text_width(f"{name[:14]} {ends[0]}", _BAR_TEXT) + 6
    width = _BAR_WIDTH / SCALE_STEPS
    shapes = [
        {
            "type": "rect",
            "xref": "paper",
            "yref": "paper",
            "xsizemode": "pixel",
            "ysizemode": "pixel",
            "xanchor": 0,
            "yanchor": 1,
            "x0": round(left + width * step, 1),
            "x1": round(left + width * (step + 1) + 0.3, 1),
            "y0": 8,
            "y1": 18,
            "line": {"width": 0},
            "fillcolor": step_colour(step, mode),
        }
        for step in range(SCALE_STEPS)
    ]
    words = [(before, 0.0), (ends[1], left + _BAR_WIDTH + 6)]
    notes = [
        {
            "xref": "paper",
            "yref": "paper",
            "x": 0,
            "y": 1,
            "xanchor": "left",
            "yanchor": "bottom",
            "xshift": round(shift),
            "yshift": 2,
            "showarrow": False,
            "text": text,
            "font": {"size": _BAR_TEXT, "color": quiet},
        }
        for text, shift in words
    ]
    return shapes, notes
