"""Noise dampening: labels are flipped, and the full and the pruned tree are tested, over seeds."""

from __future__ import annotations

from collections.abc import Iterator

import streamlit as st

from drawing.figures.pruning_noise import noise_figure, noise_text
from engine import EngineError
from engine.pruning import NoisePoint, PruningSettings, noise_dampening
from engine.table import TargetKind
from widgets import cached, state
from widgets.chart import chart
from widgets.compare.jobs import job, watch
from widgets.escape import plain
from widgets.guard import complain
from widgets.prune import state as page
from widgets.prune.here import Here
from widgets.prune.keys import Own

_PARTS = 5
"""Shares of noise that are tried, with none and the greatest."""

Points = tuple[NoisePoint, ...]


def noise(here: Here) -> None:
    """The slider, the work with its progress, and what has come of it so far."""
    table = cached.table(here.built.data)
    if here.built.growth is None or table.target.kind is TargetKind.NUMBER:
        st.caption("Labels are flipped where a tree of classes is grown from the data.")
        return
    now = page.pruner()
    left, right, _ = st.columns([3, 2, 4])
    most = left.slider("Labels flipped, at most", 10, 50, 40, step=10, format="%d %%", key=Own.NOISE_MOST)
    seeds = int(right.number_input("Seeds", min_value=1, max_value=20, value=5, step=1, key=Own.NOISE_SEEDS))
    st.caption(
        "Wrong labels grow leaves that fit them alone. Pruning takes such leaves back. The test rows keep their labels."
    )
    shares = tuple(round(most / 100 * part / (_PARTS - 1), 4) for part in range(_PARTS))
    about = f"{table.fingerprint} {state.settings()!r} {now.settings!r} {shares} {seeds} {now.validation} {now.test}"
    try:
        work = job(Own.NOISE, about, lambda: _gathered(here, now.settings, shares, seeds))
    except EngineError as problem:
        complain(problem)
        return
    if work.latest is not None:
        words = noise_text(work.latest)
        chart(noise_figure(work.latest, mode=here.mode), key=Own.NOISE_PLOT, alt=words)
        st.caption(plain(words))
    watch(
        Own.NOISE,
        work,
        start="Flip labels and compare",
        share=lambda points: points[-1].done / points[-1].total,
        words=lambda points: f"{points[-1].done} of {points[-1].total} runs.",
    )


def _gathered(here: Here, settings: PruningSettings, shares: tuple[float, ...], seeds: int) -> Iterator[Points]:
    """All runs so far, after each run."""
    now = page.pruner()
    found: Points = ()
    runs = noise_dampening(
        cached.table(here.built.data),
        state.settings(),
        settings,
        shares=shares,
        seeds=range(seeds),
        validation_share=now.validation or 0.2,
        test_share=now.test or 0.3,
    )
    for point in runs:
        found = (*found, point)
        yield found
