"""What the Compare page computes, each behind a bounded cache."""

from __future__ import annotations

from drawing.comparison import comparable
from drawing.comparison_story import pair_story
from drawing.figures.comparison_curves import scaled_curves_figure, scaled_curves_text
from drawing.theme import Mode
from engine import Criterion, Growth, GrowthSettings, Table, grow
from engine.comparison import Comparison
from engine.comparison_criteria import CriteriaTable, criteria_at, scan_by
from engine.comparison_rows import RowChoice, Shared, shared
from widgets import cached
from widgets.cached import Cached
from widgets.chart import Picture, picture
from widgets.compare.stage import PairStory, pack_pair
from widgets.session import CurrentData

CURVES_HEIGHT = 300


def _take(data: CurrentData, rows: RowChoice) -> Table:
    return rows.take(cached.parts(data)[0])


def _grow(data: CurrentData, rows: RowChoice, settings: GrowthSettings) -> Growth:
    return grow(table(data, rows), settings)


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


def said(both: Comparison, data: CurrentData) -> list[str]:
    """What of the two trees can be compared and what cannot."""
    return comparable(both, in_common(data, both))
