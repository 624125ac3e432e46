"""A pruning as what the stage shows at each step: the full tree, from which subtrees go.

docs/trace.md, section "A pruning", says what it adds to a storyboard.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from drawing import phrases, wording
from drawing.pruning import METHODS, Words, p_value
from drawing.pruning_code import code
from drawing.pruning_substeps import MOST_DECISIONS, substeps
from drawing.storyboard import picture
from drawing.theme import number, quantity, weight
from drawing.tree_boxes import COUNT_SIZE, MAX_NODES, NOTE_SIZE, PADDING, SIGN_WIDTH, TEST_SIZE, Box, boxes, fit
from drawing.tree_boxes import text_width as width_of
from engine.pruning import ChiSquareDecision, DescriptionDecision, Pruning, PruningDecision, PruningMethod

_WIDEST = 220
_MOST_LINKS = 8
_STYLE = (
    ".tree .node-answer{display:none}",
    f".tree .node-answer text{{font-size:{TEST_SIZE}px;font-weight:700}}",
    ".tree [data-cut=true]:not([data-state=hidden]) .node-test{display:none}",
    ".tree [data-cut=true]:not([data-state=hidden]) .node-answer{display:inline}",
)
_GRANULARITIES = {
    "node": ["Cut", "From one cut to the next"],
    "step": ["Decision", "Every decision, cut or kept"],
    "detail": ["Detail", "Each side of the inequality as it is worked out"],
}
_IMPURITY = {
    PruningMethod.REDUCED_ERROR: "errors",
    PruningMethod.REDUCED_ERROR_GREEDY: "errors",
    PruningMethod.COST_COMPLEXITY: "errors",
    PruningMethod.PESSIMISTIC: "estimates",
    PruningMethod.CHI_SQUARE: "p values",
    PruningMethod.MINIMUM_DESCRIPTION_LENGTH: "bits",
}


def pruning_story(
    pruning: Pruning, key: str, *, words: Words | None = None, max_nodes: int = MAX_NODES
) -> dict[str, Any]:
    """Everything the stage shows of a pruning, at any step.

    Parameters
    ----------
    pruning : Pruning
    key : str
        Names the pruning: equal keys, equal prunings.
    words : Words, optional
        Those of the pruning, where they are at hand.
    max_nodes : int
        A larger tree is drawn to the depth that fits.

    Returns
    -------
    dict
        Plain texts and numbers, ready for JSON, no NaN.
    """
    tree, words = pruning.full, words or Words(pruning)
    facts = _facts(words)
    drawn = [_box(words, box, facts[box.node]) for box in boxes(tree, None, max_nodes)]
    made = picture(drawn, tree.table.target.classes)
    listing, line_of = code(pruning.settings.method)
    why = {decision.node: _why(words, decision) for decision in pruning.decisions}
    return {
        "key": hashlib.blake2b(f"{key} {max_nodes}".encode(), digest_size=12).hexdigest(),
        "title": f"{phrases.plain(tree.source.name)}: {METHODS[pruning.settings.method]}",
        **made,
        "style": "\n".join((made["style"], *_STYLE)),
        "verdicts": True,
        "steps": [[step.event.value, step.node] for step in pruning],
        "sentences": [words.sentence(step) for step in range(len(pruning))],
        "lines": list(listing),
        "line_of_step": [line_of[step.event] for step in pruning],
        "features": [],
        "measure": {"name": "cost", "short": "cost", "impurity": _IMPURITY[pruning.settings.method]},
        "nodes": _columns(words, drawn, facts),
        "why": why,
        "granularity": {
            "names": _GRANULARITIES,
            "node": sorted({0, len(pruning) - 1, *(point.step for point in pruning.curve if point.step)}),
            "fine": {
                decision.index + 1: substeps(words, decision, why[decision.node]["bars"])
                for decision in pruning.decisions[:MOST_DECISIONS]
            },
        },
        "words": {
            "untold": "",
            "cut": "+ {n} nodes",
            "waiting": "Not decided yet",
            "deciding": "Cut or keep?",
            "part": "part {place} of {all}",
        },
    }


def _box(words: Words, box: Box, fact: str) -> Box:
    """A box with the method's own number in place of the impurity, and for a split what it answers once cut."""
    tree = words.tree
    answer = ""
    if box.is_split:
        room = _WIDEST - 2 * PADDING - SIGN_WIDTH
        answer = fit(phrases.answer(tree, box.node), TEST_SIZE, room, bold=True)
    known = bool(tree.nodes.size[0])
    counts, fact = (box.counts, fact) if known else (fact.replace(" validation", ""), "")  # no other rows are counted
    inside = max(
        width_of(answer, TEST_SIZE, bold=True) + SIGN_WIDTH,
        width_of(fact, NOTE_SIZE),
        width_of(counts, COUNT_SIZE),
    )
    width = min(max(box.width, round(inside) + 2 * PADDING), _WIDEST)
    return replace(box, impurity=fact, counts=counts, answer=answer, width=width)


def _facts(words: Words) -> list[str]:
    """The number of each node that the method looks at: as a leaf, or the p value of a split."""
    pruning, tree = words.pruning, words.tree
    costs = pruning.costs
    if costs is None:
        tested = {d.node: d for d in pruning.decisions if isinstance(d, ChiSquareDecision)}
        return [f"p = {p_value(tested[n].p_value)}" if n in tested else "" for n in range(len(tree.nodes))]
    return [_fact(words, leaf, rows) for leaf, rows in zip(costs.leaf.tolist(), costs.n_rows.tolist(), strict=True)]


