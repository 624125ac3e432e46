"""Parts of the Compare page: its link, its rows, its duels, its jobs, and what its stage is sent."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from dataclasses import replace

import pytest

import datasets
from drawing.comparison import survival
from drawing.comparison_story import pair_story
from drawing.storyboard import storyboard
from drawing.tree_layout import Orientation
from engine import Criterion, GrowthSettings, grow
from engine.comparison import Comparison
from engine.comparison_rows import RowChoice
from engine.table import TargetKind
from widgets import cached, state
from widgets.compare import link
from widgets.compare.duels import DUELS
from widgets.compare.jobs import Job, State
from widgets.compare.rows import parsed, written
from widgets.compare.stage import pack_pair
from widgets.compare.stage.pair import OWN, SHARED, script, selected_nodes
from widgets.compare.versus import Versus, other_criterion
from widgets.session import CurrentData, Session
from widgets.stage import Granularity, NodePart, View, pack


def ready(name: str, n_rows: int | None = None, noise: float | None = None, seed: int | None = None) -> CurrentData:
    return state.ready(name, n_rows, noise, seed)


def session(name: str = "play_tennis", **versus: object) -> Session:
    return Session(data=ready(name), versus=Versus(**versus))  # type: ignore[arg-type]


def restored(now: Session) -> Session:
    second = now.versus.data
    original = None if second is None else ready(second.name)
    return link.read(Session(data=now.data), link.write(now, original), ready, cached.parts)


@pytest.mark.parametrize(
    "versus",
    [
        {"settings": GrowthSettings.cart(criterion=Criterion.ENTROPY, max_depth=4)},
        {"rows": RowChoice(only=(0, 5, 9), without=(5,)), "rows_b": RowChoice(noise=0.25, noise_seed=3)},
        {"data": ready("play_tennis_noisy"), "settings": GrowthSettings.id3()},
        {"data": replace(ready("play_tennis"), target="wind", task=None)},
        {"data": ready("moons", 50, 0.3, 7)},
        {"duel": "spam_trees"},
        {"rows_b": RowChoice(dropped=0.05, noise_seed=2)},
        {"view": View(Orientation.LEFT_RIGHT, Granularity.DIFFERENCE, (NodePart.COUNTS,), outline=True, speed=2.0)},
    ],
)
def test_what_is_written_is_read(versus: dict[str, object]) -> None:
    now = session(**versus)
    found = restored(now)
    assert not found.notes
    for name in ("settings", "rows", "rows_b", "duel", "view"):
        assert getattr(found.versus, name) == getattr(now.versus, name)
    wanted, got = now.versus.data, found.versus.data
    assert (wanted is None) == (got is None)
    if wanted is not None and got is not None:
        assert got.key == wanted.key


def test_the_second_sides_names_end_in_b() -> None:
    now = session(settings=GrowthSettings.id3(criterion=Criterion.GINI), rows_b=RowChoice(without=(13,)))
    assert link.write(now, None) == {
        "algorithm_b": "id3",
        "criterion_b": "gini",
        "without_rows_b": "14",
        "step": "0",
    }


def test_a_generator_of_the_second_side_takes_what_it_does_not_name_from_the_first() -> None:
    first = Session(data=ready("moons", 80, 0.0, 5))
    found = link.read(first, {"noise_b": "0.4"}, ready, cached.parts).versus.data
    assert found is not None
    assert (found.n_rows, found.noise, found.seed) == (80, 0.4, 5)


def test_an_uploaded_table_takes_no_row_numbers_from_a_link() -> None:
    found = link.read(session(), {"dataset": "upload", "without_rows": "3"}, ready, cached.parts)
    assert found.versus.rows == RowChoice()


def test_too_many_rows_for_a_link_are_said_when_it_is_opened() -> None:
    now = session(rows=RowChoice(only=tuple(range(401))))
    assert link.write(now, None)["only_rows"] == "many"
    assert "at most 400 numbers of rows" in restored(now).notes[0]


@pytest.mark.parametrize(
    ("text", "rows"), [("", ()), ("3", (2,)), ("7-9, 1", (0, 6, 7, 8)), ("2–3", (1, 2)), ("1,1", (0,))]
)
def test_row_numbers_are_read_as_a_person_writes_them(text: str, rows: tuple[int, ...]) -> None:
    assert parsed(text) == rows
    assert parsed(written(rows)) == rows


@pytest.mark.parametrize("text", ["x", "0", "3-1", "-2", "1-999999999"])
def test_what_is_no_list_of_rows_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        parsed(text)


def test_the_second_side_begins_with_gini_unless_the_first_has_it() -> None:
    first = GrowthSettings.cart(max_depth=3)
    assert other_criterion(GrowthSettings.id3(), Criterion.ENTROPY, TargetKind.CLASSES).criterion is Criterion.GINI
    made = other_criterion(first, Criterion.GINI, TargetKind.CLASSES)
    assert (made.criterion, made.max_depth) == (Criterion.ENTROPY, 3)
    number = other_criterion(first, Criterion.SQUARED_ERROR, TargetKind.NUMBER)
    assert number.criterion is Criterion.VARIANCE


# ---- duels --------------------------------------------------------------------------------------


def grown(name: str) -> Comparison:
    """A duel's two trees."""
    duel = DUELS[name]
    now = ready(duel.dataset)
    ignored = now.ignore if duel.ignore is None else duel.ignore
    now = replace(now, ignore=ignored, categorical=(*now.categorical, *duel.categorical))
    first = cached.table(now)
    second = cached.table(ready(duel.dataset_b)) if duel.dataset_b else first
    return Comparison(grow(duel.rows.take(first), duel.first), grow(duel.rows_b.take(second), duel.second))


