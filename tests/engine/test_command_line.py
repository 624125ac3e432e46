"""``python -m engine``: what it prints, how it refuses, and that it does both the same way every time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import engine
from engine.__main__ import main
from engine.interchange import growth_document, to_json

ROOT = Path(__file__).parents[2]
TENNIS = str(ROOT / "datasets" / "files" / "play_tennis.csv")
VEGETATION = str(ROOT / "datasets" / "files" / "vegetation.csv")
GROW = ["grow", TENNIS, "--target", "play", "--ignore", "day"]
PREDICT = ["predict", *GROW[1:]]

Capture = pytest.CaptureFixture[str]


def printed(capsys: Capture, *arguments: str) -> str:
    """What a command that goes well prints; nothing on standard error."""
    status = main(arguments)
    found = capsys.readouterr()
    assert (status, found.err) == (0, "")
    return found.out


def refused(capsys: Capture, *arguments: str) -> str:
    """The sentence of a command that is refused: one line, status 2, nothing printed."""
    status = main(arguments)
    found = capsys.readouterr()
    assert (status, found.out) == (2, "")
    assert found.err.startswith("error: ")
    assert found.err.count("\n") == 1
    assert found.err.endswith(".\n")
    return found.err.removeprefix("error: ").strip()


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "engine", *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        check=False,
    )


# What is printed


def test_grow_prints_the_document_of_the_growth(capsys: Capture) -> None:
    table = engine.read_table(TENNIS, target="play", ignore=("day",))
    assert printed(capsys, *GROW) == to_json(growth_document(engine.grow(table)))


def test_the_options_reach_the_growth(capsys: Capture) -> None:
    wishes = {
        "--algorithm": "id3",
        "--criterion": "gini",
        "--max-depth": "3",
        "--min-samples-split": "4",
        "--min-samples-leaf": "2",
        "--min-gain": "0.01",
        "--significance": "0.9",
        "--missing": "drop",
        "--costs": "wind=2",
        "--cost-rule": "squared_gain_over_cost",
        "--class-weights": "balanced",
        "--max-features": "3",
        "--seed": "5",
        "--categorical-splits": "multiway",
        "--evidence": "none",
    }
    options = [word for wish in wishes.items() for word in wish]
    settings = json.loads(printed(capsys, *GROW, *options))["settings"]
    assert settings == {
        "algorithm": "id3",
        "criterion": "gini",
        "categorical_splits": "multiway",
        "max_depth": 3,
        "min_samples_split": 4,
        "min_samples_leaf": 2,
        "min_gain": 0.01,
        "significance": 0.9,
        "holdout_stop": False,
        "missing": "drop",
        "costs": {"wind": 2.0},
        "cost_rule": "squared_gain_over_cost",
        "class_weights": "balanced",
        "max_features": 3,
        "seed": 5,
        "choices": [],
    }


def test_kinds_and_task_reach_the_table(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "numbers.csv"
    file.write_text("a,b,y\n" + "".join(f"{i},{i % 2},{i}\n" for i in range(12)))
    arguments = ["grow", str(file), "--target", "y", "--task", "classes", "--categorical", "b", "--numeric", "a"]
    table = json.loads(printed(capsys, *arguments))["table"]
    assert [feature["kind"] for feature in table["features"]] == ["numeric", "categorical"]
    assert table["target"]["kind"] == "classes"


def test_a_name_with_a_comma_is_ignored_in_double_quotes(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "table.csv"
    file.write_text('"height, in cm",x,z,y\n1,2,3,a\n2,3,4,b\n')
    table = json.loads(printed(capsys, "grow", str(file), "--target", "y", "--ignore", '"height, in cm",z'))["table"]
    assert [feature["name"] for feature in table["features"]] == ["x"]


def test_options_may_stand_before_the_file(capsys: Capture) -> None:
    assert printed(capsys, "grow", "--target=play", "--ignore=day", TENNIS) == printed(capsys, *GROW)


def test_rules_are_printed_as_documented(capsys: Capture) -> None:
    rules = printed(capsys, *GROW, "--format", "rules").splitlines()
    assert "IF outlook is sunny AND humidity is high THEN play is no (3 rows, 3 right)" in rules
    assert len(rules) == 5


def test_the_rule_set_is_c45s_and_ends_with_the_default(capsys: Capture) -> None:
    rules = printed(capsys, *GROW, "--format", "rule_set").splitlines()
    assert rules[0] == "IF outlook is overcast THEN play is yes (4 rows, 4 right, estimated accuracy 0.707)"
    assert rules[1] == "IF humidity is normal THEN play is yes (7 rows, 6 right, estimated accuracy 0.665)"
    assert rules[-1] == "ELSE play is yes"


@pytest.mark.parametrize(
    ("form", "beginning"), [("text", "play (14 rows: "), ("dot", "digraph tree {\n"), ("python", "# Predicts 'play'")]
)
def test_every_other_format_prints_the_tree(form: str, beginning: str, capsys: Capture) -> None:
    assert printed(capsys, *GROW, "--format", form).startswith(beginning)


def test_predict_prints_one_prediction_a_query_row(tmp_path: Path, capsys: Capture) -> None:
    query = tmp_path / "query.csv"
    query.write_text("outlook,temperature,humidity,wind\nsunny,hot,normal,strong\nfoggy,hot,normal,strong\n")
    found = json.loads(printed(capsys, *PREDICT, "--query", str(query)))["predictions"]
    assert found[0] == {
        "prediction": "yes",
        "probabilities": {"no": 0.0, "yes": 1.0},
        "path": [0, 5, 7],
        "notes": [],
    }
    assert (found[1]["prediction"], found[1]["path"], len(found[1]["notes"])) == ("yes", [0], 1)
    assert printed(capsys, *PREDICT, "--query", str(query), "--format", "text") == "yes\nyes\n"


def test_the_same_command_prints_the_same_bytes_whatever_the_hash_seed() -> None:
    for form in ("json", "python", "dot"):
        first, second = (run(*GROW, "--format", form, PYTHONHASHSEED=seed) for seed in ("1", "2"))
        assert first.returncode == second.returncode == 0
        assert first.stdout == second.stdout
        assert first.stderr == b""


def test_output_is_utf_8_in_any_locale(tmp_path: Path) -> None:
    file = tmp_path / "table.csv"
    file.write_text("größe,y\n1,ja\n2,nein\n", encoding="utf-8")
    found = run("grow", str(file), "--target", "y", "--format", "rules", LC_ALL="C", PYTHONIOENCODING="ascii")
    assert found.stdout.decode("utf-8").startswith("IF größe < 1.5 THEN y is ja")


@pytest.mark.parametrize("arguments", [["--help"], ["grow", "--help"], ["predict", "--help"]])
def test_help_explains_and_succeeds(arguments: list[str], capsys: Capture) -> None:
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 0
    text = capsys.readouterr().out
    assert text.startswith("usage: python -m engine")
    if arguments[0] != "--help":
        assert all(word in text for word in ("--target", "--max-depth", "--criterion", "entropy|gini", "--format"))


def test_a_reader_that_goes_away_is_no_error() -> None:
    command = f"{sys.executable} -m engine grow {VEGETATION} --target vegetation --format python | head -n 1"
    found = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, check=False)  # a pipe, as typed
    assert (found.stdout, found.stderr) == (b"# Predicts 'vegetation'. 7 rows, 7 leaves.\n", b"")


def test_a_pipe_that_is_closed_before_the_answer_ends_quietly() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "engine", *GROW]
    found = subprocess.run(command, cwd=ROOT, stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert found.stderr == b""


# How it refuses


def test_bad_input_ends_with_status_2_one_line_and_no_traceback() -> None:
    found = run(*GROW, "--max-depth", "deep")
    assert (found.returncode, found.stdout) == (2, b"")
    assert found.stderr == b"error: --max-depth must be a whole number, got 'deep'.\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "no command was given; choose grow, predict, prune or ensemble"),
        (["grwo"], "no command 'grwo'; choose grow, predict, prune or ensemble"),
        (["prune", TENNIS, "--target", "play"], "--method is missing; choose one of reduced_error"),
        (["grow"], "no file was given"),
        (["grow", TENNIS], "--target is missing"),
        (["grow", TENNIS, "--target"], "--target needs a value"),
        (["grow", TENNIS, "--target", "pla"], "'pla' is not in the table; did you mean 'play'"),
        (["grow", "nowhere.csv", "--target", "play"], "no file 'nowhere.csv'"),
        (["grow", str(ROOT), "--target", "play"], "is a folder"),
        (["grow", "a\nb.csv", "--target", "play"], "a\\nb.csv"),
        ([*GROW, "--deep", "3"], "'--deep 3' is not understood"),
        ([*GROW, "--max-dep", "3"], "'--max-dep 3' is not understood"),
        ([*GROW, "another.csv"], "'another.csv' is not understood"),
        ([*GROW, "--query", "q.csv"], "'--query q.csv' is not understood"),
        ([*GROW, "--help=x"], "takes no value"),
        ([*GROW, "--max-depth", "1.5"], "--max-depth must be a whole number, got '1.5'"),
        ([*GROW, "--max-depth", "-1"], "max_depth must be at least 0, got -1"),
        ([*GROW, "--min-samples-split", "1"], "min_samples_split must be at least 2, got 1"),
        ([*GROW, "--min-samples-leaf", "0"], "min_samples_leaf must be at least 1, got 0"),
        ([*GROW, "--min-gain", "much"], "--min-gain must be a number, got 'much'"),
        ([*GROW, "--min-gain", "nan"], "min_gain must be a number of at least 0, got nan"),
        ([*GROW, "--min-gain", "-1"], "min_gain must be a number of at least 0"),
        ([*GROW, "--seed", "1_0"], "--seed must be a whole number"),
        ([*GROW, "--algorithm", "id4"], "--algorithm must be one of id3, c45, cart, stump, got 'id4'"),
        ([*GROW, "--criterion", "Gini"], "--criterion must be one of entropy, gini"),
        ([*GROW, "--format", "xml"], "--format must be one of json, text, dot, rules, python, rule_set"),
        ([*GROW, "--evidence", "some"], "--evidence must be one of none, chosen, all"),
        ([*GROW, "--task", "regression"], "--task must be one of classes, number"),
        ([*GROW, "--missing", "ignore"], "--missing must be one of fractional, own_branch, most_common, drop"),
        ([*GROW, "--criterion", "variance"], "variance is not defined for classes"),
        ([*GROW, "--ignore", "play"], "'play' is the target"),
        ([*GROW, "--ignore", "days"], "did you mean 'day'"),
        ([*GROW, "--categorical", "wind", "--numeric", "wind"], "both categorical and numeric"),
        ([*GROW, "--numeric", "wind"], "cannot be numeric"),
        # Not built yet: what to choose instead
        ([*GROW, "--significance", "2"], "significance must be a number between 0 and 1"),
        ([*GROW, "--costs", "wind=0"], "the cost of 'wind' must be a number above 0, got 0.0"),
        ([*GROW, "--costs", "wind"], "--costs must be pairs such as A=2,B=5, got 'wind'"),
        ([*GROW, "--costs", "rain=2"], "a cost is given for 'rain', which is not a feature"),
        ([*GROW, "--class-weights", "maybe=2"], "a weight is given for 'maybe', which is not a class"),
        (["grow", TENNIS, "--target", "day", "--algorithm", "c45"], "c45 is defined for classes; choose cart"),
        (["grow", TENNIS, "--target", "day", "--significance", ".1"], "significance is defined for classes"),
        (["grow", TENNIS, "--target", "day", "--criterion", "gini"], "choose one of variance, squared_error"),
        # Predictions
        (PREDICT, "--query is missing"),
        ([*PREDICT, "--query", "nowhere.csv"], "no file 'nowhere.csv'"),
        ([*PREDICT, "--query", TENNIS, "--format", "dot"], "choose json or text"),
        ([*PREDICT, "--query", TENNIS, "--evidence", "all"], "'--evidence all' is not understood"),
        ([*PREDICT, "--query", VEGETATION], "the query has no column 'outlook'"),
    ],
    ids=lambda value: " ".join(Path(part).name for part in value) if isinstance(value, list) else "",
)
def test_bad_input_is_one_sentence_that_says_how_to_mend_it(arguments: list[str], words: str, capsys: Capture) -> None:
    assert words in refused(capsys, *arguments)


@pytest.mark.parametrize(
    "content",
    [b"", b"\n\n", b"a,b,play\n", b"\x00\x01\x02\xff\xfe", b"%PDF-1.4", b"play\nyes\nno\n", b"a,play\n1,\n2,?\n"],
    ids=["empty", "blank", "header only", "binary", "PDF", "target only", "no target values"],
)
def test_a_file_that_holds_no_table_is_refused(content: bytes, tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "bad.csv"
    file.write_bytes(content)
    refused(capsys, "grow", str(file), "--target", "play")


def test_an_unreadable_file_is_refused(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "loop.csv"
    file.symlink_to(file)
    assert "cannot be read" in refused(capsys, "grow", str(file), "--target", "y")


def test_too_much_evidence_names_the_way_out_and_other_formats_do_not_need_it(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "long.csv"
    rows = "".join(f"{i},{i + 0.5},{'pq'[i % 2]}\n" for i in range(50_002))
    file.write_text("a,b,y\n" + rows)
    arguments: list[Any] = ["grow", str(file), "--target", "y", "--max-depth", "1"]
    assert "--evidence chosen" in refused(capsys, *arguments)
    assert json.loads(printed(capsys, *arguments, "--evidence", "chosen"))["nodes"][0]["n_rows"] == 50_002
    assert printed(capsys, *arguments, "--format", "rules").startswith("IF a < ")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_an_error_in_words() -> None:
    command = [sys.executable, "-m", "engine", *GROW]
    with Path("/dev/full").open("wb") as full:
        found = subprocess.run(command, cwd=ROOT, stdout=full, stderr=subprocess.PIPE, check=False)
    assert found.returncode == 2
    assert found.stderr.decode() == "error: the answer cannot be written: No space left on device.\n"
