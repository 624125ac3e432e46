import json
import re
import zlib
from dataclasses import replace

import pytest

import datasets
import engine
from drawing.storyboard import storyboard
from drawing.tree_layout import Orientation
from widgets.stage import Granularity, Guess, NodePart, StageState, Story, View, pack
from widgets.stage.packing import shrink
from widgets.stage.stage import HERE, PARTS, read, script


@pytest.fixture(scope="module")
def board():
    return storyboard(engine.grow(datasets.load("play_tennis"), engine.GrowthSettings.id3()))


@pytest.fixture(scope="module")
def story(board) -> Story:
    return pack(board)


def test_a_packed_story_is_its_storyboard_as_deflated_json(board, story):
    as_json = json.loads(json.dumps(board))
    small = json.loads(zlib.decompress(story.body))
    assert small == json.loads(json.dumps(shrink(as_json)))
    for same in ("theme", "style", "steps", "lines", "line_of_step", "classes", "features", "measure", "words"):
        assert small[same] == as_json[same]
    assert story.key == board["key"]
    assert story.last == len(board["steps"]) - 1


def test_packing_twice_gives_the_same_bytes(board, story):
    assert pack(board) == story


def test_a_storyboard_with_nan_is_refused(board):
    with pytest.raises(ValueError, match="JSON"):
        pack({**board, "title": float("nan")})


def test_a_report_is_read_as_it_was_sent(story):
    result = {"position": 4, "selected": 2, "candidate": "wind", "guesses": [[0, "wind", False], [2, None, None]]}
    expected = StageState(4, 2, "wind", (Guess(0, "wind", False), Guess(2, None, None)))
    assert read(result, story) == expected


@pytest.mark.parametrize(("reported", "shown"), [(99, 11), (-3, 0), (None, 0), ("7", 0), (True, 0), (2.5, 0)])
def test_a_position_out_of_range_is_clamped_and_another_is_zero(story, reported, shown):
    assert read({"position": reported}, story).position == shown


def test_the_callers_position_goes_before_the_reported_one(story):
    assert read({"position": 4}, story, 7).position == 7


@pytest.mark.parametrize("odd", ["x", 3, [["0", "a", True]], [[0, "a"]], [[0, 1, True]], [None], {"0": "a"}])
def test_malformed_guesses_are_left_out(story, odd):
    assert read({"guesses": odd}, story).guesses == ()


def test_the_callers_guesses_go_before_the_reported_ones(story):
    kept = (Guess(0, "wind"),)
    assert read({"guesses": [[2, None, None]]}, story, guesses=kept).guesses == kept


def test_a_view_is_read_as_it_was_told():
    view = View(Orientation.LEFT_RIGHT, Granularity.DETAIL, (NodePart.IMPURITY,), outline=True, levels=3, speed=0.5)
    assert View.reported(json.loads(json.dumps(view.told()))) == view
    assert View.reported(json.loads(json.dumps(View().told()))) == View()


@pytest.mark.parametrize(
    "odd", [None, 3, "TB", {}, {"orientation": "UP"}, {**View().told(), "speed": 3}, {**View().told(), "hidden": 7}]
)
def test_a_malformed_view_is_no_view(odd):
    assert View.reported(odd) is None


def test_levels_that_are_no_count_are_all_levels():
    assert View.reported({**View().told(), "levels": -2}) == View()


@pytest.mark.parametrize("odd", [-1, "3", [1], True, 1.5])
def test_a_malformed_selection_is_no_selection(story, odd):
    assert read({"selected": odd}, story).selected is None


def test_a_node_is_answered_once_it_was_guessed_or_shown():
    state = StageState(1, guesses=(Guess(0, "wind", True), Guess(2, None, None)))
    assert state.answered(0)
    assert state.answered(2)
    assert not replace(state, guesses=()).answered(0)


def test_every_part_of_the_script_is_joined_once():
    assert sorted(PARTS) == sorted(path.stem for path in (HERE / "js").glob("*.js"))
    assert len(re.findall(r"^export default", script(), re.MULTILINE)) == 1


def test_no_name_is_declared_twice_in_the_joined_script():
    declared = re.findall(r"^(?:function|const|let|class) +(\w+)", script(), re.MULTILINE)
    assert len(declared) == len(set(declared))


def test_the_script_never_builds_html_from_text():
    assert not re.findall(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function", script())


@pytest.mark.parametrize("hook", ["first", "previous", "next", "last", "play", "position"])
def test_the_stage_has_the_hooks_of_the_contract(hook):
    assert f'data-testid="stepper-{hook}"' in (HERE / "stage.html").read_text(encoding="utf-8")


def test_every_button_of_the_stage_has_a_name():
    page = (HERE / "stage.html").read_text(encoding="utf-8")
    for attributes, inside in re.findall(r"<button([^>]*)>(.*?)</button>", page, re.DOTALL):
        assert "aria-label" in attributes or re.sub(r"<svg.*?</svg>", "", inside, flags=re.DOTALL).strip()
