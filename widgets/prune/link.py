"""The Prune page's part of a link: every setting by its command-line name, and the step of the pruning."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from engine import EngineError
from engine.holdout import MAX_SHARE
from engine.pruning import PruningMethod, PruningSettings, Risk, Selection
from widgets.link import VIEW_PARAMETERS, read_view, write_view
from widgets.link_values import UnreadableError, natural, number, one_of, read_value, said, switch, text_of, whole
from widgets.prune.pruner import Origin, Pruner
from widgets.session import Session
from widgets.stage.view import Granularity

_DEFAULT = Pruner()
_PACES = (Granularity.NODE, Granularity.STEP, Granularity.DETAIL)
_METHODS = one_of({method.value: method for method in PruningMethod})
_SETTINGS: dict[str, Callable[[str], Any]] = {
    "alpha": number,
    "risk": one_of({risk.value: risk for risk in Risk}),
    "selection": one_of({way.value: way for way in Selection}),
    "folds": whole,
    "standard_errors": number,
    "confidence": number,
    "binomial": switch,
    "significance": number,
}
_GROWTH_SIGNIFICANCE = "stop_significance"
"""The stopping rule of the growth: `significance` is the pruning's, as on the command line."""
_SHARES = (("holdout", "validation", number), ("test", "test", number), ("holdout_seed", "seed", natural))


def of_growth(parameters: Mapping[str, str]) -> dict[str, str]:
    """The parameters of this page as the session reads them: what has another meaning here is renamed or left out."""
    taken = ("significance", _GROWTH_SIGNIFICANCE, *(name for name, _, _ in _SHARES), *VIEW_PARAMETERS)
    found = {name: text for name, text in parameters.items() if name not in taken}
    if _GROWTH_SIGNIFICANCE in parameters:
        found["significance"] = parameters[_GROWTH_SIGNIFICANCE]
    return found


def write(now: Session, session: Mapping[str, str]) -> dict[str, str]:
    """The parameters of the page, over those of the session."""
    found = {name: text for name, text in session.items() if name not in VIEW_PARAMETERS}
    if "significance" in found:
        found[_GROWTH_SIGNIFICANCE] = found.pop("significance")
    pruner = now.pruner
    found["method"] = pruner.settings.method.value
    for name in _SETTINGS:
        value = getattr(pruner.settings, name)
        if value != getattr(_DEFAULT.settings, name):
            found[name] = str(int(value)) if isinstance(value, bool) else text_of(value)
    for name, own, _ in _SHARES:
        found.pop(name, None)
        if getattr(pruner, own) != getattr(_DEFAULT, own):
            found[name] = text_of(getattr(pruner, own))
    if pruner.origin is not None:
        found["tree"] = pruner.origin.value
    if pruner.revealed:
        found["revealed"] = "1"
    return found | write_view(pruner.view, _DEFAULT.view) | {"step": str(pruner.step)}


def read(now: Session, parameters: Mapping[str, str]) -> Session:
    """The session with what its link asks of the page; its `step` and `holdout` are the pruning's."""
    notes: list[str] = []
    shares = {own: read_value(parameters, name, kind, getattr(_DEFAULT, own), notes) for name, own, kind in _SHARES}
    if min(shares["validation"], shares["test"]) < 0 or shares["validation"] + shares["test"] > MAX_SHARE + 1e-9:
        notes.append(
            "The link's validation and test rows must be shares that together are at most 0.9; the usual "
            "shares are used."
        )
        shares |= {"validation": _DEFAULT.validation, "test": _DEFAULT.test}
    origin = read_value(parameters, "tree", one_of({one.value: one for one in Origin}), None, notes)
    if origin is Origin.OWN:
        notes.append(
            "This link was made with a tree of one's own, which does not travel in a link. Enter it again on the left."
        )
    pruner = Pruner(
        settings=_read_settings(parameters, notes),
        origin=origin,
        revealed=read_value(parameters, "revealed", switch, False, notes),
        step=now.step,
        view=read_view(parameters, notes, _DEFAULT.view, _PACES),
        **shares,
    )
    return replace(now, pruner=pruner, step=0, notes=(*now.notes, *notes))


def followed(now: Pruner, asked: Pruner) -> Pruner:
    """What the browser's Back and Forward ask for; a tree and rows of one's own stay, for they do not travel."""
    return replace(
        asked,
        goto=now.goto + 1,
        text=now.text,
        counted=now.counted,
        rows=now.rows,
        rows_key=now.rows_key,
        pointed=now.pointed,
    )


def _read_settings(parameters: Mapping[str, str], notes: list[str]) -> PruningSettings:
    settings = PruningSettings(method=read_value(parameters, "method", _METHODS, _DEFAULT.settings.method, notes))
    for name, kind in _SETTINGS.items():
        if name not in parameters:
            continue
        try:
            change: dict[str, Any] = {name: kind(parameters[name])}
            settings = replace(settings, **change)
        except EngineError as error:
            notes.append(f"The link cannot be followed in full: {error} The default is used.")
        except UnreadableError as error:
            notes.append(said(name, parameters[name], error))
    return settings
