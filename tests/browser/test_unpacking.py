"""The browser has the storyboard that Python wrote, whatever was said once on the way."""

from __future__ import annotations

import json

import pandas as pd
import pytest

import datasets
import engine
from drawing.storyboard import storyboard
from tests.browser.server import ROOT
from widgets.stage.packing import shrink

pytestmark = pytest.mark.browser
UNPACK = (ROOT / "widgets" / "stage" / "js" / "unpack.js").read_text(encoding="utf-8")


def hostile() -> engine.Table:
    names = ["{title}", "' x='1", "\u0001", "__proto__"]
    rows = [("a", "'", "1", "2"), ("b", "''", "2", "3"), ("a", "'", "3", "1")]
    frame = pd.DataFrame([(*row, "yn"[i % 2]) for i, row in enumerate(rows)], columns=[*names, "constructor"])
    return engine.read_table(frame, target="constructor")


@pytest.mark.parametrize("name", ["play_tennis", "iris", "breast_cancer", "nursery", "titanic", "hostile"])
@pytest.mark.parametrize("preset", ["id3", "cart"])
def test_a_storyboard_arrives_as_it_was_written(page, name, preset):
    table = hostile() if name == "hostile" else datasets.load(name)
    board = json.loads(json.dumps(storyboard(engine.grow(table, getattr(engine.GrowthSettings, preset)(max_depth=5)))))
    page.goto("about:blank")
    for sent in (shrink(board), board):
        text = page.evaluate(
            f"text => {{ {UNPACK}; return JSON.stringify(unpack(JSON.parse(text))) }}", json.dumps(sent)
        )
        assert json.loads(text) == board
