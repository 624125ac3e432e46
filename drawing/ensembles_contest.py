"""All methods compared, in words: the table, and what follows from it for "bagging or boosting?"."""

from __future__ import annotations

import numpy as np

from drawing import phrases
from drawing.ensembles import METHODS, rough
from drawing.theme import percent, quantity
from engine.ensembles import Contest, EnsembleMethod
from engine.table import FloatArray, Table

SINGLE = "Single tree"
MANY_FEATURES = 4_000
"""Features up to which boosted trees did best in Caruana, Karampatziakis and Yessenalina 2008."""
_LEAST_SECONDS = 1e-6
_SAME = 1e-9
_PARALLEL = {True: "all at once", False: "one after the other"}


def name_of(method: EnsembleMethod | None) -> str:
    """What a method is called; None is the single tree."""
    return SINGLE if method is None else METHODS[method]


def error_text(value: float, is_number: bool) -> str:
    """An error: a share of rows, or a mean squared error."""
    return "–" if np.isnan(value) else _three(value) if is_number else percent(value)


def _three(value: float) -> str:
    return quantity(float(f"{value:.3g}"))


def spread_text(values: FloatArray, is_number: bool) -> str:
    """A mean over runs with its standard deviation.

    >>> spread_text(np.array([0.1, 0.2]), False), spread_text(np.array([0.1]), False)
    ('15 % ± 7.1', '10 %')
    """
    known = values[~np.isnan(values)]
    if not len(known):
        return "–"
    mean = error_text(float(known.mean()), is_number)
    if len(known) < 2:
        return mean
    deviation = float(known.std(ddof=1))
    return f"{mean} ± {_three(deviation) if is_number else percent(deviation).removesuffix(' %')}"


def contest_rows(contest: Contest, is_number: bool) -> tuple[list[str], list[list[str]]]:
    """The table: headings, and a line a method."""
    heads = ["method", "holdout error", "training", "out of bag", "trees", "leaves", "time", "trees can be grown"]
    base = max(contest.seconds(None), _LEAST_SECONDS)
    lines = []
    for method in contest.methods:
        runs = contest.of(method)
        lines.append(
            [
                name_of(method),
                *(spread_text(contest.last(method, kind), is_number) for kind in ("holdout", "training", "out_of_bag")),
                f"{np.mean([run.n_trees for run in runs]):,.0f}",
                f"{np.mean([run.n_leaves for run in runs]):,.0f}",
                "×1" if method is None else f"×{quantity(float(f'{contest.seconds(method) / base:.2g}'))}",
                "–" if method is None else _PARALLEL[method.is_parallel],
            ]
        )
    return heads, lines


def contest_words(contest: Contest, table: Table) -> list[str]:
    """What follows from the runs, each sentence true of these rows and settings alone."""
    is_number = not table.n_classes
    said = [_best(contest, is_number)]
    boosted = [m for m in contest.methods if m is not None and not m.is_parallel]
    for method in boosted:
        turned = _turned(contest, method, is_number)
        if turned:
            said.append(turned)
    said.append(
        "Trees of bagging and of a random forest do not depend on each other and can be grown all at once. A boosted "
        "tree needs the one before it."
    )
    n = len(table.features)
    said.append(
        f"A rule of thumb from many datasets (Caruana and others 2008): boosted trees up to some {MANY_FEATURES:,} "
        f"features, random forests beyond. Here there {'is 1' if n == 1 else f'are {n:,}'}."
    )
    return [sentence for sentence in said if sentence] + [
        f"{name_of(method)} is left out: {reason}" for method, reason in contest.left_out.items()
    ]


def contest_text(contest: Contest, is_number: bool) -> str:
    """The curves in words."""
    said = []
    for method in contest.methods:
        curve = contest.errors(method, "holdout")
        if curve is not None and not np.isnan(curve).all():
            lowest = int(np.nanargmin(curve))
            end = error_text(float(curve[-1]), is_number)
            at = "" if len(curve) == 1 else f", lowest {error_text(float(curve[lowest]), is_number)} with {lowest}"
            said.append(f"{name_of(method)} {end}{at}")
    return f"Holdout errors at the end: {'; '.join(said)}."


