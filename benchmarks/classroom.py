"""A class on one process: `python -m benchmarks.classroom [--students 30] [--minutes 1] [--classes 5]`.

Every student opens one of the ready datasets by link and steps every two seconds, mostly forward,
sometimes back, each at a time of their own. Printed for each class: how soon the panels follow a step
(from the report to the last panel, as `benchmarks.visitor` measures it), errors, processor time, and
the memory of the server after the class has left. The stage itself needs no server and is measured
by `benchmarks.stepping`.

Sessions that have ended are let go after 2 s instead of Streamlit's 120, so that five classes can be
seen in minutes.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import time
from dataclasses import dataclass, field

from benchmarks.numbers import percentile
from benchmarks.serve import Server, served
from benchmarks.visitor import Answer, Visitor

DATASETS = ("play_tennis", "iris", "titanic", "contact_lenses", "wine", "congress_votes")
PAUSE = 2.0


@dataclass
class Class:
    """What was measured in one class."""

    steps: list[float] = field(default_factory=list)
    openings: list[float] = field(default_factory=list)
    most_bytes: int = 0
    errors: list[str] = field(default_factory=list)

    def add(self, answer: Answer) -> None:
        """Count one step."""
        self.steps.append(answer.seconds)
        self.most_bytes = max(self.most_bytes, answer.received)
        self.errors.extend(answer.errors)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.classroom", description="A class on one process.")
    parser.add_argument("--students", type=int, default=30)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--classes", type=int, default=5)
    parser.add_argument("--port", type=int, default=8664)
    arguments = parser.parse_args()
    with served(arguments.port, "--server.disconnectedSessionTTL=2") as server:
        print("class   steps   median     95 %    worst   most bytes  errors  processor   memory")
        for number in range(1, arguments.classes + 1):
            _print_class(number, server, arguments.students, 60 * arguments.minutes)


def _print_class(number: int, server: Server, students: int, seconds: float) -> None:
    used, start = server.processor_seconds(), time.perf_counter()
    seen = asyncio.run(_class(server.address, students, seconds, random.Random(number)))
    share = (server.processor_seconds() - used) / (time.perf_counter() - start)
    time.sleep(8)
    median, late, worst = (1e3 * percentile(seen.steps, share) for share in (50, 95, 100))
    print(
        f"{number:5}{len(seen.steps):8}{median:6.0f} ms{late:6.0f} ms{worst:6.0f} ms{seen.most_bytes / 1e3:10.1f} kB"
        f"{len(seen.errors):8}{100 * share:9.0f} %{server.memory_mb():6.0f} MB",
        flush=True,
    )
    for error in sorted(set(seen.errors))[:5]:
        print(f"      ! {error}")


async def _class(address: str, students: int, seconds: float, rng: random.Random) -> Class:
    seen = Class()
    starts = [(DATASETS[i % len(DATASETS)], rng.uniform(0, 4), rng.randrange(10**9)) for i in range(students)]
    await asyncio.gather(*(_student(address, name, wait, seconds, seed, seen) for name, wait, seed in starts))
    return seen


async def _student(address: str, dataset: str, wait: float, seconds: float, seed: int, seen: Class) -> None:
    rng = random.Random(seed)
    await asyncio.sleep(wait)
    try:
        async with Visitor(address, f"dataset={dataset}") as visitor:
            opened = await visitor.open()
            seen.openings.append(opened.seconds)
            seen.errors.extend(opened.errors)
            position, end = 0, time.perf_counter() + seconds
            due = time.perf_counter() + rng.uniform(0, PAUSE)
            while due < end:
                await asyncio.sleep(max(0.0, due - time.perf_counter()))
                position = max(0, position + (1 if rng.random() < 0.8 else -1))
                seen.add(await visitor.step(position))
                due += PAUSE
    except (OSError, EOFError) as error:
        seen.errors.append(f"{type(error).__name__}: {error}")


if __name__ == "__main__":
    main()
