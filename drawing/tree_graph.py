"""A tree as a picture to keep: SVG, DOT, PNG and PDF, finished or as it stood after a step.

The SVG is our own (tree_svg.py). DOT is written with the graphviz package; pygraphviz, which carries
Graphviz, turns it into PNG and PDF with every box and line where the SVG has it.
"""

from __future__ import annotations

import graphviz
import pygraphviz

from drawing.numbers import Place
from drawing.theme import PALETTES, Mode, class_colour, mix, scale_step, step_colour
from drawing.tree_boxes import (
    BOX_HEIGHT,
    COUNT_SIZE,
    LABEL_SIZE,
    MAX_NODES,
    NOTE_SIZE,
    PADDING,
    TEST_SIZE,
    Box,
    boxes,
    class_letters,
    text_width,
)
from drawing.tree_layout import Layout, Line, Orientation, line, place
from drawing.tree_svg import BAR_HEIGHT, colours, edge_width, file_svg
from engine import Criterion, Tree

_DOT_FONT = "Liberation Sans"
_POINTS_PER_INCH = 72


def tree_svg(
    tree: Tree,
    criterion: Criterion | None = None,
    *,
    orientation: Orientation = Orientation.TOP_DOWN,
    mode: Mode = Mode.LIGHT,
    max_nodes: int = MAX_NODES,
) -> str:
    """The tree as an SVG that stands alone.

    Parameters
    ----------
    tree : Tree
        Finished, or ``tree.at(k)``, whose undecided nodes are drawn open, as “?”.
    criterion : Criterion, optional
        Names the impurity that each node shows.
    orientation : Orientation
    mode : Mode
        Whose colours to use.
    max_nodes : int
        A larger tree is drawn to the depth that fits, with “+ n nodes” where it is cut.
    """
    drawn = boxes(tree, criterion, max_nodes)
    letters = class_letters(tree.table.target.classes)
    return file_svg(drawn, place(drawn, orientation), letters, mode)


def tree_dot(
    tree: Tree,
    criterion: Criterion | None = None,
    *,
    orientation: Orientation = Orientation.TOP_DOWN,
    mode: Mode = Mode.LIGHT,
    max_nodes: int = MAX_NODES,
) -> str:
    """The tree as styled DOT, for Graphviz to lay out, its node ids n0, n1 and so on."""
    return _dot(tree, boxes(tree, criterion, max_nodes), orientation, mode, None)


def tree_png(
    tree: Tree,
    criterion: Criterion | None = None,
    *,
    orientation: Orientation = Orientation.TOP_DOWN,
    mode: Mode = Mode.LIGHT,
    max_nodes: int = MAX_NODES,
) -> bytes:
    """The tree as a PNG picture, two pixels to a CSS pixel where that stays within 8,000."""
    drawn = boxes(tree, criterion, max_nodes)
    layout = place(drawn, orientation)
    scale = min(2.0, 8000 / max(layout.width, layout.height))
    return _draw(_dot(tree, drawn, orientation, mode, layout, dpi=scale * _POINTS_PER_INCH), "png")


def tree_pdf(
    tree: Tree,
    criterion: Criterion | None = None,
    *,
    orientation: Orientation = Orientation.TOP_DOWN,
    mode: Mode = Mode.LIGHT,
    max_nodes: int = MAX_NODES,
) -> bytes:
    """The tree as a PDF of one page."""
    drawn = boxes(tree, criterion, max_nodes)
    return _draw(_dot(tree, drawn, orientation, mode, place(drawn, orientation)), "pdf")


def _draw(dot: str, form: str) -> bytes:
    """Graphviz's nop2 draws what has positions and does not lay out."""
    return bytes(pygraphviz.AGraph(string=dot).draw(format=form, prog="nop2"))


def _dot(
    tree: Tree, drawn: list[Box], orientation: Orientation, mode: Mode, layout: Layout | None, dpi: float | None = None
) -> str:
    palette = PALETTES[mode]
    graph = graphviz.Digraph("tree")
    graph.attr(
        rankdir=orientation.value, ordering="out", bgcolor=palette.background, pad="0.15", nodesep="0.3", ranksep="0.6"
    )
    if dpi:
        graph.attr(dpi=f"{dpi:.1f}")
    graph.attr("node", fontname=_DOT_FONT, fontcolor=palette.ink, margin="0.1,0.06", penwidth="1.5")
    graph.attr(
        "edge",
        fontname=_DOT_FONT,
        fontsize=str(LABEL_SIZE),
        fontcolor=palette.ink,
        color=palette.neutral,
        arrowhead="none",
    )
    letters = class_letters(tree.table.target.classes)
    by_node = {box.node: box for box in drawn}
    for box in drawn:
        graph.node(f"n{box.node}", **_node_attributes(box, letters, mode, layout))
    for box in drawn[1:]:
        attributes = {"label": quoted(box.label), "penwidth": f"{edge_width(box, drawn[0].n_rows):.1f}"}
        if layout:
            attributes |= _edge_position(line(by_node[box.parent], box, layout), box, layout)
            attributes["label"] = _on_ground(box.label, palette.background)
        graph.edge(f"n{box.parent}", f"n{box.node}", **attributes)
    return str(graph.source)


