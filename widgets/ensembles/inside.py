"""Inside a member: the feature lottery at the current node, and why it splits so, as on the Grow page."""

from __future__ import annotations

import streamlit as st

from drawing.ensembles_lottery import lottery
from engine.ensembles import Ensemble, Member
from widgets import cached, state
from widgets.axes import first_tested
from widgets.chart import chart
from widgets.ensembles.building import Built
from widgets.ensembles.keys import Own
from widgets.escape import plain
from widgets.guard import guarded
from widgets.panels import evidence as grow
from widgets.panels.here import Here
from widgets.panels.html import show_table
from widgets.stage import StageState
from widgets.state import Key


def here_inside(found: Built, member: Member, seen: StageState) -> Here:
    """Where the stage of an opened member stands."""
    growth = member.growth
    step = min(seen.position, len(growth) - 1)
    selected = seen.selected
    return Here(
        data=found.data,
        growth=growth,
        step=step,
        node=selected if selected is not None and selected < growth.tree.n_nodes else growth[step].node,
        feature=seen.candidate,
        hidden=False,
        mode=state.mode(),
    )


def beside(found: Built, member: Member, here: Here) -> None:
    """What stands under the ranked candidates: the lottery where features are drawn at splits, else the regions."""
    if _is_drawn(found.ensemble):
        with st.container(key="lottery", gap="xsmall"):
            feature_lottery(found.ensemble, member, here)
    else:
        _regions(here)


def below(found: Built, here: Here) -> None:
    """Why this split, as on the Grow page, and the regions where they do not stand above."""
    if not _is_drawn(found.ensemble):
        _evidence(here)
        return
    why, where = st.columns([11, 9], gap="medium")
    with why:
        _evidence(here)
    with where:
        _regions(here)


def _is_drawn(ensemble: Ensemble) -> bool:
    return ensemble.settings.n_features_drawn(ensemble.table) is not None


def _evidence(here: Here) -> None:
    with st.container(key=Key.EVIDENCE, gap="xsmall"):
        grow.evidence(here)


def _regions(here: Here) -> None:
    """The member's own regions at this step, over the features of the page's picture or those it tests first."""
    names = [feature.name for feature in here.growth.table.features]
    now, (first, second) = state.session(), first_tested(here.growth.tree)
    x = now.x if now.x in names else first
    y = now.y if now.y in (*names, "") else second
    with st.container(key=Key.REGIONS, gap="xsmall"), guarded():
        st.markdown("##### Regions of this member")
        up = None if y in (x, "") else y
        picture, words = cached.regions(here.data, here.growth, here.step, here.node, x, up, here.mode)
        chart(picture, key=Own.MEMBER_REGIONS, alt=words)


def feature_lottery(ensemble: Ensemble, member: Member, here: Here) -> None:
    """The features that were drawn at a node, ranked, and greyed those that were not."""
    st.markdown("##### Feature lottery")
    found = lottery(ensemble, member, here.node) if here.is_scored else None
    if found is None:
        scored = here.growth.tree.nodes.scored[here.node]
        st.caption("The features are drawn when the node is scored." if scored else "Nothing was drawn at this leaf.")
        return
    st.caption(plain(found.sentence))
    show_table(
        ["feature", found.measure],
        found.lines,
        numbers=(1,),
        strong=[] if found.chosen is None else [found.chosen],
        quiet=range(found.n_drawn, len(found.lines)),
        caption="Features drawn at this node, and those that were not",
    )
    if found.left_out:
        st.caption(f"And {found.left_out} more, not drawn.")
