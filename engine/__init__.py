"""Espalier's engine: decision trees with every decision kept.

>>> table = read_table("datasets/files/play_tennis.csv", target="play", ignore=("day",))
>>> growth = grow(table, GrowthSettings.id3())
>>> len(growth), growth[2].event.value, growth.evidence(0)[0].feature
(12, 'split', 'outlook')
"""

from engine.criteria import Criterion
from engine.ensembles import (
    Ensemble,
    EnsembleEvent,
    EnsembleMethod,
    EnsembleSettings,
    EnsembleStep,
    FeaturesPer,
    Member,
    grow_ensemble,
)
from engine.errors import EngineError, QueryError, SettingsError, TableError, TreeError
from engine.given import read_tree
from engine.growth import Growth, GrowthStep, grow
from engine.holdout import split_holdout, split_three
from engine.importance import Permutation, impurity_importance, permutation_importance, unused_features
from engine.ingest import read_frame, read_table
from engine.pruning import Pruning, PruningMethod, PruningSettings, PruningStep, prune
from engine.rulesets import Estimate, Rule, RuleList, Simplification, SimplificationSettings, simplify, tree_rules
from engine.settings import Algorithm, CategoricalSplits, Choice, CostRule, GrowthSettings, Missing
from engine.significance import ChiSquare, chi_square
from engine.splits import Candidate, Condition, Op, Partition, Rejection, Split, SplitKind
from engine.table import Feature, FeatureKind, Table, Target, TargetKind
from engine.trace import Event, Step, StopReason, Trace
from engine.tree import Prediction, Tree

__all__ = [
    "Algorithm",
    "Candidate",
    "CategoricalSplits",
    "ChiSquare",
    "Choice",
    "Condition",
    "CostRule",
    "Criterion",
    "EngineError",
    "Ensemble",
    "EnsembleEvent",
    "EnsembleMethod",
    "EnsembleSettings",
    "EnsembleStep",
    "Estimate",
    "Event",
    "Feature",
    "FeatureKind",
    "FeaturesPer",
    "Growth",
    "GrowthSettings",
    "GrowthStep",
    "Member",
    "Missing",
    "Op",
    "Partition",
    "Permutation",
    "Prediction",
    "Pruning",
    "PruningMethod",
    "PruningSettings",
    "PruningStep",
    "QueryError",
    "Rejection",
    "Rule",
    "RuleList",
    "SettingsError",
    "Simplification",
    "SimplificationSettings",
    "Split",
    "SplitKind",
    "Step",
    "StopReason",
    "Table",
    "TableError",
    "Target",
    "TargetKind",
    "Trace",
    "Tree",
    "TreeError",
    "chi_square",
    "grow",
    "grow_ensemble",
    "impurity_importance",
    "permutation_importance",
    "prune",
    "read_frame",
    "read_table",
    "read_tree",
    "simplify",
    "split_holdout",
    "split_three",
    "tree_rules",
    "unused_features",
]
