"""A placed tree as SVG: for the stage, which switches its groups, or as a picture in a file."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from xml.sax.saxutils import escape

from drawing.numbers import Place
from drawing.theme import (
    FONT,
    PALETTES,
    SCALE_STEPS,
    Mode,
    Palette,
    class_symbol,
    mix,
    scale_step,
    step_colour,
)
from drawing.tree_boxes import COUNT_SIZE, LABEL_SIZE, NOTE_SIZE, PADDING, SIGN_WIDTH, TEST_SIZE, Box, text_width
from drawing.tree_layout import Layout, line

BAR_HEIGHT = 12
_BAR_TEXT = 10.5
_N_COLOURS = len(PALETTES[Mode.LIGHT].classes)

SIGNS = {
    "circle": "M-6 0a6 6 0 1 0 12 0a6 6 0 1 0 -12 0Z",
    "diamond": "M0 -7.5L7 0L0 7.5L-7 0Z",
    "square": "M-5.5 -5.5H5.5V5.5H-5.5Z",
    "triangle-up": "M0 -7L7 5.5H-7Z",
    "cross": "M-2.2 -6.5H2.2V-2.2H6.5V2.2H2.2V6.5H-2.2V2.2H-6.5V-2.2H-2.2Z",
    "star": "M0 -7.5L1.9 -2.5L7.2 -2.3L3 1L4.4 6.1L0 3.2L-4.4 6.1L-3 1L-7.2 -2.3L-1.9 -2.5Z",
    "triangle-down": "M0 7L7 -5.5H-7Z",
    "pentagon": "M0 -7L6.7 -2.2L4.1 5.7H-4.1L-6.7 -2.2Z",
}
"""Class signs around the origin, by the names that plotly gives the same shapes."""


def colours(mode: Mode) -> dict[str, str]:
    """The palette of a mode as CSS custom properties, with each class's tint and the ink upon it."""
    palette = PALETTES[mode]
    names = ("background", "surface", "ink", "quiet", "line", "accent", "accent_ink", "neutral")
    found = {f"--{name.replace('_', '-')}": str(getattr(palette, name)) for name in names}
    for index, colour in enumerate(palette.classes):
        found[f"--class-{index}"] = colour
        found[f"--class-{index}-tint"] = mix(colour, palette.background, 0.2)
        found[f"--class-{index}-ink"] = _ink_on(colour, palette)
    return found


def scale_colours(mode: Mode) -> dict[str, str]:
    """The scale of a number as CSS custom properties, each step with its tint."""
    ground, strength = PALETTES[mode].background, 0.3 if mode is Mode.LIGHT else 0.2
    found = {}
    for step in range(SCALE_STEPS):
        found[f"--scale-{step}"] = step_colour(step, mode)
        found[f"--scale-{step}-tint"] = mix(step_colour(step, mode), ground, strength)
    return found


def stylesheet(colour: Callable[[str], str], *, number: bool = False) -> str:
    """How the parts of the tree look; `colour` turns the name of a custom property into a value.

    `number` is the kind of the target: its nodes have the colours of a scale in place of classes.
    """
    rules = [
        f".tree text{{font-family:{FONT};fill:{colour('--ink')};text-anchor:middle}}",
        ".tree.LR .edge-label{text-anchor:end}",
        f".tree .edge-line{{fill:none;stroke:{colour('--neutral')};stroke-linecap:round}}",
        f".tree .edge-label{{font-size:{LABEL_SIZE}px;stroke:{colour('--background')};stroke-width:7px;"
        "stroke-linejoin:round;paint-order:stroke}",
        f".tree .node-shape{{fill:{colour('--background')};stroke:{colour('--quiet')};stroke-width:1.5px}}",
        f".tree .node-test text{{font-size:{TEST_SIZE}px;font-weight:700}}",
        f".tree .node-open{{font-size:22px;font-weight:700;fill:{colour('--quiet')}}}",
        f".tree .node-counts{{font-size:{COUNT_SIZE}px}}",
        f".tree .node-impurity{{font-size:{NOTE_SIZE}px;fill:{colour('--quiet')}}}",
        f".tree .node-cut{{font-size:{NOTE_SIZE}px;font-style:italic;fill:{colour('--quiet')}}}",
        f".tree .node-bar text{{font-size:{_BAR_TEXT}px;font-weight:700}}",
        f".tree .node-bar rect~rect{{stroke:{colour('--background')};stroke-width:1.6px;paint-order:stroke}}",
        f".tree [data-decided=false] .node-shape{{stroke:{colour('--neutral')};stroke-dasharray:5 4}}",
        ".tree [data-decided=false] .node-test,.tree [data-decided=true] .node-open{display:none}",
        ".tree [data-decided=false] .node-cut{display:none}",
    ]
    if number:
        return "\n".join([*rules, *_scale_rules(colour)])
    for index in range(_N_COLOURS):
        own, tint = colour(f"--class-{index}"), colour(f"--class-{index}-tint")
        rules += [
            f".tree .c{index}{{fill:{own}}}.tree text.i{index}{{fill:{colour(f'--class-{index}-ink')}}}",
            f".tree [data-decided=true][data-kind=leaf].k{index} .node-shape"
            f"{{fill:{tint};stroke:{own};stroke-width:2px;rx:22px}}",
        ]
    return "\n".join(rules)


