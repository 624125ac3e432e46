"""The groupings of a feature's levels: all of them ranked, or the order whose cuts are tried."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from drawing import groupings as words
from drawing import wording
from engine import Candidate, SplitKind
from engine.scores import REJECTIONS, Scores
from widgets import cached
from widgets.escape import plain
from widgets.panels.here import Here
from widgets.panels.html import show_table
from widgets.state import Key

_SCROLLS = 9
"""Lines beyond which the table scrolls."""
_HEIGHT = 300


def groupings(here: Here, candidate: Candidate) -> None:
    """Draw the panel, closed at first, where the candidate divides more than two levels in two groups."""
    if candidate.split.kind is not SplitKind.SUBSET:
        return
    scores = cached.scan(here.data, here.growth, here.node, candidate.split.feature)
    if len(scores) < 2:
        return
    name = wording.plain(candidate.feature)
    opened = st.expander(f"All groupings of {plain(name)}", key=Key.GROUPINGS, on_change="rerun")
    if not opened.open:
        return
    with opened:
        st.caption(plain(words.rule(here.growth, here.node, candidate.split.feature)))
        if words.is_ordered(here.growth, here.node, candidate.split.feature):
            _order(here, candidate, scores)
        else:
            _all(here, candidate, scores)


def _all(here: Here, candidate: Candidate, scores: Scores) -> None:
    found = words.groupings(here.growth, here.node, scores)
    write = wording.scores_as(here.growth)
    rows = [
        [one.first, one.second, one.rows, write(one.score), _mark(here, candidate, scores, one.index)] for one in found
    ]
    _table(
        here, ["first group", "second group", "rows", _score(here), ""], rows, (3,), _chosen(candidate, scores, found)
    )


def _order(here: Here, candidate: Candidate, scores: Scores) -> None:
    found = words.order(here.growth, here.node, scores)
    write = wording.scores_as(here.growth)
    rows = [
        [
            one.level,
            one.rows,
            one.value,
            "" if one.score is None else write(one.score),
            "" if one.index is None else _mark(here, candidate, scores, one.index),
        ]
        for one in found
    ]
    heads = ["level", "rows", words.ordered_by(here.growth), f"{_score(here)} of the cut below", ""]
    _table(here, heads, rows, (1, 3), _chosen(candidate, scores, found))


def _table(here: Here, heads: list[str], rows: list[list[str]], numbers: tuple[int, ...], strong: list[int]) -> None:
    with st.container(height=_HEIGHT if len(rows) > _SCROLLS else "content", border=False):
        show_table(heads, rows, numbers=numbers, strong=strong, caption=f"Groupings at {here.place}")


def _score(here: Here) -> str:
    return wording.score_measure(here.growth.rules).short


def _chosen(candidate: Candidate, scores: Scores, found: Sequence[words.Grouping | words.Ordered]) -> list[int]:
    """The line of the grouping that the evidence shows."""
    shown = scores.index(candidate.split)
    return [line for line, one in enumerate(found) if one.index == shown and shown is not None]


def _mark(here: Here, candidate: Candidate, scores: Scores, index: int) -> str:
    """What is to be said of one grouping: that it was chosen or is the best, or why it cannot be."""
    code = int(scores.rejected[index])
    if scores.index(candidate.split) == index:
        return "chosen" if candidate.chosen else "the best"
    rules = here.growth.rules
    return wording.tag(REJECTIONS[code], rules.min_samples_leaf, rules.is_number) if code >= 0 else ""
