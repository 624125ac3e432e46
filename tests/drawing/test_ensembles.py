"""Ensembles in words, as sums, as pseudo-code and as what the stage shows."""

from __future__ import annotations

import json

import numpy as np
import pytest

from drawing.ensembles import ABOUT, METHODS, Words, factors, next_weights
from drawing.ensembles_code import code
from drawing.ensembles_formulas import worked
from drawing.ensembles_lottery import NOT_DRAWN, lottery
from drawing.ensembles_published import NAMES, WHY
from drawing.ensembles_spread import Plural, spread_rows, spread_words
from drawing.ensembles_story import ensemble_story
from engine import Ensemble, EnsembleEvent, EnsembleMethod, EnsembleSettings, GrowthSettings
from engine.ensembles import Spread
from engine.ensembles.published import (
    boosting_as_printed,
    boosting_by_weights,
    gradient_boosting_as_computed,
    gradient_boosting_as_printed,
)
from tests.drawing.tables import HOSTILE, hostile
from tests.engine.ensembles.cases import grown, table

METHODS_THERE_ARE = list(EnsembleMethod)
PRINTED = {
    "boosting": boosting_as_printed,
    "boosting_by_weights": boosting_by_weights,
    "gradient": gradient_boosting_as_printed,
    "gradient_by_stumps": gradient_boosting_as_computed,
}


def printed(name: str) -> Ensemble:
    return PRINTED[name](table("bike_demand_level" if name.startswith("boosting") else "bike_demand_count"))


def sentences(ensemble: Ensemble) -> list[str]:
    return [Words(ensemble).sentence(step) for step in range(len(ensemble))]


def sums(ensemble: Ensemble, step: int) -> list[str]:
    return [formula.plain for formula in worked(ensemble, ensemble[step].member)]


# ---- words --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["boosting", "boosting_by_weights"])
def test_the_published_boosting_is_told_with_its_printed_numbers(name: str) -> None:
    assert sentences(printed(name)) == [
        "10 rows, each with weight 1/10 = 0.100. The first tree is grown as usual.",
        "Member 1: 2 of 10 rows wrong, ε = 0.200, confidence 0.693. Wrong rows weigh ×2.500 from now on, right ones "
        "×0.625. Alone: training error 20 %.",
        "Member 2: 3 of 10 rows wrong, ε = 0.188, confidence 0.733. Wrong rows weigh ×2.667 from now on, right ones "
        "×0.615. The 2 together: training error 30 %.",
        "Member 3: 5 of 10 rows wrong, ε = 0.192, confidence 0.718. Wrong rows weigh ×2.600 from now on, right ones "
        "×0.619. The 3 together: training error 0 %.",
    ]


def test_the_published_gradient_boosting_starts_at_its_mean_and_adds_everything() -> None:
    said = sentences(printed("gradient"))
    assert said[0].startswith("10 rows. M₀ is the mean, 1287.1.")
    assert said[1] == (
        "Member 1: residuals with a mean square of 364000. A tree of 2 leaves is fitted to them, and all of what it "
        "says is added. The mean squared error goes from 364000 to 45300."
    )
    assert "from 364000 to 242600" in sentences(printed("gradient_by_stumps"))[1]


def test_every_printed_table_has_a_name_and_says_why_its_replays_differ() -> None:
    assert set(NAMES) == set(WHY) == set(PRINTED)


@pytest.mark.parametrize("method", METHODS_THERE_ARE)
@pytest.mark.parametrize("name", ["iris", "play_tennis", "congress_votes", "diabetes_progression"])
def test_every_step_of_every_method_has_a_sentence(name: str, method: EnsembleMethod) -> None:
    if name == "diabetes_progression" and method is EnsembleMethod.ADABOOST:
        return
    ensemble = grown(name, method=method, n_members=3)
    for said in sentences(ensemble):
        assert said.endswith(".") and "nan" not in said and "None" not in said
    assert set(METHODS) == set(ABOUT) == set(METHODS_THERE_ARE)


def test_a_forest_says_what_is_drawn_and_when() -> None:
    per_split = grown("iris", method="forest", n_members=1)
    assert "2 of 4 features are drawn at each split" in sentences(per_split)[0]
    per_member = grown("iris", method="forest", n_members=1, features_per="member")
    said = sentences(per_member)
    assert "2 of 4 features are drawn for each tree" in said[0]
    drawn = [per_member.table.features[f].name for f in per_member.members[0].features or ()]
    assert f"features {drawn[0]} and {drawn[1]}" in said[1]


def test_a_bootstrap_sample_is_counted_in_words() -> None:
    ensemble = grown("play_tennis", n_members=1, draws=((0, 0, 0, *range(3, 14)),))
    assert sentences(ensemble)[1].startswith("Member 1: 1 of 14 rows drawn more than once, 2 left out.")


