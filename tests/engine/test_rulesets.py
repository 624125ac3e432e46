"""Rules of a tree, their simplification worked by hand and by brute force, and the ordered list."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine import Condition, GrowthSettings, Op, SettingsError, Table, TableError, Tree
from engine.frames import frame_of
from engine.rulesets import (
    Estimate,
    Rule,
    RuleEvent,
    RuleList,
    Simplification,
    SimplificationSettings,
    beside_tree,
    list_text,
    merged,
    rule_words,
    simplify,
    tree_rules,
)
from engine.rulesets.covering import Rows
from tests.engine.tables import FILES, iris, make_table, play_tennis, settings_for, tables

ESTIMATES = [Estimate.PESSIMISTIC, Estimate.BINOMIAL, Estimate.VALIDATION]


def lenses() -> Table:
    return engine.read_table(FILES / "contact_lenses.csv", target="contact-lenses")


def tennis_tree() -> Tree:
    return engine.grow(play_tennis()).tree


def holds(condition: Condition, table: Table, row: int) -> bool:
    value = table.value(table.feature_index(condition.feature), row)
    match condition.op:
        case Op.MISSING:
            return value is None
        case Op.IN:
            return value in condition.value
        case Op.LESS:
            return value is not None and value < condition.value
        case Op.AT_LEAST:
            return value is not None and value >= condition.value


def covered_rows(conditions: tuple[Condition, ...], table: Table) -> list[int]:
    return [row for row in range(table.n_rows) if all(holds(c, table, row) for c in conditions)]


def counted(conditions: tuple[Condition, ...], answer: str | float, table: Table) -> tuple[int, int]:
    """Rows that a rule covers and those that are wrong, one by one."""
    rows = covered_rows(conditions, table)
    return len(rows), sum(table.target_value(row) != answer for row in rows)


def pessimistic(n: int, errors: int) -> float:
    """1 − C4.5's error rate, from its formula."""
    if not n:
        return 0.0
    if not errors:
        return 0.25 ** (1 / n)
    if errors + 0.5 >= n:
        return 0.0
    z, f = 0.6744897501960817, (errors + 0.5) / n
    return 1 - (f + z * z / (2 * n) + z * math.sqrt(f / n - f * f / n + z * z / (4 * n * n))) / (1 + z * z / n)


def accuracy(n: int, errors: int) -> float:
    return 1 - errors / n if n else 0.0


def greedy(rule: Rule, table: Table, estimate) -> list[tuple[Condition, ...]]:
    """Every state of a rule: of all deletions that do not lower the estimate, the best one, the first of equals."""
    states = [rule.conditions]
    while True:
        now = states[-1]
        own = estimate(*counted(now, rule.answer, table))
        options = [(*now[:i], *now[i + 1 :]) for i in range(len(now))]
        values = [round(estimate(*counted(option, rule.answer, table)), 9) for option in options]
        if not values or max(values) < round(own, 9):
            return states
        states.append(options[values.index(max(values))])


def states(found: Simplification, number: int) -> list[tuple[Condition, ...]]:
    steps = [step for step in found if step.rule == number]
    return [step.before for step in steps]


# ---- the rules of a tree ----


def test_play_tennis_has_five_rules_that_are_always_right() -> None:
    rules = tree_rules(tennis_tree())
    assert [rule_words(rule, "play") for rule in rules] == [
        "IF outlook is overcast THEN play is yes",
        "IF outlook is rain AND wind is strong THEN play is no",
        "IF outlook is rain AND wind is weak THEN play is yes",
        "IF outlook is sunny AND humidity is high THEN play is no",
        "IF outlook is sunny AND humidity is normal THEN play is yes",
    ]
    assert [rule.n_rows for rule in rules] == [4, 2, 3, 3, 2]
    assert [rule.accuracy for rule in rules] == [1.0] * 5


def test_a_view_has_the_rules_of_its_open_nodes() -> None:
    rules = tree_rules(tennis_tree().at(2))
    assert [(rule.answer, rule.n_rows, rule.errors) for rule in rules] == [("yes", 4, 0), ("yes", 5, 2), ("no", 5, 2)]
    assert tree_rules(tennis_tree().at(0)) == (Rule(0, (), "yes", 14, 5),)


