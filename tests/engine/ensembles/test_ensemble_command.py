"""``python -m engine ensemble``: the document to the letter, the table of errors, the refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.ensembles.document import ensemble_document
from engine.interchange import to_json
from tests.engine.ensembles.cases import grown, table
from tests.engine.tables import tables
from tests.engine.test_command_line import printed, refused

FILES = Path(__file__).parents[3] / "datasets" / "files"
LEVEL = ["ensemble", str(FILES / "bike_demand_level.csv"), "--target", "rentals", "--ignore", "id"]
COUNT = ["ensemble", str(FILES / "bike_demand_count.csv"), "--target", "rentals", "--ignore", "id", "--task", "number"]
IRIS = ["ensemble", str(FILES / "iris.csv"), "--target", "target"]
CANCER = ["ensemble", str(FILES / "breast_cancer.csv"), "--target", "target"]
AIR = ["ensemble", str(FILES / "airquality.csv"), "--target", "Ozone"]
MEMBER_KEYS = {"index", "n_leaves", "sample", "features", "weights", "residuals", "error", "confidence", "nodes"}

Capture = pytest.CaptureFixture[str]


def document(capsys: Capture, *arguments: str) -> dict[str, Any]:
    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is no JSON")

    found: dict[str, Any] = json.loads(printed(capsys, *arguments), parse_constant=refuse)
    return found


@pytest.mark.parametrize("method", ["bagging", "forest", "adaboost", "gradient_boosting"])
def test_the_document_has_the_keys_of_the_contract(method: str, capsys: Capture) -> None:
    found = document(capsys, *IRIS, "--method", method, "--members", "3")
    assert (found["format"], found["command"]) == ("espalier/1", "ensemble")
    assert {"table", "settings", "members", "initial", "staged", "predictions", "notes"} <= set(found)
    assert len(found["predictions"]) == 150
    assert [point["n_members"] for point in found["staged"]] == [1, 2, 3]
    for point in found["staged"]:
        assert {"n_members", "train_error", "validation_error", "out_of_bag_error"} <= set(point)
    for number, member in enumerate(found["members"]):
        assert set(member) >= MEMBER_KEYS and member["index"] == number
        assert member["n_leaves"] == sum(node["split"] is None for node in member["nodes"])


def test_adaboost_writes_the_weights_that_each_member_was_trained_with(capsys: Capture) -> None:
    found = document(capsys, *LEVEL, "--method", "adaboost", "--members", "3", "--algorithm", "stump")
    first, second, third = found["members"]
    assert first["weights"] == pytest.approx([0.1] * 10)
    assert second["weights"] == pytest.approx([0.0625] * 8 + [0.25] * 2)
    assert (first["error"], second["error"]) == pytest.approx((0.2, 0.1875))
    assert third["confidence"] == pytest.approx(0.7175, abs=1e-4)
    assert first["nodes"][0]["counts"] == pytest.approx({"high": 0.5, "low": 0.5})
    assert [first[key] for key in ("sample", "features", "residuals")] == [None, None, None]
    assert found["initial"] is None
    assert found["predictions"] == ["low", "low", "low", "high", "high", "high", "high", "high", "low", "low"]


def test_gradient_boosting_writes_its_start_and_residuals(capsys: Capture) -> None:
    arguments = ["--method", "gradient_boosting", "--members", "2", "--max-depth", "1", "--learning-rate", "1"]
    found = document(capsys, *COUNT, *arguments)
    assert found["initial"] == pytest.approx(1287.1)
    assert found["members"][0]["residuals"][:2] == pytest.approx([-685.1, -537.1])
    assert found["members"][0]["nodes"][0]["split"]["threshold"] == 9.5
    assert found["members"][0]["nodes"][1]["mean"] == pytest.approx(-532.1)
    assert found["members"][0]["confidence"] is None
    assert found["staged"][-1]["train_error"] == pytest.approx(np.square(_left(found)).mean())


def _left(found: dict[str, Any]) -> np.ndarray:
    return table("bike_demand_count").target_values - np.array(found["predictions"])


def test_several_classes_have_a_tree_a_class_and_round(capsys: Capture) -> None:
    found = document(capsys, *IRIS, "--method", "gradient_boosting", "--members", "2")
    assert len(found["initial"]) == 3 and len(found["members"]) == 6 and len(found["staged"]) == 2
    assert [(member["round"], member["class"]) for member in found["members"][2:4]] == [(0, "virginica"), (1, "setosa")]
    leaf = next(node for node in found["members"][0]["nodes"] if node["split"] is None)
    assert leaf["prediction"] != pytest.approx(leaf["mean"])


def test_bagging_writes_samples_with_repeats_and_counts_their_multiplicities(capsys: Capture) -> None:
    member = document(capsys, *IRIS, "--method", "bagging", "--members", "1")["members"][0]
    assert len(member["sample"]) == 150 > len(set(member["sample"]))
    assert sum(member["nodes"][0]["counts"].values()) == 150
    assert member["nodes"][0]["rows"] == sorted(member["sample"])
    assert (member["weights"], member["confidence"]) == (None, None)


def test_features_of_a_member_are_written_by_name(capsys: Capture) -> None:
    arguments = ["--method", "forest", "--members", "2", "--features-per", "member", "--max-features", "3"]
    found = document(capsys, *IRIS, *arguments)
    assert all(len(member["features"]) == 3 for member in found["members"])
    assert (found["settings"]["max_features"], found["settings"]["features_per"]) == (3, "member")
    assert document(capsys, *IRIS, "--method", "forest", "--members", "1")["members"][0]["features"] is None


def test_resampling_writes_the_sample_and_the_weights_of_all_rows(capsys: Capture) -> None:
    member = document(capsys, *IRIS, "--method", "adaboost", "--members", "2", "--resample")["members"][1]
    assert len(member["sample"]) == len(member["weights"]) == 150


def test_defaults_are_those_of_the_method(capsys: Capture) -> None:
    settings = document(capsys, *IRIS, "--method", "adaboost", "--members", "1")["settings"]
    assert (settings["algorithm"], settings["max_depth"], settings["learning_rate"]) == ("cart", 1, 1.0)
    settings = document(capsys, *IRIS, "--method", "gradient_boosting", "--members", "1")["settings"]
    assert (settings["criterion"], settings["max_depth"], settings["learning_rate"]) == ("squared_error", 3, 0.1)
    settings = document(capsys, *IRIS, "--method", "forest", "--members", "1")["settings"]
    assert (settings["max_depth"], settings["max_features"], settings["learning_rate"]) == (None, 2, None)
    settings = document(capsys, *IRIS, "--method", "bagging", "--members", "1")["settings"]
    assert (settings["max_features"], settings["features_per"], settings["seed"]) == (None, "split", 0)


def test_validation_rows_are_read_like_the_others(tmp_path: Path, capsys: Capture) -> None:
    text = (FILES / "iris.csv").read_text("utf-8").splitlines()
    (tmp_path / "few.csv").write_text("\n".join([text[0], *text[60:80]]), "utf-8")
    found = document(capsys, *IRIS, "--method", "bagging", "--members", "2", "--validation", str(tmp_path / "few.csv"))
    of = table("iris")
    expected = grown(of, n_members=2).staged_errors(of.take(np.arange(59, 79)))
    assert [point["validation_error"] for point in found["staged"]] == pytest.approx(expected.tolist())
    assert found["validation"]["n_rows"] == 20


def test_evidence_is_written_when_it_is_asked_for(capsys: Capture) -> None:
    none = document(capsys, *IRIS, "--method", "bagging", "--members", "1")["members"][0]["nodes"][0]
    chosen = document(capsys, *IRIS, "--method", "bagging", "--members", "1", "--evidence", "chosen")
    every = document(capsys, *IRIS, "--method", "bagging", "--members", "1", "--evidence", "all")
    assert none["candidates"] == []
    assert [c["chosen"] for c in chosen["members"][0]["nodes"][0]["candidates"]] == [True]
    assert len(every["members"][0]["nodes"][0]["candidates"]) > 50


def test_rows_left_out_have_no_weight_and_no_residual_and_still_a_prediction(capsys: Capture) -> None:
    found = document(capsys, *AIR, "--method", "gradient_boosting", "--members", "1", "--missing", "drop")
    residuals = found["members"][0]["residuals"]
    assert len(residuals) == len(found["predictions"]) == found["table"]["n_rows"]
    assert 0 < sum(value is None for value in residuals) < 10
    assert "left out" in found["notes"][0]


def test_an_ensemble_without_members_is_a_document_too() -> None:
    flat = engine.read_table(pd.DataFrame({"c": ["a"] * 4, "y": ["n", "n", "j", "j"]}), target="y")
    found = ensemble_document(grown(flat, method="adaboost", n_members=3))
    assert (found["members"], found["staged"], found["predictions"]) == ([], [], ["j"] * 4)
    assert "no member" in found["notes"][0]
    assert json.loads(to_json(found))["members"] == []


def test_no_out_of_bag_error_is_null() -> None:
    found = ensemble_document(grown("iris", n_members=1, draws=(tuple(range(150)),)))
    assert found["staged"][0]["out_of_bag_error"] is None


def test_the_same_command_prints_the_same_bytes(capsys: Capture) -> None:
    arguments = [*IRIS, "--method", "forest", "--members", "4", "--seed", "3"]
    assert printed(capsys, *arguments) == printed(capsys, *arguments)


def test_text_is_one_line_a_member(capsys: Capture) -> None:
    lines = printed(
        capsys, *LEVEL, "--method", "adaboost", "--members", "3", "--algorithm", "stump", "--format", "text"
    )
    assert lines.splitlines() == [
        "members  leaves     error  confidence  training  validation  out of bag",
        "      1       2       0.2    0.693147       0.2           -           -",
        "      2       2    0.1875    0.733169       0.3           -           -",
        "      3       1  0.192308    0.717542         0           -           -",
    ]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (IRIS, "--method is missing; choose one of bagging, forest, adaboost, gradient_boosting"),
        ([*IRIS, "--method", "stacking"], "--method must be one of bagging, forest, adaboost, gradient_boosting"),
        ([*IRIS, "--method", "bagging", "--members", "0"], "n_members must be at least 1, got 0"),
        ([*IRIS, "--method", "bagging", "--members", "ten"], "--members must be a whole number, got 'ten'"),
        ([*IRIS, "--method", "bagging", "--features-per", "tree"], "--features-per must be one of split, member"),
        ([*IRIS, "--method", "adaboost", "--learning-rate", "0"], "learning_rate must be a number above 0"),
        ([*IRIS, "--method", "gradient_boosting", "--subsample", "2"], "subsample must be a number above 0, at most 1"),
        ([*IRIS, "--method", "gradient_boosting", "--algorithm", "c45"], "c45 is defined for classes"),
        ([*AIR, "--method", "adaboost"], "choose gradient_boosting, bagging or forest"),
        ([*IRIS, "--method", "bagging", "--format", "dot"], "choose json or text, or use the command grow"),
        ([*IRIS, "--method", "bagging", "--validation", "nowhere.csv"], "no file 'nowhere.csv'"),
        ([*CANCER, "--method", "bagging", "--members", "9", "--evidence", "all"], "choose --evidence chosen"),
    ],
    ids=lambda value: " ".join(Path(part).name for part in value) if isinstance(value, list) else "",
)
def test_bad_input_is_one_sentence(arguments: list[str], words: str, capsys: Capture) -> None:
    assert words in refused(capsys, *arguments)


@given(tables(numbers=True, missing=True), st.sampled_from(list(engine.EnsembleMethod)), st.data())
def test_any_ensemble_is_a_document_without_infinite_numbers(of, method: engine.EnsembleMethod, data) -> None:
    settings = {
        "method": method,
        "n_members": data.draw(st.integers(1, 3)),
        "growth": engine.GrowthSettings.cart(
            missing=data.draw(st.sampled_from(["fractional", "own_branch", "most_common", "drop"])),
            max_depth=data.draw(st.sampled_from([None, 0, 1])),
        ),
        "max_features": data.draw(st.sampled_from([None, 1])),
        "features_per": data.draw(st.sampled_from(["split", "member"])),
        "resample": data.draw(st.booleans()),
        "subsample": data.draw(st.sampled_from([1.0, 0.5])),
    }
    try:
        ensemble = grown(of, **settings)
    except engine.EngineError as error:
        assert str(error).endswith(".")
        return
    found = json.loads(to_json(ensemble_document(ensemble, "all")))
    assert len(found["predictions"]) == of.n_rows
    assert len(found["staged"]) == ensemble.n_rounds
