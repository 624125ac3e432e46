"""Keys of the Ensembles page's widgets and containers, each used in one place."""

from __future__ import annotations

from enum import StrEnum


class Own(StrEnum):
    """Keys that only this page has."""

    STAGE = "ensemble_stage"
    MEMBER_STAGE = "ensemble_member_stage"
    CURVE = "ensemble_curve"
    CURVE_PLOT = "ensemble_curve_plot"
    REGION_PLOT = "ensemble_regions"
    REGIONS_OF = "ensemble_regions_of"
    MARGINS_PLOT = "ensemble_margins"
    IMPORTANCE_PLOT = "ensemble_importance"
    COMPARISON_PLOT = "ensemble_comparison"
    MORE = "ensemble_more"
    PUBLISHED = "ensemble_published"
    METHOD = "ensemble_method"
    MEMBERS = "ensemble_members"
    RATE = "ensemble_rate"
    FEATURES = "ensemble_features"
    FEATURES_PER = "ensemble_features_per"
    RESAMPLE = "ensemble_resample"
    SUBSAMPLE = "ensemble_subsample"
    ALGORITHM = "ensemble_algorithm"
    DEPTH = "ensemble_depth"
    LEAF = "ensemble_leaf"
    HOLDOUT = "ensemble_holdout"
    SEED = "ensemble_seed"
    FOLLOWED = "ensemble_followed"
    COMPARED = "ensemble_compared"
    SPREAD = "ensemble_spread"
    WALL = "ensemble_wall"
