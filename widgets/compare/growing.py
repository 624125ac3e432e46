"""What the Compare page computes, each behind a bounded cache."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator

from drawing.comparison import comparable
from drawing.comparison_story import pair_story
from drawing.figures.comparison_curves import scaled_curves_figure, scaled_curves_text
from drawing.theme import Mode
from engine import Criterion, Growth, GrowthSettings, Table, grow
from engine.comparison import Comparison
from engine.comparison_criteria import CriteriaTable, criteria_at, scan_by
from engine.comparison_rows import RowChoice, Shared, shared
from engine.comparison_summary import Agreement, agreement
from engine.metrics import error
from widgets import cached
from widgets.cached import Cached
from widgets.chart import Picture, picture
from widgets.compare.stage import PairStory, pack_pair
from widgets.session import CurrentData

CURVES_HEIGHT = 300
MEASURED = 0.3
"""Seconds for which two growths are timed."""
MOST_TURNS = 25


def _take(data: CurrentData, rows: RowChoice) -> Table:
    return rows.take(cached.parts(data)[0])


def _grow(data: CurrentData, rows: RowChoice, settings: GrowthSettings) -> Growth:
    return grow(table(data, rows), settings, holdout=cached.parts(data)[1])


def _compare(_: CurrentData, first: Growth, second: Growth) -> Comparison:
    return Comparison(first, second)


def _story(data: CurrentData, beside: CurrentData, both: Comparison, titles: tuple[str, str]) -> PairStory:
    first, second = cached.story(data, both.first), cached.story(beside, both.second)
    return pack_pair(first, second, pair_story(both, titles))


def _shared(_: CurrentData, both: Comparison) -> Shared:
    return shared(both.first.source, both.second.source)


def _criteria(_: CurrentData, growth: Growth, node: int) -> CriteriaTable:
    return criteria_at(growth, node)


def _curves(
    _: CurrentData, growth: Growth, node: int, feature: str, sides: tuple[Criterion, Criterion], mode: Mode
) -> tuple[Picture, str]:
    curves = scan_by(growth, node, feature)
    figure = scaled_curves_figure(curves, feature, sides, mode=mode, height=CURVES_HEIGHT)
    return picture(figure), scaled_curves_text(curves, feature, sides)


def _error_on(_: CurrentData, growth: Growth, table: Table | None) -> float:
    return error(growth.tree, growth.source if table is None else table)


def _time_ratio(_: CurrentData, both: Comparison) -> float:
    """Both are grown in turns, so that what else the machine does falls on both; the least times tell."""
    sides = both.first, both.second
    least = [math.inf, math.inf]
    end = time.perf_counter() + MEASURED
    for turn in range(MOST_TURNS):
        for place, side in enumerate(sides):
            begin = time.perf_counter()
            grow(side.source, side.settings)
            least[place] = min(least[place], time.perf_counter() - begin)
        if turn and time.perf_counter() > end:
            break
    return least[1] / least[0]


_rows = Cached(_take, shared=48, own=4)
_growths = Cached(_grow, shared=64, own=6)
comparison = Cached(_compare, shared=64, own=4)
"""Two growths in lock-step; the data is the first one's."""
story = Cached(_story, shared=64, own=4)
"""What the stage shows of a comparison, as the bytes that travel."""
in_common = Cached(_shared, shared=64, own=4)
"""What the tables of a comparison share."""
criteria = Cached(_criteria, shared=256, own=32)
"""All criteria at one node."""
_errors = Cached(_error_on, shared=256, own=32)
_ratio = Cached(_time_ratio, shared=64, own=4)
curves = Cached(_curves, shared=128, own=16)
"""The scaled curves of all criteria over one feature, and the same in words."""


def table(data: CurrentData, rows: RowChoice) -> Table:
    """The rows that a side is grown from.

    Raises
    ------
    TableError
        If a row is named that there is not, or none is left.
    """
    return cached.parts(data)[0] if rows.is_all else _rows(data, rows)


def growth(data: CurrentData, rows: RowChoice, settings: GrowthSettings) -> Growth:
    """The growth of a side; that of all rows is the Grow page's own.

    Raises
    ------
    EngineError
        If the rows or a setting cannot be.
    """
    return cached.growth(data, settings) if rows.is_all else _growths(data, rows, settings)


def about(both: Comparison) -> str:
    """Names a comparison: equal ones, equal names."""
    return " | ".join(f"{g.source.fingerprint} {g.settings!r}" for g in (both.first, both.second))


def bootstraps(both: Comparison) -> Iterator[Agreement]:
    """How often the settings agree over resampled rows, after each sample."""
    return agreement(both.first.source, both.first.settings, both.second.source, both.second.settings)


def training_error(data: CurrentData, growth: Growth) -> float:
    """Share of the side's own rows that its tree gets wrong; of a number the mean squared error."""
    return _errors(data, growth, None)


def holdout_error(data: CurrentData, growth: Growth) -> float | None:
    """The same over the rows set aside; None without such rows."""
    held = cached.parts(data)[1]
    return None if held is None or not held.n_rows else _errors(data, growth, held)


def time_ratio(data: CurrentData, both: Comparison) -> float:
    """How many times as long the second tree takes to grow as the first."""
    return _ratio(data, both)


def said(both: Comparison, data: CurrentData) -> list[str]:
    """What of the two trees can be compared and what cannot."""
    return comparable(both, in_common(data, both))
