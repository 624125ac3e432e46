"""The wall: every member of an ensemble as a small tree, and what stands below it.

A small tree is the member's own: its shape, and its leaves in the colour and the sign of what they
answer. A branch too deep to be drawn is a wedge in the colour of its majority.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from drawing import phrases
from drawing.ensembles import METHODS, Words, rough
from drawing.numbers import value_range
from drawing.theme import (
    PALETTES,
    SCALE_STEPS,
    Mode,
    class_colour,
    class_symbol,
    mix,
    number,
    percent,
    scale_step,
    step_colour,
)
from drawing.tree_svg import SIGNS
from engine.ensembles import Ensemble, EnsembleMethod, Member
from engine.nodes import Nodes
from engine.table import IntArray

MOST_THUMBS = 1500
"""Small trees that the wall holds."""
MOST_NODES = 16_000
"""Drawn nodes of all small trees together."""
_FEWEST, _MOST = 7, 63
"""Drawn nodes of one small tree, at most: of many members, and of few."""
_ACROSS = 1000
"""Places across a small tree."""
_STRENGTHS = 4
"""How strongly a leaf of gradient boosting raises or lowers the answer, in so many tints."""

Look = tuple[str, str, str]
"""A leaf's sign as SVG path data, its colour in light and in dark."""


@dataclass(frozen=True, eq=False)
class Small:
    """A tree to be drawn small: places, parents and looks of its drawn nodes.

    Attributes
    ----------
    x, depth, parent : list of int
        Places from 0 to 1000, depths, and places in these lists (-1 at the root).
    look : list of int
        -1 at a split; at a leaf its look; at a wedge -2 less the look of its majority.
    """

    x: list[int]
    depth: list[int]
    parent: list[int]
    look: list[int]


