"""The ready datasets, in the order of the gallery."""

from __future__ import annotations

from datasets.entry import Entry

ENTRIES: tuple[Entry, ...] = (
    Entry("play_tennis", "Play Tennis", "Every step of ID3 by hand.", "Quinlan 1986; Mitchell 1997, ch. 3",
          "facts; free", "play", 14, 4, 2, ignore=("day",),
          display={"outlook": ("sunny", "overcast", "rain"), "temperature": ("cool", "mild", "hot")}),
    Entry("iris", "Iris", "Thresholds.", "Fisher 1936; UCI", "CC BY 4.0 (UCI)", "target", 150, 4, 3),
)
