"""Colours, fonts, signs and number formats: the only place where any of them is written down."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
"""The family that Graphviz measures and the browser draws: metric-compatible everywhere."""


class Mode(StrEnum):
    """The two looks of the app."""

    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True)
class Palette:
    """Colours of one mode, six hex digits each. The accent is never a class's colour."""

    background: str
    surface: str
    ink: str
    quiet: str
    line: str
    accent: str
    accent_ink: str
    neutral: str
    classes: tuple[str, ...]


PALETTES = {
    Mode.LIGHT: Palette(
        background="#ffffff",
        surface="#f5f6f8",
        ink="#1b1f27",
        quiet="#5a6372",
        line="#c3c9d3",
        accent="#6d3bd1",
        accent_ink="#ffffff",
        neutral="#98a1b0",
        classes=("#0072b2", "#d55e00", "#009e73", "#e69f00", "#56b4e9", "#cc79a7", "#b8a900", "#6b6b6b"),
    ),
    Mode.DARK: Palette(
        background="#12151b",
        surface="#1b2029",
        ink="#eef0f4",
        quiet="#a5adbb",
        line="#3d4554",
        accent="#b69cff",
        accent_ink="#14101f",
        neutral="#76808f",
        classes=("#3d9fd6", "#f0813a", "#2bbf95", "#f0b429", "#86caf0", "#e09dc2", "#e0d44a", "#a8a8a8"),
    ),
}
"""Okabe and Ito's colours (2008), the pairs of greatest contrast first; lighter on dark."""

SCALES = {
    Mode.LIGHT: ("#f2d857", "#a6cc74", "#4db39a", "#1f86b0", "#1f5699", "#1b2f6b"),
    Mode.DARK: ("#f7e27a", "#a8d583", "#4fbfa8", "#2f97c6", "#3f74c4", "#3d5fb0"),
}
"""Low to high values of a number, yellow over green to blue in either mode.

Luminance falls all the way, so that the order is seen without hue; after ColorBrewer's YlGnBu
(Harrower and Brewer 2003).
"""
SCALE_STEPS = 16
"""Colours of the scale where it is cut into steps."""

SYMBOLS = ("circle", "diamond", "square", "triangle-up", "cross", "star", "triangle-down", "pentagon")
"""The second sign of a class beside its colour, plotly's names."""


def class_colour(index: int, mode: Mode = Mode.LIGHT) -> str:
    """The colour of class `index`; beyond the palette colours repeat and the symbol tells."""
    colours = PALETTES[mode].classes
    return colours[index % len(colours)]


