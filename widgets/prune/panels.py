"""What follows the step: the curve, the sums behind the decision, the rows that decide it, and the regions."""

from __future__ import annotations

import numpy as np
import streamlit as st

from drawing import wording
from drawing.figures import Click
from drawing.pruning_formulas import name_of, worked
from drawing.theme import weight
from engine import Table
from engine.metrics import land
from engine.pruning import CurvePoint, PruningMethod
from widgets import state
from widgets.axes import first_tested, pick_axes
from widgets.chart import chart
from widgets.escape import plain
from widgets.guard import guarded
from widgets.panels.html import show_table
from widgets.panels.sums import show_sums
from widgets.prune import building
from widgets.prune import state as page
from widgets.prune.here import Here
from widgets.prune.keys import Own

MOST_ROWS = 12
MOST_TERMS = 20
MOST_TREES = 60


def curve(here: Here) -> None:
    """Errors against leaves; a click is a step."""
    with guarded():
        picture, words = building.curve(here.pruned, here.point, here.revealed, here.mode)
        chart(picture, key=Own.CURVE_PLOT, alt=words, on_click=lambda click: _clicked(here, click))


def _clicked(here: Here, click: Click) -> None:
    """Go to the step at which the clicked tree stands; beyond the trace of cost complexity, choose its alpha."""
    if click.row is not None:
        page.go_to(click.row)
    elif click.node is not None and click.node < len(here.pruning.curve):
        choose(here, click.node)


def choose(here: Here, point: int) -> None:
    """Take a tree of the cost-complexity sequence, and go to where it stands."""
    alpha = here.pruning.curve[point].alpha
    if alpha is not None:
        page.choose_alpha(alpha, sum(len(stage) for stage in here.pruning.stages[:point]))


def measured(here: Here) -> None:
    """Sizes and errors of the full, the present and the chosen tree; those on the test rows once they are asked for."""
    test = building.test_errors(here.pruned) if here.revealed else None
    points = [("full", 0), ("now", here.point), ("chosen", here.pruning.chosen)]
    lines = []
    for name, at in points:
        found = here.pruning.curve[at]
        errors = [found.train_error, found.validation_error]
        errors += [found.cross_validation_error] if found.cross_validation_error is not None else []
        errors += [test[at] if test is not None else None] if here.built.test is not None else []
        lines.append([name, str(found.n_leaves), *(_told(here, value) for value in errors)])
    heads = ["tree", "leaves", "training", "validation"]
    heads += ["cross-val."] if here.pruning.curve[0].cross_validation_error is not None else []
    heads += ["test"] if here.built.test is not None else []
    show_table(heads, lines, numbers=range(1, len(heads)), strong=(1,), caption="Errors of the trees")
    if here.built.test is None:
        return
    st.session_state[Own.REVEAL] = here.revealed
    st.toggle("Show the test error", key=Own.REVEAL, on_change=lambda: page.reveal(st.session_state[Own.REVEAL]))
    if here.revealed:
        st.caption("Choose anew after this and the test rows have been used to choose: their error is then too low.")
    else:
        st.caption(
            "Hidden: who chooses a method or an alpha by the test rows fits the tree to them, and their error no "
            "longer tells how it does on new rows."
        )


def sequence(here: Here) -> None:
    """Cost complexity: a slider over alpha, each place of it a tree with its interval, and the sequence as a table."""
    if here.words.method is not PruningMethod.COST_COMPLEXITY or len(here.pruning.curve) < 2:
        return
    n = len(here.pruning.curve)
    st.session_state[Own.SUBTREE] = here.pruning.chosen
    st.select_slider(
        "Alpha",
        range(n),
        key=Own.SUBTREE,
        format_func=lambda point: interval(here, point),
        help="The greater alpha, the more a leaf must save. Each tree is the best one in its interval.",
        on_change=lambda: choose(here, st.session_state[Own.SUBTREE]),
    )
    with st.expander(f"The sequence of {n} trees"):
        curve, crossed = here.pruning.curve, here.pruning.curve[0].cross_validation_error is not None
        lines = [
            [
                interval(here, point.index),
                str(point.n_leaves),
                _told(here, point.train_error),
                _told(here, point.validation_error),
                *([_crossed(here, point)] if crossed else []),
            ]
            for point in curve[:MOST_TREES]
        ]
        heads = ["alpha", "leaves", "training", "validation", *(["cross-validated"] if crossed else [])]
        chosen = here.pruning.chosen
        strong = [chosen] if chosen < MOST_TREES else []
        show_table(heads, lines, numbers=range(1, len(heads)), strong=strong, caption="The sequence of trees")
        if n > MOST_TREES:
            st.caption(f"The first {MOST_TREES} of {n} trees.")
        if crossed:
            st.caption(
                f"Chosen: the smallest tree within {here.pruning.settings.standard_errors:g} standard errors of the "
                "least cross-validated error."
            )


def interval(here: Here, point: int) -> str:
    """From which alpha on, and up to which, a tree is the one that is left."""
    curve = here.pruning.curve
    start = here.words.alpha(curve[point].alpha or 0.0)
    if point + 1 == len(curve):
        return f"{start} and more"
    return f"{start} to {here.words.alpha(curve[point + 1].alpha or 0.0)}"


