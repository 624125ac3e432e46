"""A member opened: its own growth, stepped in the same stage as any tree."""

from __future__ import annotations

import streamlit as st

from drawing.ensembles import METHODS
from drawing.storyboard import storyboard
from widgets.cached import Cached
from widgets.ensembles import state as page
from widgets.ensembles.building import HASHES, Built
from widgets.ensembles.inside import below, beside, here_inside
from widgets.ensembles.keys import Own
from widgets.escape import plain
from widgets.session import CurrentData
from widgets.stage import Story, pack, stage
from widgets.state import Key


def _story(_: CurrentData, found: Built, index: int) -> Story:
    return pack(storyboard(found.ensemble.members[index].growth))


_stories = Cached(_story, shared=24, own=4, hashes=HASHES)


def opened(found: Built) -> None:
    """Where it comes from, the way back, and its growth."""
    now = page.maker()
    assert now.opened is not None
    member = found.ensemble.members[now.opened]
    back, before, after = st.columns([2, 1, 1])
    back.button("Back to the ensemble", icon=":material/arrow_back:", on_click=page.open_member, args=(None,))
    last = len(found.ensemble.members) - 1
    for place, label, to in ((before, "Member before", member.index - 1), (after, "Next member", member.index + 1)):
        place.button(label, on_click=page.open_member, args=(to,), disabled=not 0 <= to <= last)
    words = _origin(found, now.opened)
    st.markdown(plain(words))
    _growth(found, now.opened)


def _origin(found: Built, index: int) -> str:
    ensemble = found.ensemble
    member = ensemble.members[index]
    said = f"{METHODS[ensemble.settings.method]}, member {index + 1} of {len(ensemble.members)}"
    if member.weights is not None and member.sample is None:
        return f"{said}: rows count by their weights, so counts are weights."
    if member.residuals is not None:
        return f"{said}: grown from the residuals, which are numbers."
    return f"{said}: grown from its own sample, in which a row may be more than once."


@st.fragment
def _growth(found: Built, index: int) -> None:
    now, member = page.maker(), found.ensemble.members[index]
    with st.container(key=Key.SCENE, gap="small"):
        seen = stage(
            _stories(found.data, found, index),
            key=Own.MEMBER_STAGE,
            position=now.inside,
            goto=now.into,
            details=Key.EVIDENCE,
            on_position_change=page.moved_inside,
        )
        here = here_inside(found, member, seen)
        with st.container(key=Key.BESIDE, gap=None):
            beside(found, member, here)
    below(found, here)
