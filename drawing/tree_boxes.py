"""What is written in each node of a drawn tree, how large its box is, and which nodes are drawn."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

import numpy as np

from drawing import phrases
from drawing.number_boxes import Content, describer
from drawing.numbers import Place
from drawing.theme import number, weight
from engine import Criterion, Tree
from engine.splits import Path
from engine.table import IntArray

MAX_NODES = 500
"""A larger tree is drawn to the greatest depth that keeps within it."""

TEST_SIZE, COUNT_SIZE, NOTE_SIZE, LABEL_SIZE = 17, 14, 13, 15
BOX_HEIGHT, PADDING = 78, 12
_LEAST_WIDTH, _MOST_WIDTH, _MOST_LABEL = 104, 220, 150
SIGN_WIDTH = 20

# Widths of the characters from space to tilde in Helvetica, in thousandths of the font size: the
# box must not depend on which fonts a machine has.
_WIDTHS = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
    556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
    260, 334, 584,
)  # fmt: skip
_BOLD = 1.08


@dataclass(frozen=True)
class Box:
    """One drawn node: its texts, shortened to fit, and its size in CSS pixels.

    Attributes
    ----------
    test : str
        The question of a split, or the class or mean that a leaf answers.
    counts, impurity : str
    shares : tuple of (int, float)
        Class and share of the rows, for the classes present; empty for a number.
    answer : str
        What a split will answer once it is pruned; empty where nothing is pruned.
    place : Place or None
        Of a number: where the node's rows lie on the range of the target.
    label : str
        The condition on the edge that leads here; empty at the root.
    n_hidden : int
        Nodes below that are not drawn.
    """

    node: int
    parent: int
    is_split: bool
    is_open: bool
    prediction: int
    test: str
    counts: str
    impurity: str
    shares: tuple[tuple[int, float], ...]
    label: str
    title: str
    n_rows: float
    n_hidden: int
    width: float
    label_width: float
    height: float = BOX_HEIGHT
    place: Place | None = None
    answer: str = ""

    @property
    def hidden_words(self) -> str:
        """What stands where the drawing is cut."""
        return f"+ {self.n_hidden} node{'' if self.n_hidden == 1 else 's'}"


def drawn_nodes(tree: Tree, limit: int = MAX_NODES) -> tuple[IntArray, dict[int, int]]:
    """The visible nodes down to the depth that fits `limit`, and how many are left out below each.

    Returns
    -------
    ids : ndarray of int64, ascending
    cut : dict of int to int
        For each drawn split whose children are not drawn, the number of nodes below it.
    """
    visible = np.flatnonzero(tree.is_visible)
    depth = tree.nodes.depth
    within = np.cumsum(np.bincount(depth[visible]))
    deepest = max(int(np.searchsorted(within, limit, side="right")) - 1, 0)
    ids = visible[depth[visible] <= deepest]
    edge = ids[(depth[ids] == deepest) & tree.is_split[ids]]
    end = tree.nodes.subtree_end
    upto = np.concatenate([[0], np.cumsum(tree.is_visible)])
    return ids, {int(node): int(upto[end[node]] - upto[node + 1]) for node in edge}


def boxes(
    tree: Tree, criterion: Criterion | None = None, limit: int = MAX_NODES, paths: Sequence[Path] | None = None
) -> list[Box]:
    """The boxes of the drawn nodes, by id; `paths` of all nodes, if the caller has them."""
    ids, cut = drawn_nodes(tree, limit)
    signs = class_letters(tree.table.target.classes)
    impurity_word = phrases.measure(criterion).impurity if criterion else "impurity"
    paths = phrases.paths(tree) if paths is None else paths
    describe = describer(tree, criterion) if tree.is_number else None
    return [
        _box(tree, node, paths[node], cut.get(node, 0), signs, impurity_word, describe and describe(node))
        for node in ids.tolist()
    ]


def class_letters(classes: Sequence[str]) -> tuple[str, ...]:
    """A short sign for each class: up to 3 letters that tell them apart, after a word that all begin with.

    >>> class_letters(["no", "yes"]), class_letters(["setosa", "versicolor", "virginica"])
    (('n', 'y'), ('s', 've', 'vi'))
    >>> class_letters(["class_0", "class_1"]), class_letters(["a", "ab"])
    (('0', '1'), ('a', 'ab'))
    """
    names = [phrases.cleaned(name).strip() for name in classes]
    same = [column[0] for column in takewhile(lambda column: len(set(column)) == 1, zip(*names, strict=False))]
    while same and same[-1].isalnum():
        same.pop()
    ends = [name[len(same) :] for name in names] if len(names) > 1 else names
    found = []
    for name in ends:
        lengths = (n for n in (1, 2, 3) if sum(other[:n].casefold() == name[:n].casefold() for other in ends) == 1)
        found.append(name[: next(lengths, 0)])
    return tuple(found) if all(found) else tuple(str(place + 1) for place in range(len(names)))


@lru_cache(maxsize=4096)
def text_width(text: str, size: float, bold: bool = False) -> float:
    """Width of a text in pixels, as Helvetica (Arial, Liberation Sans) sets it.

    >>> text_width("outlook", 10.0)
    32.24
    """
    total = sum(_character_width(character) for character in text)
    return round(total * size / 1000 * (_BOLD if bold else 1.0), 2)


def fit(text: str, size: float, width: float, bold: bool = False) -> str:
    """The text, or as much of it as `width` pixels hold, with an ellipsis.

    >>> fit("a very long name indeed", 10.0, 60.0)
    'a very long…'
    """
    if text_width(text, size, bold) <= width:
        return text
    kept = text
    while kept and text_width(f"{kept}…", size, bold) > width:
        kept = kept[:-1]
    closing = "\u2069" if kept.startswith("\u2068") else ""
    return f"{kept.rstrip()}…{closing}"


def _character_width(character: str) -> int:
    code = ord(character) - 32
    if 0 <= code < len(_WIDTHS):
        return _WIDTHS[code]
    if unicodedata.combining(character) or unicodedata.category(character) == "Cf":
        return 0
    return 1000 if unicodedata.east_asian_width(character) in "WF" or character == "…" else 667


def _box(
    tree: Tree,
    node: int,
    path: Path,
    hidden: int,
    signs: Sequence[str],
    impurity_word: str,
    content: Content | None = None,
) -> Box:
    nodes, classes = tree.nodes, tree.table.target.classes
    counts = nodes.counts[node].tolist()
    n_rows = float(nodes.size[node])
    prediction = 0 if content else int(nodes.prediction[node])
    is_split = bool(nodes.feature[node] >= 0)
    room = _MOST_WIDTH - 2 * PADDING - (0 if is_split else SIGN_WIDTH)
    answer = content.answer if content else classes[prediction]
    name = tree.table.features[nodes.feature[node]].name if is_split else answer
    test = fit(phrases.plain(name), TEST_SIZE, room, bold=True)
    if content:
        count_words, impurity = fit(content.counts, COUNT_SIZE, _MOST_WIDTH - 2 * PADDING), content.impurity
    else:
        count_words = _counts(counts, classes, signs)
        impurity = f"{impurity_word} {number(float(nodes.impurity[node]))}" if n_rows else "parent's majority"
    label = fit(phrases.branch(path[-1]), LABEL_SIZE, _MOST_LABEL) if path else ""
    inside = max(
        text_width(test, TEST_SIZE, bold=True) + (0 if is_split else SIGN_WIDTH),
        text_width(count_words, COUNT_SIZE),
        text_width(impurity, NOTE_SIZE),
    )
    return Box(
        node=node,
        parent=int(nodes.parent[node]),
        is_split=is_split,
        is_open=bool(tree.is_open[node]),
        prediction=prediction,
        test=test,
        counts=count_words,
        impurity=impurity,
        shares=tuple((code, count / n_rows) for code, count in enumerate(counts) if count),
        label=label,
        title=phrases.path(path),
        n_rows=n_rows,
        n_hidden=hidden,
        width=min(max(round(inside) + 2 * PADDING, _LEAST_WIDTH), _MOST_WIDTH),
        label_width=text_width(label, LABEL_SIZE),
        place=content.place if content else None,
    )


def _counts(counts: Sequence[float], classes: Sequence[str], signs: Sequence[str]) -> str:
    """Counts with the classes' names where they fit, else with their letters, else the rows alone."""
    if not sum(counts):
        return "no rows"
    room = _MOST_WIDTH - 2 * PADDING
    present = sorted(((count, code) for code, count in enumerate(counts) if count), key=lambda pair: -pair[0])
    for names in (classes, signs):
        if any(sign.isdigit() for sign in names):
            continue
        words = ", ".join(f"{weight(count)} {phrases.plain(names[code])}" for count, code in present)
        if text_width(words, COUNT_SIZE) <= room and max(text_width(n, COUNT_SIZE) for n in names) < room / 2:
            return words
    return phrases.rows(sum(counts)) if len(counts) > 4 else fit(" · ".join(map(weight, counts)), COUNT_SIZE, room)
