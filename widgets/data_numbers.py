"""A target that is a number at a glance: its five-number summary as a strip, and beside each other in parts."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
import streamlit as st

from drawing.numbers import units_of
from drawing.theme import SCALE_STEPS, Mode, number, quantity, step_colour
from engine import Growth, Table
from engine.metrics import answering, error, losses, training_landing
from engine.table import FloatArray
from widgets.data_summary import FiveNumbers, five_numbers
from widgets.panels import html

_WORDS = ("minimum", "quartile 1", "median", "quartile 3", "maximum")
_STYLE = """<style>
.esp-five {position: relative; height: 1.5rem; margin: 0.3rem 0 0.2rem}
.esp-five i {position: absolute; display: block}
.esp-five .whisker {top: 50%; height: 2px; margin-top: -1px; left: 0; right: 0; opacity: 0.45; background: currentColor}
.esp-five .end {width: 2px; height: 60%; top: 20%; background: currentColor; opacity: 0.6}
.esp-five .box {top: 0; bottom: 0; border-radius: 0.25rem; min-width: 2px; border: 1px solid currentColor}
.esp-five .median {width: 3px; top: -2px; bottom: -2px; margin-left: -1.5px; background: currentColor}
.esp-fives {display: flex; flex-wrap: wrap; gap: 0.15rem 1.1rem; font-size: 0.875rem;
  font-variant-numeric: tabular-nums}
</style>"""


def five_html(values: FloatArray, mode: Mode) -> str:
    """The five-number summary (Tukey 1977) with the mean, as a box on the range and in words; empty of no values.

    >>> "median <b>2</b>" in five_html(np.array([1.0, 2.0, 9.0]), Mode.LIGHT)
    True
    """
    five = five_numbers(values)
    if five is None:
        return ""
    said = [f"{word} <b>{escape(quantity(value))}</b>" for word, value in zip(_WORDS, _five(five), strict=True)]
    said.append(f"mean <b>{escape(units_of(values).value(float(np.nanmean(values))))}</b>")
    words = "".join(f"<span>{text}</span>" for text in said)
    return f'{_STYLE}{_strip(five, mode)}<div class="esp-fives">{words}</div>'


def parts_table(parts: Sequence[tuple[str, Table]]) -> None:
    """Show the five-number summary and the mean of each part's target, a line each."""
    rows = []
    for name, table in parts:
        five = five_numbers(table.target_values)
        values = ["–"] * 5 if five is None else [quantity(value) for value in _five(five)]
        mean = units_of(table.target_values).value(float(table.target_values.mean())) if table.n_rows else "–"
        rows.append([name, f"{table.n_rows:,}", *values, mean])
    heads = ["", "rows", *_WORDS, "mean"]
    html.show_table(heads, rows, numbers=range(1, len(heads)), caption="The target in each part")


def score_cards(growth: Growth, held_out: Table | None) -> None:
    """Show R² and mean squared error of the finished tree, on the training rows and on those held out."""
    tree, write = growth.tree, units_of(growth.table.target_values)
    trained = float(losses(tree, training_landing(tree), answering(tree)).mean())
    found = [("Training R²", tree.training_accuracy(), trained)]
    if held_out is not None and held_out.n_rows:
        found.append(("Test R²", tree.accuracy(held_out), error(tree, held_out)))
    for column, (label, share, squares) in zip(st.columns(2), found, strict=False):
        column.metric(label, number(share), border=True, help="The share of the target's variance that is explained.")
        column.caption(f"mean squared error {write.square(squares)}")
    st.caption(f"A tree of {tree.n_leaves} leaves and depth {tree.depth}, grown with the current settings.")


def _five(five: FiveNumbers) -> tuple[float, ...]:
    return (five.minimum, five.lower, five.median, five.upper, five.maximum)


def _strip(five: FiveNumbers, mode: Mode) -> str:
    """The range as a line, the middle half as a box in the colours of the scale, the median across it."""
    low, high = five.minimum, five.maximum
    span = (high / 2 - low / 2) or 1.0

    def at(value: float) -> float:
        return 100 * (value / 2 - low / 2) / span if high > low else 50.0

    colours = ", ".join(step_colour(step, mode) for step in range(SCALE_STEPS))
    box = at(five.upper) - at(five.lower)
    # The box shows its own stretch of the scale, so that a colour means the same here as in the tree.
    size, shift = (10_000 / box, 100 * at(five.lower) / (100 - box)) if 0 < box < 100 else (100.0, 0.0)
    ground = f"background: linear-gradient(to right, {colours}) {shift:.3f}% 0 / {size:.3f}% 100%"
    return (
        '<div class="esp-five" aria-hidden="true"><i class="whisker"></i><i class="end" style="left:0"></i>'
        '<i class="end" style="right:0"></i>'
        f'<i class="box" style="left:{at(five.lower):.3f}%;width:{box:.3f}%;{ground}"></i>'
        f'<i class="median" style="left:{at(five.median):.3f}%"></i></div>'
    )
