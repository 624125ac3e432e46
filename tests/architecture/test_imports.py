"""Who may import whom: the layout of docs/architecture.md, held by walking every import."""

from __future__ import annotations

import pytest

from tests.architecture.source import BY_NAME, MODULE_NAMES, MODULES, Module

OURS = {"app", "engine", "drawing", "datasets", "widgets", "pages"}

MAY_IMPORT = {
    "app": {"widgets", "pages"},
    "pages": {"widgets", "drawing", "datasets", "engine"},
    "widgets": {"widgets", "drawing", "datasets", "engine"},
    "drawing": {"drawing", "engine"},
    "datasets": {"datasets", "engine.errors", "engine.table", "engine.ingest"},
    "engine": {"engine"},
}
"""A whole package, or single modules of it. Pages never import each other."""

ENGINE_ORDER: tuple[set[str], ...] = (
    {"errors", "trace", "memory", "pruning.decisions"},
    {"table"},
    {"criteria", "splits", "cells", "holdout", "estimates", "frames", "comparison_rows"},
    {"delimited", "workbooks", "settings", "pruning.settings"},
    {"files", "prepare", "sums", "groupings", "significance", "options", "given.plan"},
    {"ingest", "given.nested", "given.document", "given.columns"},
    {"nodes", "scores", "pruning.alike"},
    {"structure"},
    {"tree"},
    {"evidence", "totals", "given.build", "pruning.shrinking", "pruning.endings"},
    {"dense", "thresholds", "axes", "draws", "stops", "given.reader"},
    {"recursion", "given", "active"},
    {"levels", "weighing", "groups_search", "filters"},
    {"tallies", "choices", "weighed_classes", "weighed_numbers"},
    {"search"},
    {"growth", "regions", "rules", "importance"},
    {"interchange", "comparison", "comparison_criteria", "metrics"},
    {"rulesets.rules", "rulesets.covering", "rulesets.judging"},
    {"comparison_summary", "comparison_search", "comparison_stability", "rulesets.lists", "pruning.task"},
    {"rulesets.simplification", "pruning.curve"},
    {"pruning.reduced_error", "pruning.reduced_error_greedy", "pruning.cost_complexity"},
    {"pruning.pessimistic", "pruning.chi_square", "pruning.minimum_description_length"},
    {"rulesets", "pruning.cross_validation"},
    {"pruning.pruning"},
    {"ensembles.settings", "ensembles.routing"},
    {"ensembles.base", "ensembles.polls"},
    {"ensembles.members"},
    {"ensembles.draws", "ensembles.workers", "ensembles.endings", "ensembles.curves"},
    {"ensembles.bagging", "ensembles.adaboost", "ensembles.gradient_boosting"},
    {"ensembles.ensemble"},
    {"ensembles.growing"},
    {"ensembles.measures", "ensembles.following", "ensembles.spread", "ensembles.regions", "ensembles.contest"},
    {"ensembles.dimensions"},
    {"pruning.agreement", "pruning.early", "pruning.noise", "pruning.document", "pruning.command", "pruning.depths"},
    {"ensembles.published", "ensembles.document", "ensembles.command"},
    {"pruning", "ensembles"},
    {"__init__"},
    {"__main__"},
)
"""Each module imports only from sets above its own, so that the engine has no cycle."""

ONLY_IN = {
    "streamlit": {"app", "widgets", "pages"},
    "plotly": {"drawing"},
    "graphviz": {"drawing"},
    "pygraphviz": {"drawing"},
    "sklearn": set(),
    "scipy": {"engine"},
    "joblib": {"engine"},
    "openpyxl": {"engine"},
    "pyarrow": {"engine"},
}
"""Third parties and the packages that may know them; scikit-learn is for tests and benchmarks."""


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.name)
def test_a_module_imports_only_what_its_package_may(module: Module) -> None:
    allowed = MAY_IMPORT[module.package]
    for imported in module.imports:
        if imported.partition(".")[0] in OURS:
            assert imported in allowed or imported.partition(".")[0] in allowed, f"{module.name} imports {imported}"


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.name)
def test_a_third_party_is_known_only_where_it_belongs(module: Module) -> None:
    for imported in module.imports:
        top = imported.partition(".")[0]
        assert module.package in ONLY_IN.get(top, {module.package}), f"{module.name} imports {top}"


def test_every_engine_module_has_its_place_in_the_order() -> None:
    placed = [name for level in ENGINE_ORDER for name in level]
    actual = {_engine_name(module.name) for module in MODULES if module.package == "engine"}
    assert len(placed) == len(set(placed))
    assert set(placed) == actual


def test_the_engine_imports_downwards_only() -> None:
    level = {name: depth for depth, names in enumerate(ENGINE_ORDER) for name in names}
    for module in MODULES:
        if module.package != "engine":
            continue
        name = _engine_name(module.name)
        for imported in module.imports & MODULE_NAMES:
            below = _engine_name(imported)
            assert level[below] < level[name], f"engine.{name} imports engine.{below}, which stands beside or above it"


def test_no_import_leads_back_to_its_own_module() -> None:
    for start in MODULES:
        reached: set[str] = set()
        waiting = list(start.imports & MODULE_NAMES)
        while waiting:
            name = waiting.pop()
            if name not in reached:
                reached.add(name)
                waiting.extend(BY_NAME[name].imports & MODULE_NAMES)
        assert start.name not in reached, f"{start.name} imports itself by way of others"


def _engine_name(dotted: str) -> str:
    return dotted.removeprefix("engine").lstrip(".") or "__init__"
