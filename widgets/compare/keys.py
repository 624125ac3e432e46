"""Keys of the Compare page's widgets and containers, each used in one place."""

from __future__ import annotations

from enum import StrEnum


class Own(StrEnum):
    """Keys that only this page has."""

    PAIR = "pair"
    MORE = "compare_more"
    CRITERIA_SIDE = "criteria_side"
    CURVES_FEATURE = "curves_feature"
    CURVES_OPENED = "curves_opened"
    CURVES = "scaled_curves"
    HUNT = "hunt"
    HUNT_PLACE = "hunt_place"
    HUNT_BEFORE = "hunt_before"
    BOOTSTRAPS = "bootstraps"
    STABLE = "stable"
    STABLE_SIDE = "stable_side"
