"""Stepping in a real browser: `python -m benchmarks.stepping [--steps 24]`.

For trees of about 15, 60 and 200 nodes, in Chromium at 1280 × 800:

- paint: from the key to the frame in which tree, sentence and candidates stand (the key's own time
  stamp to the first task after that frame's animation callbacks and painting);
- panels: from the key to the last change in evidence, regions and rows that it causes;
- bytes: what comes over the websocket for a step;
- held: where twelve presses, 30 ms apart, lead.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, WebSocket, sync_playwright

from benchmarks.numbers import percentile
from benchmarks.serve import served
from tests.browser.chromium import launch

TREES = {15: "dataset=iris&max_depth=4", 60: "dataset=congress_votes", 200: "dataset=noisy_steps&rows=400"}
WATCH = (Path(__file__).parent / "stepping.js").read_text(encoding="utf-8")


@dataclass
class Steps:
    """What was measured on one page; milliseconds and bytes."""

    nodes: int
    paint: list[float] = field(default_factory=list)
    panels: list[float] = field(default_factory=list)
    received: list[int] = field(default_factory=list)
    held: int = 0


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.stepping", description="Stepping in a real browser.")
    parser.add_argument("--steps", type=int, default=24)
    parser.add_argument("--port", type=int, default=8665)
    arguments = parser.parse_args()
    with served(arguments.port) as server, sync_playwright() as playwright:
        browser = launch(playwright)
        print("nodes   paint 50 %    95 %   panels 50 %    95 %   bytes 50 %     most   12 keys")
        for query in TREES.values():
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            _print(_measure(page, f"{server.address}/?{query}", arguments.steps))
            page.close()
        browser.close()


def _measure(page: Page, address: str, steps: int) -> Steps:
    received = [0]

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda payload: received.append(received.pop() + len(payload)))

    page.on("websocket", listen)
    page.goto(address)
    page.set_default_timeout(120_000)
    page.get_by_test_id("stepper-next").wait_for()
    page.locator(".st-key-rows").wait_for()
    page.wait_for_timeout(3000)
    page.evaluate(WATCH)
    seen = Steps(nodes=page.locator("[data-node]").count())
    steps = min(steps, int(page.get_by_test_id("stepper-position").get_attribute("max") or 0))
    for key in ["ArrowRight"] * steps + ["ArrowLeft"] * (steps // 2):
        before = received[0]
        page.keyboard.press(key)
        page.wait_for_timeout(1200)
        said: dict[str, Any] = page.evaluate("espalierSeen")
        painted = said["painted"][-1]
        if abs(painted["to"] - painted["from"]) != 1:
            raise RuntimeError(f"a press led from step {painted['from']} to {painted['to']}")
        seen.paint.append(painted["ms"])
        followed = [moment - said["key"] for moment in said["followed"].values() if moment > said["key"]]
        if followed:
            seen.panels.append(max(followed))
        seen.received.append(received[0] - before)
    page.keyboard.press("Home")
    page.wait_for_timeout(1000)
    for _ in range(12):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(30)
    page.wait_for_timeout(1000)
    seen.held = page.evaluate("espalierShown().step")
    return seen


def _print(seen: Steps) -> None:
    paint, late_paint = (percentile(seen.paint, share) for share in (50, 95))
    panels, late_panels = (percentile(seen.panels, share) for share in (50, 95))
    median, most = (percentile(seen.received, share) / 1e3 for share in (50, 100))
    print(
        f"{seen.nodes:5}{paint:10.1f} ms{late_paint:5.1f} ms{panels:11.0f} ms{late_panels:5.0f} ms"
        f"{median:10.1f} kB{most:6.1f} kB{seen.held:10}",
        flush=True,
    )


if __name__ == "__main__":
    main()
