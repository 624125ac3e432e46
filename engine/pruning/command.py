"""The command ``python -m engine prune``: its options, and what they do."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from engine.errors import SettingsError
from engine.given import read_tree
from engine.growth import Growth, grow
from engine.holdout import split_holdout
from engine.ingest import read_frame
from engine.options import names, number, one_of, whole
from engine.pruning.alike import read_alike
from engine.pruning.pruning import Pruning, prune
from engine.pruning.settings import PruningMethod, PruningSettings, Risk, Selection
from engine.settings import GrowthSettings
from engine.table import Table
from engine.tree import Tree

HOLDOUT = 0.3
_DEFAULTS = PruningSettings(method=PruningMethod.PESSIMISTIC)


def add_options(command: argparse.ArgumentParser) -> None:
    """What `prune` takes beside the options of every command."""
    pruning = command.add_argument_group("pruning")
    pruning.add_argument(
        "--method", metavar="METHOD", type=one_of("--method", PruningMethod), help=f"one of {', '.join(PruningMethod)}"
    )
    pruning.add_argument(
        "--tree", metavar="TREE.json", help="prune this tree, printed by grow or entered by hand, and grow none"
    )
    pruning.add_argument("--validation", metavar="VAL.csv", help="rows that the tree is not grown from")
    for option, kind, what in (
        ("--risk", Risk, "cost complexity: what the leaves add up (default error)"),
        ("--selection", Selection, "cost complexity: what chooses where no alpha is given (default validation)"),
    ):
        pruning.add_argument(
            option, metavar=names(kind), type=one_of(option, kind), default=next(iter(kind)), help=what
        )
    for option, default, what in (
        ("--holdout", None, f"the share of rows set aside where a method needs some (default {HOLDOUT})"),
        ("--alpha", None, "cost complexity: every link of at most this g goes (default: validation rows choose)"),
        ("--standard-errors", _DEFAULTS.standard_errors, "cross-validation: how far from the least error (default 1)"),
        ("--confidence", _DEFAULTS.confidence, "pessimistic: the smaller, the more goes (default 0.25)"),
    ):
        pruning.add_argument(option, metavar="X", type=number(option), default=default, help=what)
    pruning.add_argument(
        "--folds", metavar="N", type=whole("--folds"), default=_DEFAULTS.folds, help="cross-validation (default 10)"
    )
    pruning.add_argument("--binomial", action="store_true", help="pessimistic: the exact binomial limit")


def run(table: Table, growth: GrowthSettings, given: argparse.Namespace) -> Pruning:
    """Grow a tree, or read one, and prune it; `--significance` is the level of the pruning and stops no growth.

    Raises
    ------
    EngineError
        If an option is out of its range, or does not fit the others or the data.
    """
    if given.method is None:
        raise SettingsError(f"--method is missing; choose one of {', '.join(PruningMethod)}.")
    if given.validation is not None and given.holdout is not None:
        raise SettingsError("--validation and --holdout exclude each other; give the file or the share.")
    settings = PruningSettings(
        method=given.method,
        alpha=given.alpha,
        risk=given.risk,
        selection=given.selection,
        folds=given.folds,
        standard_errors=given.standard_errors,
        confidence=given.confidence,
        binomial=given.binomial,
        significance=_DEFAULTS.significance if given.significance is None else given.significance,
        seed=given.seed,
    )
    settings.check(table.target)
    training, validation = table, None
    if given.validation is not None:
        validation = read_alike(table, read_frame(given.validation))
    elif settings.needs_validation or given.holdout is not None:
        share = HOLDOUT if given.holdout is None else given.holdout
        training, validation = split_holdout(table, share, given.seed)
        if not validation.n_rows:
            raise SettingsError(
                f"a share of {share:g} of {table.n_rows} rows sets none aside; give --validation VAL.csv "
                "or a greater --holdout."
            )
    full = _full(training, replace(growth, significance=None), given)
    return prune(full, settings, validation)


def _full(training: Table, growth: GrowthSettings, given: argparse.Namespace) -> Growth | Tree:
    """The tree before: grown, or read from a file, its nodes counting the training rows."""
    return grow(training, growth) if given.tree is None else read_tree(Path(given.tree), training)
