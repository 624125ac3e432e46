"""An ensemble as a document for other programs: the JSON of the format ``espalier/1``."""

from __future__ import annotations

import math

import numpy as np

from engine.ensembles.base import RESIDUAL
from engine.ensembles.ensemble import Ensemble
from engine.ensembles.members import Member
from engine.ensembles.settings import EnsembleMethod
from engine.errors import SettingsError
from engine.interchange import (
    FORMAT,
    Document,
    EvidenceScope,
    node_documents,
    refuse_too_many_candidates,
    settings_document,
    table_document,
)
from engine.table import FloatArray


def ensemble_document(ensemble: Ensemble, evidence: EvidenceScope | str = EvidenceScope.NONE) -> Document:
    """An ensemble with its table, settings, members, errors and predictions.

    What a method lacks is null. `weights` and `residuals` have one entry for each row of the table; of
    a row that was left out for a missing value they are 0 and null.

    Raises
    ------
    SettingsError
        If `evidence` is none of its words, or is ``all`` where there is too much.
    """
    if evidence not in list(EvidenceScope):
        raise SettingsError(f"evidence must be one of {', '.join(EvidenceScope)}, got {str(evidence)!r}.")
    scope = EvidenceScope(evidence)
    if scope is EvidenceScope.ALL:
        refuse_too_many_candidates(*(member.growth for member in ensemble.members))
    validation = ensemble.validation
    initial = ensemble.initial
    return {
        "format": FORMAT,
        "command": "ensemble",
        "table": table_document(ensemble.source),
        "settings": _settings(ensemble),
        "validation": None
        if validation is None
        else {"name": validation.name, "n_rows": validation.n_rows, "rows": validation.row_numbers.tolist()},
        "initial": list(initial) if isinstance(initial, tuple) else initial,
        "notes": list(ensemble.notes),
        "members": [_member(ensemble, member, scope) for member in ensemble.members],
        "staged": _staged(ensemble),
        "predictions": ensemble.predictions.tolist(),
    }


def _settings(ensemble: Ensemble) -> Document:
    """Everything that was followed, by the names of the command line; what the method does not use is null."""
    settings, table = ensemble.settings, ensemble.table
    method, growth = settings.method, settings.member_growth
    boosted = method is EnsembleMethod.GRADIENT_BOOSTING
    grown = table.with_target(RESIDUAL, np.zeros(table.n_rows)) if boosted else table
    of_growth = settings_document(growth, growth.resolved(grown))
    class_weights = settings.growth.class_weights
    if class_weights is not None and not isinstance(class_weights, str):
        of_growth["class_weights"] = dict(class_weights)
    return {
        "method": method.value,
        "members": settings.n_members,
        "learning_rate": None if method.is_parallel else settings.rate,
        "features_per": settings.features_per.value,
        "resample": settings.resample if method is EnsembleMethod.ADABOOST else None,
        "subsample": settings.subsample if boosted else None,
        **of_growth,
        "max_features": settings.n_features_drawn(table),
        "seed": settings.seeded,
    }


def _member(ensemble: Ensemble, member: Member, scope: EvidenceScope) -> Document:
    table = ensemble.table
    return {
        "index": member.index,
        "round": member.round,
        "class": None if member.of_class is None else table.target.classes[member.of_class],
        "n_leaves": member.n_leaves,
        "sample": None if member.sample is None else table.row_numbers[member.sample].tolist(),
        "features": None if member.features is None else [table.features[i].name for i in member.features],
        "weights": _of_all_rows(ensemble, member.weights, 0.0),
        "residuals": _of_all_rows(ensemble, member.residuals, None),
        "error": member.error,
        "confidence": member.confidence,
        "nodes": list(node_documents(member.growth, scope)),
    }


def _of_all_rows(ensemble: Ensemble, values: FloatArray | None, left_out: float | None) -> list[float | None] | None:
    """One entry for each row of the source, those too that were left out."""
    if values is None:
        return None
    kept = ensemble.base.kept
    found: list[float | None] = values.tolist()
    if kept is None:
        return found
    every = [left_out] * ensemble.source.n_rows
    for row, value in zip(kept.tolist(), found, strict=True):
        every[row] = value
    return every


def _staged(ensemble: Ensemble) -> list[Document]:
    train, validation, bag = ensemble.training_curve, ensemble.validation_curve, ensemble.out_of_bag_curve
    return [
        {
            "n_members": stage,
            "train_error": float(train.errors[stage]),
            "validation_error": None if validation is None else float(validation.errors[stage]),
            "out_of_bag_error": None if bag is None else _or_null(float(bag.errors[stage])),
            "train_loss": None if train.losses is None else float(train.losses[stage]),
        }
        for stage in range(1, ensemble.n_rounds + 1)
    ]


def _or_null(number: float) -> float | None:
    return None if math.isnan(number) else number