def _scale_rules(colour: Callable[[str], str]) -> list[str]:
    rules = [
        f".tree .range{{fill:{colour('--neutral')}}}",
        f".tree .mean{{fill:{colour('--ink')};stroke:{colour('--background')};stroke-width:1.5px;paint-order:stroke}}",
        f".tree .swatch{{stroke:{colour('--quiet')};stroke-width:1px}}",
    ]
    for step in range(SCALE_STEPS):
        own, tint = colour(f"--scale-{step}"), colour(f"--scale-{step}-tint")
        rules.append(
            f".tree .v{step}{{fill:{own}}}.tree [data-decided=true][data-kind=leaf].s{step} .node-shape"
            f"{{fill:{tint};stroke:{own};stroke-width:2px;rx:22px}}"
        )
    return rules


def stage_stylesheet(*, number: bool = False) -> str:
    """`stylesheet` over custom properties, with the states that only the stage has."""
    accent = "var(--accent)"
    states = (
        ".tree:not(.outlined) [data-state=hidden]{display:none}",
        ".tree.outlined [data-state=hidden]{opacity:.3}",
        ".tree [data-state=hidden]>*{display:none}",
        ".tree.outlined [data-state=hidden]>.node-shape,.tree.outlined [data-state=hidden]>.edge-line{display:inline}",
        f".tree .node[data-state=current] .node-shape{{stroke:{accent}!important;stroke-width:4px!important;"
        "stroke-dasharray:none}",
        ".tree.hide-counts .node-counts,.tree.hide-impurity .node-impurity,.tree.hide-bar .node-bar{display:none}",
        ".tree .guessing[data-decided=false] :is(.node-counts,.node-impurity,.node-bar){display:none}",
        ".tree .node{cursor:pointer}",
    )
    return stylesheet(lambda name: f"var({name})", number=number) + "\n" + "\n".join(states)


def stage_svg(boxes: Sequence[Box], layout: Layout, letters: Sequence[str]) -> str:
    """The skeleton that the stage steps: states and colours are left to the stage and its stylesheet."""
    return _document(boxes, layout, letters, "", alone=False)


def file_svg(boxes: Sequence[Box], layout: Layout, letters: Sequence[str], mode: Mode) -> str:
    """A picture that stands alone, in the colours of `mode`; boxes marked open carry a “?”."""
    palette = colours(mode) | scale_colours(mode)
    style = f"<style>{stylesheet(palette.__getitem__, number=boxes[0].place is not None)}</style>"
    ground = f"<rect width='100%' height='100%' fill='{palette['--background']}'/>"
    return _document(boxes, layout, letters, style + ground, alone=True)


def edge_width(child: Box, total: float) -> float:
    """How wide the edge to a box is: its area of rows, so that a few rows can still be seen."""
    return 1.5 + 7 * math.sqrt(child.n_rows / total) if total else 1.5


# Attributes are in single quotes: in JSON a double quote takes two characters. None of them holds
# text from a file; such text stands between tags only, escaped.


def _document(boxes: Sequence[Box], layout: Layout, letters: Sequence[str], head: str, *, alone: bool) -> str:
    by_node = {box.node: box for box in boxes}
    parts = [_edge(by_node[box.parent], box, layout, boxes[0].n_rows) for box in boxes[1:]]
    parts += [_node(box, layout.centres[box.node], letters, alone) for box in boxes]
    width, height = f"{layout.width:.0f}", f"{layout.height:.0f}"
    size = f"width='{width}' height='{height}' viewBox='0 0 {width} {height}'"
    look = f"class='tree {layout.orientation.value}'"
    return f"<svg xmlns='http://www.w3.org/2000/svg' {look} {size}>{head}{''.join(parts)}</svg>"


def _edge(parent: Box, child: Box, layout: Layout, total: float) -> str:
    drawn = line(parent, child, layout)
    return (
        f"<g class='edge' data-edge='{child.node}'>"
        f"<path class='edge-line' stroke-width='{edge_width(child, total):.1f}' d='{drawn.path}'/>"
        f"<text class='edge-label' x='{drawn.label_x:.0f}' y='{drawn.label_y + 5:.0f}'>{_text(child.label)}</text></g>"
    )


