"""The state of the Compare page: its two sides, read from and written to the session.

The first side is the session's own tree, the one of the Grow page. The second side and the rows of
both stand in the session's `versus`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from drawing import wording
from engine import EngineError, Growth, GrowthSettings, Table
from engine.comparison import Side
from engine.comparison_rows import RowChoice
from widgets import cached, state
from widgets.compare import growing
from widgets.compare.keys import Own
from widgets.compare.versus import Versus, other_criterion
from widgets.session import CurrentData
from widgets.stage import View


@dataclass(frozen=True, eq=False)
class Grown:
    """One side with its tree.

    Attributes
    ----------
    side : Side
    data : CurrentData
    rows : RowChoice
    growth : Growth
    """

    side: Side
    data: CurrentData
    rows: RowChoice
    growth: Growth


def versus() -> Versus:
    """What the page knows; rows and splits that speak of other data are gone."""
    now = state.session().versus
    keys = (state.data().key, (now.data or state.data()).key)
    if now.row_keys == keys:
        return now
    if now.row_keys is not None:
        same_first, same_second = (was == key for was, key in zip(now.row_keys, keys, strict=True))
        now = replace(
            now,
            rows=now.rows if same_first else RowChoice(),
            rows_b=now.rows_b if same_second else RowChoice(),
            settings=now.settings if same_second else _fitting(now),
            step=0,
            goto=now.goto + 1,
        )
    now = replace(now, row_keys=keys)
    state.change_view(versus=now)
    return now


def _fitting(now: Versus) -> GrowthSettings | None:
    """The second side's settings for other data: no splits by hand; none where the criterion is not defined."""
    kind = cached.table(now.data or state.data()).target.kind
    made = now.settings
    if made is None or (made.criterion is not None and made.criterion.target_kind is not kind):
        return None
    return replace(made, choices=())


def change(**changes: Any) -> None:
    """Change fields of `versus` by name; the built-in duel is then no longer what it was."""
    state.change_view(versus=replace(versus(), **{"duel": "", **changes}), notes=())


def forget_duel() -> None:
    """The page shows no built-in duel; what it says stays."""
    state.change_view(versus=replace(versus(), duel=""))


def data(side: Side) -> CurrentData:
    """The data of a side."""
    return (versus().data if side is Side.SECOND else None) or state.data()


def rows(side: Side) -> RowChoice:
    """What a side is grown from."""
    return versus().rows if side is Side.FIRST else versus().rows_b


def table(side: Side) -> Table:
    """The rows that a side is grown from."""
    return growing.table(data(side), rows(side))


def settings(side: Side) -> GrowthSettings:
    """How a side is grown; the second one begins like the first, by another criterion."""
    if side is Side.FIRST:
        return state.settings()
    now = versus()
    if now.settings is None:
        now = replace(now, settings=_other_than_first())
        state.change_view(versus=now)
    made = now.settings
    assert made is not None
    return made


def _other_than_first() -> GrowthSettings:
    first = state.settings()
    whole = state.training()
    try:
        return other_criterion(first, first.resolved(whole).criterion, whole.target.kind)
    except EngineError:
        return first


def good_settings(side: Side) -> GrowthSettings | None:
    """The last settings under which a side's tree could be grown; None if there were none yet."""
    return state.session().good_settings if side is Side.FIRST else versus().good_settings


def keep_good(side: Side, good: GrowthSettings) -> None:
    """Remember settings that grew a tree: it stays on the screen while others fail."""
    if side is Side.FIRST:
        state.keep_good(good)
    elif versus().good_settings != good:
        state.change_view(versus=replace(versus(), good_settings=good))


def change_settings(side: Side, **changes: Any) -> None:
    """Change settings of a side by name.

    Raises
    ------
    SettingsError
        If a value is not allowed; nothing is changed then.
    """
    made = replace(settings(side), **changes)
    if side is Side.FIRST:
        state.use_settings(made)
        change()
    else:
        change(settings=made)


def change_rows(side: Side, made: RowChoice) -> None:
    """Grow a side from other rows."""
    change(**{"rows" if side is Side.FIRST else "rows_b": made})


def use_second_data(made: CurrentData | None) -> None:
    """Give the second side data of its own; None takes the first side's again.

    Raises
    ------
    TableError
        If the data makes no table.
    """
    if made is not None:
        cached.parts(made)
    change(data=made)
    versus()


def swap() -> None:
    """Exchange the settings of the two sides, and their rows where both have the same data."""
    first, second = settings(Side.FIRST), settings(Side.SECOND)
    now = versus()
    other = {"rows": now.rows_b, "rows_b": now.rows} if now.data is None else {}
    state.use_settings(second)
    change(settings=first, **other)


def moved() -> None:
    """The stage reports where it is: take it over, and bring the link in line."""
    position = getattr(st.session_state.get(Own.PAIR), "position", None)
    if isinstance(position, int) and not isinstance(position, bool) and position >= 0:
        state.change_view(versus=replace(versus(), step=position), notes=())
        state.write_link()


def select(side: Side, node: int) -> None:
    """Select a node of a side's tree, as a click on it does."""
    now, chosen = versus(), (node, None) if side is Side.FIRST else (None, node)
    state.change_view(versus=replace(now, selected=chosen, pointed=now.pointed + 1))


def viewed() -> None:
    """The stage reports that the student looks at the trees in another way; the link follows."""
    view = View.reported(getattr(st.session_state.get(Own.PAIR), "view", None))
    if view is not None:
        state.change_view(versus=replace(versus(), view=view))
        state.write_link()


def go_to(position: int) -> None:
    """Move the stage to a step."""
    now = versus()
    state.change_view(versus=replace(now, step=position, goto=now.goto + 1))


def clamp_step(n_steps: int) -> None:
    """Bring the step into the comparison, which has `n_steps`; a link that asked for another is told so."""
    now, last = versus(), n_steps - 1
    if 0 <= now.step <= last:
        return
    nearest = min(max(now.step, 0), last)
    if now.goto == 0:
        state.note(f"The link asks for step {now.step}; steps here go from 0 to {last}, so step {nearest} is shown.")
    state.change_view(versus=replace(now, step=nearest, goto=now.goto + 1))


def title(side: Side) -> str:
    """The data of a side in words."""
    return wording.plain(data(side).title)
