"""What the server does for one step: `python -m benchmarks.server [--steps N]`.

One visitor on an otherwise idle server walks a tree forward and back once, so that the caches are
warm, and then twice again. Printed: milliseconds from the report of a step to the last panel, the
processor time that the server took for it (which other programs on the machine do not change), and
the most bytes that came over the websocket for a step seen for the first time.
"""

from __future__ import annotations

import argparse
import asyncio

from benchmarks.numbers import percentile
from benchmarks.serve import Server, served
from benchmarks.visitor import Answer, Visitor

QUERIES = (
    "dataset=play_tennis",
    "dataset=iris",
    "dataset=breast_cancer",
    "dataset=congress_votes",
    "dataset=nursery&max_depth=4",
    "dataset=noisy_steps&rows=400",
)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.server", description="What the server does for a step.")
    parser.add_argument("--steps", type=int, default=11)
    parser.add_argument("--port", type=int, default=8663)
    arguments = parser.parse_args()
    with served(arguments.port) as server:
        print(f"{'link':36}      open  step, median      95 %  processor  bytes, most")
        for query in QUERIES:
            before, answers, processor = asyncio.run(_walk(server, query, arguments.steps))
            median, late = (1e3 * percentile([answer.seconds for answer in answers], share) for share in (50, 95))
            print(
                f"{query:36}{1e3 * before[0].seconds:7.0f} ms{median:11.1f} ms{late:7.1f} ms{1e3 * processor:8.1f} ms"
                f"{max(answer.received for answer in before[1:]) / 1e3:10.1f} kB",
                flush=True,
            )
            for error in {error for answer in (*before, *answers) for error in answer.errors}:
                print(f"    ! {error}")


async def _walk(server: Server, query: str, steps: int) -> tuple[list[Answer], list[Answer], float]:
    async with Visitor(server.address, query) as visitor:
        opened = await visitor.open()
        there_and_back = [*range(1, steps + 1), *range(steps - 1, -1, -1)]
        first = [await visitor.step(position) for position in there_and_back]
        used = server.processor_seconds()
        answers = [await visitor.step(position) for _ in range(2) for position in there_and_back]
        return [opened, *first], answers, (server.processor_seconds() - used) / len(answers)


if __name__ == "__main__":
    main()
