"""The two printed tables of boosting, number by number: replayed as printed, and as computed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import engine
from engine.ensembles.adaboost import reweighted
from engine.ensembles.members import Member
from engine.ensembles.published import (
    FREQUENCIES,
    GROUPS,
    boosting_as_printed,
    boosting_by_weights,
    gradient_boosting_as_computed,
    gradient_boosting_as_printed,
)
from tests.engine.ensembles.cases import table
from tests.engine.published import Entry, entries
from tests.engine.test_published_numbers import assert_equal

ENTRIES = [entry for entry in entries() if entry.id.startswith(("boost.", "gb."))]


def level() -> engine.Table:
    return table("bike_demand_level")


def count() -> engine.Table:
    return table("bike_demand_count")


def said(member: Member) -> list[str]:
    classes = member.base.table.target.classes
    return [classes[code] for code in member.answers]


def columns() -> dict[str, list[float]]:
    """The columns of the printed table of gradient boosting."""
    ensemble = gradient_boosting_as_printed(count())
    found: dict[str, Any] = {"M0": ensemble.at(0).poll().predictions}
    for number, member in enumerate(ensemble.members, start=1):
        found[f"r{number - 1}"] = member.residuals
        found[f"d{number}"] = member.answers
        found[f"M{number}"] = ensemble.at(number).poll().predictions
    return {name: values.tolist() for name, values in found.items()}


def value(entry: Entry) -> Any:
    how = entry.how
    match entry.what:
        case "boost_weights":
            weights = boosting_as_printed(level()).members[how["iteration"]].weights
            assert weights is not None
            return weights[0] if entry.id == "boost.initial_weight" else weights.tolist()
        case "boost_sample_size":
            place = FREQUENCIES.index(tuple(how["freq"]))
            sample = boosting_as_printed(level()).members[place].sample
            assert sample is not None
            return len(sample)
        case "boost_stump_predictions":
            if "freq" in how:
                return said(boosting_as_printed(level()).members[FREQUENCIES.index(tuple(how["freq"]))])
            return said(boosting_by_weights(level()).members[int(entry.id[len("boost.iter")])])
        case "boost_epsilon":
            return boosting_as_printed(level()).members[how["iteration"]].error
        case "boost_weight_update":
            member = boosting_by_weights(level()).members[0]
            assert member.weights is not None and member.confidence is not None
            after = reweighted(member.weights, member.answers != level().target_values, member.confidence)
            return after[0 if how["correct"] else 8]
        case "gradient_boosting_column":
            return columns()[how["column"]]
        case "gradient_boosting_partitions":
            return [[row + 1 for row in rows] for rows in GROUPS]
        case "mean":
            return gradient_boosting_as_computed(count()).initial
        case _:
            raise AssertionError(f"{entry.what} has no check")


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
def test_the_ensemble_gives_the_published_number(entry: Entry) -> None:
    assert_equal(value(entry), entry.exact)


def test_both_tables_have_25_published_numbers() -> None:
    assert len(ENTRIES) == 25


def test_the_printed_draws_and_the_weights_themselves_give_the_same_answers_and_confidences() -> None:
    printed, weighted = boosting_as_printed(level()), boosting_by_weights(level())
    for one, other in zip(printed.members, weighted.members, strict=True):
        assert said(one) == said(other)
        assert one.error == pytest.approx(other.error, abs=1e-12)
    assert [round(member.confidence or 0, 4) for member in printed.members] == [0.6931, 0.7332, 0.7175]


def test_the_weighted_vote_of_the_three_gets_all_ten_days() -> None:
    for ensemble in (boosting_as_printed(level()), boosting_by_weights(level())):
        assert ensemble.staged_errors(level()).tolist() == [0.2, 0.3, 0.0]


def test_entropy_stumps_on_the_printed_draws_cut_where_the_book_says() -> None:
    cuts = [member.nodes.threshold[0] for member in boosting_as_printed(level()).members]
    assert cuts == [8.5, 30.0, 17.5]


def test_the_printed_groups_add_what_is_printed() -> None:
    added = [
        (round(float(member.answers.max()), 1), round(float(member.answers.min()), 1))
        for member in gradient_boosting_as_printed(count()).members
    ]
    assert added == [(691.4, -460.9), (71.6, -167.2), (136.4, -34.1)]


def test_a_printed_group_is_one_split_with_two_leaves() -> None:
    member = gradient_boosting_as_printed(count()).members[0]
    assert member.n_leaves == 2
    high = member.growth.tree.children(0)[0]
    assert member.growth.tree.rows(int(high)).tolist() == [4, 5, 6, 7]


def test_stumps_with_one_threshold_cut_elsewhere_than_the_book_prints() -> None:
    ensemble = gradient_boosting_as_computed(count())
    assert [member.nodes.threshold[0] for member in ensemble.members] == [9.5, 30.0, 15.0]
    assert ensemble.initial == pytest.approx(1287.1, abs=1e-9)


def test_the_first_printed_cut_is_the_best_interval_and_no_single_threshold_is_as_good() -> None:
    printed = gradient_boosting_as_printed(count()).training_curve.errors[1]
    computed = gradient_boosting_as_computed(count()).training_curve.errors[1]
    assert printed < computed
    assert np.isclose(printed, np.square(np.array(columns()["r0"]) - np.array(columns()["d1"])).mean())


def test_another_table_cannot_be_replayed() -> None:
    with pytest.raises(engine.TableError, match="choose the bike demand dataset"):
        boosting_as_printed(table("iris"))
