"""Rules: the tree as rules, their simplification step by step, and both on the same rows."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import streamlit as st

from drawing import rulesets, wording
from drawing.rulesets import estimate_name
from engine import Estimate, Growth, Simplification, SimplificationSettings, simplify, tree_rules
from engine.rulesets import Agreement, beside_tree
from widgets import cached
from widgets.cached import Cached
from widgets.escape import plain
from widgets.guard import guarded
from widgets.panels.here import Here
from widgets.panels.html import show_table
from widgets.session import CurrentData
from widgets.state import Key

MAX_RULES = 120
MAX_DIFFERENT = 12
_FOLDER = Path(__file__).parent


@st.cache_resource(max_entries=1, show_spinner=False)
def _component() -> Any:
    return st.components.v2.component(
        "espalier_rules",
        html=(_FOLDER / "rules.html").read_text(encoding="utf-8"),
        css=(_FOLDER / "rules.css").read_text(encoding="utf-8"),
        js=(_FOLDER / "rules.js").read_text(encoding="utf-8"),
    )


def rules(here: Here) -> None:
    """Draw the panel."""
    if here.hidden:
        st.info("Guess first: choose a feature in the stage. Then the rules are shown.")
        return
    tree = here.growth.tree.at(here.step)
    if tree.is_number or tree.n_leaves > MAX_RULES:
        _plainly(here)
        return
    with guarded():
        settings = _settings(here)
        found, story = _simplified(here.data, here.growth, here.step, settings.estimate, settings.confidence)
        _component()(key=Key.RULES, data=story)
        _compare(here, found)


def _plainly(here: Here) -> None:
    """The tree's rules as a table, where they are not simplified."""
    tree = here.growth.tree.at(here.step)
    told = tree_rules(tree)
    if tree.is_number:
        st.caption("Rules for a number answer with a mean. Simplification is for classes.")
    else:
        st.caption(f"{len(told)} rules: up to {MAX_RULES} are simplified. Prune the tree, or limit its depth.")
    last = "mean squared error" if tree.is_number else "right"
    cells = [rulesets.rule_cells(rule, tree) for rule in told[:MAX_RULES]]
    show_table(["rule", "rows", last], cells, numbers=(1, 2), caption="The rules of the tree")
    if len(told) > MAX_RULES:
        st.caption(f"The first {MAX_RULES} of {len(told)} rules; all of them are under Take away.")


def _settings(here: Here) -> SimplificationSettings:
    """How accuracy is estimated."""
    held = cached.parts(here.data)[1]
    options = [e for e in Estimate if e is not Estimate.VALIDATION or (held is not None and held.n_rows)]
    if st.session_state.get(Key.RULES_ESTIMATE, options[0]) not in options:  # the rows set aside are gone
        del st.session_state[Key.RULES_ESTIMATE]
    left, right, _ = st.columns([3, 1, 3])
    estimate = left.selectbox(
        "Accuracy is estimated by",
        options,
        format_func=estimate_name,
        key=Key.RULES_ESTIMATE,
        persist_state="session",
        help="Rows set aside on the Data page can judge the rules too.",
    )
    if estimate is Estimate.VALIDATION:
        return SimplificationSettings(estimate=estimate)
    confidence = right.number_input(
        "Confidence",
        min_value=0.01,
        max_value=0.5,
        value=0.25,
        step=0.05,
        key=Key.RULES_CONFIDENCE,
        persist_state="session",
        help="The smaller, the more pessimistic about rules of few rows. C4.5 takes 0.25.",
    )
    return SimplificationSettings(estimate=estimate, confidence=float(confidence))


def _compare(here: Here, found: Simplification) -> None:
    """Tree and rules beside each other: their size, their errors, and where they differ."""
    how = found.settings
    training, held = _agreements(here.data, here.growth, here.step, how.estimate, how.confidence)
    lines = [["size", *rulesets.size_cells(found)], ["training rows", *rulesets.agreement_cells(training)]]
    if held is not None:
        lines.append(["rows set aside", *rulesets.agreement_cells(held)])
    with st.container(key=Key.RULES_BESIDE, width=720, gap="small"):
        show_table(["", "tree", "rules", "same answer"], lines, caption="The tree and the rules on the same rows")
        if held is not None and how.estimate is Estimate.VALIDATION:
            st.caption("The rows set aside have chosen these rules, so their errors there are too few to trust.")
        _differences(here, found, training, "training rows")


def _differences(here: Here, found: Simplification, agreement: Agreement, which: str) -> None:
    """The rows on which tree and rules do not agree."""
    different = agreement.different[:MAX_DIFFERENT].tolist()
    if not different:
        return
    source = here.growth.source
    target = wording.plain(source.target.name, 24)
    cells = [
        [
            str(int(source.row_numbers[row]) + 1),
            *(wording.plain(a[row], 24) for a in (agreement.truth, agreement.tree_answers, agreement.list_answers)),
            _by(found, int(agreement.fired[row])),
        ]
        for row in different
    ]
    more = len(agreement.different) - len(different)
    st.markdown(plain(f"The {which} on which they differ") + (f" (the first {len(different)})" if more else ""))
    show_table(["row", target, "tree", "rules", "by"], cells, caption="Rows with different answers")


def _by(found: Simplification, place: int) -> str:
    return "the default" if place < 0 else f"rule {found.numbers[place] + 1}"


def simplified(
    data: CurrentData, growth: Growth, step: int, estimate: Estimate, confidence: float
) -> tuple[Simplification, dict[str, str]]:
    """The simplification of the tree at a step, and its story as what travels."""
    settings = SimplificationSettings(estimate=estimate, confidence=confidence)
    found = simplify(growth.tree.at(step), settings, cached.parts(data)[1])
    story = json.dumps(rulesets.rules_story(found), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    key = hashlib.blake2b(story.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    return found, {"key": key, "story": story}


def _beside(
    data: CurrentData, growth: Growth, step: int, estimate: Estimate, confidence: float
) -> tuple[Agreement, Agreement | None]:
    """Tree and rules on the training rows, and on those set aside."""
    found, _ = _simplified(data, growth, step, estimate, confidence)
    held = cached.parts(data)[1]
    if held is None or not held.n_rows:
        return beside_tree(found.result, growth.source), None
    return beside_tree(found.result, growth.source), beside_tree(found.result, held)


_simplified = Cached(simplified, shared=64, own=8)
_agreements = Cached(_beside, shared=64, own=8)
