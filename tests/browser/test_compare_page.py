"""Two trees in lock-step in a real browser: one frame, jumps, marks, links, two hundred nodes, a phone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

PRESS = """(key) => {
  const roots = [...document.querySelectorAll('*')].map((one) => one.shadowRoot);
  const stage = roots.find((root) => root?.querySelector('.pair'));
  const shown = () => ['a', 'b'].map((side) => {
    const root = stage.querySelector(`[data-side=${side}]`);
    const states = [...root.querySelectorAll('[data-node]')].map((node) => node.dataset.state + node.dataset.decided);
    return states.join() + root.querySelector('.why-title').textContent;
  });
  const before = shown();
  window.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  return { before, after: shown(), sentence: stage.querySelector('.narration').textContent };
}"""
"""Press a key and read both sides in the same turn of the browser, before anything can be asked or painted."""


def opened(page: Page, address: str, query: str = "") -> None:
    page.goto(f"{address}/compare{query}")
    expect(page.get_by_test_id("narration")).not_to_be_empty()
    expect(page.locator("[data-node][data-state='current']")).to_have_count(2)
    expect(page.locator(".st-key-evidence")).to_contain_text("Step")


def side(page: Page, letter: str) -> Locator:
    return page.get_by_test_id(f"side-{letter}")


def node(page: Page, letter: str, number: int) -> Locator:
    return side(page, letter).locator(f"[data-node='{number}']")


def at(page: Page, step: int) -> None:
    expect(page.get_by_test_id("stepper-position")).to_have_value(str(step))


def followed(page: Page, step: int) -> None:
    expect(page.locator(".st-key-evidence")).to_contain_text(re.compile(rf"Step {step} of \d+"))


def test_one_press_repaints_both_sides_in_the_same_frame(page: Page, address: str) -> None:
    opened(page, address, "?dataset=wine")
    for step in range(1, 5):
        found = page.evaluate(PRESS, "ArrowRight")
        assert found["before"][0] != found["after"][0], step
        assert found["before"][1] != found["after"][1], step
    assert found["sentence"].startswith("A splits on color_intensity < 3.825; B splits on")
    at(page, 4)
    followed(page, 4)


def test_stepping_asks_the_server_nothing(page: Page, address: str) -> None:
    opened(page, address, "?dataset=wine")
    page.context.set_offline(True)
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    at(page, 6)
    expect(page.get_by_test_id("narration")).to_contain_text("B splits on hue")
    page.context.set_offline(False)


def test_back_shows_what_forward_showed(page: Page, address: str) -> None:
    opened(page, address, "?max_depth_b=1")
    forward = [page.evaluate(PRESS, "ArrowRight")["after"] for _ in range(11)]
    at(page, 11)
    for step in range(10, 0, -1):
        assert page.evaluate(PRESS, "ArrowLeft")["after"] == forward[step - 1]


def test_the_first_difference_is_jumped_to_and_marked(page: Page, address: str) -> None:
    opened(page, address, "?max_depth_b=1")
    page.get_by_test_id("first-difference").click()
    at(page, 5)
    expect(page.get_by_test_id("narration")).to_contain_text("The first difference.")
    expect(node(page, "a", 0)).to_have_attribute("data-mark", "equal")
    expect(node(page, "a", 2)).to_have_attribute("data-mark", "different")
    expect(node(page, "b", 2)).to_have_attribute("data-mark", "different")
    expect(node(page, "a", 3)).to_have_attribute("data-mark", "alone")
    expect(node(page, "a", 2)).to_have_attribute("data-state", "current")
    expect(node(page, "b", 2)).to_have_attribute("data-state", "current")
    expect(node(page, "a", 2).locator(".mark")).to_be_visible()
    expect(node(page, "a", 3).locator(".mark")).to_be_hidden()


def test_equal_trees_have_no_difference_to_jump_to(page: Page, address: str) -> None:
    opened(page, address)
    expect(page.get_by_test_id("first-difference")).to_be_disabled()
    expect(page.get_by_test_id("first-difference")).to_have_text("= No difference")
    page.keyboard.press("End")
    at(page, 11)
    expect(page.locator("[data-mark='different'], [data-mark='alone']")).to_have_count(0)


def test_stepping_from_difference_to_difference(page: Page, address: str) -> None:
    opened(page, address, "?max_depth_b=1")
    page.get_by_role("button", name="Difference", exact=True).click()
    page.keyboard.press("ArrowRight")
    at(page, 5)
    page.keyboard.press("ArrowRight")
    at(page, 9)


def test_each_side_shows_the_others_choice_among_its_own(page: Page, address: str) -> None:
    opened(page, address, "?dataset=vegetation&criterion_b=gain_ratio&step=1")
    first, second = (side(page, letter).get_by_test_id("why") for letter in "ab")
    expect(first.locator("[data-chosen='true']")).to_have_attribute("data-candidate", "elevation")
    expect(second.locator("[data-chosen='true']")).to_have_attribute("data-candidate", "slope")
    expect(first.locator("[data-candidate='slope']")).to_contain_text("B's choice")
    expect(second.locator("[data-candidate='elevation']")).to_contain_text("A's choice")


def test_a_node_that_is_selected_is_selected_on_both_sides(page: Page, address: str) -> None:
    opened(page, address, "?step=11")
    node(page, "a", 2).click()
    expect(side(page, "b").locator(".why-path")).to_have_text("outlook is rain")
    expect(page.locator(".st-key-evidence")).to_contain_text("0.971")
    page.keyboard.press("Escape")
    expect(side(page, "b").locator(".why-path")).not_to_have_text("outlook is rain")


def test_a_link_restores_both_sides_and_the_step(page: Page, browser: Browser, address: str) -> None:
    opened(page, address, "?dataset=iris&criterion_b=misclassification&max_depth_b=2&step=3")
    at(page, 3)
    page.keyboard.press("ArrowRight")
    followed(page, 4)
    expect(page).to_have_url(re.compile("step=4"))
    other = browser.new_context().new_page()
    opened(other, address, "?" + page.url.partition("?")[2])
    at(other, 4)
    expect(other.get_by_test_id("narration")).to_have_text(page.get_by_test_id("narration").inner_text())
    other.context.close()


def test_back_in_the_browser_goes_back_a_step(page: Page, address: str) -> None:
    opened(page, address, "?criterion_b=misclassification")
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("step=1"))
    followed(page, 1)
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("step=2"))
    page.go_back()
    at(page, 1)
    expect(page).to_have_url(re.compile("criterion_b=misclassification"))


def test_two_trees_of_two_hundred_nodes_take_every_fast_press(page: Page, address: str) -> None:
    opened(page, address, "?dataset=noisy_steps&rows=600&algorithm_b=id3&criterion_b=gini")
    assert side(page, "a").locator("[data-node]").count() > 200
    assert side(page, "b").locator("[data-node]").count() > 200
    for _ in range(20):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(30)
    at(page, 20)
    followed(page, 20)
    page.keyboard.press("End")
    expect(page.locator("[data-state='hidden'], [data-state='open']")).to_have_count(0)


def test_a_search_shows_progress_and_opens_what_it_finds(page: Page, address: str) -> None:
    opened(page, address, "?criterion_b=misclassification")
    page.get_by_role("tab", name="Find data where they disagree").click()
    page.get_by_role("button", name="Find data where they disagree").click()
    expect(page).to_have_url(re.compile("dataset=small_random"))
    expect(page.get_by_test_id("narration")).to_contain_text("The first difference.")
    page.get_by_role("button", name="Back to the data before the search").click()
    expect(page).to_have_url(re.compile("dataset=play_tennis"))


def test_a_search_is_stopped(page: Page, address: str) -> None:
    opened(page, address, "?criterion_b=entropy")
    page.get_by_role("tab", name="Find data where they disagree").click()
    page.get_by_role("button", name="Find data where they disagree").click()
    expect(page.get_by_text("tables tried")).to_be_visible()
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.get_by_role("button", name="Go on")).to_be_visible()
    said = page.get_by_text("tables tried").inner_text()
    page.wait_for_timeout(1500)
    assert page.get_by_text("tables tried").inner_text() == said


def test_a_hundred_bootstraps_are_counted(page: Page, address: str) -> None:
    opened(page, address)
    page.get_by_role("button", name="Resample 100 times").click()
    expect(page.get_by_text("On 100 resampled tables")).to_be_visible()


def test_the_pages_keep_their_own_steps(page: Page, address: str) -> None:
    opened(page, address, "?max_depth_b=1&step=4")
    page.get_by_role("link", name="Grow").first.click()
    expect(page.locator("[data-node][data-state='current']")).to_have_count(1)
    at(page, 0)
    page.keyboard.press("ArrowRight")
    at(page, 1)
    page.get_by_role("link", name="Compare").first.click()
    expect(page.locator("[data-node][data-state='current']")).to_have_count(2)
    at(page, 4)
    expect(page).to_have_url(re.compile("max_depth_b=1"))


def test_nothing_goes_wrong_in_the_browser_on_the_way(page: Page, address: str) -> None:
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(f"{address}/?dataset=wine")
    expect(page.get_by_test_id("narration")).not_to_be_empty()
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    page.get_by_role("link", name="Compare").first.click()
    expect(side(page, "b")).to_be_visible()
    expect(page.get_by_test_id("narration")).to_contain_text("Both start from")
    for _ in range(8):
        page.keyboard.press("ArrowRight")
    followed(page, 8)
    page.get_by_role("button", name="Turn the trees").click()
    page.get_by_role("button", name="Show one level less").click()
    page.get_by_text("The trees as text").click()
    expect(page.locator(".texts [data-side='a'] li").first).to_contain_text("178 rows")
    assert not wrong


@pytest.mark.parametrize("query", ["?dataset=wine&step=1", "?dataset=titanic&algorithm_b=stump&step=5"])
def test_nothing_is_wider_than_a_phone(page: Page, address: str, query: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    opened(page, address, query)
    expect(side(page, "a").locator(".viewport")).to_be_in_viewport()
    expect(side(page, "b").locator(".viewport")).to_be_in_viewport()
    wide = page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth")
    assert wide <= 390


def test_hostile_names_run_nothing(page: Page, address: str, tmp_path) -> None:
    file = tmp_path / "hostile.csv"
    file.write_text(
        "<b>x</b>,$\\alpha$,:smile:,*y*\n"
        "<script>document.title='run'</script>,1,$x$,<img src=x onerror=document.title='run'>\n"
        "<i>é</i>,2,%{y},yes\n<i>é</i>,3,&lt;,no\n[[a]],4,$x$,no\n"
    )
    page.goto(f"{address}/data")
    page.locator("input[type=file]").first.set_input_files(file)
    expect(page).to_have_url(re.compile("dataset=upload"))
    page.get_by_role("link", name="Compare").first.click()
    expect(page.locator("[data-node][data-state='current']")).to_have_count(2)
    expect(page.get_by_test_id("narration")).to_contain_text("Both start from 4 rows")
    page.keyboard.press("End")
    expect(page.locator(".st-key-evidence")).not_to_contain_text("Step 0 of")
    assert page.title() != "run"
