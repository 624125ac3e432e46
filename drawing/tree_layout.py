"""Where the boxes of a tree go, and the lines between them.

Graphviz's dot places the boxes, once for the finished tree. Their sizes are given, so that no font
is measured and the picture is the same on every machine. Parents are then moved over the middle of
their children where there is room, and the lines leave the labels clear.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import graphviz
from pygraphviz import AGraph

from drawing.tree_boxes import Box


class Orientation(StrEnum):
    """Which way a tree grows: down the page or along the line. The values are Graphviz's."""

    TOP_DOWN = "TB"
    LEFT_RIGHT = "LR"


@dataclass(frozen=True)
class Layout:
    """Where the boxes are by node, and the size of the whole, in CSS pixels, y downwards.

    `straight` is where, along the direction of growth, the last, straight piece of the edge to a
    box begins: the same for all boxes of a depth.
    """

    orientation: Orientation
    centres: dict[int, tuple[float, float]]
    straight: dict[int, float]
    width: float
    height: float


@dataclass(frozen=True)
class Line:
    """An edge as a cubic curve and a straight end, and the place of its label.

    `points` are the start, two control points, the end of the curve, and the end of the line.
    """

    points: tuple[tuple[float, float], ...]
    label_x: float
    label_y: float

    @property
    def path(self) -> str:
        """The line as SVG path data."""
        start, *rest, end = (f"{x:.0f} {y:.0f}" for x, y in self.points)
        return f"M{start}C{' '.join(rest)}L{end}"


_MARGIN = 16
_ACROSS = 22
"""Room between neighbouring boxes."""
_BEND = 36
"""Room along an edge for its curve."""
_LABEL_HEIGHT = 26
_INCH = 72.0


def place(boxes: Sequence[Box], orientation: Orientation) -> Layout:
    """Place boxes that are given by ascending id, so that parents come before children."""
    down = orientation is Orientation.TOP_DOWN
    depth = _depths(boxes)
    half = {b.node: (max(b.width, b.label_width + 8) if down else b.height) / 2 for b in boxes}
    across = _across(boxes, half)
    along, straight = _ranks(boxes, depth, down)
    lowest = min(across[b.node] - half[b.node] for b in boxes)
    centres = {}
    for b in boxes:
        x, y = across[b.node] - lowest + _MARGIN, along[depth[b.node]] + (b.height if down else b.width) / 2
        centres[b.node] = (x, y) if down else (y, x)
    width = max(centres[b.node][0] + (half[b.node] if down else b.width / 2) for b in boxes) + _MARGIN
    under = max(30 if b.n_hidden else 0 for b in boxes)
    height = max(centres[b.node][1] + b.height / 2 for b in boxes) + max(_MARGIN, under)
    return Layout(orientation, centres, {b.node: straight[depth[b.node]] for b in boxes}, width, height)


def line(parent: Box, child: Box, layout: Layout) -> Line:
    """The line from a box to its child.

    It bends between the boxes and then runs straight along the label's place, so that no edge
    crosses another one's label.
    """
    (px, py), (cx, cy) = layout.centres[parent.node], layout.centres[child.node]
    straight = layout.straight[child.node]
    if layout.orientation is Orientation.TOP_DOWN:
        start, end = py + parent.height / 2, cy - child.height / 2
        middle = (start + straight) / 2
        return Line(((px, start), (px, middle), (cx, middle), (cx, straight), (cx, end)), cx, end - 14)
    start, end = px + parent.width / 2, cx - child.width / 2
    middle = (start + straight) / 2
    return Line(((start, py), (middle, py), (middle, cy), (straight, cy), (end, cy)), end - 6, cy - 14)


def _depths(boxes: Sequence[Box]) -> dict[int, int]:
    depth: dict[int, int] = {}
    for b in boxes:
        depth[b.node] = depth.get(b.parent, -1) + 1
    return depth


def _ranks(boxes: Sequence[Box], depth: dict[int, int], down: bool) -> tuple[list[float], list[float]]:
    """Where the boxes of each depth begin, and the room for their longest label before them."""
    n_ranks = max(depth.values()) + 1
    size, label = [0.0] * n_ranks, [0.0] * n_ranks
    for b in boxes:
        rank = depth[b.node]
        size[rank] = max(size[rank], b.height if down else b.width)
        label[rank] = max(label[rank], _LABEL_HEIGHT if down else b.label_width + 12)
    begin = [float(_MARGIN)]
    for rank in range(1, n_ranks):
        begin.append(begin[-1] + size[rank - 1] + _BEND + label[rank])
    return begin, [at - room for at, room in zip(begin, label, strict=True)]


def _across(boxes: Sequence[Box], half: dict[int, float]) -> dict[int, float]:
    """The place of each box across the direction of growth: Graphviz's, parents moved over their children's middle."""
    across = _dot_places(boxes, half)
    children: dict[int, list[int]] = {b.node: [] for b in boxes}
    ranks: dict[int, list[int]] = {}
    depth = _depths(boxes)
    for b in boxes:
        ranks.setdefault(depth[b.node], []).append(b.node)
        if b.parent in children:
            children[b.parent].append(b.node)
    for rank in sorted(ranks, reverse=True):
        _centre(sorted(ranks[rank], key=across.__getitem__), children, across, half)
    return across


def _centre(row: list[int], children: dict[int, list[int]], across: dict[int, float], half: dict[int, float]) -> None:
    """Move each box of a rank over the middle of its children, as far as its neighbours leave room."""
    for place, node in enumerate(row):
        if children[node]:
            middle = (across[children[node][0]] + across[children[node][-1]]) / 2
            side = row[place + 1 :] if middle > across[node] else row[place - 1 :: -1] if place else []
            across[node] = _moved(node, middle, side, children, across, half)


def _moved(
    node: int,
    wanted: float,
    side: list[int],
    children: dict[int, list[int]],
    across: dict[int, float],
    half: dict[int, float],
) -> float:
    """Where a box can go towards `wanted`; the leaf beside it makes room if it can."""
    sign = 1.0 if wanted > across[node] else -1.0
    if side:
        other, beyond = side[0], side[1:2]
        missing = half[node] + half[other] + _ACROSS - sign * (across[other] - wanted)
        if missing > 0 and not children[other]:
            room = missing
            if beyond:
                room = sign * (across[beyond[0]] - across[other]) - half[other] - half[beyond[0]] - _ACROSS
            shift = min(missing, max(room, 0.0))
            across[other] += sign * shift
            missing -= shift
        wanted -= sign * max(missing, 0.0)
    return wanted if sign * (wanted - across[node]) > 0 else across[node]


def _dot_places(boxes: Sequence[Box], half: dict[int, float]) -> dict[int, float]:
    """Where Graphviz's dot puts boxes of given sizes, whose order among siblings is kept."""
    graph = graphviz.Digraph(
        graph_attr={"ordering": "out", "nodesep": f"{_ACROSS / _INCH:.3f}", "splines": "false"},
        node_attr={"shape": "box", "fixedsize": "true", "label": "", "height": "0.5"},
    )
    for b in boxes:
        graph.node(f"n{b.node}", width=f"{2 * half[b.node] / _INCH:.3f}")
    for b in boxes[1:]:
        graph.edge(f"n{b.parent}", f"n{b.node}")
    placed = AGraph(string=graph.source).draw(format="plain", prog="dot").decode()
    words = (line.split() for line in placed.splitlines() if line.startswith("node "))
    return {int(word[1][1:]): float(word[2]) * _INCH for word in words}
