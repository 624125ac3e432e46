from __future__ import annotations

import datetime as dt
import decimal
import io
from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Feature, FeatureKind, GrowthSettings, QueryError, Table, TableError, TargetKind, grow, read_table
from engine.cells import MISSING, parse_numbers, to_numbers
from engine.ingest import RawFrame, code_frame, read_frame

FRUIT = b"colour,size,ripe\nred,1.5,yes\ngreen,2,no\nred,,yes\n"


def levels(table: Table, name: str) -> tuple[str, ...]:
    return table.features[table.feature_index(name)].levels


def kinds(table: Table) -> list[str]:
    return [feature.kind.value for feature in table.features]


# Sources


def test_a_path_bytes_and_buffers_give_the_same_table(tmp_path: Path) -> None:
    path = tmp_path / "fruit.csv"
    path.write_bytes(FRUIT)
    sources = [
        path,
        str(path),
        FRUIT,
        bytearray(FRUIT),
        io.BytesIO(FRUIT),
        io.StringIO(FRUIT.decode()),
        path.open("rb"),
    ]
    tables = [read_table(source, target="ripe") for source in sources]
    assert len({table.fingerprint for table in tables}) == 1
    assert [table.name for table in tables] == ["fruit", "fruit", "table", "table", "table", "table", "fruit"]
    assert read_table(path, target="ripe", name="apples").name == "apples"


def test_a_buffer_that_was_read_before_is_read_from_its_beginning() -> None:
    buffer = io.BytesIO(FRUIT)
    buffer.read()
    assert read_table(buffer, target="ripe").n_rows == 3


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("no such file.csv", "there is no file 'no such file.csv'"),
        (".", "is a folder"),
        ("a\0b", "cannot be read"),
        (7, "not from int"),
        (None, "not from NoneType"),
    ],
)
def test_a_source_that_is_no_file_gets_a_sentence(source: object, says: str) -> None:
    with pytest.raises(TableError, match=says):
        read_frame(source)


# Cells as text


def test_cells_of_a_file_are_text_and_nothing_is_interpreted() -> None:
    raw = read_frame(b"a,b,c,d\ntrue,007,NA,1e3\nFalse,1.50,,0x10\n")
    assert raw.frame.to_numpy().tolist() == [["true", "007", "NA", "1e3"], ["False", "1.50", "", "0x10"]]


def test_spaces_around_cells_and_names_are_left_out_with_a_note() -> None:
    raw = read_frame(b" a , b\n x ,1\ny,2 \n")
    assert raw.frame.to_dict("list") == {"a": ["x", "y"], "b": ["1", "2"]}
    assert raw.notes == ("Spaces around cells are left out.",)


def test_a_table_with_quotes_and_one_without_are_cut_alike() -> None:
    plain = read_frame(b"a,b\r\n1 ,x\r\n\r\n2,\r\n")
    with_quotes = read_frame(b'a,b\r\n1 ,"x"\r\n\r\n2,\r\n')
    assert plain.frame.equals(with_quotes.frame)


def test_decimal_commas_need_another_separator_and_a_column_of_numbers() -> None:
    raw = read_frame(b"a;b;c\n1,5;1,5;7\n-2;x;8\nNA;y;9\n")
    assert raw.frame.to_dict("list") == {"a": ["1.5", "-2", "NA"], "b": ["1,5", "x", "y"], "c": ["7", "8", "9"]}
    assert "Decimal commas are read as points (3,5 as 3.5) in 'a'." in raw.notes
    assert read_frame(b'a,b\n"1,5",x\n').frame["a"].tolist() == ["1,5"]


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("a,b\n1;2,3\n", ["a", "b"]),
        ("a;b\n1,2;3,4\n", ["a", "b"]),
        ("name, first;y\nx;1\n", ["name, first", "y"]),
        ("a\tb,c\n1\t2\n", ["a", "b,c"]),
        ('"a;b",c\n1,2\n', ["a;b", "c"]),
        ("only\n1\n", ["only"]),
    ],
)
def test_the_separator_is_found_from_header_and_rows(text: str, columns: list[str]) -> None:
    assert list(read_frame(text.encode()).frame.columns) == columns