@pytest.mark.parametrize("name", DUELS)
def test_every_duel_has_a_difference_and_a_line_on_what_to_look_for(name: str) -> None:
    assert grown(name).first_difference is not None
    assert DUELS[name].watch.endswith(".") and len(DUELS[name].watch) < 160


def test_the_id_column_has_the_greatest_gain_and_loses_by_gain_ratio() -> None:
    both = grown("id_column")
    first, second = (growth.best_candidates(0)[0] for growth in (both.first, both.second))
    assert (first.feature, second.feature) == ("id", "elevation")
    assert first.gain == pytest.approx(first.impurity)
    assert both.first.tree.n_leaves == both.first.table.n_rows == 7


def test_accuracy_is_stuck_and_gain_reaches_a_perfect_tree_in_four_splits() -> None:
    both = grown("accuracy_gain")
    assert both.first.tree.n_nodes == 1
    assert both.second.tree.training_accuracy() == 1
    assert both.second.tree.n_nodes - both.second.tree.n_leaves == 4


def test_both_spam_trees_are_consistent_and_one_is_deeper() -> None:
    both = grown("spam_trees")
    assert both.first.tree.training_accuracy() == both.second.tree.training_accuracy() == 1
    assert (both.first.tree.depth, both.second.tree.depth) == (1, 2)
    tested = {both.second.table.features[int(f)].name for f in both.second.tree.nodes.feature if f >= 0}
    assert tested == {"contains_images", "suspicious_words", "unknown_sender"}


def test_misclassification_needs_more_questions_than_entropy_for_x2_and_x5() -> None:
    both = grown("misclassification_entropy")
    assert both.second.tree.n_leaves == 3
    assert both.first.tree.n_leaves > 3


def test_without_one_row_in_twenty_some_nodes_survive_and_some_do_not() -> None:
    both = grown("fewer_rows")
    assert len(both.second.source.row_numbers) == round(0.95 * both.first.source.n_rows)
    n_equal = sum(pair.equal for pair in both.pairs)
    assert 0 < n_equal < len(both.first.tree.nodes)
    assert f"{n_equal} of A's {len(both.first.tree.nodes)} nodes survive in B" in survival(both)


def test_no_first_split_of_xor_gains_anything_and_none_less_than_nothing() -> None:
    both = grown("xor")
    assert both.first.tree.n_leaves == 1
    assert (both.second.tree.n_leaves, both.second.tree.training_accuracy()) == (4, 1.0)
    assert [found.gain for found in both.second.candidates(0)] == [0.0, 0.0]


def test_trees_without_a_difference_are_told_as_the_same() -> None:
    growth = grow(cached.table(ready("play_tennis")))
    assert survival(Comparison(growth, growth)) == "The two trees are the same."


def test_groups_of_levels_make_a_deeper_tree_of_binary_splits() -> None:
    both = grown("multiway_binary")
    assert both.first.tree.depth < both.second.tree.depth
    assert max(both.second.tree.nodes.n_children) == 2 < max(both.first.tree.nodes.n_children)


# ---- what travels, and work in slices -------------------------------------------------------------


def test_two_stories_travel_as_they_are_with_what_joins_them() -> None:
    table = datasets.load("play_tennis")
    both = Comparison(grow(table), grow(table, GrowthSettings.id3(max_depth=1)))
    first, second = (pack(storyboard(growth)) for growth in (both.first, both.second))
    story = pack_pair(first, second, pair_story(both, ("one", "other")))
    assert story.parts[:2] == (first.body, second.body)
    assert json.loads(zlib.decompress(story.parts[2]))["titles"] == {"a": "one", "b": "other"}
    assert story.last == len(both) - 1
    assert story.steps == tuple(both.steps)


def test_the_script_is_one_module_of_known_parts() -> None:
    text = script()
    assert text.count("export default") == 1
    assert len(set(SHARED + OWN)) == len(SHARED + OWN)


@pytest.mark.parametrize("reported", [None, 3, [1], [1, 2, 3], ["1", 2.5], [True, -1]])
def test_a_report_that_makes_no_sense_selects_nothing(reported: object) -> None:
    assert selected_nodes(reported) == (None, None)


def counting() -> Iterator[int]:
    yield from range(3)


def test_work_runs_in_slices_until_it_is_done() -> None:
    work = Job("", counting())
    work.advance()
    assert (work.state, work.latest) == (State.WAITING, None)
    work.start()
    work.advance(0.0)
    assert (work.state, work.latest) == (State.RUNNING, 0)
    work.advance(60.0)
    assert (work.state, work.latest) == (State.DONE, 2)


def test_work_that_was_stopped_keeps_what_it_has_and_goes_on() -> None:
    work = Job("", counting())
    work.start()
    work.advance(0.0)
    work.stop()
    work.advance()
    assert (work.state, work.latest) == (State.STOPPED, 0)
    work.start()
    work.advance(0.0)
    assert work.latest == 1
