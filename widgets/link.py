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
from enum import Enum
from typing import Any

from drawing.tree_layout import Orientation
from engine import Choice, Condition, EngineError, GrowthSettings, Op
from widgets.session import Beside, CurrentData, Session
from widgets.stage.view import SPEEDS, Granularity, Guess, NodePart, View

FIRST_DATASET = "play_tennis"
UPLOAD = "upload"
SETTINGS = (
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
_AXES = ("x", "y")

Ready = Callable[[str, int | None, float | None, int | None], CurrentData]


class UnreadableError(ValueError):
    """A parameter that is not what it should be; the text says what it should be."""


def write(now: Session, original: CurrentData) -> dict[str, str]:
    """The query parameters of a session; `original` is its dataset as the catalogue describes it."""
    found = write_data(now.data, original) | write_settings(now.settings)
    found |= _write_view(now)
    found |= {name: getattr(now, name) for name in _AXES if getattr(now, name) is not None}
    found["step"] = str(now.step)
    return found


def write_data(data: CurrentData, original: CurrentData) -> dict[str, str]:
    """The parameters of some data; `original` is its dataset as the catalogue describes it."""
    found: dict[str, str] = {}
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
    return found


def write_settings(settings: GrowthSettings) -> dict[str, str]:
    """The parameters of some settings: the algorithm, and what is not as it comes."""
    found: dict[str, str] = {}
    default = GrowthSettings()
    for name in SETTINGS:
        value = getattr(settings, name)
        if name == "algorithm" or value != getattr(default, name):
            found[name] = _text(value)
    if settings.choices:
        found["choices"] = _choices_text(settings.choices)
    return found


def _write_view(now: Session) -> dict[str, str]:
    """What the screen keeps, where it is not as it comes."""
    view, default = now.view, View()
    guesses = [[guess.node, guess.feature] for guess in now.guesses]
    asked = {
        "guess_first": "1" if now.guess_first else "",
        "guesses": json.dumps(guesses, separators=(",", ":"), ensure_ascii=False) if guesses else "",
        "orientation": view.orientation.name.lower() if view.orientation != default.orientation else "",
        "granularity": view.granularity.value if view.granularity != default.granularity else "",
        "hide": _joined(tuple(part.name.lower() for part in view.hidden)) if view.hidden else "",
        "outline": "1" if view.outline else "",
        "levels": "" if view.levels is None else str(view.levels),
        "speed": _text(view.speed) if view.speed != default.speed else "",
        "beside": now.beside.value if now.beside is not Beside.REGIONS else "",
    }
    return {name: text for name, text in asked.items() if text}


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
    data = read_data(parameters, ready, check, notes)
    settings = read_settings(parameters, notes)
    step = read_value(parameters, "step", _whole, 0, notes)
    if parameters.get("dataset") == UPLOAD:
        step, settings = 0, replace(settings, choices=())
    guesses = () if parameters.get("dataset") == UPLOAD else read_value(parameters, "guesses", _guesses, (), notes)
    return Session(
        data=data,
        settings=settings,
        step=step,
        guess_first=read_value(parameters, "guess_first", _switch, False, notes),
        guesses=guesses,
        view=_read_view(parameters, notes),
        beside=read_value(parameters, "beside", _one_of({one.value: one for one in Beside}), Beside.REGIONS, notes),
        x=parameters.get("x"),
        y=parameters.get("y"),
        notes=tuple(notes),
    )


def read_data(
    parameters: Mapping[str, str], ready: Ready, check: Callable[[CurrentData], object], notes: list[str]
) -> CurrentData:
    """The data that a link asks for; what makes no sense is noted and another shown."""
    name = parameters.get("dataset", FIRST_DATASET)
    if name == UPLOAD:
        notes.append(
            "This link was made with an uploaded file, which does not travel in a link. "
            "Play Tennis is shown instead; upload the file on the Data page."
        )
        return ready(FIRST_DATASET, None, None, None)
    try:
        made = {
            own: read_value(parameters, given, number if own == "noise" else _whole, None, notes)
            for given, own in _GENERATOR.items()
        }
        data = ready(name, made["n_rows"], made["noise"], made["seed"])
        check(data)
    except EngineError as error:
        notes.append(f"The link's data cannot be shown: {error} Play Tennis is shown instead.")
        return ready(FIRST_DATASET, None, None, None)
    if "edited" in parameters:
        notes.append("This link was made with edited rows, which do not travel in a link. The original rows are shown.")
    changes: dict[str, Any] = {n: read_value(parameters, n, _names, (), notes) for n in _COLUMNS if n in parameters}
    if parameters.get("target", data.target) != data.target:
        changes |= {"target": parameters["target"], "task": None}
    if "task" in parameters:
        changes["task"] = None if parameters["task"] == "infer" else parameters["task"]
    if "holdout" in parameters:
        changes["holdout_share"] = read_value(parameters, "holdout", number, 0.0, notes)
        changes["holdout_seed"] = read_value(parameters, "holdout_seed", _whole, 0, notes)
    asked = replace(data, **changes)
    try:
        check(asked)
    except EngineError as error:
        notes.append(f"The link's data settings cannot be used: {error} The dataset is shown as it comes.")
        return data
    return asked


def read_settings(parameters: Mapping[str, str], notes: list[str]) -> GrowthSettings:
    """The settings that a link asks for; what makes no sense is noted and left at its default."""
    settings = GrowthSettings()
    for name in SETTINGS:
        if name not in parameters:
            continue
        kind: Callable[[str], Any] = number if name == "min_gain" else str if name in _NAMED else _whole
        try:
            change: dict[str, Any] = {name: kind(parameters[name])}
            settings = replace(settings, **change)
        except EngineError as error:
            notes.append(f"The link cannot be followed in full: {error} The default is used.")
        except UnreadableError as error:
            notes.append(_said(name, parameters[name], error))
    return replace(settings, choices=read_value(parameters, "choices", _choices, (), notes))


def _read_view(parameters: Mapping[str, str], notes: list[str]) -> View:
    default = View()
    return View(
        orientation=read_value(parameters, "orientation", _one_of(_by_name(Orientation)), default.orientation, notes),
        granularity=read_value(parameters, "granularity", _one_of(_by_name(Granularity)), default.granularity, notes),
        hidden=read_value(parameters, "hide", _parts, default.hidden, notes),
        outline=read_value(parameters, "outline", _switch, default.outline, notes),
        levels=read_value(parameters, "levels", natural, default.levels, notes),
        speed=read_value(parameters, "speed", _one_of({_text(speed): speed for speed in SPEEDS}), default.speed, notes),
    )


_NAMED = ("algorithm", "criterion", "categorical_splits", "missing")


def read_value(
    parameters: Mapping[str, str], name: str, kind: Callable[[str], Any], default: Any, notes: list[str]
) -> Any:
    """One parameter, read by `kind`, which raises UnreadableError; noted and left at its default then."""
    if name not in parameters:
        return default
    try:
        return kind(parameters[name])
    except UnreadableError as error:
        notes.append(_said(name, parameters[name], error))
        return default


def _said(name: str, got: str, error: Exception) -> str:
    short = got if len(got) <= 40 else got[:39] + "…"
    return f"The link's {name} must be {error}, got {short!r}; the default is used."


def _whole(text: str) -> int:
    try:
        return int(text[:20])
    except ValueError:
        raise UnreadableError("a whole number") from None


def number(text: str) -> float:
    """Reads a finite number."""
    try:
        found = float(text)
    except ValueError:
        raise UnreadableError("a number") from None
    if not math.isfinite(found):
        raise UnreadableError("a finite number")
    return found


def _switch(text: str) -> bool:
    if text not in ("0", "1"):
        raise UnreadableError("0 or 1")
    return text == "1"


def natural(text: str) -> int:
    """Reads a whole number of at least 0."""
    found = _whole(text)
    if found < 0:
        raise UnreadableError("at least 0")
    return found


def _by_name(kind: type[Enum]) -> dict[str, Any]:
    return {member.name.lower(): member for member in kind}


def _one_of(allowed: Mapping[str, Any]) -> Callable[[str], Any]:
    """Reads one of a few words."""

    def read_word(text: str) -> Any:
        if text not in allowed:
            raise UnreadableError("one of " + ", ".join(allowed))
        return allowed[text]

    return read_word


def _parts(text: str) -> tuple[NodePart, ...]:
    read_word = _one_of(_by_name(NodePart))
    asked = {read_word(name) for name in _names(text)}
    return tuple(part for part in NodePart if part in asked)


def _guesses(text: str) -> tuple[Guess, ...]:
    try:
        found = tuple(Guess(int(node), None if feature is None else str(feature)) for node, feature in json.loads(text))
    except (ValueError, TypeError, RecursionError):
        found = (Guess(-1, None),)
    if any(guess.node < 0 for guess in found):
        raise UnreadableError("a list of nodes and features as this page writes it")
    return found


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
        raise UnreadableError("a list of splits as this page writes it") from None


def _value(value: Any) -> tuple[str, ...] | float | None:
    return tuple(str(level) for level in value) if isinstance(value, list) else value
