"""Why this split: the table of one candidate, its formula with these rows' counts, and the gain curve."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from drawing import formulas, wording
from drawing.figures import Click
from drawing.theme import fraction, number, percent, weight
from engine import Candidate, Criterion, Partition, SplitKind
from engine.table import Feature
from widgets import cached
from widgets.chart import chart
from widgets.escape import plain
from widgets.panels import number_evidence, remarks
from widgets.panels.groupings import groupings
from widgets.panels.here import Here
from widgets.panels.html import Cell, Row, show_table
from widgets.panels.significance import significance
from widgets.panels.sums import show_sums
from widgets.state import Key

MAX_CLASS_COLUMNS = 2
MAX_PARTS = 40


def evidence(here: Here) -> None:
    """Draw the panel."""
    last = len(here.growth) - 1
    st.markdown(f"##### Evidence · Step {here.step} of {last}")
    if here.hidden:
        st.info("Guess first: choose a feature in the stage. Then the numbers are shown.")
        return
    ranked = cached.best_candidates(here.data, here.growth, here.node) if here.is_scored else []
    if not ranked:
        st.markdown(plain(_nothing(here)))
        if here.is_decided:
            _answer(here)
        return
    picked = _pick(here, ranked)
    winner = next((c for c in ranked if c.chosen), ranked[0])
    shown = _threshold(here, picked) if picked.split.kind is SplitKind.THRESHOLD else picked
    if here.growth.rules.is_number:
        number_evidence.table(here, shown, ranked)
    else:
        _table(here, shown)
    st.markdown(plain(wording.why_not(shown, winner, here.growth)))
    remarks.before_the_sums(here, shown)
    if here.growth.rules.is_number:
        number_evidence.formulas(here, shown)
    else:
        _formula(here, shown)
    remarks.average_gain(here)
    remarks.holdout(here)
    groupings(here, shown)
    significance(here, shown)
    remarks.after_the_sums(here, shown)


def _nothing(here: Here) -> str:
    """Why there is no evidence to show."""
    if not here.is_decided:
        if here.node == 0:
            return "Nothing is decided yet. The next step scores every feature."
        return "This node is still open; its features are scored when its turn comes."
    if here.growth.tree.nodes.scored[here.node]:
        return "No feature separates these rows."
    return f"No feature was scored here. {wording.reason(here.growth, here.node)}"


def _answer(here: Here) -> None:
    """What a leaf answers, with the share of each class, or the rows behind a mean."""
    if here.growth.rules.is_number:
        number_evidence.leaf(here.growth, here.node)
        return
    shares = sorted(here.growth.tree.probabilities(here.node).items(), key=lambda item: -item[1])
    target = wording.plain(here.growth.table.target.name)
    rows = [[wording.plain(name), percent(share)] for name, share in shares if share][:MAX_PARTS]
    show_table([target, "probability here"], rows, numbers=(1,), strong=(0,))


def _pick(here: Here, ranked: Sequence[Candidate]) -> Candidate:
    """The candidate that is opened: the stage's, or the one taken in the list, else the chosen one."""
    by_name = {c.feature: c for c in ranked}
    first = next((c.feature for c in ranked if c.chosen), ranked[0].feature)
    opened = (here.node, here.feature)
    if st.session_state.get(Key.OPENED) != opened or st.session_state.get(Key.CANDIDATE) not in by_name:
        st.session_state[Key.OPENED] = opened
        st.session_state[Key.CANDIDATE] = here.feature if here.feature in by_name else first
    short, write = wording.score_measure(here.growth.rules).short, wording.scores_as(here.growth)
    st.selectbox(
        "Candidate",
        list(by_name),
        key=Key.CANDIDATE,
        format_func=lambda name: _label(by_name[name], short, write),
        label_visibility="collapsed",
    )
    return by_name[st.session_state[Key.CANDIDATE]]


def _label(candidate: Candidate, short: str, write: Callable[[float], str]) -> str:
    mark = " · chosen by you" if candidate.by_choice else " · chosen" if candidate.chosen else ""
    return f"{wording.candidate_label(candidate)} · {short} {write(candidate.score)}{mark}"


