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


def make_table(columns: dict[str, Sequence[float] | Sequence[str]], target: Sequence[str]) -> Table:
    """A table of text columns (categorical) and number columns (numeric)."""
    features, arrays = [], []
    for name, values in columns.items():
        if all(isinstance(value, str) for value in values):
            levels = tuple(sorted(set(values)))
            features.append(Feature(name, FeatureKind.CATEGORICAL, levels))
            arrays.append(np.array([levels.index(v) for v in values], dtype=code_dtype(len(levels))))
        else:
            features.append(Feature(name, FeatureKind.NUMERIC))
            arrays.append(np.array(values, dtype=np.float64))
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
def tables(draw: st.DrawFn, max_rows: int = 40, max_levels: int = 4, min_rows: int = 1) -> Table:
    """Small mixed tables, with ties, constant features and contradicting rows among them."""
    n = draw(st.integers(min_rows, max_rows))
    n_classes = draw(st.integers(1, 4))
    columns: dict[str, list[float] | list[str]] = {}
    for i in range(draw(st.integers(1, 4))):
        if draw(st.booleans()):
            levels = draw(st.integers(1, max_levels))
            columns[f"c{i}"] = [f"l{k}" for k in draw(st.lists(st.integers(0, levels - 1), min_size=n, max_size=n))]
        else:
            values = st.sampled_from([-2.5, -1.0, 0.0, 0.1, 0.3, 1.0, 2.0, 1e9, 1e-9])
            columns[f"x{i}"] = draw(st.lists(values, min_size=n, max_size=n))
    target = draw(st.lists(st.integers(0, n_classes - 1), min_size=n, max_size=n))
    return make_table(columns, [f"k{k}" for k in target])


@st.composite
def settings_for(draw: st.DrawFn, table: Table) -> engine.GrowthSettings:
    """Settings of every kind that the table allows."""
    wide = any(len(feature.levels) > 2 for feature in table.features)
    algorithm = draw(st.sampled_from(["id3", "cart", "stump"]))
    splits = draw(st.sampled_from(["multiway"] if wide else ["multiway", "subset", None]))
    return engine.GrowthSettings(
        algorithm=algorithm,
        criterion=draw(st.sampled_from([None, "entropy", "gini", "gain_ratio", "misclassification"])),
        categorical_splits=splits,
        max_depth=draw(st.sampled_from([None, None, 0, 1, 2])),
        min_samples_split=draw(st.sampled_from([2, 2, 5])),
        min_samples_leaf=draw(st.sampled_from([1, 1, 2, 4])),
        min_gain=draw(st.sampled_from([0.0, 0.0, 0.05])),
    )
