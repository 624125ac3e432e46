"""Single values as text in a link, and back."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from typing import Any


class UnreadableError(ValueError):
    """A parameter that is not what it should be; the text says what it should be."""


def read_value(
    parameters: Mapping[str, str], name: str, kind: Callable[[str], Any], default: Any, notes: list[str]
) -> Any:
    """One parameter, read by `kind`, which raises UnreadableError; noted and left at its default then."""
    if name not in parameters:
        return default
    try:
        return kind(parameters[name])
    except UnreadableError as error:
        notes.append(said(name, parameters[name], error))
        return default


def said(name: str, got: str, error: Exception) -> str:
    """The sentence for a parameter that cannot be read."""
    short = got if len(got) <= 40 else got[:39] + "…"
    return f"The link's {name} must be {error}, got {short!r}; the default is used."


def whole(text: str) -> int:
    """Reads a whole number."""
    try:
        return int(text[:20])
    except ValueError:
        raise UnreadableError("a whole number") from None


def number(text: str) -> float:
    """Reads a finite number."""
    try:
        found = float(text)
    except ValueError:
        raise UnreadableError("a number") from None
    if not math.isfinite(found):
        raise UnreadableError("a finite number")
    return found


def natural(text: str) -> int:
    """Reads a whole number of at least 0."""
    found = whole(text)
    if found < 0:
        raise UnreadableError("at least 0")
    return found


def switch(text: str) -> bool:
    """Reads 0 or 1."""
    if text not in ("0", "1"):
        raise UnreadableError("0 or 1")
    return text == "1"


def by_name(kind: type[Enum]) -> dict[str, Any]:
    """The members of an enum by the words that stand for them in a link."""
    return {member.name.lower(): member for member in kind}


def one_of(allowed: Mapping[str, Any]) -> Callable[[str], Any]:
    """Reads one of a few words."""

    def read_word(text: str) -> Any:
        if text not in allowed:
            raise UnreadableError("one of " + ", ".join(allowed))
        return allowed[text]

    return read_word


def names(text: str) -> tuple[str, ...]:
    """Reads names with commas between them, quoted where they hold one.

    >>> names('a,"b,c"')
    ('a', 'b,c')
    """
    return tuple(next(csv.reader([text]), ()))


def amounts(text: str) -> tuple[tuple[str, float], ...]:
    """Reads names with a number each, as the command line writes them.

    >>> amounts('outlook=2,"a,b=c=0.5"')
    (('outlook', 2.0), ('a,b=c', 0.5))
    """
    found = [part.rpartition("=") for part in names(text)]
    if not found or not all(equals and name for name, equals, _ in found):
        raise UnreadableError("names with a number each, such as A=2,B=5")
    return tuple((name, number(amount)) for name, _, amount in found)


def joined(values: Iterable[str]) -> str:
    """Names as `names` reads them."""
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(list(values))
    return line.getvalue()


def text_of(value: object) -> str:
    """A number or a word; a whole number without its point."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def text_of_amounts(pairs: Iterable[tuple[str, float]]) -> str:
    """Names with a number each, as `amounts` reads them.

    >>> text_of_amounts([("outlook", 2.0), ("a,b", 0.5)])
    'outlook=2,"a,b=0.5"'
    """
    return joined(f"{name}={text_of(amount)}" for name, amount in pairs)