def _threshold(here: Here, picked: Candidate) -> Candidate:
    """The threshold that is looked at, with the gain at every other one as a curve."""
    feature = picked.split.feature
    thresholds = cached.scan(here.data, here.growth, here.node, feature).thresholds
    if len(thresholds) < 2:
        return picked
    own = f"{here.growth.table.fingerprint}_{here.node}_{feature}"
    number_key = f"{Key.THRESHOLD}_{own}"
    best = float(picked.split.threshold or 0.0)
    value = float(st.session_state.get(number_key, best))
    low, high = float(min(thresholds[0], best)), float(max(thresholds[-1], best))
    shown = picked if value == best else cached.candidate_at(here.data, here.growth, here.node, feature, value)
    by_hand = None if shown is picked else shown.split.threshold
    picture, words = cached.curve(here.data, here.growth, here.node, picked.feature, by_hand, here.mode)
    chart(picture, key=Key.CURVE_PLOT, alt=words, on_click=lambda click: _clicked(click, number_key))
    st.number_input(
        "Threshold",
        value=best,
        min_value=low,
        max_value=high,
        format="%.6g",
        key=number_key,
        help="Click the curve or type: the nearest threshold between two values of these rows is shown.",
    )
    return shown


def _clicked(click: Click, number_key: str) -> None:
    """A threshold that was clicked on the curve becomes the one that is looked at."""
    if click.threshold is not None:
        st.session_state[number_key] = click.threshold


def _table(here: Here, candidate: Candidate) -> None:
    """Feature, level, part, rows, counts, impurity, remainder, gain."""
    table, rules = here.growth.table, here.growth.rules
    names = wording.measure(rules.criterion)
    parts = _ordered(candidate, table.features[candidate.split.feature])
    total = sum(p.n_rows for p in parts)
    classes = table.target.classes
    apart = len(classes) <= MAX_CLASS_COLUMNS
    rows: list[Row] = []
    shown = parts[:MAX_PARTS]
    whole = {"remainder": candidate.remainder, "gain": candidate.gain}
    if rules.criterion is Criterion.GAIN_RATIO:
        whole |= {"split info.": candidate.split_information, "ratio": candidate.gain_ratio}
    if rules.costs is not None:
        whole["score"] = candidate.score
    for place, part in enumerate(shown):
        counts = [weight(n) for n in part.counts] if apart else [wording.class_counts(part.counts, classes, ",")]
        rows.append(
            [
                None if place else Cell(wording.plain(candidate.feature), len(shown)),
                wording.branch(part.condition),
                f"D{place + 1}",
                fraction(part.n_rows, total),
                *counts,
                number(part.impurity),
                *(None if place else Cell(number(value), len(shown)) for value in whole.values()),
            ]
        )
    heads = [wording.plain(c, 9) for c in classes] if apart else ["counts"]
    if candidate.unknown:
        share = fraction(candidate.unknown, total + candidate.unknown)
        rows.append(["", "unknown", "every", share, *("" for _ in heads), "", *("" for _ in whole)])
    middle = 4 + len(heads)
    ends = range(middle + 1, middle + 1 + len(whole))
    show_table(
        ["feature", "level", "part", "rows", *heads, names.impurity, *whole],
        rows,
        numbers=[3, *(range(4, middle) if apart else ()), middle, *ends],
        quiet=[len(shown)] if candidate.unknown else (),
        wide=(0, *ends),
        instead=" · ".join(f"{name} {number(value)}" for name, value in whole.items()),
        caption="The parts into which this candidate divides the rows",
    )
    if len(parts) > MAX_PARTS:
        st.caption(f"The first {MAX_PARTS} of {len(parts)} parts; all of them are in the CSV under Take away.")


def _ordered(candidate: Candidate, feature: Feature) -> list[Partition]:
    """The parts in the order in which a person expects the levels."""
    if candidate.split.kind is not SplitKind.MULTIWAY:
        return list(candidate.partitions)
    place = {feature.levels[code]: rank for rank, code in enumerate(feature.display_order)}
    return sorted(
        candidate.partitions,
        key=lambda part: (
            place.get(part.condition.value[0], len(place)) if isinstance(part.condition.value, tuple) else len(place)
        ),
    )


def _formula(here: Here, candidate: Candidate) -> None:
    rules = here.growth.rules
    show_sums(formulas.worked(candidate, rules.criterion, None if rules.costs is None else rules.cost_rule))
