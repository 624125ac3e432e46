"""The server's sockets send at once."""

from __future__ import annotations

import socket

import pytest

from widgets.network import OPEN, send_at_once

pytestmark = pytest.mark.skipif(not OPEN.is_dir(), reason="open files are not listed here")


def at_once(connection: socket.socket) -> bool:
    return bool(connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))


def test_sockets_that_are_open_or_accepted_later_send_at_once() -> None:
    with socket.socket(socket.AF_INET) as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        with socket.create_connection(listening.getsockname()), listening.accept()[0] as early:
            assert not at_once(early)
            send_at_once.clear()
            assert send_at_once() >= 3
            assert at_once(early)
        with socket.create_connection(listening.getsockname()), listening.accept()[0] as late:
            assert at_once(late)


def test_files_and_other_sockets_are_left_alone(tmp_path) -> None:
    left, right = socket.socketpair()
    with (tmp_path / "file").open("w") as file, left, right:
        send_at_once.clear()
        before = len(list(OPEN.iterdir()))
        send_at_once()
        assert len(list(OPEN.iterdir())) == before
        file.write("still open")
        left.send(b"x")
        assert right.recv(1) == b"x"
