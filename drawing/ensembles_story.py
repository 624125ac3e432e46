"""An ensemble as what the stage shows at each step: the tree of one member after the other.

All trees stand in one picture at the same place, each shown in its own step alone. docs/trace.md,
section "What the stage is given", is the schema; `gone_at` is the step that takes a node away.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from drawing import phrases, wording
from drawing.ensembles import METHODS, Words
from drawing.ensembles_code import code
from drawing.storyboard import picture, why_root
from drawing.theme import number
from drawing.tree_boxes import Box, boxes, class_letters, drawn_nodes
from drawing.tree_layout import Layout, Orientation, place
from drawing.tree_svg import stage_svg
from engine import Growth, GrowthSettings, Tree, grow
from engine.ensembles import Ensemble, EnsembleMethod
from engine.ensembles.base import RESIDUAL
from engine.splits import Path

MOST_DRAWN = 500
"""Members with a tree in the stage."""
MOST_WHY = 60
"""Members whose root has its candidates in the stage."""
_SCORED = 200_000
"""Rows that are scored for them, at most, but for the first few."""
_LEAST_WHY = 10
MOST_NODES = 1500
"""Drawn nodes of all members together."""
_LEAST_NODES = 3
_BOTH_WAYS = 60
"""Members up to which the picture is laid out both ways."""
_STYLE = ".tree.outlined [data-state=hidden]{display:none}"
_OUTER = re.compile(r"^<svg[^>]*>(.*)</svg>$", re.DOTALL)


@dataclass(frozen=True, eq=False)
class _Act:
    """A tree that is shown in one step: its drawn boxes, numbered on from those before it."""

    step: int
    growth: Growth
    drawn: tuple[Box, ...]
    own: tuple[int, ...]
    paths: Sequence[Path]

    @property
    def tree(self) -> Tree:
        return self.growth.tree


def ensemble_story(ensemble: Ensemble, key: str) -> dict[str, Any]:
    """Everything the stage shows of an ensemble, at any step.

    Parameters
    ----------
    ensemble : Ensemble
    key : str
        Names the ensemble: equal keys, equal ensembles.

    Returns
    -------
    dict
        Plain texts and numbers, ready for JSON, no NaN.
    """
    words, acts = Words(ensemble), _acts(ensemble)
    classes = ensemble.table.target.classes
    if ensemble.settings.method is EnsembleMethod.GRADIENT_BOOSTING:
        classes = ()
    everyone = [box for act in acts for box in act.drawn]
    made = picture(acts[0].drawn, classes)
    lines, line_of = code(ensemble.settings.method)
    root = {act.step: act.drawn[0].node for act in acts}
    rules = acts[-1].growth.rules
    measure = phrases.score_measure(rules)
    return {
        "key": hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest(),
        "title": f"{phrases.plain(ensemble.source.name)}: {METHODS[ensemble.settings.method]}",
        **made,
        "style": f"{made['style']}\n{_STYLE}",
        "svg": _svg(acts, classes),
        "cut": {box.node: box.n_hidden for box in everyone if box.n_hidden},
        "verdicts": True,
        "steps": [[step.event.value, root.get(step.index, root[len(root) - 1])] for step in ensemble],
        "sentences": [words.sentence(step) for step in range(len(ensemble))],
        "lines": list(lines),
        "line_of_step": [line_of[step.event] for step in ensemble],
        "features": [],
        "measure": {"name": measure.name, "short": measure.short, "impurity": measure.impurity},
        "nodes": _columns(ensemble, acts, words),
        "why": _why(acts, words),
        "granularity": {},
        "words": {
            "untold": "",
            "cut": "+ {n} nodes",
            "waiting": "The rows" if len(ensemble) > 1 else "No member",
        },
    }


def _acts(ensemble: Ensemble) -> list[_Act]:
    """The start, and the members that are drawn."""
    shown = ensemble.members[:MOST_DRAWN]
    most = max(_LEAST_NODES, MOST_NODES // max(len(shown), 1))
    growths = [_start(ensemble), *(member.growth for member in shown)]
    acts: list[_Act] = []
    first = 0
    for step, growth in enumerate(growths):
        deepest = int(growth.tree.nodes.depth[drawn_nodes(growth.tree, most)[0]].max())
        paths = phrases.paths(growth.tree, deepest)  # of what is drawn: a large tree has thousands more
        found = boxes(growth.tree, growth.rules.criterion, most, paths)
        number_of = {box.node: first + place for place, box in enumerate(found)}
        drawn = [replace(box, node=number_of[box.node], parent=number_of.get(box.parent, -1)) for box in found]
        if step == 0:
            drawn = [_opening(ensemble, drawn[0])]
        acts.append(_Act(step, growth, tuple(drawn), tuple(box.node for box in found), paths))
        first += len(found)
    return acts


def _start(ensemble: Ensemble) -> Growth:
    """All rows as one leaf; of gradient boosting for classes, with their first residuals."""
    table = ensemble.table
    if ensemble.settings.method is EnsembleMethod.GRADIENT_BOOSTING and table.n_classes and ensemble.members:
        left = ensemble.members[0].residuals
        assert left is not None
        table = table.with_target(RESIDUAL, left)
    return grow(table, GrowthSettings.cart(max_depth=0, missing=ensemble.base.missing))


def _opening(ensemble: Ensemble, box: Box) -> Box:
    if ensemble.settings.method is not EnsembleMethod.GRADIENT_BOOSTING or not ensemble.table.n_classes:
        return box
    start = ensemble.initial
    return replace(box, test=f"F₀ = {number(start)}" if isinstance(start, float) else "F₀", impurity="", counts="")


def _svg(acts: Sequence[_Act], classes: Sequence[str]) -> dict[str, str]:
    """All trees in one picture, each centred where the others are."""
    letters = class_letters(classes)
    ways = list(Orientation) if len(acts) <= _BOTH_WAYS else [Orientation.TOP_DOWN]
    found = {}
    for way in ways:
        layouts = [place(act.drawn, way) for act in acts]
        width, height = max(one.width for one in layouts), max(one.height for one in layouts)
        parts = [
            _OUTER.sub(r"\1", stage_svg(act.drawn, _centred(layout, width, height), letters))
            for act, layout in zip(acts, layouts, strict=True)
        ]
        size = f"width='{width:.0f}' height='{height:.0f}' viewBox='0 0 {width:.0f} {height:.0f}'"
        look = f"class='tree {way.value}'"
        found[way.value] = f"<svg xmlns='http://www.w3.org/2000/svg' {look} {size}>{''.join(parts)}</svg>"
    return found


def _centred(layout: Layout, width: float, height: float) -> Layout:
    down = layout.orientation is Orientation.TOP_DOWN
    right, below = ((width - layout.width) / 2, 0.0) if down else (0.0, (height - layout.height) / 2)
    centres = {node: (x + right, y + below) for node, (x, y) in layout.centres.items()}
    return replace(layout, centres=centres, width=width, height=height)


def _columns(ensemble: Ensemble, acts: Sequence[_Act], words: Words) -> dict[str, Any]:
    columns: dict[str, list[Any]] = {}
    last = acts[-1].step
    for act in acts:
        whose = "the start" if act.step == 0 else words.name(ensemble.members[act.step - 1])
        ends = act.step + 1 if act.step < last else -1
        for box, node in zip(act.drawn, act.own, strict=True):
            for name, value in _node(act, box, node, act.paths[node], whose).items():
                columns.setdefault(name, []).append(value)
            columns.setdefault("gone_at", []).append(ends)
            columns.setdefault("children", []).append([])
            if box.parent >= 0:
                columns["children"][box.parent].append(box.node)
    return columns


def _node(act: _Act, box: Box, node: int, path: Any, whose: str) -> dict[str, Any]:
    tree = act.tree
    title = f"{whose}: {wording.path(path)}"
    is_split = bool(tree.nodes.feature[node] >= 0)
    said = wording.answer(tree, node)
    return {
        "parent": box.parent,
        "depth": int(tree.nodes.depth[node]),
        "shown_at": act.step,
        "scored_at": act.step if box.parent < 0 and act.step else -1,
        "decided_at": act.step,
        "split": is_split,
        "drawn_as": box.node,
        "prediction": 0 if tree.is_number else int(tree.nodes.prediction[node]),
        "answer": said,
        "rows": _size(act, node),
        "counts": phrases.held(tree, node, ","),
        "impurity": box.impurity,
        "title": title,
        "reason": None if is_split else f"A leaf: it answers {said}.",
        "waiting": "All rows, before the first tree." if act.step == 0 else "Open the member to see its candidates.",
        "test": phrases.plain(tree.table.features[int(tree.nodes.feature[node])].name) if is_split else None,
        "uses": -1,
        "outline": wording.outline(tree, node, path[-1] if path else None),
        "by_choice": False,
    }


def _size(act: _Act, node: int) -> str:
    """Rows of a node; of AdaBoost their weight, for all together weigh 1."""
    size = float(act.tree.nodes.size[node])
    return phrases.rows(size) if act.growth.weights is None else f"weight {number(size)}"


def _why(acts: Sequence[_Act], words: Words) -> dict[int, Any]:
    """The candidates at each member's root."""
    found = {}
    n_rows = max(words.ensemble.base.n_rows, 1)
    most = max(min(MOST_WHY, _SCORED // n_rows), _LEAST_WHY)
    for act in acts[1 : most + 1]:
        entry = why_root(act.growth)
        name = words.name(words.ensemble.members[act.step - 1])
        title = f"Why {name} splits so" if act.tree.n_leaves > 1 else f"{name[0].upper()}{name[1:]} is a leaf"
        if entry is not None:
            found[act.drawn[0].node] = {**entry, "title": title, "words": ""}
    return found
