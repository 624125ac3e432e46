"""``python -m engine prune``: the document, the rows it sets aside, its options and its refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import engine
from engine import prune
from engine.__main__ import main
from engine.interchange import growth_document
from engine.pruning.document import pruning_document
from tests.engine.pruning.cases import METHODS, noisy, noisy_numbers, postoperative, settings, write
from tests.engine.tables import FILES

Capture = pytest.CaptureFixture[str]
TENNIS = ["prune", str(FILES / "play_tennis_noisy.csv"), "--target", "play", "--ignore", "day"]


def printed(capsys: Capture, *arguments: str) -> str:
    status = main(arguments)
    found = capsys.readouterr()
    assert (status, found.err) == (0, "")
    return found.out


def document(capsys: Capture, *arguments: str) -> dict[str, Any]:
    def no_constant(name: str) -> None:
        raise AssertionError(f"{name} in the JSON")

    return json.loads(printed(capsys, *arguments), parse_constant=no_constant)


def refused(capsys: Capture, *arguments: str) -> str:
    status = main(arguments)
    found = capsys.readouterr()
    assert (status, found.out) == (2, "")
    assert found.err.startswith("error: ") and found.err.count("\n") == 1
    return found.err


@pytest.fixture
def rows(tmp_path: Path) -> str:
    return write(tmp_path / "rows.csv", noisy(120, 2, n_classes=3))


@pytest.mark.parametrize("method", METHODS)
def test_the_document_tells_the_growth_and_then_the_pruning(method: str, rows: str, capsys: Capture) -> None:
    found = document(capsys, "prune", rows, "--target", "y", "--method", method)
    assert list(found)[:6] == ["format", "command", "table", "settings", "nodes", "steps"]
    assert (found["format"], found["command"]) == ("espalier/1", "prune")
    n_leaves = sum(node["split"] is None for node in found["nodes"])
    assert (found["curve"][0]["index"], found["curve"][0]["n_leaves"]) == (0, n_leaves)
    assert found["pruned_nodes"] == [d["node"] for d in found["decisions"] if d["decision"] == "prune"]
    assert [d["index"] for d in found["decisions"]] == list(range(len(found["decisions"])))
    for decision in found["decisions"]:
        assert set(decision) >= {"index", "node", "decision", "kept_cost", "pruned_cost", "alpha", "reason"}
        assert (decision["alpha"] is not None) == (method == "cost_complexity")
        assert found["nodes"][decision["node"]]["split"] is not None
    left = found["pruned"]["nodes"]
    assert sum(node["split"] is None for node in left) == found["curve"][found["chosen"]]["n_leaves"]
    assert all(node["candidates"] == [] for node in [*found["nodes"], *left])


@pytest.mark.parametrize("method", METHODS)
def test_the_tree_that_is_left_is_numbered_anew_and_is_a_tree(method: str, rows: str, capsys: Capture) -> None:
    found = document(capsys, "prune", rows, "--target", "y", "--method", method, "--evidence", "all")
    left = engine.read_tree({"table": found["table"], "settings": found["settings"], "nodes": found["pruned"]["nodes"]})
    full = engine.read_tree(found)
    assert [node["id"] for node in found["pruned"]["nodes"]] == list(range(len(left.nodes)))
    for node in found["pruned"]["nodes"]:
        twin = next(other for other in found["nodes"] if other["path"] == node["path"])
        assert (node["rows"], node["counts"], node["depth"]) == (twin["rows"], twin["counts"], twin["depth"])
        cut = twin["id"] in found["pruned_nodes"]
        assert (node["stop_reason"] == "pruned") == cut
        assert sum(c["chosen"] for c in node["candidates"]) == (node["split"] is not None)
    assert left.n_leaves <= full.n_leaves


def test_rows_are_set_aside_by_share_and_seed_where_a_method_needs_them(rows: str, capsys: Capture) -> None:
    for method in METHODS:
        found = document(capsys, "prune", rows, "--target", "y", "--method", method)
        needs = method in ("reduced_error", "reduced_error_greedy", "cost_complexity")
        assert found["table"]["n_rows"] == (84 if needs else 120)
        assert (found["validation"] is not None) == needs
        assert all((point["validation_error"] is not None) == needs for point in found["curve"])
    found = document(
        capsys, "prune", rows, "--target", "y", "--method", "reduced_error", "--holdout", "0.5", "--seed", "3"
    )
    training, validation = engine.split_holdout(engine.read_table(rows, target="y"), 0.5, 3)
    assert found["validation"]["rows"] == validation.row_numbers.tolist()
    assert found["nodes"][0]["rows"] == training.row_numbers.tolist()
    expected = pruning_document(
        prune(engine.grow(training, engine.GrowthSettings(seed=3)), settings("reduced_error"), validation)
    )
    assert found["decisions"] == json.loads(json.dumps(expected["decisions"]))
    found = document(capsys, "prune", rows, "--target", "y", "--method", "cost_complexity", "--alpha", "0.01")
    assert found["validation"] is None
    found = document(capsys, "prune", rows, "--target", "y", "--method", "pessimistic", "--holdout", "0.25")
    assert found["validation"]["n_rows"] == 30


def test_validation_rows_of_a_file_are_read_like_the_data(tmp_path: Path, capsys: Capture) -> None:
    data, more = tmp_path / "data.csv", tmp_path / "more.csv"
    data.write_text("id,code,y\n1,1,no\n2,2,yes\n3,1,no\n4,2,yes\n")
    more.write_text("code,other,y\n2,a,yes\n1,b,yes\n3,c,no\n")
    found = document(
        capsys, "prune", str(data), "--target", "y", "--ignore", "id", "--categorical", "code",
        "--method", "reduced_error", "--validation", str(more),
    )  # fmt: skip
    assert found["table"]["n_rows"] == 4
    assert found["validation"] == {"name": "more", "n_rows": 3, "rows": [0, 1, 2]}
    # Code 3 has no branch: the root's majority, no, answers.
    assert [(d["kept_cost"], d["pruned_cost"], d["decision"]) for d in found["decisions"]] == [(1.0, 2.0, "keep")]


def test_extra_numbers_of_a_method_stand_in_its_decisions(rows: str, capsys: Capture) -> None:
    chi = document(capsys, "prune", rows, "--target", "y", "--method", "chi_square", "--significance", "0.2")
    for d in chi["decisions"]:
        assert (d["kept_cost"], d["pruned_cost"]) == (d["p_value"], 0.2)
        assert d["statistic"] >= 0 and d["degrees_of_freedom"] >= 1
        assert (d["decision"] == "prune") == (d["pruned_cost"] < d["kept_cost"])
    mdl = document(capsys, "prune", rows, "--target", "y", "--method", "minimum_description_length")
    for d in mdl["decisions"]:
        for side in ("kept", "pruned"):
            assert d["tree_bits"][side] + d["exception_bits"][side] == pytest.approx(d[f"{side}_cost"])


def test_significance_is_the_level_of_the_pruning_and_stops_no_growth(rows: str, capsys: Capture) -> None:
    without = document(capsys, "prune", rows, "--target", "y", "--method", "chi_square")
    strict = document(capsys, "prune", rows, "--target", "y", "--method", "chi_square", "--significance", "0.0001")
    assert without["nodes"] == strict["nodes"]
    assert without["settings"]["significance"] is strict["settings"]["significance"] is None
    assert (without["pruning"]["significance"], strict["pruning"]["significance"]) == (0.05, 0.0001)
    assert len(strict["pruned"]["nodes"]) < len(without["pruned"]["nodes"])


def test_the_options_reach_the_pruning(rows: str, capsys: Capture) -> None:
    base = ["prune", rows, "--target", "y", "--method"]
    found = document(capsys, *base, "pessimistic", "--confidence", "0.1", "--binomial")
    assert found["pruning"] == {
        "method": "pessimistic", "alpha": None, "risk": None, "selection": None, "folds": None,
        "standard_errors": None, "confidence": 0.1, "binomial": True, "significance": None,
    }  # fmt: skip
    options = ["--selection", "cross_validation", "--folds", "4", "--standard-errors", "0", "--risk", "impurity"]
    found = document(capsys, *base, "cost_complexity", *options)
    assert {k: v for k, v in found["pruning"].items() if v is not None} == {
        "method": "cost_complexity", "risk": "impurity", "selection": "cross_validation",
        "folds": 4, "standard_errors": 0.0,
    }  # fmt: skip
    assert found["table"]["n_rows"] == 120
    assert all(point["standard_error"] >= 0 for point in found["curve"])


def test_a_number_is_pruned_by_squared_errors(tmp_path: Path, capsys: Capture) -> None:
    file = write(tmp_path / "numbers.csv", noisy_numbers(80))
    for method in ("reduced_error", "reduced_error_greedy", "cost_complexity"):
        found = document(capsys, "prune", file, "--target", "y", "--method", method, "--algorithm", "cart")
        left = found["pruned"]["nodes"]
        assert "mean" in left[0] and "counts" not in left[0]
        errors = [point["validation_error"] for point in found["curve"]]
        assert errors[found["chosen"]] <= errors[0]
    for method in ("pessimistic", "chi_square", "minimum_description_length"):
        words = refused(capsys, "prune", file, "--target", "y", "--method", method)
        assert f"the method {method} is defined for classes, and the target 'y' is a number" in words


@pytest.mark.parametrize("form", ["text", "dot", "rules", "python"])
def test_every_other_format_prints_the_tree_that_is_left(form: str, capsys: Capture) -> None:
    text = printed(capsys, *TENNIS, "--method", "pessimistic", "--format", form)
    assert text.count("IF") == 4 if form == "rules" else "temperature" not in text


def test_the_same_command_prints_the_same_bytes(rows: str, capsys: Capture) -> None:
    command = ["prune", rows, "--target", "y", "--method", "cost_complexity", "--selection", "cross_validation"]
    assert printed(capsys, *command) == printed(capsys, *command)


def test_evidence_is_left_out_unless_it_is_asked_for(capsys: Capture) -> None:
    base = [*TENNIS, "--method", "pessimistic"]
    assert all(not node["candidates"] for node in document(capsys, *base)["nodes"])
    chosen = document(capsys, *base, "--evidence", "chosen")["nodes"]
    assert all(len(node["candidates"]) == (node["split"] is not None) for node in chosen)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ([], "--method is missing; choose one of reduced_error, reduced_error_greedy"),
        (["--method", "magic"], "--method must be one of reduced_error"),
        (["--method", "pessimistic", "--confidence", "2"], "confidence must be between 0 and 1, such as 0.25, got 2.0"),
        (["--method", "pessimistic", "--confidence", "x"], "--confidence must be a number, got 'x'"),
        (["--method", "chi_square", "--significance", "0"], "significance must be a number between 0 and 1"),
        (["--method", "cost_complexity", "--alpha", "-1"], "alpha must be a number of at least 0, got -1.0"),
        (["--method", "cost_complexity", "--alpha", "nan"], "alpha must be a number of at least 0, got nan"),
        (["--method", "reduced_error", "--holdout", "1"], "the holdout's share must be from 0 to 0.9, got 1.0"),
        (["--method", "reduced_error", "--holdout", "0"], "a share of 0 of 15 rows sets none aside; give --validation"),
        (["--method", "reduced_error", "--holdout", "0.3", "--validation", "x.csv"], "exclude each other"),
        (["--method", "reduced_error", "--validation", "nowhere.csv"], "nowhere.csv"),
        (["--method", "cost_complexity", "--selection", "cross_validation", "--folds", "16"], "folds must be at most"),
        (["--method", "pessimistic", "--binomial=yes"], "--binomial takes no value"),
        (["--method", "pessimistic", "--query", "x.csv"], "'--query x.csv' is not understood"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)  # fmt: skip
def test_bad_input_is_one_sentence(options: list[str], words: str, capsys: Capture) -> None:
    assert words in refused(capsys, *TENNIS, *options)


def test_validation_files_that_do_not_fit_are_refused(tmp_path: Path, capsys: Capture) -> None:
    base = [*TENNIS, "--method", "reduced_error", "--validation"]
    file = tmp_path / "rows.csv"
    file.write_text("outlook,play\nsunny,no\n")
    assert "no values of 'temperature', which it asks for" in refused(capsys, *base, str(file))
    file.write_text("outlook,humidity,wind,temperature\nsunny,high,weak,hot\n")
    assert "the target 'play' is not in the table" in refused(capsys, *base, str(file))


def test_a_single_class_and_two_rows_are_enough(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "rows.csv"
    file.write_text("a,y\n1,no\n2,no\n")
    for method in ("pessimistic", "chi_square", "minimum_description_length"):
        assert document(capsys, "prune", str(file), "--target", "y", "--method", method)["decisions"] == []
    assert "--holdout" in refused(
        capsys, "prune", str(file), "--target", "y", "--method", "reduced_error", "--holdout", "0.1"
    )


def test_the_published_tree_is_pruned_as_printed(capsys: Capture) -> None:
    rows = str(FILES / "postoperative_validation.csv")
    given = ["--tree", str(FILES / "postoperative_tree.json"), "--validation", rows]
    found = document(capsys, "prune", rows, "--target", "decision", "--method", "reduced_error", *given)
    assert [(d["node"], d["decision"], d["kept_cost"], d["pruned_cost"]) for d in found["decisions"]] == [
        (1, "prune", 2, 0),
        (4, "keep", 0, 2),
        (0, "keep", 0, 1),
    ]
    assert (found["settings"], found["steps"], found["pruned_nodes"]) == (None, [], [1])


def test_a_tree_that_grow_printed_is_pruned_like_the_grown_one(rows: str, tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "tree.json"
    file.write_text(printed(capsys, "grow", rows, "--target", "y", "--algorithm", "cart", "--evidence", "none"))
    for method in METHODS:
        command = ["prune", rows, "--target", "y", "--algorithm", "cart", "--method", method, "--validation", rows]
        grown, given = document(capsys, *command), document(capsys, *command, "--tree", str(file))
        for key in ("table", "decisions", "curve", "pruned_nodes", "validation", "pruning"):
            assert given[key] == grown[key], (method, key)
        assert [(n["id"], n["counts"], n["split"]) for n in given["pruned"]["nodes"]] == [
            (n["id"], n["counts"], n["split"]) for n in grown["pruned"]["nodes"]
        ]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("{", "the tree file is no JSON"),
        ('{"target": "y", "tree": {"split": "moon", "branches": {}}}', "no feature of the table"),
    ],
)
def test_a_tree_file_that_is_none_is_refused(
    content: str, words: str, rows: str, tmp_path: Path, capsys: Capture
) -> None:
    file = tmp_path / "tree.json"
    file.write_text(content)
    base = ["prune", rows, "--target", "y", "--method", "pessimistic", "--tree"]
    assert words in refused(capsys, *base, str(file))
    assert "nowhere.json" in refused(capsys, *base, str(tmp_path / "nowhere.json"))


def test_a_given_tree_has_no_evidence_and_is_not_cross_validated(capsys: Capture) -> None:
    tree, rows = postoperative()
    with pytest.raises(engine.SettingsError, match="has no evidence; choose --evidence none"):
        pruning_document(prune(tree, settings("reduced_error"), rows), "all")
    file = str(FILES / "postoperative_validation.csv")
    given = ["--tree", str(FILES / "postoperative_tree.json"), "--selection", "cross_validation"]
    assert "this tree was given" in refused(
        capsys, "prune", file, "--target", "decision", "--method", "cost_complexity", *given
    )


def test_a_document_is_that_of_grow_but_for_its_command() -> None:
    growth = engine.grow(noisy(40))
    found = pruning_document(prune(growth, settings("pessimistic")), "chosen")
    grown = growth_document(growth, "chosen")
    assert {key: found[key] for key in grown if key != "command"} == {k: v for k, v in grown.items() if k != "command"}
    assert np.isfinite([d["kept_cost"] for d in found["decisions"]]).all()
