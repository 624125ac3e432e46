"""The Prune page in a browser: stepping takes branches away, and a click on the curve is a step."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect


def opened(page: Page, address: str, query: str) -> Page:
    page.goto(f"{address}/prune?{query}")
    expect(page.get_by_test_id("narration")).not_to_be_empty()
    return page


def test_stepping_cuts_the_published_tree_as_printed(page: Page, address: str) -> None:
    opened(page, address, "dataset=postoperative_validation")
    expect(page.locator("[data-node='1']")).to_have_attribute("data-state", "split")
    page.get_by_test_id("stepper-next").click()
    expect(page.get_by_test_id("narration")).to_contain_text("2 errors as a subtree, 0 as a leaf: cut")
    cut = page.locator("[data-node='1']")
    expect(cut).to_have_attribute("data-state", "current")
    expect(cut).to_have_attribute("data-kind", "leaf")
    expect(page.locator("[data-node='2']")).to_have_attribute("data-state", "hidden")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_test_id("narration")).to_contain_text("0 errors as a subtree, 2 as a leaf: kept")
    expect(cut).to_have_attribute("data-state", "leaf")
    page.keyboard.press("Home")
    expect(page.locator("[data-node='2']")).to_have_attribute("data-state", "leaf")
    expect(cut).to_have_attribute("data-kind", "split")


def test_both_sides_of_the_inequality_stand_beside_the_tree(page: Page, address: str) -> None:
    opened(page, address, "dataset=postoperative_validation&step=1")
    bars = page.get_by_test_id("why").locator("[data-candidate]")
    expect(bars).to_have_count(2)
    expect(page.locator("[data-candidate='as a leaf']")).to_have_attribute("data-chosen", "true")
    expect(page.locator("[data-candidate='as a subtree']")).to_have_attribute("data-chosen", "false")


def test_the_panels_and_the_link_follow_the_step(page: Page, address: str) -> None:
    opened(page, address, "dataset=congress_votes")
    page.get_by_test_id("stepper-last").click()
    expect(page.locator(".st-key-evidence")).to_contain_text("Step 24 of 24")
    expect(page).to_have_url(re.compile(r"step=24"))


def test_a_click_on_the_curve_is_a_step(page: Page, address: str) -> None:
    opened(page, address, "dataset=postoperative_validation")
    chart = page.locator(".st-key-curve [data-testid=chart]")
    expect(chart).to_have_attribute("data-drawn", "true")
    point = chart.locator(".scatterlayer .trace").first.locator(".point").nth(1)
    box = point.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.get_by_test_id("stepper-count")).to_have_text("Step 1 of 3")
    expect(page.locator("[data-node='2']")).to_have_attribute("data-state", "hidden")


def test_in_detail_a_cut_is_seen_once_both_sides_are_worked_out(page: Page, address: str) -> None:
    opened(page, address, "dataset=postoperative_validation&granularity=detail")
    expect(page.locator("[data-node][data-state='current']")).to_have_count(1)
    told, cut = page.get_by_test_id("narration"), page.locator("[data-node='1']")
    page.keyboard.press("ArrowRight")
    expect(told).to_contain_text("as a subtree, leaf by leaf: 0 + 2 = 2 errors")
    expect(cut).to_have_attribute("data-kind", "split")
    expect(page.locator("[data-candidate='as a leaf'] .bar-value")).to_have_text("–")
    page.keyboard.press("ArrowRight")
    expect(told).to_have_text("As a leaf that answers icu: 0 errors.")
    expect(cut).to_have_attribute("data-kind", "split")
    page.keyboard.press("ArrowRight")
    expect(told).to_contain_text("2 errors as a subtree, 0 as a leaf: cut")
    expect(cut).to_have_attribute("data-kind", "leaf")
    expect(page.get_by_test_id("stepper-count")).to_have_text("Step 1 of 3")


def test_a_press_goes_from_cut_to_cut_and_the_link_keeps_it(page: Page, address: str) -> None:
    opened(page, address, "dataset=congress_votes&method=cost_complexity")
    page.get_by_role("button", name="Cut", exact=True).click()
    expect(page).to_have_url(re.compile("granularity=node"))
    page.get_by_test_id("stepper-next").click()
    first = page.get_by_test_id("stepper-position").input_value()
    expect(page).to_have_url(re.compile(rf"step={first}\b"))
    expect(page.get_by_role("button", name="Level", exact=True)).to_have_count(0)
    page.reload()
    expect(page.locator("[data-node][data-state='current']")).to_have_count(1)
    expect(page.get_by_test_id("stepper-position")).to_have_value(first)
    expect(page.get_by_role("button", name="Cut", exact=True)).to_have_attribute("aria-pressed", "true")


def test_a_click_on_a_region_selects_its_leaf(page: Page, address: str) -> None:
    opened(page, address, "dataset=iris&step=1")
    chart = page.locator(".st-key-regions [data-testid=chart]")
    chart.scroll_into_view_if_needed()
    expect(chart).to_have_attribute("data-drawn", "true")
    box = chart.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 0.25 * box["width"], box["y"] + 0.3 * box["height"])
    expect(page.locator(".why-path")).to_have_text("petal length (cm) < 2.6")
    expect(page.locator(".st-key-evidence")).to_contain_text("A leaf of the full tree")
