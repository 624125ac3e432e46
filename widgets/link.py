"""A session as query parameters, and back: every setting by its command-line name.

Reading never fails: what cannot be read is left at its default, and a sentence says so. Uploaded
and edited cells do not travel.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from drawing.tree_layout import Orientation
from engine import EngineError, GrowthSettings
from widgets.link_settings import SETTINGS, read_settings, write_settings
from widgets.link_values import (
    UnreadableError,
    by_name,
    joined,
    names,
    natural,
    number,
    one_of,
    read_value,
    switch,
    text_of,
    whole,
)
from widgets.session import Beside, CurrentData, Session
from widgets.stage.view import SPEEDS, Granularity, Guess, NodePart, View

__all__ = [
    "FIRST_DATASET",
    "SETTINGS",
    "UPLOAD",
    "Ready",
    "UnreadableError",
    "natural",
    "number",
    "read",
    "read_data",
    "read_settings",
    "read_value",
    "write",
    "write_data",
    "write_settings",
]

FIRST_DATASET = "play_tennis"
UPLOAD = "upload"
_COLUMNS = ("ignore", "categorical", "numeric")
_GENERATOR = {"rows": "n_rows", "noise": "noise", "data_seed": "seed"}
_AXES = ("x", "y")
_VIEW = View()
_PACES = (Granularity.LEVEL, Granularity.NODE, Granularity.STEP, Granularity.DETAIL)
VIEW_PARAMETERS = ("orientation", "granularity", "hide", "outline", "levels", "speed")

Ready = Callable[[str, int | None, float | None, int | None], CurrentData]


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
        found |= {
            name: text_of(getattr(data, own)) for name, own in _GENERATOR.items() if getattr(data, own) is not None
        }
        found |= {"edited": "1"} if data.edited else {}
        for name in ("target", "task"):
            if getattr(data, name) != getattr(original, name):
                found[name] = getattr(data, name) or "infer"
        for name in _COLUMNS:
            if getattr(data, name) != getattr(original, name):
                found[name] = joined(getattr(data, name))
    if data.holdout_share:
        found["holdout"] = text_of(data.holdout_share)
        found["holdout_seed"] = text_of(data.holdout_seed)
    return found


def _write_view(now: Session) -> dict[str, str]:
    """What the screen keeps, where it is not as it comes."""
    guesses = [[guess.node, guess.feature] for guess in now.guesses]
    asked = {
        "guess_first": "1" if now.guess_first else "",
        "guesses": json.dumps(guesses, separators=(",", ":"), ensure_ascii=False) if guesses else "",
        "beside": now.beside.value if now.beside is not Beside.REGIONS else "",
    }
    return {name: text for name, text in asked.items() if text} | write_view(now.view)


def write_view(view: View, default: View = _VIEW) -> dict[str, str]:
    """How the tree is looked at, where it is not as the page has it."""
    asked = {
        "orientation": view.orientation.name.lower() if view.orientation != default.orientation else "",
        "granularity": view.granularity.value if view.granularity != default.granularity else "",
        "hide": joined(tuple(part.name.lower() for part in view.hidden)) if view.hidden else "",
        "outline": str(int(view.outline)) if view.outline != default.outline else "",
        "levels": "" if view.levels is None else str(view.levels),
        "speed": text_of(view.speed) if view.speed != default.speed else "",
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
    step = read_value(parameters, "step", whole, 0, notes)
    if parameters.get("dataset") == UPLOAD:
        step, settings = 0, _without_names(settings)
    guesses = () if parameters.get("dataset") == UPLOAD else read_value(parameters, "guesses", _guesses, (), notes)
    return Session(
        data=data,
        settings=settings,
        step=step,
        guess_first=read_value(parameters, "guess_first", switch, False, notes),
        guesses=guesses,
        view=read_view(parameters, notes),
        beside=read_value(parameters, "beside", one_of({one.value: one for one in Beside}), Beside.REGIONS, notes),
        x=parameters.get("x"),
        y=parameters.get("y"),
        notes=tuple(notes),
    )


def _without_names(settings: GrowthSettings) -> GrowthSettings:
    """What does not name the columns or classes of a file that did not travel."""
    weights = settings.class_weights if isinstance(settings.class_weights, str) else None
    return replace(settings, choices=(), costs=(), class_weights=weights)


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
            own: read_value(parameters, given, number if own == "noise" else whole, None, notes)
            for given, own in _GENERATOR.items()
        }
        data = ready(name, made["n_rows"], made["noise"], made["seed"])
        check(data)
    except EngineError as error:
        notes.append(f"The link's data cannot be shown: {error} Play Tennis is shown instead.")
        return ready(FIRST_DATASET, None, None, None)
    if "edited" in parameters:
        notes.append("This link was made with edited rows, which do not travel in a link. The original rows are shown.")
    changes: dict[str, Any] = {n: read_value(parameters, n, names, (), notes) for n in _COLUMNS if n in parameters}
    if parameters.get("target", data.target) != data.target:
        changes |= {"target": parameters["target"], "task": None}
    if "task" in parameters:
        changes["task"] = None if parameters["task"] == "infer" else parameters["task"]
    if "holdout" in parameters:
        changes["holdout_share"] = read_value(parameters, "holdout", number, 0.0, notes)
        changes["holdout_seed"] = read_value(parameters, "holdout_seed", whole, 0, notes)
    asked = replace(data, **changes)
    try:
        check(asked)
    except EngineError as error:
        notes.append(f"The link's data settings cannot be used: {error} The dataset is shown as it comes.")
        return data
    return asked


def read_view(
    parameters: Mapping[str, str], notes: list[str], default: View = _VIEW, paces: Sequence[Granularity] = _PACES
) -> View:
    """How a link asks for the tree to be looked at; `paces` are the granularities that the page offers."""
    words = {pace.value: pace for pace in paces}
    speeds = one_of({text_of(speed): speed for speed in SPEEDS})
    return View(
        orientation=read_value(parameters, "orientation", one_of(by_name(Orientation)), default.orientation, notes),
        granularity=read_value(parameters, "granularity", one_of(words), default.granularity, notes),
        hidden=read_value(parameters, "hide", _parts, default.hidden, notes),
        outline=read_value(parameters, "outline", switch, default.outline, notes),
        levels=read_value(parameters, "levels", natural, default.levels, notes),
        speed=read_value(parameters, "speed", speeds, default.speed, notes),
    )


def _parts(text: str) -> tuple[NodePart, ...]:
    read_word = one_of(by_name(NodePart))
    asked = {read_word(name) for name in names(text)}
    return tuple(part for part in NodePart if part in asked)


def _guesses(text: str) -> tuple[Guess, ...]:
    try:
        found = tuple(Guess(int(node), None if feature is None else str(feature)) for node, feature in json.loads(text))
    except (ValueError, TypeError, RecursionError):
        found = (Guess(-1, None),)
    if any(guess.node < 0 for guess in found):
        raise UnreadableError("a list of nodes and features as this page writes it")
    return found