def test_lines_of_spaces_above_the_header_are_left_out() -> None:
    raw = read_frame(b"\n  \n\na,b\n1,2\n")
    assert raw.frame.to_dict("list") == {"a": ["1"], "b": ["2"]}


def test_a_separator_after_every_row_makes_no_column() -> None:
    raw = read_frame(b"a,y,\n1,u,\n2,v,\n")
    assert list(raw.frame.columns) == ["a", "y"]
    assert raw.notes == ("1 column without a name and without values left out.",)


def test_repeated_names_are_numbered_without_meeting_names_that_exist() -> None:
    raw = read_frame(b"a,a,a (2),,a\n1,2,3,4,5\n")
    assert list(raw.frame.columns) == ["a", "a (3)", "a (2)", "column 4", "a (4)"]


def test_an_excel_sheet_is_read_like_the_same_table_as_text() -> None:
    book = openpyxl.Workbook()
    for row in (["day", "n", "ok"], [dt.date(2024, 1, 5), 1, True], [dt.datetime(2024, 1, 6, 7, 30), 0.1, False], []):
        book.active.append(row)
    data = io.BytesIO()
    book.save(data)
    expected = [["2024-01-05", "1", "true"], ["2024-01-06 07:30:00", "0.1", "false"]]
    assert read_frame(data).frame.to_numpy().tolist() == expected


def test_parquet_keeps_its_types() -> None:
    columns = {
        "n": [1.0, None, 2.5],
        "i": [1, 2, 3],
        "s": ["a", "b", None],
        "ok": [True, False, None],
        "y": ["u", "v", "u"],
    }
    data = io.BytesIO()
    pyarrow.parquet.write_table(pa.table(columns), data)
    table = read_table(data, target="y")
    assert kinds(table) == ["numeric", "numeric", "categorical", "categorical"]
    assert [feature.n_missing for feature in table.features] == [1, 0, 1, 1]
    assert read_frame(data).frame["ok"].tolist() == ["true", "false", ""]


def test_a_small_parquet_file_cannot_stand_for_any_amount_of_text() -> None:
    word = pa.DictionaryArray.from_arrays(np.zeros(100_000, dtype=np.int32), ["x" * 10_000])
    data = io.BytesIO()
    pyarrow.parquet.write_table(pa.table({"a": word, "y": word}), data)
    assert len(data.getvalue()) < 100_000
    with pytest.raises(TableError, match="unpacks to"):
        read_frame(data)


# Kinds, missing values, levels


def test_a_column_whose_every_value_is_a_number_is_numeric() -> None:
    table = read_table(b"a,b,c,d,y\n1,1,true,1e3,u\n-.5,x,false,+5.,v\n?,2,true,NA,u\n", target="y")
    assert kinds(table) == ["numeric", "categorical", "categorical", "numeric"]
    assert table.columns[3].tolist()[:2] == [1000.0, 5.0]
    assert levels(table, "b") == ("1", "2", "x")


@pytest.mark.parametrize("word", MISSING)
def test_every_word_for_missing_is_missing(word: str) -> None:
    table = read_table(f"a,b,y\n1,x,u\n{word},{word},v\n".encode(), target="y")
    assert [feature.n_missing for feature in table.features] == [1, 1]
    assert table.value(0, 1) is None and table.value(1, 1) is None


@pytest.mark.parametrize("word", ["-", "NULL", "None", "na", "NAN", "missing", "0"])
def test_any_other_word_is_a_value(word: str) -> None:
    table = read_table(f"a,y\nx,u\n{word},v\n".encode(), target="y")
    assert word in levels(table, "a")


def test_levels_and_classes_are_sorted_as_numbers_where_all_are_numbers() -> None:
    table = read_table(b"a,b,y\n10,10,3\n9,x,20\n", target="y", categorical=["a"])
    assert levels(table, "a") == ("9", "10")
    assert levels(table, "b") == ("10", "x")
    assert table.target.classes == ("3", "20")


def test_the_display_order_puts_named_levels_first_and_changes_no_code() -> None:
    data = b"a,y\nlow,u\nhigh,v\nmedium,u\nodd,v\n"
    shown = read_table(data, target="y", display={"a": ("low", "medium", "high", "absent")})
    feature = shown.features[0]
    assert [feature.levels[i] for i in feature.display_order] == ["low", "medium", "high", "odd"]
    assert feature.levels == ("high", "low", "medium", "odd")
    assert shown.columns[0].tolist() == read_table(data, target="y").columns[0].tolist()


