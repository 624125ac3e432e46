"""Both trees in numbers: features at each level, size, depth, errors, time, and agreement over bootstraps."""

from __future__ import annotations

from itertools import zip_longest

import streamlit as st

from drawing.comparison import LETTERS
from drawing.comparison_words import agreement_sentence, level_words
from drawing.theme import number, percent
from engine import Growth
from engine.comparison import Side
from engine.comparison_summary import N_BOOTSTRAPS, levels
from widgets.compare import growing
from widgets.compare.jobs import job, watch
from widgets.compare.keys import Own
from widgets.compare.screen import Trees
from widgets.escape import plain
from widgets.panels.html import show_table


def summary(trees: Trees) -> None:
    """Draw the panel."""
    left, right = st.columns(2, gap="medium")
    with left:
        _numbers(trees)
        _agreement(trees)
    with right:
        _levels(trees)


def _numbers(trees: Trees) -> None:
    growths = [trees.growth(side) for side in Side]
    rows = [
        ["nodes", *(str(g.tree.n_nodes) for g in growths)],
        ["leaves", *(str(g.tree.n_leaves) for g in growths)],
        ["depth", *(str(g.tree.depth) for g in growths)],
        ["nodes decided alike", *[str(sum(pair.equal for pair in trees.both.pairs))] * 2],
    ]
    for name, errors in (
        ("training error", [growing.training_error(trees.data_of(side), trees.growth(side)) for side in Side]),
        ("holdout error", [growing.holdout_error(trees.data_of(side), trees.growth(side)) for side in Side]),
    ):
        if any(error is not None for error in errors):
            rows.append([name, *(_error(growth, error) for growth, error in zip(growths, errors, strict=True))])
    ratio = growing.time_ratio(trees.data, trees.both)
    rows.append(["time to grow, as a ratio", *(("1", f"× {ratio:.1f}") if ratio >= 1 else (f"× {1 / ratio:.1f}", "1"))])
    show_table(["", *(LETTERS[side] for side in Side)], rows, numbers=(1, 2), caption="The two trees in numbers")
    if not trees.data.holdout_share:
        st.caption("Set rows aside on the Data page to see the holdout error.")


def _error(growth: Growth, error: float | None) -> str:
    if error is None:
        return "–"
    return number(error) if growth.tree.is_number else percent(error)


def _levels(trees: Trees) -> None:
    first, second = (levels(trees.growth(side).tree) for side in Side)
    rows = [
        [str(depth), "" if one is None else level_words(one), "" if other is None else level_words(other)]
        for depth, (one, other) in enumerate(zip_longest(first, second))
    ]
    show_table(["level", "A tests", "B tests"], rows, caption="The features tested at each level")


def _agreement(trees: Trees) -> None:
    """How often both settings agree on resampled rows: a hundred samples, a few at a time."""
    st.markdown("Agreement on resampled rows")
    common = growing.in_common(trees.data, trees.both)
    if not len(common.first) or not trees.both.same_target:
        st.caption("The sides have no rows and target in common to resample.")
        return
    work = job(Own.BOOTSTRAPS, growing.about(trees.both), lambda: growing.bootstraps(trees.both))
    watch(
        Own.BOOTSTRAPS,
        work,
        start=f"Resample {N_BOOTSTRAPS} times",
        share=lambda found: found.n_samples / N_BOOTSTRAPS,
        words=lambda found: plain(agreement_sentence(found)),
    )
