"""Fixtures for tests in a real browser: `address` of a running Espalier, `page` of a fresh visitor."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.chromium import launch
from tests.browser.server import serve

expect.set_options(timeout=60_000)  # patience with a slow machine; no test asserts a time


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Ended with the file: Playwright keeps an event loop running, which other tests must not meet."""
    with sync_playwright() as playwright:
        started = launch(playwright)
        yield started
        started.close()


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    with serve() as running:
        yield running


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(60_000)
    opened = context.new_page()
    yield opened
    context.close()
