"""A tree as rules, and C4.5's way of making them fewer and shorter.

>>> import engine
>>> table = engine.read_table("datasets/files/play_tennis.csv", target="play", ignore=("day",))
>>> found = simplify(engine.grow(table).tree)
>>> [(len(rule.conditions), rule.answer) for rule in found.initial]
[(1, 'yes'), (2, 'no'), (2, 'yes'), (2, 'no'), (2, 'yes')]
>>> print(list_text(found.result).splitlines()[1])
IF humidity is normal THEN play is yes (7 rows, 6 right, estimated accuracy 0.665)
"""

from engine.rulesets.judging import Deletion, Estimate, SimplificationSettings, Tally
from engine.rulesets.lists import Agreement, RuleList, beside_tree, list_text
from engine.rulesets.rules import Rule, merged, rule_words, tree_rules
from engine.rulesets.simplification import RuleEvent, RuleStep, Simplification, simplify

__all__ = [
    "Agreement",
    "Deletion",
    "Estimate",
    "Rule",
    "RuleEvent",
    "RuleList",
    "RuleStep",
    "Simplification",
    "SimplificationSettings",
    "Tally",
    "beside_tree",
    "list_text",
    "merged",
    "rule_words",
    "simplify",
    "tree_rules",
]
