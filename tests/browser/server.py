"""Espalier as a process of its own on a free port."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def serve(script: Path | str = "app.py", port: int | None = None, log: Path | None = None) -> Iterator[str]:
    """Start Streamlit with `script`; the address once it answers. Stopped at the end."""
    with run(script, port=port, log=log) as (address, _):
        yield address


@contextlib.contextmanager
def run(
    script: Path | str = "app.py", *options: str, port: int | None = None, log: Path | None = None, base: str = ""
) -> Iterator[tuple[str, int]]:
    """The same with further options of Streamlit, below the path `base`; address and process id."""
    port = port or free_port()
    command = [sys.executable, "-m", "streamlit", "run", str(script), f"--server.port={port}"]
    command += ["--server.address=127.0.0.1", "--server.fileWatcherType=none", *options]
    command += [f"--server.baseUrlPath={base}"] if base else []
    with contextlib.ExitStack() as stack:
        output = stack.enter_context(log.open("w")) if log else subprocess.DEVNULL
        process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)
        try:
            address = f"http://127.0.0.1:{port}" + (f"/{base}" if base else "")
            _wait(address, process)
            yield address, process.pid
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _wait(address: str, process: subprocess.Popen[bytes]) -> None:
    for _ in range(300):
        if process.poll() is not None:
            raise RuntimeError(f"Streamlit ended at once with status {process.returncode}.")
        with contextlib.suppress(OSError), urllib.request.urlopen(f"{address}/_stcore/health", timeout=2) as answer:
            if answer.status == 200:
                return
        time.sleep(0.1)
    raise RuntimeError("Streamlit did not answer within half a minute.")
