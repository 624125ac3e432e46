"""The sums behind a reduction, against the printed table of the bike rentals and numbers worked by hand."""

from __future__ import annotations

import pandas as pd

import datasets
import engine
from drawing.number_formulas import worked
from engine import Growth, GrowthSettings, grow
from tests.drawing.tables import HOSTILE


def plain(growth: Growth, node: int, feature: str) -> list[str]:
    candidate = next(c for c in growth.best_candidates(node) if c.feature == feature)
    return [formula.plain for formula in worked(growth, node, candidate)]


def latex(growth: Growth, node: int, feature: str) -> list[str]:
    candidate = next(c for c in growth.best_candidates(node) if c.feature == feature)
    return [formula.latex for formula in worked(growth, node, candidate)]


def rentals(**settings: object) -> Growth:
    return grow(datasets.load("bike_rentals"), GrowthSettings.id3(**settings))


def test_season_is_worked_as_in_the_printed_table() -> None:
    assert plain(rentals(), 0, "season") == [
        "V = ((800 − 3,156⅓)² + … + (2,820 − 3,156⅓)²) / (12 − 1) = 3,569,590",
        "V(winter) = ((800 − 842)² + (826 − 842)² + (900 − 842)²) / (3 − 1) = 2,692",
        "V(spring) = ((2,100 − 3,913⅓)² + (4,740 − 3,913⅓)² + (4,900 − 3,913⅓)²) / (3 − 1) = 2,472,533⅓",
        "V(summer) = ((3,000 − 5,000)² + (5,800 − 5,000)² + (6,200 − 5,000)²) / (3 − 1) = 3,040,000",
        "V(autumn) = ((2,910 − 2,870)² + (2,880 − 2,870)² + (2,820 − 2,870)²) / (3 − 1) = 2,100",
        "remainder = 3/12 · 2,692 + 3/12 · 2,472,533⅓ + 3/12 · 3,040,000 + 3/12 · 2,100 = 1,379,331⅓",
        "reduction = 3,569,590 − 1,379,331⅓ = 2,190,259",
    ]


def test_work_day_ends_in_the_exact_thirds() -> None:
    found = plain(rentals(), 0, "work_day")
    assert found[2].endswith("= 4,026,346⅔")
    assert found[3] == "remainder = 6/12 · 1,077,280 + 6/12 · 4,026,346⅔ = 2,551,813⅓"


def test_the_variance_of_one_row_is_0_by_convention() -> None:
    growth = rentals()
    assert "V(true) = 0 (one row)" in plain(growth, 1, "work_day")


def test_squared_error_divides_by_n() -> None:
    growth = grow(datasets.load("bike_rentals"), GrowthSettings.cart(max_depth=1))
    found = plain(growth, 0, "work_day")
    # 5 · 1,077,280 / 6 and 5 · 4,026,346⅔ / 6 of the variances above
    assert found[1].startswith("E(false) = ((800 − 2,086)² + ")
    assert found[1].endswith(") / 6 = 897,733⅓")
    assert found[2].endswith(") / 6 = 3,355,289")
    assert found[-1].startswith("reduction = 3,272,125 − 2,126,511 = 1,145,6")


def test_latex_writes_thirds_and_separators_as_maths() -> None:
    found = latex(rentals(), 0, "season")
    assert found[1] == r"V(\text{winter}) = \frac{(800 - 842)^2 + (826 - 842)^2 + (900 - 842)^2}{3 - 1} = 2{,}692"
    assert found[-2].endswith(r"= 1{,}379{,}331\tfrac{1}{3}")
    assert not any(sign in formula for formula in found for sign in "⅓⅔²−")


def test_a_threshold_is_named_in_its_parts() -> None:
    growth = grow(datasets.load("bike_demand_count"))
    assert plain(growth, 0, "temp")[1] == (
        "V(temp < 9.5) = ((602 − 755)² + (750 − 755)² + (913 − 755)²) / (3 − 1) = 24,199"
    )


def test_a_negative_mean_stands_in_brackets() -> None:
    frame = pd.DataFrame({"x": list("aabb"), "y": [-1, -3, 5, 7]})
    growth = grow(engine.read_table(frame, target="y", task="number"))
    assert plain(growth, 0, "x")[1] == "V(a) = ((−1 − (−2))² + (−3 − (−2))²) / (2 − 1) = 2"


def test_missing_values_scale_the_reduction_by_the_known_share() -> None:
    growth = grow(datasets.load("airquality"), GrowthSettings.cart(missing="fractional", max_depth=1))
    found = plain(growth, 0, "Solar.R")
    assert found[-1].startswith("reduction = 111/116 · (")
    assert "Σ w (y − " in found[0]


def test_costs_add_the_score() -> None:
    assert plain(rentals(costs={"season": 3}), 0, "season")[-1] == "score = 2,190,259 / 3 = 730,086"
    squared = rentals(costs={"season": 3}, cost_rule="squared_gain_over_cost")
    assert plain(squared, 0, "season")[-1].startswith("score = (2,190,259)² / 3 = 1,599,0")


def test_hostile_names_are_no_commands() -> None:
    frame = pd.DataFrame({HOSTILE[7]: [HOSTILE[7], "b", "b", HOSTILE[7]], "y": [1, 2, 3, 5]})
    growth = grow(engine.read_table(frame, target="y", task="number"))
    for formula in latex(growth, 0, HOSTILE[7]):
        assert r"\frac{%" not in formula
