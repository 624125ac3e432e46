"""Stepping through the simplification of rules in the browser, and the bars of importance."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.browser.test_grow_page import opened


def rules(page: Page, address: str, query: str) -> Locator:
    opened(page, address, query)
    page.get_by_role("tab", name="Rules").click()
    expect(page.get_by_test_id("rules-sentence")).to_contain_text("The tree is")
    return page.get_by_test_id("rules-list")


def test_a_dropped_condition_is_struck_out_with_its_numbers(page: Page, address: str) -> None:
    listed = rules(page, address, "?step=11")
    expect(listed.locator("tbody tr")).to_have_count(5)
    expect(listed.locator("del")).to_have_count(0)
    for _ in range(5):
        page.get_by_test_id("rules-next").click()
    expect(page.get_by_test_id("rules-sentence")).to_contain_text("0.500 → 0.665")
    expect(listed.locator("del")).to_have_text("outlook is sunny")
    expect(page.get_by_test_id("rules-evidence").locator(".chosen")).to_contain_text("0.665 dropped")


def test_keys_step_the_rules_and_not_the_tree_where_the_focus_is_on_them(page: Page, address: str) -> None:
    rules(page, address, "?step=11")
    page.get_by_test_id("rules-next").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_test_id("rules-count")).to_have_text("1 of 7")
    page.keyboard.press("End")
    expect(page.get_by_test_id("rules-count")).to_have_text("7 of 7")
    page.get_by_test_id("rules-position").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_test_id("rules-count")).to_have_text("6 of 7")
    expect(page.get_by_test_id("stepper-position")).to_have_value("11")


def test_at_the_end_the_rules_stand_in_their_order_with_the_default(page: Page, address: str) -> None:
    listed = rules(page, address, "?step=11")
    page.get_by_test_id("rules-last").click()
    expect(listed.locator("tbody tr").nth(1)).to_contain_text("humidity is normal, then")
    expect(listed.locator("tbody tr").last).to_contain_text("Else")
    expect(listed.locator("tbody tr")).to_have_count(6)


def test_the_rules_follow_the_tree(page: Page, address: str) -> None:
    listed = rules(page, address, "?step=11")
    page.get_by_test_id("stepper-first").click()
    expect(listed.locator("tbody tr")).to_have_count(1)
    expect(listed).to_contain_text("Always: play is yes")


def test_importance_is_drawn_as_bars(page: Page, address: str) -> None:
    opened(page, address, "?dataset=iris&holdout=0.3&step=100")
    page.get_by_role("tab", name="Importance").click()
    page.get_by_text("Every feature is tested.").scroll_into_view_if_needed()
    expect(page.locator(".st-key-impurity_plot text", has_text="petal length")).to_be_visible()
    expect(page.locator(".st-key-permutation_plot text", has_text="±")).to_have_count(4)
