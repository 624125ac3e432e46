"""The picture of the README: `make picture` takes docs/images/grow.png from a running Espalier."""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.chromium import launch
from tests.browser.server import ROOT, serve


def main(path: Path, query: str = "dataset=play_tennis&step=5") -> None:
    with serve() as address, sync_playwright() as playwright:
        browser = launch(playwright)
        page = browser.new_page(viewport={"width": 1280, "height": 800}, device_scale_factor=1.5)
        page.goto(f"{address}/?{query}")
        page.get_by_test_id("stepper-next").wait_for()
        page.locator(".st-key-rows").wait_for()
        page.wait_for_timeout(4000)
        page.screenshot(path=path)
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs/images/grow.png", *sys.argv[2:3])
