"""Reads the numbers that lecture notes print, and recomputes each of them with the engine."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import engine
from engine import Candidate, Choice, Condition, Criterion, Growth, GrowthSettings, Op, Table
from engine.criteria import impurity, n_log2_n, variance
from engine.table import IntArray

ROOT = Path(__file__).parents[2]
FILES = ROOT / "datasets" / "files"
NAMES_OF_ROWS = ("id", "day", "row", "position", "printed")
TARGETS = {
    "play_tennis.csv": "play",
    "play_tennis_noisy.csv": "play",
    "guess_who.csv": "name",
    "spam_emails.csv": "class",
    "vegetation.csv": "vegetation",
    "vegetation_continuous.csv": "vegetation",
    "bike_rentals.csv": "rentals",
    "derived_xor.csv": "y",
    "xo_accuracy_fails_printed.csv": "y",
}


@dataclass(frozen=True)
class Entry:
    """One published number: what it is computed from, and the exact value."""

    id: str
    dataset: str
    what: str
    how: dict[str, Any]
    exact: Any


def entries() -> list[Entry]:
    """All entries of the file, also those of later parts."""
    document = json.loads((ROOT / "tests" / "data" / "published-numbers.json").read_text("utf-8"))
    return [
        Entry(e["id"], e["dataset"] or "", e["computation"]["what"], e["computation"], e["exact"])
        for e in document["entries"]
    ]


@cache
def table(dataset: str) -> Table:
    """The table of a dataset; a number of rentals is read as classes, for trees of classes."""
    header = (FILES / dataset).read_text("utf-8").splitlines()[0].split(",")
    ignore = tuple(name for name in header if name in NAMES_OF_ROWS)
    target = TARGETS.get(dataset, "sick")
    return engine.read_table(FILES / dataset, target=target, ignore=ignore, task="classes")


def cells(dataset: str, column: str) -> list[str]:
    """One column of the file, as text."""
    with (FILES / dataset).open(encoding="utf-8", newline="") as file:
        return [row[column] for row in csv.DictReader(file)]


def forced(dataset: str, path: list[list[Any]], criterion: str = "entropy") -> tuple[Growth, int | None]:
    """A tree in which every split on `path` was taken by hand, and the node that it leads to.

    None where the last split is one that a tree never makes, because it does not separate the rows.
    """
    conditions: tuple[Condition, ...] = ()
    choices: tuple[Choice, ...] = ()
    for feature, op, value in path:
        if op == "==":
            choices += (Choice(conditions, feature),)
            conditions += (Condition(feature, Op.IN, (value,)),)
        else:
            # `<= t` is `< the next number above t`.
            threshold = float(value) if op in ("<", ">=") else float(np.nextafter(value, np.inf))
            choices += (Choice(conditions, feature, threshold=threshold),)
            conditions += (Condition(feature, Op.LESS if op in ("<", "<=") else Op.AT_LEAST, threshold),)
    growth = engine.grow(table(dataset), GrowthSettings.id3(criterion=criterion, choices=choices))
    return growth, next((n for n in range(growth.tree.n_nodes) if growth.tree.path(n) == conditions), None)


def at_node(entry: Entry) -> tuple[Growth, int]:
    growth, node = forced(entry.dataset, path_of(entry), entry.how.get("criterion", "entropy"))
    assert node is not None
    return growth, node


def path_of(entry: Entry) -> list[list[Any]]:
    path: list[list[Any]] = entry.how.get("node", {"path": []})["path"]
    return path


def inseparable(entry: Entry) -> tuple[Growth, int, Candidate, int]:
    """For a split that a tree never makes: the candidate in the evidence of its node, and the branch."""
    *path, (feature, _, level) = path_of(entry)
    growth, node = forced(entry.dataset, path, entry.how.get("criterion", "entropy"))
    assert node is not None
    found = next(c for c in growth.candidates(node) if c.feature == feature)
    assert found.rejected is engine.Rejection.SINGLE_PARTITION
    return growth, node, found, [part.condition.value for part in found.partitions].index((level,))


def rows_of(entry: Entry) -> tuple[Table, IntArray]:
    """The table and the rows of the entry's node or partition."""
    growth, node = forced(entry.dataset, path_of(entry))
    if node is not None:
        return growth.table, growth.tree.rows(node)
    growth, above, found, branch = inseparable(entry)
    rows, index = growth.tree.rows(above), found.split.feature
    where = found.split.branch_of(growth.table.columns[index][rows], growth.table.features[index])
    return growth.table, rows[where == branch]


