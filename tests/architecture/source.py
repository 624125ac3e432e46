"""The source as syntax trees: what every module imports, calls and says."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("engine", "drawing", "datasets", "widgets", "pages")


@dataclass(frozen=True)
class Module:
    """One Python file of the app."""

    path: Path

    @property
    def name(self) -> str:
        """Dotted name; a package's own module is the package."""
        parts = self.path.relative_to(ROOT).with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    @property
    def package(self) -> str:
        return self.name.partition(".")[0]

    @cached_property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text, str(self.path))

    @cached_property
    def imports(self) -> frozenset[str]:
        """Dotted names of all modules imported, wherever in the file."""
        found: set[str] = set()
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                found.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                base = self._absolute(node)
                for alias in node.names:
                    inner = f"{base}.{alias.name}"
                    found.add(inner if inner in MODULE_NAMES else base)
        return frozenset(found)

    def calls(self) -> list[tuple[str, ast.Call]]:
        """Every call with the dotted name of what is called."""
        return [(ast.unparse(node.func), node) for node in ast.walk(self.tree) if isinstance(node, ast.Call)]

    def _absolute(self, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        here = self.name.split(".") + ([""] if self.path.name == "__init__.py" else [])
        return ".".join(part for part in [*here[: -node.level], node.module or ""] if part)


def _paths() -> list[Path]:
    found = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    return [ROOT / "app.py", *(path for path in found if "__pycache__" not in path.parts)]


MODULES = tuple(Module(path) for path in _paths())
MODULE_NAMES = frozenset(module.name for module in MODULES)
BY_NAME = {module.name: module for module in MODULES}
