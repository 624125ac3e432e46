"""What all figures share: layout, escaping, legend keys, axes, and the meaning of a click."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import plotly
import plotly.graph_objects as go

from drawing.theme import FONT, PALETTES, Mode, class_colour, class_symbol, mix
from engine.axes import Axis
from engine.table import AnyArray, FloatArray, IntArray

CONFIG: dict[str, Any] = {"displayModeBar": False, "displaylogo": False, "responsive": True}
"""No buttons over the picture; a drag zooms, a double click resets."""
PLOTLY_JS = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
"""What draws the figures in a browser: the file that the installed package brings."""
PLOTLY_VERSION: str = plotly.__version__

HEIGHT = 380
TICK_SIZE = 14
TITLE_SIZE = 15
LETTER = 8
"""Pixels of a letter in a tick's label or a legend, most of them."""
LEGEND_WIDTH = 250
"""Pixels that a legend's line may take on the narrowest screen."""
MOST_KEYS = 8
"""Classes named in a legend."""
TICK_LETTER = 7
TICKS_WIDTH = 190
"""Pixels of an average letter at an axis, and of the axis on the narrowest screen."""
LEAST_LETTERS = 6
"""Letters of a level's name that still tell it."""
MOST_TICKS = 12
"""Levels named along an axis."""
MOST_LEVELS = 30
"""Levels that get a bar of their own; the rest are gathered in one."""

_CONTROL = [*range(0x20), *range(0x7F, 0xA0), 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
_MARKUP = dict.fromkeys(_CONTROL, "�") | str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", "$": "&#36;", "%": "&#37;"}
)
_SYMBOL_CODES = {
    "circle": 0,
    "square": 1,
    "diamond": 2,
    "cross": 3,
    "triangle-up": 5,
    "triangle-down": 6,
    "pentagon": 13,
    "star": 17,
}
PATTERNS = ("", "/", ".", "x", "-", "\\", "|", "+")
"""The second sign of a class in a bar, in the order of the classes."""

Trace = dict[str, Any]


@dataclass(frozen=True)
class Click:
    """What was clicked; None where the mark does not stand for it.

    Attributes
    ----------
    row : int or None
        Position in the tree's (or the figure's) table.
    node : int or None
    threshold : float or None
    """

    row: int | None = None
    node: int | None = None
    threshold: float | None = None


def clicked(point: Mapping[str, Any]) -> Click:
    """Read a point that was clicked in a chart.

    `customdata` is the row and the node, -1 for none, or a threshold alone; anything else means nothing.

    >>> clicked({"customdata": [3, 7]}), clicked({"customdata": [-1, 7]})
    (Click(row=3, node=7, threshold=None), Click(row=None, node=7, threshold=None))
    >>> clicked({"customdata": [2.45]})
    Click(row=None, node=None, threshold=2.45)
    >>> clicked({}) == clicked({"customdata": ["3", None]}) == Click()
    True
    """
    match point.get("customdata"):
        case [int() | float() as threshold] if math.isfinite(threshold):
            return Click(threshold=float(threshold))
        case [int(row), int(node)]:
            return Click(row=row if row >= 0 else None, node=node if node >= 0 else None)
        case _:
            return Click()


def escape(text: str) -> str:
    """Text as plotly shows it: no markup, no template, no formula, no control character.

    >>> escape("<b>$x$</b> %{y}")
    '&lt;b&gt;&#36;x&#36;&lt;/b&gt; &#37;{y}'
    """
    return text.translate(_MARKUP)


def label(text: str, length: int = 24) -> str:
    """At most `length` letters of a name, escaped; an empty name is shown as a blank in quotes.

    >>> label("petal length"), label("petal length", 6), label("")
    ('petal length', 'petal…', '“ ”')
    """
    if not text.strip():
        return "“ ”"
    return escape(text if len(text) <= length else text[: length - 1] + "…")


