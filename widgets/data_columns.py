"""Every column in one table: whether it is used, how it is read, and what its values are like."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from drawing.theme import quantity
from engine import EngineError, FeatureKind
from widgets import state
from widgets.data_summary import ColumnSummary, column_summaries
from widgets.escape import plain
from widgets.guard import complain, guarded
from widgets.state import Key

_ROW_HEIGHT = 35
_MAX_HEIGHT = 440


@dataclass(frozen=True)
class Reading:
    """How the columns are read: what is ignored, and the kinds that are not left to inference."""

    ignore: tuple[str, ...]
    categorical: tuple[str, ...]
    numeric: tuple[str, ...]


def changed(
    summaries: Sequence[ColumnSummary], used: Sequence[bool], kinds: Sequence[str | None], now: Reading
) -> Reading:
    """The reading after the table of columns was edited.

    Parameters
    ----------
    summaries : sequence of ColumnSummary
        The columns as they are.
    used, kinds : sequence of bool, sequence of str or None
        What a person made of each of them.
    now : Reading
        The reading before; kinds that were forced and not touched stay forced.
    """
    forced = dict.fromkeys(now.categorical, FeatureKind.CATEGORICAL) | dict.fromkeys(now.numeric, FeatureKind.NUMERIC)
    ignore = set(now.ignore)
    for summary, is_used, kind in zip(summaries, used, kinds, strict=True):
        (ignore.discard if is_used else ignore.add)(summary.name)
        if kind and kind != (summary.kind or forced.get(summary.name)):
            forced[summary.name] = FeatureKind(kind)
    order = [summary.name for summary in summaries]

    def of_kind(kind: FeatureKind) -> tuple[str, ...]:
        return tuple(name for name in order if forced.get(name) is kind)

    return Reading(
        tuple(name for name in order if name in ignore), of_kind(FeatureKind.CATEGORICAL), of_kind(FeatureKind.NUMERIC)
    )


def columns() -> None:
    """The columns with their summaries; use and kind can be changed."""
    data, table = state.data(), state.table()
    summaries = column_summaries(table, data.frame)
    _identifiers([s.name for s in summaries if s.used and s.name in table.identifiers])
    shown = _frame(summaries)
    edited = st.data_editor(
        shown,
        key=f"{Key.COLUMNS}_{hashlib.blake2b(data.key.encode('utf-8', 'surrogatepass'), digest_size=8).hexdigest()}",
        num_rows="fixed",
        hide_index=True,
        disabled=[name for name in shown.columns if name not in ("use", "kind")],
        column_order=_shown_columns(summaries),
        column_config=_CONFIG,
        height=min(_MAX_HEIGHT, _ROW_HEIGHT * (len(shown) + 1) + 3),
        placeholder="",
        alt="Columns of the table: use and kind are editable",
    )
    now = Reading(data.ignore, data.categorical, data.numeric)
    wanted = changed(summaries, edited["use"].tolist(), [k or None for k in edited["kind"].tolist()], now)
    if not edited.equals(shown) and wanted != now:
        _take(wanted)
    st.caption(
        "Untick a column to ignore it. A numeric feature is split at a threshold, a categorical one by its levels. "
        "Quartiles are interpolated linearly."
    )


def _take(wanted: Reading) -> None:
    try:
        state.set_reading(wanted.ignore, wanted.categorical, wanted.numeric)
    except EngineError as error:
        complain(error)
        return
    st.rerun()


def _identifiers(names: Sequence[str]) -> None:
    """Columns that name the rows: advice, and one button that follows it."""
    if not names:
        return
    listed = ", ".join(plain(name) for name in names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
    has = "has" if len(names) == 1 else "have"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(
            f"**{listed}** {has} a different value in every row. Such a column names the rows: it splits them "
            "perfectly and says nothing about new ones.",
            width="stretch",
        )
        st.button("Leave out", on_click=_ignore, args=(tuple(names),))


def _ignore(names: tuple[str, ...]) -> None:
    with guarded():
        state.set_ignored((*state.data().ignore, *names))


def _shown_columns(summaries: Sequence[ColumnSummary]) -> list[str]:
    """Those that have something to say in this table."""
    empty = set() if any(s.five for s in summaries) else {"least", "lower", "median", "upper", "greatest"}
    empty |= set() if any(s.most_common for s in summaries) else {"common"}
    empty |= set() if any(s.advice for s in summaries) else {"advice"}
    return [name for name in _CONFIG if name not in empty]


def _frame(summaries: Sequence[ColumnSummary]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "use": [s.used for s in summaries],
            "name": [s.name for s in summaries],
            "kind": [s.kind.value if s.kind else "" for s in summaries],
            "missing": [s.n_missing for s in summaries],
            "distinct": [s.n_distinct for s in summaries],
            "least": [_five(s, "minimum") for s in summaries],
            "lower": [_five(s, "lower") for s in summaries],
            "median": [_five(s, "median") for s in summaries],
            "upper": [_five(s, "upper") for s in summaries],
            "greatest": [_five(s, "maximum") for s in summaries],
            "common": [f"{s.most_common[0]} ({s.most_common[1]})" if s.most_common else "" for s in summaries],
            "advice": [s.advice for s in summaries],
        }
    )


def _five(summary: ColumnSummary, name: str) -> str:
    return quantity(getattr(summary.five, name)) if summary.five else ""


_COLUMN = st.column_config
_CONFIG = {
    "use": _COLUMN.CheckboxColumn("Use", width=70),
    "name": _COLUMN.TextColumn("Column", width=150),
    "kind": _COLUMN.SelectboxColumn("Kind", options=[kind.value for kind in FeatureKind], width=110),
    "missing": _COLUMN.NumberColumn("Missing", width=70),
    "distinct": _COLUMN.NumberColumn("Distinct", width=70),
    "least": _COLUMN.TextColumn("Minimum", width=80, alignment="right"),
    "lower": _COLUMN.TextColumn("Quartile 1", width=80, alignment="right"),
    "median": _COLUMN.TextColumn("Median", width=80, alignment="right"),
    "upper": _COLUMN.TextColumn("Quartile 3", width=80, alignment="right"),
    "greatest": _COLUMN.TextColumn("Maximum", width=80, alignment="right"),
    "common": _COLUMN.TextColumn("Most common", width=150),
    "advice": _COLUMN.TextColumn("Advice", width="large"),
}
