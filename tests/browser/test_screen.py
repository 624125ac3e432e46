"""What stands on one screen, and what a link brings back to it."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.browser

Box = dict[str, float]


def opened(page: Page, address: str, query: str = "") -> None:
    page.goto(f"{address}/?{query}")
    expect(page.get_by_test_id("narration")).not_to_be_empty()
    expect(page.locator(".st-key-rows tbody tr").first).to_be_attached()


def without_sidebar(page: Page) -> None:
    page.get_by_test_id("stSidebarCollapseButton").locator("button").dispatch_event("click")
    expect(page.get_by_test_id("stExpandSidebarButton")).to_be_visible()
    page.wait_for_timeout(600)


def box_of(page: Page, selector: str) -> Box:
    found = page.locator(selector).first.bounding_box()
    assert found is not None, selector
    return {**found, "right": found["x"] + found["width"], "bottom": found["y"] + found["height"]}


@pytest.mark.parametrize("beside", ["regions", "rows"])
@pytest.mark.parametrize(
    "query", ["step=2", "dataset=iris&step=2", "dataset=breast_cancer&step=2", "dataset=nursery&step=2"]
)
def test_a_projector_shows_stepper_sentence_tree_why_and_a_panel(
    page: Page, address: str, query: str, beside: str
) -> None:
    opened(page, address, f"{query}&beside={beside}")
    without_sidebar(page)
    stepper, sentence = box_of(page, ".transport"), box_of(page, ".narration")
    tree, why = box_of(page, ".viewport"), box_of(page, ".side")
    panel = box_of(page, ".st-key-beside")
    order = [stepper, sentence, tree]
    assert all(one["bottom"] <= other["y"] for one, other in pairwise(order))
    assert tree["right"] < why["x"] + 1
    assert tree["width"] > 0.6 * 1280
    assert tree["height"] > 450
    assert why["bottom"] <= panel["y"]
    assert tree["right"] < panel["x"]
    assert max(tree["bottom"], panel["bottom"]) <= 800
    shown = box_of(page, f".st-key-beside .st-key-{beside}")
    assert shown["height"] > 200
    assert box_of(page, ".st-key-summary")["bottom"] <= 800


def test_regions_and_rows_change_places(page: Page, address: str) -> None:
    opened(page, address, "step=2")
    expect(page.locator(".st-key-beside .st-key-regions")).to_be_visible()
    page.locator(".st-key-swap").get_by_role("button", name="Rows here").click()
    expect(page.locator(".st-key-beside .st-key-rows tbody tr").first).to_be_visible()
    expect(page.locator(".st-key-regions")).to_be_visible()
    expect(page).to_have_url(re.compile("beside=rows"))


def test_a_narrow_window_puts_the_panel_below_the_stage(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 820, "height": 900})
    opened(page, address, "step=2")
    assert box_of(page, ".st-key-beside")["y"] >= box_of(page, ".stage")["bottom"]


def test_how_the_tree_is_looked_at_is_in_the_link(page: Page, browser: Browser, address: str) -> None:
    opened(page, address, "step=4")
    page.get_by_label("Turn the tree").click()
    page.locator("[data-granularity=level]").click()
    page.locator("[data-chip=impurity]").click()
    page.get_by_label("Show one level less").click()
    page.locator(".speed").select_option(label="2×")
    for part in ("orientation=left_right", "granularity=level", "hide=impurity", "levels=1", "speed=2"):
        expect(page).to_have_url(re.compile(part))
    other = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    opened(other, address, page.url.partition("?")[2])
    expect(other.locator(".viewport > svg")).to_have_class(re.compile(r"\bLR\b"))
    expect(other.locator("[data-granularity=level]")).to_have_attribute("aria-pressed", "true")
    expect(other.locator("[data-node='0'] .node-impurity")).to_be_hidden()
    expect(other.locator(".depth-shown")).to_have_text("1 level")
    expect(other.locator(".speed")).to_have_value("600")
    other.keyboard.press("ArrowRight")
    expect(other.get_by_test_id("stepper-position")).to_have_value("9")
    other.context.close()


def test_guesses_and_their_score_are_in_the_link(page: Page, browser: Browser, address: str) -> None:
    opened(page, address, "step=1&guess_first=1")
    page.locator("[data-guess=outlook]").click()
    page.keyboard.press("End")
    page.locator("[data-guess=humidity]").click()
    expect(page.locator(".verdict")).to_contain_text("1 of 2 right")
    expect(page).to_have_url(re.compile("guesses="))
    expect(page).to_have_url(re.compile("step=4"))
    other = browser.new_context().new_page()
    opened(other, address, page.url.partition("?")[2])
    expect(other.locator(".verdict")).to_contain_text("1 of 2 right")
    other.keyboard.press("End")
    expect(other.get_by_test_id("stepper-position")).to_have_value("8")
    other.context.close()


def test_guesses_are_still_there_after_another_page(page: Page, address: str) -> None:
    opened(page, address, "step=1&guess_first=1")
    page.locator("[data-guess=outlook]").click()
    expect(page).to_have_url(re.compile("guesses="))
    page.get_by_role("link", name="Data").first.click()
    expect(page.locator(".st-key-dataset").first).to_be_visible()
    page.get_by_role("link", name="Grow").first.click()
    expect(page.locator(".verdict")).to_contain_text("1 of 1 right")


def test_own_groups_of_levels_grow_another_tree(page: Page, address: str) -> None:
    opened(page, address, "step=2")
    page.get_by_text("two groups of levels").last.click()
    page.get_by_role("button", name="overcast", exact=True).click()
    expect(page.get_by_text("Second group: rain")).to_be_visible()
    page.get_by_role("button", name="Take this split").click()
    expect(page.locator("[data-edge='1'] .edge-label")).to_have_text("overcast or sunny")
    expect(page.get_by_test_id("narration")).to_contain_text("chosen by you")
    expect(page).to_have_url(re.compile("choices="))
