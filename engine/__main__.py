"""The command line: ``python -m engine grow|predict|prune|ensemble DATA.csv --target COLUMN [options]``.

The answer goes to standard output. Bad input is one line on standard error that begins with
``error:``, and exit status 2; nothing is printed then.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import NoReturn

from engine.criteria import Criterion
from engine.ensembles import command as ensemble_command
from engine.ensembles.document import ensemble_document
from engine.errors import EngineError, SettingsError
from engine.growth import Growth, grow
from engine.holdout import split_holdout
from engine.ingest import read_frame, read_table
from engine.interchange import Document, EvidenceScope, growth_document, predictions_document, to_json
from engine.options import amounts, class_weights, name_list, names, number, one_of, whole
from engine.pruning import command as prune_command
from engine.pruning.document import pruning_document
from engine.rules import as_dot, as_python, as_rules, as_text, plain
from engine.rulesets import list_text, simplify
from engine.settings import BALANCED, Algorithm, CategoricalSplits, CostRule, GrowthSettings, Missing
from engine.table import Table, TargetKind
from engine.tree import Tree

PROGRAM = "python -m engine"

_INTRODUCTION = """\
Decision trees with every decision kept: what was considered at each node, and why it won or lost.

examples:
  python -m engine grow play_tennis.csv --target play --ignore day
  python -m engine grow iris.csv --target species --algorithm cart --format rules
  python -m engine predict play_tennis.csv --target play --ignore day --query today.csv
  python -m engine prune iris.csv --target species --method cost_complexity
  python -m engine prune iris.csv --target species --method pessimistic --tree tree.json
  python -m engine ensemble iris.csv --target species --method forest --members 100
"""

_COMMANDS = {
    "grow": "grow a tree and print it with its evidence and its steps",
    "predict": "grow a tree and print what it says of the rows of another file",
    "prune": "grow a tree, take it back, and print both with every decision",
    "ensemble": "grow trees that answer together, and print them with their errors",
}


class Format(StrEnum):
    """What is printed."""

    JSON = "json"
    TEXT = "text"
    DOT = "dot"
    RULES = "rules"
    PYTHON = "python"
    RULE_SET = "rule_set"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit status is 0, 2 for bad input, 130 where the user interrupts."""
    try:
        text = _run(sys.argv[1:] if arguments is None else list(arguments))
        return _write(text)
    except EngineError as error:
        return _refuse(str(error))
    except OSError as error:
        return _refuse(f"cannot read {error.filename!r}: {error.strerror}. Give the name of a file that can be read.")
    except MemoryError:
        return _refuse("the memory of this machine is too small for this; try fewer rows, or --evidence none.")
    except KeyboardInterrupt:
        return 130


def _run(arguments: list[str]) -> str:
    given = _parse(arguments)
    table = read_table(
        given.data,
        target=given.target,
        ignore=given.ignore,
        categorical=given.categorical,
        numeric=given.numeric,
        task=given.task,
    )
    match given.command:
        case "prune":
            pruning = prune_command.run(table, _settings(given), given)
            return _tree(pruning.tree, given, lambda: pruning_document(pruning, given.evidence))
        case "ensemble":
            ensemble = ensemble_command.run(table, _settings(given), given)
            if given.format is Format.TEXT:
                return ensemble_command.as_text(ensemble)
            return to_json(ensemble_document(ensemble, given.evidence))
        case "predict":
            return _predictions(_grown(table, given), given)
        case _:
            growth = _grown(table, given)
            return _tree(growth.tree, given, lambda: growth_document(growth, given.evidence))


def _grown(table: Table, given: argparse.Namespace) -> Growth:
    if given.holdout_stop is None:
        return grow(table, _settings(given))
    training, held = split_holdout(table, given.holdout_stop, given.seed)
    return grow(training, replace(_settings(given), holdout_stop=True), holdout=held)


def _tree(tree: Tree, given: argparse.Namespace, document: Callable[[], Document]) -> str:
    match given.format:
        case Format.TEXT:
            return as_text(tree)
        case Format.DOT:
            return as_dot(tree)
        case Format.RULES:
            return as_rules(tree)
        case Format.PYTHON:
            return as_python(tree)
        case Format.RULE_SET:
            return list_text(simplify(tree).result)
        case _:
            return to_json(document())


