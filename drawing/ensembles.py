"""An ensemble in words: its methods, the start, and what each member adds, with its numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from drawing import phrases
from drawing.theme import number, percent, quantity
from engine.ensembles import Ensemble, EnsembleMethod, FeaturesPer, Member
from engine.table import BoolArray, FloatArray

METHODS = {
    EnsembleMethod.BAGGING: "Bagging",
    EnsembleMethod.FOREST: "Random forest",
    EnsembleMethod.ADABOOST: "AdaBoost",
    EnsembleMethod.GRADIENT_BOOSTING: "Gradient boosting",
}
ABOUT = {
    EnsembleMethod.BAGGING: "Each tree is grown from a bootstrap sample of the rows; all vote.",
    EnsembleMethod.FOREST: "As bagging, and only some features, drawn at random, compete at each split.",
    EnsembleMethod.ADABOOST: "Each tree is grown with the rows that the one before got wrong made heavier.",
    EnsembleMethod.GRADIENT_BOOSTING: "Each tree is fitted to what the sum so far leaves unexplained.",
}
_MOST_NAMED = 4
_DIGITS = 4


@dataclass(frozen=True, eq=False)
class Words:
    """The words for one ensemble."""

    ensemble: Ensemble

    @property
    def method(self) -> EnsembleMethod:
        """Its method."""
        return self.ensemble.settings.method

    @property
    def is_number(self) -> bool:
        """Whether the target is a number."""
        return not self.ensemble.rule.n_classes

    @property
    def unit(self) -> str:
        """What the members are counted in."""
        return "round" if self.ensemble.n_trees_a_round > 1 else "member"

    def error(self, value: float) -> str:
        """An error: a share of rows, or a mean squared error."""
        return "–" if np.isnan(value) else rough(value) if self.is_number else percent(value)

    def round_of(self, step: int) -> int:
        """How many points of the curve a step has reached."""
        return step // self.ensemble.n_trees_a_round

    def sentence(self, step: int) -> str:
        """What happens in a step."""
        if step == 0:
            return self._start()
        member = self.ensemble.members[step - 1]
        match self.method:
            case EnsembleMethod.ADABOOST:
                return self._boosted(member)
            case EnsembleMethod.GRADIENT_BOOSTING:
                return self._added(member)
            case _:
                return self._bagged(member)

    def name(self, member: Member) -> str:
        """A member by its number, counted from 1; with several trees a round, by round and class."""
        if member.of_class is None:
            return f"member {member.index + 1}"
        return f"round {(member.round or 0) + 1}, {phrases.plain(self.ensemble.table.target.classes[member.of_class])}"

    # ---- the start --------------------------------------------------------------------------

    def _start(self) -> str:
        ensemble = self.ensemble
        n, size = phrases.rows(ensemble.base.n_rows), ensemble.base.n_rows
        if self.method is EnsembleMethod.ADABOOST:
            return f"{n}, each with weight 1/{size} = {number(1 / size)}. The first tree is grown as usual."
        if self.method is EnsembleMethod.GRADIENT_BOOSTING:
            return f"{n}. {self._initial()} What it leaves over is what the first tree is fitted to."
        how = "The mean of their answers counts" if self.is_number else "They vote"
        return f"{n}. Each tree is grown from {size} of them, drawn with replacement{self._lottery()}. {how}."

    def _lottery(self) -> str:
        settings, table = self.ensemble.settings, self.ensemble.table
        drawn = settings.n_features_drawn(table)
        if drawn is None:
            return ""
        when = "for each tree" if settings.features_per is FeaturesPer.MEMBER else "at each split"
        return f"; {drawn} of {len(table.features)} features are drawn {when}"

    def _initial(self) -> str:
        start = self.ensemble.initial
        classes = [phrases.plain(name) for name in self.ensemble.table.target.classes]
        if isinstance(start, tuple):
            said = [f"{name} {number(value)}" for name, value in zip(classes, start, strict=True)]
            return f"F₀ is the logarithm of the class shares, less its mean: {phrases.listed(said[:_MOST_NAMED])}."
        assert start is not None
        if self.is_number:
            return f"M₀ is the mean, {quantity(start)}."
        return f"F₀ is the log odds of {classes[1]}, {number(start)}."

    # ---- a member ---------------------------------------------------------------------------

    def _bagged(self, member: Member) -> str:
        drawn = member.times_drawn
        assert drawn is not None
        left, twice = int((drawn == 0).sum()), int((drawn > 1).sum())
        said = f"Member {member.index + 1}: {twice} of {len(drawn)} rows drawn more than once, {left} left out"
        if member.features is not None:
            names = [phrases.plain(self.ensemble.table.features[f].name) for f in member.features]
            more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
            named = ", ".join(names[:_MOST_NAMED]) if more else phrases.listed(names)
            said += f"; features {named}{more}"
        alone = f"Its tree of {_leaves(member)}: error {self.error(member.error or 0.0)}."
        return f"{said}. {alone} {self._together(member.index + 1)}"

    def _boosted(self, member: Member) -> str:
        wrong = mistakes(self.ensemble, member)
        assert member.error is not None and member.confidence is not None
        n = int(wrong.sum())
        said = (
            f"Member {member.index + 1}: {n} of {phrases.rows(len(wrong))} wrong, ε = {number(member.error)}, "
            f"confidence {number(member.confidence)}."
        )
        up, down = factors(self.ensemble, member)
        if n and up is not None and down is not None:
            said += f" Wrong rows weigh ×{number(up)} from now on, right ones ×{number(down)}."
        return f"{said} {self._together(member.index + 1)}"

    def _added(self, member: Member) -> str:
        assert member.residuals is not None
        rate = self.ensemble.rule.rate
        before = float(np.square(member.residuals).mean())
        name = self.name(member)
        said = f"{name[0].upper()}{name[1:]}: residuals with a mean square of {rough(before)}."
        times = "all of what it says is added" if rate == 1 else f"{quantity(rate)} of what it says is added"
        said += f" A tree of {_leaves(member)} is fitted to them, and {times}."
        return f"{said} {self._together(member.index + 1)}"

    def _together(self, step: int) -> str:
        ensemble, here = self.ensemble, self.round_of(step)
        errors = ensemble.training_curve.errors
        if step % ensemble.n_trees_a_round:
            return "The round goes on with the next class."
        kind = "mean squared error" if self.is_number else "training error"
        if self.method is EnsembleMethod.GRADIENT_BOOSTING:
            return f"The {kind} goes from {self.error(errors[here - 1])} to {self.error(errors[here])}."
        who = "Alone" if step == 1 else f"The {step} together"
        said = f"{who}: {kind} {self.error(errors[here])}"
        curve = ensemble.out_of_bag_curve
        if curve is not None and not np.isnan(curve.errors[here]):
            said += f", out of bag {self.error(curve.errors[here])}"
        return said + "."


def rough(value: float) -> str:
    """A size of which the order counts: four digits at most.

    >>> rough(1287.1), rough(0.2295918), rough(421834.2)
    ('1287', '0.2296', '421800')
    """
    return quantity(float(f"{value:.{_DIGITS}g}"))


def mistakes(ensemble: Ensemble, member: Member) -> BoolArray:
    """The rows that a member of classes gets wrong, shape (n_rows,)."""
    return np.asarray(member.answers != ensemble.table.target_values)


def next_weights(ensemble: Ensemble, member: Member) -> FloatArray | None:
    """The weights of the rows after an AdaBoost member, shape (n_rows,); None where it makes no mistake.

    A wrong row's weight is multiplied by exp(2 · confidence), then all are made to add up to 1.
    Source: Zhu et al. 2009, algorithm 2.
    """
    if member.weights is None or member.confidence is None or not member.error:
        return None
    wrong = mistakes(ensemble, member)
    if not wrong.any():
        return None
    raised = member.weights * np.where(wrong, np.exp(2 * member.confidence), 1.0)
    return np.asarray(raised / raised.sum())


def factors(ensemble: Ensemble, member: Member) -> tuple[float | None, float | None]:
    """What the weights of a member's wrong and right rows are multiplied by; None where there are none."""
    after = next_weights(ensemble, member)
    if after is None or member.weights is None:
        return None, None
    ratio = after / np.where(member.weights > 0, member.weights, 1.0)
    wrong = mistakes(ensemble, member)
    found = [float(ratio[rows & (member.weights > 0)].max(initial=0.0)) or None for rows in (wrong, ~wrong)]
    return found[0], found[1]


def _leaves(member: Member) -> str:
    return "1 leaf" if member.n_leaves == 1 else f"{member.n_leaves:,} leaves"