def test_a_rule_that_covers_no_row_has_no_accuracy() -> None:
    empty = Rule(3, (), "yes", 0, 0)
    assert empty.accuracy is None
    assert empty.mean_squared_error is None


@given(st.data())
def test_the_rules_of_a_tree_cover_each_row_exactly_once(data: st.DataObject) -> None:
    table = data.draw(tables(max_rows=25))
    tree = engine.grow(table, data.draw(settings_for(table))).tree
    rules = tree_rules(tree)
    times = np.zeros(table.n_rows)
    for rule in rules:
        rows = covered_rows(rule.conditions, table)
        times[rows] += 1
        assert len(rows) == rule.n_rows
        assert sum(table.target_value(row) != rule.answer for row in rows) == rule.errors
    assert (times == 1).all()


def test_several_limits_on_a_number_are_printed_as_one_interval() -> None:
    conditions = (
        Condition("x", Op.AT_LEAST, 1.0),
        Condition("colour", Op.IN, ("blue", "green", "red")),
        Condition("x", Op.LESS, 9.0),
        Condition("x", Op.AT_LEAST, 2.5),
        Condition("colour", Op.IN, ("green", "red")),
        Condition("x", Op.LESS, 4.0),
    )
    rule = Rule(5, conditions, "yes", 3, 0)
    assert rule_words(rule, "y") == "IF x >= 2.5 AND colour is green or red AND x < 4.0 THEN y is yes"


@given(st.data())
def test_merged_conditions_cover_the_same_rows(data: st.DataObject) -> None:
    table = data.draw(tables(max_rows=25))
    for rule in tree_rules(engine.grow(table, data.draw(settings_for(table))).tree):
        assert covered_rows(merged(rule.conditions), table) == covered_rows(rule.conditions, table)


def with_gaps() -> Table:
    """Play Tennis with a number, and a value missing in each column."""
    frame = pd.read_csv(FILES / "play_tennis.csv").drop(columns="day")
    frame["hours"] = [5.0, 1, 9, 2, 8, 3, 7, 4, 6, 1, 2, 9, 5, 3]
    frame.loc[0, "outlook"] = frame.loc[3, "wind"] = None
    frame.loc[5, "hours"] = None
    return engine.read_table(frame, target="play")


@pytest.mark.parametrize("algorithm", ["id3", "c45", "cart"])
def test_with_a_branch_for_missing_values_the_rules_still_cover_each_row_once(algorithm: str) -> None:
    tree = engine.grow(with_gaps(), GrowthSettings(algorithm=algorithm, missing="own_branch")).tree
    rows = Rows.of_table(with_gaps(), tree)
    times = sum(rows.covered(rule.conditions).astype(int) for rule in tree_rules(tree))
    assert times.tolist() == [1] * 14
    found = beside_tree(RuleList(tree, tree_rules(tree), "no"), with_gaps())
    assert not len(found.different)


@pytest.mark.parametrize("missing", ["fractional", "own_branch", "most_common", "drop"])
def test_rules_are_simplified_under_every_treatment_of_missing_values(missing: str) -> None:
    tree = engine.grow(with_gaps(), GrowthSettings.c45(missing=missing)).tree
    found = simplify(tree)
    assert found[-1].event is RuleEvent.ORDERED
    agreement = beside_tree(found.result, with_gaps())
    assert agreement.n_rows == 14
    assert agreement.list_answers.tolist() == found.result.predict(frame_of(with_gaps())).tolist()


def test_parts_of_rows_count_by_their_weight() -> None:
    tree = engine.grow(with_gaps(), GrowthSettings.c45(missing="fractional")).tree
    assert sum(rule.n_rows for rule in tree_rules(tree)) == pytest.approx(14)


def test_weights_of_rows_are_those_of_the_rules() -> None:
    weights = np.where(play_tennis().target_values == 0, 2.0, 1.0)
    tree = engine.grow(play_tennis(), row_weights=weights).tree
    dropped = simplify(tree)[5].dropped
    assert dropped is not None
    # Normal humidity: 6 days yes and 1 no, which counts twice.
    assert (dropped.without.n_rows, dropped.without.errors) == (8, 2)


