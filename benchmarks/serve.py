"""Espalier as a process of its own, to be measured."""

from __future__ import annotations

import contextlib
import resource
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.browser.server import run


@dataclass(frozen=True)
class Server:
    """A running app and its process."""

    address: str
    pid: int

    def memory_mb(self) -> float:
        """Resident size in MB (Linux)."""
        pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        return pages * resource.getpagesize() / 1e6

    def processor_seconds(self) -> float:
        """Processor time used so far (Linux)."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / 100


@contextlib.contextmanager
def served(port: int, *options: str) -> Iterator[Server]:
    """Start the app on `port` with further options of Streamlit; stop it at the end."""
    with run("app.py", *options, port=port) as (address, pid):
        yield Server(address, pid)
