"""The current table at a glance: what is predicted, how often each class occurs, what was guessed."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

import streamlit as st

from drawing.theme import PALETTES, Mode, percent
from drawing.tree_boxes import class_letters
from drawing.tree_svg import colours
from engine import FeatureKind, Table, TargetKind
from widgets import state
from widgets.data_numbers import five_html
from widgets.data_summary import ClassShare, class_shares
from widgets.escape import plain
from widgets.guard import guarded
from widgets.state import Key

MOST_SHARES = 8
"""Classes that are named; the rest are gathered in one."""

_LETTERED = 0.04
"""A smaller share has no room for its class's letter."""

_INFER, _CLASSES, _NUMBER = "inferred", "classes", "a number"
_TASKS = {_INFER: None, _CLASSES: "classes", _NUMBER: "number"}

_STYLE = """<style>
.esp-shares {display: flex; height: 1.15rem; border-radius: 0.25rem; overflow: hidden; gap: 1px;
  margin: 0.2rem 0 0.45rem}
.esp-shares span {display: block; min-width: 2px; overflow: hidden}
.esp-shares span, .esp-legend i {text-align: center; font-size: 0.7rem; font-weight: 700;
  line-height: 1.15rem; font-style: normal}
.esp-legend {display: flex; flex-wrap: wrap; gap: 0.15rem 1.1rem; font-size: 0.875rem;
  font-variant-numeric: tabular-nums}
.esp-legend span {max-width: 16rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap}
.esp-legend i {display: inline-block; min-width: 1.15rem; padding: 0 0.15rem;
  border-radius: 0.15rem; margin-right: 0.4rem}
.esp-legend b {font-weight: 600; unicode-bidi: isolate}
.esp-label {font-size: 0.875rem}
</style>"""


def heading() -> None:
    """The table's name, and its size in words."""
    st.markdown(f"**{plain(state.data().title)}** · {facts(state.table())}{_changes()}", width="stretch")


def overview() -> None:
    """What the table teaches, its target, the shares of its classes, and what was guessed."""
    table, entry = state.table(), state.data().entry
    if entry is not None:
        about = plain(f"{entry.teaches} Source: {entry.source}. Licence: {entry.licence}.")
        st.caption(about, help=plain(entry.remark) if entry.remark else None)
    target, shares = st.columns([1, 2], gap="medium")
    with target:
        _target(table)
    with shares:
        _shares(table, state.mode())
    _notes(table)


def facts(table: Table) -> str:
    """Rows, features and missing values in words."""
    numeric = sum(feature.kind is FeatureKind.NUMERIC for feature in table.features)
    categorical = len(table.features) - numeric
    kinds = [f"{n} {kind}" for n, kind in ((categorical, "categorical"), (numeric, "numeric")) if n]
    features = "1 feature" if len(table.features) == 1 else f"{len(table.features)} features"
    missing = sum(feature.n_missing for feature in table.features)
    said = [f"{table.n_rows:,} rows", f"{features} ({', '.join(kinds)})" if kinds else features]
    said.append({0: "no value missing", 1: "1 value missing"}.get(missing, f"{missing:,} values missing"))
    return " · ".join(said)


def shares_html(shares: tuple[ClassShare, ...], mode: Mode) -> str:
    """Class shares as one bar with its legend; names are escaped, the rarest classes gathered.

    >>> "<b>" in shares_html((ClassShare("<img src=x>", 1, 1.0),), Mode.LIGHT)
    True
    >>> "<img" in shares_html((ClassShare("<img src=x>", 1, 1.0),), Mode.LIGHT)
    False
    """
    ranked = sorted(range(len(shares)), key=lambda i: -shares[i].rows)
    named = sorted(ranked[: MOST_SHARES if len(shares) <= MOST_SHARES else MOST_SHARES - 1])
    rest = [shares[i] for i in range(len(shares)) if i not in named]
    looks, letters = colours(mode), class_letters([share.name for share in shares])
    parts = [(_look(looks, i), escape(letters[i]), shares[i]) for i in named]
    if rest:
        gathered = ClassShare(f"{len(rest)} more", sum(s.rows for s in rest), sum(s.share for s in rest))
        parts.append((f"background:{looks['--neutral']};color:{looks['--background']}", "…", gathered))
    bar = "".join(
        f'<span style="flex:{share.share:.6f};{look}">{letter if share.share >= _LETTERED else ""}</span>'
        for look, letter, share in parts
    )
    legend = "".join(
        f'<span title="{escape(share.name)}"><i style="{look}" aria-hidden="true">{letter}</i>'
        f"<b>{escape(share.name)}</b> {share.rows:,} · {_percent(share.share)}</span>"
        for look, letter, share in parts
    )
    return f'<div class="esp-shares" aria-hidden="true">{bar}</div><div class="esp-legend">{legend}</div>'


def _look(looks: Mapping[str, str], code: int) -> str:
    """A class's colour, with the ink that is read upon it; beyond the palette colours repeat and the letter tells."""
    place = code % len(PALETTES[Mode.LIGHT].classes)
    return f"background:{looks[f'--class-{place}']};color:{looks[f'--class-{place}-ink']}"


def _percent(share: float) -> str:
    """Not 0 % where there are rows."""
    return percent(share) if share >= 0.0005 else "under 0.1 %"


def _target(table: Table) -> None:
    data = state.data()
    st.session_state[Key.TARGET] = data.target
    st.selectbox("Target", [str(name) for name in data.frame.columns], key=Key.TARGET, on_change=_take_target)
    if _is_numeric(table):
        words = {task: word for word, task in _TASKS.items()}
        st.session_state[Key.TASK] = words.get(data.task, _INFER)
        st.segmented_control("Read the target as", list(_TASKS), key=Key.TASK, on_change=_take_task, required=True)


def _is_numeric(table: Table) -> bool:
    """Whether the target could be read either way."""
    if table.target.kind is TargetKind.NUMBER:
        return True
    try:
        return all(float(name) == float(name) for name in table.target.classes)
    except ValueError:
        return False


def _shares(table: Table, mode: Mode) -> None:
    if table.target.kind is TargetKind.CLASSES:
        heading = f"{table.n_classes} class" + ("es" if table.n_classes != 1 else "")
        st.html(f'{_STYLE}<div class="esp-label">{heading}</div>{shares_html(class_shares(table), mode)}')
        return
    st.html(f'{_STYLE}<div class="esp-label">A number</div>{five_html(table.target_values, mode)}')


def _changes() -> str:
    data = state.data()
    ignored = f" · {len(data.ignore)} ignored" if data.ignore else ""
    return ignored + (" · rows edited" if data.edited else "")


def _notes(table: Table) -> None:
    notes = list(dict.fromkeys((*state.data().notes, *table.notes)))
    if not notes:
        return
    heading = "1 thing was guessed or changed" if len(notes) == 1 else f"{len(notes)} things were guessed or changed"
    if len(notes) == 1:
        st.caption(plain(notes[0]))
        return
    with st.expander(heading):
        st.markdown("\n".join(f"- {plain(note)}" for note in notes))


def _take_target() -> None:
    with guarded():
        state.set_target(st.session_state[Key.TARGET])


def _take_task() -> None:
    with guarded():
        state.set_task(_TASKS[st.session_state[Key.TASK]])