def candidate_of(entry: Entry) -> Candidate:
    """The candidate that the entry speaks of, among the evidence of its node."""
    growth, node = at_node(entry)
    found = [c for c in growth.evidence(node) if c.feature == entry.how["feature"]]
    wanted = entry.how.get("threshold")
    return next(c for c in found if wanted is None or c.split.threshold == wanted)


def class_counts(entry: Entry) -> dict[str, int]:
    growth, node = at_node(entry)
    return dict(zip(growth.table.target.classes, growth.tree.nodes.counts[node].tolist(), strict=True))


def class_distribution(entry: Entry) -> list[float]:
    growth, node = at_node(entry)
    return [growth.tree.probabilities(node)[name] for name in entry.how["order"]]


def node_impurity(entry: Entry) -> float:
    growth, node = forced(entry.dataset, path_of(entry), entry.how["criterion"])
    if node is not None:
        return float(growth.tree.nodes.impurity[node])
    _, _, found, branch = inseparable(entry)
    return found.partitions[branch].impurity


def partition_ids(entry: Entry) -> list[int]:
    known, rows = rows_of(entry)
    ids = cells(entry.dataset, entry.how["id"])
    if "order_by" in entry.how:
        values = known.columns[known.feature_index(entry.how["order_by"])]
        rows = rows[np.argsort(values[rows], kind="stable")]
    return [int(ids[row]) for row in known.row_numbers[rows]]


def best_feature(entry: Entry) -> str:
    growth, node = at_node(entry)
    return growth.best_candidates(node)[0].feature


def is_pure(entry: Entry) -> bool:
    growth, node = at_node(entry)
    return growth.tree.stop_reason(node) is engine.StopReason.PURE


def nested(growth: Growth, node: int = 0) -> Any:
    """A tree as nested dicts, as the file writes it."""
    split = growth.tree.split(node)
    if split is None:
        return growth.tree.label(node)
    feature = growth.table.features[split.feature]
    levels = [feature.levels[group[0]] for group in split.groups]
    children = growth.tree.children(node).tolist()
    return {feature.name: {level: nested(growth, child) for level, child in zip(levels, children, strict=True)}}


def grown(entry: Entry) -> Any:
    settings = GrowthSettings(algorithm=entry.how["algorithm"], criterion=entry.how["criterion"])
    return nested(engine.grow(table(entry.dataset), settings))


def predicted(entry: Entry) -> str:
    dataset = {"tennis.tree": "play_tennis.csv", "veg.tree": "vegetation.csv"}[entry.how["tree"]]
    tree = engine.grow(table(dataset)).tree
    return str(tree.predict(pd.DataFrame([entry.how["query"]]))[0])


def question_paths(entry: Entry) -> list[int]:
    """How many questions each person takes, where the first one is given."""
    settings = GrowthSettings.id3(choices=(Choice((), entry.how["first"]),))
    tree = engine.grow(table(entry.dataset), settings).tree
    return [int(tree.nodes.depth[leaf]) for leaf in tree.leaf_of_training_row()]


def entropy_of_counts(entry: Entry) -> float:
    return float(impurity(Criterion.ENTROPY, np.array(entry.how["counts"])))


def logarithm(entry: Entry) -> float:
    x, base = entry.how["x"], entry.how["base"]
    return float(n_log2_n(np.array(x)) / x) / float(n_log2_n(np.array(base)) / base)


def root_probabilities(counts: dict[str, int]) -> dict[str, float]:
    """The probabilities of a leaf with these counts, from a table of as many rows."""
    rows = [(name, "same") for name, count in counts.items() for _ in range(count)]
    frame = pd.DataFrame(rows, columns=["answer", "cell"])
    return engine.grow(engine.read_table(frame, target="answer")).tree.probabilities(0)


def probability(entry: Entry) -> float:
    counts = {f"card {i:02}": count for i, count in enumerate(entry.how["counts"])}
    return list(root_probabilities(counts).values())[entry.how["index"]]


