"""What is chosen on the wall, and the sum worked in pictures: before, the member alone, after."""

from __future__ import annotations

import streamlit as st

from drawing import phrases
from drawing.ensembles_sums import JOINED, SIZES, heading, sum_of
from widgets import state
from widgets.chart import chart
from widgets.ensembles import building
from widgets.ensembles import state as page
from widgets.ensembles.axes import axes, axes_of
from widgets.ensembles.ground import Ground, Part, ground, is_curve
from widgets.ensembles.here import Here
from widgets.ensembles.keys import Own
from widgets.ensembles.wall import wall
from widgets.escape import plain
from widgets.guard import guarded

BESIDE_HEIGHT = 236


def thumbs(here: Here) -> None:
    """The wall."""
    with st.container(key=Own.WALL_PLACE, gap=None):
        wall(
            building.thumbs(here.built),
            key=Own.WALL,
            stage=Own.STAGE,
            alone=page.maker().alone,
            on_choice=page.chosen,
        )


def chosen(here: Here) -> None:
    """The regions, or the curve, of exactly what is chosen on the wall."""
    x, y = axes_of(here.ensemble)
    alone = page.maker().alone and here.step > 0
    st.markdown(f"##### {plain(heading(here.ensemble, here.step, alone=alone))}")
    with guarded():
        made = ground(here.built, Part(here.step, alone, x, y), here.mode)
        chart(made.picture, key=Own.CHOSEN_PLOT, alt=made.words, height=BESIDE_HEIGHT)


def sums(here: Here) -> None:
    """The three pictures, side by side, and the features along their axes."""
    step = here.step
    names = sum_of(here.ensemble, step) if step else None
    left, right = st.columns([2, 1], vertical_alignment="center")
    left.markdown(f"##### {'What this member adds' if names else 'Before the first member'}")
    with right:
        x, y = axes(here.ensemble)
    with guarded():
        if names is None:
            made = [_one(here, Part(0, False, x, y), Own.BEFORE_PLOT)]
        else:
            parts = (
                (names.before, Part(step - 1, False, x, y), Own.BEFORE_PLOT),
                (names.member, Part(step, True, x, y), Own.ALONE_PLOT),
                (names.after, Part(step, False, x, y), Own.REGION_PLOT),
            )
            made = []
            for column, (name, part, key) in zip(st.columns(3, gap="small"), parts, strict=True):
                with column, st.container(gap=None):
                    st.markdown(f"**{plain(name)}**")
                    made.append(_one(here, part, key))
        _remarks(here, made)


def _one(here: Here, part: Part, key: Own) -> Ground:
    made = ground(here.built, part, state.mode())
    chart(made.picture, key=key, alt=made.words)
    return made


def _remarks(here: Here, made: list[Ground]) -> None:
    curve = is_curve(here.ensemble, *axes_of(here.ensemble))
    said = [JOINED if curve and here.ensemble.rule.is_sum else SIZES[here.words.method] if here.step else ""]
    if not all(one.exact for one in made):
        said.append("The regions are drawn at pixel resolution: there are too many thresholds.")
    hidden = list(dict.fromkeys(name for one in made for name in one.hidden))
    if hidden:
        others = phrases.listed([phrases.plain(name) for name in hidden[:4]])
        more = " and others" if len(hidden) > 4 else ""
        said.append(f"Averaged over {others}{more}, which members also test.")
    st.caption(plain(" ".join(one for one in said if one)))
