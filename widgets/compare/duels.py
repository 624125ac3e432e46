"""Built-in duels: two settings on one table, and what to look for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine import CategoricalSplits, Choice, Condition, Criterion, GrowthSettings, Op
from engine.comparison_rows import RowChoice
from widgets import state
from widgets.compare import state as sides


@dataclass(frozen=True)
class Duel:
    """Two trees that are worth seeing side by side.

    Attributes
    ----------
    title : str
    watch : str
        What to look for.
    dataset : str
    first, second : GrowthSettings
    ignore : tuple of str or None
        Columns left out; None is as the catalogue says.
    categorical : tuple of str
        Features forced to be categorical.
    holdout : float
        Share of the rows set aside.
    dataset_b : str
        The second side's own dataset; "" is the same.
    rows, rows_b : RowChoice
    """

    title: str
    watch: str
    dataset: str
    first: GrowthSettings
    second: GrowthSettings
    ignore: tuple[str, ...] | None = None
    categorical: tuple[str, ...] = ()
    holdout: float = 0.0
    dataset_b: str = ""
    rows: RowChoice = field(default_factory=RowChoice)
    rows_b: RowChoice = field(default_factory=RowChoice)


def _by_images() -> tuple[Choice, ...]:
    """The deeper of the two spam trees: it asks for images first, which says nothing by itself."""
    no, yes = (Condition("contains_images", Op.IN, (value,)) for value in ("false", "true"))
    return (
        Choice((), "contains_images"),
        Choice((no,), "unknown_sender"),
        Choice((yes,), "suspicious_words"),
    )


_ID3 = GrowthSettings.id3()

DUELS: Mapping[str, Duel] = {
    "entropy_gini": Duel(
        title="Entropy against Gini",
        watch="Both criteria are good and still begin with another feature: see how close the scores are at the root.",
        dataset="wine",
        first=_ID3,
        second=GrowthSettings.id3(criterion=Criterion.GINI),
    ),
    "id_column": Duel(
        title="Gain against gain ratio",
        watch="The ID has the greatest gain there can be: a leaf a row, and nothing learnt. Divided by its split "
        "information it loses to elevation.",
        dataset="vegetation_continuous",
        first=_ID3,
        second=GrowthSettings.id3(criterion=Criterion.GAIN_RATIO),
        ignore=(),
        categorical=("id",),
    ),
    "accuracy_gain": Duel(
        title="Accuracy against gain",
        watch="No first split gets more rows right, so accuracy is stuck at the root; gain reaches a perfect tree "
        "in four splits.",
        dataset="xo_accuracy_fails_reconstructed",
        first=GrowthSettings.cart(criterion=Criterion.MISCLASSIFICATION),
        second=GrowthSettings.cart(criterion=Criterion.ENTROPY),
    ),
    "misclassification_entropy": Duel(
        title="Misclassification against entropy",
        watch="The class is x2 and x5. No split lowers the misclassification at the root, so the first column wins a "
        "tie; entropy sees x2 at once.",
        dataset="derived_boolean_x2_and_x5",
        first=GrowthSettings.id3(criterion=Criterion.MISCLASSIFICATION),
        second=_ID3,
    ),
    "multiway_binary": Duel(
        title="Multiway against binary",
        watch="Outlook has three levels. Two groups ask more questions, each of more rows: compare depth and leaves.",
        dataset="play_tennis",
        first=_ID3,
        second=GrowthSettings.id3(categorical_splits=CategoricalSplits.SUBSET),
    ),
    "stump_tree": Duel(
        title="A stump against a tree",
        watch="One question gets most of the rows right. See what the tree's further questions add, on the rows "
        "set aside too.",
        dataset="titanic",
        first=GrowthSettings.stump(),
        second=GrowthSettings.cart(),
        holdout=0.3,
    ),
    "spam_trees": Duel(
        title="Two consistent spam trees",
        watch="Both trees get every e-mail right. Which would you trust with a new one? Shallow trees are preferred.",
        dataset="spam_emails",
        first=_ID3,
        second=GrowthSettings.id3(choices=_by_images()),
    ),
    "one_noisy_row": Duel(
        title="With and without noise",
        watch="One wrong row more: the root stays, and a part below it grows to make room for the row.",
        dataset="play_tennis",
        first=_ID3,
        second=_ID3,
        dataset_b="play_tennis_noisy",
    ),
    "fewer_rows": Duel(
        title="With and without one row in twenty",
        watch="Same settings; B lacks 5 % of the rows, drawn at random. = marks what survives. Draw anew under Rows "
        "of tree B: tests change, errors hardly.",
        dataset="breast_cancer",
        first=GrowthSettings.cart(),
        second=GrowthSettings.cart(),
        rows_b=RowChoice(dropped=0.05),
    ),
    "xor": Duel(
        title="XOR: no first split helps",
        watch="Every first split gains 0, never less. CART wants a gain and cannot beat the baseline; ID3 splits all "
        "the same: perfect after two questions.",
        dataset="derived_xor",
        first=GrowthSettings.cart(),
        second=_ID3,
    ),
}
"""By the name that a page keeps."""


def open_duel(name: str) -> None:
    """Make a duel the session's data and both sides' settings; "" leaves all as it is.

    Raises
    ------
    TableError
        If its data makes no table.
    """
    if not name:
        return
    duel = DUELS[name]
    state.use_dataset(duel.dataset)
    now = state.data()
    ignored = now.ignore if duel.ignore is None else duel.ignore
    state.set_reading(ignored, (*now.categorical, *duel.categorical), now.numeric)
    state.set_holdout(duel.holdout, 0)
    state.use_settings(duel.first)
    sides.change(settings=duel.second, data=state.ready(duel.dataset_b) if duel.dataset_b else None)
    sides.change(rows=duel.rows, rows_b=duel.rows_b, step=0, duel=name)
