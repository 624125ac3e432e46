"""A sentence for every step of a comparison: what each side prefers and by how much, and where they part."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from drawing import wording
from drawing.comparison import LETTERS, names
from drawing.phrases import answer
from drawing.theme import number
from engine import Candidate, Event, Growth
from engine.comparison import Comparison, Pair, PairedStep, Side
from engine.evidence import candidate
from engine.scores import TOLERANCE


@dataclass(frozen=True)
class Preference:
    """What a side takes at a node, and by how much it is better than what it is held against.

    Attributes
    ----------
    chosen : Candidate
    rival : Candidate or None
        The other side's choice as this side scores it; where that is the same, or cannot be scored
        here, the runner-up.
    """

    chosen: Candidate
    rival: Candidate | None

    def words(self, write: Callable[[float], str] = number) -> str:
        """`outlook: 0.247, 0.095 more than humidity`."""
        said = f"{wording.candidate_label(self.chosen)}: {write(self.chosen.score)}"
        if self.rival is None:
            return said
        against = wording.candidate_label(self.rival)
        if self.rival.rejected is not None:
            return f"{said}; {against} is barred"
        gap = self.chosen.score - self.rival.score
        if abs(gap) <= TOLERANCE:
            return f"{said}, tied with {against}"
        how = "a trace" if write(gap) == write(0.0) else write(abs(gap))
        return f"{said}, {how} {'more' if gap > 0 else 'less'} than {against}"


class Telling:
    """A comparison with what its sentences need again and again, worked out once."""

    def __init__(self, comparison: Comparison) -> None:
        self.comparison = comparison
        self.names = dict(zip(Side, names(comparison), strict=True))
        self._write = {side: wording.scores_as(comparison.growth(side)) for side in Side}
        self._ranked: dict[tuple[Side, int], Sequence[Candidate]] = {}

    @cached_property
    def titles(self) -> dict[Side, Sequence[str]]:
        """The path of every node in words."""
        return {side: [wording.path(p) for p in wording.paths(self._growth(side).tree)] for side in Side}

    def ranked(self, side: Side, node: int) -> Sequence[Candidate]:
        """The best candidate of each feature at a node, ranked; none where none was scored."""
        key = (side, node)
        if key not in self._ranked:
            growth = self._growth(side)
            self._ranked[key] = growth.best_candidates(node) if growth.tree.nodes.scored[node] else ()
        return self._ranked[key]

    def sentence(self, step: PairedStep) -> str:
        """What happens on both sides in a step."""
        if not step.index:
            return self._started()
        if not step.together:
            return self._apart(step)
        pair = Pair(step.first.node, step.second.node, equal=True)
        scores = Event.SCORED in (step.first.event, step.second.event)
        return self._place(pair) + (self.preferred(pair) if scores else self.decided(pair))

    def preferred(self, pair: Pair) -> str:
        """What each side prefers at a node that both have, and by how much."""
        one, other = self.preference(Side.FIRST, pair), self.preference(Side.SECOND, pair)
        if one is None or other is None:
            return " ".join(self._prefers(side, pair, p) for side, p in zip(Side, (one, other), strict=True))
        label = wording.candidate_label(one.chosen)
        if label != wording.candidate_label(other.chosen):
            return f"{self._prefers(Side.FIRST, pair, one)} {self._prefers(Side.SECOND, pair, other)}"
        words = [
            f"{self.names[side]} {p.words(self._write[side]).removeprefix(label + ': ')}"
            for side, p in zip(Side, (one, other), strict=True)
        ]
        return f"Both prefer {label}. {words[0]}; {words[1]}."

    def preference(self, side: Side, pair: Pair) -> Preference | None:
        """What one side takes at a pair; None where nothing was scored or may be chosen."""
        node, beside = _nodes(side, pair)
        ranked = self.ranked(side, node)
        chosen = _best(ranked)
        if chosen is None:
            return None
        taken = _best(self.ranked(_other(side), beside))
        rival = None if taken is None else self._scored_here(side, node, taken)
        if rival is None or wording.candidate_label(rival) == wording.candidate_label(chosen):
            rival = next((c for c in ranked if c is not chosen and c.rejected is None), None)
        return Preference(chosen, rival)

    def decided(self, pair: Pair) -> str:
        """What becomes of a node that both have."""
        known = self.comparison.pairs
        found = next(p for p in known if p.first == pair.first)
        splits = [self._split(side, node) for side, node in zip(Side, (pair.first, pair.second), strict=True)]
        one, other = (self.names[side] for side in Side)
        if found.equal:
            return self._alike(pair, splits[0])
        start = "The first difference. " if found == self.comparison.first_difference else "A difference. "
        if splits[0] is not None and splits[1] is not None:
            return f"{start}{one} splits on {splits[0]}, {other} on {splits[1]}."
        if splits[0] is None and splits[1] is None:
            answers = [self._answer(side, node) for side, node in zip(Side, (pair.first, pair.second), strict=True)]
            return f"{start}Both stop, with other answers: {one} {answers[0]}, {other} {answers[1]}."
        said = [
            f"{self.names[side]} splits on {test}." if test is not None else self._stops(side, node)
            for side, node, test in zip(Side, (pair.first, pair.second), splits, strict=True)
        ]
        return start + " ".join(said)

    def _started(self) -> str:
        one, other = (wording.started(self._growth(side)) for side in Side)
        if one == other:
            return f"Both start from {one[:1].lower()}{one[1:]}"
        return f"A starts from {one.rsplit('. ', 1)[0]}. B starts from {other.rsplit('. ', 1)[0]}."

    def _apart(self, step: PairedStep) -> str:
        """Below a difference, or on a branch that one tree alone has: each side for itself."""
        said = []
        for side, own in zip(Side, (step.first, step.second), strict=True):
            name = LETTERS[side]
            if side not in step.moved:
                said.append(f"{name} waits")
            elif own.event is Event.SCORED:
                best = _best(self.ranked(side, own.node))
                what = "finds no split" if best is None else f"prefers {self._scored(side, best)}"
                said.append(f"{name} {what}")
            else:
                test = self._split(side, own.node)
                what = f"stops: {self._answer(side, own.node)}" if test is None else f"splits on {test}"
                said.append(f"{name} {what}")
        return f"{said[0]}; {said[1]}."

    def _alike(self, pair: Pair, test: str | None) -> str:
        if test is None:
            answers = [self._answer(side, node) for side, node in zip(Side, (pair.first, pair.second), strict=True)]
            if answers[0] == answers[1]:
                return f"Both stop here and answer {answers[0]}."
            return f"Both stop here: A answers {answers[0]}, B {answers[1]}."
        words = [wording.split(self._growth(side).tree, _nodes(side, pair)[0]) for side in Side]
        return (
            f"Both split on {words[0].removeprefix('Split on ')}" if words[0] == words[1] else f"Both split on {test}."
        )

    def _prefers(self, side: Side, pair: Pair, found: Preference | None) -> str:
        if found is not None:
            return f"{self.names[side]} prefers {found.words(self._write[side])}."
        node = _nodes(side, pair)[0]
        if self._growth(side).tree.nodes.scored[node]:
            return f"{self.names[side]} finds no split that may be chosen."
        return self._stops(side, node)

    def _stops(self, side: Side, node: int) -> str:
        why, a_leaf, _ = wording.reason(self._growth(side), node, self.ranked(side, node)).partition(". A leaf")
        said = f"{self.names[side]} stops and answers {self._answer(side, node)}."
        return f"{said} {why}." if a_leaf else said

    def _place(self, pair: Pair) -> str:
        """Where the node is, and how many rows it has."""
        if not pair.first:
            return ""
        sizes = [
            wording.rows(float(self._growth(side).tree.nodes.size[node]))
            for side, node in zip(Side, (pair.first, pair.second), strict=True)
        ]
        size = sizes[0] if sizes[0] == sizes[1] else f"A {sizes[0]}, B {sizes[1]}"
        return f"{self.titles[Side.FIRST][pair.first]}: {size}. "

    def _split(self, side: Side, node: int) -> str | None:
        """What a node asks; None at a leaf."""
        growth = self._growth(side)
        test = growth.tree.split(node)
        if test is None:
            return None
        feature = growth.table.features[test.feature]
        several = any(len(group) > 1 for group in test.groups)
        if test.threshold is None and not (several and len(test.groups) == 2):
            return wording.plain(feature.name)
        return wording.condition(test.conditions(feature)[0])

    def _answer(self, side: Side, node: int) -> str:
        return answer(self._growth(side).tree, node)

    def _scored(self, side: Side, best: Candidate) -> str:
        return f"{wording.candidate_label(best)} ({self._write[side](best.score)})"

    def _scored_here(self, side: Side, node: int, taken: Candidate) -> Candidate | None:
        """The other side's choice as this side scores it; None where it is no candidate here."""
        growth = self._growth(side)
        name = taken.feature
        best = next((c for c in self.ranked(side, node) if c.feature == name), None)
        if best is None or best.split.threshold is None or best.split.threshold == taken.split.threshold:
            return best
        scores = growth.scan(node, best.split.feature)
        index = scores.index(taken.split) if taken.split.threshold is not None else None
        return best if index is None else candidate(growth.table, scores, index)

    def _growth(self, side: Side) -> Growth:
        return self.comparison.growth(side)


def _nodes(side: Side, pair: Pair) -> tuple[int, int]:
    """The node on this side and the one on the other."""
    return (pair.first, pair.second) if side is Side.FIRST else (pair.second, pair.first)


def _other(side: Side) -> Side:
    return Side.SECOND if side is Side.FIRST else Side.FIRST


def _best(ranked: Sequence[Candidate]) -> Candidate | None:
    """The candidate that is taken: a person's, else the first that may be chosen."""
    return next((c for c in ranked if c.chosen), next((c for c in ranked if c.rejected is None), None))
