"""The two sides of a comparison in words: what sets them apart, and what of them can be compared.

Plain text, like wording.py; comparison_sentences.py tells the steps.
"""

from __future__ import annotations

from drawing import wording
from drawing.theme import quantity
from engine import Algorithm, CategoricalSplits, Criterion, Growth, GrowthSettings
from engine.comparison import Comparison, Side
from engine.comparison_rows import RowChoice, Shared

LETTERS = {Side.FIRST: "A", Side.SECOND: "B"}
"""What the screen calls the two sides."""

ALGORITHMS = {Algorithm.ID3: "ID3", Algorithm.C45: "C4.5", Algorithm.CART: "CART", Algorithm.STUMP: "Stump"}
"""What the screen calls the algorithms."""


def algorithm(settings: GrowthSettings) -> str:
    """The algorithm's name.

    >>> algorithm(GrowthSettings.cart())
    'CART'
    """
    return ALGORITHMS[settings.algorithm]


def heading(growth: Growth, rows: RowChoice | None = None) -> str:
    """A side in a line: algorithm, criterion, and every setting that is not the preset's own."""
    return " · ".join(
        [algorithm(growth.settings), criterion_name(growth.rules.criterion), *_further(growth), *rows_words(rows)]
    )


def rows_words(rows: RowChoice | None) -> list[str]:
    """What was done to a side's rows.

    >>> rows_words(RowChoice(without=(14,), noise=0.1))
    ['without row 15', '10 % of the targets wrong']
    """
    if rows is None:
        return []
    said = []
    if rows.only is not None:
        said.append(f"{wording.rows(len(rows.only))} only")
    if rows.without:
        named = [str(row + 1) for row in rows.without[:4]]
        if len(rows.without) > 4:
            said.append(f"without {wording.rows(len(rows.without))}")
        else:
            said.append(f"without row{'s' if len(named) > 1 else ''} {wording.listed(named)}")
    if rows.dropped:
        said.append(f"{quantity(round(100 * rows.dropped, 1))} % of the rows left out")
    if rows.noise:
        said.append(f"{quantity(round(100 * rows.noise, 1))} % of the targets wrong")
    return said


def names(comparison: Comparison) -> tuple[str, str]:
    """Each side's letter with the first thing that sets it apart: `A (entropy)` and `B (Gini)`."""
    one, other = (
        [algorithm(growth.settings), criterion_name(growth.rules.criterion), *_further(growth), *_data(growth)]
        for growth in (comparison.first, comparison.second)
    )
    return _named(Side.FIRST, one, other), _named(Side.SECOND, other, one)


def _named(side: Side, own: list[str], other: list[str]) -> str:
    apart = next((word for word in own if word not in other), None)
    return LETTERS[side] if apart is None else f"{LETTERS[side]} ({apart})"


def criterion_name(criterion: Criterion) -> str:
    """A criterion in a word or two.

    >>> criterion_name(Criterion.GINI), criterion_name(Criterion.GAIN_RATIO)
    ('Gini', 'gain ratio')
    """
    measured = wording.measure(criterion)
    return measured.name if criterion is Criterion.GAIN_RATIO else measured.impurity


def _data(growth: Growth) -> list[str]:
    return [wording.plain(growth.source.target.name), wording.rows(growth.source.n_rows)]


def _further(growth: Growth) -> list[str]:
    """The settings that are not the preset's own."""
    settings, rules = growth.settings, growth.rules
    said = []
    if settings.categorical_splits is CategoricalSplits.SUBSET:
        said.append("groups of levels")
    if settings.categorical_splits is CategoricalSplits.MULTIWAY and settings.algorithm in (
        Algorithm.CART,
        Algorithm.STUMP,
    ):
        said.append("a branch a level")
    if settings.max_depth is not None:
        said.append(f"depth up to {settings.max_depth}")
    if rules.min_samples_split > 2:
        said.append(f"{rules.min_samples_split} rows to split")
    if rules.min_samples_leaf > 1:
        said.append(f"{rules.min_samples_leaf} rows a branch")
    if rules.min_gain:
        said.append(f"gain from {quantity(rules.min_gain)}")
    if settings.significance is not None:
        said.append(f"significance {quantity(settings.significance)}")
    if settings.holdout_stop:
        said.append("stops by the holdout")
    if settings.missing is not None:
        said.append(f"missing: {settings.missing.replace('_', ' ')}")
    if settings.costs:
        said.append("costs")
    if settings.class_weights is not None:
        said.append("class weights")
    if settings.max_features is not None:
        said.append(f"{settings.max_features} features drawn, seed {settings.seed}")
    if settings.choices:
        n = len(settings.choices)
        said.append(f"{n} split{'s' if n > 1 else ''} by hand")
    return said


def comparable(comparison: Comparison, common: Shared) -> list[str]:
    """What of the two trees can be compared, and what cannot, a sentence each; none where all can."""
    first, second = comparison.first.source, comparison.second.source
    said = []
    if not common.same_target:
        one, other = (wording.plain(table.target.name) for table in (first, second))
        if one == other:
            said.append(f"Both predict {one}, but not the same classes: errors are not comparable.")
        else:
            said.append(
                f"A predicts {one}, B predicts {other}: which features are tested where, size and depth can be "
                "compared; answers, gains and errors cannot."
            )
    if not common.same_rows:
        said.append(_other_rows(common))
    if common.n_other_target:
        said.append(
            f"{_targets(common.n_other_target)} on the two sides: tests, size and depth can be compared; "
            "gains and training errors refer to other targets."
        )
    return said


def _other_rows(common: Shared) -> str:
    n = len(common.first)
    if not n:
        return "The sides share no row: only size and depth can be compared."
    return (
        f"A has {wording.rows(common.n_first)}, B {wording.rows(common.n_second)}, {quantity(n)} of them the same: "
        "tests, size and depth can be compared; counts, gains and training errors come from other rows."
    )


def _targets(n: int) -> str:
    return "1 row has another target" if n == 1 else f"{n} rows have another target"


def survival(comparison: Comparison) -> str:
    """How much of the first tree the second one has."""
    n, equal = len(comparison.first.tree.nodes), sum(pair.equal for pair in comparison.pairs)
    if not comparison.different and n == len(comparison.second.tree.nodes):
        return "The two trees are the same."
    return f"= {equal} of A's {n} {'node' if n == 1 else 'nodes'} survive in B; ≠ the others do not."


def units(comparison: Comparison) -> str:
    """Whether the scores of the two sides are in the same unit; empty where they are."""
    one, other = (wording.measure(g.rules.criterion) for g in (comparison.first, comparison.second))
    if one == other:
        return ""
    return f"{one.name.capitalize()} and {other.name} are not in the same unit: compare the ranking, not the numbers."
