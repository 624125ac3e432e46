"""What all methods share: the trace, the curve, refusals, trees of one leaf, rows in parts, agreement, noise."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import settings as profile

import datasets
import engine
from engine import GrowthSettings, QueryError, SettingsError, StopReason, prune
from engine.frames import frame_of
from engine.holdout import split_three
from engine.metrics import error, errors_along
from engine.pruning import EarlyMark, flip_labels, noise_dampening, prune_by_all, stop_early
from tests.engine.pruning.cases import (
    FOR_NUMBERS,
    METHODS,
    grown,
    halves,
    noisy,
    noisy_numbers,
    postoperative,
    settings,
    validation_cost,
)
from tests.engine.tables import iris, make_table, play_tennis

each_method = pytest.mark.parametrize("method", METHODS)


# The trace


@each_method
@given(case=grown())
@profile(max_examples=25)
def test_a_pruning_is_a_trace_of_usable_trees(method, case) -> None:
    growth, rows = case
    found = prune(growth, settings(method), rows)
    assert len(found) == 1 + len(found.decisions)
    assert [step.index for step in found] == list(range(len(found)))
    assert (found[0].event.value, found[0].decision, found[0].tree.n_leaves) == ("started", None, growth.tree.n_leaves)
    leaves = [step.tree.n_leaves for step in found]
    for step, before, after in zip(found[1:], leaves[:-1], leaves[1:], strict=True):
        assert step.decision is found.decisions[step.index - 1]
        assert (step.event.value, step.node) == (step.decision.verdict.value, step.decision.node)
        assert (after < before) == step.decision.is_pruned
    assert found[-1].tree.n_leaves == found.tree.n_leaves == found.curve[found.chosen].n_leaves
    assert len(found.tree.predict(frame_of(rows))) == rows.n_rows


@each_method
@given(case=grown())
@profile(max_examples=25)
def test_nodes_end_at_the_steps_that_take_them(method, case) -> None:
    growth, rows = case
    found = prune(growth, settings(method), rows)
    ends = found.endings
    for step in range(len(found)):
        tree = found.tree_after(step)
        assert ends.n_leaves[step] == tree.n_leaves
        assert (((ends.gone < 0) | (ends.gone > step)) == tree.is_visible).all()
        cut = (ends.cut >= 0) & (ends.cut <= step) & tree.is_visible
        assert (cut == (growth.tree.is_split & tree.is_visible & ~tree.is_split)).all()
    for node in range(len(growth.tree.nodes)):
        decision = found.decision_of(node)
        if growth.tree.is_split[node] and not found.tree.is_split[node]:
            assert decision is not None and decision.is_pruned
            assert decision.node <= node < growth.tree.nodes.subtree_end[decision.node]
        elif decision is not None:
            assert (decision.node, decision.is_pruned) == (node, False)


@each_method
@given(case=grown())
@profile(max_examples=25)
def test_the_curve_holds_the_errors_of_the_trees_own_predictions(method, case) -> None:
    growth, rows = case
    found = prune(growth, settings(method), rows)
    assert [point.index for point in found.curve] == list(range(1 + len(found.stages)))
    for point in found.curve:
        tree = found.tree_at(point.index)
        assert point.n_leaves == tree.n_leaves
        assert point.train_error == pytest.approx(1 - tree.training_accuracy())
        assert point.validation_error == pytest.approx(validation_cost(tree, rows) / rows.n_rows)
        assert point.validation_error == pytest.approx(error(tree, rows))
    assert list(found.errors(rows)) == [point.validation_error for point in found.curve]
    for earlier, later in itertools.pairwise(found.curve):
        assert later.n_leaves < earlier.n_leaves
        assert later.train_error >= earlier.train_error


@pytest.mark.parametrize("method", FOR_NUMBERS)
@given(case=grown(numbers=True))
@profile(max_examples=25)
def test_the_curve_of_a_number_holds_mean_squared_errors(method, case) -> None:
    growth, rows = case
    found = prune(growth, settings(method), rows)
    truth = growth.source.target_values
    for point in found.curve:
        tree = found.tree_at(point.index)
        own = tree.predict(frame_of(growth.source))
        assert point.train_error == pytest.approx(np.mean((own - truth) ** 2), abs=1e-9)
        assert point.validation_error == pytest.approx(validation_cost(tree, rows) / rows.n_rows, abs=1e-9)


def test_a_pruned_view_keeps_ids_and_tells_why_a_leaf_is_one() -> None:
    tree = engine.grow(play_tennis()).tree.collapse((5,))
    assert (tree.n_nodes, tree.n_leaves, tree.depth) == (6, 4, 2)
    assert tree.stop_reason(5) is StopReason.PRUNED
    assert not tree.is_visible[6:8].any()
    assert set(tree.leaf_of_training_row().tolist()) == {1, 3, 4, 5}
    assert tree.collapse((0,)).predict(frame_of(play_tennis())).tolist() == ["yes"] * 14


def test_a_tree_of_a_single_leaf_has_nothing_to_decide() -> None:
    growth = engine.grow(make_table({"x": [1.0, 2.0]}, ["y", "y"]))
    rows = make_table({"x": [1.0]}, ["n"])
    for method in METHODS:
        found = prune(growth, settings(method), rows)
        assert (len(found), found.decisions, found.pruned_nodes) == (1, (), ())
        assert [(p.n_leaves, p.train_error, p.validation_error) for p in found.curve] == [(1, 0.0, 1.0)]


def test_rows_in_parts_are_judged_by_their_mixed_predictions() -> None:
    table = datasets.load("congress_votes")
    rows = np.arange(table.n_rows)
    growth = engine.grow(table.take(rows[::2]), GrowthSettings.c45())
    others = table.take(rows[1::2])
    frame = frame_of(others)
    for method in METHODS:
        found = prune(growth, settings(method), others)
        for point in (found.curve[0], found.curve[-1], found.curve[found.chosen]):
            tree = found.tree_at(point.index)
            wrong = tree.predict(frame) != np.array(others.target.classes, dtype=object)[others.target_values]
            assert point.validation_error == pytest.approx(wrong.mean())
            assert point.train_error == pytest.approx(1 - tree.training_accuracy())
    assert prune(growth, settings("pessimistic")).tree.n_leaves < growth.tree.n_leaves


def test_a_branch_of_missing_values_is_pruned_like_any_other() -> None:
    table = datasets.load("congress_votes")
    rows = np.arange(table.n_rows)
    growth = engine.grow(table.take(rows[::2]), GrowthSettings.id3(missing="own_branch"))
    others = table.take(rows[1::2])
    found = prune(growth, settings("reduced_error"), others)
    assert found.curve[-1].validation_error == pytest.approx(validation_cost(found.tree, others) / others.n_rows)
    assert found.tree.n_leaves < growth.tree.n_leaves


# Refusals


@pytest.mark.parametrize("method", ["reduced_error", "reduced_error_greedy", "cost_complexity"])
def test_a_method_that_needs_validation_rows_says_so(method: str) -> None:
    growth = engine.grow(play_tennis())
    with pytest.raises(SettingsError, match=f"{method} decides on validation rows, and none were given"):
        prune(growth, settings(method))
    with pytest.raises(SettingsError, match="and the table 'play_tennis' has none"):
        prune(growth, settings(method), play_tennis().take(np.array([], dtype=np.int64)))


def test_validation_rows_that_do_not_fit_are_refused_in_words() -> None:
    growth = engine.grow(play_tennis())
    how = settings("reduced_error")
    with pytest.raises(QueryError, match=r"predicts 'play' .classes., and .* 'target' .classes. as their target"):
        prune(growth, how, iris())
    frame = pd.DataFrame({"humidity": ["high"], "play": ["no"]})
    with pytest.raises(QueryError, match="no values of 'outlook', which it asks for"):
        prune(growth, how, engine.read_table(frame, target="play"))
    frame = pd.DataFrame({"outlook": [1.0], "humidity": ["high"], "wind": ["weak"], "play": ["no"]})
    with pytest.raises(
        QueryError, match=r"'outlook' is categorical in the tree and numeric .* categorical=\('outlook',\)"
    ):
        prune(growth, how, engine.read_table(frame, target="play"))


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"method": "magic"}, "method must be one of reduced_error, reduced_error_greedy"),
        ({"alpha": -0.1}, "alpha must be a number of at least 0, got -0.1"),
        ({"alpha": float("inf")}, "alpha must be a number of at least 0, got inf"),
        ({"alpha": "a"}, "alpha must be a number of at least 0, got 'a'"),
        ({"confidence": 0}, "confidence must be between 0 and 1, such as 0.25, got 0"),
        ({"confidence": 1.0}, "confidence must be between 0 and 1"),
        ({"significance": float("nan")}, "significance must be between 0 and 1, such as 0.05, got nan"),
        ({"folds": 1}, "folds must be from 2 to 100, got 1"),
        ({"folds": 2.5}, "folds must be a whole number, got 2.5"),
        ({"standard_errors": -1}, "standard_errors must be a number of at least 0"),
        ({"risk": "high"}, "risk must be one of error, impurity, got 'high'"),
        ({"selection": "luck"}, "selection must be one of validation, cross_validation"),
        ({"seed": -1}, "seed must be at least 0, got -1"),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_a_setting_out_of_range_is_named_with_what_is_allowed(wish: dict, words: str) -> None:
    with pytest.raises(SettingsError) as caught:
        engine.PruningSettings(**{"method": "pessimistic", **wish})
    assert words in str(caught.value)


def test_a_given_tree_cannot_be_cross_validated() -> None:
    tree = engine.read_tree(
        {"target": "y", "tree": {"split": "a", "branches": {"u": {"counts": {"n": 2}}, "v": {"counts": {"y": 1}}}}}
    )
    with pytest.raises(SettingsError, match="cross-validation grows trees anew, and this tree was given"):
        prune(tree, settings("cost_complexity", selection="cross_validation"))


# All methods on one tree


def test_the_agreement_says_of_every_split_what_every_method_did() -> None:
    growth, rows = halves(noisy(200, 1))
    found = prune_by_all(growth, rows)
    assert found.cut.shape == (len(found.nodes), len(METHODS))
    for column, opinion in enumerate(found.opinions):
        left = opinion.pruning.tree
        assert opinion.n_leaves == left.n_leaves
        assert opinion.validation_error == pytest.approx(error(left, rows)) == opinion.error(rows)
        assert found.cut[:, column].tolist() == (~left.is_split[found.nodes]).tolist()
        for row, node in enumerate(found.nodes.tolist()):
            decision = found.decision(row, column)
            if found.cut[row, column]:
                assert decision.is_pruned and decision.node <= node < growth.tree.nodes.subtree_end[decision.node]
            else:
                assert decision is None or (decision.node == node and not decision.is_pruned)
    assert found.disputed.any()
    assert (found.cut[~found.disputed].all(axis=1) | ~found.cut[~found.disputed].any(axis=1)).all()


def test_a_method_that_cannot_be_used_says_why_and_the_others_go_on() -> None:
    growth, rows = halves(noisy_numbers(60))
    found = prune_by_all(growth, rows)
    refused = {o.settings.method.value for o in found.opinions if o.pruning is None}
    assert refused == {"pessimistic", "chi_square", "minimum_description_length"}
    assert all("is a number" in o.refusal for o in found.opinions if o.pruning is None)
    refused_without_rows = prune_by_all(growth).opinions[0]
    assert (refused_without_rows.n_leaves, refused_without_rows.error(rows)) == (None, None)
    tree, validation = postoperative()
    assert sum(o.pruning is not None for o in prune_by_all(tree, validation).opinions) == 2


# Pre-pruning


@pytest.mark.parametrize(
    ("rule", "reason", "stopped"),
    [
        ({"max_depth": 1}, StopReason.MAX_DEPTH, (2, 5)),
        ({"min_samples_split": 6}, StopReason.MIN_SAMPLES_SPLIT, (2, 5)),
        ({"min_gain": 0.3}, StopReason.MIN_GAIN, (0,)),
        ({"significance": 0.1}, StopReason.NOT_SIGNIFICANT, (0,)),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_a_stopping_rule_marks_the_splits_that_it_would_not_have_made(rule: dict, reason, stopped) -> None:
    found = stop_early(engine.grow(play_tennis()), GrowthSettings.id3(**rule))
    assert found.stopped == stopped
    assert set(found.reasons.values()) == {reason}
    below = [n for n, mark in enumerate(found.marks) if mark is EarlyMark.NOT_REACHED]
    assert len(below) + len(found.early.tree.nodes) == len(found.full.tree.nodes)


def test_a_barred_split_gives_way_to_another() -> None:
    found = stop_early(engine.grow(play_tennis()), GrowthSettings.id3(min_samples_leaf=5))
    assert found.marks[0] is EarlyMark.OTHER_SPLIT
    assert set(found.marks[1:]) == {EarlyMark.NOT_REACHED}


def test_stopping_on_a_holdout_is_shown_too() -> None:
    growth, rows = halves(noisy(200, 1))
    found = stop_early(growth, GrowthSettings.id3(holdout_stop=True), rows)
    assert found.stopped
    assert set(found.reasons.values()) == {StopReason.WORSE_ON_HOLDOUT}


# Errors along a growth


@given(grown())
@profile(max_examples=40)
def test_errors_along_a_growth_are_those_of_its_steps(case) -> None:
    growth, rows = case
    along = errors_along(growth, rows)
    assert along == pytest.approx([error(step.tree, rows) for step in growth])


def test_errors_along_a_growth_hold_for_rows_in_parts_and_for_numbers() -> None:
    votes = datasets.load("congress_votes")
    growth = engine.grow(votes.take(np.arange(0, 60)), GrowthSettings.c45())
    rows = votes.take(np.arange(60, 120))
    assert errors_along(growth, rows) == pytest.approx([error(step.tree, rows) for step in growth])
    growth, rows = halves(noisy_numbers(60))
    assert errors_along(growth, rows) == pytest.approx([error(step.tree, rows) for step in growth])


# Noise


def test_pruning_dampens_noise() -> None:
    points = list(noise_dampening(noisy(300, share=0.0), GrowthSettings.id3(), settings("reduced_error"), seeds=(0, 1)))
    assert [(point.done, point.total) for point in points] == [(k, 10) for k in range(1, 11)]
    clean = [point for point in points if point.share == 0]
    noisy_points = [point for point in points if point.share == 0.2]
    assert all(point.full_error <= 0.03 for point in clean)
    assert all(point.pruned_error < point.full_error for point in noisy_points)
    assert all(point.pruned_leaves < point.full_leaves for point in noisy_points)
    again = noise_dampening(noisy(300, share=0.0), GrowthSettings.id3(), settings("reduced_error"), seeds=(0, 1))
    assert list(again) == points


def test_as_many_labels_are_flipped_as_asked_and_more_noise_keeps_the_flips_of_less() -> None:
    table = noisy(50, n_classes=3)
    changed = [
        np.flatnonzero(flip_labels(table, share, 7).target_values != table.target_values) for share in (0.1, 0.3)
    ]
    assert [len(rows) for rows in changed] == [5, 15]
    assert set(changed[0]) < set(changed[1])
    assert (flip_labels(table, 0, 7).target_values == table.target_values).all()


def test_noise_needs_classes_and_a_share_that_is_one() -> None:
    how = (GrowthSettings.id3(), settings("pessimistic"))
    with pytest.raises(SettingsError, match="'y' is a number"):
        noise_dampening(noisy_numbers(20), *how)
    with pytest.raises(SettingsError, match=r"share of flipped labels must be from 0 to 1, got 1\.5"):
        noise_dampening(noisy(20), *how, shares=(1.5,))
    with pytest.raises(SettingsError, match="at least two classes, got 1"):
        noise_dampening(make_table({"x": [1.0, 2.0]}, ["y", "y"]), *how)
    with pytest.raises(SettingsError, match="leaves no test row"):
        list(noise_dampening(noisy(20), *how, test_share=0.0))


# Speed is measured in benchmarks/pruning.py; here only that size does no harm


def test_a_large_tree_is_pruned_by_every_method() -> None:
    parts = split_three(noisy(2000, 5, n_features=2, share=0.5), 0.3, 0.2)
    growth = engine.grow(parts.training)
    assert growth.tree.n_leaves > 200
    found = prune_by_all(growth, parts.validation)
    assert all(opinion.error(parts.test) < error(growth.tree, parts.test) for opinion in found.opinions)


def test_a_tree_deeper_than_pythons_stack_is_pruned() -> None:
    n = 1500
    table = make_table({"x": [float(i) for i in range(n)]}, ["n" if i % 2 else "y" for i in range(n)])
    growth = engine.grow(table)
    rows = replace(table, target_values=1 - table.target_values)
    for opinion in prune_by_all(growth, rows).opinions:
        assert opinion.pruning is not None
