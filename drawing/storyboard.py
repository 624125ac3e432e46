"""A trace as what the stage shows at each step: one dict, written once, stepped in the browser.

docs/trace.md, section "What the stage is given", is the schema.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from drawing import wording
from drawing.numbers import short
from drawing.pseudocode import pseudocode
from drawing.substeps import FineSteps, scan_template
from drawing.theme import Mode, class_symbol, number
from drawing.tree_boxes import MAX_NODES, Box, boxes, class_letters
from drawing.tree_layout import Orientation, place
from drawing.tree_svg import colours, scale_colours, stage_stylesheet, stage_svg
from engine import Candidate, Criterion, Growth
from engine.splits import Path

Storyboard = dict[str, Any]

N_BARS = 20
N_TOLD = 2000
"""Nodes of a very large tree that have sentences and candidates of their own."""


@dataclass(frozen=True)
class _Telling:
    """A growth with what several parts of its storyboard need, worked out once."""

    growth: Growth
    drawn: Sequence[Box]
    paths: Sequence[Path]
    titles: Sequence[str]
    ranked: Mapping[int, Sequence[Candidate]]

    @property
    def measure(self) -> wording.Measure:
        return wording.score_measure(self.growth.rules)


def storyboard(growth: Growth, *, max_nodes: int = MAX_NODES) -> Storyboard:
    """Everything the stage shows of a growth, at any step.

    Parameters
    ----------
    growth : Growth
    max_nodes : int
        A larger tree is drawn to the depth that fits.

    Returns
    -------
    dict
        As docs/trace.md says: plain texts and numbers, ready for JSON, no NaN.
    """
    tree = growth.tree
    paths = wording.paths(tree)
    fine, ranked = FineSteps(growth), {}
    for node in range(min(len(tree.nodes), N_TOLD)):
        if tree.nodes.scored[node]:
            ranked[node] = growth.best_candidates(node)
            fine.tell(node)
    telling = _Telling(
        growth=growth,
        drawn=boxes(tree, growth.rules.criterion, max_nodes, paths),
        paths=paths,
        titles=[wording.path(path) for path in paths],
        ranked=ranked,
    )
    names = telling.measure
    return {
        "key": _digest(growth, max_nodes),
        "title": _title(growth),
        **picture(telling.drawn, tree.table.target.classes),
        "steps": [[step.event.value, step.node] for step in growth],
        "sentences": [_sentence(telling, step.index, step.node) for step in growth],
        **_pseudocode(growth),
        "features": [wording.plain(f.name) for f in tree.table.features],
        "measure": {"name": names.name, "short": names.short, "impurity": names.impurity},
        "nodes": _columns(telling),
        "why": {node: _why(telling, node) for node in telling.ranked},
        "granularity": {
            "node": _node_steps(growth),
            "level": _level_steps(growth),
            "fine": fine.by_step,
        },
        "words": {
            "scan": scan_template(names),
            "untold": "This step is below the part of the tree that is drawn.",
            "cut": "+ {n} nodes",
        },
    }


def picture(drawn: Sequence[Box], classes: Sequence[str]) -> Storyboard:
    """The part of a storyboard that any drawn tree has, whatever its trace decides."""
    letters, number = class_letters(classes), drawn[0].place is not None
    return {
        "theme": {mode.value: colours(mode) | (scale_colours(mode) if number else {}) for mode in Mode},
        "style": stage_stylesheet(number=number),
        "svg": {o.value: stage_svg(drawn, place(drawn, o), letters) for o in Orientation},
        "cut": {box.node: box.n_hidden for box in drawn if box.n_hidden},
        "classes": [
            {"name": wording.plain(name), "letter": letters[code], "sign": class_symbol(code)}
            for code, name in enumerate(classes)
        ],
    }


def why_root(growth: Growth) -> Storyboard | None:
    """The candidates of the root as the stage ranks them; None where none were scored."""
    if not growth.tree.nodes.scored[0]:
        return None
    return _why(_Telling(growth, (), (), (wording.path(()),), {0: growth.best_candidates(0)}), 0)


def _title(growth: Growth) -> str:
    table = growth.source
    return f"{wording.plain(table.name)}: {wording.plain(table.target.name)} by {growth.settings.algorithm}"


def _sentence(telling: _Telling, step: int, node: int) -> str:
    if node >= N_TOLD:
        return ""
    return wording.sentence(telling.growth, step, where=telling.titles[node], ranked=telling.ranked.get(node))


def _pseudocode(growth: Growth) -> Storyboard:
    code = pseudocode(growth)
    reasons = {step.node: growth.tree.stop_reason(step.node) for step in growth}
    return {
        "lines": list(code.lines),
        "line_of_step": [code.line(step.event, reasons[step.node]) for step in growth],
    }


def _columns(telling: _Telling) -> Storyboard:
    growth, tree, nodes = telling.growth, telling.growth.tree, telling.growth.tree.nodes
    everyone = range(len(nodes))
    impurity, write = telling.measure.impurity, wording.scores_as(growth)
    sizes = nodes.size.tolist()
    is_split = nodes.feature >= 0
    return {
        "parent": nodes.parent.tolist(),
        "children": [tree.children(node).tolist() for node in everyone],
        "depth": nodes.depth.tolist(),
        "shown_at": _shown_at(growth),
        "scored_at": np.where(nodes.scored, nodes.decided_at - 1, -1).tolist(),
        "decided_at": nodes.decided_at.tolist(),
        "split": is_split.tolist(),
        "drawn_as": _drawn_as(growth, telling.drawn),
        "prediction": nodes.prediction.tolist(),
        "answer": [wording.answer(tree, node) for node in everyone],
        "rows": [wording.rows(size) for size in sizes],
        "counts": [wording.held(tree, node, ",") for node in everyone],
        "impurity": [f"{impurity} {write(value)}" for value in nodes.impurity.tolist()],
        "title": list(telling.titles),
        "reason": [
            None if is_split[node] or node >= N_TOLD else wording.reason(growth, node, telling.ranked.get(node))
            for node in everyone
        ],
        "test": [
            wording.plain(tree.table.features[feature].name) if feature >= 0 else None
            for feature in nodes.feature.tolist()
        ],
        "uses": _uses(growth),
        "outline": [wording.outline(tree, node, path[-1] if path else None) for node, path in enumerate(telling.paths)],
        "by_choice": nodes.by_choice.tolist(),
    }


def _why(telling: _Telling, node: int) -> Storyboard:
    growth, tree, names = telling.growth, telling.growth.tree, telling.measure
    ranked = telling.ranked[node]
    winner = next((c for c in ranked if c.chosen), next((c for c in ranked if c.rejected is None), None))
    size, write = wording.rows(float(tree.nodes.size[node])), wording.scores_as(growth)
    return {
        "heading": f"{telling.titles[node]} · {size} · {names.impurity} {write(float(tree.nodes.impurity[node]))}",
        "measure": names.name,
        "bars": [_bar(growth, candidate, winner) for candidate in ranked[:N_BARS]],
        "more": max(len(ranked) - N_BARS, 0),
        **_average(growth, node),
    }


def _average(growth: Growth, node: int) -> Storyboard:
    """C4.5's average gain, which a feature must reach."""
    if not growth.rules.average_gain_filter or not growth.scores(node).best_gains:
        return {}
    average = growth.scores(node).average_gain
    return {
        "average": round(average, 4),
        "average_text": f"Thin bar: gain. Mark: average, {number(average)}.",
    }


