"""Where the tree is seen from: following the steps, the map, the lens, fingers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

import datasets
import engine
from tests.browser.server import ROOT, serve

pytestmark = pytest.mark.browser
APP = ROOT / "tests" / "browser" / "apps" / "stage_demo.py"

INSIDE = """(view, family) => {
  const frame = view.getBoundingClientRect();
  const inside = (group) => {
    const box = group.querySelector('.node-shape').getBoundingClientRect();
    const across = box.left >= frame.left - 1 && box.right <= frame.right + 1;
    return across && box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1;
  };
  const current = view.querySelector('[data-state=current]');
  const children = (family[current.dataset.node] ?? []).map((id) => view.querySelector(`[data-node='${id}']`));
  return [current, ...children].filter((group) => group && group.dataset.state !== 'hidden').map(inside);
}"""


@pytest.fixture(scope="module")
def demo() -> Iterator[str]:
    with serve(APP) as address:
        yield address


def visit(page: Page, address: str, query: str) -> Page:
    page.goto(f"{address}/?{query}")
    page.locator("[data-node='0']").wait_for(state="attached")
    return page


def where(page: Page) -> dict[str, Any]:
    """Where the picture lies, at rest."""
    page.wait_for_timeout(400)
    found: dict[str, Any] = page.locator(".viewport > svg").evaluate(
        "svg => { const { x, y, width } = svg.getBoundingClientRect(); return { x, y, width } }"
    )
    return found


@pytest.mark.parametrize("orientation", ["Turn the tree", ""])
@pytest.mark.parametrize("width", [1280, 390])
def test_a_step_that_is_opened_from_a_link_is_in_view(page, demo, width, orientation):
    page.set_viewport_size({"width": width, "height": 800})
    visit(page, demo, "data=breast_cancer&step=2")
    if orientation:
        page.get_by_label(orientation).click()
    page.wait_for_timeout(400)
    assert page.locator(".viewport").evaluate(INSIDE, {"0": [1, 22]}) == [True] * 3


@pytest.mark.parametrize("data", ["nursery", "breast_cancer", "titanic"])
@pytest.mark.parametrize("width", [1280, 390])
def test_the_current_node_and_its_children_are_in_view_at_every_step(page, demo, data, width):
    tree = engine.grow(datasets.load(data), engine.GrowthSettings.id3()).tree
    family = {str(node): tree.children(node).tolist() for node in range(tree.n_nodes)}
    page.set_viewport_size({"width": width, "height": 800})
    visit(page, demo, f"data={data}")
    for _ in range(14):
        page.wait_for_timeout(350)
        assert all(page.locator(".viewport").evaluate(INSIDE, family)), page.get_by_test_id(
            "stepper-count"
        ).inner_text()
        page.keyboard.press("ArrowRight")


def test_a_tree_that_fits_stands_still(page, demo):
    visit(page, demo, "data=play_tennis")
    first = where(page)
    for key in ["ArrowRight"] * 11 + ["Home", "End"]:
        page.keyboard.press(key)
        assert where(page) == first


def test_the_picture_glides_unless_motion_is_not_wanted(browser: Browser, demo: str) -> None:
    for wanted, classes in (("no-preference", "viewport gliding pannable"), ("reduce", "viewport pannable")):
        context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion=wanted)
        page = visit(context.new_page(), demo, "data=nursery&step=1")
        expect(page.locator(".viewport")).to_have_class("viewport pannable")
        seen = page.locator(".viewport").evaluate(
            """view => new Promise((done) => {
              new MutationObserver(() => done(view.className.split(' ').sort((a, b) => (a > b ? 1 : -1)).join(' ')))
                .observe(view, { attributes: true, subtree: true, attributeFilter: ['class', 'style'] });
              view.closest('.stage').querySelector('[data-testid=stepper-next]').click();
            })"""
        )
        assert sorted(seen.split()) == sorted(classes.split())
        context.close()


def test_after_a_zoom_by_hand_steps_keep_to_it(page, demo):
    visit(page, demo, "data=iris")
    page.get_by_label("Zoom in").click()
    zoomed = where(page)["width"]
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert where(page)["width"] == zoomed


def test_a_tree_larger_than_its_place_has_a_map_with_the_frame_of_what_is_seen(page, demo):
    visit(page, demo, "data=nursery&step=4")
    overview = page.locator(".overview")
    expect(overview).to_be_visible()
    expect(overview).to_have_attribute("aria-hidden", "true")
    frame = overview.locator(".overview-frame")
    before, seen = frame.get_attribute("x"), where(page)
    box = overview.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] * 0.9, box["y"] + box["height"] / 2)
    assert where(page)["x"] < seen["x"]
    assert float(frame.get_attribute("x") or 0) > float(before or 0)
    page.get_by_label("Fit the whole tree").click()
    expect(overview).to_be_hidden()


def test_a_tree_that_fits_needs_no_map(page, demo):
    visit(page, demo, "data=play_tennis&step=4")
    expect(page.locator(".overview")).to_be_hidden()


def test_a_split_too_wide_to_be_read_is_shown_once_more_side_by_side(page, demo):
    visit(page, demo, "data=nursery&step=2")
    lens = page.locator(".lens")
    expect(lens).to_be_visible()
    expect(lens.locator(".node")).to_have_count(4)
    expect(lens.locator(".edge-label")).to_have_text(["not_recom", "priority", "recommended"])
    expect(lens.locator("svg")).to_have_attribute("aria-hidden", "true")
    expect(lens.locator("[data-node], [data-state], [tabindex], [id]")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(lens).to_be_hidden()


class Hand:
    """Fingers on a page: what Playwright has no words for."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.session = page.context.new_cdp_session(page)

    def touch(self, kind: str, *points: tuple[float, float]) -> None:
        fingers = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})

    def drag(self, *ways: tuple[tuple[float, float], tuple[float, float]]) -> None:
        """Move each finger from its first place to its second, together."""
        self.touch("touchStart", *[start for start, _ in ways])
        for part in range(1, 11):
            self.touch("touchMove", *[(x + (u - x) * part / 10, y + (v - y) * part / 10) for (x, y), (u, v) in ways])
            self.page.wait_for_timeout(20)
        self.touch("touchEnd")


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    context.set_default_timeout(60_000)
    yield context.new_page()
    context.close()


