"""The rows of the current node lit, the others greyed, and the path to it as a sentence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from drawing import theme, wording
from drawing.numbers import units
from engine import Growth
from engine.table import IntArray
from widgets import state
from widgets.cached import Cached
from widgets.escape import plain
from widgets.panels.here import Here
from widgets.session import CurrentData
from widgets.state import Key

MAX_ROWS = 60
MAX_COLUMNS = 10
MAX_CELLS = 240  # every step sends them
_FOLDER = Path(__file__).parent
_TABLE = "<div class='rows'><table><thead></thead><tbody></tbody></table></div>"


@st.cache_resource(max_entries=1, show_spinner=False)
def _component() -> Any:
    return st.components.v2.component(
        "espalier_rows",
        html=_TABLE,
        css=(_FOLDER / "rows.css").read_text(encoding="utf-8"),
        js=(_FOLDER / "rows.js").read_text(encoding="utf-8"),
    )


def rows(here: Here) -> None:
    """Draw the panel; a click on a row selects the node that it has come to."""
    st.markdown("##### Rows")
    st.caption(plain(here.place if here.hidden else f"{here.place}: {here.counts}"))
    # What a row is answered follows the steps; classes have no such column.
    step = here.step if _answered(here.growth) and not here.hidden else None
    data = _content(here.data, here.growth, here.node, theme.PALETTES[here.mode].accent, step)
    _component()(key=Key.ROWS_TABLE, data=data, on_row_change=lambda: _clicked(here))
    if len(data["rows"]) < here.growth.table.n_rows:
        st.caption(f"{len(data['rows'])} of {here.growth.table.n_rows:,} rows are shown, this node's first.")


def _clicked(here: Here) -> None:
    row = st.session_state[Key.ROWS_TABLE].row
    if isinstance(row, int) and 0 <= row < here.growth.table.n_rows:
        state.select(node_of(here.growth, here.step, row))


def shown_rows(n_rows: int, mine: IntArray, n_columns: int = 1) -> list[int]:
    """Positions of the rows to show: all of a small table; of a large one the node's, then others.

    >>> shown_rows(3, np.array([1]))
    [0, 1, 2]
    >>> shown_rows(200, np.array([7]))[:3]
    [7, 0, 1]
    """
    most = min(MAX_ROWS, MAX_CELLS // n_columns)
    if n_rows <= most:
        return list(range(n_rows))
    first = mine[:most].tolist()
    others = np.setdiff1d(np.arange(min(n_rows, 2 * most)), mine)
    return [*first, *others[: most - len(first)].tolist()]


def node_of(growth: Growth, step: int, row: int) -> int:
    """The node that a row has come to at a step."""
    node = int(growth.tree.nodes.leaf_of_row[row])
    visible = growth.tree.at(step).is_visible
    while not visible[node]:
        node = int(growth.tree.nodes.parent[node])
    return node


def _answered(growth: Growth) -> bool:
    """Whether the rows have a mean that answers for them: each of them whole."""
    return growth.tree.is_number and growth.tree.nodes.parts is None


def content(_: CurrentData, growth: Growth, node: int, accent: str, step: int | None = None) -> dict[str, Any]:
    """What the table in the browser is given: plain text, row by row.

    With a `step` each row of a number has the mean that answers for it then, and its residual.
    """
    table = growth.table
    mine = growth.tree.rows(node)
    features = range(min(len(table.features), MAX_COLUMNS))
    shown = shown_rows(table.n_rows, mine, len(features) + 1)
    lit = set(np.intersect1d(mine, shown).tolist())
    headings = [wording.plain(table.features[f].name, 24) for f in features]
    more = ["…"] if len(table.features) > MAX_COLUMNS else []
    answers, amounts = _answers(growth, step), _amounts(growth, node)
    return {
        "key": f"{table.fingerprint} {growth.settings!r} {node} {accent} {step}",
        "accent": accent,
        "hint": "Select the node of this row",
        "headings": [*amounts, *headings, *more, wording.plain(table.target.name, 24) + (" − mean" if answers else "")],
        # Position, number in the file, whether lit, cells: lists, for every step sends them.
        "rows": [
            [
                row,
                str(int(table.row_numbers[row]) + 1),
                row in lit,
                [
                    *(theme.weight(of_row[row]) if row in of_row else "" for of_row in amounts.values()),
                    *(_cell(table.value(f, row)) for f in features),
                    *more,
                    answers(row) if answers else _cell(table.target_value(row)),
                ],
            ]
            for row in shown
        ],
    }


def _amounts(growth: Growth, node: int) -> dict[str, dict[int, float]]:
    """By column and row: which part of a row is at the node, and what the row weighs, where rows differ in it."""
    tree, mine = growth.tree, growth.tree.rows(node)
    columns = {"part here": tree.fractions(node), "weight": None if tree.weights is None else tree.weights[mine]}
    return {
        name: dict(zip(mine.tolist(), values.tolist(), strict=True))
        for name, values in columns.items()
        if values is not None
    }


def _answers(growth: Growth, step: int | None) -> Callable[[int], str] | None:
    """From a row to its value less the mean that answers for it at a step, and what is left over."""
    if step is None:
        return None
    tree, write = growth.tree.at(step), units(growth.tree)
    node_of_row = tree.leaf_of_training_row()

    def answer(row: int) -> str:
        value, mean = float(growth.table.target_values[row]), float(tree.nodes.prediction[node_of_row[row]])
        return f"{write.value(value)} − {write.value(mean)} = {write.value(value - mean)}"

    return answer


def _cell(value: str | float | None) -> str:
    if value is None:
        return "?"
    return wording.plain(value, 40) if isinstance(value, str) else theme.quantity(value)


_content = Cached(content, shared=256, own=64)