def test_several_classes_are_told_by_round_and_class() -> None:
    ensemble = grown("iris", method="gradient_boosting", n_members=1)
    said = sentences(ensemble)
    assert "less its mean: setosa 0.000, versicolor 0.000 and virginica 0.000" in said[0]
    assert said[1].startswith("Round 1, setosa:") and said[1].endswith("The round goes on with the next class.")
    assert "The training error goes from 66.7 %" in said[3]


def test_weights_after_a_member_are_those_of_the_next() -> None:
    ensemble = printed("boosting")
    for one, after in zip(ensemble.members, ensemble.members[1:], strict=False):
        assert next_weights(ensemble, one) == pytest.approx(after.weights, abs=1e-12)
    assert factors(ensemble, ensemble.members[0]) == pytest.approx((2.5, 0.625))


def test_a_member_without_a_mistake_changes_no_weight() -> None:
    ensemble = grown("iris", method="adaboost", n_members=3, growth=GrowthSettings.cart(max_depth=9))
    assert len(ensemble.members) == 1
    assert next_weights(ensemble, ensemble.members[0]) is None
    assert "0 of 150 rows wrong, ε = 0.000" in sentences(ensemble)[1]
    assert all(np.isfinite(value) for value in (ensemble.members[0].confidence or 0.0,))


# ---- sums ---------------------------------------------------------------------------------------


def test_the_published_boosting_is_worked_with_its_printed_numbers() -> None:
    ensemble = printed("boosting")
    assert sums(ensemble, 0) == ["w = 1/10 = 0.100"]
    assert sums(ensemble, 1) == [
        "ε = 2 · 0.1 = 0.200",
        "confidence = ½ ln((1 − 0.200)/0.200) = 0.693",
        "wrong: w × 1/(2 · 0.200) = w × 2.500",
        "right: w × 1/(2 · (1 − 0.200)) = w × 0.625",
    ]
    assert sums(ensemble, 2)[0] == "ε = 3 · 0.0625 = 0.188"
    assert sums(ensemble, 3)[0] == "ε = 5 · 0.03846 = 0.192"


def test_the_published_gradient_boosting_is_worked() -> None:
    ensemble = printed("gradient")
    assert sums(ensemble, 0) == ["M₀ = Σ y / 10 = 1287.1"]
    assert sums(ensemble, 1) == [
        "residual = y − F; mean square 364000",
        "F1 = F0 + 1 × tree",
        "mean squared error: 364000 → 45300",
    ]


def test_several_classes_and_a_learning_rate_stand_in_the_confidence() -> None:
    several = grown("iris", method="adaboost", n_members=2)
    assert sums(several, 1) == [
        "ε = 50 · 0.006667 = 0.333",
        "confidence = ½ ln((1 − 0.333)/0.333) + ½ ln 2 = 0.693",
        "wrong: w × 2/(3 · 0.333) = w × 2.000",
        "right: w × 1/(3 · (1 − 0.333)) = w × 0.500",
    ]
    slow = grown("iris", method="adaboost", n_members=1, learning_rate=0.5)
    assert sums(slow, 1)[1] == "confidence = 0.5 · (½ ln((1 − 0.333)/0.333) + ½ ln 2) = 0.347"


def test_many_different_weights_are_not_written_out() -> None:
    ensemble = grown("breast_cancer", method="adaboost", n_members=8)
    assert any(sums(ensemble, step)[0].startswith("ε = Σ w of ") for step in range(4, 9))


@pytest.mark.parametrize("method", METHODS_THERE_ARE)
def test_every_sum_has_its_latex(method: EnsembleMethod) -> None:
    ensemble = grown("breast_cancer", method=method, n_members=3)
    for step in ensemble:
        for formula in worked(ensemble, step.member):
            assert formula.latex and "nan" not in formula.latex
            assert formula.latex.count("{") == formula.latex.count("}")


# ---- code and story -----------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS_THERE_ARE)
def test_every_event_has_its_line_of_the_pseudo_code(method: EnsembleMethod) -> None:
    lines, line_of = code(method)
    assert set(line_of) == set(EnsembleEvent)
    assert all(0 <= line < len(lines) for line in line_of.values())


@pytest.mark.parametrize("method", METHODS_THERE_ARE)
def test_the_story_tells_every_step_and_shows_one_members_tree_in_each(method: EnsembleMethod) -> None:
    ensemble = grown("iris", method=method, n_members=3)
    story = ensemble_story(ensemble, "key")
    json.dumps(story, allow_nan=False)
    assert len(story["steps"]) == len(story["sentences"]) == len(story["line_of_step"]) == len(ensemble)
    nodes = story["nodes"]
    n_leaves = [1, *(member.n_leaves for member in ensemble.members)]
    for step, (event, root) in enumerate(story["steps"]):
        assert event == ("member" if step else "started")
        seen = [
            node
            for node in range(len(nodes["parent"]))
            if nodes["shown_at"][node] <= step and not 0 <= nodes["gone_at"][node] <= step
        ]
        assert {nodes["shown_at"][node] for node in seen} == {step}
        assert root == seen[0] and nodes["parent"][root] == -1
        assert sum(not nodes["split"][node] for node in seen) == n_leaves[step]
    assert ensemble_story(ensemble, "other")["key"] != story["key"]
    assert ensemble_story(ensemble, "key") == story