def class_symbol(index: int) -> str:
    """The shape of class `index`; shifted at each round of the palette, so that no pair repeats early."""
    return SYMBOLS[(index + index // len(SYMBOLS)) % len(SYMBOLS)]


def scale_colour(share: float, mode: Mode = Mode.LIGHT) -> str:
    """The colour of a value that lies at `share` of the way from the least to the greatest.

    >>> scale_colour(0.0), scale_colour(0.1), scale_colour(1.0)
    ('#f2d857', '#ccd266', '#1b2f6b')
    """
    anchors = SCALES[mode]
    place = min(max(share, 0.0), 1.0) * (len(anchors) - 1)
    first = min(int(place), len(anchors) - 2)
    return mix(anchors[first + 1], anchors[first], place - first)


def scale_step(share: float) -> int:
    """Which of the `SCALE_STEPS` colours stands for a share.

    >>> scale_step(0.0), scale_step(0.5), scale_step(1.0)
    (0, 8, 15)
    """
    return min(int(min(max(share, 0.0), 1.0) * SCALE_STEPS), SCALE_STEPS - 1)


def step_colour(step: int, mode: Mode = Mode.LIGHT) -> str:
    """The colour of a step of the scale.

    >>> step_colour(0), step_colour(15)
    ('#f2d857', '#1b2f6b')
    """
    return scale_colour(step / (SCALE_STEPS - 1), mode)


def mix(colour: str, other: str, share: float) -> str:
    """`share` of `colour` in `other`.

    >>> mix("#000000", "#ffffff", 0.5)
    '#808080'
    """
    pairs = zip(_channels(colour), _channels(other), strict=True)
    return "#" + "".join(f"{round(a * share + b * (1 - share)):02x}" for a, b in pairs)


def number(value: float) -> str:
    """A measured number with three decimals; large ones with separators, no negative zero.

    >>> number(0.24674981977443933), number(0.0), number(-1e-17), number(1379331.3333333335)
    ('0.247', '0.000', '0.000', '1,379,331.333')
    """
    if math.isnan(value) or math.isinf(value):
        return "–"
    text = f"{value:,.3f}"
    return text.removeprefix("-") if not text.strip("-0.,") else text.replace("-", "−")


def rounded(value: float, decimals: int) -> str:
    """A number with so many decimals, separators, and no negative zero; very large or small ones as powers of ten.

    >>> rounded(2551813.3333, 0), rounded(20.0906, 3), rounded(-0.0001, 2), rounded(3.2e21, 0)
    ('2,551,813', '20.091', '0.00', '3.2e+21')
    """
    if not math.isfinite(value):
        return "–"
    if decimals > 12 or abs(value) >= 1e15:
        return f"{value:.5g}".replace("-", "−") if value else "0"
    text = f"{value:,.{decimals}f}"
    return text.removeprefix("-") if not text.strip("-0.,") else text.replace("-", "−")


_THIRDS = {(1, 3): "⅓", (2, 3): "⅔", (1, 6): "⅙", (5, 6): "⅚"}


def exact(value: float, slack: float = 0.0) -> str | None:
    """A sum over few whole numbers as it is: at most two decimals, or thirds and sixths; None where neither says it.

    `slack` is how much rounding may have added to it.

    >>> exact(1379331.3333333333), exact(842.0), exact(1287.1), exact(2.5), exact(-2 / 3), exact(3569590.4242424)
    ('1,379,331⅓', '842', '1,287.1', '2.5', '−⅔', None)
    """
    slack = max(1e-11 * max(1.0, abs(value)), slack)
    if not abs(value) < 1e12:
        return None
    for decimals in (0, 1, 2):
        if abs(value - round(value, decimals)) <= slack:
            return rounded(round(value, decimals), decimals)
    whole, part = divmod(abs(value), 1.0)
    for (top, bottom), sign in _THIRDS.items():
        if abs(part - top / bottom) <= slack:
            return ("−" if value < 0 else "") + (rounded(whole, 0) if whole else "") + sign
    return None


def quantity(value: float) -> str:
    """A count, a weight or a value of the data: as few digits as say it.

    >>> quantity(14), quantity(2.5), quantity(0.1 + 0.2), quantity(4175.0), quantity(1e-9)
    ('14', '2.5', '0.3', '4175', '1e-09')
    >>> quantity(1234567.5), quantity(-2.25)
    ('1234567.5', '−2.25')
    """
    if float(value).is_integer() and abs(value) < 1e15:
        return f"{int(value)}".replace("-", "−")
    digits = 10 if 1e5 <= abs(value) < 1e15 else 6
    return f"{value:.{digits}g}".replace("-", "−") if abs(value) >= 1e-4 else f"{value:.6g}"


def percent(share: float) -> str:
    """A share in per cent with one decimal, none where it is whole.

    >>> percent(1.0), percent(9 / 14)
    ('100 %', '64.3 %')
    """
    text = f"{100 * share:.1f}"
    return f"{text.removesuffix('.0')} %"


def fraction(numerator: float, denominator: float) -> str:
    """An exact fraction of counts as the rows give it, not reduced: 4/14.

    >>> fraction(4, 14)
    '4/14'
    """
    if float(numerator).is_integer() and float(denominator).is_integer():
        return f"{int(numerator)}/{int(denominator)}"
    exact = Fraction(numerator) / Fraction(denominator)
    return number(float(exact))


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
