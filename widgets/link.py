"""A session as query parameters, and back: every setting by its command-line name.

Reading never fails: what cannot be read is left at its default, and a sentence says so. Uploaded
and edited cells do not travel.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from engine import Choice, Condition, EngineError, GrowthSettings, Op
from widgets.session import CurrentData, Session

FIRST_DATASET = "play_tennis"
UPLOAD = "upload"
_SETTINGS = (
    "algorithm",
    "criterion",
    "categorical_splits",
    "max_depth",
    "min_samples_split",
    "min_samples_leaf",
    "min_gain",
    "missing",
    "seed",
)
_COLUMNS = ("ignore", "categorical", "numeric")
_GENERATOR = {"rows": "n_rows", "noise": "noise", "data_seed": "seed"}
_VIEW = ("x", "y")

Ready = Callable[[str, int | None, float | None, int | None], CurrentData]


class _UnreadableError(ValueError):
    """A parameter that is not what it should be; the text says what it should be."""


def write(now: Session, original: CurrentData) -> dict[str, str]:
    """The query parameters of a session; `original` is its dataset as the catalogue describes it."""
    found: dict[str, str] = {}
    data = now.data
    if data.uploaded:
        found["dataset"] = UPLOAD
    else:
        found["dataset"] = data.name
        found |= {name: _text(getattr(data, own)) for name, own in _GENERATOR.items() if getattr(data, own) is not None}
        found |= {"edited": "1"} if data.edited else {}
        for name in ("target", "task"):
            if getattr(data, name) != getattr(original, name):
                found[name] = getattr(data, name) or "infer"
        for name in _COLUMNS:
            if getattr(data, name) != getattr(original, name):
                found[name] = _joined(getattr(data, name))
    if data.holdout_share:
        found["holdout"] = _text(data.holdout_share)
        found["holdout_seed"] = _text(data.holdout_seed)
    default = GrowthSettings()
    for name in _SETTINGS:
        value = getattr(now.settings, name)
        if name == "algorithm" or value != getattr(default, name):
            found[name] = _text(value)
    if now.settings.choices:
        found["choices"] = _choices_text(now.settings.choices)
    if now.guess_first:
        found["guess_first"] = "1"
    found |= {name: getattr(now, name) for name in _VIEW if getattr(now, name) is not None}
    found["step"] = str(now.step)
    return found


def read(parameters: Mapping[str, str], ready: Ready, check: Callable[[CurrentData], object]) -> Session:
    """The session that a link asks for.

    Parameters
    ----------
    parameters : mapping of str to str
    ready : callable
        Makes the data of a dataset from its name, rows, noise and seed.
    check : callable
        Raises an EngineError where data makes no table.
    """
    notes: list[str] = []
    data = _read_data(parameters, ready, check, notes)
    settings = _read_settings(parameters, notes)
    step = _read(parameters, "step", _whole, 0, notes)
    if parameters.get("dataset") == UPLOAD:
        step, settings = 0, replace(settings, choices=())
    return Session(
        data=data,
        settings=settings,
        step=step,
        guess_first=_read(parameters, "guess_first", _switch, False, notes),
        x=parameters.get("x"),
        y=parameters.get("y"),
        notes=tuple(notes),
    )


def _read_data(
    parameters: Mapping[str, str], ready: Ready, check: Callable[[CurrentData], object], notes: list[str]
) -> CurrentData:
    name = parameters.get("dataset", FIRST_DATASET)
    if name == UPLOAD:
        notes.append(
            "This link was made with an uploaded file, which does not travel in a link. "
            "Play Tennis is shown instead; upload the file on the Data page."
        )
        return ready(FIRST_DATASET, None, None, None)
    try:
        made = {
            own: _read(parameters, given, _number if own == "noise" else _whole, None, notes)
            for given, own in _GENERATOR.items()
        }
        data = ready(name, made["n_rows"], made["noise"], made["seed"])
        check(data)
    except EngineError as error:
        notes.append(f"The link's data cannot be shown: {error} Play Tennis is shown instead.")
        return ready(FIRST_DATASET, None, None, None)
    if "edited" in parameters:
        notes.append("This link was made with edited rows, which do not travel in a link. The original rows are shown.")
    changes: dict[str, Any] = {n: _read(parameters, n, _names, (), notes) for n in _COLUMNS if n in parameters}
    if parameters.get("target", data.target) != data.target:
        changes |= {"target": parameters["target"], "task": None}
    if "task" in parameters:
        changes["task"] = None if parameters["task"] == "infer" else parameters["task"]
    if "holdout" in parameters:
        changes["holdout_share"] = _read(parameters, "holdout", _number, 0.0, notes)
        changes["holdout_seed"] = _read(parameters, "holdout_seed", _whole, 0, notes)
    asked = replace(data, **changes)
    try:
        check(asked)
    except EngineError as error:
        notes.append(f"The link's data settings cannot be used: {error} The dataset is shown as it comes.")
        return data
    return asked


def _read_settings(parameters: Mapping[str, str], notes: list[str]) -> GrowthSettings:
    settings = GrowthSettings()
    for name in _SETTINGS:
        if name not in parameters:
            continue
        kind: Callable[[str], Any] = _number if name == "min_gain" else str if name in _NAMED else _whole
        try:
            change: dict[str, Any] = {name: kind(parameters[name])}
            settings = replace(settings, **change)
        except EngineError as error:
            notes.append(f"The link cannot be followed in full: {error} The default is used.")
        except _UnreadableError as error:
            notes.append(_said(name, parameters[name], error))
    return replace(settings, choices=_read(parameters, "choices", _choices, (), notes))


_NAMED = ("algorithm", "criterion", "categorical_splits", "missing")


def _read(parameters: Mapping[str, str], name: str, kind: Callable[[str], Any], default: Any, notes: list[str]) -> Any:
    if name not in parameters:
        return default
    try:
        return kind(parameters[name])
    except _UnreadableError as error:
        notes.append(_said(name, parameters[name], error))
        return default


def _said(name: str, got: str, error: Exception) -> str:
    short = got if len(got) <= 40 else got[:39] + "…"
    return f"The link's {name} must be {error}, got {short!r}; the default is used."


def _whole(text: str) -> int:
    try:
        return int(text[:20])
    except ValueError:
        raise _UnreadableError("a whole number") from None


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        raise _UnreadableError("a number") from None
    if not math.isfinite(number):
        raise _UnreadableError("a finite number")
    return number


def _switch(text: str) -> bool:
    if text not in ("0", "1"):
        raise _UnreadableError("0 or 1")
    return text == "1"


def _names(text: str) -> tuple[str, ...]:
    """Names with commas between them, quoted where they hold one.

    >>> _names('a,"b,c"')
    ('a', 'b,c')
    """
    return tuple(next(csv.reader([text]), ()))


def _joined(names: tuple[str, ...]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(names)
    return line.getvalue()


def _text(value: object) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _choices_text(choices: tuple[Choice, ...]) -> str:
    return json.dumps(
        [
            [
                [[c.feature, c.op.value, c.value] for c in choice.path],
                choice.feature,
                choice.threshold,
                choice.first_group,
            ]
            for choice in choices
        ],
        separators=(",", ":"),
        ensure_ascii=False,
    )


def _choices(text: str) -> tuple[Choice, ...]:
    try:
        return tuple(
            Choice(
                path=tuple(Condition(str(name), Op(op), _value(value)) for name, op, value in path),
                feature=str(feature),
                threshold=None if threshold is None else float(threshold),
                first_group=None if group is None else tuple(str(level) for level in group),
            )
            for path, feature, threshold, group in json.loads(text)
        )
    except (ValueError, TypeError, RecursionError):
        raise _UnreadableError("a list of splits as this page writes it") from None


def _value(value: Any) -> tuple[str, ...] | float | None:
    return tuple(str(level) for level in value) if isinstance(value, list) else value
