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
from engine.holdout import ThreeWaySplit
from engine.metrics import error
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
from engine.pruning.depths import DepthPoint, by_depth
from widgets import cached, state
from widgets.cached import Cached
from widgets.chart import Picture, picture
from widgets.prune import state as page
from widgets.prune.pruner import Origin
from widgets.prune.rows import held, private, shares, split
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


def _grow(data: CurrentData, shares: tuple[float, float, int], settings: GrowthSettings) -> Growth:
    parts = split(data, *shares)
    return grow(parts.training, settings, holdout=parts.validation)


def _given(_: CurrentData, text: str, table: Table | None) -> Tree:
    return read_tree(text, table)


def _prune(_: CurrentData, built: Built, settings: PruningSettings) -> Pruned:
    pruning = prune(built.growth or built.tree, settings, built.validation)
    return Pruned(built, pruning, Words(pruning), f"{built.key} {settings!r}")


def _story(_: CurrentData, found: Pruned) -> Story:
    return pack(pruning_story(found.pruning, found.key, words=found.words))


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


def _depths(_: CurrentData, built: Built, tables: tuple[Table, ...]) -> tuple[DepthPoint, ...]:
    return by_depth(built.tree, tables)


def _tested(_: CurrentData, built: Built, settings: tuple[PruningSettings, ...]) -> tuple[float | None, ...]:
    rows = built.test
    opinions = agreement(built, settings[0]).opinions
    return tuple(None if o.pruning is None or rows is None else error(o.pruning.tree, rows) for o in opinions)


def _early(_: CurrentData, built: Built, settings: GrowthSettings) -> EarlyStopping | None:
    return None if built.growth is None else stop_early(built.growth, settings, built.validation)


_HASHES = {Built: lambda built: built.key, PruningSettings: repr}
_OF_PRUNED = {**_HASHES, Pruned: lambda found: found.key}
_growths = Cached(_grow, shared=48, own=4)
_trees = Cached(_given, shared=8, own=4)
_prunings = Cached(_prune, shared=48, own=6, hashes=_HASHES)
_stories = Cached(_story, shared=48, own=4, hashes=_OF_PRUNED)
_test_errors = Cached(_errors, shared=48, own=4, hashes=_OF_PRUNED)
_curves = Cached(_curve, shared=256, own=32, hashes=_OF_PRUNED)
_maps = Cached(_map, shared=256, own=32, hashes=_OF_PRUNED)
_agreements = Cached(_agree, shared=48, own=4, hashes=_HASHES)
_all_tested = Cached(_tested, shared=48, own=4, hashes=_HASHES)
_by_depth = Cached(_depths, shared=48, own=4, hashes=_HASHES)
_stoppings = Cached(_early, shared=48, own=4, hashes=_HASHES)


def build() -> Built:
    """The tree to prune, and the rows to prune it on.

    Raises
    ------
    EngineError
        If the rows, the settings or the student's tree cannot be.
    """
    now, origin = page.pruner(), page.origin()
    data = private(now)
    parts = split(data, *shares(now))
    validation: Table | None = held(now, parts)
    test: Table | None = parts.test
    if origin is Origin.GROWN:
        growth = _growths(data, shares(now), state.settings())
        tree, key = growth.tree, f"{growth.source.fingerprint} {state.settings()!r}"
        if state.settings().holdout_stop:
            key += parts.validation.fingerprint
        return _built(data, parts, tree, growth, validation, test, key)
    text = TREE_FILE.read_text(encoding="utf-8") if origin is Origin.PUBLISHED else now.text
    if not text.strip():
        raise TreeError("there is no tree yet; enter one on the left, or load a file.")
    counted = origin is Origin.OWN and now.counted
    if not counted:
        validation, test = cached.table(data) if now.rows is None else validation, None
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
    judging = validation if validation is not None and validation.n_rows else None
    tested = test if test is not None and test.n_rows else None
    seen = " ".join("" if rows is None else rows.fingerprint for rows in (judging, tested, parts.training))
    return Built(data, parts, tree, growth, judging, tested, f"{key} {seen}")


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
    return _agreements(built.data, built, _by_all(settings))


def all_tested(built: Built, settings: PruningSettings) -> tuple[float | None, ...] | None:
    """The error of each method's tree on the test rows; None without such rows."""
    return None if built.test is None else _all_tested(built.data, built, _by_all(settings))


def _by_all(settings: PruningSettings) -> tuple[PruningSettings, ...]:
    return tuple(replace(settings, method=method) for method in PruningMethod)


def measured_on(built: Built, revealed: bool) -> list[str]:
    """The rows that errors are measured on, by name."""
    return [name for name, _ in _measured(built, revealed)]


def depths(built: Built, revealed: bool) -> tuple[DepthPoint, ...]:
    """The full tree at every depth, with its errors on the rows of `measured_on`.

    Raises
    ------
    EngineError
        If the rows do not fit the tree.
    """
    return _by_depth(built.data, built, tuple(table for _, table in _measured(built, revealed)))


def _measured(built: Built, revealed: bool) -> list[tuple[str, Table]]:
    """Rows that there are and that may be seen; those that a tree of one's own was not counted on did not train it."""
    trained = built.parts.training if built.tree.table.n_rows else None
    found = [("training", trained), ("validation", built.validation), ("test", built.test if revealed else None)]
    return [(name, table) for name, table in found if table is not None and table.n_rows]


def early(built: Built, settings: GrowthSettings) -> EarlyStopping | None:
    """The full tree beside the one that a stopping rule leaves; None where the tree was not grown here."""
    return _stoppings(built.data, built, settings)


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
