"""Server-sent events: a run told to one visitor as it goes, and ended when the visitor leaves."""

import asyncio
import contextlib
import json
import math
from collections.abc import Iterator
from typing import Any

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from .line import Full, Line, Ticket, Work

# Seconds between signs of life, which keep the connection open and show when it is gone.
BEAT = 5.0
MOST = 65_536  # characters that are sent at once: a long silence of the reader costs no more


class EventStream(Response):
    """The events of one run. It takes its place in the line when the answer begins, and gives it up with the connection."""

    media_type = "text/event-stream"

    def __init__(self, line: Line, work: Work):
        """What to run, and where to wait for it."""
        super().__init__(headers={"cache-control": "no-store", "x-accel-buffering": "no"})
        del self.headers["content-length"]
        self._line, self._work = line, work

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        loop, news = asyncio.get_running_loop(), asyncio.Event()

        def wake() -> None:
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody is left to be told
                loop.call_soon_threadsafe(news.set)

        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        try:
            ticket = self._line.enter(self._work, wake)
        except Full as full:
            await send({"type": "http.response.body", "body": event("trouble", {"message": str(full)})})
            return
        gone = asyncio.create_task(_gone(receive, wake))
        try:
            await self._tell(ticket, gone, news, send)
        finally:
            self._line.leave(ticket)
            gone.cancel()

    async def _tell(self, ticket: Ticket, gone: asyncio.Task, news: asyncio.Event, send: Send) -> None:
        place, sent = -1, 0
        while not gone.done():
            news.clear()
            over, now = ticket.over, self._line.place(ticket)
            body = event("place", {"place": now}) if now != place else b""
            place, new = now, ticket.said[sent:]  # more may be said while these are sent
            sent += len(new)
            for piece in _pieces(new):
                await send({"type": "http.response.body", "body": body + piece, "more_body": True})
                body = b""
            if over:
                await send({"type": "http.response.body", "body": body})
                return
            await send({"type": "http.response.body", "body": body or b": here\n\n", "more_body": True})
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(news.wait(), BEAT)


async def _gone(receive: Receive, wake) -> None:
    """Ends when the visitor does."""
    while (await receive())["type"] != "http.disconnect":
        pass
    wake()


def _pieces(said: list[tuple[str, dict[str, Any]]]) -> Iterator[bytes]:
    """Events in pieces that are not too long."""
    piece = b""
    for kind, data in said:
        piece += event(kind, data)
        if len(piece) > MOST:
            yield piece
            piece = b""
    if piece:
        yield piece


def event(kind: str, data: Any) -> bytes:
    """One event; numbers that JSON does not have become null."""
    return f"event: {kind}\ndata: {json.dumps(plain(data), allow_nan=False)}\n\n".encode()


def plain(data: Any) -> Any:
    """Data without NaN and infinities."""
    if isinstance(data, dict):
        return {name: plain(value) for name, value in data.items()}
    if isinstance(data, list | tuple):
        return [plain(value) for value in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data
