"""Where the boxes of a tree go: Graphviz places them once, and the edges are drawn between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import pygraphviz

from drawing.tree_boxes import Box


class Orientation(StrEnum):
    """Which way a tree grows: down the page or along the line. The values are Graphviz's."""

    TOP_DOWN = "TB"
    LEFT_RIGHT = "LR"


@dataclass(frozen=True)
class Layout:
    """Centres of the boxes by node, and the size of the whole, in CSS pixels, y downwards."""

    orientation: Orientation
    centres: dict[int, tuple[float, float]]
    width: float
    height: float


_POINTS_PER_INCH = 72
_MARGIN = 16
_BETWEEN = 22
LABEL_ZONE = 26
"""Room along a vertical edge for its label, right above the child."""
_BEND = 40


def place(boxes: Sequence[Box], orientation: Orientation) -> Layout:
    """Let Graphviz place fixed boxes, so that the picture does not depend on a machine's fonts.

    A box is given at least the width of the label above it, so that labels never meet.
    """
    down = orientation is Orientation.TOP_DOWN
    zone = LABEL_ZONE if down else max((b.label_width for b in boxes), default=0.0) + 16
    lines = [
        "digraph {",
        f'graph [rankdir={orientation.value}, ordering=out, splines=false, nodesep={_BETWEEN / _POINTS_PER_INCH:.3f}, '
        f"ranksep={(zone + _BEND) / _POINTS_PER_INCH:.3f}, nslimit=4, nslimit1=4, mclimit=0.1]",
        "node [shape=box, fixedsize=true, label=\"\"]",
        "edge [arrowhead=none]",
    ]
    for box in boxes:
        width = max(box.width, box.label_width + 10) if down else box.width
        lines.append(f"n{box.node} [width={width / _POINTS_PER_INCH:.4f}, height={box.height / _POINTS_PER_INCH:.4f}]")
    lines += [f"n{box.parent} -> n{box.node}" for box in boxes[1:]]
    placed = pygraphviz.AGraph(string="\n".join([*lines, "}"])).draw(format="plain", prog="dot").decode("utf-8")
    return _read(placed, orientation)


def edge_path(parent: Box, child: Box, layout: Layout) -> tuple[str, float, float]:
    """The line from a box to its child and the place of its label.

    The line bends between the boxes and then runs straight through the label's place, so that no
    edge crosses another one's label.

    Returns
    -------
    path : str
        SVG path data.
    x, y : float
        Where the label is centred (top-down) or ends (left-right).
    """
    (px, py), (cx, cy) = layout.centres[parent.node], layout.centres[child.node]
    if layout.orientation is Orientation.TOP_DOWN:
        start, end = py + parent.height / 2, cy - child.height / 2
        straight = end - LABEL_ZONE
        middle = (start + straight) / 2
        path = f"M{px:.1f} {start:.1f}C{px:.1f} {middle:.1f} {cx:.1f} {middle:.1f} {cx:.1f} {straight:.1f}V{end:.1f}"
        return path, cx, end - LABEL_ZONE / 2 + 1
    start, end = px + parent.width / 2, cx - child.width / 2
    straight = end - child.label_width - 14
    middle = (start + straight) / 2
    path = f"M{start:.1f} {py:.1f}C{middle:.1f} {py:.1f} {middle:.1f} {cy:.1f} {straight:.1f} {cy:.1f}H{end:.1f}"
    return path, end - 7, cy - 11


def _read(plain: str, orientation: Orientation) -> Layout:
    """Graphviz's plain format: inches from the lower left corner."""
    height = width = 0.0
    centres = {}
    for line in plain.splitlines():
        words = line.split()
        if words[0] == "graph":
            width, height = float(words[2]) * _POINTS_PER_INCH, float(words[3]) * _POINTS_PER_INCH
        elif words[0] == "node":
            x, y = float(words[2]) * _POINTS_PER_INCH, float(words[3]) * _POINTS_PER_INCH
            centres[int(words[1][1:])] = (x + _MARGIN, height - y + _MARGIN)
    return Layout(orientation, centres, width + 2 * _MARGIN, height + 2 * _MARGIN)
