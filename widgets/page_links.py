"""Which part of a link each page reads and writes for itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from widgets import link
from widgets.compare import link as versus_link
from widgets.ensembles import link as ensemble_link
from widgets.prune import link as prune_link
from widgets.session import CurrentData, Session

COMPARE, PRUNE, ENSEMBLES = "compare", "prune", "ensembles"


def read(
    page: str | None, parameters: dict[str, str], make: link.Ready, check: Callable[[CurrentData], object]
) -> Session:
    """The session that a link to a page asks for."""
    if page == PRUNE:
        return prune_link.read(link.read(prune_link.of_growth(parameters), make, check), parameters)
    if page == ENSEMBLES:
        return ensemble_link.read(link.read(ensemble_link.of_session(parameters), make, check), parameters)
    if page == COMPARE:
        return versus_link.read(link.read(versus_link.of_session(parameters), make, check), parameters, make, check)
    return link.read(parameters, make, check)


def write(page: str | None, now: Session, original: Callable[[CurrentData], CurrentData]) -> dict[str, str]:
    """The parameters of a page; `original` gives a dataset as the catalogue describes it."""
    found = link.write(now, original(now.data))
    if page == COMPARE:
        second = now.versus.data
        return versus_link.of_session(found) | versus_link.write(now, None if second is None else original(second))
    if page == ENSEMBLES:
        return ensemble_link.write(now, found)
    return prune_link.write(now, found) if page == PRUNE else found


def followed(page: str | None, now: Session, asked: Session) -> Session:
    """The session after the browser's Back and Forward; what belongs to other pages stays."""
    kept: dict[str, Any] = {"versus": now.versus, "pruner": now.pruner, "maker": now.maker}
    if page == COMPARE:
        kept["versus"] = replace(asked.versus, goto=now.versus.goto + 1, pointed=now.versus.pointed)
    elif page == PRUNE:
        kept["pruner"] = prune_link.followed(now.pruner, asked.pruner)
    elif page == ENSEMBLES:
        kept |= {"maker": ensemble_link.followed(now.maker, asked.maker), "settings": now.settings}
    kept["step"] = now.step if page in (COMPARE, PRUNE, ENSEMBLES) else asked.step
    kept["view"] = now.view if page in (COMPARE, PRUNE) else asked.view
    found = replace(asked, pointed=now.pointed, goto=now.goto + 1, **kept)
    return replace(found, good_settings=found.settings)
