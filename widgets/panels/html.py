"""Small tables as HTML, every cell escaped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import streamlit as st

_STYLE = """<style>
.stMainBlockContainer {padding-left: 1.5rem; padding-right: 1.5rem}
[class*="st-key-formulas"] [data-testid="stMarkdownContainer"] {margin-bottom: 0}
[class*="st-key-formulas"] p {margin: 0; padding: 0.3rem 0; overflow: auto hidden}
[class*="st-key-formulas"] .katex {font-size: 1.05rem; line-height: 2.4}
.esp-scroll {overflow-x: auto}
.esp-table {border-collapse: collapse; width: 100%; font-size: 0.85rem; font-variant-numeric: tabular-nums}
.esp-table th {font-weight: 600; text-align: left; opacity: 0.75}
.esp-table th, .esp-table td {padding: 0.16rem 0.35rem 0.16rem 0; border-bottom: 1px solid rgba(128,136,150,0.3);
  vertical-align: top}
.esp-table th {vertical-align: bottom; white-space: normal; overflow-wrap: normal}
.esp-table th.esp-number {white-space: normal}
.esp-table.esp-dense {font-size: 0.78rem}
.esp-table.esp-dense th, .esp-table.esp-dense td {padding-right: 0.25rem}
.esp-table td {max-width: 16rem; overflow-wrap: break-word}
.esp-table .esp-number {text-align: right; white-space: nowrap}
.esp-table .esp-short {white-space: nowrap}
.esp-table .esp-strong td {font-weight: 700}
.esp-table .esp-quiet td {opacity: 0.5}
.esp-table .esp-number + :not(.esp-number) {padding-left: 0.6rem}
.esp-narrow {display: none}
.esp-note {opacity: 0.7; font-size: 0.75rem; white-space: normal}
@media (max-width: 640px) {
  .esp-wide {display: none}
  .esp-table td {overflow-wrap: anywhere}
  .esp-table td:not(.esp-number, .esp-short) {min-width: 3.5rem}
  .esp-table td.esp-short {white-space: normal}
  .esp-table .esp-narrow {display: table-row; font-weight: 600}
}
</style>"""


MOST_ROOMY = 10
"""Tables of more columns are set smaller and closer."""


@dataclass(frozen=True)
class Cell:
    """A cell; `span` rows high, with a `note` below its text. A cell that is None is covered by the one above."""

    text: str
    span: int = 1
    note: str = ""


Row = Sequence[str | Cell | None]


def style() -> None:
    """Put the looks of the tables on the page, once."""
    st.html(_STYLE)


def show_table(
    headings: Sequence[str],
    rows: Sequence[Row],
    *,
    numbers: Sequence[int] = (),
    strong: Sequence[int] = (),
    quiet: Sequence[int] = (),
    wide: Sequence[int] = (),
    instead: str = "",
    caption: str = "",
) -> None:
    """Show a table.

    `numbers` are columns set flush right; `strong` and `quiet` are rows. On a phone the columns `wide`
    are left out, and the words `instead` stand below the others.
    """
    st.html(
        table(headings, rows, numbers=numbers, strong=strong, quiet=quiet, wide=wide, instead=instead, caption=caption)
    )


def table(
    headings: Sequence[str],
    rows: Sequence[Row],
    *,
    numbers: Sequence[int] = (),
    strong: Sequence[int] = (),
    quiet: Sequence[int] = (),
    wide: Sequence[int] = (),
    instead: str = "",
    caption: str = "",
) -> str:
    """A table as HTML.

    >>> "<script>" in table(["<script>"], [["<script>"]])
    False
    """
    dense = " esp-dense" if len(headings) > MOST_ROOMY else ""
    label = f' aria-label="{escape(caption)}"' if caption else ""
    looks = [("number" if i in numbers else "", "wide" if i in wide else "") for i in range(len(headings))]
    head = "".join(_cell("th", Cell(text), look) for text, look in zip(headings, looks, strict=True))
    body = "".join(
        f"<tr{_looks(index in strong, index in quiet)}>"
        + "".join(_cell("td", cell, look) for cell, look in zip(row, looks, strict=True) if cell is not None)
        + "</tr>"
        for index, row in enumerate(rows)
    )
    if instead:
        columns = len(headings) - len(wide)
        body += f'<tr class="esp-narrow"><td colspan="{columns}">{escape(instead)}</td></tr>'
    return (
        f'<div class="esp-scroll"><table class="esp-table{dense}"{label}><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _cell(tag: str, cell: str | Cell, look: Sequence[str]) -> str:
    made = cell if isinstance(cell, Cell) else Cell(cell)
    short = "" if look[0] or len(made.text) > 16 or made.span > 1 else "short"
    names = " ".join(f"esp-{name}" for name in (*look, short) if name)
    looks = f' class="{names}"' if names else ""
    span = f' rowspan="{made.span}"' if made.span > 1 else ""
    note = f'<div class="esp-note">{escape(made.note)}</div>' if made.note else ""
    return f"<{tag}{looks}{span}>{escape(made.text)}{note}</{tag}>"


def _looks(strong: bool, quiet: bool) -> str:
    name = "esp-strong" if strong else "esp-quiet" if quiet else ""
    return f' class="{name}"' if name else ""
