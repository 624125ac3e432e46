"""Bagging or boosting? All methods and the single tree on the same rows, run when asked for."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from drawing import phrases
from drawing.ensembles import rough
from drawing.ensembles_contest import contest_rows, contest_text, contest_words, followed_rows
from drawing.figures.ensembles_contest import contest_figure, followed_figure
from engine import Table
from engine.ensembles import Contest, EnsembleMethod, EnsembleSettings, contest, course
from engine.frames import frame_of
from engine.holdout import split_holdout
from engine.table import FloatArray
from widgets import cached
from widgets.cached import Cached
from widgets.chart import chart
from widgets.compare.jobs import job, watch
from widgets.ensembles.building import MOST_ANSWERS
from widgets.ensembles.here import Here
from widgets.ensembles.keys import Own
from widgets.escape import plain
from widgets.guard import guarded
from widgets.panels.html import show_table
from widgets.session import CurrentData

SHARE = 0.3
"""Rows held out where the page holds out none."""
_LEAST_ROWS = 4

Answers = list[tuple[EnsembleMethod | None, FloatArray]]


@dataclass(eq=False)
class Shelf:
    """Where the contest that `about` names is laid when it is over, so that who asks for the same again finds it."""

    about: str
    done: Contest | None = None


def _shelf(_: CurrentData, about: str) -> Shelf:
    return Shelf(about)


@dataclass(frozen=True, eq=False)
class Over:
    """A contest as far as it has come; `key` names it."""

    key: str
    contest: Contest


def _course(data: CurrentData, over: Over, row: int) -> Answers:
    """What each method of run 0 says of a row, with no member, with one, and so on."""
    found = over.contest
    asked = cached.table(data).take(np.array([row]), recount=False)
    answers: Answers = []
    for method in found.methods:
        run = found.first(method)
        if run.ensemble is not None:
            answers.append((method, course(run.ensemble, asked)))
        elif run.tree is not None:
            tree, frame = run.tree.tree, frame_of(asked)
            answers.append((method, tree.predict(frame)[:, None] if tree.is_number else tree.predict_proba(frame)))
    return answers


_shelves = Cached(_shelf, shared=12, own=3)
_courses = Cached(_course, shared=48, own=8, hashes={Over: lambda over: over.key})


def compared(here: Here) -> None:
    """The tab: the button, the curves, the table and its words, one row through all methods."""
    data, ensemble = here.built.data, here.ensemble
    table, is_number = cached.table(data), here.words.is_number
    if table.n_rows < _LEAST_ROWS:
        st.caption(f"It takes {_LEAST_ROWS} rows to hold some out and grow from the others; here there are fewer.")
        return
    settings = replace(ensemble.settings, draws=(), splits=())
    share = data.holdout_share or SHARE
    left, right = st.columns([1, 3], vertical_alignment="bottom")
    n_runs = int(left.number_input("Runs", 1, 20, 5, key=Own.CONTEST_RUNS, help="Each with other rows held out."))
    right.caption(
        plain(
            f"The single tree and every method, each with {settings.n_members} members, from the same rows; "
            f"{share:.0%} are held out, others in each run."
        )
    )
    too_many = _too_many(settings, table)
    if too_many:
        st.info(plain(too_many))
        return
    about = f"{data.key} {settings!r} {n_runs} {share} {data.holdout_seed}"
    shelf = _shelves(data, about)
    work = job(Own.CONTEST, about, lambda: _laid(shelf, _runs(table, settings, share, data.holdout_seed, n_runs)))
    progress = st.container()  # above what grows, so that its button stands still
    found = shelf.done or work.latest
    if found is not None and len(found.methods) > 1:
        with guarded():
            _curves(here, found, is_number)
            _summary(found, table, is_number)
            _followed(here, Over(f"{about} {len(found.runs)}", found))
    if shelf.done is None:
        with progress:
            watch(
                Own.CONTEST,
                work,
                start="Grow them all",
                share=lambda so_far: so_far.share,
                words=lambda so_far: f"{len(so_far.runs)} ensembles and trees so far.",
            )


def _too_many(settings: EnsembleSettings, table: Table) -> str:
    trees = settings.n_members * max(table.n_classes if table.n_classes > 2 else 1, 1)
    if trees * table.n_rows <= MOST_ANSWERS:
        return ""
    most = max(MOST_ANSWERS // table.n_rows * settings.n_members // trees, 1)
    return (
        f"{settings.n_members} members on {table.n_rows:,} rows are too many to grow every method on this page; "
        f"choose at most {most:,} members."
    )


def _runs(table: Table, settings: EnsembleSettings, share: float, seed: int, n_runs: int) -> Iterator[Contest]:
    def parts(run: int) -> tuple[Table, Table]:
        return split_holdout(table, share, seed + run)

    return contest(settings, parts, n_runs, time.perf_counter)


def _laid(shelf: Shelf, results: Iterator[Contest]) -> Iterator[Contest]:
    """The results, the last one laid on the shelf."""
    latest = None
    for latest in results:
        yield latest
    shelf.done = latest


def _curves(here: Here, found: Contest, is_number: bool) -> None:
    at = here.words.round_of(here.step)
    words = contest_text(found, is_number)
    chart(contest_figure(found, at, is_number, mode=here.mode), key=Own.CONTEST_PLOT, alt=words)
    runs = "one run" if found.n_runs == 1 else f"{len(found.of(None))} runs"
    st.caption(f"Strong: holdout; dashed: training; dotted: out of bag. Means of {runs}.")


def _summary(found: Contest, table: Table, is_number: bool) -> None:
    st.markdown("##### Bagging or boosting?")
    heads, lines = contest_rows(found, is_number)
    show_table(
        heads,
        lines,
        numbers=range(1, 7),
        wide=(2, 3, 4, 5),
        instead="A wider screen has the training and out-of-bag errors, trees and leaves too.",
        caption="All methods on the same rows",
    )
    st.markdown("\n".join(f"- {plain(sentence)}" for sentence in contest_words(found, table)))
    st.caption("Times are for growing in one process, as multiples of the single tree's.")


def _followed(here: Here, over: Over) -> None:
    """A chosen row through all methods."""
    st.markdown("##### One row through all methods")
    table = cached.table(here.built.data)
    left, right = st.columns([1, 3], vertical_alignment="bottom")
    row = int(left.number_input("Row", 1, table.n_rows, step=1, key=Own.CONTEST_ROW)) - 1
    truth = table.target_value(row)
    held = _is_held(over.contest, table, row)
    said = phrases.plain(truth) if isinstance(truth, str) else rough(float(truth))
    how = "Held out: no tree was grown from it." if held else "Trees were grown from it."
    right.caption(plain(f"In truth: {said}. {how}"))
    answers = _courses(here.built.data, over, row)
    at = here.words.round_of(here.step)
    name = phrases.plain(table.target.name)
    if table.n_classes:
        code = int(table.target_values[row])
        shown = [(method, values[:, code]) for method, values in answers]
        figure = followed_figure(shown, 1.0, at, target=f"share of {phrases.plain(str(truth))}", mode=here.mode)
    else:
        shown = [(method, values[:, 0]) for method, values in answers]
        figure = followed_figure(shown, float(truth), at, target=name, mode=here.mode)
    heads, lines = followed_rows(answers, table, truth)
    words = "; ".join(f"{line[0]} says {line[1]}" for line in lines)
    chart(figure, key=Own.CONTEST_ROW_PLOT, alt=f"Row {row + 1}, in truth {said}: {words}.")
    show_table(heads, lines, numbers=(2,), caption="One row through all methods")


def _is_held(found: Contest, table: Table, row: int) -> bool:
    """Whether run 0 held the row out."""
    tree = found.first(None).tree
    return tree is not None and int(table.row_numbers[row]) not in set(tree.source.row_numbers.tolist())
