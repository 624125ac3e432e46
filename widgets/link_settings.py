"""How a tree is grown, as query parameters and back: every setting by its command-line name."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from engine import Choice, Condition, EngineError, GrowthSettings, Op
from engine.settings import BALANCED
from widgets.link_values import (
    UnreadableError,
    amounts,
    number,
    read_value,
    said,
    switch,
    text_of,
    text_of_amounts,
    whole,
)


def _weights(text: str) -> str | tuple[tuple[str, float], ...]:
    """Reads `balanced`, or a weight for each class."""
    try:
        return BALANCED if text == BALANCED else amounts(text)
    except UnreadableError as error:
        raise UnreadableError(f"{BALANCED} or {error}") from None


_READERS: dict[str, Callable[[str], Any]] = {
    "algorithm": str,
    "criterion": str,
    "categorical_splits": str,
    "max_depth": whole,
    "min_samples_split": whole,
    "min_samples_leaf": whole,
    "min_gain": number,
    "significance": number,
    "holdout_stop": switch,
    "missing": str,
    "costs": amounts,
    "cost_rule": str,
    "class_weights": _weights,
    "max_features": whole,
    "seed": whole,
}
SETTINGS = tuple(_READERS)
"""The names of the parameters, but for the splits taken by hand."""


def write_settings(settings: GrowthSettings) -> dict[str, str]:
    """The parameters of some settings: the algorithm, and what is not as it comes."""
    found: dict[str, str] = {}
    default = GrowthSettings()
    for name in SETTINGS:
        value = getattr(settings, name)
        if name == "algorithm" or value != getattr(default, name):
            found[name] = _written(value)
    if settings.choices:
        found["choices"] = _choices_text(settings.choices)
    return found


def read_settings(parameters: Mapping[str, str], notes: list[str]) -> GrowthSettings:
    """The settings that a link asks for; what makes no sense is noted and left at its default."""
    settings = GrowthSettings()
    for name, kind in _READERS.items():
        if name not in parameters:
            continue
        try:
            change: dict[str, Any] = {name: kind(parameters[name])}
            settings = replace(settings, **change)
        except EngineError as error:
            notes.append(f"The link cannot be followed in full: {error} The default is used.")
        except UnreadableError as error:
            notes.append(said(name, parameters[name], error))
    return replace(settings, choices=read_value(parameters, "choices", _choices, (), notes))


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return str(int(value))
    return text_of_amounts(value) if isinstance(value, tuple) else text_of(value)


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
