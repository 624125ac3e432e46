"""The Data page in a real browser: what a canvas, a file chooser and a narrow screen do."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

HOSTILE = """**bold** $x$ :smile:,<script>document.title='run'</script>,الوصف
1.5,<img src=x onerror="document.title='run'">,نعم
2.5,"multi
line",لا
3,:material/home:,نعم
2.5,$\\frac{1}{2}$,لا
"""


def opened(page: Page, address: str, query: str = "") -> None:
    page.goto(f"{address}/data{query}")
    expect(page.locator(".st-key-table canvas").first).to_be_visible()
    settled(page)


def settled(page: Page) -> None:
    expect(page.locator("[data-testid=stApp][data-test-script-state=running]")).to_have_count(0)


def edit(page: Page, row: int, text: str) -> None:
    """Type into the last column of a row of the table."""
    table = page.locator(".st-key-table canvas").first
    settled(page)
    expect(table).to_be_visible()  # a reset makes it anew
    box = table.bounding_box()
    assert box is not None
    page.mouse.dblclick(box["x"] + box["width"] - 60, box["y"] + 35 * (row + 1) + 17)
    cell = page.locator("#portal textarea")
    cell.fill(text)
    cell.press("Enter")
    expect(cell).to_have_count(0)


def test_the_first_visitor_of_the_page_sees_its_frame(page: Page, address: str) -> None:
    opened(page, address, "?dataset=iris")
    expect(page.get_by_role("link", name="Grow", exact=True)).to_be_visible()
    expect(page.get_by_text("Iris · 150 rows · 4 features")).to_be_visible()


def test_edited_cells_count_at_once_and_reset_brings_them_back(page: Page, address: str) -> None:
    opened(page, address)
    edit(page, 0, "yes")
    expect(page.locator(".esp-legend")).to_contain_text("no 4")
    edit(page, 1, "yes")
    expect(page.locator(".esp-legend")).to_contain_text("no 3")
    expect(page.get_by_text("rows edited")).to_be_visible()
    page.get_by_role("button", name="Reset").click()
    expect(page.locator(".esp-legend")).to_contain_text("no 5")
    edit(page, 0, "maybe")
    expect(page.locator(".esp-legend")).to_contain_text("maybe 1")
    expect(page.locator(".esp-legend")).to_contain_text("no 4")


def test_edits_that_make_no_table_wait_and_lose_nothing(page: Page, address: str) -> None:
    opened(page, address, "?dataset=derived_xor")
    for row in range(4):
        edit(page, row, "NA")
        settled(page)
    expect(page.get_by_test_id("stAlert")).to_be_visible()
    expect(page.get_by_text("stay in use until this is mended")).to_be_visible()
    edit(page, 0, "1")
    expect(page.get_by_test_id("stAlert")).to_have_count(0)


def test_the_noisy_example_arrives_in_the_table(page: Page, address: str) -> None:
    opened(page, address)
    page.get_by_role("button", name="Add the noisy example").click()
    expect(page.locator(".esp-legend")).to_contain_text("no 6")
    expect(page.get_by_text("Play Tennis · 15 rows")).to_be_visible()


def test_a_chosen_file_is_the_table_and_runs_no_script(page: Page, address: str, tmp_path: Path) -> None:
    path = tmp_path / "hostile.csv"
    path.write_text(HOSTILE, encoding="utf-8")
    opened(page, address)
    with page.expect_file_chooser() as chooser:
        page.locator(".st-key-upload [data-testid=stBaseButton-secondary]").click()
    chooser.value.set_files(path)
    expect(page.get_by_text("hostile · 4 rows · 2 features")).to_be_visible()
    expect(page.locator(".esp-legend")).to_contain_text("نعم 2")
    page.get_by_role("tab", name="Pictures").click()
    expect(page.get_by_text("**bold** $x$ :smile:", exact=False).first).to_be_visible()
    settled(page)
    assert page.title() != "run"
    assert page.locator("[data-testid=stMain] script, [data-testid=stMain] img[src=x]").count() == 0


def test_a_bad_file_gets_a_sentence_and_the_table_stays(page: Page, address: str, tmp_path: Path) -> None:
    path = tmp_path / "photo.csv"
    path.write_bytes(bytes(range(256)) * 20)
    opened(page, address, "?dataset=iris")
    page.set_input_files(".st-key-upload input[type=file]", path)
    expect(page.get_by_test_id("stAlert")).to_contain_text("not text")
    expect(page.get_by_text("Iris · 150 rows")).to_be_visible()


def test_an_upload_is_the_table_of_the_grow_page_too(page: Page, address: str, tmp_path: Path) -> None:
    path = tmp_path / "fruit.csv"
    path.write_text("size,colour,ripe\n1,red,yes\n2,green,no\n3,green,no\n2,red,yes\n")
    opened(page, address)
    page.set_input_files(".st-key-upload input[type=file]", path)
    expect(page.get_by_text("fruit · 4 rows")).to_be_visible()
    page.get_by_role("link", name="Grow a tree").click()
    expect(page.get_by_test_id("narration")).to_contain_text("4 rows")


@pytest.mark.parametrize("section", ["Gallery", "Rows", "Columns", "Pictures", "Holdout"])
def test_nothing_is_wider_than_a_phone(page: Page, address: str, section: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    opened(page, address, "?dataset=breast_cancer")
    page.get_by_role("tab", name=section).click()
    settled(page)
    wide = page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth")
    assert wide <= 390