def sorted_ids(entry: Entry) -> list[int]:
    return partition_ids(Entry(entry.id, entry.dataset, "", {**entry.how, "order_by": entry.how["feature"]}, None))


def class_boundaries(entry: Entry) -> list[float]:
    """Of all thresholds in the evidence, those between two neighbours of different class."""
    growth, node = at_node(entry)
    feature = growth.table.feature_index(entry.how["feature"])
    values, classes = growth.table.columns[feature], growth.table.target_values
    thresholds = [c.split.threshold for c in growth.candidates(node) if c.feature == entry.how["feature"]]
    below = [classes[np.where(values < t, values, -np.inf).argmax()] for t in thresholds]
    above = [classes[np.where(values < t, np.inf, values).argmin()] for t in thresholds]
    return [t for t, b, a in zip(thresholds, below, above, strict=True) if t is not None and a != b]


def best_split(entry: Entry) -> list[Any]:
    best = at_node(entry)[0].evidence(0)[0]
    return [best.feature, best.split.threshold]


def node_variance(entry: Entry) -> float:
    known, rows = rows_of(entry)
    numbers = np.array([float(cell) for cell in cells(entry.dataset, entry.how["target"])])
    return variance(numbers[known.row_numbers[rows]])


def weighted_variance(entry: Entry) -> float:
    feature = entry.how["feature"]
    levels = table(entry.dataset).features[table(entry.dataset).feature_index(feature)].levels
    parts = [(level, {**entry.how, "node": {"path": [[feature, "==", level]]}}) for level in levels]
    return sum(
        partition_weight(Entry(entry.id, entry.dataset, "", {**how, "level": level, "node": {"path": []}}, None))
        * node_variance(Entry(entry.id, entry.dataset, "", how, None))
        for level, how in parts
    )


def partition_weight(entry: Entry) -> float:
    partitions = candidate_of(entry).partitions
    part = next(p for p in partitions if p.condition.value == (entry.how["level"],))
    return part.n_rows / sum(p.n_rows for p in partitions)


def stump(entry: Entry) -> Growth:
    """The stump with the rule that the entry gives, taken by hand."""
    threshold = float(np.nextafter(entry.how["threshold"], np.inf))
    choice = Choice((), entry.how["feature"], threshold=threshold)
    return engine.grow(table(entry.dataset), GrowthSettings.stump(choices=(choice,)))


def right_of(growth: Growth, step: int = -1) -> list[int]:
    """How many training rows are right after a step, and how many rows there are."""
    n_rows = growth.table.n_rows
    return [round(growth[step].tree.training_accuracy() * n_rows), n_rows]


def stump_leaves(entry: Entry) -> list[list[Any]]:
    """The leaf where the rule holds (value above the threshold) first: class, right, rows."""
    tree = stump(entry).tree
    below, above = tree.children(0).tolist()
    counts, prediction = tree.nodes.counts, tree.nodes.prediction
    return [[tree.label(n), int(counts[n][prediction[n]]), int(counts[n].sum())] for n in (above, below)]


def greatest_below(growth: Growth, candidate: Candidate) -> float:
    """The threshold as the notes write it: the greatest value in the column below it."""
    column = growth.table.columns[candidate.split.feature]
    return float(column[column < candidate.split.threshold].max())


def stump_candidates(entry: Entry) -> list[list[Any]]:
    growth = engine.grow(table(entry.dataset), GrowthSettings.stump())
    return [[c.feature, greatest_below(growth, c)] for c in growth.candidates(0)]


def best_stump(entry: Entry) -> Any:
    growth, node = forced(entry.dataset, path_of(entry), "misclassification")
    assert node is not None
    best = next(c for c in growth.candidates(node) if c.chosen)
    found = [best.feature, greatest_below(growth, best)]
    return f"{found[0]} > {found[1]}" if isinstance(entry.exact, str) else found


def cell(entry: Entry) -> float | str | None:
    return table(entry.dataset).value(entry.how["column"] - 1, entry.how["row"] - 1)


def column(entry: Entry) -> list[Any]:
    known = table(entry.dataset)
    return [known.value(entry.how["column"] - 1, row) for row in range(known.n_rows)]


