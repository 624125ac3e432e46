"""A number line: the rows of a node along one feature, summed up between every two values, for cuts to be moved.

The browser adds up the sums of a part and takes their impurity, as engine/criteria.py does; what it is
given here are the sums themselves.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

import numpy as np

from drawing import phrases
from drawing.figures.places import spread_across
from drawing.figures.values import steps
from drawing.numbers import units, value_range
from drawing.theme import SCALE_STEPS, Mode, class_colour, quantity, step_colour
from engine import Criterion, Growth
from engine.splits import midpoints
from engine.sums import NodeRows
from engine.table import FloatArray, IntArray

MOST_PLACES = 600
"""Places for a cut; of more distinct values neighbours are taken together."""
MOST_ROWS = 500
"""Rows drawn; of more an even sample along the line."""
MARGIN = 0.04

NumberLine = dict[str, Any]


def number_line(growth: Growth, node: int, feature: str | None, mode: Mode = Mode.LIGHT) -> NumberLine:
    """What the number line of a node is given.

    Parameters
    ----------
    growth : Growth
    node : int
    feature : str or None
        A numeric feature; None for the target itself, where that is a number.
    mode : Mode

    Returns
    -------
    dict
        Ready for JSON. ``sums`` has one list a term (the classes' weights, or n, Σ(y − centre) and
        Σ(y − centre)² of a number) with an entry a place; ``thresholds`` lie between the places.
    """
    here, table = growth.here(node), growth.table
    own = table.target_values[here.rows]
    values = own.astype(np.float64) if feature is None else table.columns[table.feature_index(feature)][here.rows]
    known = np.flatnonzero(np.isfinite(values))
    place, thresholds = _places(values[known])
    low, high = _ends(values[known])
    found: NumberLine = {
        "kind": "number" if growth.rules.is_number else "classes",
        "measure": _measure(growth.rules.criterion),
        "impurity": phrases.measure(growth.rules.criterion).impurity,
        "feature": phrases.plain(table.target.name if feature is None else feature),
        "target": phrases.plain(table.target.name),
        "alone": feature is None,
        "low": low,
        "high": high,
        "thresholds": thresholds.tolist(),
        "labels": [quantity(t) for t in thresholds.tolist()],
        "sums": [np.bincount(place, term, minlength=len(thresholds) + 1).tolist() for term in _terms(here, known)],
        "centre": here.centre,
        "missing": len(values) - len(known),
        "rows": _rows(growth, values[known], own[known], feature is None),
        **_looks(growth, mode),
    }
    found["key"] = hashlib.blake2b(json.dumps(found).encode(), digest_size=8).hexdigest()
    return found


def _places(values: FloatArray) -> tuple[IntArray, FloatArray]:
    """The place of each value, and the thresholds between the places."""
    distinct, place = np.unique(values, return_inverse=True)
    first = np.arange(len(distinct))
    if len(distinct) > MOST_PLACES:
        first = np.unique(np.linspace(0, len(distinct), MOST_PLACES, endpoint=False).astype(np.int64))
        place = np.searchsorted(first, place, side="right") - 1
    return np.asarray(place), np.asarray(midpoints(distinct[first[1:] - 1], distinct[first[1:]]))


def _ends(values: FloatArray) -> tuple[float, float]:
    within = value_range(values)
    pad = MARGIN * within.high - MARGIN * within.low if within.high > within.low else 0.5
    return within.low - pad, within.high + pad


def _terms(here: NodeRows, known: IntArray) -> list[FloatArray]:
    """What each row adds to each sum."""
    weights = np.ones(len(here)) if here.weights is None else here.weights
    target, weights = here.target[known], weights[known]
    if here.rules.is_number:
        return [weights, weights * target, weights * target * target]
    return [np.where(target == code, weights, 0.0) for code in range(here.table.n_classes)]


def _rows(growth: Growth, values: FloatArray, own: FloatArray, alone: bool) -> NumberLine:
    """Where the rows lie: x, y as a share of the height from below, and the look of each."""
    shown = np.arange(len(values))
    if len(values) > MOST_ROWS:
        order = np.argsort(values, kind="stable")
        shown = order[np.linspace(0, len(values) - 1, MOST_ROWS).astype(np.int64)]
    x, target = values[shown], own[shown]
    if not growth.rules.is_number:
        codes = target.astype(np.int64)
        return {"x": x.tolist(), "y": codes.tolist(), "look": codes.tolist()}
    look = steps(target, value_range(growth.table.target_values))
    height = 0.5 + spread_across(np.zeros(len(x)), x) / 2 if alone else target
    return {"x": x.tolist(), "y": height.tolist(), "look": look.tolist()}


def _looks(growth: Growth, mode: Mode) -> NumberLine:
    """Colours and number formats."""
    if not growth.rules.is_number:
        classes = [
            {"name": phrases.plain(name, 24), "colour": class_colour(code, mode)}
            for code, name in enumerate(growth.table.target.classes)
        ]
        return {"classes": classes}
    write, within = units(growth.tree), value_range(growth.table.target_values)
    return {
        "range": [within.low, within.high],
        "scale": [step_colour(step, mode) for step in range(SCALE_STEPS)],
        "decimals": write.decimals,
        "square_decimals": write.square_decimals,
        "whole": write.whole,
        "variance": write.variance,
    }


def _measure(criterion: Criterion) -> str:
    """The impurity that the browser takes; a gain ratio's is entropy."""
    return (Criterion.ENTROPY if criterion is Criterion.GAIN_RATIO else criterion).value