def wall(ensemble: Ensemble, key: str) -> dict[str, Any]:
    """What the wall shows of an ensemble, at any step.

    Parameters
    ----------
    ensemble : Ensemble
    key : str
        Names the ensemble: equal keys, equal ensembles.

    Returns
    -------
    dict
        Plain texts and whole numbers, ready for JSON.
    """
    words, shown = Words(ensemble), ensemble.members[:MOST_THUMBS]
    looks = _Looks(ensemble)
    most = min(max(MOST_NODES // max(len(shown), 1), _FEWEST), _MOST)
    heaviest = max((abs(_weight(ensemble, member)) for member in shown), default=1.0) or 1.0
    thumbs = []
    for member in shown:
        small = small_tree(member.nodes, looks.of(member), most)
        thumbs.append(
            {
                "name": _name(words, member),
                "weight": _weight_text(ensemble, member),
                "share": round(abs(_weight(ensemble, member)) / heaviest, 3),
                "said": _said(words, member),
                "tree": [small.x, small.depth, small.parent, small.look],
            }
        )
    return {
        "key": hashlib.blake2b(f"wall {key}".encode("utf-8", "surrogatepass"), digest_size=12).hexdigest(),
        "looks": [list(look) for look in looks.all],
        "start": _start(ensemble),
        "joined": "+",
        "adds": ensemble.settings.method is EnsembleMethod.GRADIENT_BOOSTING,
        "thumbs": thumbs,
        "errors": _errors(words, len(shown)),
        "sums": [_sum(words, step) for step in range(len(shown) + 1)],
        "total": len(ensemble.members),
        "theme": {
            mode.value: {
                f"--{name.replace('_', '-')}": getattr(PALETTES[mode], name)
                for name in ("background", "surface", "ink", "quiet", "line", "accent", "accent_ink", "neutral")
            }
            for mode in Mode
        },
        "title": f"{METHODS[words.method]}: members joined by +",
    }


def small_tree(nodes: Nodes, look: IntArray, most: int) -> Small:
    """The places of a tree's nodes; of a large tree only those down to the depth that keeps within `most`.

    Leaves stand side by side in their order, a split over the middle of its outer branches.

    Parameters
    ----------
    nodes : Nodes
    look : ndarray of int64, shape (n_nodes,)
        How each node would look as a leaf.
    most : int
    """
    per_depth = np.cumsum(np.bincount(nodes.depth))
    deepest = max(int(np.searchsorted(per_depth, most, side="right")) - 1, 0)
    drawn = np.flatnonzero(nodes.depth <= deepest)
    place = {node: i for i, node in enumerate(drawn.tolist())}
    parents = [place.get(int(parent), -1) for parent in nodes.parent[drawn]]
    is_end = (nodes.feature[drawn] < 0) | (nodes.depth[drawn] == deepest)
    n_ends = int(is_end.sum())
    x = np.zeros(len(drawn))
    x[is_end] = (np.arange(n_ends) + 0.5) / n_ends
    first, last = np.full(len(drawn), -1), np.full(len(drawn), -1)
    # Children come after their parents, so from the last node up every split's branches have places.
    for i in range(len(drawn) - 1, -1, -1):
        if not is_end[i]:
            x[i] = (x[first[i]] + x[last[i]]) / 2
        if parents[i] >= 0:
            first[parents[i]] = i
            last[parents[i]] = i if last[parents[i]] < 0 else last[parents[i]]
    is_leaf = nodes.feature[drawn] < 0
    looks = np.where(is_leaf, look[drawn], np.where(is_end, -2 - look[drawn], -1))
    return Small(
        x=np.round(x * _ACROSS).astype(int).tolist(),
        depth=nodes.depth[drawn].tolist(),
        parent=parents,
        look=looks.tolist(),
    )


class _Looks:
    """How leaves look: classes have their colours and signs, numbers the scale, additions up or down."""

    def __init__(self, ensemble: Ensemble) -> None:
        self.ensemble = ensemble
        self.all: list[Look] = []
        if ensemble.rule.is_sum:
            for total in range(ensemble.rule.n_totals):
                for sign, end in (("triangle-down", _LOWERS), ("triangle-up", _RAISES)):
                    for strength in range(1, _STRENGTHS + 1):
                        share = strength / _STRENGTHS
                        light, dark = (_towards(ensemble, mode, end, total, share) for mode in Mode)
                        self.all.append((SIGNS[sign], light, dark))
        elif ensemble.rule.n_classes:
            for code in range(ensemble.rule.n_classes):
                light, dark = (class_colour(code, mode) for mode in Mode)
                self.all.append((SIGNS[class_symbol(code)], light, dark))
        else:
            for step in range(SCALE_STEPS):
                light, dark = (step_colour(step, mode) for mode in Mode)
                self.all.append((SIGNS["circle"], light, dark))

    def of(self, member: Member) -> IntArray:
        """The look of each node, shape (n_nodes,), as if it were a leaf."""
        said = member.nodes.prediction
        if self.ensemble.rule.is_sum:
            most = float(np.abs(said[member.nodes.feature < 0]).max(initial=0.0)) or 1.0
            strength = np.clip(np.ceil(np.abs(said) / most * _STRENGTHS), 1, _STRENGTHS).astype(np.int64) - 1
            first = 2 * _STRENGTHS * (member.of_class or 0)
            return np.asarray(first + strength + np.where(said > 0, _STRENGTHS, 0))
        if self.ensemble.rule.n_classes:
            return said.astype(np.int64)
        within = value_range(self.ensemble.table.target_values)
        span = (within.high - within.low) or 1.0
        return np.array([scale_step((value - within.low) / span) for value in said.tolist()], dtype=np.int64)


_LOWERS, _RAISES = 0, 1


def end_colour(ensemble: Ensemble, mode: Mode, end: int, total: int = 0) -> str:
    """The colour of what gradient boosting lowers the answer to (0) or raises it to (1).

    Of a number the ends of its scale; of two classes their colours; of several that of no class, and
    that of the class `total` that a tree speaks for.
    """
    if not ensemble.rule.n_classes:
        return step_colour(0 if end == _LOWERS else SCALE_STEPS - 1, mode)
    if ensemble.rule.n_totals == 1:
        return class_colour(end, mode)
    return PALETTES[mode].neutral if end == _LOWERS else class_colour(total, mode)


def _towards(ensemble: Ensemble, mode: Mode, end: int, total: int, share: float) -> str:
    return mix(end_colour(ensemble, mode, end, total), PALETTES[mode].background, 0.25 + 0.75 * share)


def _weight(ensemble: Ensemble, member: Member) -> float:
    if ensemble.rule.is_sum:
        return ensemble.rule.rate
    return 1.0 if member.confidence is None else member.confidence


def _weight_text(ensemble: Ensemble, member: Member) -> str:
    """What a member counts: a vote, its confidence, the learning rate; nothing where the class takes the room."""
    if member.of_class is not None:
        return ""
    if ensemble.rule.is_sum:
        return f"× {rough(ensemble.rule.rate)}"
    if member.confidence is not None:
        return number(member.confidence)
    return "1 vote" if ensemble.rule.n_classes else "1 share"


def _name(words: Words, member: Member) -> str:
    if member.of_class is None:
        return str(member.index + 1)
    return f"{(member.round or 0) + 1} {phrases.plain(words.ensemble.table.target.classes[member.of_class], 8)}"


def _said(words: Words, member: Member) -> str:
    """One small tree in words."""
    name = words.name(member)
    leaves = "1 leaf" if member.n_leaves == 1 else f"{member.n_leaves:,} leaves"
    depth = int(member.nodes.depth.max())
    said = f"{name[0].upper()}{name[1:]} alone: {leaves}, depth {depth}"
    if words.ensemble.rule.is_sum:
        rate = words.ensemble.rule.rate
        return f"{said}, {'all' if rate == 1 else rough(rate)} of it is added"
    if member.confidence is not None:
        return f"{said}, ε {number(member.error or 0.0)}, confidence {number(member.confidence)}"
    counts = "one vote" if words.ensemble.rule.n_classes else "an equal share"
    return f"{said}, {counts}, error {words.error(member.error or 0.0)}"


def _sum(words: Words, step: int) -> str:
    """The sum of the first members, in words."""
    ensemble = words.ensemble
    if step == 0:
        return _start(ensemble)["said"]
    here = words.round_of(step)
    held = ensemble.validation_curve
    where = "training" if held is None else "holdout"
    kind = f"{where} mean squared error" if words.is_number else f"{where} error"
    curve = ensemble.training_curve if held is None else held
    who = "1 tree" if step == 1 else f"the first {step:,} trees"
    what = "The sum of" if ensemble.rule.is_sum else "The mean of" if words.is_number else "The vote of"
    said = f"{what} {who}"
    if step % ensemble.n_trees_a_round:
        return f"{said}, in the middle of round {here + 1}"
    return f"{said}: {kind} {words.error(float(curve.errors[here]))}"


def _errors(words: Words, n_shown: int) -> list[str]:
    """The error of each sum in few letters, on the holdout where there is one; none within a round."""
    ensemble = words.ensemble
    curve = ensemble.validation_curve or ensemble.training_curve
    found = []
    for step in range(n_shown + 1):
        value = float(curve.errors[words.round_of(step)])
        whole = step % ensemble.n_trees_a_round == 0
        found.append("" if not whole else short(value) if words.is_number else percent(value).replace(" ", ""))
    return found


def short(value: float) -> str:
    """A size in at most five letters.

    >>> short(298375.2), short(1287.1), short(23.63), short(3.2e7)
    ('298k', '1.29k', '23.6', '32M')
    """
    for least, unit in ((1e6, "M"), (1e3, "k")):
        if least <= abs(value) < 1e9:
            return f"{value / least:.3g}{unit}"
    return f"{value:.3g}"


def _start(ensemble: Ensemble) -> dict[str, str]:
    """The card before the first member: where the sum starts, or the rows."""
    rows = phrases.rows(ensemble.base.n_rows)
    if not ensemble.rule.is_sum:
        return {"name": "start", "sign": rows.split()[0], "below": rows.split()[-1], "said": f"The start: {rows}"}
    initial = ensemble.initial
    if isinstance(initial, float):
        sign = "M₀" if not ensemble.rule.n_classes else "F₀"
        below = rough(initial)
        return {"name": "start", "sign": sign, "below": below, "said": f"The start: {sign} = {below}"}
    return {
        "name": "start",
        "sign": "F₀",
        "below": "shares",
        "said": "The start: F₀, the logarithm of the class shares",
    }
