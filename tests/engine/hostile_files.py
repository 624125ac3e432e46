"""Malformed and hostile files, and what becomes of each: a sentence, or a right table.

Other tests (of pages, pictures and the browser) take the same cases.
"""

from __future__ import annotations

import csv
import io
import struct
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import openpyxl
import pandas as pd

from engine.table import Table


@dataclass(frozen=True)
class Hostile:
    """A file and what to expect of it.

    `says` is a fragment of the error's sentence; where it is None the file is a table, and `holds`
    is true of it. The target is the last column.
    """

    name: str
    make: Callable[[], bytes]
    says: str | None = None
    holds: Callable[[Table], bool] = lambda table: True

    @cached_property
    def content(self) -> bytes:
        return self.make()


def refused(name: str, content: bytes | str | Callable[[], bytes], says: str) -> Hostile:
    return Hostile(name, _maker(content), says=says)


def accepted(name: str, content: bytes | str | Callable[[], bytes], holds: Callable[[Table], bool]) -> Hostile:
    return Hostile(name, _maker(content), holds=holds)


def _maker(content: bytes | str | Callable[[], bytes]) -> Callable[[], bytes]:
    if callable(content):
        return content
    data = content.encode() if isinstance(content, str) else content
    return lambda: data


def _csv(*rows: tuple[str, ...]) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()


def _named(name: str) -> bytes:
    """A small table whose feature, level and class have a hostile name."""
    return _csv(
        (name, "size", f"t {name}"), (name, "1", name), ("plain", "2", "no"), (name, "3", name), ("plain", "4", "no")
    )


def _has_name(name: str) -> Callable[[Table], bool]:
    def holds(table: Table) -> bool:
        feature = table.features[0]
        return (feature.name, name in feature.levels, name in table.target.classes) == (name, True, True)

    return holds


def hostile_name(title: str, name: str) -> Hostile:
    return accepted(title, _named(name), _has_name(name))


def _excel(*sheets: list[list[object]]) -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for number, rows in enumerate(sheets):
        sheet = book.create_sheet(f"sheet {number + 1}")
        for row in rows:
            sheet.append(row)
    data = io.BytesIO()
    book.save(data)
    return data.getvalue()


def _parquet() -> bytes:
    data = io.BytesIO()
    pd.DataFrame({"a": [1, 2, 3] * 50, "b": ["x", "y", "x"] * 50}).to_parquet(data)
    return data.getvalue()