def _bar(growth: Growth, candidate: Candidate, winner: Candidate | None) -> Storyboard:
    rules = growth.rules
    rejected = candidate.rejected and wording.tag(candidate.rejected, rules.min_samples_leaf, rules.is_number)
    found = {
        "feature": candidate.feature,
        "label": wording.candidate_label(candidate),
        "value": short(candidate.score) if rules.is_number else round(candidate.score, 4),
        "text": wording.scores_as(growth)(candidate.score),
        "chosen": candidate.chosen,
        "tied": candidate.tied,
        "by_choice": candidate.by_choice,
        "rejected": rejected,
        "note": winner and wording.why_not(candidate, winner, growth),
        **_gain(growth, candidate),
    }
    return {
        key: value
        for key, value in found.items()
        if value not in (False, None) and (key != "label" or value != candidate.feature)
    }


def _gain(growth: Growth, candidate: Candidate) -> Storyboard:
    """The gain of a candidate where it is not the score, or where it is compared with the average."""
    rules = growth.rules
    if rules.costs is None and rules.criterion is not Criterion.GAIN_RATIO and not rules.average_gain_filter:
        return {}
    word = "gain" if rules.criterion is Criterion.GAIN_RATIO else wording.measure(rules.criterion).short
    value = short(candidate.gain) if rules.is_number else round(candidate.gain, 4)
    return {"gain": value, "gain_text": f"{word} {wording.scores_as(growth)(candidate.gain)}"}


def _shown_at(growth: Growth) -> list[int]:
    nodes = growth.tree.nodes
    return [0, *nodes.decided_at[nodes.parent[1:]].tolist()]


def _drawn_as(growth: Growth, drawn: Sequence[Box]) -> list[int]:
    parent = growth.tree.nodes.parent.tolist()
    shown = {box.node for box in drawn}
    found: list[int] = []
    for node in range(len(parent)):
        found.append(node if node in shown else found[parent[node]])
    return found


def _uses(growth: Growth) -> list[int]:
    """The feature that a split uses up for the nodes below it: a categorical one, under ID3."""
    nodes = growth.tree.nodes
    categorical = np.array([bool(f.levels) for f in growth.table.features] + [False])
    used = growth.rules.once_on_a_path & categorical[nodes.feature]
    return [int(feature) for feature in np.where(used, nodes.feature, -1)]


def _node_steps(growth: Growth) -> list[int]:
    return [0, *growth.tree.nodes.decided_at.tolist()]


def _level_steps(growth: Growth) -> list[int]:
    """The steps at which one more level of the tree is complete."""
    nodes = growth.tree.nodes
    last = np.zeros(int(nodes.depth.max()) + 1, dtype=np.int64)
    np.maximum.at(last, nodes.depth, nodes.decided_at)
    return sorted({0, *np.maximum.accumulate(last).tolist()})


def _digest(growth: Growth, max_nodes: int) -> str:
    content = repr((growth.fingerprint, growth.source.name, max_nodes))
    return hashlib.blake2b(content.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
