"""Where Chromium is, and how it is started: `python -m tests.browser.chromium` prints its path."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from playwright.sync_api import Browser, Playwright, sync_playwright

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def chromium_path(playwright: Playwright) -> str | None:
    """The Chromium to use: ESPALIER_CHROMIUM, else the system's, else Playwright's own; None if there is none."""
    candidates = (
        os.environ.get("ESPALIER_CHROMIUM"),
        shutil.which("chromium"),
        shutil.which("chromium-browser"),
        playwright.chromium.executable_path,
    )
    return next((path for path in candidates if path and Path(path).is_file()), None)


def launch(playwright: Playwright) -> Browser:
    """A headless Chromium."""
    path = chromium_path(playwright)
    if path is None:
        raise FileNotFoundError("no Chromium found; run `make chromium` or set ESPALIER_CHROMIUM to its path.")
    return playwright.chromium.launch(executable_path=path, args=FLAGS)


def main() -> int:
    """Print the path; exit status 1 if there is no Chromium, or it does not start."""
    with sync_playwright() as playwright:
        path = chromium_path(playwright)
        if path is None:
            print("no Chromium found", file=sys.stderr)
            return 1
        launch(playwright).close()
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