def test_a_hostile_table_is_told_as_plain_text() -> None:
    story = ensemble_story(grown(hostile(), method="forest", n_members=2), "key")
    svg = story["svg"]["TB"]
    assert "<script" not in svg and "<B>" not in svg
    said = " ".join(story["sentences"])
    assert "\x00" not in said and "\u202e" not in said and "x" * 100 not in said


# ---- the feature lottery ------------------------------------------------------------------------


def test_the_lottery_lists_the_drawn_features_ranked_and_then_those_that_were_not() -> None:
    ensemble = grown("wine", method="forest", n_members=1)
    member = ensemble.members[0]
    found = lottery(ensemble, member, 0)
    assert found is not None
    assert found.sentence == "3 of 13 features were drawn at this node; the others do not compete here."
    assert found.n_drawn == 3 and found.chosen == 0 and len(found.lines) == 13
    scores = [float(score) for _, score in found.lines[:3]]
    assert scores == sorted(scores, reverse=True)
    assert {score for _, score in found.lines[3:]} == {NOT_DRAWN}
    chosen = member.growth.tree.split(0)
    assert chosen is not None and found.lines[0][0].startswith(ensemble.table.features[chosen.feature].name)


def test_features_drawn_for_a_member_leave_the_others_out_at_every_node() -> None:
    ensemble = grown("iris", method="forest", n_members=1, features_per="member")
    found = lottery(ensemble, ensemble.members[0], 0)
    assert found is not None and found.n_drawn == 2
    assert found.sentence.startswith("2 of 4 features were drawn for this tree")
    drawn = {ensemble.table.features[f].name for f in ensemble.members[0].features or ()}
    assert drawn.isdisjoint(name for name, _ in found.lines[2:])


def test_the_lottery_says_when_it_was_drawn_on() -> None:
    ensemble = grown("play_tennis", method="forest", n_members=40, max_features=1)
    said = [
        found.sentence
        for member in ensemble.members
        for node in range(len(member.nodes))
        if (found := lottery(ensemble, member, node)) is not None
    ]
    assert any("None of these separated the rows, so it was drawn on until one did" in one for one in said)


def test_many_features_are_cut_to_the_first_lines_and_counted() -> None:
    ensemble = grown("breast_cancer", method="forest", n_members=1)
    found = lottery(ensemble, ensemble.members[0], 0)
    assert found is not None and (len(found.lines), found.left_out) == (20, 10)


def test_there_is_no_lottery_where_every_feature_competes() -> None:
    ensemble = grown("iris", n_members=1)
    assert lottery(ensemble, ensemble.members[0], 0) is None
    forest = grown("iris", method="forest", n_members=1)
    leaf = int(np.flatnonzero(~forest.members[0].nodes.scored)[0])
    assert lottery(forest, forest.members[0], leaf) is None


def test_a_hostile_feature_is_one_short_line_of_the_lottery() -> None:
    ensemble = grown(hostile(), method="forest", n_members=1)
    found = lottery(ensemble, ensemble.members[0], 0)
    assert found is not None
    assert all(len(name) <= 100 and "\x00" not in name and "\n" not in name for name, _ in found.lines)
    assert len(found.lines) == len(HOSTILE)


# ---- the spread over resamples ------------------------------------------------------------------


def test_the_spread_is_told_as_pairs_that_disagree() -> None:
    spread = Spread(np.array([[0, 1], [0, 0]]), np.array([[0, 0], [0, 0]]), np.array([0, 0]), 2)
    plural = Plural.of(EnsembleSettings(method="forest", n_members=5))
    heads, lines = spread_rows(spread, plural)
    assert heads[1:] == ["a tree", "a random forest of 5 trees"]
    assert lines == [["two of them disagree on", "50 %", "0 %"], ["error", "25 % ± 35.4 %", "0 % ± 0 %"]]
    assert spread_words(spread, plural, "the 2 rows").endswith("random forests of 5 trees on 0 %: 0.000 times as much.")


def test_the_spread_of_a_number_is_its_variance() -> None:
    spread = Spread(np.array([[1.0], [3.0]]), np.array([[2.0], [2.0]]), np.array([2.0]), 0)
    plural = Plural.of(EnsembleSettings(n_members=1))
    assert plural.one == "a bagged ensemble of 1 tree"
    assert spread_rows(spread, plural)[1] == [
        ["variance of the answer", "2", "0"],
        ["mean squared error", "1 ± 0", "0 ± 0"],
    ]


def test_models_that_always_agree_have_no_ratio() -> None:
    spread = Spread(np.array([[0], [0]]), np.array([[0], [0]]), np.array([0]), 2)
    assert spread_words(spread, Plural.of(EnsembleSettings()), "it").endswith("on 0 %.")
