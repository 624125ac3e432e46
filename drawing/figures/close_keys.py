"""The key to many classes, or to long names: small print above a picture, over its whole width."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any

from drawing.figures.base import label, legend_lines
from drawing.theme import PALETTES, Mode, class_colour, class_symbol

MOST_LINES = 1
"""Lines of plotly's own legend, which is as wide as the axes alone, before the key is set small."""
LINE_HEIGHT = 16
LETTERS = 41
"""Letters in a line of the key on the narrowest screen."""
LONGEST = 14
"""Letters of a name."""
_SIGNS = {
    "circle": "●",
    "square": "■",
    "diamond": "◆",
    "cross": "✚",
    "triangle-up": "▲",
    "triangle-down": "▼",
    "pentagon": "⬟",
    "star": "★",
}


def is_close(keys: Sequence[dict[str, Any]]) -> bool:
    """Whether plotly's own legend of these entries would take the picture's room."""
    return legend_lines([html.unescape(key["name"]) for key in keys]) > MOST_LINES


def close_keys(classes: Sequence[str], shown: Sequence[int], mode: Mode) -> tuple[dict[str, Any], int]:
    """The key as an annotation, and the pixels that it takes above the picture.

    `shown` are the codes of the classes that are named.
    """
    lines: list[list[str]] = [[]]
    taken = 0
    for code in shown:
        name = label(classes[code], LONGEST)
        width = len(html.unescape(name)) + 4
        if lines[-1] and taken + width > LETTERS:
            lines.append([])
            taken = 0
        taken += width
        sign = _SIGNS[class_symbol(code)]
        lines[-1].append(f'<span style="color:{class_colour(code, mode)};font-size:15px">{sign}</span> {name}')
    if len(classes) > len(shown):
        lines[-1].append(f"{len(classes) - len(shown)} more")
    note = {
        "text": "<br>".join("\u2002".join(line) for line in lines),
        "font": {"size": 13, "color": PALETTES[mode].ink},
        "align": "left",
        "showarrow": False,
        "xref": "paper",
        "yref": "paper",
        "x": 1,
        "y": 1,
        "xanchor": "right",
        "yanchor": "bottom",
        "yshift": 2,
    }
    return note, LINE_HEIGHT * len(lines) + 8
