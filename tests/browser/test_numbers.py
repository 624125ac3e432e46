"""A tree for a number as a browser shows it: stage, panels and the number line."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

import datasets
from engine import GrowthSettings, grow


def opened(page: Page, address: str, query: str) -> list[str]:
    """Open the Grow page; the errors of the page are gathered in what is returned."""
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"{address}/?{query}")
    expect(page.get_by_test_id("narration")).not_to_be_empty()
    expect(page.locator(".st-key-rows tbody tr").first).to_be_visible()
    return errors


def node(page: Page, number: int) -> Locator:
    return page.locator(f"[data-node='{number}']")


def sentence(page: Page) -> Locator:
    return page.get_by_test_id("numberline-sentence")


def number_line(page: Page) -> None:
    page.get_by_role("tab", name="Number line").click()
    expect(sentence(page)).not_to_be_empty()
    page.get_by_test_id("numberline-picture").scroll_into_view_if_needed()


def test_the_stage_tells_means_and_variances(page: Page, address: str) -> None:
    errors = opened(page, address, "dataset=bike_rentals")
    expect(page.get_by_test_id("narration")).to_have_text(
        "12 rows: rentals from 800 to 6,200, mean 3,156⅓. Which question first?"
    )
    page.keyboard.press("ArrowRight")
    expect(page.get_by_test_id("narration")).to_contain_text("1,379,331⅓ instead of 3,569,590")
    expect(page.get_by_test_id("why")).to_contain_text("2,190,259")
    expect(page.locator(".st-key-evidence")).to_contain_text("2,551,813⅓")
    page.keyboard.press("End")
    expect(node(page, 2)).to_contain_text("2,895")
    expect(node(page, 2)).to_contain_text("2 rows: 10, 11")
    expect(node(page, 2)).to_have_class(re.compile(r"\bs6\b"))
    tint = node(page, 2).locator(".node-shape").evaluate("shape => getComputedStyle(shape).fill")
    assert tint not in ("none", "rgb(0, 0, 0)", "rgb(255, 255, 255)")
    assert not errors


def test_every_threshold_is_told_in_the_targets_own_digits(page: Page, address: str) -> None:
    errors = opened(page, address, "dataset=bike_demand_count&granularity=detail")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(page.get_by_test_id("narration")).to_contain_text("reduction 119,730⅓")
    assert not errors


def test_guessing_first_works_for_a_number(page: Page, address: str) -> None:
    opened(page, address, "dataset=bike_rentals&guess_first=1&step=1")
    expect(page.locator(".st-key-evidence")).to_contain_text("Guess first")
    expect(node(page, 0).locator(".node-counts")).to_be_hidden()
    page.locator("[data-guess='work_day']").click()
    expect(page.locator(".verdict")).to_contain_text("1,172,482 less than season")


def test_the_staircase_follows_the_steps(page: Page, address: str) -> None:
    opened(page, address, "dataset=bike_demand_count&step=2")
    chart = page.locator(".st-key-regions .espalier-chart")
    expect(chart.locator(".annotation-text").first).to_be_visible()
    expect(chart).to_contain_text("1,515.1")
    page.keyboard.press("End")
    expect(chart).not_to_contain_text("1,515.1")


def test_the_best_cuts_of_the_number_line_are_the_trees(page: Page, address: str) -> None:
    growth = grow(datasets.load("bike_demand_count"), GrowthSettings.id3())
    best = growth.best_candidates(0)[0]
    assert best.split.threshold == 9.5
    errors = opened(page, address, "dataset=bike_demand_count&step=1")
    number_line(page)
    page.get_by_role("button", name="Clear").click()
    expect(sentence(page)).to_contain_text("All rows in one part: variance 404,432.1.")
    expect(sentence(page)).to_contain_text("temp < 9.5: it would leave 284,702.")
    page.get_by_role("button", name="Place the best cut").click()
    expect(sentence(page)).to_contain_text("2 parts leave a weighted variance of 284,702 instead of 404,432.1.")
    expect(page.get_by_test_id("numberline-parts").locator("tbody tr")).to_have_count(2)
    expect(page.get_by_test_id("numberline-parts")).to_contain_text("24,199")
    assert not errors


def test_cuts_are_moved_by_keys_and_pointer_and_leave_the_step_alone(page: Page, address: str) -> None:
    opened(page, address, "dataset=bike_demand_count&step=1")
    number_line(page)
    cut = page.locator("[data-cut]")
    cut.first.focus()
    page.keyboard.press("Home")
    expect(cut.first).to_have_attribute("aria-valuenow", "4.5")
    page.keyboard.press("ArrowRight")
    expect(cut.first).to_have_attribute("aria-valuenow", "6")
    expect(page.get_by_test_id("stepper-position")).to_have_value("1")
    box = cut.first.locator(".grip").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 7, box["y"] + 7)
    page.mouse.down()
    page.mouse.move(box["x"] + 300, box["y"] + 20, steps=5)
    page.mouse.up()
    expect(cut.first).not_to_have_attribute("aria-valuenow", "6")
    page.keyboard.press("Delete")
    expect(cut).to_have_count(0)


def test_a_number_line_of_classes_counts_them(page: Page, address: str) -> None:
    opened(page, address, "dataset=iris&step=2")
    number_line(page)
    page.get_by_role("button", name="Clear").click()
    page.get_by_role("button", name="Place the best cut").click()
    expect(sentence(page)).to_contain_text("weighted entropy of 0.667 instead of 1.585")
    expect(page.get_by_test_id("numberline-parts")).to_contain_text("50 setosa")
