"""Settings of all tests: hypothesis without time limits, so that a slow machine fails nothing.

`make test` always tries the same examples; HYPOTHESIS_PROFILE=explore tries others each time.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("explore", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("espalier", settings.get_profile("explore"), derandomize=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "espalier"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything under tests/browser needs Chromium, so that `-m "not browser"` leaves it out.

    A browser shares two cores with its server and the other tests: what fails once is tried again.
    """
    browser = Path(__file__).parent / "browser"
    for item in items:
        if item.path.is_relative_to(browser):
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.flaky(reruns=1))
