"""What follows the stage on the Grow page: panels, selections, settings, predictions, hostile names."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

HOSTILE = (
    "<b>x</b>,=cmd(),$\\alpha$,:smile:,target*name*\n"
    "<script>document.title='run'</script>,1,$x$,:red[hi],<img src=x onerror=document.title='run'>\n"
    "<i>é</i>,2,%{y},**b**,yes\n"
    "<i>é</i>,3,&lt;,[l](http://x),no\n"
    "[[a]],4,$x$,:red[hi],no\n"
)


def opened(page: Page, address: str, query: str = "") -> None:
    page.goto(f"{address}/{query}")
    expect(page.get_by_test_id("narration")).not_to_be_empty()
    expect(page.locator(".st-key-rows tbody tr").first).to_be_visible()


def evidence(page: Page) -> Locator:
    return page.locator(".st-key-evidence")


def lit_rows(page: Page) -> Locator:
    return page.locator(".st-key-rows tbody tr[data-lit='true']")


def test_the_panels_follow_the_steps(page: Page, address: str) -> None:
    opened(page, address)
    page.keyboard.press("ArrowRight")
    expect(evidence(page)).to_contain_text("Step 1 of 11")
    expect(evidence(page)).to_contain_text("0.247")
    expect(lit_rows(page)).to_have_count(14)
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(evidence(page)).to_contain_text("Step 4 of 11")
    expect(lit_rows(page)).to_have_count(5)
    expect(page).to_have_url(re.compile("step=4"))


def test_a_bar_that_is_opened_shows_its_table_and_why_it_lost(page: Page, address: str) -> None:
    opened(page, address, "?step=1")
    page.locator("[data-testid='why'] [data-candidate='wind']").click()
    expect(evidence(page)).to_contain_text("weak")
    expect(evidence(page)).to_contain_text("0.199 less than outlook")


def test_a_click_on_a_row_selects_its_node_everywhere(page: Page, address: str) -> None:
    opened(page, address, "?step=2")
    page.locator(".st-key-rows tbody tr").nth(2).click()
    expect(page.locator(".st-key-rows")).to_contain_text("outlook is overcast")
    expect(lit_rows(page)).to_have_count(4)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(lit_rows(page)).to_have_count(5)


def test_other_settings_grow_another_tree_and_stepping_goes_on(page: Page, address: str) -> None:
    opened(page, address, "?dataset=iris&step=2")
    expect(evidence(page)).to_contain_text("0.918")
    page.get_by_text("CART", exact=True).click()
    expect(page).to_have_url(re.compile("algorithm=cart"))
    expect(evidence(page)).to_contain_text("0.333")
    page.get_by_test_id("stepper-next").click()
    expect(evidence(page)).to_contain_text("Step 3 of")


def test_a_prediction_lights_its_path(page: Page, address: str) -> None:
    opened(page, address, "?step=11")
    page.get_by_role("tab", name="Predict").click()
    expect(page.get_by_text("play is", exact=False).last).to_be_visible()
    expect(page.locator("[data-node='0'].walked")).to_have_count(1)
    expect(page.locator("[data-node].walked")).to_have_count(3)


def test_pages_keep_the_state_and_the_link(page: Page, address: str) -> None:
    opened(page, address, "?dataset=iris&max_depth=2&step=3")
    page.get_by_role("link", name="Data").first.click()
    expect(page).to_have_url(re.compile(r"/data\?.*dataset=iris"))
    page.get_by_role("link", name="Grow").first.click()
    expect(evidence(page)).to_contain_text("Step 3 of")
    expect(page.get_by_test_id("stepper-position")).to_have_value("3")
    expect(page).to_have_url(re.compile("max_depth=2"))


def test_an_upload_with_hostile_names_grows_and_runs_nothing(page: Page, address: str, tmp_path: Path) -> None:
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    file = tmp_path / "hostile.csv"
    file.write_text(HOSTILE, encoding="utf-8")
    page.goto(f"{address}/data")
    page.locator("input[type=file]").first.set_input_files(file)
    expect(page).to_have_url(re.compile("dataset=upload"))
    page.get_by_role("link", name="Grow").first.click()
    expect(page.get_by_test_id("stepper-next")).to_be_visible()
    expect(page.get_by_test_id("narration")).not_to_be_empty()
    expect(evidence(page)).to_contain_text("Step 0 of")
    page.keyboard.press("End")
    expect(evidence(page)).not_to_contain_text("Step 0 of")
    expect(page.locator(".st-key-rows")).to_contain_text("<script>document.title='run'</script>")
    assert page.title() != "run"
    assert not dialogs


def test_everything_can_be_taken_away(page: Page, address: str) -> None:
    opened(page, address, "?step=1")
    page.get_by_role("tab", name="Take away").click()
    beginnings = {
        "SVG": b"<svg",
        "PNG": b"\x89PNG",
        "PDF": b"%PDF",
        "DOT": b"digraph",
        "Rules": b"IF outlook is overcast THEN play is yes",
        "Rules, simplified": b"IF outlook is overcast THEN play is yes (4 rows, 4 right, estimated accuracy 0.707)",
        "Python": b"# Predicts 'play'",
        "Text": b"play (14 rows",
        "Trace as JSON": b'{"format": "espalier/1"',
        "Evidence as CSV": b"feature,partition,rows",
    }
    for name, beginning in beginnings.items():
        with page.expect_download() as download:
            page.get_by_role("button", name=name, exact=False).last.click()
        content = Path(download.value.path()).read_bytes()
        assert beginning in content[:200], name
    expect(page.locator("[data-testid='stCode']").last).to_contain_text("dataset=play_tennis&algorithm=id3&step=1")


def test_a_guess_comes_before_the_numbers(page: Page, address: str) -> None:
    opened(page, address, "?step=1&guess_first=1")
    expect(evidence(page)).to_contain_text("Guess first")
    expect(evidence(page)).not_to_contain_text("0.247")
    page.get_by_role("button", name="humidity", exact=True).click()
    expect(evidence(page)).to_contain_text("0.247")


def test_a_threshold_that_is_typed_is_worked_out(page: Page, address: str) -> None:
    opened(page, address, "?dataset=iris&step=1")
    field = evidence(page).get_by_role("spinbutton", name="Threshold")
    field.fill("1.4")
    field.press("Enter")
    expect(evidence(page)).to_contain_text("less than")
    expect(evidence(page).locator("table")).to_contain_text("/150")


def test_back_in_the_browser_goes_back_a_step(page: Page, address: str) -> None:
    opened(page, address)
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("step=1"))
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("step=2"))
    page.go_back()
    expect(page.get_by_test_id("stepper-position")).to_have_value("1")
    expect(evidence(page)).to_contain_text("Step 1 of 11")
