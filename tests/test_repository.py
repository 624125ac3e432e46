"""The repository itself: pins with reasons, looks that agree, documents whose links lead somewhere."""

from __future__ import annotations

import importlib.metadata
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from drawing.theme import FONT, PALETTES, Mode

ROOT = Path(__file__).parents[1]
REQUIREMENT = re.compile(r"^(?P<name>[a-z0-9-]+)==(?P<version>[0-9][0-9a-z.]*) +# (?P<reason>\S.{10,})$")


def _requirements() -> list[tuple[str, str]]:
    lines = [(path, line) for path in ("requirements.txt", "requirements-dev.txt") for line in _lines(ROOT / path)]
    return [(path, line) for path, line in lines if line and not line.startswith(("#", "-r "))]


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def _tracked(*suffixes: str) -> list[Path]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, text=True, capture_output=True).stdout
    paths = [ROOT / line for line in listed.splitlines()]
    return [path for path in paths if path.suffix in suffixes and path.is_file()]


@pytest.mark.parametrize(("path", "line"), _requirements(), ids=lambda value: value.split("=")[0])
def test_a_requirement_is_pinned_and_says_why(path: str, line: str) -> None:
    assert REQUIREMENT.match(line), f"{path}: {line!r} should read `name==version  # reason`"


@pytest.mark.parametrize(("path", "line"), _requirements(), ids=lambda value: value.split("=")[0])
def test_what_is_installed_is_what_is_pinned(path: str, line: str) -> None:
    found = REQUIREMENT.match(line)
    assert found
    assert importlib.metadata.version(found["name"]) == found["version"]


def _config() -> dict:
    return tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("mode", Mode)
def test_the_page_has_the_colours_of_the_drawings(mode: Mode) -> None:
    palette, theme = PALETTES[mode], _config()["theme"][mode.value]
    assert theme["primaryColor"] == palette.accent
    assert theme["backgroundColor"] == palette.background
    assert theme["secondaryBackgroundColor"] == palette.surface
    assert theme["textColor"] == palette.ink
    assert theme["borderColor"] == palette.line
    assert tuple(theme["chartCategoricalColors"]) == palette.classes


def test_the_page_has_the_font_that_the_tree_is_measured_with() -> None:
    assert _config()["theme"]["font"] == FONT


@pytest.mark.parametrize("mode", Mode)
def test_the_accent_is_no_class(mode: Mode) -> None:
    assert PALETTES[mode].accent not in PALETTES[mode].classes


def test_uploads_are_limited_and_nothing_is_reported_home() -> None:
    config = _config()
    assert config["server"]["maxUploadSize"] == 10
    assert config["browser"]["gatherUsageStats"] is False
    assert config["client"]["showErrorDetails"] == "none"
    assert config["server"].get("enableXsrfProtection", True) is True
    assert config["server"].get("enableCORS", True) is True


def test_nothing_is_left_to_be_done_in_a_comment() -> None:
    marks = ("TO" + "DO", "FIX" + "ME", "XX" + "X")
    for path in _tracked(".py", ".js", ".css", ".md", ".toml", ".yaml", ".txt"):
        text = path.read_text(encoding="utf-8")
        for mark in marks:
            assert not re.search(rf"\b{mark}\b", text), f"{path.relative_to(ROOT)} has a {mark}"


@pytest.mark.parametrize("path", _tracked(".md"), ids=lambda path: path.name)
def test_a_document_links_to_what_exists(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        if not target.startswith(("http://", "https://", "mailto:")):
            assert (path.parent / target).exists(), f"{path.name} links to {target}"


def test_decisions_are_numbered_without_a_gap() -> None:
    names = sorted(path.name for path in (ROOT / "docs/decisions").glob("*.md"))
    assert names
    assert [int(name[:4]) for name in names] == list(range(1, len(names) + 1))


def test_the_image_holds_every_package_of_the_app() -> None:
    copied = re.findall(r"^COPY (\S+) ", (ROOT / "Dockerfile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    sent = {line[1:] for line in _lines(ROOT / ".dockerignore") if line.startswith("!")}
    for part in ("app.py", ".streamlit", "engine", "datasets", "drawing", "widgets", "pages"):
        assert part in copied
        assert part in sent


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md"])
def test_a_make_command_in_a_document_exists(document: str) -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE))
    named = set(re.findall(r"`?make ([a-z]+)", (ROOT / document).read_text(encoding="utf-8")))
    assert named
    assert named <= targets
