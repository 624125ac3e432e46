"""What the Prune page computes, each behind a bounded cache: parts, tree, pruning, story and figures."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

from datasets import FILES
from drawing.figures.pruning import curve_figure, curve_text
from drawing.figures.regions import regions_figure, regions_text
from drawing.pruning import Words
from drawing.pruning_story import pruning_story
from drawing.theme import Mode
from engine import Growth, GrowthSettings, Table, Tree, TreeError, grow
from engine.given import read_tree
from engine.holdout import ThreeWaySplit, split_three
from engine.ingest import read_table
from engine.pruning import (
    Agreement,
    EarlyStopping,
    Pruning,
    PruningMethod,
    PruningSettings,
    prune,
    prune_by_all,
    stop_early,
)
from engine.splits import is_numeric
from widgets import cached, state
from widgets.cached import Cached
from widgets.chart import Picture, picture
from widgets.prune import state as page
from widgets.prune.pruner import Origin, Pruner
from widgets.session import CurrentData
from widgets.stage import Story, pack

CURVE_HEIGHT = 300
REGIONS_HEIGHT = 300
TREE_FILE = FILES / "postoperative_tree.json"


@dataclass(frozen=True, eq=False)
class Built:
    """Everything under the controls.

    Attributes
    ----------
    data : CurrentData
        Treated as private where the tree or the validation rows are the student's own.
    parts : ThreeWaySplit
    tree : Tree
    growth : Growth or None
        None where the tree was given.
    validation, test : Table or None
    key : str
        Names tree and validation rows: equal keys, equal ones.
    """

    data: CurrentData
    parts: ThreeWaySplit
    tree: Tree
    growth: Growth | None
    validation: Table | None
    test: Table | None
    key: str


@dataclass(frozen=True, eq=False)
class Pruned:
    """A pruning under the controls, and its words; `key` names it."""

    built: Built
    pruning: Pruning
    words: Words
    key: str


def _split(data: CurrentData, validation: float, test: float, seed: int) -> ThreeWaySplit:
    return split_three(cached.table(data), validation, test, seed)


def _grow(data: CurrentData, shares: tuple[float, float, int], settings: GrowthSettings) -> Growth:
    parts = split(data, *shares)
    return grow(parts.training, settings, holdout=parts.validation)


def _given(_: CurrentData, text: str, table: Table | None) -> Tree:
    return read_tree(text, table)


def _prune(_: CurrentData, built: Built, settings: PruningSettings) -> Pruned:
    pruning = prune(built.growth or built.tree, settings, built.validation)
    return Pruned(built, pruning, Words.of(pruning), f"{built.key} {settings!r}")


def _story(_: CurrentData, found: Pruned) -> Story:
    return pack(pruning_story(found.pruning, found.key))


def _errors(_: CurrentData, found: Pruned, table: Table) -> tuple[float, ...]:
    return found.pruning.errors(table)


def _curve(
    _: CurrentData, found: Pruned, point: int, test: tuple[float, ...] | None, mode: Mode
) -> tuple[Picture, str]:
    figure = curve_figure(found.words, point, test, mode=mode, height=CURVE_HEIGHT)
    return picture(figure), curve_text(found.words, point, test)


def _map(_: CurrentData, found: Pruned, step: int, node: int, x: str, y: str | None, mode: Mode) -> tuple[Picture, str]:
    tree = found.pruning.tree_after(step)
    figure = regions_figure(tree, x, y, node=node, mode=mode, height=REGIONS_HEIGHT)
    return picture(figure), regions_text(tree, x, y, node=node)


def _agree(_: CurrentData, built: Built, settings: tuple[PruningSettings, ...]) -> Agreement:
    return prune_by_all(built.growth or built.tree, built.validation, settings)


def _early(_: CurrentData, built: Built, settings: GrowthSettings) -> EarlyStopping | None:
    return None if built.growth is None else stop_early(built.growth, settings, built.validation)


_HASHES = {Built: lambda built: built.key, PruningSettings: repr}
_OF_PRUNED = {**_HASHES, Pruned: lambda found: found.key}
split = Cached(_split, shared=48, own=4)
"""The rows in three parts."""
_growths = Cached(_grow, shared=48, own=4)
_trees = Cached(_given, shared=8, own=4)
_prunings = Cached(_prune, shared=48, own=6, hashes=_HASHES)
_stories = Cached(_story, shared=48, own=4, hashes=_OF_PRUNED)
_test_errors = Cached(_errors, shared=48, own=4, hashes=_OF_PRUNED)
_curves = Cached(_curve, shared=256, own=32, hashes=_OF_PRUNED)
_maps = Cached(_map, shared=256, own=32, hashes=_OF_PRUNED)
_agreements = Cached(_agree, shared=48, own=4, hashes=_HASHES)
_stoppings = Cached(_early, shared=48, own=4, hashes=_HASHES)


def build() -> Built:
    """The tree to prune, and the rows to prune it on.

    Raises
    ------
    EngineError
        If the rows, the settings or the student's tree cannot be.
    """
    now, origin = page.pruner(), page.origin()
    data = replace(state.data(), edited=True) if now.private else state.data()
    parts = split(data, now.validation, now.test, now.seed)
    validation: Table | None = _validation(now, parts, data)
    test: Table | None = parts.test
    if origin is Origin.GROWN:
        growth = _growths(data, (now.validation, now.test, now.seed), state.settings())
        tree, key = growth.tree, f"{growth.source.fingerprint} {state.settings()!r}"
        if state.settings().holdout_stop:
            key += parts.validation.fingerprint
        return _built(data, parts, tree, growth, validation, test, key)
    text = TREE_FILE.read_text(encoding="utf-8") if origin is Origin.PUBLISHED else now.text
    if not text.strip():
        raise TreeError("there is no tree yet; enter one on the left, or load a file.")
    counted = origin is Origin.OWN and now.counted
    if not counted and now.rows is None:
        validation, test = cached.table(data), None
    table = parts.training if counted else None
    key = f"{origin} {_digest(text)} {None if table is None else table.fingerprint}"
    return _built(data, parts, _trees(data, text, table), None, validation, test, key)


def _built(
    data: CurrentData,
    parts: ThreeWaySplit,
    tree: Tree,
    growth: Growth | None,
    validation: Table | None,
    test: Table | None,
    key: str,
) -> Built:
    held = validation if validation is not None and validation.n_rows else None
    tested = test if test is not None and test.n_rows else None
    seen = "" if held is None else held.fingerprint
    return Built(data, parts, tree, growth, held, tested, f"{key} {seen} {parts.training.fingerprint}")


def _validation(now: Pruner, parts: ThreeWaySplit, data: CurrentData) -> Table | None:
    """The validation rows: those of the split, or uploaded ones, read like the table."""
    if now.rows is None:
        return parts.validation
    columns = [str(name) for name in now.rows.frame.columns]
    features = [feature for feature in cached.table(data).features if feature.name in columns]
    return read_table(
        now.rows,
        target=data.target,
        ignore=tuple(name for name in columns if name in data.ignore),
        categorical=tuple(f.name for f in features if not is_numeric(f)),
        numeric=tuple(f.name for f in features if is_numeric(f)),
        task=cached.table(data).target.kind.value,
    )


def pruned(built: Built, settings: PruningSettings) -> Pruned:
    """The pruning under the controls.

    Raises
    ------
    EngineError
        If the method cannot be used here.
    """
    return _prunings(built.data, built, settings)


def story(found: Pruned) -> Story:
    """What the stage shows of a pruning, as the bytes that travel."""
    return _stories(found.built.data, found)


def test_errors(found: Pruned) -> tuple[float, ...] | None:
    """The error on the test rows at each point of the curve; None without such rows."""
    table = found.built.test
    return None if table is None else _test_errors(found.built.data, found, table)


def curve(found: Pruned, point: int, revealed: bool, mode: Mode) -> tuple[Picture, str]:
    """The curve with the current point, and the same in words."""
    return _curves(found.built.data, found, point, test_errors(found) if revealed else None, mode)


def regions(found: Pruned, step: int, node: int, x: str, y: str | None, mode: Mode) -> tuple[Picture, str]:
    """The decision regions of the tree after a step, and the same in words."""
    return _maps(found.built.data, found, step, node, x, y, mode)


def agreement(built: Built, settings: PruningSettings) -> Agreement:
    """All methods on the tree, with the parameters of `settings`."""
    wanted = tuple(replace(settings, method=method) for method in PruningMethod)
    return _agreements(built.data, built, wanted)


def early(built: Built, settings: GrowthSettings) -> EarlyStopping | None:
    """The full tree beside the one that a stopping rule leaves; None where the tree was not grown here."""
    return _stoppings(built.data, built, settings)


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