def test_a_rule_for_a_number_has_a_mean_and_squared_errors() -> None:
    frame = pd.DataFrame({"x": [1, 2, 3, 4], "y": [1.0, 3.0, 10.5, 10.5]})
    tree = engine.grow(engine.read_table(frame, target="y", task="number"), GrowthSettings.cart(max_depth=1)).tree
    low, high = tree_rules(tree)
    assert (low.answer, low.n_rows, low.errors, low.mean_squared_error) == (2.0, 2, 2.0, 1.0)
    assert (high.answer, high.mean_squared_error) == (10.5, 0.0)
    with pytest.raises(SettingsError, match="rules are simplified for classes"):
        simplify(tree)


# ---- simplification, worked by hand ----


def test_play_tennis_drops_one_condition() -> None:
    found = simplify(tennis_tree())
    events = [step.event.value for step in found]
    assert events == ["started", "kept", "kept", "kept", "kept", "dropped", "kept", "ordered"]
    step = found[5]
    assert step.dropped is not None
    assert step.dropped.condition == Condition("outlook", Op.IN, ("sunny",))
    assert step.after == (Condition("humidity", Op.IN, ("normal",)),)


def test_each_deletion_of_play_tennis_has_its_numbers() -> None:
    step = simplify(tennis_tree())[5]
    assert step.tally is not None
    # 2 rows, none wrong: 0.25 ** (1 / 2); 7 normal days, 1 wrong; 5 sunny days, 3 wrong.
    assert (step.tally.n_rows, step.tally.errors, step.tally.estimate) == (2, 0, 0.5)
    assert [(d.without.n_rows, d.without.errors) for d in step.deletions] == [(7, 1), (5, 3)]
    assert [round(d.without.estimate, 4) for d in step.deletions] == [0.6654, 0.1833]


def test_play_tennis_ends_in_an_ordered_list() -> None:
    assert list_text(simplify(tennis_tree()).result).splitlines() == [
        "IF outlook is overcast THEN play is yes (4 rows, 4 right, estimated accuracy 0.707)",
        "IF humidity is normal THEN play is yes (7 rows, 6 right, estimated accuracy 0.665)",
        "IF outlook is rain AND wind is weak THEN play is yes (3 rows, 3 right, estimated accuracy 0.630)",
        "IF outlook is sunny AND humidity is high THEN play is no (3 rows, 3 right, estimated accuracy 0.630)",
        "IF outlook is rain AND wind is strong THEN play is no (2 rows, 2 right, estimated accuracy 0.500)",
        "ELSE play is yes",
    ]


def test_the_list_of_play_tennis_errs_where_two_rules_meet() -> None:
    found = beside_tree(simplify(tennis_tree()).result, play_tennis())
    # Day 6 is normal, rainy and windy: the rule of humidity comes before the one that is right.
    assert found.different.tolist() == [5]
    assert (found.tree_errors, found.list_errors, found.n_rows) == (0, 1, 14)
    assert (found.list_answers[5], found.truth[5], found.fired[5]) == ("yes", "no", 1)


def test_contact_lenses_keeps_its_first_rule_and_drops_the_prescription_of_the_second() -> None:
    found = simplify(engine.grow(lenses()).tree)
    best = found.result.rules[0]
    assert rule_words(best, "lenses") == "IF tear-prod-rate is reduced THEN lenses is none"
    assert (best.n_rows, best.errors) == (12, 0)
    assert best.estimate == pytest.approx(0.25 ** (1 / 12))
    assert found.result.default == "none"


def test_contact_lenses_loses_duplicates() -> None:
    found = simplify(engine.grow(lenses()).tree)
    n_duplicates = sum(step.event is RuleEvent.DUPLICATE for step in found)
    assert n_duplicates == len(found.initial) - len(found.result.rules) > 0


