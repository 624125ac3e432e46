"""The Data page as a person drives it, without a browser."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import datasets
from engine import Table, read_table
from engine.ingest import RawFrame
from tests.engine.hostile_files import HOSTILE, Hostile
from widgets.state import Key

PAGE = Path(__file__).parents[2] / "pages" / "data.py"
SECTIONS = ("Gallery", "Rows", "Columns", "Pictures", "Holdout")
FRUIT = b"size,colour,ripe\n1.5,red,yes\n2,green,no\n3,green,no\n2.5,red,yes\n1,red,no\n"


def opened(**query: str) -> AppTest:
    app = AppTest.from_string("import app; app.main()", default_timeout=60)
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    app.switch_page(str(PAGE)).run()
    assert not app.exception
    return app


def show(app: AppTest, section: str) -> AppTest:
    app.session_state[Key.SECTION] = section
    app.run()
    assert not app.exception
    return app


def uploaded(app: AppTest, content: bytes, name: str = "fruit.csv") -> AppTest:
    app.file_uploader(key=Key.UPLOADER).set_value((name, content, "application/octet-stream")).run()
    assert not app.exception
    return app


def table_of(app: AppTest) -> Table:
    """The session's table, read anew from its cells."""
    data = app.session_state["espalier"].data
    return read_table(
        RawFrame(data.frame, data.name, data.notes),
        target=data.target,
        ignore=data.ignore,
        categorical=data.categorical,
        numeric=data.numeric,
        task=data.task,
    )


def words(app: AppTest) -> str:
    return " ".join(element.value for element in (*app.markdown, *app.caption, *app.error))


@pytest.mark.parametrize("name", [entry.name for entry in datasets.catalogue()])
def test_every_dataset_shows_every_section(name: str) -> None:
    app = opened(dataset=name)
    for section in SECTIONS:
        show(app, section)
        assert app.selectbox(key=Key.DATASET).value == name
        assert app.selectbox(key=Key.TARGET).value == datasets.entry(name).target


def test_a_choice_in_the_list_changes_the_table() -> None:
    app = opened()
    app.selectbox(key=Key.DATASET).set_value("iris").run()
    assert not app.exception and not app.error
    assert table_of(app).n_rows == 150


def test_a_card_of_the_gallery_makes_its_table_current_and_shows_its_rows() -> None:
    app = show(opened(), "Gallery")
    app.button(key="use_guess_who").click().run()
    assert table_of(app).target.name == "name"
    assert app.session_state[Key.SECTION] == "Rows"


def test_the_card_in_use_is_marked() -> None:
    app = show(opened(), "Gallery")
    assert "use_play_tennis" not in [button.key for button in app.button]
    assert "In use" in words(app)


def test_a_search_looks_on_every_shelf() -> None:
    app = show(opened(), "Gallery")
    app.text_input(key=Key.SEARCH).set_value("tumour").run()
    app.text_input(key=Key.SEARCH).set_value("moons").run()
    assert app.button(key="use_moons")


def test_a_generator_follows_its_sliders() -> None:
    app = opened(dataset="moons")
    app.slider(key=Key.MADE_ROWS).set_value(50).run()
    assert table_of(app).n_rows == 50
    before = table_of(app).fingerprint
    app.number_input(key=Key.MADE_SEED).set_value(7).run()
    assert not app.exception and table_of(app).fingerprint != before


def test_an_upload_is_the_table_and_its_last_column_the_target() -> None:
    app = uploaded(opened(), FRUIT)
    assert not app.error
    assert table_of(app).n_rows == 5 and table_of(app).target.name == "ripe"


def test_an_upload_stays_when_the_page_is_left() -> None:
    app = uploaded(opened(), FRUIT)
    app.switch_page(str(PAGE.with_name("grow.py"))).run()
    app.switch_page(str(PAGE)).run()
    assert not app.exception and table_of(app).name == "fruit"


def test_a_bad_upload_says_so_and_loses_nothing() -> None:
    app = opened(dataset="iris")
    uploaded(app, b"", "empty.csv")
    assert len(app.error) == 1
    assert table_of(app).name == "iris"
    uploaded(app, FRUIT)
    uploaded(app, b"\x00\x01\x02\xff" * 50, "photo.csv")
    assert app.error and table_of(app).name == "fruit"


def test_limits_are_said_before() -> None:
    label = opened().file_uploader(key=Key.UPLOADER).label
    assert all(limit in label for limit in ("10 MB", "200,000 rows", "500 columns", "100 classes"))


def test_an_upload_whose_last_column_cannot_be_the_target_is_offered_with_another() -> None:
    rows = "".join(f"{i % 2},word{i}x\n" for i in range(150))
    app = uploaded(opened(), ("kind,comment\n" + rows).encode())
    assert "150 classes" in app.error[0].value
    assert table_of(app).name == "play_tennis"
    app.selectbox(key=Key.UPLOAD_TARGET).set_value("kind").run()
    assert not app.error
    next(button for button in app.button if button.label == "Use this file").click().run()
    assert not app.exception and table_of(app).target.name == "kind"


