"""The command ``python -m engine ensemble``: its options, and what they do."""

from __future__ import annotations

import argparse

from engine.ensembles.ensemble import Ensemble
from engine.ensembles.growing import grow_ensemble
from engine.ensembles.settings import EnsembleMethod, EnsembleSettings, FeaturesPer
from engine.errors import SettingsError
from engine.ingest import read_frame
from engine.options import names, number, one_of, whole
from engine.pruning.alike import read_alike
from engine.settings import Algorithm, GrowthSettings
from engine.table import Table

_DEFAULTS = EnsembleSettings()


def add_options(command: argparse.ArgumentParser) -> None:
    """What `ensemble` takes beside the options of every command."""
    command.set_defaults(algorithm=Algorithm.CART)
    ensemble = command.add_argument_group(
        "ensemble (members are grown by cart; depth 1 for adaboost, 3 for gradient_boosting)"
    )
    ensemble.add_argument(
        "--method",
        metavar="METHOD",
        type=one_of("--method", EnsembleMethod),
        help=f"one of {', '.join(EnsembleMethod)}",
    )
    ensemble.add_argument(
        "--members",
        metavar="N",
        type=whole("--members"),
        default=_DEFAULTS.n_members,
        help=f"trees, or rounds of gradient boosting (default {_DEFAULTS.n_members})",
    )
    ensemble.add_argument("--validation", metavar="VAL.csv", help="rows that the members are not grown from")
    for option, default, what in (
        ("--learning-rate", None, "what each member's say is multiplied by (default 1, gradient_boosting 0.1)"),
        ("--subsample", _DEFAULTS.subsample, "gradient_boosting: the share of rows for each round (default 1)"),
    ):
        ensemble.add_argument(option, metavar="X", type=number(option), default=default, help=what)
    ensemble.add_argument(
        "--features-per",
        metavar=names(FeaturesPer),
        type=one_of("--features-per", FeaturesPer),
        default=_DEFAULTS.features_per,
        help="when --max-features are drawn (default split; a forest draws √d)",
    )
    ensemble.add_argument("--resample", action="store_true", help="adaboost: rows drawn by weight, not weights")


def run(table: Table, growth: GrowthSettings, given: argparse.Namespace) -> Ensemble:
    """Grow an ensemble.

    Raises
    ------
    EngineError
        If an option is out of its range, or does not fit the others or the data.
    """
    if given.method is None:
        raise SettingsError(f"--method is missing; choose one of {', '.join(EnsembleMethod)}.")
    settings = EnsembleSettings(
        method=given.method,
        n_members=given.members,
        growth=growth,
        learning_rate=given.learning_rate,
        features_per=given.features_per,
        resample=given.resample,
        subsample=given.subsample,
    )
    settings.check(table)
    validation = None if given.validation is None else read_alike(table, read_frame(given.validation))
    return grow_ensemble(table, settings, validation=validation)


def as_text(ensemble: Ensemble) -> str:
    """One line a member, or round: its leaves, its error and confidence, and the errors with it.

    Errors are shares of the rows, or mean squared errors of a number.
    """
    rows = [["members", "leaves", "error", "confidence", "training", "validation", "out of bag"]]
    curves = [ensemble.training_curve, ensemble.validation_curve, ensemble.out_of_bag_curve]
    n_trees = ensemble.n_trees_a_round
    for stage in range(1, ensemble.n_rounds + 1):
        own = ensemble.members[(stage - 1) * n_trees : stage * n_trees]
        leaves = "+".join(str(member.n_leaves) for member in own)
        cells = [own[0].error, own[0].confidence, *(None if c is None else float(c.errors[stage]) for c in curves)]
        rows.append([str(stage), leaves, *(_cell(cell) for cell in cells)])
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    return "".join(f"{line}\n" for line in (*lines, *ensemble.notes))


def _cell(value: float | None) -> str:
    return "-" if value is None or value != value else f"{value:.6g}"
