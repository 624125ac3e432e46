"""A plain recursion over the evidence: the oracle that the fast search is held against."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.criteria import impurity
from engine.evidence import Decision, Scores, decide, only_small_leaves_barred, score_choice, score_node
from engine.settings import Choice, ResolvedSettings
from engine.splits import Condition, is_numeric
from engine.table import IntArray, Table
from engine.trace import StopReason
from engine.tree import SPLIT_KINDS, STOP_REASONS, Nodes, majority


def plain_tree(table: Table, rules: ResolvedSettings, choices: Sequence[Choice] = ()) -> Nodes:
    """Plain recursion; replaced by the level-by-level search."""
    rows_: list[dict] = []
    groups = {}
    leaf_of_row = np.zeros(table.n_rows, dtype=np.int64)

    def visit(rows: IntArray, parent: int, branch: int, depth: int, used: frozenset[int], path: tuple[Condition, ...]) -> int:
        node = len(rows_)
        counts = np.bincount(table.target_values[rows], minlength=table.n_classes)
        up = rows_[parent] if parent >= 0 else None
        me = dict(parent=parent, branch=branch, depth=depth, feature=-1, kind=-1, threshold=np.nan, children=[], counts=counts,
                  impurity=float(impurity(rules.criterion, counts)),
                  prediction=majority(counts, up["counts"] if up else None, up["prediction"] if up else 0),
                  informed_by=node if len(rows) else up["informed_by"], stop=-1, scored=False, by_choice=False)
        rows_.append(me)
        leaf_of_row[rows] = node
        usable = [i for i, f in enumerate(table.features) if is_numeric(f) or i not in used]
        reason = None
        if not len(rows): reason = StopReason.NO_ROWS
        elif np.count_nonzero(counts) == 1: reason = StopReason.PURE
        elif rules.max_depth is not None and depth >= rules.max_depth: reason = StopReason.MAX_DEPTH
        elif len(rows) < rules.min_samples_split: reason = StopReason.MIN_SAMPLES_SPLIT
        elif not usable: reason = StopReason.NO_FEATURES
        won: tuple[Scores, int] | None = None
        if reason is None:
            me["scored"] = True
            choice = next((c for c in choices if c.path == path), None)
            own = score_choice(table, rules, rows, choice) if choice else None
            scored = score_node(table, rules, rows, usable)
            d: Decision | None = decide(scored)
            if own is not None:
                won = (own, 0); me["by_choice"] = True
            elif d is None:
                reason = StopReason.MIN_SAMPLES_LEAF if only_small_leaves_barred(scored) else StopReason.NO_USEFUL_SPLIT
            elif scored[d.scores].gain[d.index] < rules.min_gain: reason = StopReason.MIN_GAIN
            else: won = (scored[d.scores], d.index)
        if won is None:
            assert reason is not None
            me["stop"] = STOP_REASONS.index(reason)
            return node
        split = won[0].split(won[1])
        me["feature"] = split.feature; me["kind"] = SPLIT_KINDS.index(split.kind)
        if split.threshold is not None: me["threshold"] = split.threshold
        else: groups[node] = split.groups
        spec = table.features[split.feature]
        where = split.branch_of(table.columns[split.feature][rows], spec)
        below = used | {split.feature} if rules.once_on_a_path else used
        for b, cond in enumerate(split.conditions(spec)):
            me["children"].append(visit(rows[where == b], node, b, depth + 1, below, (*path, cond)))
        return node

    visit(np.arange(table.n_rows), -1, 0, 0, frozenset(), ())
    col = lambda k, t=np.int64: np.array([r[k] for r in rows_], dtype=t)
    n_children = np.array([len(r["children"]) for r in rows_])
    return Nodes(parent=col("parent"), branch=col("branch"), depth=col("depth"), feature=col("feature"), kind=col("kind"),
                 threshold=col("threshold", float), groups=groups, first_child=np.cumsum(n_children) - n_children, n_children=n_children,
                 children=np.array([c for r in rows_ for c in r["children"]], dtype=np.int64), counts=np.array([r["counts"] for r in rows_]),
                 impurity=col("impurity", float), prediction=col("prediction"), informed_by=col("informed_by"), subtree_end=np.zeros(len(rows_), dtype=int), stop=col("stop"),
                 scored=col("scored", bool), by_choice=col("by_choice", bool), leaf_of_row=leaf_of_row)
