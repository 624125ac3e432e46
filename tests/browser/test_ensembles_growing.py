"""A large ensemble in a browser: it grows before one's eyes, can be stopped, and stands with what it has."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect


def test_a_large_ensemble_can_be_stopped_and_stands_with_what_it_has(page: Page, address: str) -> None:
    page.goto(f"{address}/ensembles?dataset=nursery&method=bagging&members=150")
    expect(page.get_by_text(re.compile(r"\d+ of 150 members"))).to_be_visible()
    page.get_by_role("button", name="Stop here").click()
    expect(page.locator("[data-node][data-state='current']")).to_be_attached()
    expect(page.get_by_role("button", name="Go on")).to_be_visible()
    expect(page.get_by_test_id("stepper-count")).to_have_text(re.compile(r"Step 0 of \d+"))
    expect(page.get_by_test_id("stepper-count")).not_to_have_text("Step 0 of 150")


def test_other_settings_end_the_growth_of_a_large_ensemble(page: Page, address: str) -> None:
    page.goto(f"{address}/ensembles?dataset=nursery&method=bagging&members=140")
    expect(page.get_by_role("button", name="Stop here")).to_be_visible()
    members = page.get_by_label("Members", exact=True)
    members.fill("2")
    members.press("Enter")
    expect(page.get_by_test_id("stepper-count")).to_have_text("Step 0 of 2")
    expect(page.get_by_role("button", name="Stop here")).to_have_count(0)