def _fact(words: Words, leaf: float, rows: float) -> str:
    method, tree = words.method, words.tree
    if method is PruningMethod.PESSIMISTIC:
        return f"estimate {number(leaf)}"
    if method is PruningMethod.MINIMUM_DESCRIPTION_LENGTH:
        return f"{number(leaf)} bits"
    if tree.is_number:
        return words.cost(leaf) if method is not PruningMethod.COST_COMPLEXITY else f"squared error {words.alpha(leaf)}"
    if method is PruningMethod.COST_COMPLEXITY and words.pruning.settings.risk.value == "impurity":
        return f"impurity {number(leaf)}"
    which = "" if method is PruningMethod.COST_COMPLEXITY else " validation"
    return f"{weight(leaf)} of {weight(rows)}{which} wrong" if rows else f"no{which} rows"


def _columns(words: Words, drawn: Sequence[Box], facts: list[str]) -> dict[str, Any]:
    pruning, tree, nodes = words.pruning, words.tree, words.tree.nodes
    everyone = range(len(nodes))
    is_split = tree.is_split.tolist()
    decided = {decision.node: decision.index + 1 for decision in pruning.decisions}
    ends = pruning.endings
    known = bool(tree.nodes.size[0])
    paths = wording.paths(tree)
    shown = {box.node for box in drawn}
    drawn_as: list[int] = []
    for node in everyone:
        drawn_as.append(node if node in shown else drawn_as[int(nodes.parent[node])])
    return {
        "parent": nodes.parent.tolist(),
        "children": [tree.children(node).tolist() for node in everyone],
        "depth": nodes.depth.tolist(),
        "shown_at": [0] * len(nodes),
        "scored_at": [decided.get(node, -1) for node in everyone],
        "decided_at": [0] * len(nodes),
        "cut_at": ends.cut.tolist(),
        "gone_at": ends.gone.tolist(),
        "split": is_split,
        "drawn_as": drawn_as,
        "prediction": [0] * len(nodes) if tree.is_number else nodes.prediction.tolist(),
        "answer": [phrases.answer(tree, node) for node in everyone],
        "rows": [phrases.rows(size) if known else "" for size in nodes.size.tolist()],
        "counts": [phrases.held(tree, node, ",") if known else "" for node in everyone],
        "impurity": facts,
        "title": list(words.titles),
        "reason": [None if is_split[n] else f"A leaf: it answers {phrases.answer(tree, n)}." for n in everyone],
        "cut_words": [words.outcome(node) if is_split[node] else None for node in everyone],
        "waiting": [words.without(node) for node in everyone],
        "test": [
            phrases.plain(tree.table.features[feature].name) if feature >= 0 else None
            for feature in nodes.feature.tolist()
        ],
        "uses": [-1] * len(nodes),
        "outline": [wording.outline(tree, node, path[-1] if path else None) for node, path in enumerate(paths)],
        "cut_outline": [
            f"{wording.outline(tree, n, path[-1] if path else None).rpartition(': ')[0]}: {words.outcome(n)}"
            if is_split[n]
            else None
            for n, path in enumerate(paths)
        ],
        "by_choice": [False] * len(nodes),
    }


def _why(words: Words, decision: PruningDecision) -> dict[str, Any]:
    """Both sides of the inequality as bars; the lower one wins."""
    return {
        "heading": words.titles[decision.node],
        "title": "Why it was cut" if decision.is_pruned else "Why it stays",
        "words": f"{words.inequality(decision)[0].upper()}{words.inequality(decision)[1:]}.",
        "bars": _bars(words, decision),
        "more": 0,
    }


def _bars(words: Words, decision: PruningDecision) -> list[dict[str, Any]]:
    kept, pruned = decision.kept_cost, decision.pruned_cost
    names = ("as a subtree", "as a leaf")
    if words.method is PruningMethod.CHI_SQUARE:
        names = ("p value", "significance")
        return [
            _bar(names[0], kept, p_value(kept), decision.is_pruned),
            _bar(names[1], pruned, quantity(pruned), not decision.is_pruned),
        ]
    if words.method is PruningMethod.REDUCED_ERROR_GREEDY:
        names = ("the whole tree now", "without this split")
    if words.method is PruningMethod.COST_COMPLEXITY:
        return _links(words, decision)
    unit = words.method is not PruningMethod.PESSIMISTIC
    bars = [
        _bar(names[0], kept, words.cost(kept, unit), not decision.is_pruned),
        _bar(names[1], pruned, words.cost(pruned, unit), decision.is_pruned),
    ]
    if isinstance(decision, DescriptionDecision):
        for bar, bits in zip(bars, (decision.kept_bits, decision.pruned_bits), strict=True):
            said = f"{number(bits.tree)} for the tree, {number(bits.exceptions)} for exceptions"
            bar |= {"gain": round(bits.tree, 4), "gain_text": said}
    return bars


def _links(words: Words, decision: PruningDecision) -> list[dict[str, Any]]:
    """The links as they stood when the stage began, weakest first: what each leaf of them saves."""
    found = words.links(decision.index)
    named = {node for node, _ in found[:_MOST_LINKS]} | {decision.node}
    stage = set(words.stage(decision.index))
    return [_bar(words.place(node), g, words.alpha(g), node in stage) for node, g in found if node in named]


def _bar(name: str, value: float, text: str, chosen: bool) -> dict[str, Any]:
    bar: dict[str, Any] = {"feature": name, "value": round(value, 6), "text": text}
    return bar | {"chosen": True} if chosen else bar
