"""What follows the step: the curve, the sums, the rows and the regions."""

from __future__ import annotations

import numpy as np
import streamlit as st

from drawing import phrases
from drawing.ensembles import next_weights, rough
from drawing.ensembles_formulas import worked
from drawing.ensembles_published import WHY
from drawing.figures import Click
from drawing.figures.ensembles_regions import row_sizes
from drawing.theme import number
from engine.ensembles import Member
from engine.table import IntArray
from widgets.chart import chart
from widgets.ensembles import building
from widgets.ensembles import state as page
from widgets.ensembles.here import Here
from widgets.ensembles.keys import Own
from widgets.ensembles.sums import BESIDE_HEIGHT, chosen
from widgets.escape import plain
from widgets.guard import guarded
from widgets.panels.html import show_table

MOST_ROWS = 14


def beside(here: Here) -> None:
    """Beside the tree: what is chosen on the wall, or the curve; a button takes the other one."""
    shown = page.maker().curve
    st.button(
        "Regions here" if shown else "Errors here",
        key=Own.SWAP,
        type="tertiary",
        icon=":material/swap_vert:",
        help="Show what is chosen on the wall here" if shown else "Show the curve of errors here",
        on_click=page.swap,
        args=(not shown,),
    )
    if shown:
        curve(here, height=BESIDE_HEIGHT)
    else:
        chosen(here)


def curve(here: Here, height: int | None = None) -> None:
    """Errors against members; a click is a step."""
    st.markdown("##### Errors")
    with guarded():
        picture, words = building.curve(here.built, here.step, here.mode)
        chart(picture, key=Own.CURVE_PLOT, alt=words, height=height, on_click=_clicked)


def _clicked(click: Click) -> None:
    if click.row is not None:
        page.go_to(click.row)


def evidence(here: Here) -> None:
    """The sums of the step, and the way into the member."""
    st.markdown(f"##### Step {here.step} of {len(here.ensemble) - 1}")
    published = page.maker().published
    if published is not None:
        st.caption(plain(WHY[published]))
    with st.container(key="formulas", gap=None):
        for formula in worked(here.ensemble, here.member):
            st.latex(formula.latex, help=None)
    _errors(here)
    member = here.member
    if member is not None:
        st.button(
            "Open this member",
            icon=":material/open_in_full:",
            help="Step its own growth",
            on_click=page.open_member,
            args=(member.index,),
        )


def _errors(here: Here) -> None:
    """The errors of the sum so far and of the whole."""
    ensemble, words = here.ensemble, here.words
    now, last = words.round_of(here.step), ensemble.n_rounds
    curves = {
        "training": ensemble.training_curve,
        "holdout": ensemble.validation_curve,
        "out of bag": ensemble.out_of_bag_curve,
    }
    known = {name: curve for name, curve in curves.items() if curve is not None}
    lines = [
        [name, *(words.error(float(one.errors[at])) for one in known.values())]
        for name, at in ((f"{now} {words.unit}s" if now != 1 else f"1 {words.unit}", now), (f"all {last}", last))
    ]
    heads = ["mean squared error" if words.is_number else "error", *known]
    show_table(heads, lines, numbers=range(1, len(heads)), caption="Errors now and at the end")


def rows(here: Here) -> None:
    """The rows as this member has them: how often drawn, their weight before and after, or their residual."""
    st.markdown("##### Rows")
    member, table = here.member, here.ensemble.table
    if member is None:
        st.caption("No member yet. Step forward to see what it is grown from.")
        return
    target = phrases.plain(table.target.name, 20)
    heads, columns = _columns(here, member)
    order = _order(here, member)
    lines = []
    for row in order[:MOST_ROWS].tolist():
        truth = table.target_value(row)
        said = phrases.plain(truth) if isinstance(truth, str) else rough(float(truth))
        lines.append([str(int(table.row_numbers[row]) + 1), said, *(column[row] for column in columns)])
    show_table(
        ["row", target, *heads], lines, numbers=range(2, 2 + len(heads)), caption="The rows as this member has them"
    )
    if len(order) > MOST_ROWS:
        st.caption(f"{MOST_ROWS} of {len(order):,} rows, those that matter most to this member first.")


def _order(here: Here, member: Member) -> IntArray:
    """The rows in the order of the table where all are shown, else the heaviest first."""
    n = here.ensemble.base.n_rows
    if n <= MOST_ROWS:
        return np.arange(n)
    return np.argsort(-row_sizes(here.ensemble, member.index + 1)[0], kind="stable")


def _columns(here: Here, member: Member) -> tuple[list[str], list[list[str]]]:
    ensemble, table = here.ensemble, here.ensemble.table
    heads: list[str] = []
    columns: list[list[str]] = []
    if member.times_drawn is not None:
        heads.append("drawn")
        columns.append([f"{times}×" if times else "left out" for times in member.times_drawn.tolist()])
    if member.weights is not None:
        heads.append("weight")
        columns.append([number(value) for value in member.weights.tolist()])
    if member.residuals is not None:
        heads.append("residual")
        columns.append([rough(value) for value in member.residuals.tolist()])
    heads.append("this tree")
    if table.n_classes and member.residuals is None:
        wrong = member.answers != table.target_values
        names = [phrases.plain(name, 16) for name in table.target.classes]
        columns.append([names[a] + (" ✗" if w else "") for a, w in zip(member.answers.tolist(), wrong, strict=True)])
    else:
        columns.append([rough(float(value)) for value in member.answers.tolist()])
    after = next_weights(ensemble, member)
    if after is not None:
        heads.append("weight then")
        columns.append([number(value) for value in after.tolist()])
    elif member.weights is None:
        heads.append("sum so far" if ensemble.rule.is_sum else "vote so far")
        columns.append(_so_far(here))
    return heads, columns


def _so_far(here: Here) -> list[str]:
    """What the first members together say of each row."""
    ensemble = here.ensemble.at(here.step)
    said = ensemble.named(ensemble.poll().predictions)
    if not ensemble.rule.n_classes:
        return [rough(float(value)) for value in said.tolist()]
    right = said == ensemble.named(ensemble.table.target_values)
    return [phrases.plain(str(name), 16) + ("" if ok else " ✗") for name, ok in zip(said.tolist(), right, strict=True)]
