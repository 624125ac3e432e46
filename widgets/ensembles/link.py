"""The Ensembles page's part of a link: every setting by its command-line name, and the step of the ensemble."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from engine import EngineError
from engine.ensembles import EnsembleMethod, EnsembleSettings, FeaturesPer
from widgets.ensembles.maker import Maker, Published
from widgets.link_settings import SETTINGS, read_settings, write_settings
from widgets.link_values import UnreadableError, number, one_of, read_value, said, switch, text_of, whole
from widgets.session import Session

_DEFAULT = Maker()
_METHODS = one_of({method.value: method for method in EnsembleMethod})
_SETTINGS: dict[str, Callable[[str], Any]] = {
    "learning_rate": number,
    "features_per": one_of({when.value: when for when in FeaturesPer}),
    "resample": switch,
    "subsample": number,
}
_MEMBERS, _OPENED, _TABLE, _ALONE = "members", "member", "published", "alone"


def of_session(parameters: Mapping[str, str]) -> dict[str, str]:
    """The parameters as the session reads them: how a tree is grown is said of the members here."""
    return {name: text for name, text in parameters.items() if name not in (*SETTINGS, "choices")}


def write(now: Session, session: Mapping[str, str]) -> dict[str, str]:
    """The parameters of the page, over those of the session."""
    found = of_session(session)
    maker, settings = now.maker, now.maker.settings
    found |= write_settings(replace(settings.growth, choices=()))
    found |= {"method": settings.method.value, _MEMBERS: str(settings.n_members)}
    for name in _SETTINGS:
        value = getattr(settings, name)
        if value != getattr(_DEFAULT.settings, name):
            found[name] = str(int(value)) if isinstance(value, bool) else text_of(value)
    if maker.published is not None:
        found[_TABLE] = maker.published.value
    if maker.opened is not None:
        found[_OPENED] = str(maker.opened)
    if maker.alone:
        found[_ALONE] = "1"
    return found | {"step": str(maker.step)}


def read(now: Session, parameters: Mapping[str, str]) -> Session:
    """The session with what its link asks of the page; its `step` is the ensemble's."""
    notes: list[str] = []
    growth = read_settings({"algorithm": "cart", **parameters}, notes)
    settings = EnsembleSettings(
        method=read_value(parameters, "method", _METHODS, _DEFAULT.settings.method, notes),
        growth=replace(growth, choices=()),
    )
    for name, kind in {**_SETTINGS, _MEMBERS: whole}.items():
        if name not in parameters:
            continue
        own = "n_members" if name == _MEMBERS else name
        try:
            change: dict[str, Any] = {own: kind(parameters[name])}
            settings = replace(settings, **change)
        except EngineError as error:
            notes.append(f"The link cannot be followed in full: {error} The default is used.")
        except UnreadableError as error:
            notes.append(said(name, parameters[name], error))
    maker = Maker(
        settings=settings,
        published=read_value(parameters, _TABLE, one_of({one.value: one for one in Published}), None, notes),
        opened=read_value(parameters, _OPENED, whole, None, notes),
        alone=read_value(parameters, _ALONE, switch, False, notes),
        step=now.step,
    )
    return replace(now, maker=maker, step=0, notes=(*now.notes, *notes))


def followed(now: Maker, asked: Maker) -> Maker:
    """What the browser's Back and Forward ask for."""
    return replace(asked, goto=now.goto + 1, into=now.into + 1, view=now.view, stopped=now.stopped, curve=now.curve)
