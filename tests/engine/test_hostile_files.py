from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import EngineError, GrowthSettings, grow, read_table
from engine.ingest import RawFrame, read_frame
from engine.settings import MAX_CLASSES
from engine.table import Table
from tests.engine.hostile_files import HOSTILE, Hostile

REFUSED = [case for case in HOSTILE if case.says is not None]
ACCEPTED = [case for case in HOSTILE if case.says is None]


def read(content: bytes) -> Table:
    raw = read_frame(content)
    return read_table(raw, target=str(raw.frame.columns[-1]))


def is_one_sentence(text: str) -> bool:
    """On one line, not too long to read, ending like a sentence, with no word of a traceback."""
    foreign = ("Traceback", "Error", "Exception", 'File "', "pandas", "pyarrow", "openpyxl", "codec", "NoneType")
    return text.isprintable() and len(text) < 700 and text.endswith(".") and not any(word in text for word in foreign)


def test_there_are_enough_cases_and_each_has_a_name_of_its_own() -> None:
    assert len({case.name for case in HOSTILE}) == len(HOSTILE) >= 45


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.name)
def test_a_file_that_is_no_table_gets_a_sentence(case: Hostile) -> None:
    with pytest.raises(EngineError) as caught:
        read(case.content)
    assert case.says is not None
    assert case.says in str(caught.value)
    assert is_one_sentence(str(caught.value))


@pytest.mark.parametrize("case", ACCEPTED, ids=lambda case: case.name)
def test_an_odd_table_is_read_right_and_grows_a_tree(case: Hostile) -> None:
    table = read(case.content)
    assert case.holds(table), table
    assert all(note.isprintable() and note.endswith(".") for note in table.notes)
    if table.n_classes > MAX_CLASSES:
        with pytest.raises(EngineError, match="5,000 classes, and a tree tells at most 1,000 apart"):
            grow(table)
        return
    assert grow(table, GrowthSettings.id3(max_depth=3)).tree.n_nodes >= 1
    assert grow(table, GrowthSettings.cart(max_depth=3)).tree.n_nodes >= 1


@settings(max_examples=300)
@given(st.binary(max_size=400))
def test_any_bytes_are_cells_or_a_sentence(content: bytes) -> None:
    try:
        raw = read_frame(content)
    except EngineError as error:
        assert is_one_sentence(str(error))
    else:
        assert isinstance(raw, RawFrame)
        assert raw.frame.map(lambda cell: type(cell) is str).all(axis=None)


@settings(max_examples=300)
@given(st.text(alphabet=st.characters() | st.sampled_from(',;\t\n\r" .01aeNA'), max_size=200))
def test_any_text_is_a_table_or_a_sentence(text: str) -> None:
    try:
        read(text.encode("utf-8", "surrogatepass"))
    except EngineError as error:
        assert is_one_sentence(str(error))
