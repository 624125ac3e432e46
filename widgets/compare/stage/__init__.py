"""The stage of two trees."""

from widgets.compare.stage.pair import PairState, PairStory, pack_pair, pair_stage

__all__ = ["PairState", "PairStory", "pack_pair", "pair_stage"]