def test_kinds_can_be_forced() -> None:
    data = b"a,b,y\n1,2,0\n3,4,1\n"
    table = read_table(data, target="y", categorical=("a",), numeric=("b",))
    assert kinds(table) == ["categorical", "numeric"]
    assert kinds(read_table(data, target="y", categorical="b")) == ["numeric", "categorical"]


def test_a_forced_numeric_column_with_text_names_the_value_and_its_row() -> None:
    with pytest.raises(TableError, match=r"'a' cannot be numeric: row 3 has 'x'"):
        read_table(b"a,y\n1,u\n2,v\nx,u\n", target="y", numeric=["a"])


def test_rows_are_counted_in_the_file_also_where_rows_without_a_target_are_left_out() -> None:
    with pytest.raises(TableError, match=r"row 3 has 'x'"):
        read_table(b"a,y\n1,\n2,v\nx,u\n", target="y", numeric=["a"])


def test_a_column_that_is_almost_numeric_is_categorical_with_the_reason() -> None:
    table = read_table(b"a,y\n1,u\n2,v\nmany,u\n", target="y")
    assert kinds(table) == ["categorical"]
    assert "'a' is mostly numbers, but row 3 has 'many', so it is read as categorical." in table.notes


def test_a_numeric_target_is_a_number_from_eleven_distinct_values() -> None:
    def read(n: int, task: str | None = None) -> TargetKind:
        text = "a,y\n" + "".join(f"{i},{i}\n" for i in range(n))
        return read_table(text.encode(), target="y", task=task).target.kind

    assert (read(10), read(11)) == (TargetKind.CLASSES, TargetKind.NUMBER)
    assert (read(10, "number"), read(11, "classes")) == (TargetKind.NUMBER, TargetKind.CLASSES)


def test_a_target_of_words_cannot_be_a_number() -> None:
    with pytest.raises(TableError, match=r"the target 'ripe' cannot be a number: row 1 has 'yes'"):
        read_table(FRUIT, target="ripe", task="number")


def test_rows_without_a_target_are_left_out_with_a_note_and_their_numbers_kept() -> None:
    table = read_table(b"a,y\n1,u\n2,NA\n3,v\n", target="y")
    assert table.row_numbers.tolist() == [0, 2]
    assert table.notes == ("1 row without a value of 'y' left out.",)


def test_a_feature_without_values_is_left_out_with_a_note() -> None:
    table = read_table(b"a,b,y\n1,NA,u\n2,,v\n3,x,\n", target="y")
    assert [feature.name for feature in table.features] == ["a"]
    assert "'b' has no values and is left out." in table.notes


def test_one_class_is_a_single_leaf_and_said_to_be() -> None:
    table = read_table(b"a,y\n1,u\n2,u\n", target="y")
    assert "single leaf" in table.notes[0]
    assert grow(table, GrowthSettings.id3()).tree.n_nodes == 1


def test_columns_that_have_another_value_in_every_row_are_flagged_and_kept() -> None:
    rows = "".join(f"{i},n{i},{i / 2},{i % 2},{i}\n" for i in range(6))
    table = read_table(f"id,name,size,odd,y\n{rows}".encode(), target="y", task="classes")
    assert table.identifiers == ("id", "name")
    assert len(table.features) == 4
    assert read_table(f"id,name,size,odd,y\n{rows}".encode(), target="y", numeric=["id"]).identifiers == ("name",)


