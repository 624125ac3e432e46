r"""A storyboard with what it repeats said once, for the way to the browser; `js/unpack.js` is the way back.

Texts that begin with a text of their own row are cut: a candidate's note begins with its label, a
sentence with its node's path. Equal rows of keys become columns, columns of few values become numbers
into a list, thresholds become places in their feature's list, and the second picture of the tree
becomes its difference from the first. Words are moved, never made.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

CUT = "\x01"
"""Begins a text whose beginning stands elsewhere; no text from data holds it (`drawing.phrases.plain`)."""

Columns = dict[str, Any]

_QUOTED = re.compile(r"('[^']*')")


def shrink(board: Mapping[str, Any]) -> dict[str, Any]:
    """The storyboard in fewer characters.

    Parameters
    ----------
    board : mapping
        As docs/trace.md has it; any trace's, whichever parts it has. Keys are strings, as in JSON.

    Returns
    -------
    dict
        With the key `packed`; everything else as it was, or in the form that `js/unpack.js` reads.
    """
    small = {**board, "packed": 1}
    if "svg" in board:
        small["svg"] = _pictures(board["svg"])
    nodes = board.get("nodes")
    if nodes is not None and "title" in nodes:
        titles, parents = nodes["title"], nodes["parent"]
        below = [
            cut(title, titles[parent] if parent > 0 else "") for title, parent in zip(titles, parents, strict=True)
        ]
        small["nodes"] = {**nodes, "title": below}
        steps = zip(board["sentences"], board["steps"], strict=True)
        small["sentences"] = [cut(sentence, titles[node]) for sentence, (_, node) in steps]
        if "why" in board:
            small["why"] = _why(board["why"], titles)
    if "fine" in board.get("granularity", {}):
        small["granularity"] = {**board["granularity"], "fine": _fine(board["granularity"]["fine"])}
    return small


def cut(text: str, beginning: str) -> str:
    r"""The text without a beginning that is known.

    >>> cut("outlook gains 0.247.", "outlook"), cut("You chose wind.", "outlook")
    ('\x01 gains 0.247.', 'You chose wind.')
    """
    return CUT + text[len(beginning) :] if beginning and text.startswith(beginning) else text


def columns(rows: Sequence[Mapping[str, Any]]) -> Columns:
    """Rows as columns; what a row lacks is None.

    >>> columns([{"a": 1}, {"a": 2, "b": "x"}])
    {'a': [1, 2], 'b': [None, 'x']}
    """
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: _shared([row.get(name) for row in rows]) for name in names}


def _shared(column: list[Any]) -> Any:
    """A column of few different values as those and their numbers; another one as it is."""
    if not all(value is None or isinstance(value, str | bool) for value in column):
        return column
    values = list(dict.fromkeys(column))
    if 2 * len(values) > len(column):
        return column
    number = {value: place for place, value in enumerate(values)}
    return {"of": values, "at": [number[value] for value in column]}


def _why(why: Mapping[str, Any], titles: Sequence[str]) -> Columns:
    """The candidates of all nodes as one set of columns, with the number of bars of each node."""
    entries = [{key: value for key, value in entry.items() if key != "bars"} for entry in why.values()]
    for node, entry in zip(why, entries, strict=True):
        entry["heading"] = cut(entry.get("heading", ""), titles[int(node)])
    bars = [_bar(bar) for entry in why.values() for bar in entry["bars"]]
    counts = [len(entry["bars"]) for entry in why.values()]
    return {"nodes": [int(node) for node in why], "counts": counts, "entries": columns(entries), "bars": columns(bars)}


def _bar(bar: Mapping[str, Any]) -> dict[str, Any]:
    made = dict(bar)
    if "note" in bar:
        made["note"] = cut(bar["note"], bar.get("label", bar["feature"]))
    if "label" in bar:
        made["label"] = cut(bar["label"], bar["feature"])
    return made


def _fine(fine: Mapping[str, Any]) -> Columns:
    """The sub-steps of all steps as one set of columns, with their number at each step."""
    entries = [
        {**entry, "sentence": cut(entry["sentence"], entry["feature"])} for told in fine.values() for entry in told
    ]
    pools = _pools(entries)
    for entry in entries:
        if pools and "thresholds" in entry:
            number = {text: place for place, text in enumerate(pools[entry["feature"]])}
            places = [number[text] for text in entry["thresholds"]]
            entry["thresholds"] = [b - a for a, b in pairwise([0, *places])]
        if "gains" in entry and all(gain == round(1000 * gain) / 1000 for gain in entry["gains"]):
            entry["thousandths"] = [round(1000 * gain) for gain in entry.pop("gains")]
    return {
        "steps": [int(step) for step in fine],
        "counts": [len(told) for told in fine.values()],
        "pools": list(pools.items()),
        "entries": columns(entries),
    }


def _pools(entries: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Every threshold of each feature once, ascending; empty where one of them is no number."""
    found: dict[str, set[str]] = {}
    for entry in entries:
        found.setdefault(entry["feature"], set()).update(entry.get("thresholds", ()))
    try:
        return {name: sorted(texts, key=lambda text: float(text.replace("−", "-"))) for name, texts in found.items()}
    except ValueError:
        return {}


def _pictures(svg: Mapping[str, str]) -> dict[str, Any]:
    """The first picture, and of the others the attributes that differ: those of boxes in other places."""
    first, *others = svg
    words = _QUOTED.split(svg[first])
    found: dict[str, Any] = {first: svg[first]}
    for name in others:
        turned = _QUOTED.split(svg[name])
        if len(turned) != len(words):
            found[name] = svg[name]
            continue
        places = [place for place, (one, other) in enumerate(zip(words, turned, strict=True)) if one != other]
        found[name] = {"at": [b - a for a, b in pairwise([0, *places])], "is": [turned[place] for place in places]}
    return found
