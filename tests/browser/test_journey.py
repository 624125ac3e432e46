"""From opening the page to knowing why outlook comes first; links, keys and pages on the way."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect


def _open(page: Page, address: str, query: str = "") -> None:
    page.goto(f"{address}/{query}")
    expect(page.get_by_test_id("narration")).not_to_be_empty()
    expect(page.locator("[data-node][data-state='current']")).to_have_count(1)
    expect(page.locator(".st-key-evidence")).to_be_visible()


def _at(page: Page, step: int) -> None:
    expect(page.get_by_test_id("stepper-position")).to_have_value(str(step))


def _followed(page: Page, step: int) -> None:
    expect(page.locator(".st-key-evidence")).to_contain_text(re.compile(rf"Step {step} of \d+"))


def _node(page: Page, node: int) -> Locator:
    return page.locator(f"[data-node='{node}']")


def test_the_page_opens_on_play_tennis_ready_to_step(page: Page, address: str) -> None:
    _open(page, address)
    _at(page, 0)
    expect(page.locator("[data-node]")).to_have_count(8)
    expect(_node(page, 0)).to_have_attribute("data-state", "current")
    expect(_node(page, 7)).to_have_attribute("data-state", "hidden")


def test_two_steps_say_why_outlook_comes_first(page: Page, address: str) -> None:
    _open(page, address)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    _at(page, 2)
    expect(page.get_by_test_id("narration")).to_contain_text("outlook")
    chosen = page.get_by_test_id("why").locator("[data-chosen='true']")
    expect(chosen).to_have_attribute("data-candidate", "outlook")
    expect(chosen).to_contain_text("0.247")
    features = page.get_by_test_id("why").locator("[data-candidate]")
    assert [features.nth(i).get_attribute("data-candidate") for i in range(4)] == [
        "outlook",
        "humidity",
        "wind",
        "temperature",
    ]
    _followed(page, 2)


def test_every_step_back_shows_what_the_step_forward_showed(page: Page, address: str) -> None:
    _open(page, address)
    sentences, states = [], []
    for step in range(12):
        _at(page, step)
        sentences.append(page.get_by_test_id("narration").inner_text())
        states.append([_node(page, node).get_attribute("data-state") for node in range(8)])
        page.keyboard.press("ArrowRight")
    _at(page, 11)
    assert len(set(sentences)) == 12
    for step in reversed(range(12)):
        _at(page, step)
        assert page.get_by_test_id("narration").inner_text() == sentences[step]
        assert [_node(page, node).get_attribute("data-state") for node in range(8)] == states[step]
        page.keyboard.press("ArrowLeft")


def test_twelve_fast_presses_are_twelve_steps(page: Page, address: str) -> None:
    _open(page, address, "?dataset=iris")
    for _ in range(12):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(30)
    _at(page, 12)
    _followed(page, 12)
    page.wait_for_timeout(1500)
    _at(page, 12)


def test_home_and_end_lead_to_the_first_and_the_last_step(page: Page, address: str) -> None:
    _open(page, address)
    page.keyboard.press("End")
    _at(page, 11)
    expect(page.locator("[data-state='hidden'], [data-state='open']")).to_have_count(0)
    page.keyboard.press("Home")
    _at(page, 0)


def test_a_link_restores_data_settings_and_step(page: Page, browser: Browser, address: str) -> None:
    _open(page, address, "?dataset=iris&algorithm=cart&max_depth=2&step=3")
    _at(page, 3)
    expect(page.locator("[data-node]")).to_have_count(5)
    page.keyboard.press("ArrowRight")
    _followed(page, 4)
    expect(page).to_have_url(re.compile(r"step=4"))
    other = browser.new_context().new_page()
    _open(other, address, "?" + page.url.partition("?")[2])
    _at(other, 4)
    expect(other.get_by_test_id("narration")).to_have_text(page.get_by_test_id("narration").inner_text())
    other.context.close()


@pytest.mark.parametrize(("given", "taken"), [("999", 11), ("-3", 0), ("soon", 0)])
def test_a_step_that_makes_no_sense_is_clamped_and_the_page_says_so(
    page: Page, address: str, given: str, taken: int
) -> None:
    _open(page, address, f"?step={given}")
    _at(page, taken)
    expect(page.get_by_test_id("stAlert").first).to_contain_text("step")


def test_the_page_asks_nothing_of_other_machines(page: Page, address: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    _open(page, address)
    page.keyboard.press("ArrowRight")
    _followed(page, 1)
    foreign = [url for url in asked if not url.startswith((address, address.replace("http", "ws"), "data:", "blob:"))]
    assert not foreign


def test_nothing_goes_wrong_in_the_browser_on_the_way(page: Page, address: str) -> None:
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    _open(page, address, "?dataset=iris")
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    _followed(page, 5)
    page.get_by_role("link", name="Data").first.click()
    expect(page.locator(".st-key-dataset").first).to_be_visible()
    page.get_by_role("link", name="Grow").first.click()
    expect(page.get_by_test_id("stepper-next")).to_be_visible()
    _at(page, 5)
    assert not wrong


def test_dark_mode_is_dark_and_steps_too(browser: Browser, address: str) -> None:
    context = browser.new_context(color_scheme="dark", viewport={"width": 1280, "height": 800})
    page = context.new_page()
    _open(page, address)
    background = page.locator(".stApp").evaluate("element => getComputedStyle(element).backgroundColor")
    assert background == "rgb(18, 21, 27)"
    page.keyboard.press("ArrowRight")
    _at(page, 1)
    context.close()


def test_the_stage_fits_a_projector_without_scrolling(page: Page, address: str) -> None:
    _open(page, address, "?step=2")
    for part in ("stepper-next", "narration", "why"):
        box = page.get_by_test_id(part).bounding_box()
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 800
        assert box["x"] + box["width"] <= 1280


def test_a_phone_shows_the_stage_without_scrolling_sideways(browser: Browser, address: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    _open(page, address)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.get_by_test_id("stepper-next").click()
    _at(page, 1)
    context.close()
