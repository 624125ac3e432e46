"""EnsembleSettings: which trees are grown together, and how."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import TypeVar

from engine.errors import SettingsError
from engine.settings import Algorithm, Choice, GrowthSettings
from engine.table import Table, TargetKind

MOST_MEMBERS = 10_000

E = TypeVar("E", bound=StrEnum)


class EnsembleMethod(StrEnum):
    """How the members come about and how their answers are put together.

    Sources: Breiman 1996 (bagging) and 2001 (random forests), Freund and Schapire 1997 with Zhu et
    al. 2009 for several classes (AdaBoost), Friedman 2001 and 2002 (gradient boosting).
    """

    BAGGING = "bagging"
    FOREST = "forest"
    ADABOOST = "adaboost"
    GRADIENT_BOOSTING = "gradient_boosting"

    @property
    def is_parallel(self) -> bool:
        """Whether the members can be grown at the same time."""
        return self in (EnsembleMethod.BAGGING, EnsembleMethod.FOREST)


class FeaturesPer(StrEnum):
    """When features are drawn: anew at each split (Breiman 2001), or once for a member (Ho 1998)."""

    SPLIT = "split"
    MEMBER = "member"


@dataclass(frozen=True, kw_only=True)
class EnsembleSettings:
    """How an ensemble is grown. Validated when made; what a method does not use is left alone by it.

    Attributes
    ----------
    method : EnsembleMethod
    n_members : int
        Trees; for gradient boosting rounds, each of which has one tree a class where there are more
        than two.
    growth : GrowthSettings
        How each member is grown. A depth of None is the method's: no limit for bagging and
        forests, 1 for AdaBoost, 3 for gradient boosting (a `stump` keeps its 1).
    learning_rate : float or None
        AdaBoost and gradient boosting: what each member's say is multiplied by; None is 1 for
        AdaBoost and 0.1 for gradient boosting.
    max_features : int or None
        Features drawn; None is that of `growth`, else √d, rounded down, for a forest and all for
        the others.
    features_per : FeaturesPer
    resample : bool
        AdaBoost: train on rows drawn by their weights in place of the weights themselves.
    subsample : float
        Gradient boosting: the share of the rows that each member is fitted to, drawn without
        replacement.
    draws : tuple of tuple of int
        The rows (positions in the table) of the first members' samples, given and not drawn: what a
        book printed. For bagging, forests, and AdaBoost with `resample`.
    splits : tuple of tuple of Choice
        Splits taken by hand in the first members.
    seed : int or None
        For everything random; None is that of `growth`.
    """

    method: EnsembleMethod = EnsembleMethod.BAGGING
    n_members: int = 10
    growth: GrowthSettings = field(default_factory=GrowthSettings.cart)
    learning_rate: float | None = None
    max_features: int | None = None
    features_per: FeaturesPer = FeaturesPer.SPLIT
    resample: bool = False
    subsample: float = 1.0
    draws: tuple[tuple[int, ...], ...] = ()
    splits: tuple[tuple[Choice, ...], ...] = ()
    seed: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "method", _member("method", EnsembleMethod, self.method))
        object.__setattr__(self, "features_per", _member("features_per", FeaturesPer, self.features_per))
        _whole("n_members", self.n_members, least=1, most=MOST_MEMBERS)
        if self.max_features is not None:
            _whole("max_features", self.max_features, least=1)
        if self.seed is not None:
            _whole("seed", self.seed, least=0)
        if self.learning_rate is not None and not (_is_number(self.learning_rate) and self.learning_rate > 0):
            raise SettingsError(f"learning_rate must be a number above 0, such as 0.1, got {self.learning_rate!r}.")
        if not (_is_number(self.subsample) and 0 < self.subsample <= 1):
            raise SettingsError(f"subsample must be a number above 0, at most 1, got {self.subsample!r}.")
        object.__setattr__(self, "draws", tuple(tuple(int(row) for row in rows) for rows in self.draws))
        object.__setattr__(self, "splits", tuple(tuple(choices) for choices in self.splits))

    @property
    def rate(self) -> float:
        """The learning rate with the method's default filled in; 1 where there is none."""
        if self.learning_rate is not None and not self.method.is_parallel:
            return float(self.learning_rate)
        return 0.1 if self.method is EnsembleMethod.GRADIENT_BOOSTING else 1.0

    @property
    def seeded(self) -> int:
        """The seed of everything random."""
        return self.growth.seed if self.seed is None else self.seed

    def n_features_drawn(self, table: Table) -> int | None:
        """How many features are drawn at a time; None where all are used.

        >>> import engine
        >>> table = engine.read_table("datasets/files/play_tennis.csv", target="play")
        >>> EnsembleSettings(method=EnsembleMethod.FOREST).n_features_drawn(table)
        2
        """
        n_features = len(table.features)
        given = self.max_features or self.growth.max_features
        if given is None and self.method is EnsembleMethod.FOREST:
            given = max(1, math.isqrt(n_features))
        return None if given is None else min(given, n_features)

    @cached_property
    def member_growth(self) -> GrowthSettings:
        """How each member is grown, but for its own seed, draw of features and splits by hand."""
        depth = self.growth.max_depth
        if depth is None and self.growth.algorithm is not Algorithm.STUMP:
            depth = _DEPTHS.get(self.method)
        weights = None if self.method is EnsembleMethod.ADABOOST else self.growth.class_weights
        return replace(self.growth, max_depth=depth, max_features=None, class_weights=weights)

    def check(self, table: Table) -> None:
        """Refuse what the method cannot do with this table.

        Raises
        ------
        SettingsError
        """
        target, method = table.target, self.method
        if method is EnsembleMethod.ADABOOST and target.kind is TargetKind.NUMBER:
            raise SettingsError(
                f"adaboost is defined for classes, and the target {target.name!r} is a number; choose "
                "gradient_boosting, bagging or forest."
            )
        if self.growth.holdout_stop:
            raise SettingsError("holdout_stop is not defined for the members of an ensemble; leave it out.")
        if method is EnsembleMethod.GRADIENT_BOOSTING:
            self._check_residual_trees(table)

    def check_draws(self, n_rows: int) -> None:
        """Refuse given draws of rows that are not there.

        Raises
        ------
        SettingsError
        """
        for rows in self.draws:
            wrong = [row for row in rows if not 0 <= row < n_rows]
            if wrong or not rows:
                got = f"row {wrong[0]}" if wrong else "an empty draw"
                raise SettingsError(f"a draw holds positions of rows, from 0 to {n_rows - 1}, got {got}.")

    def _check_residual_trees(self, table: Table) -> None:
        if self.growth.algorithm is Algorithm.C45:
            raise SettingsError(
                "gradient_boosting fits its members to residuals, which are numbers, and c45 is defined for classes; "
                "choose cart, id3 or stump."
            )
        if table.target.kind is TargetKind.CLASSES and len(table.target.classes) < 2:
            raise SettingsError(
                f"gradient_boosting tells classes apart, and the target {table.target.name!r} has only one; "
                "choose another target, or bagging."
            )
        for name, value in (("class_weights", self.growth.class_weights), ("significance", self.growth.significance)):
            if value is not None:
                raise SettingsError(
                    f"{name} is defined for trees of classes, and gradient_boosting fits its members to residuals, "
                    "which are numbers; leave it out."
                )


_DEPTHS = {EnsembleMethod.ADABOOST: 1, EnsembleMethod.GRADIENT_BOOSTING: 3}


def _member(name: str, kind: type[E], value: object) -> E:
    try:
        return kind(str(value))
    except ValueError:
        allowed = ", ".join(member.value for member in kind)
        raise SettingsError(f"{name} must be one of {allowed}, got {value!r}.") from None


def _whole(name: str, value: object, *, least: int, most: int | None = None) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise SettingsError(f"{name} must be a whole number, got {value!r}.")
    if value < least:
        raise SettingsError(f"{name} must be at least {least}, got {value}.")
    if most is not None and value > most:
        raise SettingsError(f"{name} must be at most {most:,}, got {value:,}.")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
