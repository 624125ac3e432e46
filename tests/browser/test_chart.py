"""The chart in a real browser, mounted alone by apps/chart_demo.py."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.server import ROOT, run, serve

pytestmark = pytest.mark.browser
APP = ROOT / "tests" / "browser" / "apps" / "chart_demo.py"
DRAWS = """() => {
  window.draws = 0;
  const react = Plotly.react;
  Plotly.react = (...all) => { window.draws += 1; return react.apply(Plotly, all); };
}"""


@pytest.fixture(scope="module")
def demo() -> Iterator[str]:
    with serve(APP) as address:
        yield address


def chart(page: Page, key: str) -> Locator:
    return page.locator(f".st-key-{key} [data-testid='chart']")


def drawing(page: Page, key: str) -> Locator:
    return chart(page, key).locator("svg.main-svg").first


def visit(page: Page, address: str) -> Page:
    page.goto(address)
    expect(chart(page, "regions")).to_have_attribute("data-drawn", "true")
    return page


def step(page: Page, number: int) -> None:
    field = page.get_by_role("spinbutton", name="Step")
    field.fill(str(number))
    field.press("Enter")
    expect(chart(page, "regions")).to_have_attribute("aria-label", f"regions at step {number}")


def click(page: Page, key: str, x: float, y: float) -> None:
    """Click at the values of the axes, as a hand does: when all stands still, move, then press."""
    find = """([key, x, y]) => {
      const plot = document.querySelector(`.st-key-${key} .js-plotly-plot`);
      plot.scrollIntoView({ block: "center" });
      const { left, top } = plot.getBoundingClientRect();
      const { xaxis, yaxis } = plot._fullLayout;
      return [left + xaxis._offset + xaxis.d2p(x), top + yaxis._offset + yaxis.d2p(y)];
    }"""
    before, place = None, page.evaluate(find, [key, x, y])
    while place != before:
        page.wait_for_timeout(500)
        before, place = place, page.evaluate(find, [key, x, y])
    page.mouse.move(place[0] - 3, place[1])
    page.mouse.move(place[0], place[1])
    expect(chart(page, key).locator(".hoverlayer .hovertext").first).to_be_visible()
    page.mouse.click(place[0], place[1])


def test_a_new_figure_is_drawn_once_into_the_chart_that_is_there(page: Page, demo: str) -> None:
    visit(page, demo)
    page.evaluate("document.querySelector('.st-key-regions .js-plotly-plot').mine = true")
    page.evaluate(DRAWS)
    expect(chart(page, "regions").get_by_text("setosa", exact=True)).to_have_count(1)
    step(page, 8)
    expect(chart(page, "regions").get_by_text("virginica", exact=True)).to_have_count(1)
    assert page.evaluate("document.querySelector('.st-key-regions .js-plotly-plot').mine") is True
    assert page.evaluate("draws") == 1


def test_the_same_figure_is_not_drawn_again(page: Page, demo: str) -> None:
    visit(page, demo)
    page.evaluate(DRAWS)
    step(page, 8)
    assert page.evaluate("draws") == 1  # the other charts' figures have not changed


def test_a_chart_that_comes_back_shows_its_new_figure(page: Page, demo: str) -> None:
    visit(page, demo)
    page.get_by_text("Regions", exact=True).click()
    expect(chart(page, "regions")).to_have_count(0)
    field = page.get_by_role("spinbutton", name="Step")
    field.fill("8")
    field.press("Enter")
    page.get_by_text("Regions", exact=True).click()
    expect(chart(page, "regions")).to_have_attribute("data-drawn", "true")
    expect(chart(page, "regions").get_by_text("virginica", exact=True)).to_have_count(1)


def test_of_charts_without_a_place_only_a_few_are_kept(page: Page, demo: str) -> None:
    visit(page, demo)
    purged = """() => {
      window.purged = 0;
      const purge = Plotly.purge;
      Plotly.purge = (plot) => { window.purged += 1; return purge(plot); };
    }"""
    page.evaluate(purged)
    for name in ("Fourteen", "None"):
        page.get_by_text(name, exact=True).click()
        expect(page.locator("[data-testid='chart'][aria-label='one of many']")).to_have_count(14 * (name == "Fourteen"))
    page.wait_for_function("purged === 2")


def test_plotly_is_fetched_once_and_then_kept_by_the_browser(browser: Browser, demo: str) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(60_000)
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "plotly" in request.url else None)
    visit(page, demo)
    assert len(asked) == 1
    sizes = (
        "performance.getEntriesByType('resource').filter((e) => e.name.includes('plotly')).map((e) => e.transferSize)"
    )
    assert page.evaluate(sizes)[0] > 1_000_000
    page.reload()
    expect(chart(page, "regions")).to_have_attribute("data-drawn", "true")
    assert page.evaluate(sizes) == [0]
    context.close()


def test_a_click_on_a_row_reports_it(page: Page, demo: str) -> None:
    visit(page, demo)
    click(page, "regions", 1.0, 0.2)
    expect(page.get_by_text("row 22, node 1, threshold None")).to_be_visible()


def test_a_click_inside_a_region_reports_its_node(page: Page, demo: str) -> None:
    visit(page, demo)
    click(page, "regions", 1.2, 2.2)
    expect(page.get_by_text("row None, node 1, threshold None")).to_be_visible()


def test_a_click_on_the_curve_reports_the_threshold(page: Page, demo: str) -> None:
    visit(page, demo)
    page.get_by_text("More", exact=True).click()
    expect(chart(page, "hidden")).to_have_attribute("data-drawn", "true")
    click(page, "hidden", 2.45, 0.918)
    expect(page.get_by_text("threshold 2.45")).to_be_visible()


def test_a_region_under_the_pointer_says_what_it_is(page: Page, demo: str) -> None:
    visit(page, demo)
    box = chart(page, "regions").bounding_box()
    assert box
    page.mouse.move(box["x"] + 120, box["y"] + 100)
    page.mouse.move(box["x"] + 124, box["y"] + 104)
    expect(chart(page, "regions").locator(".hoverlayer")).to_contain_text("50 setosa")


def test_a_chart_in_a_closed_place_is_drawn_as_wide_as_its_place_when_it_opens(page: Page, demo: str) -> None:
    visit(page, demo)
    expect(chart(page, "hidden")).to_have_attribute("data-drawn", "false")
    page.get_by_text("More", exact=True).click()
    expect(chart(page, "hidden")).to_have_attribute("data-drawn", "true")
    for _ in range(2):
        host, svg = chart(page, "hidden").bounding_box(), drawing(page, "hidden").bounding_box()
        assert host and svg
        assert svg["width"] == pytest.approx(host["width"], abs=1)
        assert host["width"] > 600
        page.get_by_text("More", exact=True).click()
        page.get_by_text("More", exact=True).click()
        expect(chart(page, "hidden")).to_be_visible()


def test_a_chart_follows_the_width_of_the_window(page: Page, demo: str) -> None:
    visit(page, demo)
    for width in (390, 1000):
        page.set_viewport_size({"width": width, "height": 844})
        page.wait_for_function(
            """() => {
              const host = document.querySelector('.st-key-regions [data-testid=chart]');
              const wide = host.querySelector('svg.main-svg').getBoundingClientRect().width;
              return Math.abs(wide - host.clientWidth) <= 1 && host.clientWidth < innerWidth;
            }"""
        )
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_chart_far_below_is_drawn_when_it_is_scrolled_to_or_printed(page: Page, demo: str) -> None:
    visit(page, demo)
    expect(chart(page, "below")).to_have_attribute("data-drawn", "false")
    expect(chart(page, "below")).to_have_attribute("aria-label", "far below")
    chart(page, "below").scroll_into_view_if_needed()
    expect(chart(page, "below")).to_have_attribute("data-drawn", "true")
    visit(page, demo)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(chart(page, "below")).to_have_attribute("data-drawn", "true")


def test_light_and_dark_change_the_colours(browser: Browser, demo: str) -> None:
    colours = []
    for scheme in ("light", "dark"):
        context = browser.new_context(viewport={"width": 1280, "height": 800}, color_scheme=scheme)
        context.set_default_timeout(60_000)
        page = visit(context.new_page(), demo)
        title = chart(page, "regions").locator(".xtitle")
        colours.append(title.evaluate("(text) => getComputedStyle(text).fill"))
        context.close()
    assert len(set(colours)) == 2


def test_zoom_is_kept_while_the_figure_changes(page: Page, demo: str) -> None:
    visit(page, demo)
    shown = "Array.from(document.querySelector('.st-key-regions .js-plotly-plot')._fullLayout.xaxis.range)"
    whole = page.evaluate(shown)
    box = chart(page, "regions").bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 100, y + 60, steps=5)
    page.mouse.up()
    page.wait_for_function(f"{shown}[0] > {whole[0] + 0.5}")
    zoomed = page.evaluate(shown)
    page.evaluate(DRAWS)
    step(page, 8)
    page.wait_for_function("draws === 1")
    assert page.evaluate(shown) == zoomed


def test_hostile_names_stay_text(page: Page, demo: str) -> None:
    visit(page, demo)
    chart(page, "hostile").scroll_into_view_if_needed()
    expect(chart(page, "hostile")).to_have_attribute("data-drawn", "true")
    expect(
        chart(page, "hostile").locator("text", has_text="<img src=x onerror=window.ran=1>$x$ %{y}").first
    ).to_be_visible()
    assert chart(page, "hostile").locator("img").count() == 0
    assert page.evaluate("window.ran") is None


def test_without_plotly_the_picture_is_told_in_words(page: Page, demo: str) -> None:
    page.route("**/plotly.min.js*", lambda route: route.abort())
    page.goto(demo)
    expect(chart(page, "regions")).to_contain_text("regions at step 2")
    page.unroute("**/plotly.min.js*")
    step(page, 8)
    expect(chart(page, "regions")).to_have_attribute("data-drawn", "true")
    expect(chart(page, "regions")).not_to_contain_text("regions at step")


def test_charts_are_drawn_behind_a_base_url(page: Page) -> None:
    with run(APP, base="class/a") as (address, _):
        visit(page, f"{address}/")
