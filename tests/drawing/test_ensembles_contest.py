"""All methods compared, in words and pictures."""

from __future__ import annotations

import numpy as np
import pytest

from drawing.ensembles_contest import contest_rows, contest_text, contest_words, followed_rows, spread_text
from drawing.figures.ensembles_contest import contest_figure, followed_figure
from engine import read_table
from engine.ensembles import Contest, EnsembleMethod, Run
from engine.table import Table

BAGGING, ADABOOST = EnsembleMethod.BAGGING, EnsembleMethod.ADABOOST


def run(method: EnsembleMethod | None, number: int, holdout: list[float], seconds: float = 1.0) -> Run:
    curve = np.array(holdout)
    return Run(method, number, np.zeros(len(curve)), curve, None, len(curve), 7, seconds)


def of(*runs: Run) -> Contest:
    return Contest(runs=runs, share=1.0, n_runs=2)


@pytest.fixture(scope="module")
def table() -> Table:
    return read_table("datasets/files/play_tennis.csv", target="play", ignore=("day",))


def test_the_spread_over_one_run_is_not_made_up() -> None:
    assert spread_text(np.array([0.25]), False) == "25 %"
    assert spread_text(np.array([np.nan]), False) == "–"


def test_times_are_multiples_of_the_single_trees() -> None:
    _, lines = contest_rows(of(run(None, 0, [0.2], 2.0), run(BAGGING, 0, [0.5, 0.1], 7.0)), False)
    assert [line[6] for line in lines] == ["×1", "×3.5"]
    assert [line[7] for line in lines] == ["–", "all at once"]


def test_a_lead_within_what_the_runs_vary_is_called_so(table: Table) -> None:
    trees = [run(None, 0, [0.2]), run(None, 1, [0.4])]
    close = of(*trees, run(BAGGING, 0, [0.5, 0.1]), run(BAGGING, 1, [0.5, 0.4]))
    assert "The single tree is behind it by less than its runs vary." in contest_words(close, table)[0]
    trees = [run(None, 0, [0.40]), run(None, 1, [0.41])]
    far = of(*trees, run(BAGGING, 0, [0.5, 0.10]), run(BAGGING, 1, [0.5, 0.11]))
    assert "further ahead" in contest_words(far, table)[0]


def test_equal_errors_have_no_winner(table: Table) -> None:
    words = contest_words(of(run(None, 0, [0.3]), run(BAGGING, 0, [0.5, 0.3])), table)
    assert words[0] == "The single tree and bagging have the lowest holdout error, 30 %."


def test_one_run_is_said_to_tell_little(table: Table) -> None:
    words = contest_words(of(run(None, 0, [0.3]), run(BAGGING, 0, [0.5, 0.2])), table)
    assert "One run alone cannot tell" in words[0]


def test_boosting_that_was_better_with_fewer_members_is_said_to_fit_too_much(table: Table) -> None:
    words = " ".join(contest_words(of(run(None, 0, [0.3]), run(ADABOOST, 0, [0.5, 0.1, 0.2])), table))
    assert "AdaBoost was best with 1 member (10 %) and is at 20 % now" in words


def test_the_curves_mark_the_current_number_of_members_on_every_method() -> None:
    found = of(run(None, 0, [0.3]), run(BAGGING, 0, [0.5, 0.2, 0.1]), run(ADABOOST, 0, [0.5, 0.4]))
    figure = contest_figure(found, 2, False)
    now = next(trace for trace in figure.data if trace.name == "now")
    assert list(now.x) == [2, 2]
    assert list(now.y) == pytest.approx([0.1, 0.4])
    assert "Bagging 10 %, lowest 10 % with 2" in contest_text(found, False)


def test_one_row_is_told_since_when_a_method_says_so(table: Table) -> None:
    said = np.array([[0.4, 0.6], [0.8, 0.2], [0.9, 0.1]])
    heads, lines = followed_rows([(None, np.array([[0.0, 1.0]])), (BAGGING, said)], table, "no")
    assert heads[-1] == "so since"
    assert lines == [["Single tree", "yes ✗", "100 %", "–"], ["Bagging", "no", "90 %", "tree 1"]]


def test_one_row_of_a_number_is_told_by_how_much_it_is_missed() -> None:
    bikes = read_table("datasets/files/bike_demand_count.csv", target="rentals", task="number", ignore=("id",))
    _, lines = followed_rows([(BAGGING, np.array([[5.0], [7.0]]))], bikes, 6.0)
    assert lines == [["Bagging", "7", "1"]]
    figure = followed_figure([(BAGGING, np.array([5.0, 7.0]))], 6.0, 1, target="rentals")
    assert figure.layout.shapes[1].y0 == 6.0
