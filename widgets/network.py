"""The server's sockets, told to send every message at once."""

from __future__ import annotations

import contextlib
import os
import socket
import stat
from pathlib import Path

import streamlit as st

OPEN = Path("/dev/fd")
"""Where a process finds its open files, sockets too (Linux, macOS)."""


@st.cache_resource(max_entries=1, show_spinner=False)
def send_at_once() -> int:
    """Switch off Nagle's algorithm on this process's TCP sockets; their number.

    Streamlit 1.67 leaves it on: asyncio switches it off only on sockets whose protocol is named, and
    Streamlit's is not. A step is answered with dozens of small messages; after the first the rest
    would wait until the browser acknowledges it, which takes it 40 ms. Sockets that are accepted later
    inherit the option from the one that listens (Linux). Where open files are not listed, nothing happens.
    """
    return sum(_send_at_once(int(entry.name)) for entry in (OPEN.iterdir() if OPEN.is_dir() else ()))


def _send_at_once(number: int) -> bool:
    """Do it for an open file, if it is a TCP socket."""
    with contextlib.suppress(OSError):
        if not stat.S_ISSOCK(os.fstat(number).st_mode):
            return False
        with socket.socket(fileno=os.dup(number)) as same:
            if same.family in {socket.AF_INET, socket.AF_INET6} and same.type == socket.SOCK_STREAM:
                same.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, True)
                return True
    return False
