"""What the Prune page computes, each behind a bounded cache: the parts, the tree, the pruning, its story and figures."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
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
from engine.pruning import Agreement, Pruning, PruningMethod, PruningSettings, prune, prune_by_all
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
STARTER = '{"target": "%s",\n "tree": {"split": "%s", "prediction": "…",\n  "branches": {"…": "…", "…": "…"}}}'


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


def _given(_: CurrentData, text: str, key: str, _table: Table | None) -> Tree:
    return read_tree(text, _table)


def _prune(_: CurrentData, key: str, _built: Built, _settings: PruningSettings) -> Pruned:
    pruning = prune(_built.growth or _built.tree, _settings, _built.validation)
    return Pruned(_built, pruning, Words.of(pruning), key)


def _story(_: CurrentData, key: str, _pruned: Pruned) -> Story:
    return pack(pruning_story(_pruned.pruning, key))


def _errors(_: CurrentData, key: str, _pruned: Pruned, _table: Table) -> tuple[float, ...]:
    return _pruned.pruning.errors(_table)


def _curve(
    _: CurrentData, key: str, _pruned: Pruned, point: int, _test: Sequence[float] | None, revealed: bool, mode: Mode
) -> tuple[Picture, str]:
    figure = curve_figure(_pruned.words, point, _test, mode=mode, height=CURVE_HEIGHT)
    return picture(figure), curve_text(_pruned.words, point, _test)


def _map(
    _: CurrentData, key: str, step: int, node: int, x: str, y: str | None, mode: Mode, _pruned: Pruned
) -> tuple[Picture, str]:
    tree = _pruned.pruning.tree_after(step)
    figure = regions_figure(tree, x, y, node=node, mode=mode, height=REGIONS_HEIGHT)
    return picture(figure), regions_text(tree, x, y, node=node)


def _agree(_: CurrentData, key: str, _built: Built, _settings: Sequence[PruningSettings]) -> Agreement:
    return prune_by_all(_built.growth or _built.tree, _built.validation, _settings)


split = Cached(_split, shared=48, own=4)
"""The rows in three parts."""
_growths = Cached(_grow, shared=48, own=4)
_trees = Cached(_given, shared=8, own=4)
_prunings = Cached(_prune, shared=48, own=6)
_stories = Cached(_story, shared=48, own=4)
_test_errors = Cached(_errors, shared=48, own=4)
_curves = Cached(_curve, shared=256, own=32)
_maps = Cached(_map, shared=256, own=32)
_agreements = Cached(_agree, shared=48, own=4)


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
    validation, test = _validation(now, parts, data), parts.test
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
    return _built(data, parts, _trees(data, text, key, table), None, validation, test, key)


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
    return _prunings(built.data, f"{built.key} {settings!r}", built, settings)


def story(found: Pruned) -> Story:
    """What the stage shows of a pruning, as the bytes that travel."""
    return _stories(found.built.data, found.key, found)


def test_errors(found: Pruned) -> tuple[float, ...] | None:
    """The error on the test rows at each point of the curve; None without such rows."""
    table = found.built.test
    return None if table is None else _test_errors(found.built.data, f"{found.key} {table.fingerprint}", found, table)


def curve(found: Pruned, point: int, revealed: bool, mode: Mode) -> tuple[Picture, str]:
    """The curve with the current point, and the same in words."""
    test = test_errors(found) if revealed else None
    return _curves(found.built.data, found.key, found, point, test, test is not None, mode)


def regions(found: Pruned, step: int, node: int, x: str, y: str | None, mode: Mode) -> tuple[Picture, str]:
    """The decision regions of the tree after a step, and the same in words."""
    return _maps(found.built.data, found.key, step, node, x, y, mode, found)


def agreement(built: Built, settings: PruningSettings) -> Agreement:
    """All methods on the tree, with the parameters of `settings`."""
    wanted = [replace(settings, method=method) for method in PruningMethod]
    return _agreements(built.data, f"{built.key} {settings!r}", built, wanted)


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