def middle(page: Page) -> float:
    """How far down the middle of the picture is."""
    box = page.locator(".viewport").bounding_box()
    assert box is not None
    return box["y"] + box["height"] / 2


def scrolled(page: Page) -> float:
    found: float = page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop + window.scrollY")
    return found


def test_a_finger_on_a_large_tree_scrolls_the_page_and_two_move_the_tree(phone, demo):
    visit(phone, demo, "data=nursery&step=4")
    hand, before = Hand(phone), where(phone)
    hand.drag(((195, 560), (195, 360)))
    phone.wait_for_timeout(800)
    assert scrolled(phone) > 50
    expect(phone.locator(".hint")).to_have_text("Two fingers move the tree.")
    after = where(phone)
    assert (after["x"], after["width"]) == (before["x"], before["width"])
    page_at, y = scrolled(phone), middle(phone)
    hand.drag(((150, y), (90, y + 40)), ((240, y), (180, y + 40)))
    moved = where(phone)
    assert moved["x"] < after["x"] - 30
    assert moved["y"] > after["y"] + 20
    assert scrolled(phone) == page_at


def test_a_finger_sideways_moves_the_tree(phone, demo):
    visit(phone, demo, "data=nursery&step=4")
    before, y = where(phone), middle(phone)
    Hand(phone).drag(((300, y), (180, y)))
    assert where(phone)["x"] < before["x"] - 60


def test_two_fingers_apart_zoom(phone, demo):
    visit(phone, demo, "data=play_tennis&step=4")
    before, y = where(phone)["width"], middle(phone)
    Hand(phone).drag(((170, y), (110, y)), ((220, y), (280, y)))
    assert where(phone)["width"] > 1.5 * before


def test_a_tap_selects_a_node(phone, demo):
    visit(phone, demo, "data=play_tennis&step=4")
    phone.locator("[data-node='0'] .node-shape").tap()
    expect(phone.locator("[data-node='0'].lit")).to_have_count(1)
