"""Habits that every module keeps: size, docstrings, bounded caches, no hidden state."""

from __future__ import annotations

import ast

import pytest

from tests.architecture.source import MODULES, ROOT, Module

MOST_LINES = 450
ENGINE = [module for module in MODULES if module.package == "engine"]
each_module = pytest.mark.parametrize("module", MODULES, ids=lambda module: module.name)


@each_module
def test_a_file_can_be_read_in_one_go(module: Module) -> None:
    assert len(module.text.splitlines()) <= MOST_LINES


@pytest.mark.parametrize(
    "path", [p for p in sorted((ROOT / "widgets").rglob("*")) if p.suffix in {".js", ".css"}], ids=lambda p: p.name
)
def test_a_script_or_stylesheet_can_be_read_in_one_go(path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_LINES


@each_module
def test_every_module_says_what_it_is_for(module: Module) -> None:
    assert ast.get_docstring(module.tree) or not module.text.strip()


@each_module
def test_public_functions_and_classes_have_docstrings(module: Module) -> None:
    for node in module.tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            assert ast.get_docstring(node), f"{module.name}.{node.name} has no docstring"


@each_module
def test_an_assert_only_tells_the_type_checker_what_is_known(module: Module) -> None:
    """`assert x is not None` and `assert isinstance(…)` narrow a type; input is judged by exceptions."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Assert):
            parts = node.test.values if isinstance(node.test, ast.BoolOp) else [node.test]
            for part in parts:
                assert _narrows(part), f"{module.name}, line {node.lineno}: raise an EngineError instead"


@each_module
def test_every_cache_is_bounded(module: Module) -> None:
    bounded = {"cache_data": "max_entries", "cache_resource": "max_entries", "lru_cache": "maxsize"}
    calls = {id(node.func): node for node in ast.walk(module.tree) if isinstance(node, ast.Call)}
    for node in ast.walk(module.tree):
        name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
        if name in bounded:
            call = calls.get(id(node))
            given = {keyword.arg: ast.unparse(keyword.value) for keyword in call.keywords} if call else {}
            assert given.get(bounded[name], "None") != "None", f"{module.name}, line {node.lineno}: {name} has no bound"


@each_module
def test_no_error_is_swallowed_whole(module: Module) -> None:
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ExceptHandler):
            assert node.type is not None, f"{module.name}, line {node.lineno}: a bare except hides every error"


@pytest.mark.parametrize("module", ENGINE, ids=lambda module: module.name)
def test_the_engine_has_no_clock_and_no_global_randomness(module: Module) -> None:
    assert not module.imports & {"time", "random", "secrets", "uuid", "threading", "asyncio"}
    for name, _ in module.calls():
        assert not name.endswith((".now", ".today", ".utcnow")), f"{module.name} calls {name}"
        if name.startswith(("np.random.", "numpy.random.")):
            assert ".default_rng" in name, f"{module.name} calls {name}"


@each_module
def test_nothing_runs_text_as_code(module: Module) -> None:
    called = {name for name, _ in module.calls()}
    assert not called & {"eval", "exec", "compile", "os.system", "pickle.load", "pickle.loads"}


@each_module
def test_page_state_is_named_in_one_file(module: Module) -> None:
    if module.name in {"widgets.state", "widgets.link"} or module.package not in {"widgets", "pages", "app"}:
        return
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Attribute) and node.attr == "query_params":
            pytest.fail(f"{module.name}, line {node.lineno}: the link's parameters belong to widgets/state.py")


def _narrows(test: ast.expr) -> bool:
    if isinstance(test, ast.Call):
        return ast.unparse(test.func) == "isinstance"
    return isinstance(test, ast.Compare) and ast.unparse(test).endswith(" is not None")