@pytest.mark.parametrize(
    ("wishes", "says"),
    [
        (
            {"target": "rippe"},
            r"the target 'rippe' is not in the table; did you mean 'ripe'\? its columns are 'colour'",
        ),
        ({"target": "RIPE"}, r"did you mean 'ripe'"),
        ({"ignore": ["day"]}, "a column to ignore 'day' is not in the table"),
        ({"categorical": ["day"]}, "a categorical feature 'day'"),
        ({"numeric": ["day"]}, "a numeric feature 'day'"),
        ({"ignore": ["ripe"]}, "is the target and cannot be ignored"),
        ({"numeric": ["ripe"]}, "is the target, not a feature"),
        ({"numeric": ["size"], "categorical": ["size"]}, "both categorical and numeric"),
        ({"task": "guess"}, "must be 'classes' or 'number', got 'guess'"),
        ({"ignore": ["colour", "size"]}, "no feature beside the target"),
    ],
)
def test_wishes_that_do_not_fit_get_a_sentence(wishes: dict[str, object], says: str) -> None:
    with pytest.raises(TableError, match=says):
        read_table(FRUIT, **{"target": "ripe", **wishes})  # type: ignore[arg-type]


# DataFrames


def test_a_typed_frame_is_read_by_its_types() -> None:
    frame = pd.DataFrame(
        {
            "whole": [1, 2, 2],
            "real": [0.5, None, 2.0],
            "flag": [True, False, True],
            "grade": pd.Categorical(["2", "1", None]),
            "nullable": pd.array([1, None, 3], dtype="Int64"),
            "when": pd.to_datetime(["2024-01-05", None, "2024-01-05"]),
            "mixed": [1, "x", None],
            "exact": [decimal.Decimal("0.5"), decimal.Decimal(2), None],
            "text": pd.array(["7", "008", pd.NA], dtype="string"),
            "y": [1.0, 0.0, 1.0],
        },
        index=[5, 5, 9],
    )
    table = read_table(frame, target="y")
    numeric = [feature.name for feature in table.features if feature.kind is FeatureKind.NUMERIC]
    assert numeric == ["whole", "real", "nullable", "exact", "text"]
    assert levels(table, "flag") == ("false", "true")
    assert levels(table, "grade") == ("1", "2")
    assert levels(table, "when") == ("2024-01-05",)
    assert levels(table, "mixed") == ("1", "x")
    assert table.target.classes == ("0", "1")
    assert table.row_numbers.tolist() == [0, 1, 2]


def test_short_floats_are_spelled_short() -> None:
    frame = pd.DataFrame({"a": np.array([0.1, 2, 1e-7], dtype=np.float32), "y": [1, 2, 3]})
    assert levels(read_table(frame, target="y", categorical=["a"]), "a") == ("1e-07", "0.1", "2")


def test_a_frame_may_have_any_column_names() -> None:
    frame = pd.DataFrame([[1, "x", 2, 0], [2, "y", 3, 1]], columns=[0, ("a", "b"), "", "y"])
    assert [feature.name for feature in read_table(frame, target="y").features] == ["0", "a b", "column 3"]


def test_reading_a_frame_changes_nothing_in_it() -> None:
    frame = pd.DataFrame({"a": [1.0, 2.0], "y": ["u", "v"]})
    before = frame.copy()
    table = read_table(frame, target="y")
    assert frame.equals(before)
    frame.loc[0, "a"] = 9.0
    assert table.columns[0].tolist() == [1.0, 2.0]


@pytest.mark.parametrize("value", [float("inf"), "inf", "-Infinity", "1e999"])
def test_an_infinite_number_is_refused_with_its_row_and_column(value: object) -> None:
    with pytest.raises(TableError, match=r"'a' has '.*' in row 2, which is not a finite number"):
        read_table(pd.DataFrame({"a": [1, value], "y": ["u", "v"]}), target="y")


# Numbers


@given(st.floats(allow_nan=False, allow_infinity=False), st.sampled_from(["r", "e", "g"]))
def test_numbers_are_read_to_the_last_bit_on_both_ways(number: float, style: str) -> None:
    text = repr(number) if style == "r" else f"{number:.17{style}}"
    fast, _ = to_numbers(pd.Series([text]))
    slow, text_at = to_numbers(pd.Series([text, "word"]))
    assert fast[0] == slow[0] == float(text)
    assert text_at == 1


@given(st.text(max_size=6) | st.text(alphabet="0123456789.eE+-_xinfINFaty", max_size=8))
def test_both_ways_agree_on_what_a_number_is(text: str) -> None:
    cell = text.strip()
    alone, _ = to_numbers(pd.Series([text.encode("utf-8", "replace").decode()]))
    if cell in MISSING:
        assert np.isnan(alone[0])
    else:
        assert np.array_equal(alone, parse_numbers([cell]), equal_nan=True)


