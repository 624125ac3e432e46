"""The wall of the Ensembles page in a browser: it follows the stage, and a choice moves the stage."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

QUERY = "ensembles?dataset=moons&method=bagging&members=6&step=2"


def opened(page: Page, address: str, query: str = QUERY) -> Page:
    page.goto(f"{address}/{query}")
    expect(page.locator("[data-node][data-state='current']").first).to_be_visible()
    expect(page.locator(".wall .card.current")).to_be_visible()
    return page


def card(page: Page, member: int) -> Locator:
    return page.locator(f".wall .card[data-member='{member}']")


def plus(page: Page, member: int) -> Locator:
    return page.locator(f".wall .plus[data-sum='{member}']")


def headings(page: Page) -> Locator:
    return page.locator("h5")


def test_the_wall_has_every_member_and_a_plus_behind_each(page: Page, address: str) -> None:
    opened(page, address)
    expect(page.locator(".wall [data-member]")).to_have_count(6)
    expect(page.locator(".wall .joins")).to_have_text(["+", "+", "+", "+", "+", "="])
    expect(plus(page, 2).locator(".error")).to_have_text(re.compile(r"^[\d.]+%$"))
    expect(plus(page, 2)).to_have_attribute("aria-pressed", "true")


def test_a_member_that_is_chosen_is_shown_alone(page: Page, address: str) -> None:
    opened(page, address)
    card(page, 4).click()
    expect(page.get_by_test_id("stepper-count")).to_have_text("Step 4 of 6")
    expect(card(page, 4)).to_have_attribute("aria-pressed", "true")
    expect(headings(page).filter(has_text="Member 4 alone")).to_be_visible()
    expect(page.locator(".wall .said")).to_contain_text("member 4 alone")
    expect(page).to_have_url(re.compile("alone=1"))
    expect(page).to_have_url(re.compile("step=4"))


def test_a_plus_that_is_chosen_shows_the_sum_so_far(page: Page, address: str) -> None:
    opened(page, address, f"{QUERY}&alone=1")
    expect(card(page, 2)).to_have_attribute("aria-pressed", "true")
    plus(page, 5).click()
    expect(page.get_by_test_id("stepper-count")).to_have_text("Step 5 of 6")
    expect(headings(page).filter(has_text="Vote of 5 members")).to_be_visible()
    expect(page.locator(".wall .card.pale")).to_have_count(1)


def test_what_is_pointed_at_is_said_and_no_more_than_said(page: Page, address: str) -> None:
    opened(page, address)
    card(page, 6).hover()
    expect(page.locator(".wall .said")).to_contain_text("Member 6 alone")
    expect(page.get_by_test_id("stepper-count")).to_have_text("Step 2 of 6")
    page.mouse.move(5, 5)
    expect(page.locator(".wall .said")).to_contain_text("the vote of the first 2 trees")


def test_the_wall_follows_the_stage_without_being_asked(page: Page, address: str) -> None:
    opened(page, address)
    page.get_by_test_id("stepper-next").click()
    expect(card(page, 3)).to_have_class("card current")
    page.get_by_test_id("stepper-first").click()
    expect(page.locator(".wall .start")).to_have_attribute("aria-pressed", "true")


def test_arrows_walk_along_the_wall_and_the_focus_goes_with_them(page: Page, address: str) -> None:
    opened(page, address)
    card(page, 2).focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_test_id("stepper-count")).to_have_text("Step 3 of 6")
    expect(card(page, 3)).to_be_focused()
    page.keyboard.press("Enter")
    expect(card(page, 3)).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Tab")
    expect(plus(page, 3)).to_be_focused()
    page.keyboard.press("Space")
    expect(plus(page, 3)).to_have_attribute("aria-pressed", "true")
    expect(headings(page).filter(has_text="Vote of 3 members")).to_be_visible()


def test_of_many_members_a_window_is_shown_and_said(page: Page, address: str) -> None:
    opened(page, address, "ensembles?dataset=iris&method=forest&members=500&step=250")
    expect(page.locator(".wall [data-member]")).to_have_count(49)
    expect(page.locator(".wall .range")).to_have_text("Members 226–274 of 500")
    expect(card(page, 250)).to_be_in_viewport()
    page.get_by_test_id("stepper-last").click()
    expect(page.locator(".wall .range")).to_have_text("Members 452–500 of 500")
    expect(card(page, 500)).to_be_in_viewport()


def test_another_method_has_another_wall(page: Page, address: str) -> None:
    opened(page, address)
    page.get_by_label("Method").first.click()
    page.get_by_role("option", name="Gradient boosting").click()
    expect(page.locator(".wall .start")).to_contain_text("F₀")
    expect(card(page, 1)).to_contain_text("× 0.1")