def test_the_target_can_be_changed() -> None:
    app = uploaded(opened(), FRUIT)
    app.selectbox(key=Key.TARGET).set_value("colour").run()
    assert not app.error
    assert table_of(app).target.classes == ("green", "red")


def test_a_numeric_target_can_be_read_as_classes() -> None:
    app = uploaded(opened(), b"a,b\n" + b"".join(b"%d,%d\n" % (i % 3, i) for i in range(30)))
    assert table_of(app).target.kind.value == "number"
    app.segmented_control(key=Key.TASK).set_value("classes").run()
    assert not app.exception and table_of(app).n_classes == 30


def test_the_noisy_example_is_added_and_taken_back() -> None:
    app = opened()
    next(b for b in app.button if b.label == "Add the noisy example").click().run()
    table = table_of(app)
    assert table.n_rows == 15
    assert [table.value(i, 14) for i in range(4)] == ["sunny", "hot", "normal", "strong"]
    assert table.target_value(14) == "no"
    next(b for b in app.button if b.label == "Reset").click().run()
    assert not app.exception and table_of(app).n_rows == 14


def test_only_play_tennis_has_the_noisy_example() -> None:
    assert "Add the noisy example" not in [b.label for b in opened(dataset="iris").button]


def test_a_holdout_shows_the_test_accuracy_and_counts_by_class() -> None:
    app = show(opened(dataset="iris"), "Holdout")
    assert [metric.label for metric in app.metric] == ["Training accuracy"]
    app.slider(key=Key.HOLDOUT_SHARE).set_value(30).run()
    assert [metric.label for metric in app.metric] == ["Training accuracy", "Test accuracy"]
    held_out = app.session_state["espalier"].data
    assert held_out.holdout_share == 0.3
    assert table_of(app).n_rows == 150


def test_an_identifier_is_flagged_and_left_out_by_its_button() -> None:
    app = opened()
    rows = "".join(f"P{i:03},{i % 4},{'yes' if i % 3 else 'no'}\n" for i in range(20))
    show(uploaded(app, ("id,size,ripe\n" + rows).encode()), "Columns")
    assert "names the rows" in words(app)
    next(b for b in app.button if b.label == "Leave out").click().run()
    assert [feature.name for feature in table_of(app).features] == ["size"]
    assert "names the rows" not in words(app)


def test_names_from_a_file_are_shown_letter_by_letter() -> None:
    hostile = "**bold**,$x$,:smile:\n" + "".join(f"{i},<b>{i % 2}</b>,[a](http://b)\n" for i in range(6))
    app = uploaded(opened(), (hostile + "1,2,*c*\n").encode(), "<script>alert(1)</script>.csv")
    for section in SECTIONS[1:]:
        show(app, section)
        assert "**bold**" not in words(app) and "$x$" not in words(app) and ":smile:" not in words(app)
        assert all("<b>0" not in element.value for element in app.get("html") if hasattr(element, "value"))


def test_the_way_on_keeps_the_query_parameters() -> None:
    app = opened(dataset="iris")
    link = app.get("page_link")[0]
    assert "dataset=iris" in link.proto.query_string


@pytest.fixture(scope="module")
def visitor() -> AppTest:
    """One session that meets all hostile files, as if a person tried them in turn."""
    return opened()


@pytest.mark.parametrize("case", HOSTILE, ids=lambda case: case.name)
def test_a_hostile_file_is_a_sentence_or_a_right_table(visitor: AppTest, case: Hostile) -> None:
    visitor.session_state[Key.SECTION] = "Rows"
    visitor.selectbox(key=Key.DATASET).set_value("play_tennis").run()
    uploaded(visitor, case.content, f"{case.name}.csv")
    if visitor.error:
        assert table_of(visitor).name == "play_tennis"
        assert case.says is None or case.says.lower() in unescaped(visitor.error[0].value).lower()
        return
    assert case.says is None
    assert case.holds(table_of(visitor))
    for section in ("Columns", "Pictures"):
        show(visitor, section)


def unescaped(text: str) -> str:
    """A sentence as the screen shows it."""
    return re.sub(r"\\([^\w\s])", r"\1", text).replace("\u2060", "")


def test_a_file_beyond_a_limit_is_refused_by_name_of_the_limit() -> None:
    wide = ",".join(f"c{i}" for i in range(501)) + "\n" + ",".join("1" * 501) + "\n"
    app = uploaded(opened(), wide.encode())
    assert "501 columns" in app.error[0].value and "500" in app.error[0].value
    long = b"a,b\n" + b"1,x\n2,y\n" * 100_001
    assert "200,002 rows" in uploaded(app, long).error[0].value
    assert "10 MB" in uploaded(app, b"a,b\n" + b"1,x\n" * 2_700_000).error[0].value


def test_a_column_that_cannot_be_read_is_left_out_and_the_file_used() -> None:
    app = uploaded(opened(), b"size,weight,ripe\n1,inf,yes\n2,3,no\n3,4,no\n4,1,yes\n")
    assert "inf" in app.error[0].value
    app.multiselect(key=Key.UPLOAD_IGNORE).set_value(["weight"]).run()
    assert not app.error
    next(button for button in app.button if button.label == "Use this file").click().run()
    assert [feature.name for feature in table_of(app).features] == ["size"]
