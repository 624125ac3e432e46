from __future__ import annotations

import csv

import pytest

import datasets
from datasets import FILES, Entry
from engine import GrowthSettings, TableError, grow
from engine.ingest import read_frame

ENTRIES = datasets.catalogue()
QUERIES = {"food_allergy_query"}
"""Files of rows to predict, which are no datasets."""


def entries() -> pytest.MarkDecorator:
    return pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)


def test_every_file_is_a_dataset_or_a_query() -> None:
    names = {entry.name for entry in ENTRIES if entry.kind == "file"}
    assert names | QUERIES == {path.stem for path in FILES.glob("*.csv")}
    assert len({entry.name for entry in ENTRIES}) == len({entry.title for entry in ENTRIES}) == len(ENTRIES)


@entries()
def test_an_entry_says_the_size_of_its_table(entry: Entry) -> None:
    table = datasets.load(entry.name)
    assert (table.n_rows, len(table.features), table.n_classes) == (entry.n_rows, entry.n_features, entry.n_classes)
    assert table.name == entry.name


@entries()
def test_an_entry_names_columns_and_levels_that_exist(entry: Entry) -> None:
    columns = list(datasets.frame(entry.name).columns)
    assert {entry.target, *entry.ignore, *entry.categorical, *entry.numeric} <= set(columns)
    levels = {feature.name: feature.levels for feature in datasets.load(entry.name).features}
    for feature, order in entry.display.items():
        assert sorted(order) == sorted(levels[feature])


@entries()
def test_a_card_is_short_and_says_where_its_table_comes_from(entry: Entry) -> None:
    assert entry.teaches.endswith((".", "?")) and len(entry.teaches) < 100
    assert entry.source and entry.licence and entry.title and not entry.source.endswith(".")
    assert not entry.remark or entry.remark.endswith(".")


@entries()
def test_ready_tables_need_no_advice_on_their_columns(entry: Entry) -> None:
    table = datasets.load(entry.name)
    assert table.identifiers == ()
    assert all("without a value" in note for note in table.notes)


@pytest.mark.parametrize("entry", [e for e in ENTRIES if e.n_classes], ids=lambda entry: entry.name)
def test_a_tree_grows_on_every_table_with_classes(entry: Entry) -> None:
    assert grow(datasets.load(entry.name), GrowthSettings.id3()).tree.n_nodes > 1


@pytest.mark.parametrize("entry", [e for e in ENTRIES if e.kind == "file"], ids=lambda entry: entry.name)
def test_cells_are_those_of_the_file(entry: Entry) -> None:
    with (FILES / f"{entry.name}.csv").open(newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    frame = datasets.frame(entry.name)
    assert list(frame.columns) == header
    assert frame.to_numpy().tolist() == rows


def test_a_query_fits_the_table_that_it_is_asked_of() -> None:
    tree = grow(datasets.load("food_allergy"), GrowthSettings.id3()).tree
    assert list(tree.predict(read_frame(FILES / "food_allergy_query.csv").frame)) in (["0"], ["1"])


def test_truth_tables_are_categorical_and_bike_demand_by_count_is_a_number() -> None:
    assert {f.kind.value for f in datasets.load("derived_xor").features} == {"categorical"}
    assert datasets.load("bike_demand_count").target.kind == "number"


def test_levels_are_displayed_in_the_order_that_a_person_expects() -> None:
    elevation = datasets.load("vegetation").features[2]
    shown = [elevation.levels[i] for i in elevation.display_order]
    assert shown == ["low", "medium", "high", "highest"]


def test_an_unknown_dataset_is_answered_with_those_that_exist() -> None:
    with pytest.raises(TableError, match="there is no dataset 'golf'; there are play_tennis"):
        datasets.entry("golf")


def test_a_file_cannot_be_asked_for_rows_or_noise() -> None:
    with pytest.raises(TableError, match="for generators only"):
        datasets.load("iris", n_rows=20)
