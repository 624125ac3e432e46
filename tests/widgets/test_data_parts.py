"""What the Data page works out without the screen."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import datasets
from drawing.theme import Mode
from engine import GrowthSettings, TableError, grow, read_table
from engine.holdout import split_holdout
from widgets.data_columns import Reading, changed
from widgets.data_edits import WINDOW, noisy_example, put_back, window_of, with_row
from widgets.data_gallery import Group, group_of, matching, size
from widgets.data_holdout import accuracy, counts
from widgets.data_limits import MAX_CLASSES, MAX_COLUMNS, MAX_ROWS, check_classes, check_shape, check_size
from widgets.data_overview import MOST_SHARES, facts, shares_html
from widgets.data_pictures import PER_PAGE, page_of
from widgets.data_summary import ClassShare, class_shares, column_summaries, five_numbers


def frame_of(**columns: list[str]) -> pd.DataFrame:
    return pd.DataFrame(columns, dtype="str")


# ---- summaries


def test_five_numbers_are_those_of_the_known_values() -> None:
    values = datasets.load("iris").columns[0]
    five = five_numbers(np.append(values, np.nan))
    assert five is not None
    assert (five.minimum, five.median, five.maximum) == (4.3, 5.8, 7.9)
    assert (five.lower, five.upper) == pytest.approx((5.1, 6.4))


def test_five_numbers_of_nothing_are_none() -> None:
    assert five_numbers(np.array([np.nan, np.nan])) is None


def test_class_shares_add_up_to_all_rows() -> None:
    shares = class_shares(datasets.load("play_tennis"))
    assert [(share.name, share.rows) for share in shares] == [("no", 5), ("yes", 9)]
    assert sum(share.share for share in shares) == pytest.approx(1)


def test_a_number_has_no_class_shares() -> None:
    assert class_shares(datasets.load("mtcars")) == ()


def test_every_column_but_the_target_is_summed_up_in_the_order_of_the_file() -> None:
    table, frame = datasets.load("play_tennis"), datasets.frame("play_tennis")
    summaries = column_summaries(table, frame)
    assert [s.name for s in summaries] == ["day", "outlook", "temperature", "humidity", "wind"]
    assert [s.used for s in summaries] == [False, True, True, True, True]
    assert summaries[1].most_common == ("rain", 5) and summaries[0].n_distinct == 14


def test_missing_values_are_counted_also_in_ignored_columns() -> None:
    frame = frame_of(a=["1", "", "?", "4", "5"], b=["x", "NA", "y", "x", "x"], y=["p", "q", "p", "q", "p"])
    whole = column_summaries(read_table(frame, target="y"), frame)
    part = column_summaries(read_table(frame, target="y", ignore=("b",)), frame)
    assert [s.n_missing for s in whole] == [2, 1] and [s.n_missing for s in part] == [2, 1]
    assert part[1].most_common == ("x", 3)


def test_advice_names_identifiers_constants_and_gaps() -> None:
    rows = range(8)
    frame = frame_of(
        name=[f"P{i}" for i in rows],
        same=["a"] * 8,
        gaps=["1", "2", "2", *[""] * 5],
        good=[str(i % 3) for i in rows],
        y=[str(i % 2) for i in rows],
    )
    advice = {s.name: s.advice for s in column_summaries(read_table(frame, target="y"), frame)}
    assert "names the rows" in advice["name"]
    assert "never split" in advice["same"]
    assert "half" in advice["gaps"]
    assert advice["good"] == ""


# ---- edits


def test_an_edited_cell_stands_in_the_whole_table() -> None:
    frame = datasets.frame("play_tennis")
    edited = window_of(frame, 0)
    edited.loc[2, "play"] = "no"
    assert put_back(frame, edited, 0, len(edited))["play"].tolist()[2] == "no"
    assert frame["play"].tolist()[2] == "yes"


def test_a_window_is_put_back_where_it_was_taken() -> None:
    frame = frame_of(a=[str(i) for i in range(2 * WINDOW + 5)])
    shown = window_of(frame, WINDOW)
    edited = pd.concat([shown.drop(index=0), frame_of(a=["new"])], ignore_index=True)
    after = put_back(frame, edited, WINDOW, len(shown))["a"].tolist()
    assert len(after) == len(frame)
    assert after[WINDOW - 1 : WINDOW + 1] == [str(WINDOW - 1), str(WINDOW + 1)]
    assert after[2 * WINDOW - 1] == "new" and after[-1] == str(2 * WINDOW + 4)


def test_cells_left_empty_are_empty_text() -> None:
    after = put_back(frame_of(a=["1"], b=["2"]), pd.DataFrame({"c0": ["1", None], "c1": ["2", np.nan]}), 0, 1)
    assert after.to_dict("list") == {"a": ["1", ""], "b": ["2", ""]}


def test_all_rows_can_be_deleted_as_cells() -> None:
    frame = frame_of(a=["1", "2"])
    assert put_back(frame, frame.iloc[:0], 0, 2).shape == (0, 1)


def test_the_noisy_example_is_row_15_of_the_noisy_table() -> None:
    frame = datasets.frame("play_tennis")
    example = noisy_example("play_tennis", frame)
    assert example is not None
    assert with_row(frame, example).iloc[-1].tolist() == datasets.frame("play_tennis_noisy").iloc[-1].tolist()
    assert noisy_example("iris", datasets.frame("iris")) is None
    assert noisy_example("play_tennis", frame.drop(columns="wind")) is None


# ---- limits


def test_limits_are_allowed_and_one_more_is_not() -> None:
    check_size(10 * 1024 * 1024)
    check_shape(pd.DataFrame(index=range(MAX_ROWS)))
    check_shape(pd.DataFrame(columns=range(MAX_COLUMNS)))
    with pytest.raises(TableError, match="10 MB"):
        check_size(10 * 1024 * 1024 + 1)
    with pytest.raises(TableError, match="200,001 rows"):
        check_shape(pd.DataFrame(index=range(MAX_ROWS + 1)))
    with pytest.raises(TableError, match="501 columns"):
        check_shape(pd.DataFrame(columns=range(MAX_COLUMNS + 1)))


def test_a_target_of_101_classes_is_refused() -> None:
    def table(n_classes: int):
        rows = range(2 * n_classes)
        return read_table(frame_of(a=[str(i % 7) for i in rows], y=[f"c{i % n_classes}" for i in rows]), target="y")

    check_classes(table(MAX_CLASSES))
    with pytest.raises(TableError, match="101 classes"):
        check_classes(table(MAX_CLASSES + 1))


# ---- columns


def summaries_of(frame: pd.DataFrame, **reading: tuple[str, ...]):
    return column_summaries(read_table(frame, target="y", **reading), frame)


MIXED = frame_of(a=["1", "2", "1", "3"], b=["u", "v", "u", "v"], y=["p", "q", "p", "q"])


def test_nothing_edited_changes_nothing() -> None:
    now = Reading((), ("a",), ())
    summaries = summaries_of(MIXED, categorical=("a",))
    assert changed(summaries, [True, True], ["categorical", "categorical"], now) == now


def test_an_unticked_column_is_ignored_and_comes_back() -> None:
    ignored = changed(summaries_of(MIXED), [False, True], ["numeric", "categorical"], Reading((), (), ()))
    assert ignored == Reading(("a",), (), ())
    back = changed(summaries_of(MIXED, ignore=("a",)), [True, True], [None, "categorical"], ignored)
    assert back == Reading((), (), ())


def test_a_kind_is_forced_and_forced_back() -> None:
    forced = changed(summaries_of(MIXED), [True, True], ["categorical", "categorical"], Reading((), (), ()))
    assert forced == Reading((), ("a",), ())
    summaries = summaries_of(MIXED, categorical=("a",))
    assert changed(summaries, [True, True], ["numeric", "categorical"], forced) == Reading((), (), ("a",))


# ---- gallery


def test_every_dataset_stands_on_one_shelf_and_no_shelf_is_empty() -> None:
    entries = datasets.catalogue()
    shelves = {group: matching(entries, "", group) for group in Group}
    assert all(shelves.values())
    assert sum(map(len, shelves.values())) == len(entries)
    assert group_of(datasets.entry("moons")) is Group.FORMULA
    assert group_of(datasets.entry("play_tennis")) is Group.FIRST


def test_a_search_needs_every_word_and_looks_beyond_the_shelf() -> None:
    entries = datasets.catalogue()
    found = matching(entries, "tennis NOISY", Group.FIRST)
    assert [entry.name for entry in found] == ["play_tennis_noisy"]
    assert matching(entries, "tennis zebra", None) == ()


def test_a_card_says_rows_features_and_classes() -> None:
    assert size(datasets.entry("nursery")) == "12,960 rows · 8 features · 5 classes"
    assert size(datasets.entry("mtcars")).endswith("a number to predict")


# ---- overview


def test_facts_count_kinds_and_missing_values() -> None:
    assert facts(datasets.load("play_tennis")) == "14 rows · 4 features (4 categorical) · no value missing"
    assert facts(datasets.load("labor")).endswith("values missing")


def test_rare_classes_are_gathered_and_all_rows_kept() -> None:
    shares = tuple(ClassShare(f"c{i}", i + 1, (i + 1) / 78) for i in range(12))
    html = shares_html(shares, Mode.LIGHT)
    assert html.count("<b>") == MOST_SHARES
    assert f"<b>{12 - MOST_SHARES + 1} more</b> 15 ·" in html
    assert "under" not in html


def test_a_class_of_two_rows_in_ten_thousand_is_not_nothing() -> None:
    html = shares_html((ClassShare("a", 9998, 0.9998), ClassShare("b", 2, 0.0002)), Mode.DARK)
    assert "under 0.1 %" in html


def test_features_are_shown_a_page_at_a_time() -> None:
    pages = [page_of(30, page) for page in range(1, 6)]
    assert [i for page in pages for i in page] == list(range(30))
    assert all(len(page) <= PER_PAGE for page in pages)


# ---- holdout


def test_accuracies_are_those_of_a_count_by_hand() -> None:
    whole, cells = datasets.load("iris"), datasets.frame("iris")
    training, held_out = split_holdout(whole, 0.3, 1)
    growth = grow(training, GrowthSettings.id3(max_depth=2))
    assert accuracy(growth, cells, training).share == growth.tree.training_accuracy()
    truth = cells["target"].iloc[held_out.row_numbers].tolist()
    said = [p.prediction for p in growth.tree.predictions(cells.iloc[held_out.row_numbers])]
    assert accuracy(growth, cells, held_out).right == sum(a == b for a, b in zip(truth, said, strict=True))


def test_counts_of_training_and_holdout_add_up() -> None:
    whole = datasets.load("iris")
    rows = counts(whole, *split_holdout(whole, 0.2, 0))
    assert [row[0] for row in rows] == list(whole.target.classes)
    assert all(all_rows == training + held_out for _, all_rows, training, held_out in rows)
    assert {held_out for *_, held_out in rows} == {10}
