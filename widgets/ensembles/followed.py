"""One row followed through the members: what each says and why, and how the vote forms."""

from __future__ import annotations

import numpy as np
import streamlit as st

from drawing import phrases
from drawing.ensembles import rough
from drawing.figures import Click
from drawing.figures.ensembles_followed import answer_figure, answer_text, vote_figure, vote_text
from drawing.theme import number, percent
from engine import Table
from engine.ensembles import Ensemble, Member, Poll, Say, follow
from engine.frames import frame_of
from engine.table import FloatArray
from widgets import cached
from widgets.cached import Cached
from widgets.chart import chart
from widgets.ensembles import state as page
from widgets.ensembles.building import HASHES, Built
from widgets.ensembles.here import Here
from widgets.ensembles.keys import Own
from widgets.escape import plain
from widgets.guard import guarded
from widgets.panels.html import show_table
from widgets.session import CurrentData

MOST_SAYS = 100
_BECAUSE = 90


def followed(here: Here) -> None:
    """The tab."""
    table = _rows(here)
    last = table.n_rows - 1
    st.session_state[Own.FOLLOWED] = min(page.maker().followed, last) + 1
    left, middle, right = st.columns([3, 3, 6], vertical_alignment="bottom")
    left.number_input("Row", 1, table.n_rows, step=1, key=Own.FOLLOWED, on_change=_take_row)
    middle.button(
        "The hardest row",
        icon=":material/search:",
        help="Of the rows that members were grown from: the one whose vote is closest, or whose answer is furthest off",
        on_click=_take_hardest,
        args=(here.ensemble, table),
    )
    row = min(page.maker().followed, last)
    place = _place(here.ensemble, table, row)
    right.caption(plain(_about(here.ensemble, table, row, place)))
    with guarded():
        says = _says(here.built.data, here.built, table, row)
        if says:
            _picture(here, table, row, says)
            _table(here, place, says)
        else:
            st.caption("There is no member to follow it through.")


def _take_row() -> None:
    page.look(followed=int(st.session_state[Own.FOLLOWED] or 1) - 1)


def _take_hardest(ensemble: Ensemble, table: Table) -> None:
    poll = ensemble.poll()
    if ensemble.rule.n_classes:
        place = int(np.partition(poll.shares, -1, axis=1)[:, -1].argmin())
    else:
        place = int(np.abs(poll.predictions - ensemble.table.target_values).argmax())
    found = np.flatnonzero(table.row_numbers == ensemble.table.row_numbers[place])
    page.look(followed=int(found[0]) if len(found) else 0)


def _rows(here: Here) -> Table:
    """All rows, those held out too; of a printed table that has its features as levels its own."""
    whole, own = cached.table(here.built.data), here.ensemble.source
    same = [(f.name, f.kind) for f in whole.features] == [(f.name, f.kind) for f in own.features]
    return whole if same else own


def _place(ensemble: Ensemble, table: Table, row: int) -> int | None:
    """The position of a row among those that members were grown from; None where it is not among them."""
    found = np.flatnonzero(ensemble.table.row_numbers == table.row_numbers[row])
    return int(found[0]) if len(found) else None


def _about(ensemble: Ensemble, table: Table, row: int, place: int | None) -> str:
    """Its truth, and whether members have seen it."""
    said = f"In truth: {_said(table.target_value(row))}."
    if place is None:
        return f"{said} No member was grown from it."
    drawn = [member.times_drawn for member in ensemble.members if member.times_drawn is not None]
    if not drawn:
        return said
    n = sum(int(times[place] > 0) for times in drawn)
    return f"{said} It was drawn for {n:,} of {len(drawn):,} members."


def _picture(here: Here, table: Table, row: int, says: tuple[Say, ...]) -> None:
    """The shares of the classes, or the answer, after each member."""
    ensemble, truth = here.ensemble, table.target_value(row)
    start = Poll(ensemble.rule, 1)
    if isinstance(truth, str):
        classes = ensemble.table.target.classes
        shares = np.array([start.shares[0], *(list(say.shares.values()) for say in says)])
        name = "probability" if ensemble.rule.is_sum else "share of the votes"
        figure = vote_figure(shares, classes, here.step, name=name, mode=here.mode)
        words = vote_text(shares, classes, here.step)
    else:
        answers: FloatArray = np.array([float(start.predictions[0]), *(float(say.answer) for say in says)])
        figure = answer_figure(answers, truth, ensemble.table.target.name, here.step, mode=here.mode)
        words = answer_text(answers, truth, here.step)
    chart(figure, key=Own.FOLLOWED_PLOT, alt=words, on_click=_clicked)


def _clicked(click: Click) -> None:
    if click.row is not None:
        page.go_to(click.row)


def _table(here: Here, place: int | None, says: tuple[Say, ...]) -> None:
    """A line a member, those around the current one."""
    ensemble = here.ensemble
    first = max(0, min(here.step - MOST_SAYS // 2, len(says) - MOST_SAYS))
    shown = says[first : first + MOST_SAYS]
    own = _own_column(ensemble, place)
    lines = []
    for say in shown:
        member, share = ensemble.members[say.member], max(say.shares.values(), default=None)
        lines.append(
            [
                here.words.name(member).removeprefix("member "),
                _because(member, say),
                _said(say.own.prediction),
                number(say.weight),
                *([] if own is None else [_of_row(member, place)]),
                _said(say.answer) + ("" if share is None else f" ({percent(share)})"),
            ]
        )
    heads = ["member", "because", "says", "counts", *([] if own is None else [own]), "ensemble so far"]
    show_table(
        heads,
        lines,
        numbers=(3,) if own is None else (3, 4),
        strong=[here.step - 1 - first] if 0 <= here.step - 1 - first < len(lines) else [],
        wide=(1, 3),
        caption="One row followed through the members",
    )
    if len(says) > len(shown):
        st.caption(f"Members {first + 1:,} to {first + len(shown):,} of {len(says):,}.")


def _because(member: Member, say: Say) -> str:
    """The path of the row in the member's tree; the nodes of several where a missing value sends it down each."""
    tree, end = member.model, say.own.path[-1]
    if set(say.own.path) != set(tree.ancestors(end)):
        return "several branches, by weight"
    said = phrases.path(tree.path(end))
    return said if len(said) <= _BECAUSE else said[: _BECAUSE - 1] + "…"


def _own_column(ensemble: Ensemble, place: int | None) -> str | None:
    """What each member makes of the row besides its answer."""
    if place is None or not ensemble.members:
        return None
    member = ensemble.members[0]
    if member.residuals is not None:
        return "residual"
    if member.weights is not None:
        return "its weight"
    return "drawn" if member.times_drawn is not None else None


def _of_row(member: Member, place: int | None) -> str:
    if place is None:
        return ""
    if member.residuals is not None:
        return rough(float(member.residuals[place]))
    if member.weights is not None:
        return number(float(member.weights[place]))
    times = 0 if member.times_drawn is None else int(member.times_drawn[place])
    return f"{times}×" if times else "left out"


def _said(answer: str | float) -> str:
    return phrases.plain(answer) if isinstance(answer, str) else rough(float(answer))


def _follow(_: CurrentData, built: Built, table: Table, row: int) -> tuple[Say, ...]:
    return follow(built.ensemble, frame_of(table.take(np.array([row]), recount=False)))


_says = Cached(_follow, shared=64, own=8, hashes=HASHES)
