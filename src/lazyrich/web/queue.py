"""The task queue: few tasks run at once, some wait with their position shown, a disconnect cancels a task."""

import contextlib
import logging
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from typing import Any

from ..errors import BadInput, StoreFault

log = logging.getLogger("lazyrich.web")


class QueueFull(Exception):
    """The queue takes no more tasks."""

    def __init__(self) -> None:
        """Say what to do."""
        super().__init__("Too many runs are waiting already. Try again in a minute.")


class Task:
    """One task of one client: the events it has sent so far, and whether it is cancelled.

    Events are kept in a list, so a slow client never blocks a task. A task sends a bounded number of events.
    """

    def __init__(self, notify: Callable[[], None]):
        """`notify` is called, from any thread, whenever there are new events."""
        self.events: list[tuple[str, dict[str, Any]]] = []
        self.finished = False
        self.notify = notify
        self.cancelled = threading.Event()
        self._cancel_callbacks: list[Callable[[], None]] = []

    def send(self, kind: str, **data: Any) -> None:
        """Add an event; raises `CancelledError` once the task is cancelled, which ends it."""
        if self.cancelled.is_set():
            raise CancelledError
        self.events.append((kind, data))
        self.notify()

    def on_cancel(self, callback: Callable[[], None]) -> None:
        """Call this when the task is cancelled."""
        self._cancel_callbacks.append(callback)

    def cancel(self) -> None:
        """Mark the task as cancelled and call the callbacks."""
        self.cancelled.set()
        for callback in self._cancel_callbacks:
            callback()


TaskFunction = Callable[[Task], None]


class TaskQueue:
    """Runs at most `max_running` tasks in threads; at most `max_waiting` more wait."""

    def __init__(self, max_running: int, max_waiting: int):
        """An empty queue."""
        self._pool = ThreadPoolExecutor(max_running, thread_name_prefix="lazyrich-run")
        self._lock = threading.Lock()
        self._waiting: dict[Task, Future] = {}
        self._running: set[Task] = set()
        self._max_running, self._max_waiting = max_running, max_waiting

    @property
    def full(self) -> bool:
        """Whether no more tasks are taken."""
        return len(self._waiting) >= self._max_waiting + self._max_running - len(self._running)

    @property
    def size(self) -> int:
        """How many tasks run or wait."""
        return len(self._waiting) + len(self._running)

    def submit(self, function: TaskFunction, notify: Callable[[], None] = lambda: None) -> Task:
        """Queue a function; it starts after those before it."""
        task = Task(notify)
        with self._lock:
            if self.full:
                raise QueueFull
            self._waiting[task] = self._pool.submit(self._run, task, function)
        return task

    def position(self, task: Task) -> int:
        """The position of a waiting task, from 1; 0 once it runs."""
        with self._lock:
            waiting = list(self._waiting)
            free = self._max_running - len(self._running)
        return max(0, waiting.index(task) + 1 - free) if task in waiting else 0

    def cancel(self, task: Task) -> None:
        """Remove a waiting task, or end a running one at its next event."""
        task.cancel()
        with self._lock:
            future = self._waiting.pop(task, None)
        if future is not None:
            future.cancel()
        self._notify_waiting()

    def close(self) -> None:
        """Cancel all tasks."""
        for task in [*self._waiting, *self._running]:
            self.cancel(task)
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _run(self, task: Task, function: TaskFunction) -> None:
        with self._lock:
            self._waiting.pop(task, None)
            self._running.add(task)
        self._notify_waiting()
        try:
            if not task.cancelled.is_set():
                function(task)
        except CancelledError:
            pass
        except (BadInput, StoreFault) as error:
            _send_error(task, str(error))
        except Exception:
            log.exception("a task failed")
            _send_error(task, "The run failed with an internal error. See the terminal of the server.")
        finally:
            task.finished = True
            with self._lock:
                self._running.discard(task)
            task.notify()
            self._notify_waiting()

    def _notify_waiting(self) -> None:
        """Positions may have changed."""
        for task in list(self._waiting):
            task.notify()


def _send_error(task: Task, message: str) -> None:
    with contextlib.suppress(CancelledError):
        task.send("error", message=message)
