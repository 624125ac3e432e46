"""Keys of the Prune page's widgets and containers, each used in one place."""

from __future__ import annotations

from enum import StrEnum


class Own(StrEnum):
    """Keys that only this page has."""

    STAGE = "prune_stage"
    SCENE = "prune_scene"
    CURVE = "curve"
    CURVE_PLOT = "prune_curve"
    REGION_PLOT = "prune_regions"
    MORE = "prune_more"
    METHOD = "prune_method"
    CHOICE = "prune_choice"
    ALPHA = "prune_alpha"
    SUBTREE = "prune_subtree"
    RISK = "prune_risk"
    FOLDS = "prune_folds"
    STANDARD_ERRORS = "prune_standard_errors"
    CONFIDENCE = "prune_confidence"
    BINOMIAL = "prune_binomial"
    SIGNIFICANCE = "prune_significance"
    VALIDATION = "prune_validation"
    TEST = "prune_test"
    SEED = "prune_seed"
    REVEAL = "prune_reveal"
    TREE = "prune_tree"
    TREE_TEXT = "prune_tree_text"
    TREE_FILE = "prune_tree_file"
    COUNTED = "prune_counted"
    ROWS_FILE = "prune_rows_file"
    EARLY_RULE = "prune_early_rule"
    EARLY_VALUE = "prune_early_value"
    NOISE = "prune_noise"
    NOISE_MOST = "prune_noise_most"
    NOISE_SEEDS = "prune_noise_seeds"
    NOISE_PLOT = "prune_noise_plot"
    EXPLAINED = "prune_explained"
