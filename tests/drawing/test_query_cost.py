from __future__ import annotations

from drawing import query_cost
from engine import GrowthSettings, grow
from tests.drawing.tables import iris, tennis


def test_a_query_costs_what_its_path_asks_for() -> None:
    growth = grow(tennis(), GrowthSettings.id3(costs={"outlook": 2, "humidity": 5}))
    path = growth.tree.ancestors(len(growth.tree.nodes) - 1)
    words = query_cost.total(growth, path)
    asked = {growth.table.features[growth.tree.nodes.feature[n]].name for n in path if growth.tree.split(n)}
    costs = {"outlook": 2, "humidity": 5}
    assert words.endswith(
        f"= {sum(costs.get(name, 1) for name in asked)}. A feature that is tested again costs nothing more."
    )
    assert query_cost.total(grow(tennis()), (0,)) == ""


def test_a_feature_that_is_tested_twice_is_paid_for_once() -> None:
    growth = grow(iris(), GrowthSettings.cart(costs={"petal length (cm)": 1.5}))
    deepest = int(growth.tree.nodes.depth.argmax())
    words = query_cost.total(growth, growth.tree.ancestors(deepest))
    assert words.count("petal length (cm)") <= 1
