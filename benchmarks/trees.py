"""Growing, side by side with scikit-learn: `python -m benchmarks.trees [CASE …] [--quick]`.

Both grow on the same rows with entropy, in one process and one thread, turn and turn about; the
medians and their ratio are printed beside the bar. What is done once for a table is outside the timing
on both sides: our ranks of the numeric values and, up to a million of them, their order;
scikit-learn's float32 matrix. `-full` is without a limit of depth, the others have depth 6. Tennis and
iris include the evidence of every node (`growth.scores`: counts, impurities, remainder, gain and ratios
of every candidate, as arrays), which scikit-learn does not give. The data is described in
benchmarks/data.py.

`evidence…` cases have no opponent: they time all thresholds of one numeric feature at the root.
`memory` grows 1,000,000 × 10 in a process of its own and prints the peak over the loaded table.
"""

from __future__ import annotations

import argparse
import gc
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from statistics import median

import numpy as np
from sklearn.tree import DecisionTreeClassifier

import engine
from benchmarks import data
from engine.table import Table


@dataclass(frozen=True)
class Case:
    """One line of the result. `bar` is a ratio to scikit-learn, or milliseconds for evidence."""

    name: str
    make: Callable[[], Table]
    bar: float
    max_depth: int | None = None
    evidence: bool = False
    large: bool = False


CASES = (
    Case("tennis", lambda: _ready("play_tennis", "play", ("day",)), 0.8, evidence=True),
    Case("iris", lambda: _ready("iris", "target"), 0.8, evidence=True),
    Case("num1k", partial(data.numeric, 1_000), 0.5, max_depth=6),
    Case("num10k", partial(data.numeric, 10_000), 0.25, max_depth=6),
    Case("num10k-full", partial(data.numeric, 10_000), 0.3),
    Case("num100k", partial(data.numeric, 100_000), 0.15, max_depth=6),
    Case("num100k-full", partial(data.numeric, 100_000), 0.2),
    Case("num1m", partial(data.numeric, 1_000_000), 0.15, max_depth=6, large=True),
    Case("cat10k", partial(data.categorical, 10_000), 0.4, max_depth=6),
    Case("cat10k-full", partial(data.categorical, 10_000), 0.4),
    Case("cat100k", partial(data.categorical, 100_000), 0.35, max_depth=6),
    Case("cat100k-full", partial(data.categorical, 100_000), 0.35),
    Case("cat1m", partial(data.categorical, 1_000_000), 0.2, max_depth=6, large=True),
)
EVIDENCE = (
    Case("evidence10k", partial(data.numeric, 10_000), 1),
    Case("evidence100k", partial(data.numeric, 100_000), 20),
    Case("evidence1m", partial(data.numeric, 1_000_000), 200, large=True),
)


def main() -> None:
    names = [case.name for case in (*CASES, *EVIDENCE)] + ["memory"]
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.trees", description="Growing, side by side with scikit-learn."
    )
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"any of {', '.join(names)}; all if none is named")
    parser.add_argument("--quick", action="store_true", help="without a million rows, and fewer turns")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.cases if name not in names]
    if unknown:
        parser.error(f"no case {unknown[0]!r}; choose from {', '.join(names)}")
    turns = 3 if arguments.quick else 7

    def wanted(name: str, large: bool) -> bool:
        return name in arguments.cases or (not arguments.cases and not (large and arguments.quick))

    print(f"{'case':14}{'scikit-learn':>14}{'espalier':>12}{'ratio':>8}{'bar':>7}   leaves")
    for case in CASES:
        if wanted(case.name, case.large):
            _print_ratio(case, turns)
    for case in EVIDENCE:
        if wanted(case.name, case.large):
            _print_evidence(case, turns)
    if wanted("memory", large=True):
        print(
            subprocess.run(
                [sys.executable, "-m", "benchmarks.memory"], check=True, text=True, capture_output=True
            ).stdout,
            end="",
        )


def _print_ratio(case: Case, turns: int) -> None:
    table = case.make()
    _ = table.rank_matrix
    matrix, target = data.as_matrix(table), np.asarray(table.target_values, dtype=np.intp)
    settings = engine.GrowthSettings.id3(max_depth=case.max_depth)

    def theirs() -> int:
        model = DecisionTreeClassifier(criterion="entropy", max_depth=case.max_depth, random_state=0)
        return int(model.fit(matrix, target).get_n_leaves())

    def ours() -> int:
        growth = engine.grow(table, settings)
        if case.evidence:
            for node in range(growth.tree.n_nodes):
                growth.scores(node)
        return growth.tree.n_leaves

    their_leaves, our_leaves = theirs(), ours()
    their_time, our_time = alternate(theirs, ours, turns)
    ratio = our_time / their_time
    print(
        f"{case.name:14}{1e3 * their_time:11.2f} ms{1e3 * our_time:9.2f} ms{ratio:8.2f}{case.bar:7.2f} "
        f"{'  ' if ratio <= case.bar else '! '}{our_leaves} / {their_leaves}",
        flush=True,
    )


def _print_evidence(case: Case, turns: int) -> None:
    table = case.make()
    _ = table.rank_matrix
    growth = engine.grow(table, engine.GrowthSettings.id3(max_depth=1))
    growth.scan(0, 0)
    taken = 1e3 * median(_timed(lambda: growth.scan(0, 0), 1) for _ in range(2 * turns + 1))
    print(f"{case.name:14}{'':14}{taken:9.2f} ms{'':8}{case.bar:4.0f} ms{'' if taken < case.bar else ' !'}", flush=True)


def alternate(first: Callable[[], object], second: Callable[[], object], turns: int) -> tuple[float, float]:
    """Median seconds of two calls, run turn and turn about; short calls are repeated within a turn."""
    once = max(_timed(first, 1), 1e-6)
    inner = max(1, round(0.02 / once))
    turns = turns if once < 5 else 3
    if inner > 1:
        turns *= 3
    gc.collect()
    pairs = [(_timed(first, inner), _timed(second, inner)) for _ in range(turns)]
    return median(p[0] for p in pairs), median(p[1] for p in pairs)


def _timed(call: Callable[[], object], times: int) -> float:
    start = time.perf_counter()
    for _ in range(times):
        call()
    return (time.perf_counter() - start) / times


def _ready(name: str, target: str, ignore: tuple[str, ...] = ()) -> Table:
    return engine.read_table(f"datasets/files/{name}.csv", target=target, ignore=ignore)


if __name__ == "__main__":
    main()