def _node(box: Box, centre: tuple[float, float], letters: Sequence[str], alone: bool) -> str:
    kind = "split" if box.is_split else "leaf"
    state = f"data-decided='{str(not box.is_open).lower()}' " if alone else ""
    look = f"k{box.prediction % _N_COLOURS}" if box.place is None else f"s{scale_step(box.place.at)}"
    answer = f"data-class='{box.prediction}' " if box.place is None else ""
    parts = [
        f"<g class='node {look}' id='n{box.node}' data-node='{box.node}' "
        f"data-kind='{kind}' {answer}data-w='{box.width:.0f}' data-h='{box.height:.0f}' "
        f"{state}transform='translate({centre[0]:.0f},{centre[1]:.0f})'>",
        f"<title>{_text(box.title)}</title>" if alone else "",
        f"<rect class='node-shape' x='{-box.width / 2:.1f}' y='{-box.height / 2:.0f}' "
        f"width='{box.width:.0f}' height='{box.height:.0f}' rx='10'/>",
        _test(box),
        "<text class='node-open' y='-16'>?</text>",
        f"<text class='node-counts' y='-1'>{_text(box.counts)}</text>",
        f"<text class='node-impurity' y='14'>{_text(box.impurity)}</text>",
        _bar(box, letters) if box.place is None else _spread(box, box.place),
        f"<text class='node-cut' y='{box.height / 2 + 17:.0f}'>{box.hidden_words}</text>" if box.n_hidden else "",
    ]
    return "".join(parts) + "</g>"


def _test(box: Box) -> str:
    if box.is_split:
        asked = f"<g class='node-test'><text y='-18'>{_text(box.test)}</text></g>"
        return asked + _answer(box, box.answer, "node-answer") if box.answer else asked
    return _answer(box, box.test, "node-test")


def _answer(box: Box, said: str, name: str) -> str:
    width = text_width(said, TEST_SIZE, bold=True) + SIGN_WIDTH
    sign, look = SIGNS[class_symbol(box.prediction)], f"c{box.prediction % _N_COLOURS}"
    if box.place is not None:
        sign, look = SIGNS["square"], f"swatch v{scale_step(box.place.at)}"
    return (
        f"<g class='{name}'><path class='{look}' d='{sign}' "
        f"transform='translate({7 - width / 2:.0f},-24)'/>"
        f"<text x='{SIGN_WIDTH // 2}' y='-18'>{_text(said)}</text></g>"
    )


def _bar(box: Box, letters: Sequence[str]) -> str:
    """Class shares as segments, each with its class's letter where there is room for it."""
    whole = box.width - 2 * PADDING
    at, top = -whole / 2, box.height / 2 - BAR_HEIGHT - 7
    parts = []
    for code, share in box.shares:
        width, look = whole * share, code % _N_COLOURS
        parts.append(f"<rect class='c{look}' x='{at:.1f}' y='{top:.0f}' width='{width:.1f}' height='{BAR_HEIGHT}'/>")
        if text_width(letters[code], _BAR_TEXT, bold=True) + 4 <= width:
            x, y = f"{at + width / 2:.0f}", f"{top + 10:.0f}"
            parts.append(f"<text class='i{look}' x='{x}' y='{y}'>{_text(letters[code])}</text>")
        at += width
    return f"<g class='node-bar'>{''.join(parts)}</g>"


def _spread(box: Box, place: Place) -> str:
    """The range of the target as a line, on it a band of one deviation either side of the mean, and the mean."""
    whole = box.width - 2 * PADDING
    left, top = -whole / 2, box.height / 2 - BAR_HEIGHT - 7
    mean, low, high = (left + whole * share for share in (place.at, place.low, place.high))
    parts = [f"<rect class='range' x='{left:.1f}' y='{top + BAR_HEIGHT / 2 - 1:.1f}' width='{whole:.1f}' height='2'/>"]
    if box.n_rows:
        start, width = (mean - 5, 10.0) if high - low < 10 else (low, high - low)
        parts.append(
            f"<rect class='v{scale_step(place.at)}' x='{start:.1f}' y='{top:.0f}' width='{width:.1f}' "
            f"height='{BAR_HEIGHT}' rx='3'/>"
        )
        tall = f"y='{top - 2:.0f}' width='2.5' height='{BAR_HEIGHT + 4}'"
        parts.append(f"<rect class='mean' x='{mean - 1.25:.1f}' {tall}/>")
    return f"<g class='node-bar'>{''.join(parts)}</g>"


def _text(text: str) -> str:
    return escape(text)


def _ink_on(colour: str, palette: Palette) -> str:
    """Of ink and background, the one that is read on `colour`."""
    return max((palette.ink, palette.background), key=lambda ink: contrast(ink, colour))


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours, from 1 to 21, as WCAG 2 defines it.

    >>> round(contrast("#ffffff", "#000000"))
    21
    """
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