def _best(contest: Contest, is_number: bool) -> str:
    ends = {method: contest.last(method, "holdout") for method in contest.methods}
    ends = {method: errors[~np.isnan(errors)] for method, errors in ends.items()}
    ends = {method: errors for method, errors in ends.items() if len(errors)}
    if len(ends) < 2:
        return ""
    order = sorted(ends, key=lambda method: float(ends[method].mean()))
    best, second = order[0], order[1]
    gap = float(ends[second].mean() - ends[best].mean())
    if gap <= _SAME * abs(float(ends[best].mean())):
        level = [_the(method) for method in order if ends[method].mean() - ends[best].mean() <= gap]
        return f"{_capital(phrases.listed(level))} have the lowest holdout error, {spread_text(ends[best], is_number)}."
    said = f"The lowest holdout error has {_the(best)}, {spread_text(ends[best], is_number)}"
    if best is not None and None in ends:
        said += f"; the single tree has {spread_text(ends[None], is_number)}"
    spread = max(float(errors.std(ddof=1)) if len(errors) > 1 else np.inf for errors in (ends[best], ends[second]))
    if gap <= spread:
        if len(ends[best]) < 2:
            return f"{said}. One run alone cannot tell whether that is chance."
        return f"{said}. {_capital(_the(second))} is behind it by less than its runs vary."
    return f"{said}. That is further ahead of {_the(second)} than the runs of either vary."


def _the(method: EnsembleMethod | None) -> str:
    return (
        "the single tree"
        if method is None
        else METHODS[method]
        if method is EnsembleMethod.ADABOOST
        else (METHODS[method].lower())
    )


def _capital(words: str) -> str:
    return words[0].upper() + words[1:]


def _turned(contest: Contest, method: EnsembleMethod, is_number: bool) -> str:
    """Whether the holdout error of boosting has risen again: that more members fit too much."""
    curve = contest.errors(method, "holdout")
    if curve is None or len(curve) < 3 or np.isnan(curve).any():
        return ""
    lowest = 1 + int(np.argmin(curve[1:]))
    ends = contest.last(method, "holdout")
    slack = float(ends.std(ddof=1)) / 2 if len(ends) > 1 else 0.0
    if curve[-1] - curve[lowest] <= slack or lowest == len(curve) - 1:
        return ""
    low, now = (error_text(float(value), is_number) for value in (curve[lowest], curve[-1]))
    who = "1 member" if lowest == 1 else f"{lowest} members"
    return f"{METHODS[method]} was best with {who} ({low}) and is at {now} now: it can fit too much."


def followed_rows(
    answers: list[tuple[EnsembleMethod | None, FloatArray]], table: Table, truth: str | float
) -> tuple[list[str], list[list[str]]]:
    """One row through all methods: what each says at the end, and since when.

    `answers` are what `engine.ensembles.course` gives, for each method.
    """
    classes = [phrases.plain(name) for name in table.target.classes]
    heads = ["method", "says", "share of that answer" if classes else "off by", "so since"]
    lines = []
    for method, said in answers:
        unit = "" if method is None else "tree "
        if classes:
            top = said.argmax(axis=1)
            answer = classes[int(top[-1])]
            right = phrases.plain(str(truth)) == answer
            other = np.flatnonzero(top != top[-1])
            since = int(other[-1]) + 1 if len(other) else 0
            last = percent(float(said[-1, top[-1]]))
            text = f"{answer}" + ("" if right else " ✗")
        else:
            text, last = rough(float(said[-1, 0])), rough(float(said[-1, 0]) - float(truth))
            since = 0
        start = "–" if method is None or not classes else "the start" if not since else f"{unit}{since}"
        lines.append([name_of(method), text, last, start])
    return heads if classes else heads[:3], lines if classes else [line[:3] for line in lines]
