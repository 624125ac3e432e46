"""Readers of the command line's values: each gives the value, or says what is allowed."""

from __future__ import annotations

import argparse
import csv
import re
from collections.abc import Callable
from enum import StrEnum
from typing import TypeVar

from engine.settings import BALANCED

E = TypeVar("E", bound=StrEnum)


def names(kind: type[StrEnum]) -> str:
    """The values of an option, as the help shows them."""
    return "|".join(member.value for member in kind)


def one_of(option: str, kind: type[E]) -> Callable[[str], E]:
    """A reader of one of the values."""

    def parse(text: str) -> E:
        try:
            return kind(text)
        except ValueError:
            allowed = ", ".join(member.value for member in kind)
            raise argparse.ArgumentTypeError(f"{option} must be one of {allowed}, got {text!r}.") from None

    return parse


def whole(option: str) -> Callable[[str], int]:
    """A reader of whole numbers."""

    def parse(text: str) -> int:
        if not re.fullmatch(r"[+-]?[0-9]{1,18}", text):
            raise argparse.ArgumentTypeError(f"{option} must be a whole number, got {text!r}.")
        return int(text)

    return parse


def number(option: str) -> Callable[[str], float]:
    """A reader of numbers."""

    def parse(text: str) -> float:
        try:
            return float(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{option} must be a number, got {text!r}.") from None

    return parse


def name_list(text: str) -> tuple[str, ...]:
    """The names between the commas.

    >>> name_list('day, "height, in cm"')
    ('day', 'height, in cm')
    """
    return tuple(name.strip() for name in next(csv.reader([text], skipinitialspace=True), []) if name.strip())


def amounts(option: str) -> Callable[[str], dict[str, float]]:
    """A reader of names with a number each."""

    def parse(text: str) -> dict[str, float]:
        found = {}
        for part in next(csv.reader([text], skipinitialspace=True), []):
            name, equals, amount = part.rpartition("=")
            if not equals or not name.strip():
                raise argparse.ArgumentTypeError(f"{option} must be pairs such as A=2,B=5, got {part!r}.")
            found[name.strip()] = number(option)(amount)
        return found

    return parse


def class_weights(text: str) -> str | dict[str, float]:
    """A weight for each class, or the word for balanced ones."""
    return text if text == BALANCED else amounts("--class-weights")(text)
