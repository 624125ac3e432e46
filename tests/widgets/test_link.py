"""A session as a link, and back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from drawing.tree_layout import Orientation
from engine import Choice, Condition, GrowthSettings, Op, TableError
from engine.settings import Algorithm, CategoricalSplits, CostRule, Missing
from widgets import link
from widgets.link_settings import SETTINGS as SETTING_NAMES
from widgets.session import Beside, CurrentData, Session
from widgets.stage import SPEEDS, Granularity, Guess, NodePart, View


def ready(name: str, n_rows: int | None = None, noise: float | None = None, seed: int | None = None) -> CurrentData:
    if name not in ("play_tennis", "blobs"):
        raise TableError(f"there is no dataset {name!r}.")
    frame = pd.DataFrame({"wind": ["weak"], "play": ["no"]})
    return CurrentData(name, name, frame, name, "play", n_rows=n_rows, noise=noise, seed=seed)


def accept(_: CurrentData) -> None:
    """Every data makes a table."""


def again(session: Session) -> Session:
    original = ready(session.data.name, session.data.n_rows, session.data.noise, session.data.seed)
    return link.read(link.write(session, original), ready, accept)


NAMES = st.text(min_size=1, max_size=12).filter(lambda name: name.isprintable())
CONDITIONS = st.one_of(
    st.builds(Condition, NAMES, st.just(Op.IN), st.lists(NAMES, min_size=1, max_size=3).map(tuple)),
    st.builds(
        Condition, NAMES, st.sampled_from([Op.LESS, Op.AT_LEAST]), st.floats(allow_nan=False, allow_infinity=False)
    ),
)
CHOICES = st.builds(
    Choice,
    path=st.lists(CONDITIONS, max_size=3).map(tuple),
    feature=NAMES,
    threshold=st.none() | st.floats(allow_nan=False, allow_infinity=False),
    first_group=st.none() | st.lists(NAMES, min_size=1, max_size=3).map(tuple),
)
SETTINGS = st.builds(
    GrowthSettings,
    algorithm=st.sampled_from(Algorithm),
    criterion=st.sampled_from([None, "entropy", "gini", "gain_ratio"]),
    categorical_splits=st.none() | st.sampled_from(CategoricalSplits),
    max_depth=st.none() | st.integers(0, 40),
    min_samples_split=st.integers(2, 500),
    min_samples_leaf=st.integers(1, 500),
    min_gain=st.floats(0, 1e6),
    missing=st.none() | st.sampled_from(Missing),
    significance=st.none() | st.floats(0.001, 0.999),
    holdout_stop=st.booleans(),
    costs=st.dictionaries(NAMES, st.floats(0.01, 1e6), max_size=3),
    cost_rule=st.sampled_from(CostRule),
    class_weights=st.none() | st.just("balanced") | st.dictionaries(NAMES, st.floats(0.01, 1e6), min_size=1),
    max_features=st.none() | st.integers(1, 50),
    choices=st.lists(CHOICES, max_size=3).map(tuple),
    seed=st.integers(0, 10**6),
)


@given(SETTINGS, st.integers(0, 10**6), st.booleans())
def test_settings_choices_and_step_come_back_from_the_link(
    settings: GrowthSettings, step: int, guess_first: bool
) -> None:
    session = Session(ready("play_tennis"), settings=settings, step=step, guess_first=guess_first)
    found = again(session)
    assert (found.settings, found.step, found.guess_first, found.notes) == (settings, step, guess_first, ())


VIEWS = st.builds(
    View,
    orientation=st.sampled_from(Orientation),
    granularity=st.sampled_from([pace for pace in Granularity if pace is not Granularity.DIFFERENCE]),
    hidden=st.sets(st.sampled_from(NodePart)).map(lambda parts: tuple(part for part in NodePart if part in parts)),
    outline=st.booleans(),
    levels=st.none() | st.integers(0, 40),
    speed=st.sampled_from(SPEEDS),
)


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"costs": "outlook=0"}, "the cost of 'outlook' must be a number above 0, got 0.0"),
        ({"costs": "outlook=-1"}, "must be a number above 0"),
        ({"costs": "outlook"}, "costs must be names with a number each, such as A=2,B=5"),
        ({"costs": "outlook=dear"}, "costs must be a number"),
        ({"costs": ""}, "costs must be names with a number each"),
        ({"significance": "2"}, "significance must be a number between 0 and 1, such as 0.05, got 2.0"),
        ({"significance": "0"}, "significance must be a number between 0 and 1"),
        ({"cost_rule": "cheap"}, "cost_rule must be one of gain_over_cost, squared_gain_over_cost"),
        ({"class_weights": "even"}, "class_weights must be balanced or names with a number each"),
        ({"class_weights": "no=0"}, "the class weight of 'no' must be a number above 0"),
        ({"holdout_stop": "yes"}, "holdout_stop must be 0 or 1"),
        ({"max_features": "0"}, "max_features must be at least 1, got 0"),
        ({"seed": "-1"}, "seed must be at least 0, got -1"),
        ({"missing": "guess"}, "missing must be one of fractional, own_branch, most_common, drop"),
    ],
)
def test_a_setting_that_makes_no_sense_is_left_at_its_default_and_said(query: dict[str, str], sentence: str) -> None:
    found = link.read(query, ready, accept)
    assert found.settings == GrowthSettings()
    assert len(found.notes) == 1
    assert sentence in found.notes[0]


def test_settings_are_written_by_their_command_line_names() -> None:
    settings = GrowthSettings(
        algorithm="c45",
        missing="own_branch",
        significance=0.05,
        holdout_stop=True,
        costs={"outlook": 2, "a,b": 0.5},
        cost_rule="squared_gain_over_cost",
        class_weights={"yes": 1.5, "no": 3},
        max_features=2,
        seed=7,
    )
    assert link.write_settings(settings) == {
        "algorithm": "c45",
        "missing": "own_branch",
        "significance": "0.05",
        "holdout_stop": "1",
        "costs": '"a,b=0.5",outlook=2',
        "cost_rule": "squared_gain_over_cost",
        "class_weights": "no=3,yes=1.5",
        "max_features": "2",
        "seed": "7",
    }


def test_what_names_the_columns_of_an_upload_is_not_read_back() -> None:
    found = link.read({"dataset": "upload", "costs": "salary=2", "class_weights": "rich=3"}, ready, accept)
    assert (found.settings.costs, found.settings.class_weights) == ((), None)


@given(VIEWS, st.lists(st.builds(Guess, st.integers(0, 99), st.none() | NAMES), max_size=4), st.sampled_from(Beside))
def test_the_view_and_the_guesses_come_back_from_the_link(view: View, guesses: list[Guess], beside: Beside) -> None:
    found = again(Session(ready("play_tennis"), view=view, guesses=tuple(guesses), beside=beside))
    assert (found.view, found.guesses, found.beside, found.notes) == (view, tuple(guesses), beside, ())


def test_every_parameter_is_documented() -> None:
    page = (Path(__file__).parents[2] / "docs" / "link.md").read_text(encoding="utf-8")
    view = View(Orientation.LEFT_RIGHT, Granularity.NODE, tuple(NodePart), outline=True, levels=1, speed=2.0)
    everything = Session(
        replace(ready("blobs", 9, 0.5, 3), edited=True, ignore=("wind",), holdout_share=0.3),
        settings=GrowthSettings(choices=(Choice((), "wind"),)),
        guess_first=True,
        guesses=(Guess(0, None),),
        view=view,
        x="wind",
        y="",
        beside=Beside.ROWS,
    )
    written = link.write(everything, ready("blobs", 9, 0.5, 3))
    assert len(written) > 18
    for name in (*written, *SETTING_NAMES):
        assert f"`{name}`" in page, name


def test_a_view_as_it_comes_is_not_in_the_link() -> None:
    assert set(link.write(Session(ready("play_tennis")), ready("play_tennis"))) == {"dataset", "algorithm", "step"}


@pytest.mark.parametrize(
    ("name", "got", "allowed"),
    [
        ("orientation", "up", "one of top_down, left_right"),
        ("granularity", "", "one of level, node, step, detail"),
        ("hide", "counts,colours", "one of counts, impurity, shares"),
        ("outline", "yes", "0 or 1"),
        ("levels", "-1", "at least 0"),
        ("levels", "two", "a whole number"),
        ("speed", "3", "one of 0.5, 1, 2, 8"),
        ("beside", "tree", "one of regions, rows"),
        ("guesses", "[[-1,null]]", "a list of nodes and features"),
        ("guesses", "{", "a list of nodes and features"),
        ("guesses", "[" * 5000, "a list of nodes and features"),
    ],
)
def test_a_view_that_makes_no_sense_is_left_at_its_default_and_said(name: str, got: str, allowed: str) -> None:
    found = link.read({name: got}, ready, accept)
    assert (found.view, found.guesses, found.beside) == (View(), (), Beside.REGIONS)
    assert f"The link's {name} must be {allowed}" in found.notes[0]


@given(st.lists(NAMES, max_size=4, unique=True), NAMES)
def test_names_of_columns_come_back_whatever_they_hold(names: list[str], target: str) -> None:
    data = replace(ready("play_tennis"), ignore=tuple(names), numeric=tuple(names[:1]), target=target, task="classes")
    found = again(Session(data)).data
    assert (found.ignore, found.numeric, found.target, found.task) == (data.ignore, data.numeric, target, "classes")


def test_a_generator_comes_back_with_its_rows_noise_and_seed() -> None:
    found = again(Session(ready("blobs", 300, 0.25, 7))).data
    assert (found.name, found.n_rows, found.noise, found.seed) == ("blobs", 300, 0.25, 7)


def test_an_upload_does_not_travel() -> None:
    data = replace(ready("play_tennis"), name="secret.csv", uploaded=True, target="salary", ignore=("name",))
    written = link.write(Session(data, step=4), data)
    assert written["dataset"] == "upload"
    assert not any("secret" in value or "salary" in value for value in written.values())
    found = link.read(written, ready, accept)
    assert (found.data.name, found.step) == ("play_tennis", 0)
    assert "does not travel" in found.notes[0]


def test_data_that_make_no_table_fall_back_with_a_sentence() -> None:
    def refuse(data: CurrentData) -> None:
        if data.target != "play":
            raise TableError("the target is not in the table.")

    found = link.read({"target": "nothing", "step": "3"}, ready, refuse)
    assert found.data.target == "play"
    assert "the target is not in the table" in found.notes[0]
    assert found.step == 3


@pytest.mark.parametrize(
    "parameters",
    [
        {"choices": "[[[[1,2]],3,4,5]]"},
        {"choices": '[[[["a","in"]],"b",null,null]]'},
        {"choices": '[[[["a","under",1]],"b",null,null]]'},
        {"choices": "[" * 5000},
        {"choices": "7"},
        {"step": "9" * 5000},
        {"step": "１"},
        {"min_gain": "inf"},
        {"ignore": '"'},
        {"rows": "many"},
    ],
)
def test_reading_never_fails(parameters: dict[str, str]) -> None:
    assert link.read(parameters, ready, accept).data.name == "play_tennis"
