"""What travels to the stage: said once, and nothing lost. That the browser gets it back, test_unpacking.py shows."""

import json

import pytest

import datasets
import engine
from drawing.storyboard import storyboard
from widgets.stage.packing import CUT, columns, cut, shrink


@pytest.fixture(scope="module")
def iris():
    growth = engine.grow(datasets.load("iris"), engine.GrowthSettings.id3())
    return json.loads(json.dumps(storyboard(growth)))


def test_a_shrunk_story_is_shorter_and_its_storyboard_stays_as_it_was(iris):
    before = json.dumps(iris)
    assert len(json.dumps(shrink(iris))) < 0.75 * len(before)
    assert json.dumps(iris) == before


def test_the_second_picture_is_told_by_what_differs(iris):
    turned = shrink(iris)["svg"]["LR"]
    assert len(turned["at"]) == len(turned["is"])
    assert all(text.startswith("'") and text.endswith("'") for text in turned["is"])


def test_pictures_of_different_parts_are_told_whole():
    svg = {"TB": "<svg a='1'/>", "LR": "<svg a='1' b='2'/>"}
    assert shrink({"svg": svg})["svg"] == svg


def test_sentences_and_notes_are_cut_where_their_beginning_stands_elsewhere(iris):
    small = shrink(iris)
    assert small["nodes"]["title"][3].startswith(f"{CUT} and ")
    assert any(sentence.startswith(f"{CUT}: ") for sentence in small["sentences"])
    assert small["why"]["bars"]["note"][0].startswith(f"{CUT} gains ")


def test_a_text_that_begins_otherwise_is_not_cut():
    assert cut("wind", "") == "wind"
    assert cut("wind", "windy") == "wind"


def test_a_column_of_few_values_is_told_by_their_places():
    made = columns([{"kind": "levels"}] * 3 + [{"kind": None, "n": 1}])
    assert made == {"kind": {"of": ["levels", None], "at": [0, 0, 0, 1]}, "n": [None, None, None, 1]}


def test_thresholds_that_are_no_numbers_stay_texts():
    entry = {"feature": "a", "thresholds": ["x", "y"], "gains": [0.1, 1 / 3], "sentence": "a: best."}
    made = shrink({"granularity": {"fine": {"1": [entry]}}})["granularity"]["fine"]
    assert made["pools"] == []
    assert made["entries"]["thresholds"] == [["x", "y"]]
    assert made["entries"]["gains"] == [[0.1, 1 / 3]]


def test_a_trace_without_candidates_is_packed_all_the_same():
    nodes = {"title": ["all rows"], "parent": [-1]}
    board = {"key": "a", "steps": [["kept", 0]], "sentences": ["all rows: kept"], "nodes": nodes}
    assert shrink(board)["sentences"] == [f"{CUT}: kept"]