def _predictions(growth: Growth, given: argparse.Namespace) -> str:
    frame = read_frame(given.query).frame
    if given.format is Format.TEXT:
        return "".join(f"{plain(str(predicted))}\n" for predicted in growth.tree.predict(frame))
    return to_json(predictions_document(growth, frame))


def _settings(given: argparse.Namespace) -> GrowthSettings:
    return GrowthSettings(
        algorithm=given.algorithm,
        criterion=given.criterion,
        categorical_splits=given.categorical_splits,
        max_depth=given.max_depth,
        min_samples_split=given.min_samples_split,
        min_samples_leaf=given.min_samples_leaf,
        min_gain=given.min_gain,
        significance=given.significance,
        missing=given.missing,
        costs=given.costs,
        cost_rule=given.cost_rule,
        class_weights=given.class_weights,
        max_features=given.max_features,
        seed=given.seed,
    )


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are ours: it never prints its usage and never exits."""

    def error(self, message: str) -> NoReturn:
        raise SettingsError(_sentence(message, self.prog))


def _parse(arguments: list[str]) -> argparse.Namespace:
    parser = _parser()
    command = arguments[0] if arguments else None
    if command not in {*_COMMANDS, "-h", "--help"}:
        got = "no command was given" if command is None else f"there is no command {command!r}"
        raise SettingsError(f"{got}; choose {_choices()} ({PROGRAM} --help says more).")
    given = parser.parse_args(arguments)
    _check(given)
    return given


def _check(given: argparse.Namespace) -> None:
    """What the parser cannot say in a sentence, and what is not built yet."""
    if given.target is None:
        raise SettingsError("--target is missing; name the column to predict: --target COLUMN.")
    if given.command == "predict" and given.query is None:
        raise SettingsError("--query is missing; name the file with the rows to predict: --query QUERY.csv.")
    printed = {"predict": "predictions", "ensemble": "many trees and their errors"}.get(given.command)
    if printed and given.format not in (Format.JSON, Format.TEXT):
        raise SettingsError(
            f"--format {given.format} prints a tree, and {given.command} prints {printed}; "
            "choose json or text, or use the command grow."
        )


def _parser() -> _Parser:
    parser = _Parser(
        prog=PROGRAM,
        description=_INTRODUCTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for name, summary in _COMMANDS.items():
        command = commands.add_parser(
            name, help=summary, description=summary.capitalize() + ".", allow_abbrev=False, usage=_usage(name)
        )
        _add_shared(command)
        if name in ("grow", "predict"):
            command.add_argument(
                "--holdout-stop",
                metavar="SHARE",
                type=number("--holdout-stop"),
                help="set this share of the rows aside by --seed; stop where the split makes more mistakes on them",
            )
        if name != "predict":
            default = EvidenceScope.ALL if name == "grow" else EvidenceScope.NONE
            command.add_argument(
                "--evidence",
                metavar=names(EvidenceScope),
                type=one_of("--evidence", EvidenceScope),
                default=default,
                help=f"candidates in the JSON: of no node, the chosen ones, or all (default {default})",
            )
        if name == "predict":
            command.add_argument("--query", metavar="QUERY.csv", help="the rows to predict")
        elif name == "prune":
            prune_command.add_options(command)
        elif name == "ensemble":
            ensemble_command.add_options(command)
    return parser


def _usage(command: str) -> str:
    more = {"predict": " --query QUERY.csv", "prune": " --method METHOD", "ensemble": " --method METHOD"}.get(
        command, ""
    )
    return f"{PROGRAM} {command} DATA.csv --target COLUMN{more} [options]"


def _choices() -> str:
    *first, last = _COMMANDS
    return f"{', '.join(first)} or {last}"


def _add_shared(command: argparse.ArgumentParser) -> None:
    """The options of every command, in the order of the documentation."""
    command.add_argument("data", metavar="DATA.csv", help="the rows to grow from")
    data = command.add_argument_group("data")
    data.add_argument("--target", metavar="COLUMN", help="what to predict")
    for option, what in (
        ("--ignore", "columns to leave out; a name with a comma goes in double quotes"),
        ("--categorical", "columns to compare by equality, even if every value is a number"),
        ("--numeric", "columns to compare by size"),
    ):
        data.add_argument(option, metavar="A,B", type=name_list, default=(), help=what)
    data.add_argument(
        "--task", metavar=names(TargetKind), type=one_of("--task", TargetKind), help="force the kind of the target"
    )
    growth = command.add_argument_group("growth")
    for option, kind, what in (
        ("--algorithm", Algorithm, "a preset of the options below (default id3, for ensembles cart)"),
        ("--criterion", Criterion, "the impurity or score (default: the preset's)"),
        ("--categorical-splits", CategoricalSplits, "how categorical features split (default: the preset's)"),
        ("--missing", Missing, "what to do with missing values (default most_common; in c45 fractional)"),
    ):
        growth.add_argument(option, metavar=names(kind), type=one_of(option, kind), help=what)
    growth.set_defaults(algorithm=Algorithm.ID3)
    for option, default, what in (
        ("--max-depth", None, "greatest depth of a leaf (default: no limit)"),
        ("--min-samples-split", 2, "a node of fewer rows becomes a leaf (default 2)"),
        ("--min-samples-leaf", 1, "no branch gets fewer rows, unless none (default 1)"),
        ("--seed", 0, "for all randomness (default 0)"),
    ):
        growth.add_argument(option, metavar="N", type=whole(option), default=default, help=what)
    growth.add_argument(
        "--min-gain", metavar="X", type=number("--min-gain"), default=0.0, help="least gain of a split (default 0)"
    )
    growth.add_argument(
        "--significance",
        metavar="ALPHA",
        type=number("--significance"),
        help="stop where a chi-square test of the split has a greater p value; in prune, the level of chi_square",
    )
    growth.add_argument(
        "--costs",
        metavar="A=2,B=5",
        type=amounts("--costs"),
        default=(),
        help="what it costs to observe a feature; the score is divided by it (default 1 each)",
    )
    growth.add_argument(
        "--cost-rule",
        metavar=names(CostRule),
        type=one_of("--cost-rule", CostRule),
        default=CostRule.GAIN_OVER_COST,
        help="divide the score by the cost, or its square (default gain_over_cost)",
    )
    growth.add_argument(
        "--class-weights",
        metavar=f"{BALANCED}|A=2,B=5",
        type=class_weights,
        help="what a row of each class counts (default 1 each)",
    )
    growth.add_argument(
        "--max-features",
        metavar="N",
        type=whole("--max-features"),
        help="features drawn at random at each node (default: all)",
    )
    output = command.add_argument_group("output")
    output.add_argument(
        "--format",
        metavar=names(Format),
        type=one_of("--format", Format),
        default=Format.JSON,
        help="what to print (default json)",
    )


def _sentence(message: str, program: str) -> str:
    """What the parser found, in our words."""
    named = re.fullmatch(r"argument (\S+): (.*)", message, re.DOTALL)
    if named and named[2].startswith("expected one argument"):
        option = named[1]
        return f"{option} needs a value; one that begins with a dash is written {option}=-value."
    if named and named[2].startswith("ignored explicit argument"):
        return f"{named[1]} takes no value."
    if named:
        return named[2]
    if message.startswith("the following arguments are required"):
        return f"no file was given; write {program} DATA.csv --target COLUMN."
    if message.startswith("unrecognized arguments: "):
        extra = message.removeprefix("unrecognized arguments: ")
        return f"{extra!r} is not understood; {PROGRAM} COMMAND --help lists what is."
    return f"{message}; {PROGRAM} --help says more."


def _write(text: str) -> int:
    """Print the answer; a reader that has gone away (``| head``) is no error worth words."""
    try:
        sys.stdout.buffer.write(text.encode("utf-8"))
        sys.stdout.buffer.flush()
    except OSError as error:
        # Python flushes standard output once more as it exits; let that go nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1 if isinstance(error, BrokenPipeError) else _refuse(f"the answer cannot be written: {error.strerror}.")
    return 0


def _refuse(message: str) -> int:
    print(f"error: {plain(message)}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
