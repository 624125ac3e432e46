"""The Grow page at 390 x 844: nothing scrolls sideways, and the tree begins on the first screen."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.browser

TOO_WIDE = """() => {
  const found = [];
  const look = (root) => root.querySelectorAll('.esp-scroll, .rows, .stage').forEach((box) => {
    if (box.scrollWidth > box.clientWidth + 1) found.push(box.className);
  });
  look(document);
  document.querySelectorAll('*').forEach((one) => one.shadowRoot && look(one.shadowRoot));
  return document.documentElement.scrollWidth > innerWidth ? [...found, 'page'] : found;
}"""


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    context.set_default_timeout(60_000)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize(
    "query", ["step=1", "step=11", "dataset=iris&step=1", "dataset=breast_cancer&step=1", "dataset=nursery&step=2"]
)
def test_nothing_scrolls_sideways(phone: Page, address: str, query: str) -> None:
    phone.goto(f"{address}/?{query}")
    expect(phone.locator(".st-key-evidence")).to_contain_text("Step")
    expect(phone.locator(".st-key-rows tbody tr").first).to_be_attached()
    assert phone.evaluate(TOO_WIDE) == []


def test_what_the_table_leaves_out_stands_below_it(phone: Page, address: str) -> None:
    phone.goto(f"{address}/?step=1")
    table = phone.locator(".st-key-evidence table").first
    expect(table.get_by_text("remainder 0.694 · gain 0.247")).to_be_visible()
    expect(table.locator("th", has_text="remainder")).to_be_hidden()


def test_the_tree_is_on_the_first_screen_and_its_tools_open_on_demand(phone: Page, address: str) -> None:
    phone.goto(f"{address}/?step=2")
    box = phone.locator("[data-node='5'] .node-shape").bounding_box()
    assert box is not None and box["y"] + box["height"] < 844
    chip = phone.locator("[data-chip=counts]")
    expect(chip).to_be_hidden()
    phone.get_by_role("button", name="Show", exact=True).tap()
    expect(chip).to_be_visible()
    chip.tap()
    expect(phone.locator("[data-node='0'] .node-counts")).to_be_hidden()
    phone.wait_for_url("**hide=counts**")


def test_every_button_of_the_stage_is_large_enough_for_a_finger(phone: Page, address: str) -> None:
    phone.goto(f"{address}/?step=2")
    expect(phone.get_by_test_id("narration")).not_to_be_empty()
    sizes = phone.locator(".stage button:visible").evaluate_all(
        "all => all.map((one) => [one.textContent.trim() || one.ariaLabel, one.getBoundingClientRect().height])"
    )
    assert [name for name, height in sizes if height < 43] == []
