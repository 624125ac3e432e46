"""Noise dampening in a browser: it runs to its end and is told in words."""

from __future__ import annotations

from playwright.sync_api import Page, expect


def test_labels_are_flipped_with_progress_to_the_end(page: Page, address: str) -> None:
    page.goto(f"{address}/prune?dataset=play_tennis_noisy&method=pessimistic")
    page.get_by_role("tab", name="Noise dampening").click()
    page.get_by_role("button", name="Flip labels and compare").click()
    expect(page.get_by_text("25 of 25 runs.")).to_be_visible()
    expect(page.get_by_text("Mean test error.").first).to_be_visible()