def test_without_training_rows_a_leaf_makes_no_rule() -> None:
    table = make_table({"a": ["x", "x", "y", "y"], "b": ["p", "q", "p", "p"]}, ["n", "y", "n", "n"])
    wide = make_table({"a": ["x", "x", "y", "y", "z"], "b": ["p", "q", "p", "p", "p"]}, ["n", "y", "n", "n", "n"])
    for each in (table, wide):
        found = simplify(engine.grow(each).tree)
        assert all(rule.n_rows for rule in found.initial)


def test_a_single_leaf_leaves_the_default_class_alone() -> None:
    found = simplify(tennis_tree().at(0))
    assert [step.event.value for step in found] == ["started", "emptied", "ordered"]
    assert found.result.rules == ()
    assert list_text(found.result) == "ELSE play is yes\n"
    assert (beside_tree(found.result, play_tennis()).list_answers == "yes").all()


def test_the_default_is_the_most_frequent_class_of_the_rows_left_over() -> None:
    # The only rule that is kept asks for x below 1.5; of the other rows most are c.
    table = make_table({"x": [0.0] * 6 + [2.0, 3.0, 2.0, 3.0]}, ["a"] * 6 + ["b", "c", "c", "b"])
    found = simplify(engine.grow(table, GrowthSettings.cart(max_depth=1)).tree)
    uncovered = set(range(10)) - {row for rule in found.result.rules for row in covered_rows(rule.conditions, table)}
    assert found.result.default in {table.target_value(row) for row in uncovered} or not uncovered


# ---- simplification, by brute force ----


@given(st.data())
def test_every_drop_is_the_best_by_brute_force(data: st.DataObject) -> None:
    table = data.draw(tables(max_rows=25))
    tree = engine.grow(table, data.draw(settings_for(table))).tree
    found = simplify(tree)
    for number, rule in enumerate(found.initial):
        assert states(found, number) == greedy(rule, table, pessimistic)


@given(st.data())
def test_on_validation_rows_every_drop_is_the_best_by_brute_force(data: st.DataObject) -> None:
    table = data.draw(tables(min_rows=4, max_rows=25))
    half = np.arange(table.n_rows) % 2 == 0
    training, validation = table.take(np.flatnonzero(half)), table.take(np.flatnonzero(~half))
    tree = engine.grow(training, data.draw(settings_for(training))).tree
    found = simplify(tree, SimplificationSettings(estimate=Estimate.VALIDATION), validation)
    for number, rule in enumerate(found.initial):
        assert states(found, number) == greedy(rule, validation, accuracy)


@given(st.data(), st.sampled_from([Estimate.PESSIMISTIC, Estimate.BINOMIAL]))
def test_the_estimate_of_a_rule_never_falls(data: st.DataObject, estimate: Estimate) -> None:
    table = data.draw(tables(max_rows=25))
    tree = engine.grow(table, data.draw(settings_for(table))).tree
    for step in simplify(tree, SimplificationSettings(estimate=estimate)):
        if step.dropped is not None:
            assert step.tally is not None
            assert step.dropped.without.estimate >= step.tally.estimate - 1e-9
        elif step.tally is not None:
            assert all(d.without.estimate < step.tally.estimate + 1e-9 for d in step.deletions)


@given(st.data(), st.sampled_from(ESTIMATES))
def test_the_list_is_ordered_has_no_duplicates_and_answers_for_every_row(
    data: st.DataObject, estimate: Estimate
) -> None:
    table = data.draw(tables(max_rows=25))
    tree = engine.grow(table, data.draw(settings_for(table))).tree
    result = simplify(tree, SimplificationSettings(estimate=estimate), validation=table).result
    estimates = [round(rule.estimate or 0.0, 9) for rule in result.rules]
    assert estimates == sorted(estimates, reverse=True)
    names = [(frozenset(rule.conditions), rule.answer) for rule in result.rules]
    assert len(set(names)) == len(names)
    fired = result.fired(table)
    for row, place in enumerate(fired.tolist()):
        covering = [i for i, rule in enumerate(result.rules) if all(holds(c, table, row) for c in rule.conditions)]
        assert place == (covering[0] if covering else -1)
    assert set(result.answers(fired)) <= set(table.target.classes)