def scan_counts(entry: Entry) -> list[list[int]]:
    """Sick and healthy above the threshold of this step of the sorted scan, then below it."""
    candidates = engine.grow(table(entry.dataset), GrowthSettings.stump()).candidates(0)
    below, above = candidates[entry.how["step"] - 1].partitions
    return [[int(count) for count in reversed(part.counts)] for part in (above, below)]


def scan_accuracy(entry: Entry) -> list[int]:
    growth = engine.grow(table(entry.dataset), GrowthSettings.stump())
    if entry.how["step"] == 0:
        return right_of(growth, 0)
    parts = growth.candidates(0)[entry.how["step"] - 1].partitions
    return [int(sum(max(part.counts) for part in parts)), growth.table.n_rows]


def count_of_label(entry: Entry) -> int:
    return class_counts(entry)[entry.how["label"]]


def gains_of_features(entry: Entry) -> dict[str, float]:
    growth, node = at_node(entry)
    return {c.feature: c.gain for c in growth.best_candidates(node)}


def baseline_and_best(entry: Entry) -> dict[str, int]:
    growth = engine.grow(table(entry.dataset), GrowthSettings.stump())
    return {"baseline": right_of(growth, 0)[0], "best": right_of(growth)[0], "n": growth.table.n_rows}


def leaves_of_depth(entry: Entry) -> int:
    settings = GrowthSettings.cart(max_depth=entry.how["depth"])
    return engine.grow(table("stump_by_hand.csv"), settings).tree.n_leaves


CHECKS: dict[str, Callable[[Entry], Any]] = {
    "class_distribution": class_distribution,
    "class_counts": class_counts,
    "impurity": node_impurity,
    "entropy_of_counts": entropy_of_counts,
    "kl_from_uniform": lambda entry: math.log2(len(entry.how["counts"])) - entropy_of_counts(entry),
    "partition_ids": partition_ids,
    "information_gain": lambda entry: candidate_of(entry).gain,
    "best_feature": best_feature,
    "is_pure": is_pure,
    "tree": grown,
    "predict": predicted,
    "question_path_lengths": question_paths,
    "average_questions": lambda entry: float(np.mean(question_paths(entry))),
    "log": logarithm,
    "probability": probability,
    "entropy_term": lambda entry: float(n_log2_n(np.array(entry.how["p"]))),
    "remainder": lambda entry: candidate_of(entry).remainder,
    "gini_of_probabilities": lambda entry: float(impurity(Criterion.GINI, np.array(entry.how["p"]))),
    "sorted_ids": sorted_ids,
    "thresholds": class_boundaries,
    "best_split": best_split,
    "variance": node_variance,
    "partition_weight": partition_weight,
    "weighted_variance": weighted_variance,
    "stump_accuracy": lambda entry: right_of(stump(entry)),
    "baseline_accuracy": lambda entry: right_of(engine.grow(table(entry.dataset), GrowthSettings.stump()), 0),
    "stump_leaves": stump_leaves,
    "stump_candidates": stump_candidates,
    "best_stump": best_stump,
    "cell": cell,
    "column": column,
    "leaf_probability": lambda entry: root_probabilities(entry.how["counts"]),
    "sorted_scan_accuracy": scan_accuracy,
    "sorted_scan_counts": scan_counts,
    "count": count_of_label,
    "information_gain_table": gains_of_features,
    "baseline_and_best_stump": baseline_and_best,
    "full_binary_leaves": leaves_of_depth,
}

BOOSTING = "checked with AdaBoost, in tests/engine/ensembles"
GRADIENT = "checked with gradient boosting, in tests/engine/ensembles"
LATER = {
    "boost_weights": BOOSTING,
    "boost_sample_size": BOOSTING,
    "boost_stump_predictions": BOOSTING,
    "boost_epsilon": BOOSTING,
    "boost_weight_update": BOOSTING,
    "gradient_boosting_column": GRADIENT,
    "gradient_boosting_partitions": GRADIENT,
    "mean": GRADIENT,
    "argmax": "picks the greatest of four given numbers: there is no table behind them",
}
LATER_IDS = {"bike.best": "belongs to trees for numbers: the criterion is variance"}
