"""read_tree(): a tree that was entered by hand, or written by another program, as one that can be used and pruned."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from engine.cells import quoted, whole
from engine.errors import TreeError
from engine.given import document, nested
from engine.given.build import GivenTree, built
from engine.given.plan import Json, Plan, members
from engine.table import Table

MOST_BYTES = 10_000_000


def read_tree(source: Path | bytes | str | Mapping[str, Any], table: Table | None = None) -> GivenTree:
    """Read a tree from JSON.

    Parameters
    ----------
    source : path, bytes, str or mapping
        A file, its content, or the parsed object: a document of the format ``espalier/1``, or the
        simple form that `engine.given.nested` describes.
    table : Table, optional
        The training rows. Counts are then taken from them, and what the file says of counts is left
        aside; without it the tree has the counts of the file, or none.

    Returns
    -------
    GivenTree
        Its branches keep the order of the file.

    Raises
    ------
    TreeError
        If the source is no such tree; the message says where and what.

    >>> tree = read_tree('{"target": "play", "tree": {"split": "windy", "branches": {"true": "no", "false": "yes"},'
    ...                  ' "prediction": "yes"}}')
    >>> tree.n_leaves, tree.label(0), tree.label(1)
    (2, 'yes', 'no')
    """
    return built(_plan(_parsed(source)), table)


def _plan(parsed: dict[str, Json]) -> Plan:
    if "nodes" in parsed:
        return document.plan_of(parsed)
    if "tree" in parsed:
        return nested.plan_of(parsed)
    raise TreeError('the file has no tree; it needs "tree" (the simple form) or "nodes" (as the command grow prints).')


def _parsed(source: Path | bytes | str | Mapping[str, Any]) -> dict[str, Json]:
    if isinstance(source, Mapping):
        return dict(source)
    content = source
    if isinstance(source, Path):
        if source.stat().st_size > MOST_BYTES:
            _refuse_size()
        content = source.read_bytes()
    assert isinstance(content, bytes | str)
    if len(content) > MOST_BYTES:
        _refuse_size()
    try:
        text = content.decode("utf-8-sig") if isinstance(content, bytes) else content
        parsed = json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_pairs)
    except RecursionError:
        raise TreeError("the tree file is nested too deep; prune the tree first.") from None
    except TreeError:
        raise
    except UnicodeDecodeError:
        raise TreeError("the tree file is not text; save it as JSON in UTF-8.") from None
    except json.JSONDecodeError as error:
        raise TreeError(
            f"the tree file is no JSON: {error.msg[:1].lower()}{error.msg[1:]} in line {error.lineno}, "
            f"column {error.colno}; mend it there."
        ) from None
    except ValueError as error:
        raise TreeError(f"the tree file has a value that cannot be read: {error}.") from None
    return members(parsed, "the tree file")


def _refuse_size() -> NoReturn:
    raise TreeError(f"the tree file is larger than {MOST_BYTES // 1_000_000} MB; prune the tree first.")


def _refuse_constant(name: str) -> NoReturn:
    raise TreeError(f"the tree file holds {name}, which is no number; write a finite number there.")


def _pairs(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    """An object whose names differ: of two branches with one name, one would be lost."""
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for place, name in enumerate(names) if name in names[:place])
        raise TreeError(f"the tree file has {quoted(whole(twice))} twice in one object; names there must differ.")
    return found
