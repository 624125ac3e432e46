"""Documents of growth and prediction, held to the format ``espalier/1``."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine import Choice, GrowthSettings
from engine.interchange import MOST_CANDIDATES, evidence_csv, growth_document, predictions_document, to_json

FILES = Path(__file__).parents[2] / "datasets" / "files"


def tennis(settings: GrowthSettings | None = None) -> engine.Growth:
    return engine.grow(engine.read_table(FILES / "play_tennis.csv", target="play", ignore=("day",)), settings)


def document(growth: engine.Growth, evidence: str = "all") -> dict[str, Any]:
    """The document as another program reads it."""
    read: dict[str, Any] = json.loads(to_json(growth_document(growth, evidence)))
    return read


def test_the_keys_of_a_growth_stand_in_the_documented_order() -> None:
    found = document(tennis())
    assert list(found) == ["format", "command", "table", "settings", "nodes", "steps", "importance"]
    assert list(found["nodes"][0]) == [
        "id", "parent", "path", "depth", "n_rows", "rows", "counts", "impurity", "prediction", "split", "stop_reason",
        "candidates",
    ]  # fmt: skip
    assert list(found["nodes"][0]["split"]) == ["feature", "kind", "threshold", "branches"]
    assert list(found["nodes"][0]["candidates"][0]) == [
        "feature", "kind", "threshold", "partitions", "remainder", "gain", "split_information", "gain_ratio", "score",
        "chosen", "tied", "rejected",
    ]  # fmt: skip


def test_the_table_of_play_tennis_is_told_with_its_levels() -> None:
    found = document(tennis())
    assert (found["format"], found["command"]) == ("espalier/1", "grow")
    table = found["table"]
    assert (table["name"], table["n_rows"]) == ("play_tennis", 14)
    assert table["features"][0] == {
        "name": "outlook",
        "kind": "categorical",
        "levels": ["overcast", "rain", "sunny"],
        "n_missing": 0,
    }
    assert table["target"] == {"name": "play", "kind": "classes", "classes": ["no", "yes"]}


def test_the_settings_are_those_that_the_growth_followed() -> None:
    table = engine.read_table(FILES / "iris.csv", target="target")
    assert document(engine.grow(table, GrowthSettings.stump(seed=7)))["settings"] == {
        "algorithm": "stump",
        "criterion": "misclassification",
        "categorical_splits": "subset",
        "max_depth": 1,
        "min_samples_split": 2,
        "min_samples_leaf": 1,
        "min_gain": 0.0,
        "significance": None,
        "holdout_stop": False,
        "missing": "most_common",
        "costs": {},
        "cost_rule": "gain_over_cost",
        "class_weights": None,
        "max_features": None,
        "seed": 7,
        "choices": [],
    }


def test_a_split_taken_by_hand_stands_in_the_settings() -> None:
    growth = tennis(GrowthSettings.id3(choices=(Choice((), "wind"),)))
    assert document(growth)["settings"]["choices"] == [
        {"path": [], "feature": "wind", "threshold": None, "first_group": None}
    ]


def test_the_root_of_play_tennis_has_the_numbers_of_the_books() -> None:
    root = document(tennis())["nodes"][0]
    assert (root["parent"], root["path"], root["depth"], root["n_rows"]) == (None, [], 0, 14)
    assert root["rows"] == list(range(14))
    assert root["counts"] == {"no": 5, "yes": 9}
    assert root["impurity"] == pytest.approx(0.9402859586706311, abs=1e-12)
    assert (root["prediction"], root["stop_reason"]) == ("yes", None)
    assert root["split"] == {
        "feature": "outlook",
        "kind": "multiway",
        "threshold": None,
        "branches": [
            {"op": "in", "value": ["overcast"], "node": 1},
            {"op": "in", "value": ["rain"], "node": 2},
            {"op": "in", "value": ["sunny"], "node": 5},
        ],
    }
    gains = {c["feature"]: c["gain"] for c in root["candidates"]}
    assert list(gains) == ["outlook", "temperature", "humidity", "wind"]
    assert gains == pytest.approx(
        {
            "outlook": 0.24674981977443933,
            "temperature": 0.02922256565895487,
            "humidity": 0.15183550136234159,
            "wind": 0.04812703040826949,
        },
        abs=1e-12,
    )


def test_a_candidate_carries_its_partitions_and_all_its_numbers() -> None:
    outlook = document(tennis())["nodes"][0]["candidates"][0]
    assert outlook["partitions"][0] == {
        "op": "in",
        "value": ["overcast"],
        "n_rows": 4,
        "counts": {"no": 0, "yes": 4},
        "impurity": 0.0,
    }
    assert outlook["remainder"] == pytest.approx(10 / 14 * 0.9709505944546686, abs=1e-12)
    assert outlook["split_information"] == pytest.approx(1.577406282852345, abs=1e-12)
    assert outlook["gain_ratio"] == pytest.approx(0.15642756242117517, abs=1e-12)
    assert outlook["score"] == outlook["gain"]
    assert (outlook["chosen"], outlook["tied"], outlook["rejected"]) == (True, False, None)


def test_the_steps_are_depth_first_and_a_leaf_that_stopped_early_has_no_scored_step() -> None:
    steps = document(tennis())["steps"]
    assert [step["index"] for step in steps] == list(range(12))
    assert [(step["event"], step["node"]) for step in steps] == [
        ("started", 0), ("scored", 0), ("split", 0), ("leaf", 1), ("scored", 2), ("split", 2), ("leaf", 3), ("leaf", 4),
        ("scored", 5), ("split", 5), ("leaf", 6), ("leaf", 7),
    ]  # fmt: skip


def test_paths_hold_levels_as_lists_and_thresholds_as_numbers() -> None:
    frame = pd.DataFrame({"size": ["1", "2", "2"], "colour": ["red", "red", "blue"], "y": ["a", "b", "c"]})
    growth = engine.grow(engine.read_table(frame, target="y"), GrowthSettings.id3(choices=(Choice((), "size"),)))
    paths = [node["path"] for node in document(growth)["nodes"]]
    assert ["size", "<", 1.5] in [step for path in paths for step in path]
    assert ["colour", "in", ["blue"]] in [step for path in paths for step in path]


def test_rows_are_numbers_of_the_file_where_rows_were_left_out() -> None:
    frame = pd.DataFrame({"x": ["1", "", "2", "3", "4"], "y": ["a", "a", "", "b", "b"]})
    growth = engine.grow(engine.read_table(frame, target="y"), GrowthSettings.id3(missing="drop"))
    found = document(growth)
    assert found["table"]["n_rows"] == 4
    assert found["table"]["features"] == [{"name": "x", "kind": "numeric", "levels": [], "n_missing": 1}]
    assert any("without a value" in note for note in found["table"]["notes"])
    assert [node["rows"] for node in found["nodes"]] == [[0, 3, 4], [0], [3, 4]]


def test_an_empty_branch_is_a_leaf_without_rows() -> None:
    table = engine.read_table(FILES / "vegetation.csv", target="vegetation", ignore=("id",))
    empty = [node for node in document(engine.grow(table))["nodes"] if node["n_rows"] == 0]
    assert [(node["rows"], node["stop_reason"], node["prediction"], node["candidates"]) for node in empty] == [
        ([], "no_rows", "chaparral", [])
    ]
    assert empty[0]["counts"] == {"chaparral": 0, "conifer": 0, "riparian": 0}


def test_evidence_of_the_chosen_candidates_is_one_a_split() -> None:
    every, chosen = document(tennis()), document(tennis(), "chosen")
    for full, short in zip(every["nodes"], chosen["nodes"], strict=True):
        assert short["candidates"] == [c for c in full["candidates"] if c["chosen"]]
        assert len(short["candidates"]) == (short["split"] is not None)


def test_a_document_without_evidence_has_no_candidates_and_the_same_tree() -> None:
    bare, full = document(tennis(), "none"), document(tennis())
    assert all(node["candidates"] == [] for node in bare["nodes"])
    assert [{**n, "candidates": 0} for n in bare["nodes"]] == [{**n, "candidates": 0} for n in full["nodes"]]
    assert bare["steps"] == full["steps"]


def test_evidence_of_some_other_scope_is_refused_in_a_sentence() -> None:
    with pytest.raises(engine.SettingsError, match="evidence must be one of none, chosen, all, got 'some'"):
        growth_document(tennis(), "some")


def test_more_than_a_hundred_thousand_candidates_are_refused_with_the_way_out() -> None:
    n_rows = MOST_CANDIDATES // 2 + 2
    frame = pd.DataFrame({"a": range(n_rows), "b": range(n_rows), "y": ["p", "q"] * (n_rows // 2)})
    growth = engine.grow(engine.read_table(frame, target="y"), GrowthSettings.id3(max_depth=1))
    with pytest.raises(engine.SettingsError, match=r"100,000 candidates.*--evidence chosen"):
        growth_document(growth)
    assert sum(len(node["candidates"]) for node in document(growth, "chosen")["nodes"]) == 1


@given(
    st.lists(
        st.tuples(st.sampled_from(["r", "g", "b", ""]), st.sampled_from(["0", "1", "2.5", ""]), st.sampled_from("xyz")),
        min_size=1,
        max_size=25,
    )
)
def test_a_document_of_any_small_table_is_consistent(rows: list[tuple[str, str, str]]) -> None:
    frame = pd.DataFrame([("r", "0", "x"), *rows], columns=["colour", "size", "y"])
    growth = engine.grow(engine.read_table(frame, target="y", categorical=("colour",), numeric=("size",)))
    found = document(growth)
    nodes = found["nodes"]
    for node in nodes:
        assert sum(node["counts"].values()) == node["n_rows"] == len(node["rows"])
        assert node["rows"] == sorted(node["rows"])
        assert (node["split"] is None) == (node["stop_reason"] is not None)
        if node["split"]:
            below = [nodes[branch["node"]] for branch in node["split"]["branches"]]
            assert sorted(row for child in below for row in child["rows"]) == node["rows"]
            (chosen,) = [c for c in node["candidates"] if c["chosen"]]
            assert [p["counts"] for p in chosen["partitions"]] == [child["counts"] for child in below]
            for child, branch in zip(below, node["split"]["branches"], strict=True):
                assert child["path"] == [*node["path"], [node["split"]["feature"], branch["op"], branch["value"]]]
                assert child["parent"] == node["id"]
        for candidate in node["candidates"]:
            assert candidate["remainder"] + candidate["gain"] == pytest.approx(node["impurity"], abs=1e-9)
    assert [step["node"] for step in found["steps"] if step["event"] in ("split", "leaf")] == list(range(len(nodes)))
    scored = {step["node"] for step in found["steps"] if step["event"] == "scored"}
    assert all((node["candidates"] == []) or node["id"] in scored for node in nodes)


# Predictions


def test_predictions_carry_probabilities_path_and_notes() -> None:
    queries = pd.DataFrame(
        {
            "outlook": ["sunny", "foggy", ""],
            "humidity": ["normal", "high", "high"],
            "wind": ["weak", "weak", "strong"],
        }
    )
    found = json.loads(to_json(predictions_document(tennis(), queries)))
    assert (found["format"], found["command"]) == ("espalier/1", "predict")
    assert found["predictions"][0] == {
        "prediction": "yes",
        "probabilities": {"no": 0.0, "yes": 1.0},
        "path": [0, 5, 7],
        "notes": [],
    }
    unseen, missing = found["predictions"][1:]
    assert (unseen["prediction"], unseen["path"], len(unseen["notes"])) == ("yes", [0], 1)
    assert unseen["probabilities"] == pytest.approx({"no": 5 / 14, "yes": 9 / 14})
    assert "outlook" in unseen["notes"][0]
    # rain and sunny are both five times in the table: the first in order stands in, and the wind is strong
    assert (missing["prediction"], missing["path"], len(missing["notes"])) == ("no", [0, 2, 3], 1)


def test_a_query_without_a_column_that_the_tree_tests_is_refused() -> None:
    with pytest.raises(engine.QueryError, match="humidity"):
        predictions_document(tennis(), pd.DataFrame({"outlook": ["sunny"], "wind": ["weak"]}))


# JSON and CSV


def test_names_of_any_script_are_written_in_ascii_and_read_back() -> None:
    frame = pd.DataFrame({"größe": ["1", "2"], "y": ["ja\u202e", "nein\n"]})
    text = to_json(growth_document(engine.grow(engine.read_table(frame, target="y"))))
    assert text.isascii()
    assert text.endswith("\n")
    assert json.loads(text)["table"]["features"][0]["name"] == "größe"


def test_no_number_in_a_document_is_nan_or_infinite() -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        to_json({"nodes": [{"impurity": float("nan")}]})


def test_the_evidence_of_a_node_as_csv_has_a_line_for_each_partition() -> None:
    lines = list(csv.DictReader(io.StringIO(evidence_csv(tennis(), 0))))
    assert [line["partition"] for line in lines[:4]] == [
        "outlook is overcast",
        "outlook is rain",
        "outlook is sunny",
        "temperature is cool",
    ]
    assert len(lines) == 3 + 3 + 2 + 2
    assert (lines[1]["rows"], lines[1]["rows of no"], lines[1]["rows of yes"]) == ("5", "2", "3")
    assert float(lines[1]["gain"]) == pytest.approx(0.24674981977443933)
    assert (lines[1]["chosen"], lines[3]["chosen"]) == ("true", "false")


def test_the_evidence_of_a_leaf_that_stopped_early_is_only_the_heading() -> None:
    assert len(evidence_csv(tennis(), 1).splitlines()) == 1


def test_a_spreadsheet_does_not_run_names_as_formulas() -> None:
    frame = pd.DataFrame({"=SUM(A1)": ["@x", "+y", "-z"], "y": ["=1", "b", "c"]})
    growth = engine.grow(engine.read_table(frame, target="y"))
    cells = [cell for line in csv.reader(io.StringIO(evidence_csv(growth, 0))) for cell in line]
    assert "'=SUM(A1)" in cells
    assert not [cell for cell in cells if cell.startswith(("=", "+", "@"))]
