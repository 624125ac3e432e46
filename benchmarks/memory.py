"""Peak memory of growing on 1,000,000 × 10 over the loaded table: `python -m benchmarks.memory`.

The table with its ranks counts as loaded. What is printed is the greatest resident size of the
process while it grew less its resident size when the table stood (Linux).
"""

from __future__ import annotations

import gc
import resource
from pathlib import Path

import engine
from benchmarks import data

BAR_MB = 600


def main() -> None:
    table = data.numeric(1_000_000)
    _ = table.rank_matrix
    gc.collect()
    loaded = int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    for depth in (6, None):
        growth = engine.grow(table, engine.GrowthSettings.id3(max_depth=depth))
        peak = max(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024, before)
        over = (peak - loaded) / 1e6
        limit = "unlimited" if depth is None else f"depth {depth}"
        print(
            f"memory, {limit}: {over:.0f} MB over the loaded table's process of {loaded / 1e6:.0f} MB, "
            f"bar {BAR_MB} MB{'' if over < BAR_MB else ' !'} ({growth.tree.n_leaves} leaves)",
            flush=True,
        )


if __name__ == "__main__":
    main()
