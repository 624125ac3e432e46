"""What is known about a ready dataset."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True)
class Entry:
    """A ready dataset: where it comes from, what it teaches and how it is read.

    Attributes
    ----------
    name : str
        Name of the file without its ending, or of the generator; stands in links.
    title : str
        Name for a person.
    teaches : str
        One short line.
    source, licence : str
    target : str
        The column to predict.
    n_rows, n_features, n_classes : int
        Sizes of the table as it is read; a generator's with its default number of rows.
        `n_classes` is 0 where the target is a number.
    task : {"classes", "number"} or None
        Kind of the target where it is not left to inference.
    ignore, categorical, numeric : tuple of str
        Columns left out; features whose kind is not left to inference.
    display : mapping of str to tuple of str
        Feature -> its levels in the order that a person expects.
    remark : str
        What to know before comparing with print: slips, reconstructions. May be empty.
    kind : {"file", "generator"}
    """

    name: str
    title: str
    teaches: str
    source: str
    licence: str
    target: str
    n_rows: int
    n_features: int
    n_classes: int
    task: Literal["classes", "number"] | None = None
    ignore: tuple[str, ...] = ()
    categorical: tuple[str, ...] = ()
    numeric: tuple[str, ...] = ()
    display: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    remark: str = ""
    kind: Literal["file", "generator"] = "file"
