"""Stacked bars of classes: colour and hatching by class, counts inside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from drawing.figures.base import MOST_KEYS, MOST_LEVELS, Trace, class_pattern, label, plain_axis
from drawing.theme import PALETTES, Mode, class_colour, percent, quantity
from engine.table import AnyArray, IntArray

SMALL_TEXT = {"minsize": 11, "mode": "hide"}
"""Counts that do not fit their bar are left out."""


def share_bars(
    names: Sequence[str], counts: AnyArray, classes: Sequence[str], mode: Mode, *, shares: bool = False
) -> tuple[list[Trace], dict[str, Any]]:
    """Horizontal bars, the first on top, divided by class.

    Parameters
    ----------
    names : sequence of str
        Unescaped.
    counts : ndarray of shape (n_bars, n_classes)
    classes : sequence of str
    mode : Mode
    shares : bool
        Whether all bars are equally long, as shares; else as long as their counts.

    Returns
    -------
    traces : list of dict
        One a class; of more than eight the most frequent, and one for all others.
    axis : dict
        Layout of the vertical axis, each bar's name with its rows.
    """
    totals = counts.sum(axis=1)
    lengths = counts / np.maximum(totals, 1e-300)[:, None] if shares else counts.copy()
    if not shares and len(names) > MOST_LEVELS:
        # All others together would dwarf the rest: their name carries the count, without a bar.
        lengths[-1] = 0
    places = np.arange(len(names))
    traces = []
    for name, columns, marker in class_groups(counts.sum(axis=0), classes, mode):
        number = counts[:, columns].sum(axis=1)
        parts = zip(number.tolist(), totals.tolist(), strict=True)
        traces.append(
            {
                "type": "bar",
                "orientation": "h",
                "y": places,
                "x": lengths[:, columns].sum(axis=1).astype(np.float32),
                "width": 0.78,
                "name": name,
                "marker": marker,
                "text": [quantity(n) if n else "" for n in number.tolist()],
                "textposition": "inside",
                "insidetextanchor": "middle",
                "textangle": 0,
                "insidetextfont": {"size": 14, "color": readable_on(marker["color"])},
                "customdata": [
                    f"{quantity(n)} of {quantity(total)} ({percent(n / total) if total else '–'})" for n, total in parts
                ],
                "hovertemplate": f"<b>{name}</b><br>%{{customdata}}<extra></extra>",
                "showlegend": False,
            }
        )
    words = [
        f"{label(name, 22)} <span style='color:{PALETTES[mode].quiet}'>({quantity(total)})</span>"
        for name, total in zip(names, totals.tolist(), strict=True)
    ]
    axis = {
        **plain_axis(mode),
        "tickvals": places,
        "ticktext": words,
        "tickfont": {"size": 14, "color": PALETTES[mode].ink},
        "range": [len(names) - 0.5, -0.5],
        "showline": False,
        "ticklen": 6,
        "tickcolor": "rgba(0,0,0,0)",
    }
    return traces, axis


def class_groups(counts: AnyArray, classes: Sequence[str], mode: Mode) -> list[tuple[str, IntArray, dict[str, Any]]]:
    """Escaped name, columns and marker of each series: the classes, of many the eight most frequent and the others."""
    order = np.argsort(-counts, kind="stable")
    own = np.sort(order[:MOST_KEYS])
    groups = [(label(classes[code], 18), np.array([code]), bar_marker(code, mode)) for code in own.tolist()]
    rest = np.sort(order[MOST_KEYS:])
    if len(rest):
        groups.append((f"{len(rest)} more", rest, {"color": PALETTES[mode].neutral}))
    return groups


def bar_marker(code: int, mode: Mode) -> dict[str, Any]:
    """Colour and hatching of a class in a bar."""
    palette = PALETTES[mode]
    return {
        "color": class_colour(code, mode),
        "line": {"width": 1, "color": palette.background},
        "pattern": {
            "shape": class_pattern(code),
            "bgcolor": class_colour(code, mode),
            "fgcolor": palette.background,
            "fgopacity": 0.45,
            "size": 7,
            "solidity": 0.18,
        },
    }


def readable_on(colour: str) -> str:
    """Dark or light text, whichever stands out from a colour more (relative luminance as in WCAG 2).

    >>> readable_on("#0072b2"), readable_on("#f0b429")
    ('#ffffff', '#1b1f27')
    """
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    light = PALETTES[Mode.LIGHT]
    return light.ink if luminance > 0.25 else light.background


def bars_height(n_bars: int, n_classes: int) -> int:
    """Pixels for so many bars and the lines of their legend."""
    lines = -(-min(n_classes, MOST_KEYS + 1) // 3)
    return 44 + 22 * lines + 30 * max(n_bars, 1)


def bar_keys(counts: AnyArray, classes: Sequence[str], mode: Mode) -> list[Trace]:
    """Legend entries for bars."""
    return [
        {"type": "bar", "x": [None], "y": [None], "name": name, "marker": marker}
        for name, _, marker in class_groups(counts, classes, mode)
    ]


def gathered(names: Sequence[str], counts: AnyArray) -> tuple[list[str], AnyArray]:
    """At most thirty bars: the largest ones in their order, and one for all others.

    >>> names, counts = gathered([str(i) for i in range(40)], np.ones((40, 2)))
    >>> len(names), names[-1], counts[-1].tolist()
    (31, '10 more', [10.0, 10.0])
    """
    if len(names) <= MOST_LEVELS:
        return list(names), counts
    kept = np.sort(np.argsort(-counts.sum(axis=1), kind="stable")[:MOST_LEVELS])
    rest = np.delete(counts, kept, axis=0)
    return [names[i] for i in kept.tolist()] + [f"{len(rest)} more"], np.vstack([counts[kept], rest.sum(axis=0)])
