"""The Grow page by keyboard alone, and what a screen reader is told."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser


def opened(page: Page, address: str, query: str = "") -> None:
    page.goto(f"{address}/?{query}")
    expect(page.get_by_test_id("narration")).not_to_be_empty()
    expect(page.locator(".st-key-rows tbody tr").first).to_be_attached()


def test_tab_reaches_the_tree_once_and_the_arrows_every_node(page: Page, address: str) -> None:
    opened(page, address, "step=11")
    stops = page.locator("[data-node][tabindex='0']")
    expect(stops).to_have_count(1)
    expect(stops).to_have_attribute("data-node", "7")
    stops.focus()
    for node in (6, 5, 4, 3, 2, 1, 0, 0):
        page.keyboard.press("ArrowUp")
        expect(page.locator("[data-node]:focus")).to_have_attribute("data-node", str(node))
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("[data-node='1'].lit")).to_have_count(1)
    expect(page.locator(".st-key-rows")).to_contain_text("outlook is overcast: 4 rows")
    expect(page.get_by_test_id("stepper-position")).to_have_value("11")


def test_the_sideways_arrows_step_with_the_focus_on_a_node(page: Page, address: str) -> None:
    opened(page, address, "step=4")
    page.locator("[data-node='0']").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_test_id("stepper-position")).to_have_value("5")
    expect(page.locator("[data-node='0']")).to_be_focused()


def test_tab_reaches_the_rows_once_and_the_arrows_every_row(page: Page, address: str) -> None:
    opened(page, address, "step=4&beside=rows")
    rows = page.locator(".st-key-rows tbody tr")
    expect(page.locator(".st-key-rows tbody tr[tabindex='0']")).to_have_count(1)
    rows.nth(3).focus()
    page.keyboard.press("ArrowDown")
    expect(rows.nth(4)).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(rows.nth(2)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".st-key-rows")).to_contain_text("outlook is overcast")


def test_a_bar_says_its_whole_line(page: Page, address: str) -> None:
    opened(page, address, "step=1")
    bars = page.get_by_test_id("why").get_by_role("button")
    expect(bars.nth(0)).to_have_accessible_name("chosen: outlook · 0.247 · outlook gains 0.247, the most there is.")
    expect(bars.nth(1)).to_have_accessible_name("humidity · 0.152 · humidity gains 0.152, 0.095 less than outlook.")
    expect(page.locator(".why-measure")).to_have_text("information gain")


def test_a_node_says_its_path_rows_and_what_became_of_it(page: Page, address: str) -> None:
    opened(page, address, "step=3")
    expect(page.locator("[data-node='1']")).to_have_accessible_name(
        "outlook is overcast. 4 rows · all yes · entropy 0.000. A leaf: no more to ask."
    )
    expect(page.locator("[data-node='1']")).to_have_attribute("aria-current", "step")
    expect(page.locator("[data-node='2']")).to_have_accessible_name(
        "outlook is rain. 5 rows · 3 yes, 2 no · entropy 0.971. Not decided yet"
    )


def test_the_sentence_is_told_at_each_step(page: Page, address: str) -> None:
    opened(page, address)
    expect(page.get_by_role("status").first).to_have_attribute("aria-live", "polite")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("status").first).to_contain_text("outlook gains most: 0.247")


def test_everything_that_can_be_pressed_has_a_name(page: Page, address: str) -> None:
    opened(page, address, "step=2")
    unnamed = page.evaluate(
        """() => {
          const all = [];
          const look = (root) => root.querySelectorAll('*').forEach((one) => {
            if (one.matches('button, [role=button], input, select, summary') && one.checkVisibility()) all.push(one);
            if (one.shadowRoot) look(one.shadowRoot);
          });
          look(document);
          const named = (one) => one.ariaLabel || one.title || one.textContent.trim() || one.labels?.length
            || one.getAttribute('aria-labelledby') || one.type === 'hidden';
          return all.filter((one) => !named(one)).map((one) => one.outerHTML.slice(0, 120));
        }"""
    )
    assert unnamed == []


def test_opening_a_bar_brings_its_table_into_view(page: Page, address: str) -> None:
    opened(page, address, "step=1")
    page.locator("[data-candidate=wind]").click()
    expect(page.locator(".st-key-evidence table").first).to_be_in_viewport()
    expect(page.locator(".st-key-evidence")).to_contain_text("0.199 less than outlook")
