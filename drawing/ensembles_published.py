"""The printed tables in words: what is replayed, and why two replays of one table differ."""

from __future__ import annotations

NAMES = {
    "boosting": "Table 8: boosting, the printed draws",
    "boosting_by_weights": "Table 8: boosting, by the weights",
    "gradient": "Table 9: gradient boosting, as printed",
    "gradient_by_stumps": "Table 9: gradient boosting, by stumps",
}
"""By the values of the link."""
WHY = {
    "boosting": (
        "Ten days, three rounds. The trees are grown from the days as they were drawn for the book; errors and "
        "weights are those of all ten days, .0625 for a right day and .25 for a wrong one after the first round."
    ),
    "boosting_by_weights": (
        "Nothing is drawn: the weights of the days take the place of the printed draws, and each stump has the least "
        "weighted error. Cuts may differ from the printed ones where a draw left days out; the answers are the same."
    ),
    "gradient": (
        "M₀ = 1287.1. The printed trees raise groups of days that are an interval of the temperature, and no "
        "single threshold makes an interval. So the temperatures stand here as levels, and each tree takes the "
        "printed group of them."
    ),
    "gradient_by_stumps": (
        "M₀ = 1287.1, and each tree has one threshold of the temperature: 9.5, 30 and 15. The printed groups are "
        "intervals, which need two thresholds; so from the first tree on the residuals differ from the printed ones."
    ),
}
