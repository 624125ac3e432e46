"""What the server does for one step: `python -m benchmarks.server [--steps N]`.

One visitor on an otherwise idle server walks a tree forward and back once, so that the caches are
warm, and then again. Printed: milliseconds from the report of a step to the last panel, and the
bytes that came over the websocket for it.
"""

from __future__ import annotations

import argparse
import asyncio

from benchmarks.numbers import percentile
from benchmarks.serve import served
from benchmarks.visitor import Answer, Visitor

QUERIES = ("dataset=play_tennis", "dataset=iris", "dataset=congress_votes", "dataset=noisy_steps&rows=400")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.server", description="What the server does for a step.")
    parser.add_argument("--steps", type=int, default=11)
    parser.add_argument("--port", type=int, default=8663)
    arguments = parser.parse_args()
    with served(arguments.port) as server:
        print(f"{'link':36}{'open':>10}{'step, median':>16}{'95 %':>10}{'bytes, most':>14}")
        for query in QUERIES:
            opened, answers = asyncio.run(_walk(server.address, query, arguments.steps))
            seconds = [answer.seconds for answer in answers]
            print(
                f"{query:36}{1e3 * opened.seconds:7.0f} ms{1e3 * percentile(seconds, 50):13.1f} ms"
                f"{1e3 * percentile(seconds, 95):7.1f} ms{max(a.received for a in answers) / 1e3:11.1f} kB"
            )
            for error in {error for answer in (opened, *answers) for error in answer.errors}:
                print(f"    ! {error}")


async def _walk(address: str, query: str, steps: int) -> tuple[Answer, list[Answer]]:
    async with Visitor(address, query) as visitor:
        opened = await visitor.open()
        there_and_back = [*range(1, steps + 1), *range(steps - 1, -1, -1)]
        for position in there_and_back:
            await visitor.step(position)
        return opened, [await visitor.step(position) for _ in range(2) for position in there_and_back]


if __name__ == "__main__":
    main()
