"""The Ensembles page in a browser: members by keys, a member opened and left, links, hostile names, a phone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.test_phone import TOO_WIDE

HOSTILE = (
    "<b>x</b>,$\\alpha$,:smile:,*y*\n"
    "1,2,$x$,<img src=x onerror=document.title='run'>\n"
    "<script>document.title='run'</script>,3,**b**,no\n"
    "3,4,[l](http://x),no\n"
    "4,1,$x$,<img src=x onerror=document.title='run'>\n"
)


def opened(page: Page, address: str, query: str = "") -> None:
    page.goto(f"{address}/ensembles{query}")
    expect(page.locator("[data-node][data-state='current']")).to_be_attached()


def narration(page: Page) -> Locator:
    return page.get_by_test_id("narration")


def evidence(page: Page) -> Locator:
    return page.locator(".st-key-evidence")


def go_into(page: Page, press: str, member: str) -> None:
    """Press a button that opens a member; of the view before nothing is left."""
    page.get_by_role("button", name=press).click()
    expect(page.get_by_text(member)).to_be_visible()
    expect(evidence(page)).to_have_count(1)
    expect(evidence(page)).to_contain_text("Evidence · Step 0 of")
    expect(page.get_by_test_id("stepper-position")).to_have_value("0")
    expect(page.locator("[data-node][data-state='current']")).to_be_attached()


def go_back(page: Page, step: str) -> None:
    page.get_by_role("button", name="Back to the ensemble").click()
    expect(page.get_by_role("button", name="Open this member")).to_be_visible()
    expect(evidence(page)).to_have_count(1)
    expect(evidence(page)).to_contain_text(step)
    expect(page.locator("[data-node][data-state='current']")).to_be_attached()


def test_keys_add_members_and_take_them_away(page: Page, address: str) -> None:
    opened(page, address, "?dataset=play_tennis&members=4")
    expect(narration(page)).to_contain_text("Each tree is grown from 14 of them, drawn with replacement")
    page.keyboard.press("ArrowRight")
    expect(narration(page)).to_contain_text("Member 1:")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(narration(page)).to_contain_text("The 3 together: training error")
    page.keyboard.press("ArrowLeft")
    expect(narration(page)).to_contain_text("The 2 together: training error")
    expect(evidence(page)).to_contain_text("Step 2 of 4")
    page.keyboard.press("End")
    expect(evidence(page)).to_contain_text("Step 4 of 4")
    expect(page).to_have_url(re.compile("step=4"))
    page.keyboard.press("Home")
    expect(evidence(page)).to_contain_text("Step 0 of 4")


def test_each_step_shows_the_tree_of_its_member_alone(page: Page, address: str) -> None:
    opened(page, address, "?dataset=iris&method=adaboost&members=3&step=1")
    first = page.locator("[data-node][data-state='current']").get_attribute("data-node")
    page.keyboard.press("ArrowRight")
    expect(narration(page)).to_contain_text("Member 2:")
    expect(page.locator(f"[data-node='{first}']")).to_have_attribute("data-state", "hidden")
    expect(page.locator("[data-node][data-state='current']")).to_have_count(1)


def test_a_member_is_opened_stepped_inside_and_left_where_one_was(page: Page, address: str) -> None:
    opened(page, address, "?dataset=play_tennis&members=4&step=2")
    expect(evidence(page)).to_contain_text("Step 2 of 4")
    go_into(page, "Open this member", "Bagging, member 2 of 4")
    expect(narration(page)).to_contain_text("Which question first?")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(evidence(page)).to_contain_text("Evidence · Step 2 of")
    expect(page).to_have_url(re.compile("member=1"))
    go_into(page, "Next member", "Bagging, member 3 of 4")
    go_back(page, "Step 2 of 4")
    expect(page).not_to_have_url(re.compile("member="))
    page.keyboard.press("ArrowRight")
    expect(evidence(page)).to_contain_text("Step 3 of 4")


def test_weighted_members_of_the_same_rows_open_as_trees_of_their_own(page: Page, address: str) -> None:
    opened(page, address, "?dataset=iris&method=adaboost&members=3&member=0")
    page.keyboard.press("ArrowRight")
    expect(evidence(page)).to_contain_text("petal length (cm) < 2.45 gains 0.333")
    go_into(page, "Next member", "AdaBoost, member 2 of 3")
    page.keyboard.press("ArrowRight")
    expect(evidence(page)).to_contain_text("petal length (cm) < 4.75 gains 0.286")


def test_the_lottery_shows_what_was_drawn_and_greys_what_was_not(page: Page, address: str) -> None:
    opened(page, address, "?dataset=wine&method=forest&members=3&member=2")
    lottery = page.locator(".st-key-lottery")
    expect(lottery).to_contain_text("The features are drawn when the node is scored.")
    page.keyboard.press("ArrowRight")
    expect(lottery).to_contain_text("3 of 13 features were drawn at this node")
    expect(lottery.locator("tbody tr")).to_have_count(13)
    expect(lottery.locator("tr.esp-quiet")).to_have_count(10)
    expect(lottery.locator("tr.esp-quiet").first).to_contain_text("not drawn")
    expect(page.get_by_test_id("why").locator("[data-candidate]")).to_have_count(3)


def test_the_link_restores_the_step(page: Page, address: str) -> None:
    opened(page, address, "?dataset=iris&method=gradient_boosting&members=3&learning_rate=0.5")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("step=2"))
    link = page.url
    said = narration(page).inner_text()
    page.goto("about:blank")
    page.goto(link)
    expect(narration(page)).to_have_text(said)
    expect(page.get_by_test_id("stepper-position")).to_have_value("2")


def test_a_hostile_table_grows_an_ensemble_and_runs_nothing(page: Page, address: str, tmp_path: Path) -> None:
    file = tmp_path / "hostile.csv"
    file.write_text(HOSTILE, encoding="utf-8")
    page.goto(f"{address}/data")
    page.locator("input[type=file]").first.set_input_files(file)
    expect(page).to_have_url(re.compile("dataset=upload"))
    page.get_by_role("link", name="Ensembles").first.click()
    expect(page.locator("[data-node][data-state='current']")).to_be_attached()
    page.keyboard.press("End")
    expect(evidence(page)).to_contain_text("Step 10 of 10")
    for tab in ("Variance", "Importance"):
        page.get_by_role("tab", name=tab, exact=True).click()
        expect(page.get_by_role("tab", name=tab, exact=True)).to_have_attribute("aria-selected", "true")
    expect(page.get_by_text("Correlation of the members")).to_be_visible()
    go_into(page, "Open this member", "Bagging, member 10 of 10")
    assert page.title() != "run"


def test_nothing_goes_wrong_in_the_browser_on_the_way(page: Page, address: str) -> None:
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(f"{address}/?dataset=play_tennis")
    expect(page.get_by_test_id("narration")).not_to_be_empty()
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    page.get_by_role("link", name="Ensembles").first.click()
    expect(narration(page)).to_contain_text("drawn with replacement")
    expect(page.locator("[data-node][data-state='current']")).to_be_attached()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    expect(evidence(page)).to_contain_text("Step 4 of 10")
    for tab in ("Variance", "Importance", "Margins"):
        page.get_by_role("tab", name=tab, exact=True).click()
        expect(page.get_by_role("tab", name=tab, exact=True)).to_have_attribute("aria-selected", "true")
    go_into(page, "Open this member", "Bagging, member 4 of 10")
    go_back(page, "Step 4 of 10")
    assert not wrong


def ask_for_resamples(page: Page, number: int) -> None:
    page.get_by_role("tab", name="Variance", exact=True).click()
    field = page.get_by_role("spinbutton", name="Resamples")
    field.fill(str(number))
    field.press("Enter")
    page.get_by_role("button", name=f"Draw {number} times and grow").click()


def test_resamples_are_laid_over_one_another(page: Page, address: str) -> None:
    opened(page, address, "?dataset=moons&members=5")
    ask_for_resamples(page, 3)
    expect(page.get_by_text("3 of 3 resamples.")).to_be_visible()
    for chart in ("trees", "ensembles"):
        drawn = page.locator(f".st-key-ensemble_spread_{chart} [data-testid=chart]")
        drawn.scroll_into_view_if_needed()
        expect(drawn).to_have_attribute("data-drawn", "true")


def test_drawing_resamples_can_be_stopped(page: Page, address: str) -> None:
    opened(page, address, "?dataset=diabetes_progression&method=gradient_boosting&members=50&max_depth=9")
    ask_for_resamples(page, 20)
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.get_by_role("button", name="Go on")).to_be_visible()
    expect(page.get_by_text("20 of 20 resamples.")).to_have_count(0)


@pytest.mark.parametrize("query", ["?dataset=iris&step=3", "?dataset=wine&method=forest&step=2", "?member=2"])
def test_nothing_is_wider_than_a_phone(page: Page, address: str, query: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    opened(page, address, query)
    expect(evidence(page)).to_contain_text("Step")
    assert page.evaluate(TOO_WIDE) == []
    page.get_by_test_id("stepper-next").click()
    expect(evidence(page)).to_contain_text(re.compile("Step [1-4] of"))
