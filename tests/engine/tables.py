"""Tables for tests: written by hand, drawn at random, or made by hypothesis."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from hypothesis import strategies as st

import engine
from engine.table import Feature, FeatureKind, Table, Target, TargetKind, code_dtype

FILES = Path(__file__).parents[2] / "datasets" / "files"


def play_tennis() -> Table:
    return engine.read_table(FILES / "play_tennis.csv", target="play", ignore=("day",))


def iris() -> Table:
    return engine.read_table(FILES / "iris.csv", target="target")


def make_table(columns: dict[str, Sequence[float] | Sequence[str]], target: Sequence[str] | Sequence[float]) -> Table:
    """A table of text columns (categorical; an empty cell is missing) and number columns (numeric; NaN is missing)."""
    features, arrays = [], []
    for name, values in columns.items():
        if all(isinstance(value, str) for value in values):
            levels = tuple(sorted(set(values) - {""}))
            features.append(Feature(name, FeatureKind.CATEGORICAL, levels, n_missing=list(values).count("")))
            codes = [levels.index(v) if v else len(levels) for v in values]
            arrays.append(np.array(codes, dtype=code_dtype(len(levels))))
        else:
            numbers = np.array(values, dtype=np.float64)
            features.append(Feature(name, FeatureKind.NUMERIC, n_missing=int(np.isnan(numbers).sum())))
            arrays.append(numbers)
    if not all(isinstance(value, str) for value in target):
        return Table(
            name="table",
            features=tuple(features),
            target=Target("y", TargetKind.NUMBER),
            columns=tuple(arrays),
            target_values=np.array(target, dtype=np.float64),
            row_numbers=np.arange(len(target)),
        )
    classes = tuple(sorted(set(target)))
    codes = np.array([classes.index(v) for v in target], dtype=code_dtype(len(classes)))
    return Table(
        name="table",
        features=tuple(features),
        target=Target("y", TargetKind.CLASSES, classes),
        columns=tuple(arrays),
        target_values=codes,
        row_numbers=np.arange(len(codes)),
    )


@st.composite
def tables(
    draw: st.DrawFn,
    max_rows: int = 40,
    max_levels: int = 4,
    min_rows: int = 1,
    numbers: bool = False,
    missing: bool = False,
) -> Table:
    """Small mixed tables, with ties, constant features and contradicting rows among them."""
    n = draw(st.integers(min_rows, max_rows))
    n_classes = draw(st.integers(1, 4))
    columns: dict[str, list[float] | list[str]] = {}
    for i in range(draw(st.integers(1, 4))):
        if draw(st.booleans()):
            levels = draw(st.integers(1, max_levels))
            places = draw(st.lists(st.integers(-1 if missing else 0, levels - 1), min_size=n, max_size=n))
            places[0] = max(places[0], 0)
            columns[f"c{i}"] = [f"l{k}" if k >= 0 else "" for k in places]
        else:
            values = st.sampled_from([-2.5, -1.0, 0.0, 0.1, 0.3, 1.0, 2.0, 1e9, 1e-9])
            drawn = draw(st.lists(values | st.just(float("nan")) if missing else values, min_size=n, max_size=n))
            columns[f"x{i}"] = [0.5 if drawn[0] != drawn[0] else drawn[0], *drawn[1:]]
    if numbers and draw(st.booleans()):
        amounts = st.sampled_from([-3.0, 0.0, 0.1, 0.3, 2.0, 7.5, 40.0, 40.25])
        return make_table(columns, draw(st.lists(amounts, min_size=n, max_size=n)))
    target = draw(st.lists(st.integers(0, n_classes - 1), min_size=n, max_size=n))
    return make_table(columns, [f"k{k}" for k in target])


@st.composite
def settings_for(draw: st.DrawFn, table: Table) -> engine.GrowthSettings:
    """Settings of every kind that the table allows."""
    number = table.target.kind is TargetKind.NUMBER
    criteria = ["variance", "squared_error"] if number else ["entropy", "gini", "gain_ratio", "misclassification"]
    return engine.GrowthSettings(
        algorithm=draw(st.sampled_from(["id3", "cart", "stump"] + ([] if number else ["c45"]))),
        criterion=draw(st.sampled_from([None, *criteria])),
        categorical_splits=draw(st.sampled_from(["multiway", "subset", None])),
        missing=draw(st.sampled_from([None, "fractional", "own_branch", "most_common"])),
        costs=draw(st.sampled_from([(), {table.features[0].name: 3.0}])),
        max_features=draw(st.sampled_from([None, 1, 2])),
        seed=draw(st.integers(0, 3)),
        cost_rule=draw(st.sampled_from(list(engine.CostRule))),
        max_depth=draw(st.sampled_from([None, None, 0, 1, 2])),
        min_samples_split=draw(st.sampled_from([2, 2, 5])),
        min_samples_leaf=draw(st.sampled_from([1, 1, 2, 4])),
        min_gain=draw(st.sampled_from([0.0, 0.0, 0.05])),
    )


@st.composite
def row_weights(draw: st.DrawFn, n_rows: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """A weight for each row."""
    weights = st.sampled_from([0.25, 1.0 / 3, 0.7, 1.0, 2.0, 5.0])
    return np.array(draw(st.lists(weights, min_size=n_rows, max_size=n_rows)))
