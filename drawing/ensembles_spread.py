"""How much trees and ensembles change from one resample to the next, in words and as a table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from drawing.ensembles import rough
from drawing.theme import number, percent
from engine.ensembles import EnsembleMethod, EnsembleSettings, Spread
from engine.table import FloatArray

_MANY = {
    EnsembleMethod.BAGGING: ("a bagged ensemble", "bagged ensembles", "trees"),
    EnsembleMethod.FOREST: ("a random forest", "random forests", "trees"),
    EnsembleMethod.ADABOOST: ("a boosted ensemble", "boosted ensembles", "trees"),
    EnsembleMethod.GRADIENT_BOOSTING: ("a gradient boosting", "gradient boostings", "rounds"),
}


@dataclass(frozen=True)
class Plural:
    """What one ensemble of some settings is called, and what several are.

    >>> Plural.of(EnsembleSettings(method=EnsembleMethod.FOREST, n_members=10))
    Plural(one='a random forest of 10 trees', several='random forests of 10 trees')
    """

    one: str
    several: str

    @classmethod
    def of(cls, settings: EnsembleSettings) -> Plural:
        """The names for some settings."""
        one, several, unit = _MANY[settings.method]
        size = f"{settings.n_members:,} {unit if settings.n_members != 1 else unit[:-1]}"
        return cls(f"{one} of {size}", f"{several} of {size}")


def spread_rows(spread: Spread, plural: Plural) -> tuple[list[str], list[list[str]]]:
    """The table: headings, and a line for each measure, of one tree and of one ensemble."""
    write = percent if spread.n_classes else rough
    changes = "two of them disagree on" if spread.n_classes else "variance of the answer"
    error = "error" if spread.n_classes else "mean squared error"
    heads = [f"over {len(spread.of_tree)} resamples", "a tree", plural.one]
    return heads, [
        [changes, write(float(spread.tree_variance.mean())), write(float(spread.ensemble_variance.mean()))],
        [error, _spoken(spread.tree_errors, spread), _spoken(spread.ensemble_errors, spread)],
    ]


def spread_words(spread: Spread, plural: Plural, where: str) -> str:
    """What the table comes to.

    Parameters
    ----------
    spread : Spread
    plural : Plural
    where : str
        The rows that were asked about.
    """
    tree, ensemble = float(spread.tree_variance.mean()), float(spread.ensemble_variance.mean())
    n = len(spread.of_tree)
    if spread.n_classes:
        said = (
            f"Asked about {where}, two trees from different draws disagree on {percent(tree)} of the rows, two "
            f"{plural.several} on {percent(ensemble)}"
        )
    else:
        said = (
            f"Asked about {where}, the answers of {n} trees have a variance of {rough(tree)}, those of {n} "
            f"{plural.several} one of {rough(ensemble)}"
        )
    if tree <= 0:
        return f"{said}."
    return f"{said}: {number(ensemble / tree)} times as much."


def _spoken(errors: FloatArray, spread: Spread) -> str:
    write = percent if spread.n_classes else rough
    deviation = float(np.std(errors, ddof=1 if len(errors) > 1 else 0))
    return f"{write(float(errors.mean()))} ± {write(deviation)}"