def _packed(members: dict[str, bytes]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return data.getvalue()


def _claiming(size: int) -> bytes:
    """A workbook whose directory claims that its first member unpacks to `size` bytes."""
    data = bytearray(_excel([["a", "b"], [1, "x"]]))
    entry = data.index(b"PK\x01\x02")
    struct.pack_into("<I", data, entry + 24, size)
    return bytes(data)


def _with_sheet_xml(xml: bytes) -> bytes:
    """A workbook whose first sheet is this XML."""
    with zipfile.ZipFile(io.BytesIO(_excel([["a", "b"], [1, "x"]]))) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    return _packed({**members, "xl/worksheets/sheet1.xml": xml})


_LAUGHS = b"""<?xml version="1.0"?><!DOCTYPE w [<!ENTITY a "ha">""" + b"".join(
    f'<!ENTITY {chr(98 + i)} "{f"&{chr(97 + i)};" * 10}">'.encode() for i in range(9)
)
_LAUGHS += b"]><worksheet><sheetData><row><c t='str'><v>&j;</v></c></row></sheetData></worksheet>"

_FAR = (
    b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1">'
    b'<c r="XFD1" t="inlineStr"><is><t>far</t></is></c></row><row r="9999"><c r="XFD9999"><v>1</v></c></row>'
    b"</sheetData></worksheet>"
)

_DEEP = _FAR.replace(b'r="1"', b'r="2000000000"').replace(b"XFD", b"A")

_ROWS = [["colour", "size", "ripe"], ["red", 1.5, "yes"], ["green", 2, "no"], ["red", None, "yes"]]
_LEVELS_5000 = "level,y\n" + "".join(f"v{i},{'no' if i % 2 else 'yes'}\n" for i in range(5000))
_COLUMNS_500 = ",".join(f"c{i}" for i in range(500)) + "\n" + "\n".join(",".join([str(r)] * 500) for r in range(4))
_LONG = "n" * 20_000
_TABLE = "colour,size,ripe\nröd,1,ja\ngrön,2,nej\n"


def _sees_red(table: Table) -> bool:
    return "röd" in table.features[0].levels and table.target.classes == ("ja", "nej")


HOSTILE: tuple[Hostile, ...] = (
    # Nothing, or not a table.
    refused("no bytes", b"", "is empty"),
    refused("only a mark", b"\xef\xbb\xbf", "is empty"),
    refused("only white space", " \r\n\t\n  \n", "is empty"),
    refused("header only", "a,b,c\n", "no rows"),
    refused("one column", "a\n1\n2\n", "no feature beside the target"),
    refused("random bytes", bytes(range(256)) * 20, "not text"),
    refused("control bytes", b"\x01\x02\x03\x04\x05\x06" * 50, "not text"),
    refused("a zero byte in text", b"a,b\n1,x\0y\n2,z\n", "not text"),
    refused("PNG", b"\x89PNG\r\n\x1a\n" + bytes(64), "picture"),
    refused("PDF", b"%PDF-1.7\n1 0 obj\n", "PDF"),
    refused("gzip", b"\x1f\x8b\x08\x00" + bytes(30), "gzip"),
    refused("old Excel", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512), ".xls"),
    refused("a zip that is no workbook", lambda: _packed({"readme.txt": b"a,b\n1,2\n"}), "Excel"),
    refused("Excel cut short", lambda: _excel(_ROWS)[:2000], "Excel"),
    refused("Excel without its sheet", lambda: _with_sheet_xml(b"<not closed"), "Excel"),
    refused("Excel with entities that multiply", lambda: _with_sheet_xml(_LAUGHS), "Excel"),
    refused("Excel that claims to unpack to 3 GB", lambda: _claiming(3_000_000_000), "unpacks to 3,000 MB"),
    refused(
        "Excel bomb",
        lambda: _packed({f"{i}.xml": bytes(45_000_000) for i in range(6)}),
        "more than the 250 MB allowed",
    ),
    refused("Excel sheet without cells", lambda: _excel([]), "no columns"),
    refused("Excel header only", lambda: _excel([["a", "b"]]), "no rows"),
    refused("Excel row beside the header", lambda: _excel([["a", "b"], [1, 2, 3]]), "row 2 of the sheet has 3 cells"),
    refused("Excel with far corners", lambda: _with_sheet_xml(_FAR), "5,000 allowed"),
    refused("Excel row two thousand million", lambda: _with_sheet_xml(_DEEP), "more than 1,048,576 rows"),
    refused("Parquet cut short", lambda: _parquet()[:-20], "Parquet"),
    refused("Parquet mark only", b"PAR1", "Parquet"),
    # Encodings.
    accepted("UTF-8 with a mark", _TABLE.encode("utf-8-sig"), _sees_red),
    accepted("UTF-16 with a mark", _TABLE.encode("utf-16"), _sees_red),
    accepted("UTF-16 little end first", _TABLE.encode("utf-16-le"), _sees_red),
    accepted("UTF-16 big end first", _TABLE.encode("utf-16-be"), _sees_red),
    accepted("UTF-32", _TABLE.encode("utf-32"), _sees_red),
    accepted("Latin-1", _TABLE.encode("latin-1"), _sees_red),
    accepted("half a character in UTF-8", _TABLE.encode() + b"bl\xc3,3,ja\n", lambda t: t.n_rows == 3),
    accepted("surrogates in UTF-8", b"a,y\n\xed\xa0\x80,no\nx,yes\n", lambda t: t.n_rows == 2),
    refused("half a surrogate in UTF-16", "a,y\n".encode("utf-16") + b"\x00\xd8,\x00n\x00", "UTF-16"),
    refused("UTF-16 with half a character", "a,y\n1,no\n".encode("utf-16") + b"\x41", "UTF-16"),
    # Separators, lines and quotes.
    accepted(
        "semicolons and decimal commas", "a;y\n1,5;no\n2,25;yes\n", lambda t: t.columns[0].tolist() == [1.5, 2.25]
    ),
    accepted("tabs", "a\ty\n1\tno\n2\tyes\n", lambda t: t.n_rows == 2),
    accepted("Excel's separator hint", "sep=;\na;y\n1;no\n2;yes\n", lambda t: t.features[0].name == "a"),
    accepted("mixed line ends", "a,y\r1,no\n2,yes\r\n3,no", lambda t: t.n_rows == 3),
    accepted("blank lines", "\n\na,y\n\n1,no\n \n2,yes\n\n", lambda t: t.n_rows == 2),
    accepted("quoted lines", 'a,y\n"one\ntwo",no\n"x, ""y""",yes\n', lambda t: "one\ntwo" in t.features[0].levels),
    refused("a quote never closed", 'a,y\n"1,no\n2,yes\n', "never closed"),
    refused("text after a quote", 'a,y\n"1"2,no\n', "goes on after a closing quote"),
    refused("a cell of 200,000 characters", f'a,y\n"{"x" * 200_000}",no\n', "131,072"),
    refused("a short row", "a,b,y\n1,2,no\n1,yes\n", "line 3 has 2 cells"),
    refused("a long row", "a,b,y\n1,2,no\n1,2,3,yes\n", "line 3 has 4 cells"),
    refused("prose", "Dear all,\nplease find attached, with thanks, the table.\n", "line 2 has 3 cells"),
    # Headers.
    accepted(
        "the same name twice", "a,a,y\n1,2,no\n3,4,yes\n", lambda t: [f.name for f in t.features] == ["a", "a (2)"]
    ),
    accepted("no name", "a,,y\n1,2,no\n3,4,yes\n", lambda t: t.features[1].name == "column 2"),
    accepted("only numbers", "1,2,3\n1,2,no\n3,4,yes\n", lambda t: "names are numbers" in " ".join(t.notes)),
    accepted("500 columns", _COLUMNS_500, lambda t: len(t.features) == 499),
    refused("20,000 columns", ",".join(f"c{i}" for i in range(20_000)) + "\n" + "," * 19_999 + "\n", "5,000 allowed"),
    # Values.
    accepted("one class", "a,y\n1,no\n2,no\n", lambda t: t.target.classes == ("no",)),
    accepted("one row", "a,y\n1,no\n", lambda t: t.n_rows == 1),
    refused("no target anywhere", "a,y\n1,\n2,NA\n", "has no value in any row"),
    refused("nothing but missing values", "a,b,y\n,NA,no\n?,null,yes\n", "no feature beside the target"),
    accepted("a feature without values", "a,b,y\n,1,no\nNaN,2,yes\n", lambda t: [f.name for f in t.features] == ["b"]),
    accepted("rows without a target", "a,y\n1,no\n2,\n3,yes\n", lambda t: t.row_numbers.tolist() == [0, 2]),
    refused("infinity", "a,y\n1,no\ninf,yes\n", "'inf' in row 2"),
    refused("a number too great", "a,y\n1e999,no\n2,yes\n", "'1e999' in row 1"),
    refused("an infinite target", "a,y\n" + "".join(f"{i},{i}\n" for i in range(20)) + "1,-inf\n", "'-inf' in row 21"),
    accepted("NaN", "a,y\nNaN,no\n2,yes\nnan,no\n", lambda t: t.features[0].n_missing == 2),
    accepted("numbers of programs", "a,y\n1_000,no\n0x10,yes\n", lambda t: t.features[0].levels == ("0x10", "1_000")),
    accepted("digits of another script", "a,y\n١,no\n٢,yes\n", lambda t: len(t.features[0].levels) == 2),
    accepted(
        "the least and the greatest", "a,y\n5e-324,no\n1.7976931348623157e308,yes\n-0.0,no\n", lambda t: t.n_rows == 3
    ),
    accepted("5,000 levels", _LEVELS_5000, lambda t: len(t.features[0].levels) == 5000),
    accepted("5,000 classes", "".join(f"{i % 7},c{i}\n" for i in range(5001)), lambda t: t.n_classes == 5000),
    # Names that mean something elsewhere.
    hostile_name("HTML", "<script>alert(1)</script><img src=x onerror=alert(1)>"),
    hostile_name("an HTML entity", "&lt;b&gt; &amp;"),
    hostile_name("Graphviz markup", "<B>x</B>"),
    hostile_name("Graphviz quotes", '"]; }"];'),
    hostile_name("Graphviz record", "{a|b}|<port> \\N \\G \\l"),
    hostile_name("a backslash last", "x\\"),
    hostile_name("LaTeX", "$\\frac{1}{0}$ \\input{/etc/passwd}"),
    hostile_name("Markdown", "[x](javascript:alert(1)) **b** `c` :material/delete: :red[x]"),
    hostile_name("a formula", '=HYPERLINK("http://example.org","x")'),
    hostile_name("a template", "{{7*7}} ${7*7} {0} %s %(x)s"),
    hostile_name("right-to-left text", "שלום עולם \u202eevil\u202c مرحبا"),
    hostile_name("characters beyond the plane", "🌳 𝒙 \u200d\u200b"),
    hostile_name("combining characters", "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢"),
    hostile_name("control characters", "a\x01\x07\x1bb"),
    hostile_name("a very long name", _LONG),
    hostile_name("a name of lines", "first\nsecond\r\nthird\tfourth"),
    hostile_name("a word of Python", "__import__('os').system('true')"),
    hostile_name("quotes of Python", "'''\"\"\"\\'"),
    hostile_name("a path", "../../etc/passwd\u2028"[:-1]),
    hostile_name("words of JavaScript", "__proto__"),
    # Excel and Parquet that are as they should be.
    accepted("Excel", lambda: _excel(_ROWS), lambda t: t.columns[1].tolist()[:2] == [1.5, 2.0] and t.n_rows == 3),
    accepted("Excel with two sheets", lambda: _excel(_ROWS, [["x"]]), lambda t: "first of 2 sheets" in t.notes[0]),
    accepted(
        "Excel errors", lambda: _excel([*_ROWS, ["#N/A", "#DIV/0!", "no"]]), lambda t: t.features[0].n_missing == 1
    ),
    accepted("Parquet", _parquet, lambda t: t.n_rows == 150 and t.features[0].kind == "numeric"),
)
