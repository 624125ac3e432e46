"""Pruning one tree by every method: `python -m benchmarks.pruning [ROWS …]`.

Ten numeric features, three classes; seven rows in ten grow the tree, the others validate. Timed are
the decisions of each method with its curve, and all methods together; medians of five. The aim is
1 s for all of them on a tree of 1,000 leaves.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from statistics import median

import engine
from benchmarks import data
from engine.pruning import prune_by_all

TURNS = 5


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pruning", description="One tree, every method.")
    parser.add_argument("rows", nargs="*", type=int, default=[1_000, 17_000], help="sizes of the table")
    for n in parser.parse_args().rows:
        training, validation = engine.split_holdout(data.numeric(n), 0.3)
        growth = engine.grow(training)
        print(f"{n:,} rows, {growth.tree.n_leaves:,} leaves")
        for method in engine.PruningMethod:
            taken, leaves = _timed(partial(_pruned, growth, engine.PruningSettings(method=method), validation))
            print(f"  {method:28}{1e3 * taken:8.1f} ms   {leaves} leaves")
        taken, _ = _timed(partial(_by_all, growth, validation))
        print(f"  {'all':28}{1e3 * taken:8.1f} ms", flush=True)


def _pruned(growth: engine.Growth, settings: engine.PruningSettings, validation: engine.Table) -> int:
    found = engine.prune(growth, settings, validation)
    return found.curve[found.chosen].n_leaves


def _by_all(growth: engine.Growth, validation: engine.Table) -> int:
    opinions = prune_by_all(growth, validation).opinions
    return len([opinion.validation_error for opinion in opinions])


def _timed(call: Callable[[], int]) -> tuple[float, int]:
    taken = []
    for _ in range(TURNS):
        start = time.perf_counter()
        result = call()
        taken.append(time.perf_counter() - start)
    return median(taken), result


if __name__ == "__main__":
    main()
