"""The family beside its opponents: `python -m benchmarks.family [CASE …] [--quick]`.

Numbers, weights, missing values, groups of levels and ensembles, run turn and turn about with
scikit-learn, or with the plain growth of the same rows where the bar says so ("plain").
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from sklearn.ensemble import AdaBoostClassifier, GradientBoostingRegressor, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import engine
from benchmarks import data
from benchmarks.trees import alternate
from engine import EnsembleMethod, EnsembleSettings, GrowthSettings
from engine.table import Feature, FeatureKind, FloatArray, Table

Call = Callable[[], object]


@dataclass(frozen=True)
class Case:
    """One line: `make` gives the opponent's call and ours."""

    name: str
    bar: float
    make: Callable[[], tuple[Call, Call]]
    large: bool = False
    opponent: str = "scikit-learn"


def _number(n_rows: int) -> tuple[Table, FloatArray, FloatArray]:
    table = data.numeric(n_rows)
    matrix = data.as_matrix(table)
    noise = np.random.default_rng(1).normal(size=n_rows)
    values = 3 * matrix[:, 0] + np.sin(3 * matrix[:, 1]) + noise
    _ = table.rank_matrix
    return table.with_target("y", values.astype(np.float64)), matrix.astype(np.float64), values.astype(np.float64)


def _regression(n_rows: int) -> tuple[Call, Call]:
    table, matrix, values = _number(n_rows)
    settings = GrowthSettings.cart(max_depth=6)
    return (
        lambda: DecisionTreeRegressor(max_depth=6, random_state=0).fit(matrix, values),
        lambda: engine.grow(table, settings),
    )


def _weighted() -> tuple[Call, Call]:
    table = data.numeric(10_000)
    _ = table.rank_matrix
    weights = np.random.default_rng(0).random(10_000) + 0.1
    settings = GrowthSettings.id3(max_depth=6)
    return lambda: engine.grow(table, settings), lambda: engine.grow(table, settings, row_weights=weights)


def _fractional() -> tuple[Call, Call]:
    table = data.numeric(10_000)
    holes = np.random.default_rng(0).random((len(table.features), 10_000)) < 0.02
    columns = tuple(np.where(lost, np.nan, column) for lost, column in zip(holes, table.columns, strict=True))
    features = tuple(replace(f, n_missing=int(lost.sum())) for f, lost in zip(table.features, holes, strict=True))
    lacking = replace(table, columns=columns, features=features)
    _ = (table.rank_matrix, lacking.rank_matrix)
    settings = GrowthSettings.c45(max_depth=6)
    return lambda: engine.grow(table, settings), lambda: engine.grow(lacking, settings)


def _subsets() -> tuple[Call, Call]:
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 8, (100_000, 10)).astype(np.uint8)
    target = ((codes[:, 0] > 3).astype(int) + (rng.random(100_000) < 0.2)).astype(np.uint8)
    plain = data.numeric(100_000)
    levels = tuple("abcdefgh")
    table = Table(
        name="groups",
        features=tuple(Feature(f"c{i}", FeatureKind.CATEGORICAL, levels) for i in range(10)),
        target=plain.target,
        columns=tuple(codes[:, i].copy() for i in range(10)),
        target_values=target,
        row_numbers=np.arange(100_000),
    )
    settings = GrowthSettings.cart(max_depth=6)
    return (
        lambda: DecisionTreeClassifier(max_depth=6, random_state=0).fit(codes, target),
        lambda: engine.grow(table, settings),
    )


def _adaboost() -> tuple[Call, Call]:
    table = data.numeric(10_000)
    matrix, target = data.as_matrix(table), np.asarray(table.target_values, dtype=np.intp)
    settings = EnsembleSettings(method=EnsembleMethod.ADABOOST, n_members=100, growth=GrowthSettings.cart(max_depth=1))
    return (
        lambda: AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=100).fit(matrix, target),
        lambda: engine.grow_ensemble(table, settings),
    )


def _gradient_boosting() -> tuple[Call, Call]:
    table, matrix, values = _number(10_000)
    settings = EnsembleSettings(method=EnsembleMethod.GRADIENT_BOOSTING, n_members=100)
    return (
        lambda: GradientBoostingRegressor(n_estimators=100, max_depth=3).fit(matrix, values),
        lambda: engine.grow_ensemble(table, settings),
    )


def _forest(n_rows: int) -> tuple[Call, Call]:
    table = data.numeric(n_rows)
    matrix, target = data.as_matrix(table), np.asarray(table.target_values, dtype=np.intp)
    settings = EnsembleSettings(method=EnsembleMethod.FOREST, n_members=100)
    return (
        lambda: RandomForestClassifier(100, random_state=0).fit(matrix, target),
        lambda: engine.grow_ensemble(table, settings),
    )


CASES = (
    Case("number10k", 0.4, lambda: _regression(10_000)),
    Case("number100k", 0.4, lambda: _regression(100_000), large=True),
    Case("weights10k", 2.0, _weighted, opponent="plain"),
    Case("fractional10k", 2.0, _fractional, opponent="plain"),
    Case("groups100k", 2.0, _subsets),
    Case("adaboost10k", 0.25, _adaboost),
    Case("gradient10k", 0.35, _gradient_boosting),
    Case("forest1k", 1.0, lambda: _forest(1_000)),
    Case("forest10k", 1.3, lambda: _forest(10_000), large=True),
)


def main() -> None:
    names = [case.name for case in CASES]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.family", description="The family and its opponents.")
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"any of {', '.join(names)}; all if none is named")
    parser.add_argument("--quick", action="store_true", help="without the longest cases, and fewer turns")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.cases if name not in names]
    if unknown:
        parser.error(f"no case {unknown[0]!r}; choose from {', '.join(names)}")
    print(f"{'case':15}{'opponent':>14}{'theirs':>14}{'espalier':>14}{'ratio':>8}{'bar':>7}")
    for case in CASES:
        if case.name in arguments.cases or (not arguments.cases and not (case.large and arguments.quick)):
            theirs, ours = case.make()
            ours()
            their_time, our_time = alternate(theirs, ours, 3 if arguments.quick else 5)
            ratio = our_time / their_time
            print(
                f"{case.name:15}{case.opponent:>14}{1e3 * their_time:11.2f} ms{1e3 * our_time:11.2f} ms"
                f"{ratio:8.2f}{case.bar:7.2f} {'' if ratio <= case.bar else '!'}",
                flush=True,
            )


if __name__ == "__main__":
    main()
