"""Small tables for the tests of drawings and words."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

import engine

FILES = Path(__file__).parents[2] / "datasets" / "files"

HOSTILE = (
    "<script>alert(1)</script>",
    '}"];',
    "<B>x</B>",
    "x" * 300,
    "שלום עולם",
    "a\x00b\x1b[1m\n\tc",
    "\\N \\G &amp; \\",
    "$x_1$ \\frac{%#^~",
    "<",
    ">",
    "]]> <!-- -->",
    "\u202egnp.exe",
)


def tennis() -> engine.Table:
    return engine.read_table(FILES / "play_tennis.csv", target="play", ignore=("day",))


def iris() -> engine.Table:
    return engine.read_table(FILES / "iris.csv", target="target")


def table(**columns: str) -> engine.Table:
    """One character a row; the last column is the target."""
    frame = pd.DataFrame({name: list(values) for name, values in columns.items()})
    return engine.read_table(frame, target=list(columns)[-1])


def hostile() -> engine.Table:
    """Every hostile text as a column's name, a level, and a class."""
    n = len(HOSTILE)
    columns = {name: [HOSTILE[(i // (place + 1)) % n] for i in range(3 * n)] for place, name in enumerate(HOSTILE)}
    frame = pd.DataFrame(columns)
    frame["target"] = [HOSTILE[(i * i) % 7] for i in range(3 * n)]
    return engine.read_table(frame, target="target")