# There and back


@given(
    st.lists(
        st.tuples(
            st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=5),
            st.floats(allow_nan=False, allow_infinity=False),
            st.sampled_from(["u", "v", 'w"', "x,y", "z\n;"]),
        ),
        min_size=1,
        max_size=8,
    )
)
def test_a_table_written_as_csv_and_read_back_is_the_same(rows: list[tuple[str, float, str]]) -> None:
    frame = pd.DataFrame(rows, columns=["word", "number", "class"]).astype({"number": str})
    raw = read_frame(RawFrame(frame, "t"))
    again = read_frame(raw.frame.to_csv(index=False, lineterminator="\r\n").encode(), name="t")
    assert again.frame.to_numpy().tolist() == raw.frame.to_numpy().tolist()
    wishes = {"target": "class", "categorical": ["word"]}
    try:
        expected = read_table(raw, **wishes)  # type: ignore[arg-type]
    except TableError:
        return
    assert read_table(again, **wishes).fingerprint == expected.fingerprint  # type: ignore[arg-type]


# Rows to predict

SIZE = Feature("size", FeatureKind.NUMERIC)
GRADE = Feature("grade", FeatureKind.CATEGORICAL, ("1", "2", "x"))
CODE = Feature("code", FeatureKind.CATEGORICAL, ("007", "1.0"))
FLAG = Feature("flag", FeatureKind.CATEGORICAL, ("FALSE", "TRUE"))


def coded(feature: Feature, values: object) -> list[float]:
    return code_frame(pd.DataFrame({feature.name: values}), [feature], [0])[0].tolist()


def test_text_is_matched_with_levels_as_text() -> None:
    assert coded(GRADE, ["2", " x ", "NA", "", "3", "1.0"]) == [1, 2, 3, 3, 4, 4]


def test_whole_numbers_match_their_integer_spelling() -> None:
    assert coded(GRADE, [1, 2, 3]) == [0, 1, 4]
    assert coded(GRADE, [1.0, None, 2.5]) == [0, 3, 4]
    assert coded(GRADE, pd.array([1, None, 2], dtype="Int64")) == [0, 3, 1]
    assert coded(GRADE, [1.0, "x", None]) == [0, 2, 3]


def test_typed_numbers_and_booleans_match_other_spellings_that_mean_the_same() -> None:
    assert coded(CODE, [7, 1, 2]) == [0, 1, 3]
    assert coded(FLAG, [True, False]) == [1, 0]
    assert coded(CODE, ["7", "1", "2"]) == [3, 3, 3]


def test_numbers_are_read_from_text_and_from_types() -> None:
    assert coded(SIZE, ["1.5", " 2 ", "+3"]) == [1.5, 2.0, 3.0]
    assert coded(SIZE, pd.array([1, 2], dtype="Int64")) == [1.0, 2.0]
    assert np.isnan(coded(SIZE, ["", "?", "null"])).all()


@pytest.mark.parametrize("word", ["big", "inf", "1_0"])
def test_a_word_for_a_numeric_feature_is_refused_with_its_row(word: str) -> None:
    with pytest.raises(QueryError, match=f"row 2 of the query has '{word}' for 'size', which is numeric"):
        coded(SIZE, ["1", word])


def test_a_missing_or_repeated_column_is_named_with_those_that_exist() -> None:
    with pytest.raises(QueryError, match=r"no column 'size'; its columns are 'grade'"):
        code_frame(pd.DataFrame({"grade": ["1"]}), [SIZE], [0])
    with pytest.raises(QueryError, match="several columns 'size'"):
        code_frame(pd.DataFrame([[1, 2]], columns=["size", "size"]), [SIZE], [0])


def test_columns_that_are_not_needed_may_be_missing() -> None:
    assert set(code_frame(pd.DataFrame({"grade": ["1"]}), [SIZE, GRADE], [1])) == {1}


def test_a_query_without_rows_is_coded_as_none() -> None:
    coded_nothing = code_frame(read_frame(b"size,grade\n1,x\n").frame.iloc[:0], [SIZE, GRADE], [0, 1])
    assert [len(column) for column in coded_nothing.values()] == [0, 0]
