"""The Compare page's part of a link: the second side's parameters end in `_b`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from engine import EngineError
from engine.comparison_rows import RowChoice
from widgets import link
from widgets.compare.versus import Versus
from widgets.session import CurrentData, Session
from widgets.stage.view import Granularity

_MARK = "_b"
_PACES = (Granularity.LEVEL, Granularity.NODE, Granularity.STEP, Granularity.DIFFERENCE)
_DATA = ("dataset", "target", "task", "ignore", "categorical", "numeric", "rows", "noise", "data_seed", "edited")
_MOST_ROWS = 400
"""Row numbers that fit into a link."""


def of_session(parameters: Mapping[str, str]) -> dict[str, str]:
    """The parameters as the session reads and writes them: how the trees are looked at is the page's own."""
    return {name: text for name, text in parameters.items() if name not in link.VIEW_PARAMETERS}


def write(now: Session, original: CurrentData | None) -> dict[str, str]:
    """The parameters of the second side, of both sides' rows, and the step.

    `original` is the second side's own dataset as the catalogue describes it, None where it has none.
    """
    versus = now.versus
    found = _write_rows(versus.rows)
    second = _write_rows(versus.rows_b)
    if versus.settings is not None:
        second |= link.write_settings(versus.settings)
    if versus.data is not None and original is not None:
        second |= link.write_data(versus.data, original)
    found |= {name + _MARK: text for name, text in second.items()}
    if versus.duel:
        found["duel"] = versus.duel
    return found | link.write_view(versus.view) | {"step": str(versus.step)}


def read(
    now: Session, parameters: Mapping[str, str], ready: link.Ready, check: Callable[[CurrentData], object]
) -> Session:
    """The session with what its link asks of the Compare page; its `step` is that of the comparison."""
    second = {name.removesuffix(_MARK): text for name, text in parameters.items() if name.endswith(_MARK)}
    first_notes: list[str] = []
    notes: list[str] = []
    versus = Versus(
        settings=link.read_settings(second, notes) if second.keys() & _settings_names() else None,
        data=_read_data(now.data, second, ready, check, notes),
        rows=_read_rows(parameters, first_notes),
        rows_b=_read_rows(second, notes),
        step=now.step,
        view=link.read_view(parameters, first_notes, paces=_PACES),
        duel=parameters.get("duel", ""),
    )
    if now.data.uploaded or parameters.get("dataset") == link.UPLOAD:
        versus = replace(versus, rows=RowChoice(), rows_b=RowChoice(), step=0)
    said = (*now.notes, *first_notes, *(f"For B: {note}" for note in notes))
    return replace(now, versus=versus, step=0, notes=said)


def _settings_names() -> set[str]:
    return {*link.SETTINGS, "choices"}


def _read_data(
    first: CurrentData,
    second: Mapping[str, str],
    ready: link.Ready,
    check: Callable[[CurrentData], object],
    notes: list[str],
) -> CurrentData | None:
    """The second side's data; what its parameters leave open is as on the first side, if that is the same dataset."""
    if not second.keys() & set(_DATA):
        return None
    name = second.get("dataset", first.name)
    if name != first.name:
        return link.read_data(second, ready, check, notes)

    def same(asked: str, n_rows: int | None, noise: float | None, seed: int | None) -> CurrentData:
        if (n_rows, noise, seed) == (None, None, None):
            return first
        return ready(
            asked,
            first.n_rows if n_rows is None else n_rows,
            first.noise if noise is None else noise,
            first.seed if seed is None else seed,
        )

    return link.read_data({**second, "dataset": name}, same, check, notes)


def _write_rows(rows: RowChoice) -> dict[str, str]:
    found = {
        "only_rows": "" if rows.only is None else _numbers(rows.only),
        "without_rows": _numbers(rows.without),
        "dropped_rows": f"{rows.dropped:g}" if rows.dropped else "",
        "label_noise": f"{rows.noise:g}" if rows.noise else "",
        "label_noise_seed": str(rows.noise_seed) if (rows.noise or rows.dropped) and rows.noise_seed else "",
    }
    return {name: text for name, text in found.items() if text}


def _read_rows(parameters: Mapping[str, str], notes: list[str]) -> RowChoice:
    asked: dict[str, Any] = {
        "only": link.read_value(parameters, "only_rows", _row_numbers, None, notes),
        "without": link.read_value(parameters, "without_rows", _row_numbers, (), notes),
        "dropped": link.read_value(parameters, "dropped_rows", link.number, 0.0, notes),
        "noise": link.read_value(parameters, "label_noise", link.number, 0.0, notes),
        "noise_seed": link.read_value(parameters, "label_noise_seed", link.natural, 0, notes),
    }
    try:
        return RowChoice(**asked)
    except EngineError as error:
        notes.append(f"The link cannot be followed in full: {error} All rows are used.")
        return RowChoice()


def _numbers(rows: tuple[int, ...]) -> str:
    """Row numbers as a person counts, from 1; too many for a link are not named."""
    return ",".join(str(row + 1) for row in rows) if len(rows) <= _MOST_ROWS else "many"


def _row_numbers(text: str) -> tuple[int, ...]:
    try:
        rows = tuple(int(part[:12]) - 1 for part in text.split(","))
    except ValueError:
        rows = (-1,)
    if min(rows) < 0:
        raise link.UnreadableError(f"at most {_MOST_ROWS} numbers of rows, counted from 1, with commas between them")
    return rows
