"""A row without a value goes down every branch in parts: stage, rows, regions and evidence say so."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.test_numbers import node, opened

LINK = "dataset=play_tennis_missing&algorithm=c45&beside=rows"


def test_nodes_count_the_parts_of_rows(page: Page, address: str) -> None:
    errors = opened(page, address, f"{LINK}&step=4")
    expect(node(page, 0)).to_contain_text("9 yes, 5 no")
    parts = page.locator("[data-node]", has_text="1.167 yes")
    expect(parts).to_have_count(1)
    parts.click()
    rows = page.locator(".st-key-rows")
    expect(rows).to_contain_text("1.167 rows, all yes")
    expect(rows.locator("tr", has_text="0.167")).to_have_count(1)  # one sixth of the row without an outlook
    assert not errors


def test_the_evidence_scales_the_gain_by_the_known_share(page: Page, address: str) -> None:
    errors = opened(page, address, f"{LINK}&step=1")
    page.get_by_test_id("why").locator("[data-candidate='outlook']").click()
    evidence = page.locator(".st-key-evidence")
    # Quinlan 1993, section 3.3: 13/14 of the gain of the 13 known rows; the unknown as one more subset.
    expect(evidence).to_contain_text("0.199")
    expect(evidence).to_contain_text("1.809")
    expect(evidence).to_contain_text("0.110")
    expect(evidence).to_contain_text("unknown")
    assert not errors


def test_the_four_treatments_change_the_tree_beside_each_other(page: Page, address: str) -> None:
    errors = opened(page, address, LINK)
    page.get_by_role("tab", name="Missing values").click()
    page.get_by_role("button", name="Use: leave the row out").click()
    expect(page).to_have_url(re.compile("missing=drop"))
    expect(node(page, 0)).to_contain_text("8 yes, 5 no")  # the row was an overcast day, yes
    assert not errors
