"""The ready datasets, in the order of the gallery."""

from __future__ import annotations

from datasets.entry import Entry
from datasets.generators import GENERATED
from datasets.larger import LARGER
from datasets.small_tables import SMALL_ENTRY
from datasets.textbook import TEXTBOOK

ENTRIES: tuple[Entry, ...] = (*TEXTBOOK, *LARGER, *GENERATED, SMALL_ENTRY)
