"""A trace as what the stage shows at each step: one dict, written once, stepped in the browser.

docs/trace.md, section "What the stage is given", is the schema.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from drawing import wording
from drawing.pseudocode import pseudocode
from drawing.theme import Mode, class_symbol, number, quantity
from drawing.tree_boxes import MAX_NODES, Box, boxes, class_letters
from drawing.tree_layout import Orientation, place
from drawing.tree_svg import colours, stage_stylesheet, stage_svg
from engine import Candidate, Growth
from engine.evidence import Scores
from engine.splits import SplitKind

Storyboard = dict[str, Any]

N_BARS = 20
N_TOLD = 2000
"""Nodes of a very large tree that have sentences and candidates of their own."""
FINE_ROWS = 200
FINE_THRESHOLDS = 10_000
"""Thresholds told one by one, over all nodes; later nodes go without sub-steps."""


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
    drawn = boxes(tree, growth.rules.criterion, max_nodes)
    told = range(min(len(tree.nodes), N_TOLD))
    ranked = {node: growth.best_candidates(node) for node in told if tree.nodes.scored[node]}
    titles = [wording.path(path) for path in wording.paths(tree)]
    names = wording.measure(growth.rules.criterion)
    classes = tree.table.target.classes
    letters = class_letters(classes)
    return {
        "key": _digest(growth, max_nodes),
        "title": _title(growth),
        "theme": {mode.value: colours(mode) for mode in Mode},
        "style": stage_stylesheet(),
        "svg": {o.value: stage_svg(drawn, place(drawn, o), letters) for o in Orientation},
        "cut": {box.node: box.n_hidden for box in drawn if box.n_hidden},
        "steps": [[step.event.value, step.node] for step in growth],
        "sentences": [_sentence(growth, step.index, step.node, titles, ranked) for step in growth],
        **_pseudocode(growth),
        "classes": [
            {"name": wording.plain(name), "letter": letters[code], "sign": class_symbol(code)}
            for code, name in enumerate(classes)
        ],
        "features": [wording.plain(f.name) for f in tree.table.features],
        "measure": {"name": names.name, "short": names.short, "impurity": names.impurity},
        "nodes": _columns(growth, drawn, titles, ranked),
        "why": {node: _why(growth, node, titles[node], candidates) for node, candidates in ranked.items()},
        "granularity": {"node": _node_steps(growth), "level": _level_steps(growth), "fine": _fine(growth, ranked)},
        "words": {
            "scan": "{feature} < {threshold}: "
            + names.short
            + " {gain}. Best so far: {best}, "
            + names.short
            + " {best_gain}.",
            "untold": "This step is below the part of the tree that is drawn.",
            "cut": "+ {n} nodes",
        },
    }


def _title(growth: Growth) -> str:
    table = growth.source
    return f"{wording.plain(table.name)}: {wording.plain(table.target.name)} by {growth.settings.algorithm}"


def _sentence(growth: Growth, step: int, node: int, titles: Sequence[str], ranked: dict[int, list[Candidate]]) -> str:
    if node >= N_TOLD:
        return ""
    return wording.sentence(growth, step, where=titles[node], ranked=ranked.get(node))


def _pseudocode(growth: Growth) -> Storyboard:
    code = pseudocode(growth)
    reasons = {step.node: growth.tree.stop_reason(step.node) for step in growth}
    return {
        "lines": list(code.lines),
        "line_of_step": [code.line(step.event, reasons[step.node]) for step in growth],
    }


def _columns(growth: Growth, drawn: Sequence[Box], titles: list[str], ranked: dict[int, list[Candidate]]) -> Storyboard:
    tree, nodes = growth.tree, growth.tree.nodes
    everyone = range(len(nodes))
    impurity = wording.measure(growth.rules.criterion).impurity
    sizes = nodes.counts.sum(axis=1).tolist()
    classes = tree.table.target.classes
    is_split = nodes.feature >= 0
    return {
        "parent": nodes.parent.tolist(),
        "children": [tree.children(node).tolist() for node in everyone],
        "depth": nodes.depth.tolist(),
        "shown_at": _shown_at(growth),
        "scored_at": np.where(nodes.scored, nodes.decided_at - 1, -1).tolist(),
        "decided_at": nodes.decided_at.tolist(),
        "split": is_split.tolist(),
        "drawn_as": _drawn_as(growth, drawn),
        "prediction": nodes.prediction.tolist(),
        "answer": [wording.plain(tree.label(node)) for node in everyone],
        "rows": [wording.rows(size) for size in sizes],
        "counts": [wording.class_counts(counts, classes, ",") for counts in nodes.counts.tolist()],
        "impurity": [f"{impurity} {number(value)}" for value in nodes.impurity.tolist()],
        "title": titles,
        "reason": [
            None if is_split[node] or node >= N_TOLD else wording.reason(growth, node, ranked.get(node))
            for node in everyone
        ],
        "test": [
            wording.plain(tree.table.features[feature].name) if feature >= 0 else None
            for feature in nodes.feature.tolist()
        ],
        "uses": _uses(growth),
        "outline": [
            wording.outline(tree, node, path[-1] if path else None) for node, path in enumerate(wording.paths(tree))
        ],
        "by_choice": nodes.by_choice.tolist(),
    }


def _why(growth: Growth, node: int, title: str, ranked: Sequence[Candidate]) -> Storyboard:
    tree = growth.tree
    names = wording.measure(growth.rules.criterion)
    winner = next((c for c in ranked if c.chosen), next((c for c in ranked if c.rejected is None), None))
    size = wording.rows(sum(tree.nodes.counts[node].tolist()))
    return {
        "heading": f"{title} · {size} · {names.impurity} {number(float(tree.nodes.impurity[node]))}",
        "measure": names.name,
        "bars": [_bar(growth, candidate, winner) for candidate in ranked[:N_BARS]],
        "more": max(len(ranked) - N_BARS, 0),
    }


def _bar(growth: Growth, candidate: Candidate, winner: Candidate | None) -> Storyboard:
    rejected = candidate.rejected and wording.rejection(candidate.rejected, growth.rules.min_samples_leaf)
    found = {
        "feature": candidate.feature,
        "label": wording.candidate_label(candidate),
        "value": round(candidate.score, 4),
        "text": number(candidate.score),
        "chosen": candidate.chosen,
        "tied": candidate.tied,
        "by_choice": candidate.by_choice,
        "rejected": rejected,
        "note": winner and wording.why_not(candidate, winner, growth),
    }
    return {
        key: value
        for key, value in found.items()
        if value not in (False, None) and (key != "label" or value != candidate.feature)
    }


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


def _fine(growth: Growth, ranked: dict[int, list[Candidate]]) -> dict[int, list[Storyboard]]:
    """Sub-steps of the scored steps of small nodes, as long as there is room for their thresholds."""
    sizes = growth.tree.nodes.counts.sum(axis=1)
    found: dict[int, list[Storyboard]] = {}
    told = 0
    for node in ranked:
        if sizes[node] > FINE_ROWS:
            continue
        scored = growth.scores(node)
        told += sum(len(scores) for scores in scored if scores.kind is SplitKind.THRESHOLD)
        if told > FINE_THRESHOLDS:
            break
        found[growth.step_of(node) - 1] = [_fine_entry(growth, scores) for scores in scored]
    return found


def _fine_entry(growth: Growth, scores: Scores) -> Storyboard:
    feature = wording.plain(growth.table.features[scores.feature].name)
    short = wording.measure(growth.rules.criterion).short
    open_ = np.flatnonzero(scores.rejected < 0)
    if not len(open_):
        return {
            "feature": feature,
            "kind": "levels",
            "sentence": wording.nothing_to_choose(growth, scores),
            "value": 0,
            "text": "–",
        }
    best = int(open_[scores.score[open_].argmax()])
    text = number(float(scores.score[best]))
    if scores.kind is not SplitKind.THRESHOLD:
        return {
            "feature": feature,
            "kind": "levels",
            "sentence": f"{feature}: {short} {text}.",
            "value": round(float(scores.score[best]), 4),
            "text": text,
        }
    admissible = np.where(scores.rejected < 0, scores.score, -np.inf)
    so_far = np.maximum.accumulate(np.concatenate([[-np.inf], admissible[:-1]]))
    return {
        "feature": feature,
        "kind": "thresholds",
        "thresholds": [quantity(t) for t in scores.thresholds.tolist()],
        "gains": [round(score, 3) for score in scores.score.tolist()],
        "records": np.flatnonzero(admissible > so_far + 1e-9).tolist(),
        "sentence": f"{feature}: best at {quantity(float(scores.thresholds[best]))}, {short} {text}.",
    }


def _digest(growth: Growth, max_nodes: int) -> str:
    content = repr((growth.source.fingerprint, growth.source.name, growth.settings, max_nodes))
    return hashlib.blake2b(content.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