def _node_attributes(box: Box, letters: tuple[str, ...], mode: Mode, layout: Layout | None) -> dict[str, str]:
    palette = PALETTES[mode]
    own = class_colour(box.prediction, mode) if box.place is None else step_colour(scale_step(box.place.at), mode)
    answered = not box.is_split and not box.is_open
    style = "rounded,filled,dashed" if box.is_open else "rounded,filled"
    attributes = {
        "label": _html(box, letters, mode),
        "shape": "box",
        "style": style,
        "fillcolor": mix(own, palette.background, 0.2) if answered else palette.background,
        "color": own if answered else palette.neutral if box.is_open else palette.quiet,
        "tooltip": quoted(box.title),
    }
    if layout:
        x, y = layout.centres[box.node]
        attributes |= {
            "pos": f"{x:.1f},{layout.height - y:.1f}",
            "width": f"{box.width / _POINTS_PER_INCH:.4f}",
            "height": f"{BOX_HEIGHT / _POINTS_PER_INCH:.4f}",
            "fixedsize": "true",
        }
    return attributes


def _edge_position(drawn: Line, box: Box, layout: Layout) -> dict[str, str]:
    """The line as Graphviz's spline: the curve, and the straight end as a second, flat curve."""
    *curve, (ex, ey) = drawn.points
    points = [*curve, curve[-1], (ex, ey), (ex, ey)]
    # A label beside a line that runs to the right ends before the box; Graphviz centres it.
    shift = box.label_width / 2 if layout.orientation is Orientation.LEFT_RIGHT else 0.0
    return {
        "pos": " ".join(f"{x:.1f},{layout.height - y:.1f}" for x, y in points),
        "lp": f"{drawn.label_x - shift:.1f},{layout.height - drawn.label_y:.1f}",
    }


def _on_ground(text: str, ground: str) -> str:
    """A label that the line beneath it does not strike through."""
    cell = f'<TD BGCOLOR="{ground}">{escape_html(text)}</TD>'
    return f'<<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="1"><TR>{cell}</TR></TABLE>>'


def _html(box: Box, letters: tuple[str, ...], mode: Mode) -> str:
    """The content of a node as Graphviz's HTML-like table; every text in it escaped."""
    quiet = PALETTES[mode].quiet
    head = "?" if box.is_open else box.test
    rows = [
        _text_row(head, TEST_SIZE, bold=True),
        _text_row(box.counts, COUNT_SIZE),
        _text_row(box.impurity, NOTE_SIZE, quiet),
    ]
    if box.place is not None:
        rows.append(f"<TR><TD>{_spread(box, box.place, mode)}</TD></TR>")
    elif box.shares:
        rows.append(f"<TR><TD>{_bar(box, letters, mode)}</TD></TR>")
    if box.n_hidden:
        rows.append(_text_row(box.hidden_words, NOTE_SIZE, quiet))
    return f'<<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0">{"".join(rows)}</TABLE>>'


def _text_row(text: str, size: int, colour: str | None = None, bold: bool = False) -> str:
    content = escape_html(text)
    content = f"<B>{content}</B>" if bold else content
    ink = f' COLOR="{colour}"' if colour else ""
    return f'<TR><TD><FONT POINT-SIZE="{size}"{ink}>{content}</FONT></TD></TR>'


def _bar(box: Box, letters: tuple[str, ...], mode: Mode) -> str:
    inks, whole = colours(mode), box.width - 2 * PADDING
    cells = []
    for code, share in box.shares:
        width = round(whole * share)
        if width < 1:
            continue
        ink = inks[f"--class-{code % len(PALETTES[mode].classes)}-ink"]
        letter = f'<FONT POINT-SIZE="10" COLOR="{ink}"><B>{escape_html(letters[code])}</B></FONT>'
        fits = text_width(letters[code], 10, bold=True) + 4 <= width
        cells.append(
            f'<TD FIXEDSIZE="TRUE" WIDTH="{width}" HEIGHT="{BAR_HEIGHT}" BGCOLOR="{class_colour(code, mode)}">'
            f"{letter if fits else ''}</TD>"
        )
    return f'<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0"><TR>{"".join(cells)}</TR></TABLE>'


def _spread(box: Box, place: Place, mode: Mode) -> str:
    """The range of the target as a row of cells: the band around the mean, and the mean within it."""
    palette, whole = PALETTES[mode], box.width - 2 * PADDING
    own = step_colour(scale_step(place.at), mode)
    ends = [0.0, place.low, place.at, place.high, 1.0]
    looks = [(palette.line, 2), (own, BAR_HEIGHT), (own, BAR_HEIGHT), (palette.line, 2)]
    cells = []
    for place_of, (colour, height) in enumerate(looks):
        width = round(whole * ends[place_of + 1]) - round(whole * ends[place_of])
        if width > 0 and (box.n_rows or colour == palette.line):
            cells.append(_cell(width, height, colour))
        if place_of == 1 and box.n_rows:
            cells.append(_cell(3, BAR_HEIGHT + 2, palette.ink))
    return f'<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0"><TR>{"".join(cells)}</TR></TABLE>'


def _cell(width: int, height: int, colour: str) -> str:
    """A filled cell; a lower one is set into the middle of the line."""
    fill = f'FIXEDSIZE="TRUE" WIDTH="{width}" HEIGHT="{height}" BGCOLOR="{colour}"'
    if height == BAR_HEIGHT:
        return f"<TD {fill}></TD>"
    inner = f'<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0"><TR><TD {fill}></TD></TR></TABLE>'
    return f'<TD VALIGN="MIDDLE">{inner}</TD>'


def quoted(text: str) -> str:
    """A text as a DOT label that says just this text: no escape sequence, never an HTML-like label."""
    label: str = graphviz.escape(text.replace("&", "&amp;"))
    return label


def escape_html(text: str) -> str:
    """A text inside an HTML-like label, and a space that counts where there is none.

    >>> escape_html('<B>"x" & y</B>')
    '&lt;B&gt;&quot;x&quot; &amp; y&lt;/B&gt;'
    """
    text = text.replace("\u2068", "").replace("\u2069", "")
    for character, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(character, entity)
    return text if text.strip() else "&#160;"