def test_a_trace_of_rules_counts_its_steps_and_names_their_leaves() -> None:
    found = simplify(engine.grow(iris()).tree)
    assert [step.index for step in found] == list(range(len(found)))
    assert found[-1].event is RuleEvent.ORDERED
    for step in found:
        if step.rule is not None:
            assert step.node == found.initial[step.rule].leaf
    assert found.clamp(10_000) == len(found) - 1


def test_a_smaller_confidence_drops_more() -> None:
    tree = engine.grow(iris()).tree
    lengths = []
    for confidence in (0.5, 0.25, 0.01):
        rules = simplify(tree, SimplificationSettings(confidence=confidence)).result.rules
        lengths.append(sum(len(rule.conditions) for rule in rules))
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[0] > lengths[-1]


# ---- other rows ----


def test_rows_to_judge_by_are_found_by_names_not_by_codes() -> None:
    table = make_table({"a": ["x", "y", "z", "x"], "n": [1.0, 2.0, 3.0, 4.0]}, ["no", "yes", "no", "no"])
    other = make_table({"n": [2.0, 3.0, 9.0], "a": ["y", "z", "unheard"]}, ["yes", "no", "maybe"])
    tree = engine.grow(table).tree
    found = simplify(tree, SimplificationSettings(estimate=Estimate.VALIDATION), other)
    judged = {step.node: step.tally for step in found if step.rule is not None and not step.dropped}
    assert all(tally is not None for tally in judged.values())
    answers = found.result.predict(pd.DataFrame({"a": ["y", "unheard"], "n": [2, 9]}))
    assert answers.tolist() == ["yes", found.result.default]


def test_a_missing_value_is_filled_as_the_tree_fills_it() -> None:
    tree = tennis_tree()
    result = simplify(tree).result
    row = play_tennis().take(np.array([0]))
    frame = pd.DataFrame([{f.name: row.value(i, 0) for i, f in enumerate(row.features)}])
    frame.loc[0, "humidity"] = ""
    # The most common humidity is high: sunny and high, the answer is no.
    assert result.predict(frame).tolist() == tree.predict(frame).tolist() == ["no"]


def test_a_missing_value_that_is_not_filled_satisfies_no_condition() -> None:
    tree = engine.grow(play_tennis(), GrowthSettings.id3(missing="drop")).tree
    frame = pd.DataFrame([{"outlook": "", "humidity": "", "wind": "", "temperature": ""}])
    result = simplify(tree).result
    assert result.predict(frame).tolist() == [result.default]


def test_rows_of_another_kind_are_refused() -> None:
    table = make_table({"a": ["x", "y", "x", "y"]}, ["no", "yes", "no", "yes"])
    other = make_table({"a": [1.0, 2.0]}, ["no", "yes"])
    with pytest.raises(TableError, match="read both tables alike"):
        simplify(engine.grow(table).tree, SimplificationSettings(estimate=Estimate.VALIDATION), other)


@pytest.mark.parametrize("validation", [None, play_tennis().take(np.array([], dtype=np.int64))])
def test_an_estimate_on_rows_that_are_not_there_is_refused(validation: Table | None) -> None:
    with pytest.raises(SettingsError, match="set some aside"):
        simplify(tennis_tree(), SimplificationSettings(estimate=Estimate.VALIDATION), validation)


@pytest.mark.parametrize("confidence", [0, 0.6, -1, True])
def test_a_confidence_out_of_range_is_refused(confidence: float) -> None:
    with pytest.raises(SettingsError, match="more than 0 and at most"):
        SimplificationSettings(confidence=confidence)


def test_an_unknown_estimate_is_refused() -> None:
    with pytest.raises(SettingsError, match="one of pessimistic, binomial, validation"):
        SimplificationSettings(estimate="bold")  # type: ignore[arg-type]


def test_names_of_a_file_stay_on_their_line() -> None:
    table = make_table({"a\nb": ["x\ny", "z", "x\ny", "z"]}, ["n\no", "yes", "n\no", "yes"])
    text = list_text(simplify(engine.grow(table).tree).result)
    assert "IF a\\nb is x\\ny THEN y is n\\no" in text
    assert len(text.splitlines()) == 3