def _crossed(here: Here, point: CurvePoint) -> str:
    if point.cross_validation_error is None or point.standard_error is None:
        return "–"
    return f"{here.words.error(point.cross_validation_error)} ± {here.words.error(point.standard_error)}"


def _told(here: Here, value: float | None) -> str:
    return "–" if value is None else here.words.error(value)


def evidence(here: Here) -> None:
    """The decision at the node, and the sums on both sides."""
    last = len(here.pruning) - 1
    st.markdown(f"##### Step {here.step} of {last}")
    decision = here.decision
    if decision is None:
        st.markdown(plain(_waiting(here)))
        return
    st.markdown(plain(f"{here.words.place(here.node)}: {here.words.inequality(decision)}."))
    show_sums(worked(here.words, decision))
    terms = here.pruning.terms(decision.index)
    if not terms or here.words.method is PruningMethod.MINIMUM_DESCRIPTION_LENGTH:
        return
    rows = [
        [wording.plain(name_of(here.words, term), 80), weight(term.n_rows), here.words.cost(term.cost, unit=False)]
        for term in terms[:MOST_TERMS]
    ]
    if here.words.method is PruningMethod.COST_COMPLEXITY:
        rows = [[name, n, weight(term.cost)] for (name, n, _), term in zip(rows, terms, strict=False)]
    head = "estimate" if here.words.method is PruningMethod.PESSIMISTIC else "errors"
    show_table(["leaf of the subtree", "rows", head], rows, numbers=(1, 2), caption="The leaves of the subtree")
    if len(terms) > MOST_TERMS:
        st.caption(f"The first {MOST_TERMS} of {len(terms)} leaves.")


def _waiting(here: Here) -> str:
    if here.pruning.full.n_leaves == 1:
        return "The tree is a single leaf: there is nothing to prune."
    return here.words.without(here.node)


def rows(here: Here) -> None:
    """The rows that reach the node, with the subtree's answer and the leaf's."""
    held = here.built.validation
    st.markdown("##### Validation rows here")
    if held is None:
        st.caption("No rows are set aside for validation; methods that do without them still work.")
        return
    _lacking(here, held)
    with guarded():
        found = _arriving(here, held)
        if not found:
            st.caption("No validation row arrives at this node. A leaf does no worse than a subtree there.")
            return
        target = wording.plain(held.target.name, 20)
        show_table(
            ["row", target, "subtree", "leaf"],
            [line for line, _ in found[:MOST_ROWS]],
            strong=[place for place, (_, changed) in enumerate(found[:MOST_ROWS]) if changed],
            caption="Validation rows at the node",
        )
        more = len(found) - MOST_ROWS
        st.caption(
            ("✗ marks a wrong answer. " if held.target.classes else "")
            + (f"The first {MOST_ROWS} of {len(found)} rows." if more > 0 else "")
        )


def _lacking(here: Here, held: Table) -> None:
    """Classes of the tree that no validation row has."""
    if here.pruning.full.is_number:
        return
    present = {held.target.classes[code] for code in np.unique(held.target_values).tolist()}
    lacking = [wording.plain(name) for name in here.pruning.full.source.target.classes if name not in present]
    if lacking:
        named = " or ".join(lacking[:4])
        st.caption(
            plain(
                f"No validation row has the class {named}: what the tree makes of it cannot be judged, and may be cut."
            )
        )


def _arriving(here: Here, held: Table) -> list[tuple[list[str], bool]]:
    """One line a row at the node: its truth, the subtree's answer, the leaf's; those that differ first."""
    tree, node = here.pruning.full, here.node
    decision = here.decision
    before = here.pruning.tree_after(here.step if decision is None else decision.index)
    landing = land(tree, held)
    end = int(tree.nodes.subtree_end[node])
    answering = np.maximum.accumulate(np.where(before.is_visible, np.arange(len(tree.nodes)), 0))
    lines = []
    for row, place in zip(landing.row.tolist(), landing.node.tolist(), strict=True):
        if node <= place < end:
            truth = held.target_value(row)
            subtree, leaf = (wording.answer(tree, int(n)) for n in (answering[place], node))
            said = wording.plain(truth) if isinstance(truth, str) else f"{truth:g}"
            marks = [text if text == said or tree.is_number else f"{text} ✗" for text in (subtree, leaf)]
            lines.append(([str(int(held.row_numbers[row]) + 1), said, *marks], subtree != leaf))
    return sorted(lines, key=lambda line: not line[1])


def regions(here: Here) -> None:
    """The decision regions of the tree as it stands."""
    st.markdown("##### Regions")
    if not here.built.tree.table.n_rows:
        st.caption("This tree has no training rows to draw.")
        return
    full = here.pruning.full
    x, y = pick_axes([feature.name for feature in full.table.features], *first_tested(full))
    with guarded():
        picture, words = building.regions(here.pruned, here.step, here.node, x, y, state.mode())
        chart(picture, key=Own.REGION_PLOT, alt=words, on_click=lambda click: _pointed(here, click))


def _pointed(here: Here, click: Click) -> None:
    """A clicked row or region selects the node that it belongs to, in the tree as it stands."""
    tree = here.tree
    if click.row is not None and click.row < tree.table.n_rows:
        page.select(int(tree.leaf_of_training_row()[click.row]))
    elif click.node is not None and click.node < len(here.pruning.full.nodes):
        page.select(click.node)
