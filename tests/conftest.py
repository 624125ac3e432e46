"""Settings of all tests: hypothesis without time limits, so that a slow machine fails nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("espalier", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("espalier")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything under tests/browser needs Chromium, so that `-m "not browser"` leaves it out."""
    browser = Path(__file__).parent / "browser"
    for item in items:
        if item.path.is_relative_to(browser):
            item.add_marker(pytest.mark.browser)
