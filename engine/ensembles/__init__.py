"""Trees that answer together: bagging, random forests, AdaBoost and gradient boosting.

>>> import engine
>>> table = engine.read_table("datasets/files/play_tennis.csv", target="play", ignore=("day",))
>>> ensemble = grow_ensemble(table, EnsembleSettings(method=EnsembleMethod.FOREST, n_members=5))
>>> len(ensemble), len(ensemble.members), ensemble[5].member.growth[0].event.value
(6, 5, 'started')
"""

from engine.ensembles.contest import Contest, Run, contest, course
from engine.ensembles.curves import Curve
from engine.ensembles.endings import Ending, EndReason
from engine.ensembles.ensemble import Ensemble, EnsembleEvent, EnsembleStep
from engine.ensembles.following import Say, follow
from engine.ensembles.growing import Progress, grow_ensemble, grow_stepwise
from engine.ensembles.measures import (
    FeatureDraw,
    FeatureSweep,
    across_max_features,
    ensemble_importance,
    margins,
    mean_correlation,
    member_correlation,
    numbers_to_draw,
    sweeping,
)
from engine.ensembles.members import Member
from engine.ensembles.polls import Poll
from engine.ensembles.regions import EnsembleMap, EnsembleRegions, agreement, boundaries, ensemble_regions
from engine.ensembles.settings import EnsembleMethod, EnsembleSettings, FeaturesPer
from engine.ensembles.spread import Resample, Resampling, Spread, resampled, resampling, spread_of

__all__ = [
    "Contest",
    "Curve",
    "EndReason",
    "Ending",
    "Ensemble",
    "EnsembleEvent",
    "EnsembleMap",
    "EnsembleMethod",
    "EnsembleRegions",
    "EnsembleSettings",
    "EnsembleStep",
    "FeatureDraw",
    "FeatureSweep",
    "FeaturesPer",
    "Member",
    "Poll",
    "Progress",
    "Resample",
    "Resampling",
    "Run",
    "Say",
    "Spread",
    "across_max_features",
    "agreement",
    "boundaries",
    "contest",
    "course",
    "ensemble_importance",
    "ensemble_regions",
    "follow",
    "grow_ensemble",
    "grow_stepwise",
    "margins",
    "mean_correlation",
    "member_correlation",
    "numbers_to_draw",
    "resampled",
    "resampling",
    "spread_of",
    "sweeping",
]