def compact(values: Any, span: float | None = None) -> Any:
    """Coordinates in half the bytes where the eye cannot tell: steps finer than `span` / 10,000."""
    array = np.asarray(values, dtype=np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        small = array.astype(np.float32)
        finite = array[np.isfinite(array)]
        if span is None:
            span = float(np.ptp(finite)) if len(finite) else 1.0
        close = np.abs(small - array)[np.isfinite(array)] <= max(span, 1e-300) / 1e4
    return small if close.all() else array


def see_through(colour: str, opacity: float) -> str:
    """A colour that lets what is below shine through, as CSS writes it.

    >>> see_through("#ff8000", 0.5)
    'rgba(255,128,0,0.5)'
    """
    return f"rgba({','.join(str(int(colour[i : i + 2], 16)) for i in (1, 3, 5))},{opacity})"


def small_integers(values: AnyArray) -> AnyArray:
    """The same numbers in the fewest bytes that plotly knows, -1 included."""
    largest = int(values.max(initial=0))
    return values.astype(next(t for t in (np.int8, np.int16, np.int32) if largest <= np.iinfo(t).max))


def class_marks(classes: IntArray, mode: Mode) -> dict[str, Any]:
    """Marker settings that colour and shape each point by its class; settings once where all are of one class.

    Plotly draws points that look alike in half the time.
    """
    if len(classes) and (classes == classes[0]).all():
        code = int(classes[0])
        return {"color": class_colour(code, mode), "symbol": class_symbol(code)}
    colours = PALETTES[mode].classes
    last = len(colours) - 1
    n = int(classes.max()) + 1 if len(classes) else 0
    symbols = np.array([_SYMBOL_CODES[class_symbol(code)] for code in range(n)], dtype=np.uint8)
    return {
        # Small numbers and a scale of exact colours.
        "color": (classes % len(colours)).astype(np.uint8),
        "cmin": 0,
        "cmax": last,
        "colorscale": [[place / last, colour] for place, colour in enumerate(colours)],
        "showscale": False,
        "symbol": symbols[classes],
    }


def unseen_marks() -> Trace:
    """What makes points answer to the pointer without a mark: nothing is drawn for them."""
    return {"type": "scatter", "mode": "none", "hoveron": "points", "showlegend": False}


def class_pattern(code: int) -> str:
    """The hatching of a class in bars; shifted at each round of the palette, like the symbols."""
    return PATTERNS[(code + code // len(PATTERNS)) % len(PATTERNS)]


def named_classes(counts: Any) -> list[int]:
    """The codes of the classes that a key names: at most eight, the most frequent, in their order.

    >>> named_classes([5, 0, 9])
    [0, 1, 2]
    """
    return sorted(np.argsort(-np.asarray(counts), kind="stable")[:MOST_KEYS].tolist())


def class_keys(classes: Sequence[str], counts: Any, mode: Mode) -> list[Trace]:
    """Legend entries: the classes of `named_classes`, and how many more there are."""
    shown = named_classes(counts)
    keys = [
        key(
            label(classes[code], 18),
            {"color": class_colour(code, mode), "symbol": class_symbol(code), "size": 11},
        )
        for code in shown
    ]
    if len(classes) > len(shown):
        keys.append(key(f"{len(classes) - len(shown)} more", {"opacity": 0}))
    return keys


def key(name: str, marker: dict[str, Any]) -> Trace:
    """A legend entry without a mark in the picture."""
    return {"type": "scatter", "mode": "markers", "x": [None], "y": [None], "name": name, "marker": marker}


def axis_layout(axis: Axis, mode: Mode) -> dict[str, Any]:
    """Range, title and ticks of a feature's axis: level names for a categorical one, at most twelve."""
    layout = {**plain_axis(mode), "title": title(axis.name), "range": [axis.low, axis.high]}
    if axis.is_numeric:
        return layout
    step = -(-len(axis.levels) // MOST_TICKS)
    places = np.arange(0, len(axis.levels), max(step, 1))
    names = [label(axis.levels[place], 14) for place in places.tolist()]
    return {**layout, "tickvals": places, "ticktext": names}


def title(name: str) -> dict[str, Any]:
    """An axis title."""
    return {"text": label(name, 40), "font": {"size": TITLE_SIZE}, "standoff": 8}


def plain_axis(mode: Mode) -> dict[str, Any]:
    """An axis without grid: the picture itself is the grid."""
    palette = PALETTES[mode]
    return {
        "showgrid": False,
        "zeroline": False,
        "showline": True,
        "linecolor": palette.line,
        "ticks": "outside",
        "ticklen": 4,
        "tickcolor": palette.line,
        "tickfont": {"size": TICK_SIZE, "color": palette.quiet},
        "nticks": 7,
        "automargin": True,
    }


def steady_margin(axes: Sequence[dict[str, Any]], *, labels: Sequence[str] = (), keys: Sequence[str] = ()) -> Any:
    """Margins for axes, given at once: plotly would draw, measure its labels, and draw again.

    `axes` are the one across and, where it is seen, the one up; `labels` are names beside the
    picture, `keys` the names of a legend above it.
    """
    for axis in axes:
        axis["automargin"] = False
    levels = [html.unescape(name) for axis in axes[1:] for name in axis.get("ticktext", ())]
    least = 24 if len(axes) == 1 or levels else 76
    left = max([least, *(26 + LETTER * len(name) for name in labels), *(36 + LETTER * len(name) for name in levels)])
    return {"l": left, "r": 10, "t": 12 + 24 * max(legend_lines(keys), 1), "b": 54, "autoexpand": False}


def legend_lines(keys: Sequence[str]) -> int:
    """Lines that a legend takes on the narrowest screen."""
    return -(-sum(44 + LETTER * len(name) for name in keys) // LEGEND_WIDTH)


def fits_across(axis: Mapping[str, Any]) -> bool:
    """Whether an axis's level names stand side by side on the narrowest screen; else plotly turns them."""
    return sum(TICK_LETTER * len(html.unescape(text)) + 4 for text in axis.get("ticktext", ())) <= TICKS_WIDTH


def shortened(axis: dict[str, Any]) -> dict[str, Any]:
    """The axis with its level names cut so that they stand side by side, where enough of them is left."""
    names = [html.unescape(text) for text in axis.get("ticktext", ())]
    if not names or fits_across(axis):
        return axis
    letters = (TICKS_WIDTH // len(names) - 4) // TICK_LETTER
    return {**axis, "ticktext": [label(name, letters) for name in names]} if letters >= LEAST_LETTERS else axis


def make_figure(
    traces: Sequence[Trace], mode: Mode, *, height: int = HEIGHT, keep: str = "", **layout: Any
) -> go.Figure:
    """A figure in the look of the app.

    Parameters
    ----------
    traces : sequence of dict
    mode : Mode
    height : int
        Pixels.
    keep : str
        What the picture is about: zoom and pan are kept while it stays the same.
    **layout
        Further layout, over the shared one.
    """
    palette = PALETTES[mode]
    shared = {
        "template": {},
        "height": height,
        "margin": {"l": 8, "r": 10, "t": 34, "b": 8},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": FONT, "size": TICK_SIZE, "color": palette.ink},
        "legend": {
            "orientation": "h",
            "x": 0,
            "xanchor": "left",
            "y": 1.0,
            "yanchor": "bottom",
            "font": {"size": TICK_SIZE},
            "traceorder": "normal",
            "itemclick": False,
            "itemdoubleclick": False,
            "bgcolor": "rgba(0,0,0,0)",
        },
        "hovermode": "closest",
        "hoverdistance": 30,
        "dragmode": "zoom",
        "hoverlabel": {
            "font": {"family": FONT, "size": 14, "color": palette.ink},
            "bgcolor": palette.surface,
            "bordercolor": palette.line,
        },
        "uirevision": keep or "constant",
    }
    # Checking every value again takes plotly longer than all else; the tests check each figure instead.
    return go.Figure(data=list(traces), layout={**shared, **layout}, _validate=False)


def tints(probabilities: FloatArray, mode: Mode) -> tuple[list[str], IntArray]:
    """Colours of class shares: pure ones in the class's tint, mixtures in between, in steps of 1/8.

    Returns
    -------
    colours : list of str
        The distinct ones.
    index : ndarray of int64, shape (n,)
        Which of them each row of `probabilities`, shape (n, n_classes), has.
    """
    palette = PALETTES[mode]
    shares = np.round(probabilities * 8)
    shares /= np.maximum(shares.sum(axis=1, keepdims=True), 1)
    n_classes = probabilities.shape[1]
    strength = 0.34 if mode is Mode.LIGHT else 0.42
    classes = [mix(class_colour(code, mode), palette.background, strength) for code in range(n_classes)]
    base = np.array([[int(colour[i : i + 2], 16) for i in (1, 3, 5)] for colour in classes], dtype=np.float64)
    rgb = np.round(shares @ base).astype(np.int64)
    # Shares so small that none reaches 1/8: no class leads.
    rgb[shares.sum(axis=1) == 0] = np.round(base.mean(axis=0)).astype(np.int64)
    packed, index = np.unique(rgb @ np.array([65536, 256, 1]), return_inverse=True)
    return [f"#{value:06x}" for value in packed.tolist()], index
