"""A split put together by hand: a feature, then a threshold, a branch a level, or two groups of levels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any

import numpy as np
import streamlit as st

from drawing import wording
from drawing.numbers import units
from drawing.theme import quantity
from engine import Candidate, CategoricalSplits, Choice, FeatureKind, Growth, Partition
from engine.evidence import candidate
from engine.scores import score_choice
from widgets import cached
from widgets.escape import plain
from widgets.panels.here import Here
from widgets.panels.html import show_table

MAX_PILLS = 12
"""Levels that are shown as buttons; more are chosen from a list."""
MAX_PARTS = 8


class _Branches(StrEnum):
    """How a categorical feature is asked."""

    LEVELS = "a branch a level"
    GROUPS = "two groups of levels"


def askable(here: Here) -> list[str]:
    """The features that separate the node's rows: as they are ranked, then those that were not scored.

    With "guess first" they come in column order, for the ranking would give the guess away.
    """
    growth, node = here.growth, here.node
    if not growth.tree.nodes.scored[node]:
        return []
    names = [feature.name for index, feature in enumerate(growth.table.features) if len(_present(here, index)) > 1]
    if here.hidden:
        return names
    ranked = [c.feature for c in cached.best_candidates(here.data, growth, node) if c.feature in names]
    return [*ranked, *(name for name in names if name not in ranked)]


def choose(here: Here, names: Sequence[str]) -> Choice | None:
    """The widgets of a split on one of the features `names`; None while a group of levels is empty."""
    growth, node = here.growth, here.node
    key = f"turn_feature_{node}"
    _forget(key, names)
    name = st.selectbox("Split on", names, format_func=wording.plain, key=key)
    bare = Choice(path=growth.tree.path(node), feature=name)
    index = growth.table.feature_index(name)
    spec, present = growth.table.features[index], _present(here, index)
    best = None if here.hidden else _best(here, name)
    own = f"{node}_{index}"
    if spec.kind is FeatureKind.NUMERIC:
        return replace(bare, threshold=_threshold(here, index, best, own))
    levels = [spec.levels[code] for code in spec.display_order if code in present]
    if len(levels) == 2 or _branches(here, own) is _Branches.LEVELS:
        return bare
    return _grouped(bare, levels, best, own)


def preview(here: Here, choice: Choice) -> None:
    """What the split would make of the node's rows, and how it scores beside the one that was made."""
    growth, node = here.growth, here.node
    if here.hidden:
        return
    scores = score_choice(growth.here(node), choice)
    if scores is None:
        st.caption("This sends all rows down one branch; nothing would be split.")
        return
    made = candidate(growth.table, scores, 0)
    parts = [part for part in made.partitions if part.n_rows][:MAX_PARTS]
    held, heads = _held(growth), ["mean", "variance"] if growth.rules.is_number else ["counts"]
    rows = [[wording.branch(part.condition), quantity(part.n_rows), *held(part)] for part in parts]
    numbers = (1, 2, 3) if growth.rules.is_number else (1,)
    show_table(["branch", "rows", *heads], rows, numbers=numbers, caption="The branches of this split")
    winner = next((c for c in cached.best_candidates(here.data, growth, node) if c.chosen), None)
    if winner is not None:
        st.caption(plain(wording.why_not(made, winner, growth)))


def _held(growth: Growth) -> Callable[[Partition], list[str]]:
    """What the rows of a branch are, in words: counts, or mean and variance."""
    if not growth.rules.is_number:
        return lambda part: [wording.class_counts(part.counts, growth.table.target.classes, ",")]
    write = units(growth.tree)
    return lambda part: [write.value(part.mean or 0.0), write.square(part.variance or 0.0)]


def _present(here: Here, index: int) -> Any:
    """The distinct known values of a feature in the node's rows, ascending; codes for levels."""
    table, rows = here.growth.table, here.growth.tree.rows(here.node)
    return np.unique(table.columns[index][rows][~table.missing(index)[rows]])


def _best(here: Here, name: str) -> Candidate | None:
    ranked = cached.best_candidates(here.data, here.growth, here.node)
    return next((c for c in ranked if c.feature == name), None)


def _threshold(here: Here, index: int, best: Candidate | None, own: str) -> float:
    """A number typed by hand; it begins at the best threshold, or in the middle."""
    values = _present(here, index)
    middle = float(values[0] + values[-1]) / 2
    start = middle if best is None or best.split.threshold is None else float(best.split.threshold)
    return float(
        st.number_input(
            "Threshold",
            value=start,
            format="%.6g",
            key=f"turn_threshold_{own}",
            help=f"Rows below it go to the first branch. Values here go from {values[0]:.6g} to {values[-1]:.6g}.",
        )
    )


def _branches(here: Here, own: str) -> _Branches:
    subset = here.growth.rules.categorical_splits is CategoricalSplits.SUBSET
    key = f"turn_branches_{own}"
    st.session_state.setdefault(key, _Branches.GROUPS if subset else _Branches.LEVELS)
    options = list(_Branches)
    found = st.segmented_control("Branches", options, key=key, required=True, label_visibility="collapsed")
    return found or _Branches.LEVELS


def _grouped(bare: Choice, levels: list[str], best: Candidate | None, own: str) -> Choice | None:
    """The levels of the first group, chosen one by one; the others are the second group."""
    value = best.partitions[0].condition.value if best is not None and len(best.split.groups) == 2 else None
    first = [level for level in levels if isinstance(value, tuple) and level in value] or levels[:1]
    key = f"turn_group_{own}"
    _forget(key, levels)
    st.session_state.setdefault(key, first)
    if len(levels) <= MAX_PILLS:
        st.pills("First group", levels, selection_mode="multi", key=key, format_func=lambda level: plain(_named(level)))
    else:
        st.multiselect("First group", levels, key=key, format_func=_named)
    chosen = [level for level in levels if level in st.session_state[key]]
    others = [level for level in levels if level not in chosen]
    if not chosen or not others:
        st.caption("Each group needs at least one level.")
        return None
    st.caption(plain(f"Second group: {wording.listed([_named(level) for level in others])}"))
    return replace(bare, first_group=tuple(chosen))


def _named(level: str) -> str:
    return wording.plain(level, 24)


def _forget(key: str, allowed: Sequence[str]) -> None:
    """Drop what a widget holds from another tree."""
    held = st.session_state.get(key, ())
    if any(value not in allowed for value in ([held] if isinstance(held, str) else held or ())):
        del st.session_state[key]
