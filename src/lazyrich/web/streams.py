"""Server-sent events: the events of a task are streamed to one client, and a disconnect cancels the task."""

import asyncio
import contextlib
import json
import math
from collections.abc import Callable, Iterator
from typing import Any

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from .queue import QueueFull, Task, TaskFunction, TaskQueue

# Seconds between heartbeats, which keep the connection open and detect a disconnect.
HEARTBEAT = 5.0
MAX_CHUNK = 65_536  # characters sent at once: a slow client costs no more memory


class EventStream(Response):
    """The events of one task. It is queued when the response starts, and cancelled with the connection."""

    media_type = "text/event-stream"

    def __init__(self, queue: TaskQueue, function: TaskFunction):
        """What to run, and the queue to run it in."""
        super().__init__(headers={"cache-control": "no-store", "x-accel-buffering": "no"})
        del self.headers["content-length"]
        self._queue, self._function = queue, function

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        loop, new_events = asyncio.get_running_loop(), asyncio.Event()

        def notify() -> None:
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody listens
                loop.call_soon_threadsafe(new_events.set)

        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        try:
            task = self._queue.submit(self._function, notify)
        except QueueFull as full:
            await send({"type": "http.response.body", "body": format_event("error", {"message": str(full)})})
            return
        disconnected = asyncio.create_task(_wait_for_disconnect(receive, notify))
        try:
            await self._send_events(task, disconnected, new_events, send)
        finally:
            self._queue.cancel(task)
            disconnected.cancel()

    async def _send_events(self, task: Task, disconnected: asyncio.Task, new_events: asyncio.Event, send: Send) -> None:
        position, sent = -1, 0
        while not disconnected.done():
            new_events.clear()
            finished, now = task.finished, self._queue.position(task)
            body = format_event("queue", {"position": now}) if now != position else b""
            position, new = now, task.events[sent:]  # more may be added while these are sent
            sent += len(new)
            for chunk in _chunks(new):
                await send({"type": "http.response.body", "body": body + chunk, "more_body": True})
                body = b""
            if finished:
                await send({"type": "http.response.body", "body": body})
                return
            await send({"type": "http.response.body", "body": body or b": heartbeat\n\n", "more_body": True})
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(new_events.wait(), HEARTBEAT)


async def _wait_for_disconnect(receive: Receive, notify: Callable[[], None]) -> None:
    """Returns when the client disconnects."""
    while (await receive())["type"] != "http.disconnect":
        pass
    notify()


def _chunks(events: list[tuple[str, dict[str, Any]]]) -> Iterator[bytes]:
    """Formatted events, joined to chunks of limited size."""
    chunk = b""
    for kind, data in events:
        chunk += format_event(kind, data)
        if len(chunk) > MAX_CHUNK:
            yield chunk
            chunk = b""
    if chunk:
        yield chunk


def format_event(kind: str, data: Any) -> bytes:
    """One server-sent event with JSON data."""
    return f"event: {kind}\ndata: {json.dumps(json_safe(data), allow_nan=False)}\n\n".encode()


def json_safe(data: Any) -> Any:
    """Data with null for NaN and infinities, which JSON does not have."""
    if isinstance(data, dict):
        return {name: json_safe(value) for name, value in data.items()}
    if isinstance(data, list | tuple):
        return [json_safe(value) for value in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data
