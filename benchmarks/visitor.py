"""A visitor without a browser: speaks Streamlit's websocket protocol as the page does.

It opens the app, steps as the stage reports it, and keeps, like a browser, the large messages it has
seen, so that the server sends a reference instead. What it measures is the server's part of a step:
from the report's leaving to the last panel's arriving.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect

STAGE = "espalier_stage"


@dataclass
class Answer:
    """What came back for one request."""

    seconds: float = 0.0
    received: int = 0
    errors: list[str] = field(default_factory=list)


class Visitor:
    """One session. Use as ``async with Visitor(address, "dataset=iris") as visitor``."""

    def __init__(self, address: str, query: str = "") -> None:
        self._url = address.replace("http://", "ws://") + "/_stcore/stream"
        self._query = query
        self._page = ""
        self._fragment = ""
        self._stage = ""
        self._kept: set[str] = set()
        self._socket: ClientConnection | None = None

    async def __aenter__(self) -> Self:
        self._socket = await connect(self._url, subprotocols=["streamlit"], max_size=None, ping_interval=None)  # type: ignore[list-item]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._socket is not None:
            await self._socket.close()

    async def open(self) -> Answer:
        """Ask for the page and wait until it stands."""
        request = BackMsg()
        request.rerun_script.query_string = self._query
        answer = await self._ask(request)
        if not self._stage:
            answer.errors.append("the page has no stage")
        return answer

    async def step(self, position: int) -> Answer:
        """Report a position as the stage does and wait until the panels have followed."""
        request = BackMsg()
        state = request.rerun_script
        state.query_string = self._query
        state.page_script_hash = self._page
        state.fragment_id = self._fragment
        state.cached_message_hashes.extend(sorted(self._kept))
        widget = state.widget_states.widgets.add()
        widget.id = self._stage
        widget.json_value = json.dumps({"position": position})
        return await self._ask(request)

    async def _ask(self, request: BackMsg) -> Answer:
        if self._socket is None:
            raise RuntimeError("the visitor has not come in yet; use `async with`.")
        answer = Answer()
        start = time.perf_counter()
        await self._socket.send(request.SerializeToString())
        while True:
            data = await self._socket.recv()
            answer.received += len(data)
            message = ForwardMsg.FromString(data if isinstance(data, bytes) else data.encode())
            self._take(message, answer)
            if message.WhichOneof("type") == "script_finished":
                if message.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                    continue
                if message.script_finished == ForwardMsg.FINISHED_WITH_COMPILE_ERROR:
                    answer.errors.append("the script does not compile")
                answer.seconds = time.perf_counter() - start
                return answer

    def _take(self, message: ForwardMsg, answer: Answer) -> None:
        if message.metadata.cacheable:
            self._kept.add(message.hash)
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self._page = message.new_session.page_script_hash
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            element = message.delta.new_element
            if element.WhichOneof("type") == "exception":
                answer.errors.append(f"{element.exception.type}: {element.exception.message}")
            elif element.WhichOneof("type") == "bidi_component" and element.bidi_component.component_name == STAGE:
                self._stage, self._fragment = element.bidi_component.id, message.delta.fragment_id
